//! The help: every command of the table, then the marks.

use super::super::app::{App, Layer};
use super::super::canvas::Canvas;
use super::super::commands::{COMMANDS, Place, named};
use super::super::panes::verdict;
use super::super::text;
use super::super::theme::Role;
use super::middle;
use crate::reduce::Ending;

/// A line of the help.
enum Line {
    Heading(&'static str),
    Command {
        keys: String,
        what: String,
        disabled: bool,
    },
    Mark(&'static str, Role, &'static str),
    Blank,
}

/// All places: those of the page below this one first, or without one those of the pane that has the keys.
fn places(app: &App) -> Vec<Place> {
    let focus = app.focus();
    let mut places = Place::ALL.to_vec();
    places.retain(|place| COMMANDS.iter().any(|entry| entry.place == *place));
    places.retain(|place| place.is_there(app));
    let mut pages = app.layers.iter().rev();
    match pages.find(|layer| !matches!(layer, Layer::Help(_))) {
        None => places.sort_by_key(|place| *place == Place::Panes || !place.is_of(focus)),
        // What is of this page alone goes before what is of all pages.
        page => places.sort_by_key(|place| match place {
            Place::Everywhere => 2,
            place if !place.holds_with(page, focus) => 3,
            Place::Property => 0,
            _ => 1,
        }),
    }
    places
}

fn lines(app: &App) -> Vec<Line> {
    let mut lines = Vec::new();
    for place in places(app) {
        lines.push(Line::Heading(place.name()));
        for entry in COMMANDS.iter().filter(|entry| entry.place == place) {
            let keys = app.setup.keys.words(entry);
            let reason = (entry.disabled)(app);
            let what = match reason {
                Some(reason) => format!("{} ({reason})", entry.what),
                None => entry.what.to_owned(),
            };
            lines.push(Line::Command {
                keys,
                what,
                disabled: reason.is_some(),
            });
        }
        lines.push(Line::Blank);
    }
    let glyphs = &app.look.glyphs;
    lines.push(Line::Heading("Marks"));
    lines.push(Line::Mark(
        glyphs.trying,
        Role::Trying,
        "being tried: in the program, what would go is struck through",
    ));
    lines.push(Line::Mark(
        glyphs.pinned,
        Role::Pinned,
        "pinned: it must stay",
    ));
    lines.push(Line::Mark(
        glyphs.partly,
        Role::Pinned,
        "something in it must stay",
    ));
    let verdicts = [
        (
            Ending::Interesting,
            "interesting: the test passed, the edit is good",
        ),
        (
            Ending::Boring,
            "boring: the test failed, the program stays as it is",
        ),
        (
            Ending::Invalid,
            "invalid: the test said 125, the candidate says nothing",
        ),
        (
            Ending::TimedOut,
            "timed out: the test was killed at its limit",
        ),
    ];
    for (ending, what) in verdicts {
        let (mark, role) = verdict(ending, glyphs);
        lines.push(Line::Mark(mark, role, what));
    }
    let heat = [
        (Role::Cool, "heat: the run spent little here"),
        (Role::Warm, "heat: some"),
        (Role::Hot, "heat: much"),
        (Role::Blazing, "heat: most"),
    ];
    for ((role, what), glyph) in heat.into_iter().zip(glyphs.heat) {
        lines.push(Line::Mark(glyph, role, what));
    }
    lines.push(Line::Mark(
        glyphs.marker,
        Role::Note,
        "in the curve: a command of yours",
    ));
    lines.push(Line::Mark(
        "*",
        Role::Dim,
        "after a kind: a list, of which any element may go",
    ));
    lines
}

/// Draws the help from line `top` on.
pub fn draw(app: &App, canvas: &mut Canvas, top: usize) {
    let lines = lines(app);
    let area = middle(canvas.area, 96, lines.len() as u16 + 2);
    let mut page = canvas.part(area);
    page.clear();
    let closes = named("help").map(|help| app.setup.keys.words(help));
    let closes = format!("{} or esc closes", closes.unwrap_or_default());
    let mut inside = page.pane("Help", &closes, true, super::ALONE);
    let top = top.min(lines.len().saturating_sub(inside.height()));
    for (y, line) in lines.iter().skip(top).take(inside.height()).enumerate() {
        let room = inside.width().saturating_sub(20);
        let mark = inside.look.glyphs.cut;
        match line {
            Line::Heading(name) => {
                inside.say(1, y, name, Role::Title);
            }
            Line::Command {
                keys,
                what,
                disabled,
            } => {
                let role = if *disabled { Role::Dim } else { Role::Text };
                inside.say(3, y, keys, Role::Key);
                inside.say(19, y, &text::cut_end(what, room, mark), role);
            }
            Line::Mark(glyph, role, what) => {
                inside.say(3, y, glyph, *role);
                inside.say(19, y, &text::cut_end(what, room, mark), Role::Text);
            }
            Line::Blank => {}
        }
    }
}

/// The last line that help may begin with: scrolling stops there.
pub fn last(app: &App, height: usize) -> usize {
    lines(app).len().saturating_sub(height.saturating_sub(2))
}
