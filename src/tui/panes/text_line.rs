//! A line of a program's text: its segments cell by cell, with tabs, hidden characters, and what is scrolled out on the left.

use std::borrow::Cow;

use ratatui::style::{Modifier, Style};
use unicode_segmentation::UnicodeSegmentation;

use crate::display::{EscapeHidden, escape_prefix};
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::program_view::lines::{LineSegment, VisibleLine};
use crate::tui::theme::Role;

/// The number of cells between tab stops.
const TAB_WIDTH: usize = 4;

/// Draws a line from column `gutter` on, without its first `column_offset` cells. A cell has the style of its byte, with that of its segment over
/// it.
pub fn draw_text_line(
    canvas: &mut ClippedCanvas,
    (gutter, row): (usize, usize),
    line: &VisibleLine,
    column_offset: usize,
    byte_style: impl Fn(usize) -> Style,
    segment_style: impl Fn(&LineSegment) -> Style,
) {
    let glyphs = canvas.theme.glyphs;
    let mut x = gutter;
    let mut column = 0;
    let mut run = (String::new(), Style::new());
    for segment in &line.segments {
        let over = segment_style(segment);
        let is_blank = segment.bytes.iter().all(u8::is_ascii_whitespace) && !segment.removed;
        for (at, part) in printable_graphemes(segment.bytes, glyphs.braille) {
            let mut style = byte_style(segment.byte as usize + at).patch(over);
            if is_blank {
                // White space is not underlined.
                style = style.remove_modifier(Modifier::UNDERLINED);
            }
            if style != run.1 {
                x = canvas.draw_styled(x, row, &std::mem::take(&mut run.0), run.1);
                run.1 = style;
            }
            let shown = expand_tab(&part, column);
            let cells = text::text_width(shown);
            match column_offset.saturating_sub(column) {
                0 => run.0.push_str(shown),
                // The part is left of the visible columns, wholly or partly.
                before => run.0.push_str(&clipped_end(shown, cells, before)),
            }
            column += cells;
            if column > column_offset + canvas.width() {
                break;
            }
        }
    }
    canvas.draw_styled(x, row, &run.0, run.1);
    if column_offset > 0 && column > 0 && canvas.width() > gutter {
        // The mark stands in the last cell before the text, so it hides nothing.
        canvas.draw_text(gutter - 1, row, glyphs.before, Role::Dim);
    }
    if column > column_offset + canvas.width() - gutter.min(canvas.width()) {
        canvas.draw_text(canvas.width().saturating_sub(1), row, glyphs.cut, Role::Dim);
    }
}

/// The column behind these segments, of which the first begins at `column`, as [`draw_text_line`] draws them. `unicode` says that the terminal can draw
/// all characters.
pub fn end_column(segments: &[LineSegment], column: usize, unicode: bool) -> usize {
    let parts = segments
        .iter()
        .flat_map(|segment| printable_graphemes(segment.bytes, unicode));
    parts.fold(column, |column, (_, part)| {
        column + text::text_width(expand_tab(&part, column))
    })
}

/// A part of a text at a column: a tab as the blanks to the next tab stop.
fn expand_tab(part: &str, column: usize) -> &str {
    match part {
        "\t" => &"    "[..TAB_WIDTH - column % TAB_WIDTH],
        part => part,
    }
}

/// The displayable text of a segment, grapheme by grapheme, each with the offset of its first byte. Tabs are not expanded yet.
fn printable_graphemes(bytes: &[u8], unicode: bool) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    let mut start = 0;
    bytes.utf8_chunks().flat_map(move |chunk| {
        let (valid, invalid) = (chunk.valid(), chunk.invalid());
        let (first, after) = (start, start + valid.len());
        start = after + invalid.len();
        let parts = valid.grapheme_indices(true).map(move |(at, part)| {
            let shown = match part {
                "\t" => Cow::Borrowed(part),
                _ => escape_prefix(&valid[at..], part.len()),
            };
            let known = unicode || shown.is_ascii();
            (first + at, if known { shown } else { "?".into() })
        });
        let bytes = invalid.iter().enumerate();
        let bytes = bytes.map(move |(at, _)| (after + at, invalid[at..=at].escape_hidden()));
        parts.chain(bytes)
    })
}

/// A part without its first `before` cells.
fn clipped_end(part: &str, cells: usize, before: usize) -> String {
    match part.is_ascii() {
        true => part.get(before..).unwrap_or_default().to_owned(),
        false => " ".repeat(cells.saturating_sub(before)),
    }
}
