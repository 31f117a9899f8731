//! The passes, in their order.
//!
//! ```text
//!  ├ Passes ────── taken/tried  tokens/test  time ┤
//!  │ ✓ comments          1/1       412.0     1 %  │   what a test of it took away, and its share of the time of all tests
//!  │ ● perses         61/402         3.1    71 %  │
//!  │   certificate                       waiting  │
//! ```

use crate::reduce::{FinishReason, PassLine, PassState, RunState};
use crate::tui::app::{App, PaneKind};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::theme::Role;

/// Draws the pane.
pub fn draw_passes_pane(app: &mut App, canvas: &mut ClippedCanvas, edges: PaneEdges) {
    let Some(snapshot) = app.snapshot.clone() else {
        return;
    };
    let focused = app.focused_pane() == PaneKind::Passes;
    let mut inside =
        canvas.draw_pane_frame("Passes", "taken/tried  tokens/test  time", focused, edges);
    let (width, height) = (inside.width(), inside.height());
    // Where they do not all fit, the one that runs does.
    let at = app.selected_pass();
    app.passes_scroll
        .scroll_to(at, snapshot.passes.len(), height);
    let whole: f64 = snapshot
        .passes
        .iter()
        .map(|pass| pass.time.as_secs_f64())
        .sum();
    let first = app.passes_scroll.top;
    for (y, pass) in snapshot.passes.iter().skip(first).take(height).enumerate() {
        let (mark, role) = pass_mark(app, &inside, pass, &snapshot.state);
        let x = inside.draw_text(1, y, mark, role) + 1;
        let end = draw_pass_numbers(pass, whole, &mut inside, y);
        let name = match pass.state {
            PassState::Running(round) if round > 1 && !app.is_finished() => {
                format!("{}  round {round}", pass.name)
            }
            _ => pass.name.to_owned(),
        };
        let cut = inside.theme.glyphs.cut;
        let room = end.saturating_sub(x + 1);
        let x = inside.draw_text(x, y, &text::truncate_middle(&name, room, cut), role);
        let room = end.saturating_sub(x + 3);
        if room >= 12 {
            inside.draw_text(
                x + 2,
                y,
                &text::truncate_end(pass.what, room, cut),
                Role::Dim,
            );
        }
        if focused && first + y == at {
            let style = inside.theme.role_style(Role::Selection);
            inside.set_line_style(0, y, width, style);
        }
    }
}

/// Where a pass stands.
fn pass_mark(
    app: &App,
    inside: &ClippedCanvas,
    pass: &PassLine,
    state: &RunState,
) -> (&'static str, Role) {
    let glyphs = inside.theme.glyphs;
    match pass.state {
        // The pass that the end of the run found at work: the last round of a fixpoint, or where it was stopped.
        PassState::Running(_) if *state == RunState::Finished(FinishReason::Complete) => {
            (glyphs.interesting, Role::Interesting)
        }
        PassState::Running(_) if app.is_finished() => (" ", Role::Note),
        PassState::Waiting => (" ", Role::Dim),
        PassState::Running(_) => (glyphs.running, Role::Running),
        PassState::Done => (glyphs.interesting, Role::Interesting),
        PassState::Skipped => (glyphs.invalid, Role::Note),
        PassState::Disabled => (" ", Role::Dim),
    }
}

/// The numbers of a pass, from the right; where they begin.
fn draw_pass_numbers(pass: &PassLine, whole: f64, inside: &mut ClippedCanvas, y: usize) -> usize {
    let end = inside.width().saturating_sub(1);
    if pass.state == PassState::Waiting && pass.tried == 0 {
        return inside.draw_text_before(end, y, "waiting", Role::Dim);
    }
    let share = match whole > 0.0 {
        true => format!("{:.0} %", 100.0 * pass.time.as_secs_f64() / whole),
        false => String::new(),
    };
    let each = match pass.tried {
        0 => String::new(),
        tried => format!("{:.1}", pass.tokens as f64 / tried as f64),
    };
    let taken = format!(
        "{}/{}",
        text::format_number(pass.accepted),
        text::format_number(pass.tried)
    );
    let end = inside.draw_text_before(end, y, &format!("{share:>6}"), Role::Number);
    let end = inside.draw_text_before(end, y, &format!("{each:>13}"), Role::Number);
    inside.draw_text_before(end, y, &format!("{taken:>12}"), Role::Text)
}
