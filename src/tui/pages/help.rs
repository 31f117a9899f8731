//! The help: every command of the table, then the marks.

use super::{centered_rect, close_hint};
use crate::oracle::Verdict;
use crate::tui::app::{App, OverlayPage};
use crate::tui::commands::{COMMANDS, KeyContext, not_steerable};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::panes::verdict_mark;
use crate::tui::theme::Role;

/// A line of the help.
enum HelpLine {
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

impl HelpLine {
    fn mark_row(sign: &str, role: Role, what: &str) -> HelpLine {
        HelpLine::Row {
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
fn ordered_contexts(app: &App) -> Vec<KeyContext> {
    let focus = app.focused_pane();
    let mut places = KeyContext::ALL.to_vec();
    places.retain(|place| COMMANDS.iter().any(|entry| entry.context == *place));
    places.retain(|place| place.is_available(app));
    let mut pages = app.layers.iter().rev();
    match pages.find(|layer| !matches!(layer, OverlayPage::Help(_))) {
        None => {
            places.sort_by_key(|place| *place == KeyContext::Panes || !place.includes_pane(focus))
        }
        // What is of this page alone goes before what is of all pages.
        page => places.sort_by_key(|place| match place {
            KeyContext::Everywhere => 2,
            place if !place.is_active_in(page, focus) => 3,
            KeyContext::Property => 0,
            _ => 1,
        }),
    }
    places
}

fn help_lines(app: &App) -> Vec<HelpLine> {
    let mut lines = Vec::new();
    for place in ordered_contexts(app) {
        lines.push(HelpLine::Heading(place.name()));
        let entries = COMMANDS.iter().filter(|entry| entry.context == place);
        // What is true of them all is said once.
        let all = not_steerable(app);
        if let Some(reason) =
            all.filter(|_| entries.clone().any(|entry| (entry.disabled)(app) == all))
        {
            lines.push(HelpLine::Note(format!("grey: {reason}")));
        }
        for entry in entries {
            let keys = app.setup.keys.key_names(entry);
            let reason = (entry.disabled)(app);
            let what = match reason.filter(|_| reason != all) {
                Some(reason) => format!("{} ({reason})", entry.description_for(app)),
                None => entry.description_for(app).to_owned(),
            };
            let role = reason.map_or(Role::Text, |_| Role::Dim);
            lines.push(HelpLine::Row {
                sign: (keys, Role::Key),
                what: (what, role),
            });
        }
        lines.push(HelpLine::Blank);
    }
    let glyphs = &app.theme.glyphs;
    lines.push(HelpLine::Heading("Marks"));
    lines.push(HelpLine::mark_row(
        glyphs.trying,
        Role::Trying,
        "being tried: in the program, what would go is struck through",
    ));
    lines.push(HelpLine::mark_row(
        glyphs.pinned,
        Role::Pinned,
        "pinned: it must stay",
    ));
    lines.push(HelpLine::mark_row(
        glyphs.partly,
        Role::Pinned,
        "something in it must stay",
    ));
    let verdicts = [
        (
            Verdict::Interesting,
            "interesting: the test passed, the edit is good",
        ),
        (
            Verdict::Uninteresting,
            "uninteresting: the test failed, the program stays as it is",
        ),
        (
            Verdict::Invalid,
            "invalid: the test said 125, the candidate says nothing",
        ),
        (
            Verdict::TimedOut,
            "timed out: the test was killed at its limit",
        ),
    ];
    for (ending, what) in verdicts {
        let (mark, role) = verdict_mark(ending, glyphs);
        lines.push(HelpLine::mark_row(mark, role, what));
    }
    let heat = [
        (Role::Cool, "heat: the run spent little here"),
        (Role::Warm, "heat: some"),
        (Role::Hot, "heat: much"),
        (Role::Blazing, "heat: most"),
    ];
    for ((role, what), glyph) in heat.into_iter().zip(glyphs.heat) {
        lines.push(HelpLine::mark_row(glyph, role, what));
    }
    lines.push(HelpLine::mark_row(
        glyphs.marker,
        Role::Note,
        "in the curve: a command of yours",
    ));
    lines.push(HelpLine::mark_row(
        "*",
        Role::Dim,
        "after a kind: a list, of which any element may go",
    ));
    lines
}

/// The lines on a screen of this width: what does not fit goes on below.
fn wrapped_lines(app: &App, screen: u16) -> Vec<HelpLine> {
    let room = usize::from(screen.min(WIDE)).saturating_sub(WHAT + 3);
    let cut = app.theme.glyphs.cut;
    let mut wrapped = Vec::new();
    for line in help_lines(app) {
        let (mut sign, what) = match line {
            HelpLine::Row { sign, what } => (sign, what),
            HelpLine::Note(note) => {
                let parts = text::wrap_text(&note, room + WHAT - 3, usize::MAX, cut);
                wrapped.extend(parts.into_iter().map(HelpLine::Note));
                continue;
            }
            HelpLine::Heading(_) | HelpLine::Blank => {
                wrapped.push(line);
                continue;
            }
        };
        for part in text::wrap_text(&what.0, room, usize::MAX, cut) {
            wrapped.push(HelpLine::Row {
                sign: std::mem::replace(&mut sign, (String::new(), Role::Text)),
                what: (part, what.1),
            });
        }
    }
    wrapped
}

/// Draws the help from line `top` on; the line it did begin with, for it does not scroll beyond its end.
pub fn draw_help_page(app: &App, canvas: &mut ClippedCanvas, top: usize) -> usize {
    let lines = wrapped_lines(app, canvas.area.width);
    let area = centered_rect(canvas.area, WIDE, lines.len() as u16 + 2);
    let mut page = canvas.sub_canvas(area);
    page.clear();
    let mut inside = page.draw_pane_frame("Help", &close_hint(app, "help"), true, PaneEdges::ALONE);
    let top = top.min(lines.len().saturating_sub(inside.height()));
    for (y, line) in lines.iter().skip(top).take(inside.height()).enumerate() {
        match line {
            HelpLine::Heading(name) => {
                inside.draw_text(1, y, name, Role::Title);
            }
            HelpLine::Note(note) => {
                inside.draw_text(3, y, note, Role::Note);
            }
            HelpLine::Row { sign, what } => {
                inside.draw_text(3, y, &sign.0, sign.1);
                inside.draw_text(WHAT, y, &what.0, what.1);
            }
            HelpLine::Blank => {}
        }
    }
    top
}
