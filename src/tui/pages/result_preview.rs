//! What is left, on the page of the result: the program; of a pair, both programs as one text; of a sequence of choices, the program that it makes.

use std::sync::Arc;

use crate::display::escape_page;
use crate::program::{ProgramNode, walk};
use crate::reduce::RunSnapshot;
use crate::tui::drawing::text;
use crate::tui::program_view::edit_marks::EditMarks;
use crate::tui::program_view::lines;
use crate::tui::program_view::pair_alignment::{PairAlignment, SIDES};
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;

/// The greatest number of lines.
const MOST_LINES: usize = 16;

/// The greatest number of characters of a line.
const LONGEST_LINE: usize = 400;

/// The beginning of what is left, in at most `room` lines and an empty one before them; nothing if there is room for less than three.
pub fn preview_lines(view: &RunView, snapshot: &RunSnapshot, room: usize) -> Vec<(String, Role)> {
    let room = room.min(MOST_LINES);
    if room < 3 {
        return Vec::new();
    }
    let documents = snapshot.version.documents();
    let (mut shown, all) = match PairAlignment::from_version(&snapshot.version) {
        Some(aligned) => {
            let rows = aligned.unified_rows();
            let line_of = |document: usize, line| line_text(view, &documents[document].root, line);
            let shown = rows.iter().take(room).map(|row| {
                let (sign, role) = match row.changed {
                    false => (" ", Role::Common),
                    true => (SIDES[row.document].1, SIDES[row.document].2),
                };
                (
                    format!("  {sign} {}", line_of(row.document, row.line)),
                    role,
                )
            });
            (shown.collect::<Vec<_>>(), rows.len())
        }
        None => {
            let Some(document) = documents.first() else {
                return Vec::new();
            };
            if let Some(made) = made_program(view, &document.root) {
                return made_lines(view, &made, room);
            }
            let all = document.root.sums().newlines + 1;
            let shown = (0..all.min(room as u32)).map(|line| {
                let text = line_text(view, &document.root, line);
                (format!("  {text}"), Role::Kind)
            });
            (shown.collect(), all as usize)
        }
    };
    while shown.last().is_some_and(|(line, _)| line.trim().is_empty()) {
        shown.pop();
    }
    shown.insert(0, (String::new(), Role::Text));
    if all > room + 1 {
        shown.push(more_line(view, all - room));
    }
    shown
}

/// The program that a generator made of the choices of a document, if it is known.
fn made_program(view: &RunView, root: &Arc<ProgramNode>) -> Option<Arc<[u8]>> {
    view.context.program.as_ref()?;
    let memory = view.context.programs.as_ref()?;
    memory.find_program(&walk::render_text(root))
}

/// The beginning of a program that a generator made, as [`preview_lines`].
fn made_lines(view: &RunView, program: &[u8], room: usize) -> Vec<(String, Role)> {
    let all: Vec<&[u8]> = program
        .trim_ascii_end()
        .split(|byte| *byte == b'\n')
        .collect();
    let line = |bytes: &[u8]| {
        let shown = shown_text(view, &bytes[..bytes.len().min(LONGEST_LINE)]);
        (format!("  {shown}"), Role::Kind)
    };
    let mut shown = vec![(String::new(), Role::Text)];
    shown.extend(all.iter().take(room).map(|bytes| line(bytes)));
    if all.len() > room {
        shown.push(more_line(view, all.len() - room));
    }
    shown
}

/// The line for so many lines that are not shown.
fn more_line(view: &RunView, more: usize) -> (String, Role) {
    let lines = text::format_count(more as u64, "line");
    let cut = view.theme.glyphs.cut;
    (format!("  {cut} {lines} more"), Role::Dim)
}

/// A line of a document, as the screen can show it.
fn line_text(view: &RunView, root: &Arc<ProgramNode>, line: u32) -> String {
    let marks = EditMarks::default();
    let visible = lines::visible_lines(root, &marks, None, line, 1, LONGEST_LINE);
    let bytes = visible.first().map(|line| line.collect_bytes());
    shown_text(view, &bytes.unwrap_or_default())
}

/// A line, as the screen can show it.
fn shown_text(view: &RunView, bytes: &[u8]) -> String {
    let text = escape_page(bytes).into_owned();
    let text = text::displayable_line(&text, view.theme.glyphs.braille);
    text.trim_end().to_owned()
}
