//! The program: its visible lines, coloured by the parser's own tree, with what the candidate lacks struck through.
//!
//! ```text
//!  ╭ Program ───────────── 163 of 6,291 tokens ╮
//!  │   1  int g_147;                           │
//!  │⟳  2  if (g_147) { … }                     │   struck through: it would go
//!  │   3  return 0;                            │   underlaid: it is selected in the tree
//! ```

use std::borrow::Cow;
use std::ops::Range;
use std::time::Instant;

use ratatui::style::{Modifier, Style};
use unicode_segmentation::UnicodeSegmentation;

use crate::display::{EscapeHidden, escape_prefix};
use crate::program::{NodeId, Version};
use crate::tui::app::{App, FLASH, PaneKind};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::program_view::lines::{self, LineSegment, VisibleLine};
use crate::tui::program_view::selection;
use crate::tui::theme::{ResolvedTheme, Role};

/// Cells between tab stops.
const TAB: usize = 4;

/// The colours of the visible text, kept until the program or the visible part of it changes.
#[derive(Debug, Default)]
pub struct HighlightCache {
    /// The version, the document and the bytes that `runs` are of.
    key: Option<(u64, usize, Range<usize>)>,
    runs: Vec<(Range<usize>, Style)>,
}

impl HighlightCache {
    fn update_highlights(
        &mut self,
        look: &ResolvedTheme,
        number: u64,
        version: &Version,
        index: usize,
        range: Range<usize>,
    ) {
        let document = &version.documents()[index];
        let tree = version.parse_trees().get(index).and_then(Option::as_ref);
        let (Some(language), Some(tree)) = (document.language, tree) else {
            (self.key, self.runs) = (None, Vec::new());
            return;
        };
        let of = Some((number, index, range.clone()));
        if self.key != of {
            let bytes = |range| lines::bytes_in_range(&document.root, range);
            let found = language.highlight_range(tree, &bytes, range);
            let style = |(range, capture): (_, &str)| (range, look.syntax.capture_style(capture));
            self.runs = found.into_iter().map(style).collect();
            self.key = of;
        }
    }

    fn style_at(&self, byte: usize) -> Style {
        let after = self.runs.partition_point(|(range, _)| range.end <= byte);
        self.runs
            .get(after)
            .filter(|(range, _)| range.contains(&byte))
            .map_or(Style::new(), |(_, style)| *style)
    }
}

/// Draws the program with its frame.
pub fn draw_program_pane(
    app: &mut App,
    canvas: &mut ClippedCanvas,
    now: Instant,
    edges: PaneEdges,
) {
    let Some(snapshot) = app.snapshot.clone() else {
        return;
    };
    let (left, whole) = (snapshot.version.token_count(), snapshot.original.0);
    let size = format!(
        "{} of {}",
        text::format_number(left.into()),
        text::format_count(whole.into(), "token")
    );
    let documents = snapshot.version.documents();
    let title = match (documents, shown_document(app, &snapshot.version)) {
        ([_, _, ..], index) => format!(
            "Program {} {}",
            app.theme.glyphs.inside,
            documents[index].path.escape_hidden()
        ),
        _ => "Program".to_owned(),
    };
    let focused = app.focused_pane() == PaneKind::Program;
    let mut inside = canvas.draw_pane_frame(&title, &size, focused, edges);
    draw_program_text(app, &mut inside, now);
}

/// The document that is shown: the one with the selection.
fn shown_document(app: &App, version: &Version) -> usize {
    app.selected
        .and_then(|selected| version.path_to(selected))
        .map_or(0, |trail| trail.document)
}

