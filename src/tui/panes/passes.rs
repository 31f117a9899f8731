//! The passes, in their order.
//!
//! ```text
//!  ├ Passes ──── taken/tried  tokens  test time ┤
//!  │ ✓ comments          1/1     412     0.10 s │
//!  │ ● perses         61/402   1,238     12.0 s │   the time of its tests, one after the other
//! ```

use super::super::app::App;
use super::super::canvas::{Canvas, Edges};
use super::super::text;
use super::super::theme::Role;
use crate::reduce::{Finish, PassState, State};

/// Draws the pane.
pub fn draw(app: &App, canvas: &mut Canvas, edges: Edges) {
    let Some(snapshot) = &app.snapshot else {
        return;
    };
    let mut inside = canvas.pane("Passes", "taken/tried   tokens test time", false, edges);
    let (width, height) = (inside.width(), inside.height());
    // Where they do not all fit, the one that runs does.
    let running = snapshot
        .passes
        .iter()
        .position(|pass| matches!(pass.state, PassState::Running(_)))
        .unwrap_or(0);
    let first = (running + 1).saturating_sub(height);
    let complete = State::Finished(Finish::Complete);
    for (y, pass) in snapshot.passes.iter().skip(first).take(height).enumerate() {
        let glyphs = inside.look.glyphs;
        let (mark, role) = match pass.state {
            // The pass that the end of the run found at work: the last round of a fixpoint, or where it was stopped.
            PassState::Running(_) if snapshot.state == complete => {
                (glyphs.interesting, Role::Interesting)
            }
            PassState::Running(_) if app.finished() => (" ", Role::Note),
            PassState::Waiting => (" ", Role::Dim),
            PassState::Running(_) => (glyphs.running, Role::Running),
            PassState::Done => (glyphs.interesting, Role::Interesting),
            PassState::Skipped => (glyphs.invalid, Role::Note),
            PassState::Off => (" ", Role::Dim),
        };
        let name = match pass.state {
            PassState::Running(round) if round > 1 && !app.finished() => {
                format!("{}  round {round}", pass.name)
            }
            _ => pass.name.to_owned(),
        };
        let mut end = width.saturating_sub(1);
        if pass.state == PassState::Waiting && pass.tried == 0 {
            end = inside.say_before(end, y, "waiting", Role::Dim);
        } else {
            end = inside.say_before(
                end,
                y,
                &format!("{:>10}", text::time(pass.time)),
                Role::Number,
            );
            end = inside.say_before(
                end,
                y,
                &format!("{:>9}", text::number(pass.tokens)),
                Role::Number,
            );
            let taken = format!("{}/{}", text::number(pass.taken), text::number(pass.tried));
            end = inside.say_before(end, y, &format!("{taken:>12}"), Role::Text);
        }
        let x = inside.say(1, y, mark, role) + 1;
        let room = end.saturating_sub(x + 1);
        let x = inside.say(x, y, &text::cut_middle(&name, room, glyphs.cut), role);
        let room = end.saturating_sub(x + 3);
        if room >= 12 {
            inside.say(
                x + 2,
                y,
                &text::cut_end(pass.what, room, glyphs.cut),
                Role::Dim,
            );
        }
    }
}
