//! The last verdicts, the newest on top.
//!
//! ```text
//!  ├ Verdicts ─────────────────────────────────────────────────────┤
//!  │ ✓ 1,203 perses  can 3 of the 7 elements go?     −22    0.41 s │
//!  │ ✗ 1,202 perses  if_statement could be its…      exit 1 0.38 s │
//! ```

use super::super::app::App;
use super::super::canvas::{Canvas, Edges};
use super::super::text;
use super::super::theme::Role;
use super::verdict;
use crate::reduce::Ending;

/// Draws the pane.
pub fn draw(app: &App, canvas: &mut Canvas, edges: Edges) {
    let Some(snapshot) = &app.snapshot else {
        return;
    };
    let mut inside = canvas.pane("Verdicts", "", false, edges);
    let width = inside.width();
    let newest = snapshot
        .decided
        .last()
        .map_or(0, |decided| decided.decision);
    let digits = text::number(newest).len().max(3);
    for (y, decided) in snapshot
        .decided
        .iter()
        .rev()
        .take(inside.height())
        .enumerate()
    {
        let glyphs = inside.look.glyphs;
        let (mark, role) = verdict(decided.ending, &glyphs);
        let mut x = inside.say(1, y, mark, role) + 1;
        x = inside.say(
            x,
            y,
            &format!("{:>digits$}", text::number(decided.decision)),
            Role::Dim,
        ) + 1;
        x = inside.say(x, y, decided.why.pass, Role::Kind) + 2;
        let time = match decided.time {
            Some(time) => text::time(time),
            None => "known".into(),
        };
        let mut end = inside.say_before(
            width.saturating_sub(1),
            y,
            &format!("{time:>8}"),
            Role::Number,
        );
        let outcome = match decided.ending {
            Ending::Interesting => {
                format!("{}{}", glyphs.minus, text::number(decided.saved.into()))
            }
            Ending::TimedOut => "timed out".into(),
            Ending::Invalid => "invalid".into(),
            Ending::Boring => decided.exit.clone(),
        };
        if width >= 48 {
            end = inside.say_before(
                end.saturating_sub(1),
                y,
                &text::cut_middle(&outcome, 12, glyphs.cut),
                role,
            );
        }
        let room = end.saturating_sub(x + 1);
        inside.say(
            x,
            y,
            &text::cut_end(&decided.sentence, room, glyphs.cut),
            Role::Text,
        );
    }
}