/// Draws the visible lines, without a frame.
pub fn draw_program_text(app: &mut App, canvas: &mut ClippedCanvas, now: Instant) {
    let Some(snapshot) = app.snapshot.clone() else {
        return;
    };
    let version = &snapshot.version;
    let index = shown_document(app, version);
    let Some(document) = version.documents().get(index) else {
        return;
    };
    let root = &document.root;
    let count = root.sums.newlines as usize + 1;
    app.cursor_line = app.cursor_line.min(root.sums.newlines);
    app.program_scroll
        .scroll_to(app.cursor_line as usize, count, canvas.height());
    let first = app.program_scroll.top;
    // Characters are at most four bytes, so this many bytes fill the line.
    let bytes = 4 * (app.column_offset + canvas.width()) + 16;
    // With everything selected nothing stands out.
    let all = |id: NodeId| {
        version
            .find_node(id)
            .is_none_or(|node| node.sums.tokens == root.sums.tokens)
    };
    let selected = app.selected.filter(|selected| !all(*selected));
    let lines = lines::visible_lines(
        root,
        &app.edit_marks,
        selected,
        first as u32,
        canvas.height(),
        bytes,
    );
    let ends = |stretch: &LineSegment| stretch.byte as usize + stretch.bytes.len();
    let start = lines
        .iter()
        .find_map(|line| line.segments.first())
        .map_or(0, |stretch| stretch.byte as usize);
    let end = lines
        .iter()
        .rev()
        .find_map(|line| line.segments.last())
        .map_or(start, ends);
    app.highlights
        .update_highlights(&app.theme, snapshot.number, version, index, start..end);
    let digits = count.to_string().len().max(3);
    let changed = app.changed_node.filter(|(_, since)| now < *since + FLASH);
    let changed = changed
        .and_then(|(node, _)| version.path_to(node))
        .filter(|trail| trail.document == index)
        .map(|trail| selection::first_line(&trail) as usize);
    for (row, line) in lines.iter().enumerate() {
        // What follows the last line end is a line only if there is something.
        let ended = first + row + 1 == count && count > 1;
        if ended && line.segments.is_empty() && first + row != app.cursor_line as usize {
            break;
        }
        draw_program_line(app, canvas, row, first + row, digits, line);
        if changed == Some(first + row) {
            let style = canvas.theme.role_style(Role::Changed);
            canvas.set_line_style(0, row, digits + 2, style);
        }
    }
}

fn draw_program_line(
    app: &App,
    canvas: &mut ClippedCanvas,
    row: usize,
    number: usize,
    digits: usize,
    line: &VisibleLine,
) {
    let look = &app.theme;
    if line.removed {
        canvas.draw_text(0, row, look.glyphs.trying, Role::Trying);
    } else if line.pinned {
        canvas.draw_text(0, row, look.glyphs.pinned, Role::Pinned);
    }
    let here = number == app.cursor_line as usize && app.focused_pane() == PaneKind::Program;
    let role = if here { Role::Focus } else { Role::Dim };
    let mut x = canvas.draw_text(1, row, &format!("{:>digits$}", number + 1), role);
    x += if canvas.width() > 30 { 2 } else { 1 };
    let gutter = x;
    let mut column = 0;
    let mut run = (String::new(), Style::new());
    for stretch in &line.segments {
        let base = overlay_style(app, stretch);
        for (at, part) in printable_graphemes(stretch.bytes, look.glyphs.braille) {
            let style = segment_style(app, stretch, &base, stretch.byte as usize + at);
            if style != run.1 {
                x = canvas.draw_styled(x, row, &std::mem::take(&mut run.0), run.1);
                run.1 = style;
            }
            let blank = TAB - column % TAB;
            let shown = match &*part {
                "\t" => &"    "[..blank],
                part => part,
            };
            let cells = text::text_width(shown);
            match app.column_offset.saturating_sub(column) {
                0 => run.0.push_str(shown),
                // Left of what is shown of the line, or half of it.
                before => run.0.push_str(&clipped_end(shown, cells, before)),
            }
            column += cells;
            if column > app.column_offset + canvas.width() {
                break;
            }
        }
    }
    canvas.draw_styled(x, row, &run.0, run.1);
    if app.column_offset > 0 && column > 0 && canvas.width() > gutter {
        // In the last cell before the text: it hides none of it.
        canvas.draw_text(gutter - 1, row, look.glyphs.before, Role::Dim);
    }
    if column > app.column_offset + canvas.width() - gutter.min(canvas.width()) {
        canvas.draw_text(canvas.width() - 1, row, look.glyphs.cut, Role::Dim);
    }
}

/// What is shown of a stretch, from character to character, each with the place of its first byte. A tab is one still.
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

/// The end of a part without its first cells.
fn clipped_end(part: &str, cells: usize, before: usize) -> String {
    match part.is_ascii() {
        true => part.get(before..).unwrap_or_default().to_owned(),
        false => " ".repeat(cells.saturating_sub(before)),
    }
}

/// What is laid over the colours of a stretch.
fn overlay_style(app: &App, stretch: &LineSegment) -> Style {
    let look = &app.theme;
    let mut style = Style::new();
    if stretch.selected {
        style = style.patch(look.role_style(Role::Linked));
    }
    let search = app.search.as_ref();
    if search.is_some_and(|search| search.query.matches_text(stretch.bytes)) {
        style = style.patch(look.role_style(Role::Match));
    }
    if stretch.removed {
        style = style.patch(look.role_style(Role::Deleted));
    }
    style
}

fn segment_style(app: &App, stretch: &LineSegment, base: &Style, byte: usize) -> Style {
    let text = app
        .theme
        .role_style(Role::Text)
        .patch(app.highlights.style_at(byte));
    let style = text.patch(*base);
    // A line under or through white space is noise.
    if stretch.bytes.iter().all(u8::is_ascii_whitespace) && !stretch.removed {
        return style.remove_modifier(Modifier::UNDERLINED);
    }
    style
}
