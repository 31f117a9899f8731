//! The last verdicts, the newest on top. A question is cut in the middle: where it begins and what it is about tell it from the next.
//!
//! ```text
//!  ├ Verdicts ─────────────────────────────────────────────────────┤
//!  │ ✓ 1,203 perses  can declar…`int l_2;` go?       −22    0.41 s │
//!  │ ✗ 1,202 perses  if_stateme…`{ f(); }`        exit 1    0.38 s │
//! ```

use super::super::app::{App, Pane};
use super::super::canvas::{Canvas, Edges};
use super::super::filter;
use super::super::text;
use super::super::theme::Role;
use super::{gist, verdict};
use crate::reduce::Ending;

/// Draws the pane.
pub fn draw(app: &mut App, canvas: &mut Canvas, edges: Edges) {
    let Some(snapshot) = app.snapshot.clone() else {
        return;
    };
    let focused = app.focus() == Pane::Verdicts;
    let listed = app.listed();
    let only = match app.filter {
        Some(_) => format!("only {}: {}", filter::name(app.filter), listed.len()),
        None => String::new(),
    };
    let mut inside = canvas.pane("Verdicts", &only, focused, edges);
    let width = inside.width();
    let at = app.verdict().map_or(0, |(at, _)| at);
    app.verdicts.show(at, listed.len(), inside.height());
    let top = app.verdicts.top;
    let newest = snapshot
        .decided
        .last()
        .map_or(0, |decided| decided.decision);
    let digits = text::number(newest).len().max(3);
    for (y, decided) in listed.iter().skip(top).take(inside.height()).enumerate() {
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
            Ending::TimedOut => match decided.bound.filter(|bound| !bound.is_time()) {
                Some(bound) => bound.word().into(),
                None => "timed out".into(),
            },
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
            &text::cut_middle(&gist(&decided.sentence, &glyphs), room, glyphs.cut),
            Role::Text,
        );
        if focused && top + y == at {
            let style = inside.look.of(Role::Selection);
            inside.tint(0, y, width, style);
        }
    }
}
