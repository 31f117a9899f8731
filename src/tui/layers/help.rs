//! The help: every command of the table, then the marks.

use super::super::app::{App, Layer};
use super::super::canvas::Canvas;
use super::super::commands::{COMMANDS, Place, unsteered};
use super::super::panes::verdict;
use super::super::text;
use super::super::theme::Role;
use super::{closes, middle};
use crate::reduce::Ending;

/// A line of the help.
enum Line {
    Heading(&'static str),
    /// What is said of all below a heading.
    Note(String),
    /// A key or a mark, and what it does or means.
    Row {
        sign: (String, Role),
        what: (String, Role),
    },
    Blank,
}

impl Line {
    fn mark(sign: &str, role: Role, what: &str) -> Line {
        Line::Row {
            sign: (sign.to_owned(), role),
            what: (what.to_owned(), Role::Text),
        }
    }
}

/// Where what a key does begins.
const WHAT: usize = 19;

/// How wide the page is at most.
const WIDE: u16 = 96;

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
        let entries = COMMANDS.iter().filter(|entry| entry.place == place);
        // What is true of them all is said once.
        let all = unsteered(app);
        if let Some(reason) =
            all.filter(|_| entries.clone().any(|entry| (entry.disabled)(app) == all))
        {
            lines.push(Line::Note(format!("grey: {reason}")));
        }
        for entry in entries {
            let keys = app.setup.keys.words(entry);
            let reason = (entry.disabled)(app);
            let what = match reason.filter(|_| reason != all) {
                Some(reason) => format!("{} ({reason})", entry.what(app)),
                None => entry.what(app).to_owned(),
            };
            let role = reason.map_or(Role::Text, |_| Role::Dim);
            lines.push(Line::Row {
                sign: (keys, Role::Key),
                what: (what, role),
            });
        }
        lines.push(Line::Blank);
    }
    let glyphs = &app.look.glyphs;
    lines.push(Line::Heading("Marks"));
    lines.push(Line::mark(
        glyphs.trying,
        Role::Trying,
        "being tried: in the program, what would go is struck through",
    ));
    lines.push(Line::mark(
        glyphs.pinned,
        Role::Pinned,
        "pinned: it must stay",
    ));
    lines.push(Line::mark(
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
        lines.push(Line::mark(mark, role, what));
    }
    let heat = [
        (Role::Cool, "heat: the run spent little here"),
        (Role::Warm, "heat: some"),
        (Role::Hot, "heat: much"),
        (Role::Blazing, "heat: most"),
    ];
    for ((role, what), glyph) in heat.into_iter().zip(glyphs.heat) {
        lines.push(Line::mark(glyph, role, what));
    }
    lines.push(Line::mark(
        glyphs.marker,
        Role::Note,
        "in the curve: a command of yours",
    ));
    lines.push(Line::mark(
        "*",
        Role::Dim,
        "after a kind: a list, of which any element may go",
    ));
    lines
}

/// The lines on a screen of this width: what does not fit goes on below.
fn wrapped(app: &App, screen: u16) -> Vec<Line> {
    let room = usize::from(screen.min(WIDE)).saturating_sub(WHAT + 3);
    let cut = app.look.glyphs.cut;
    let mut wrapped = Vec::new();
    for line in lines(app) {
        let (mut sign, what) = match line {
            Line::Row { sign, what } => (sign, what),
            Line::Note(note) => {
                let parts = text::wrap(&note, room + WHAT - 3, usize::MAX, cut);
                wrapped.extend(parts.into_iter().map(Line::Note));
                continue;
            }
            Line::Heading(_) | Line::Blank => {
                wrapped.push(line);
                continue;
            }
        };
        for part in text::wrap(&what.0, room, usize::MAX, cut) {
            wrapped.push(Line::Row {
                sign: std::mem::replace(&mut sign, (String::new(), Role::Text)),
                what: (part, what.1),
            });
        }
    }
    wrapped
}

/// Draws the help from line `top` on; the line it did begin with, for it does not scroll beyond its end.
pub fn draw(app: &App, canvas: &mut Canvas, top: usize) -> usize {
    let lines = wrapped(app, canvas.area.width);
    let area = middle(canvas.area, WIDE, lines.len() as u16 + 2);
    let mut page = canvas.part(area);
    page.clear();
    let mut inside = page.pane("Help", &closes(app, "help"), true, super::ALONE);
    let top = top.min(lines.len().saturating_sub(inside.height()));
    for (y, line) in lines.iter().skip(top).take(inside.height()).enumerate() {
        match line {
            Line::Heading(name) => {
                inside.say(1, y, name, Role::Title);
            }
            Line::Note(note) => {
                inside.say(3, y, note, Role::Note);
            }
            Line::Row { sign, what } => {
                inside.say(3, y, &sign.0, sign.1);
                inside.say(WHAT, y, &what.0, what.1);
            }
            Line::Blank => {}
        }
    }
    top
}
