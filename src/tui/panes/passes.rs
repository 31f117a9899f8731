//! The passes, in their order.
//!
//! ```text
//!  ├ Passes ────── taken/tried  tokens/test  time ┤
//!  │ ✓ comments          1/1       412.0     1 %  │   what a test of it took away, and its share of the time of all tests
//!  │ ● perses         61/402         3.1    71 %  │
//!  │   certificate                       waiting  │
//! ```

use super::super::app::{App, Pane};
use super::super::canvas::{Canvas, Edges};
use super::super::text;
use super::super::theme::Role;
use crate::reduce::{Finish, PassLine, PassState, State};

/// Draws the pane.
pub fn draw(app: &mut App, canvas: &mut Canvas, edges: Edges) {
    let Some(snapshot) = app.snapshot.clone() else {
        return;
    };
    let focused = app.focus() == Pane::Passes;
    let mut inside = canvas.pane("Passes", "taken/tried  tokens/test  time", focused, edges);
    let (width, height) = (inside.width(), inside.height());
    // Where they do not all fit, the one that runs does.
    let at = app.pass();
    app.passes.show(at, snapshot.passes.len(), height);
    let whole: f64 = snapshot
        .passes
        .iter()
        .map(|pass| pass.time.as_secs_f64())
        .sum();
    let first = app.passes.top;
    for (y, pass) in snapshot.passes.iter().skip(first).take(height).enumerate() {
        let (mark, role) = mark(app, &inside, pass, &snapshot.state);
        let x = inside.say(1, y, mark, role) + 1;
        let end = numbers(pass, whole, &mut inside, y);
        let name = match pass.state {
            PassState::Running(round) if round > 1 && !app.finished() => {
                format!("{}  round {round}", pass.name)
            }
            _ => pass.name.to_owned(),
        };
        let cut = inside.look.glyphs.cut;
        let room = end.saturating_sub(x + 1);
        let x = inside.say(x, y, &text::cut_middle(&name, room, cut), role);
        let room = end.saturating_sub(x + 3);
        if room >= 12 {
            inside.say(x + 2, y, &text::cut_end(pass.what, room, cut), Role::Dim);
        }
        if focused && first + y == at {
            let style = inside.look.of(Role::Selection);
            inside.tint(0, y, width, style);
        }
    }
}

/// Where a pass stands.
fn mark(app: &App, inside: &Canvas, pass: &PassLine, state: &State) -> (&'static str, Role) {
    let glyphs = inside.look.glyphs;
    match pass.state {
        // The pass that the end of the run found at work: the last round of a fixpoint, or where it was stopped.
        PassState::Running(_) if *state == State::Finished(Finish::Complete) => {
            (glyphs.interesting, Role::Interesting)
        }
        PassState::Running(_) if app.finished() => (" ", Role::Note),
        PassState::Waiting => (" ", Role::Dim),
        PassState::Running(_) => (glyphs.running, Role::Running),
        PassState::Done => (glyphs.interesting, Role::Interesting),
        PassState::Skipped => (glyphs.invalid, Role::Note),
        PassState::Off => (" ", Role::Dim),
    }
}

/// The numbers of a pass, from the right; where they begin.
fn numbers(pass: &PassLine, whole: f64, inside: &mut Canvas, y: usize) -> usize {
    let end = inside.width().saturating_sub(1);
    if pass.state == PassState::Waiting && pass.tried == 0 {
        return inside.say_before(end, y, "waiting", Role::Dim);
    }
    let share = match whole > 0.0 {
        true => format!("{:.0} %", 100.0 * pass.time.as_secs_f64() / whole),
        false => String::new(),
    };
    let each = match pass.tried {
        0 => String::new(),
        tried => format!("{:.1}", pass.tokens as f64 / tried as f64),
    };
    let taken = format!("{}/{}", text::number(pass.taken), text::number(pass.tried));
    let end = inside.say_before(end, y, &format!("{share:>6}"), Role::Number);
    let end = inside.say_before(end, y, &format!("{each:>13}"), Role::Number);
    inside.say_before(end, y, &format!("{taken:>12}"), Role::Text)
}
