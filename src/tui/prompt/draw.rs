//! Drawing the prompt: the typed line and its completions.
//!
//! ```text
//!  ╭ Command ─────────────────────────────────────────────────────────╮
//!  │ :fol                                                             │
//!  │  fold         h       fold the node, or go to what it lies in    │
//!  │  follow       F       follow what is being tried  (already is)   │
//!  ╰──────────────────────────────────────────────────────────────────╯
//! ```

use super::completion::{CompletionItem, list_completions};
use super::line::{PromptKind, PromptLine, PromptSubject};
use crate::tui::app::App;
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::theme::Role;
use ratatui::layout::Rect;

/// The greatest number of completions at once.
const MOST_COMPLETIONS: usize = 10;

/// The greatest number of lines of what is said about the chosen completion.
const MOST_NOTE_LINES: usize = 3;

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
    let chosen = prompt.chosen.min(proposals.len().saturating_sub(1));
    let first = (chosen + 1).saturating_sub(MOST_COMPLETIONS);
    let rows = completion_rows(app, &proposals[first..first + shown]);
    let columns = CompletionColumns::of_rows(&rows, canvas.width().saturating_sub(2));
    let cut = canvas.theme.glyphs.cut;
    // The row that is chosen says all.
    let notes = |at: usize, row: &CompletionRow| match first + at == chosen {
        true => text::wrap_text(&row.note, columns.note_width, MOST_NOTE_LINES, cut),
        false => vec![text::truncate_end(&row.note, columns.note_width, cut)],
    };
    let notes: Vec<Vec<String>> = rows
        .iter()
        .enumerate()
        .map(|(at, row)| notes(at, row))
        .collect();
    let lines: usize = notes.iter().map(|note| note.len().max(1)).sum();
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
    let high = ((lines + below) as u16 + 2).min(area.height);
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
    let mut y = below;
    for (at, (row, note)) in rows.iter().zip(&notes).enumerate() {
        let role = if row.is_enabled {
            Role::Text
        } else {
            Role::Dim
        };
        let label = text::truncate_end(&row.label, columns.label_width, glyphs.cut);
        inside.draw_text(2, y, &label, role);
        let keys = text::truncate_end(&row.keys, columns.keys_width, glyphs.cut);
        inside.draw_text(columns.keys, y, &keys, Role::Key);
        let top = y;
        for line in note {
            inside.draw_text(columns.note, y, line, role);
            y += 1;
        }
        y = y.max(top + 1);
        if first + at == chosen {
            let style = inside.theme.role_style(Role::Selection);
            for y in top..y {
                inside.set_line_style(0, y, inside.width(), style);
            }
        }
    }
}

/// A completion as it is drawn.
struct CompletionRow {
    label: String,
    keys: String,
    note: String,
    is_enabled: bool,
}

fn completion_rows(app: &App, proposals: &[CompletionItem]) -> Vec<CompletionRow> {
    let row = |proposal: &CompletionItem| {
        let keys = proposal.command;
        let keys = keys.map(|entry| app.view.setup.keys.key_names(entry.name));
        CompletionRow {
            label: proposal.label.clone(),
            keys: keys
                .filter(|_| !proposal.note.is_empty())
                .unwrap_or_default(),
            note: match proposal.disabled.filter(|_| !proposal.note.is_empty()) {
                Some(reason) => format!("{} ({reason})", proposal.note),
                None => proposal.note.clone(),
            },
            is_enabled: proposal.disabled.is_none(),
        }
    };
    proposals.iter().map(row).collect()
}

/// Where the parts of the completions stand: each column is as wide as what is in it, within a limit.
struct CompletionColumns {
    label_width: usize,
    keys: usize,
    keys_width: usize,
    note: usize,
    note_width: usize,
}

impl CompletionColumns {
    fn of_rows(rows: &[CompletionRow], width: usize) -> CompletionColumns {
        const LABEL: usize = 2;
        const MOST_KEYS: usize = 13;
        const LEAST_LABEL: usize = 18;
        let widest = |part: fn(&CompletionRow) -> &str| {
            let widths = rows.iter().map(|row| text::text_width(part(row)));
            widths.max().unwrap_or(0)
        };
        let room = width.saturating_sub(LABEL);
        let most_label = match widest(|row| &row.note) {
            0 => room,
            _ => LEAST_LABEL.max(width / 4),
        };
        let label_width = widest(|row| &row.label).min(most_label);
        let keys_width = widest(|row| &row.keys).min(MOST_KEYS);
        let behind = |at: usize, width: usize| at + width + 2 * usize::from(width > 0);
        let keys = behind(LABEL, label_width);
        let note = behind(keys, keys_width);
        CompletionColumns {
            label_width,
            keys,
            keys_width,
            note,
            note_width: width.saturating_sub(note + 1),
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
