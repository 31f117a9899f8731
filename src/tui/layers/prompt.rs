//! What is typed, and what it could become.
//!
//! ```text
//!  ╭ Command ─────────────────────────────────────────────────────────╮
//!  │ :fol                                                             │
//!  │  fold         h       fold the node, or go to what it lies in    │
//!  │  follow       F       follow what is being tried  (already is)   │
//!  ╰──────────────────────────────────────────────────────────────────╯
//! ```

use super::super::app::App;
use super::super::canvas::Canvas;
use super::super::prompt::{self, Kind, Prompt};
use super::super::text;
use super::super::theme::Role;
use ratatui::layout::Rect;

/// How many proposals are shown at once.
const SHOWN: usize = 10;

/// How many lines a mistake has at most.
const MISTAKE: usize = 4;

/// Draws the prompt, if there is one: at the bottom, where the hints are.
pub fn draw(app: &App, canvas: &mut Canvas) {
    let Some(prompt) = &app.prompt else {
        return;
    };
    let area = canvas.area;
    let proposals = match prompt.kind {
        Kind::Command => prompt::proposals(app, &prompt.line),
        Kind::Search => Vec::new(),
    };
    let shown = proposals.len().min(SHOWN);
    let mistake = app.said.as_deref().unwrap_or_default();
    let glyphs = canvas.look.glyphs;
    let mistake = text::safe(mistake, glyphs.braille);
    let mistake = text::wrap(
        &mistake,
        canvas.width().saturating_sub(4),
        MISTAKE,
        glyphs.cut,
    );
    let below = mistake.len() + 1;
    let high = ((shown + below) as u16 + 2).min(area.height);
    let mut page = canvas.part(Rect {
        y: area.y + area.height - high,
        height: high,
        ..area
    });
    page.clear();
    let (title, right) = match prompt.kind {
        Kind::Command => ("Command", ways(app, page.width())),
        Kind::Search => (
            "Search",
            "kind:WORD or text:WORD for one of them, enter looks".into(),
        ),
    };
    let right = text::safe(&right, page.look.glyphs.braille);
    let mut inside = page.pane(title, &right, true, super::ALONE);
    line(prompt, &mut inside);
    for (y, line) in mistake.iter().enumerate() {
        inside.say(1, y + 1, line, Role::Failed);
    }
    let chosen = prompt.chosen.min(proposals.len().saturating_sub(1));
    let first = (chosen + 1).saturating_sub(SHOWN);
    for (y, at) in (first..proposals.len()).take(shown).enumerate() {
        let proposal = &proposals[at];
        let glyphs = inside.look.glyphs;
        let enabled = proposal.disabled.is_none();
        let role = if enabled { Role::Text } else { Role::Dim };
        let room = if proposal.note.is_empty() {
            inside.width()
        } else {
            18
        };
        inside.say(
            2,
            y + below,
            &text::cut_end(&proposal.label, room, glyphs.cut),
            role,
        );
        if !proposal.note.is_empty() {
            let keys = proposal.entry.map(|entry| app.setup.keys.words(entry));
            let keys = keys.unwrap_or_default();
            inside.say(
                21,
                y + below,
                &text::cut_end(&keys, 13, glyphs.cut),
                Role::Key,
            );
            let note = match proposal.disabled {
                Some(reason) => format!("{} ({reason})", proposal.note),
                None => proposal.note.clone(),
            };
            let room = inside.width().saturating_sub(36);
            inside.say(35, y + below, &text::cut_end(&note, room, glyphs.cut), role);
        }
        if at == chosen {
            let style = inside.look.of(Role::Selection);
            inside.tint(0, y + below, inside.width(), style);
        }
    }
}

/// What keys do in a prompt for a command, on a screen of this width: that enter does it goes without saying where there is no room.
fn ways(app: &App, width: usize) -> String {
    const TITLE: usize = 20;
    let keys = &app.setup.keys;
    let choose = ["previous-proposal", "next-proposal"].map(|name| keys.first(name));
    let choose = format!("{} choose", choose.join("/"));
    let ways = [
        keys.ways(&[("accept", "does it")]),
        keys.ways(&[("complete", "completes"), ("cancel", "closes")]),
    ];
    let all = [&choose[..], &ways[0], &ways[1]].join(", ");
    match text::width(&all) + TITLE <= width {
        true => all,
        false => format!("{choose}, {}", ways[1]),
    }
}

/// The line with its cursor. A line that is too long is shown from where its end can be seen.
fn line(prompt: &Prompt, inside: &mut Canvas) {
    let sign = match prompt.kind {
        Kind::Command => ":",
        Kind::Search => "/",
    };
    let unicode = inside.look.glyphs.braille;
    let (before, after) = prompt.line.split_at(prompt.cursor);
    let (before, after) = (text::safe(before, unicode), text::safe(after, unicode));
    let room = inside.width().saturating_sub(4);
    let mut start = 0;
    while text::width(&before[start..]) > room {
        start += before[start..].chars().next().map_or(1, char::len_utf8);
    }
    let x = inside.say(1, 0, sign, Role::Key);
    let x = inside.say(x, 0, &before[start..], Role::Text);
    inside.say(x, 0, &after, Role::Text);
    let style = inside.look.of(Role::Selection);
    inside.tint(x, 0, 1, style);
}
