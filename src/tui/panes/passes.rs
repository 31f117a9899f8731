//! The passes, in their order.
//!
//! ```text
//!  ├ Passes ─── accepted/tried  tokens/test  time ┤
//!  │ ✓ comments          1/1       412.0     1 %  │   tokens removed per test, and the share of the time of all tests
//!  │ ● perses         61/402         3.1    71 %  │
//!  │ ⊘ levels            2/9                 off  │   the user disabled it, or skipped the rest
//!  │   certificate                       waiting  │
//! ```

use std::iter;

use super::layout::PaneKind;
use super::pane_action::{PaneAction, step_index};
use super::pane_context::PaneContext;
use super::scroll::ScrollState;
use crate::reduce::{FinishReason, PassLine, PassState, RunSnapshot, RunState};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::theme::Role;

/// The state of the pane.
#[derive(Debug, Default)]
pub struct PassesPane {
    scroll: ScrollState,
    /// The name of the pass that the user chose; none for the running one. Passes change their places.
    chosen: Option<&'static str>,
}

impl PassesPane {
    /// The index of the selected pass: the running one, unless the user chose another.
    pub fn selected_pass(&self, snapshot: &RunSnapshot) -> usize {
        let runs = |pass: &PassLine| matches!(pass.state, PassState::Running(_));
        let running = snapshot.passes.iter().position(runs);
        let place = |name| snapshot.passes.iter().position(|pass| pass.name == name);
        self.chosen.and_then(place).or(running).unwrap_or(0)
    }

    /// Selects a pass; an index beyond the end selects the last one.
    pub fn select_pass(&mut self, snapshot: &RunSnapshot, pass: usize) {
        let pass = snapshot.passes.get(pass).or(snapshot.passes.last());
        self.chosen = pass.map(|pass| pass.name);
    }

    /// Stays on the selected pass, wherever it goes.
    pub fn keep_selection(&mut self, snapshot: &RunSnapshot) {
        self.select_pass(snapshot, self.selected_pass(snapshot));
    }

    /// Selects the pass on a line of the pane.
    pub fn select_line(&mut self, snapshot: &RunSnapshot, line: usize) {
        self.select_pass(snapshot, self.scroll.top + line);
    }

    /// Moves among the passes.
    pub fn navigate(&mut self, snapshot: &RunSnapshot, action: PaneAction) {
        let page = self.scroll.page_length();
        let pass = step_index(self.selected_pass(snapshot), action, page);
        self.select_pass(snapshot, pass);
    }

    /// Draws the pane.
    pub fn draw_pane(
        &mut self,
        context: &PaneContext,
        canvas: &mut ClippedCanvas,
        edges: PaneEdges,
    ) {
        let Some(snapshot) = &context.view.snapshot else {
            return;
        };
        let finished = context.view.is_finished();
        let focused = context.focus == PaneKind::Passes;
        let columns = PassColumns::of_run(snapshot, finished, canvas.width().saturating_sub(2));
        let mut inside = canvas.draw_pane_frame("Passes", &columns.heading(), focused, edges);
        let (width, height) = (inside.width(), inside.height());
        // If not all passes fit, the selected one is visible.
        let at = self.selected_pass(snapshot);
        self.scroll.scroll_to(at, snapshot.passes.len(), height);
        let first = self.scroll.top;
        for (y, pass) in snapshot.passes.iter().skip(first).take(height).enumerate() {
            let (mark, role) = pass_mark(finished, &inside, pass, &snapshot.state);
            let x = inside.draw_text(1, y, mark, role) + 1;
            let end = columns.draw_numbers(pass, &mut inside, y);
            let name = pass_title(pass, finished);
            let scope = pass.scope.as_ref().filter(|_| !finished);
            let cut = inside.theme.glyphs.cut;
            let room = end.saturating_sub(x + 1);
            let x = inside.draw_text(x, y, &text::truncate_middle(&name, room, cut), role);
            let room = end.saturating_sub(x + 3);
            let what = match scope {
                Some(scope) => text::truncate_end(&format!("smart: {scope}"), room, cut),
                None => fitting_clause(pass.what, room).to_owned(),
            };
            inside.draw_text(x + 2, y, &what, Role::Dim);
            if focused && first + y == at {
                let style = inside.theme.role_style(Role::Selection);
                inside.set_line_style(0, y, width, style);
            }
        }
    }
}

/// The name of a pass, and its round.
fn pass_title(pass: &PassLine, finished: bool) -> String {
    match pass.state {
        PassState::Running(round) if round > 1 && !finished => {
            format!("{}  round {round}", pass.name)
        }
        _ => pass.name.to_owned(),
    }
}

/// A description, or its beginning up to a comma or another mark, if that fits; else nothing. No word of it is cut.
fn fitting_clause(what: &str, room: usize) -> &str {
    let ends = what.rmatch_indices([',', ';', ':']).map(|(at, _)| at);
    let mut parts = iter::once(what.len()).chain(ends).map(|end| &what[..end]);
    parts
        .find(|part| text::text_width(part) <= room)
        .unwrap_or_default()
}

