//! The passes, in their order.
//!
//! ```text
//!  ├ Passes ─── accepted/tried  tokens/test  time ┤
//!  │ ✓ comments          1/1       412.0     1 %  │   tokens removed per test, and the share of the time of all tests
//!  │ ● perses         61/402         3.1    71 %  │
//!  │ ⊘ levels            2/9                 off  │   the user disabled it, or skipped the rest
//!  │   certificate                       waiting  │
//! ```

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
        let mut inside = canvas.draw_pane_frame(
            "Passes",
            "accepted/tried  tokens/test  time",
            focused,
            edges,
        );
        let (width, height) = (inside.width(), inside.height());
        // If not all passes fit, the selected one is visible.
        let at = self.selected_pass(snapshot);
        self.scroll.scroll_to(at, snapshot.passes.len(), height);
        let whole: f64 = snapshot
            .passes
            .iter()
            .map(|pass| pass.time.as_secs_f64())
            .sum();
        let first = self.scroll.top;
        for (y, pass) in snapshot.passes.iter().skip(first).take(height).enumerate() {
            let (mark, role) = pass_mark(finished, &inside, pass, &snapshot.state);
            let x = inside.draw_text(1, y, mark, role) + 1;
            let end = draw_pass_numbers(pass, whole, &mut inside, y);
            let name = match pass.state {
                PassState::Running(round) if round > 1 && !finished => {
                    format!("{}  round {round}", pass.name)
                }
                _ => pass.name.to_owned(),
            };
            let scope = pass.scope.as_ref().filter(|_| !finished);
            let what = match scope {
                Some(scope) => format!("smart: {scope}"),
                None => pass.what.to_owned(),
            };
            let cut = inside.theme.glyphs.cut;
            let room = end.saturating_sub(x + 1);
            let x = inside.draw_text(x, y, &text::truncate_middle(&name, room, cut), role);
            let room = end.saturating_sub(x + 3);
            if room >= 12 {
                inside.draw_text(x + 2, y, &text::truncate_end(&what, room, cut), Role::Dim);
            }
            if focused && first + y == at {
                let style = inside.theme.role_style(Role::Selection);
                inside.set_line_style(0, y, width, style);
            }
        }
    }
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

/// Draws the numbers of a pass, right-aligned. Returns the column where they begin.
fn draw_pass_numbers(pass: &PassLine, whole: f64, inside: &mut ClippedCanvas, y: usize) -> usize {
    let end = inside.width().saturating_sub(1);
    let word = match pass.state {
        PassState::Disabled => Some("off"),
        PassState::Skipped => Some("skipped"),
        PassState::Waiting if pass.tried == 0 => Some("waiting"),
        _ => None,
    };
    if let (Some(word), 0) = (word, pass.tried) {
        return inside.draw_text_before(end, y, word, Role::Dim);
    }
    let share = match whole > 0.0 {
        true => format!("{:.0} %", 100.0 * pass.time.as_secs_f64() / whole),
        false => String::new(),
    };
    let each = match pass.tried {
        0 => String::new(),
        tried => format!("{:.1}", pass.tokens as f64 / tried as f64),
    };
    let accepted = format!(
        "{}/{}",
        text::format_number(pass.accepted),
        text::format_number(pass.tried)
    );
    let end = match word {
        // What it did before still counts.
        Some(word) => inside.draw_text_before(end, y, &format!("{word:>19}"), Role::Dim),
        None => {
            let end = inside.draw_text_before(end, y, &format!("{share:>6}"), Role::Number);
            inside.draw_text_before(end, y, &format!("{each:>13}"), Role::Number)
        }
    };
    inside.draw_text_before(end, y, &format!("{accepted:>12}"), Role::Text)
}
