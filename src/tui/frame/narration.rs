//! The lines below the headline for what is told: a step of a lesson, a question, a guess.
//!
//! ```text
//!  step 3 of 12   Now the lines are cut into two chunks. The first question keeps only the second half.
//!  ? Is one half of the program enough?   y or n? space shows it.
//! ```

use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::narration::Narration;
use crate::tui::theme::Role;

/// The most lines that a text or an answer takes.
const MOST_LINES: usize = 4;

/// A line: its text and its role.
type NarrationLine = (String, Role);

/// How many lines a narration takes at this width.
pub fn narration_height(narration: &Narration, width: u16) -> u16 {
    let lines = narration_lines(narration, width.into(), "");
    lines.len() as u16
}

/// Draws it.
pub fn draw_narration(narration: &Narration, canvas: &mut ClippedCanvas) {
    let cut = canvas.theme.glyphs.cut;
    for (y, (line, role)) in narration_lines(narration, canvas.width(), cut)
        .iter()
        .take(canvas.height())
        .enumerate()
    {
        let mut x = 1;
        let mut rest = line.as_str();
        if y == 0 && !narration.place.is_empty() {
            x = canvas.draw_text(x, 0, &narration.place, Role::Number);
            rest = rest.get(narration.place.len()..).unwrap_or_default();
        }
        canvas.draw_text(x, y, rest, *role);
    }
}

/// The lines: the place and the text, then the question, the guess, and the answer.
fn narration_lines(narration: &Narration, width: usize, cut: &str) -> Vec<NarrationLine> {
    let width = width.saturating_sub(2).max(1);
    let told = match narration.place.is_empty() {
        true => narration.text.clone(),
        false => format!("{}   {}", narration.place, narration.text),
    };
    let question = narration.question.as_ref();
    let question = question.map_or(String::new(), |question| format!("? {question}"));
    let guess_role = match narration.is_answered {
        true => Role::Text,
        false => Role::Dim,
    };
    let parts = [
        (told, Role::Title),
        (question, Role::Note),
        (narration.guess.clone().unwrap_or_default(), guess_role),
        (
            narration.answer.clone().unwrap_or_default(),
            Role::Interesting,
        ),
    ];
    let parts = parts.into_iter().filter(|(text, _)| !text.is_empty());
    parts
        .flat_map(|(part, role)| {
            let lines = text::wrap_text(&part, width, MOST_LINES, cut);
            lines.into_iter().map(move |line| (line, role))
        })
        .collect()
}
