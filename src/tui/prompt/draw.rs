//! Drawing the prompt: the typed line and its completions.
//!
//! ```text
//!  ╭ Command ─────────────────────────────────────────────────────────╮
//!  │ :fol                                                             │
//!  │  fold         h       fold the node, or go to what it lies in    │
//!  │  follow       F       follow what is being tried  (already is)   │
//!  ╰──────────────────────────────────────────────────────────────────╯
//! ```

use super::completion::list_completions;
use super::line::{PromptKind, PromptLine, PromptSubject};
use crate::tui::app::App;
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::theme::Role;
use ratatui::layout::Rect;

/// The greatest number of completions at once.
const MOST_COMPLETIONS: usize = 10;

/// The greatest number of lines of an error.
const MOST_ERROR_LINES: usize = 4;

/// Draws the prompt, if it is open, at the bottom of the screen.
pub fn draw_prompt(app: &App, canvas: &mut ClippedCanvas) {
    let Some(prompt) = &app.prompt else {
        return;
    };
    let area = canvas.area;
    let proposals = match prompt.kind {
        PromptKind::Command => list_completions(app, &prompt.line),
        PromptKind::Search => Vec::new(),
    };
    let shown = proposals.len().min(MOST_COMPLETIONS);
    let mistake = app.status_message.as_deref().unwrap_or_default();
    let glyphs = canvas.theme.glyphs;
    let mistake = text::displayable_line(mistake, glyphs.braille);
    let mistake = text::wrap_text(
        &mistake,
        canvas.width().saturating_sub(4),
        MOST_ERROR_LINES,
        glyphs.cut,
    );
    let below = mistake.len() + 1;
    let high = ((shown + below) as u16 + 2).min(area.height);
    let mut page = canvas.sub_canvas(Rect {
        y: area.y + area.height - high,
        height: high,
        ..area
    });
    page.clear();
    let (title, right) = match prompt.kind {
        PromptKind::Command => {
            let title = match &prompt.subject {
                PromptSubject::Anything => "Command".to_owned(),
                PromptSubject::Undo(menu) => menu.title.clone(),
                PromptSubject::Steering(change) => change.title(),
            };
            let hints = prompt_key_hints(app, page.width(), &title);
            (title, hints)
        }
        PromptKind::Search => (
            "Search".to_owned(),
            "kind:WORD or text:WORD for one of them, enter searches".into(),
        ),
    };
    let right = text::displayable_line(&right, page.theme.glyphs.braille);
    let title = text::displayable_line(&title, page.theme.glyphs.braille);
    let mut inside = page.draw_pane_frame(&title, &right, true, PaneEdges::ALONE);
    draw_prompt_line(prompt, &mut inside);
    for (y, line) in mistake.iter().enumerate() {
        inside.draw_text(1, y + 1, line, Role::Failed);
    }
    let chosen = prompt.chosen.min(proposals.len().saturating_sub(1));
    let first = (chosen + 1).saturating_sub(MOST_COMPLETIONS);
    for (y, at) in (first..proposals.len()).take(shown).enumerate() {
        let proposal = &proposals[at];
        let glyphs = inside.theme.glyphs;
        let enabled = proposal.disabled.is_none();
        let role = if enabled { Role::Text } else { Role::Dim };
        let room = if proposal.note.is_empty() {
            inside.width()
        } else {
            18
        };
        inside.draw_text(
            2,
            y + below,
            &text::truncate_end(&proposal.label, room, glyphs.cut),
            role,
        );
        if !proposal.note.is_empty() {
            let keys = proposal
                .command
                .map(|entry| app.view.setup.keys.key_names(entry.name));
            let keys = keys.unwrap_or_default();
            inside.draw_text(
                21,
                y + below,
                &text::truncate_end(&keys, 13, glyphs.cut),
                Role::Key,
            );
            let note = match proposal.disabled {
                Some(reason) => format!("{} ({reason})", proposal.note),
                None => proposal.note.clone(),
            };
            let room = inside.width().saturating_sub(36);
            inside.draw_text(
                35,
                y + below,
                &text::truncate_end(&note, room, glyphs.cut),
                role,
            );
        }
        if at == chosen {
            let style = inside.theme.role_style(Role::Selection);
            inside.set_line_style(0, y + below, inside.width(), style);
        }
    }
}

/// The keys of a prompt for a command. A narrow screen leaves out the enter key.
fn prompt_key_hints(app: &App, width: usize, title: &str) -> String {
    let title = text::text_width(title) + 13;
    let keys = &app.view.setup.keys;
    let choose = ["previous-proposal", "next-proposal"].map(|name| keys.first_key_name(name));
    let choose = format!("{} choose", choose.join("/"));
    let ways = [
        keys.describe_keys(&[("accept", "does it")]),
        keys.describe_keys(&[("complete", "completes"), ("cancel", "closes")]),
    ];
    let all = [&choose[..], &ways[0], &ways[1]].join(", ");
    let short = format!("{choose}, {}", ways[1]);
    let fits = |hints: &String| text::text_width(hints) + title <= width;
    [all, short, choose]
        .into_iter()
        .find(fits)
        .unwrap_or_default()
}

/// Draws the line with its cursor. A long line is scrolled so that the cursor is visible.
fn draw_prompt_line(prompt: &PromptLine, inside: &mut ClippedCanvas) {
    let sign = match prompt.kind {
        PromptKind::Command => ":",
        PromptKind::Search => "/",
    };
    let x = inside.draw_text(1, 0, sign, Role::Key);
    draw_typed_text(prompt, (x, 0), inside);
}

/// Draws a typed line with its cursor, from this cell to the end of the canvas.
pub fn draw_typed_text(prompt: &PromptLine, (x, y): (usize, usize), canvas: &mut ClippedCanvas) {
    let unicode = canvas.theme.glyphs.braille;
    let (before, after) = prompt.line.split_at(prompt.cursor);
    let (before, after) = (
        text::displayable_line(before, unicode),
        text::displayable_line(after, unicode),
    );
    let room = canvas.width().saturating_sub(x + 2);
    let mut start = 0;
    while text::text_width(&before[start..]) > room {
        start += before[start..].chars().next().map_or(1, char::len_utf8);
    }
    let x = canvas.draw_text(x, y, &before[start..], Role::Text);
    canvas.draw_text(x, y, &after, Role::Text);
    let style = canvas.theme.role_style(Role::Selection);
    canvas.set_line_style(x, y, 1, style);
}