/// The mark of a pass's state.
fn pass_mark(
    finished: bool,
    inside: &ClippedCanvas,
    pass: &PassLine,
    state: &RunState,
) -> (&'static str, Role) {
    let glyphs = inside.theme.glyphs;
    match pass.state {
        // The pass that was running when the run ended: it found nothing more to accept.
        PassState::Running(_) if *state == RunState::Finished(FinishReason::Complete) => {
            (glyphs.interesting, Role::Interesting)
        }
        PassState::Running(_) if finished => (" ", Role::Note),
        PassState::Waiting => (" ", Role::Dim),
        PassState::Running(_) => (glyphs.running, Role::Running),
        PassState::Done => (glyphs.interesting, Role::Interesting),
        PassState::Skipped => (glyphs.invalid, Role::Note),
        PassState::Disabled => (glyphs.invalid, Role::Dim),
    }
}

/// The columns of numbers. Names come before numbers: where there is no room for both, columns are as narrow as their numbers, and then the
/// last ones are left out.
struct PassColumns {
    /// How long all tests took, in seconds.
    whole: f64,
    /// The widths, each with the blanks before it: accepted/tried, tokens a test, share of the time. 0 for one that is left out.
    widths: [usize; 3],
}

impl PassColumns {
    /// The headings.
    const HEADINGS: [&str; 3] = ["accepted/tried", "tokens/test", "time"];
    /// The cells before a name.
    const MARK: usize = 3;

    fn of_run(snapshot: &RunSnapshot, finished: bool, width: usize) -> PassColumns {
        let times = snapshot.passes.iter().map(|pass| pass.time.as_secs_f64());
        let whole = times.sum();
        let widest = |width: &dyn Fn(&PassLine) -> usize| {
            snapshot.passes.iter().map(width).max().unwrap_or(0)
        };
        let names = widest(&|pass| text::text_width(&pass_title(pass, finished)));
        let own = [0, 1, 2]
            .map(|column| widest(&|pass| text::text_width(&pass_numbers(pass, whole)[column])) + 2);
        let wide = [0, 1, 2].map(|column| own[column].max(Self::HEADINGS[column].len() + 2));
        let room = width.saturating_sub(Self::MARK + names + 1);
        let fits = |widths: &[usize; 3]| widths.iter().sum::<usize>() <= room;
        let [accepted, each, _] = own;
        let mut narrower = [wide, own, [accepted, each, 0], [accepted, 0, 0]].into_iter();
        let widths = narrower.find(fits).unwrap_or_default();
        PassColumns { whole, widths }
    }

    /// The headings of the columns that are there, in their order.
    fn heading(&self) -> String {
        let all = Self::HEADINGS.iter().zip(self.widths);
        let shown = all.filter(|(_, width)| *width > 0);
        let shown: Vec<&str> = shown.map(|(heading, _)| *heading).collect();
        shown.join("  ")
    }

    /// Draws the numbers of a pass, right-aligned. Returns the column where they begin.
    fn draw_numbers(&self, pass: &PassLine, inside: &mut ClippedCanvas, y: usize) -> usize {
        let end = inside.width().saturating_sub(1);
        let word = state_word(pass);
        if let (Some(word), 0) = (word, pass.tried) {
            return inside.draw_text_before(end, y, word, Role::Dim);
        }
        let numbers = pass_numbers(pass, self.whole);
        let [accepted, each, share] = self.widths;
        let cells = match word {
            // What it did before still counts.
            Some(word) => vec![
                (
                    word,
                    (each + share).max(text::text_width(word) + 2),
                    Role::Dim,
                ),
                (&numbers[0][..], accepted, Role::Text),
            ],
            None => vec![
                (&numbers[2][..], share, Role::Number),
                (&numbers[1][..], each, Role::Number),
                (&numbers[0][..], accepted, Role::Text),
            ],
        };
        let cells = cells.into_iter().filter(|(_, width, _)| *width > 0);
        cells.fold(end, |end, (cell, width, role)| {
            inside.draw_text_before(end, y, &format!("{cell:>width$}"), role)
        })
    }
}

/// What stands in the place of the numbers of a pass that does not run.
fn state_word(pass: &PassLine) -> Option<&'static str> {
    match pass.state {
        PassState::Disabled => Some("off"),
        PassState::Skipped => Some("skipped"),
        PassState::Waiting if pass.tried == 0 => Some("waiting"),
        _ => None,
    }
}

/// The numbers of a pass: how many of its candidates were accepted, what a test removed, and its share of the time of all tests.
fn pass_numbers(pass: &PassLine, whole: f64) -> [String; 3] {
    let accepted = text::format_number(pass.accepted);
    let share = match whole > 0.0 {
        true => format!("{:.0} %", 100.0 * pass.time.as_secs_f64() / whole),
        false => String::new(),
    };
    let each = match pass.tried {
        0 => String::new(),
        tried => format!("{:.1}", pass.tokens as f64 / tried as f64),
    };
    [
        format!("{accepted}/{}", text::format_number(pass.tried)),
        each,
        share,
    ]
}
