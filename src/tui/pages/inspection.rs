//! All that is known of the selected node: what it is, how it may go, what closes it, and what was tried on it.

use super::{draw_text_page, line_width, wrap_paragraphs};
use crate::reduce::{NodeInspection, inspect_node};
use crate::tui::app::App;
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::panes::{question_text, verdict_mark};
use crate::tui::theme::Role;

/// How many pieces and how many questions are shown.
const SHOWN: usize = 40;

/// Draws the page from line `top` on; the line it did begin with.
pub fn draw_inspection_page(app: &App, canvas: &mut ClippedCanvas, top: usize) -> usize {
    let right = app.setup.keys.describe_keys(&[("close", "closes")]);
    let known = app.snapshot.as_ref().zip(app.selected);
    let Some(known) = known.and_then(|(snapshot, node)| inspect_node(snapshot, node)) else {
        let gone = [("nothing is selected".to_owned(), Role::Dim)];
        return draw_text_page(canvas, "Node", &right, &gone, top);
    };
    let lines = inspection_lines(app, &known);
    let cut = app.theme.glyphs.cut;
    let lines = wrap_paragraphs(&lines, line_width(canvas.width()), cut);
    draw_text_page(canvas, &known.kind, &right, &lines, top)
}

fn inspection_lines(app: &App, known: &NodeInspection) -> Vec<(String, Role)> {
    let glyphs = &app.theme.glyphs;
    let safe = |line: &str| text::displayable_line(line, glyphs.braille);
    let mut lines = vec![(
        text::format_count(known.tokens.into(), "token"),
        Role::Number,
    )];
    let mut say = |line: String, role| lines.push((line, role));
    match (&known.closed, known.removable_because) {
        (Some(closed), _) => say(safe(closed), Role::Pinned),
        (None, Some(goes)) => say(format!("It may go: {goes}."), Role::Text),
        (None, None) => say("It may not go by itself.".into(), Role::Text),
    }
    for (name, text) in [("its rule", &known.rule), ("in its place", &known.expected)] {
        if let Some(text) = text {
            say(String::new(), Role::Text);
            say(name.into(), Role::Title);
            say(format!("  {}", safe(text)), Role::Kind);
        }
    }
    if !known.replacements.is_empty() {
        say(String::new(), Role::Text);
        say("Pieces of it that may stand there".into(), Role::Title);
    }
    for (begins, tokens) in known.replacements.iter().take(SHOWN) {
        say(
            format!(
                "  {}  {}",
                text::format_number((*tokens).into()),
                safe(begins)
            ),
            Role::Kind,
        );
    }
    say(String::new(), Role::Text);
    let tried = match known.decisions.len() {
        0 => "Nothing was asked about it yet".into(),
        questions => format!(
            "{} about it",
            text::format_count(questions as u64, "question")
        ),
    };
    say(tried, Role::Title);
    for tried in known.decisions.iter().take(SHOWN) {
        let (mark, role) = verdict_mark(tried.ending, glyphs);
        let number = text::format_number(tried.decision);
        say(
            format!(
                "  {mark} {number}  {}",
                question_text(&tried.sentence, glyphs)
            ),
            role,
        );
    }
    lines
}
