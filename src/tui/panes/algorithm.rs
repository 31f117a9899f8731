//! The state of the algorithm that asks: its pseudo-code with the present line marked, and what it works on.
//!
//! ```text
//!  ├ Algorithm  ddmin ──────────────── lines ┤
//!  │ Zeller and Hildebrandt, TSE 2002, figure 5
//!  │   n ← 2                                 │
//!  │   loop: cut the list into n chunks      │
//!  │     one alone?    keep it, n ← 2        │
//!  │ ▶   all but one?  drop it, …            │   the present line
//!  │   n = 4 · complement 2 of 4             │
//!  │   ██████ ░░░░░░ ██████ ██████           │   the list: full blocks stay, light ones go
//!  │ ▶ 2  lines 7–12  goes                   │
//! ```

use super::algorithm_lines::{AlgorithmLine, LineContext, ended_state, list_algorithm_lines};
use super::algorithm_words::line_of;
use super::layout::PaneKind;
use super::pane_action::{PaneAction, step_index};
use super::pane_context::PaneContext;
use super::scroll::ScrollState;
use crate::program::{EditAction, NameFact, NameUse, Version, name_user, quote_text};
use crate::reduce::{FinishReason, PassState, RunState};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::run_view::{AskedQuestion, RunView};
use crate::tui::theme::Role;
use crate::tui::theme::palette::ScreenGlyphs;

/// The state of the pane.
#[derive(Debug, Default)]
pub struct AlgorithmPane {
    scroll: ScrollState,
}

impl AlgorithmPane {
    /// Scrolls.
    pub fn navigate(&mut self, action: PaneAction) {
        let page = self.scroll.page_length();
        self.scroll.top = step_index(self.scroll.top, action, page);
    }

    /// Draws the pane.
    pub fn draw_pane(
        &mut self,
        context: &PaneContext,
        canvas: &mut ClippedCanvas,
        edges: PaneEdges,
    ) {
        let view = context.view;
        let asked = view.asked_question();
        let glyphs = canvas.theme.glyphs;
        let layers = asked.as_ref().and_then(|asked| asked.algorithm);
        let layers = layers.map_or(&[][..], |state| &state.layers);
        let names: Vec<&str> = layers.iter().map(|layer| layer.text.name).collect();
        let title = match names.is_empty() {
            true => "Algorithm".to_owned(),
            false => format!("Algorithm  {}", names.join(&format!(" {} ", glyphs.inside))),
        };
        let made = view.snapshot.as_ref().map(|snapshot| snapshot.number);
        let place = asked.as_ref().map(|asked| match made {
            Some(number) if asked.is_accepted => {
                format!("{}, lines before v{number}", asked.why.pass)
            }
            _ => asked.why.pass.to_owned(),
        });
        let place = place.unwrap_or_default();
        let focused = context.focus == PaneKind::Algorithm;
        let mut inside = canvas.draw_pane_frame(&title, &place, focused, edges);
        let (width, height) = (inside.width(), inside.height());
        let lines = match &asked {
            Some(asked) => list_lines(view, asked, &glyphs, (width, height)),
            None => vec![vec![(format!(" {}", say_nothing(view)), Role::Dim)]],
        };
        self.scroll.height = height;
        self.scroll.top = self.scroll.top.min(lines.len().saturating_sub(height));
        for (y, line) in lines.iter().skip(self.scroll.top).take(height).enumerate() {
            let mut x = 0;
            for (part, role) in line {
                x = inside.draw_text(x, y, part, *role);
            }
        }
    }
}

/// What the pane says before a question is known.
fn say_nothing(view: &RunView) -> &'static str {
    match view.context.replay {
        true => "this recording does not keep it: only versions are known here",
        false => "nothing was asked yet",
    }
}

/// The lines about a question.
fn list_lines(
    view: &RunView,
    asked: &AskedQuestion,
    glyphs: &ScreenGlyphs,
    (width, height): (usize, usize),
) -> Vec<AlgorithmLine> {
    let name_lines = list_name_lines(&asked.why.action, asked.version, glyphs, width);
    let mut lines = match asked.algorithm {
        Some(state) => {
            let ended = is_over(view, asked).then(|| ended_state(state));
            let state = ended.as_ref().unwrap_or(state);
            let context = LineContext {
                version: asked.version,
                glyphs,
                is_accepted: asked.is_accepted,
                width,
            };
            let room = height.saturating_sub(name_lines.len());
            list_algorithm_lines(state, context, room)
        }
        None => describe_pass(view, asked.why.pass, glyphs, width),
    };
    lines.extend(name_lines);
    lines
}

/// Whether the pass of a question has come to its end, or the run has.
fn is_over(view: &RunView, asked: &AskedQuestion) -> bool {
    let snapshot = view.snapshot.as_ref();
    let Some(snapshot) = snapshot.filter(|snapshot| snapshot.current_test.is_none()) else {
        return false;
    };
    let pass = asked.why.pass;
    let mut passes = snapshot.passes.iter();
    let is_done = passes.any(|line| line.name == pass && line.state == PassState::Done);
    is_done || matches!(snapshot.state, RunState::Finished(FinishReason::Complete))
}

/// A pass whose algorithm tells nothing: what it does.
fn describe_pass(
    view: &RunView,
    pass: &str,
    glyphs: &ScreenGlyphs,
    width: usize,
) -> Vec<AlgorithmLine> {
    const MOST_LINES: usize = 6;
    let snapshot = view.snapshot.as_deref();
    let passes = snapshot.iter().flat_map(|snapshot| snapshot.passes.iter());
    let what = passes.into_iter().find(|line| line.name == pass);
    let what = what.map_or("an edit that is not of a pass", |line| line.what);
    let what = text::displayable_line(what, glyphs.braille);
    let wrapped = text::wrap_text(&what, width.saturating_sub(2), MOST_LINES, glyphs.cut);
    let mut lines = vec![vec![(format!(" {pass}"), Role::Title)]];
    lines.extend(
        wrapped
            .into_iter()
            .map(|line| vec![(format!(" {line}"), Role::Text)]),
    );
    lines
}

/// What the names say: who still uses what cannot go.
///
/// ```text
///  names   7 stay
///          `end`, used by `main` (line 12)
///          `tax`, used by `with_tax` (line 8)
/// ```
fn list_name_lines(
    action: &EditAction,
    version: &Version,
    glyphs: &ScreenGlyphs,
    width: usize,
) -> Vec<AlgorithmLine> {
    const HEADING: &str = " names  ";
    let EditAction::WithNameFact { fact, .. } = action else {
        return Vec::new();
    };
    let room = width.saturating_sub(HEADING.len() + 1);
    let words = match fact {
        NameFact::Clause(clause) => text::wrap_text(clause, room, 3, glyphs.cut),
        NameFact::StillUsed { stay, uses } => {
            let stay = match stay {
                1 => "1 stays".to_owned(),
                stay => format!("{stay} stay"),
            };
            let uses = uses.iter().map(|NameUse { name, user }| {
                let place = line_of(version, *user);
                let place = place.map_or_else(String::new, |line| format!(" (line {line})"));
                let by = name_user(version, *user).filter(|by| by != name);
                let by = by.map_or_else(String::new, |by| format!(" by {}", quote_text(&by)));
                let line = format!("{}, used{by}{place}", quote_text(name));
                text::truncate_middle(&line, room, glyphs.cut)
            });
            std::iter::once(stay).chain(uses).collect()
        }
    };
    let blank = " ".repeat(HEADING.len());
    let words = words.into_iter().enumerate().map(|(at, line)| {
        let line = text::displayable_line(&line, glyphs.braille);
        match at {
            0 => vec![(HEADING.to_owned(), Role::Title), (line, Role::Note)],
            _ => vec![(format!("{blank}{line}"), Role::Note)],
        }
    });
    std::iter::once(Vec::new()).chain(words).collect()
}
