//! The program: its visible lines, coloured by the parse tree, with what the candidate removes struck through.
//!
//! ```text
//!  ╭ Program ───────────── 163 of 6,291 tokens ╮
//!  │   1  int g_147;                           │
//!  │⟳  2  if (g_147) { … }                     │   struck through: the candidate removes it
//!  │   3  return 0;                            │   background: it is selected in the tree
//! ```

use std::ops::Range;
use std::sync::Arc;

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::layout::PaneKind;
use super::pane_action::{PaneAction, step_index};
use super::pane_context::PaneContext;
use super::program_highlights::{ProgramHighlights, ShownText};
use super::scroll::ScrollState;
use super::text_line::{draw_text_line, end_column};
use super::text_moves::{go_to_near_node, offset_showing, scroll_sideways};
use crate::display::EscapeHidden;
use crate::program::{NodeId, ProgramNode, Version};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::highlighting::{HighlightRequest, HighlightedLines};
use crate::tui::program_view::edit_marks::EditMarks;
use crate::tui::program_view::heat::HeatMap;
use crate::tui::program_view::lines::{self, LineSegment, VisibleLine};
use crate::tui::program_view::minimap::{minimap_rows, steered_lines};
use crate::tui::program_view::node_selection::NodeSelection;
use crate::tui::program_view::selection::first_line;
use crate::tui::program_view::steering::rule_mark;
use crate::tui::theme::Role;

/// The state of the pane.
#[derive(Debug, Default)]
pub struct ProgramPane {
    /// The lines that are visible.
    pub scroll: ScrollState,
    /// The number of cells that are scrolled out on the left.
    pub column_offset: usize,
    highlights: ProgramHighlights,
}

impl ProgramPane {
    /// Drops the colours, after a change of the theme.
    pub fn forget_highlights(&mut self) {
        self.highlights.forget_styles();
    }

    /// What the last frame needs to know of colours that no tree says.
    pub fn take_highlight_request(&mut self) -> Option<HighlightRequest> {
        self.highlights.take_request()
    }

    /// Takes the colours of lines.
    pub fn apply_highlights(&mut self, lines: HighlightedLines) {
        self.highlights.apply_lines(lines);
    }

    /// Moves by lines, by nodes, or sideways.
    pub fn navigate(
        &mut self,
        selection: &mut NodeSelection,
        version: &Version,
        action: PaneAction,
    ) {
        if !scroll_sideways(&mut self.column_offset, action) {
            self.navigate_lines(selection, version, action);
        }
    }

    fn navigate_lines(
        &mut self,
        selection: &mut NodeSelection,
        version: &Version,
        action: PaneAction,
    ) {
        let Some(path) = selection.selected_path(version) else {
            return;
        };
        if go_to_near_node(&mut self.column_offset, selection, version, &path, action) {
            return;
        }
        let last = lines::last_line(&version.documents()[path.document].root);
        let line = step_index(selection.line as usize, action, self.scroll.page_length());
        selection.select_line(version, path.document, line.min(last as usize) as u32);
    }

    /// Selects the program line on a line of the pane.
    pub fn select_line(&self, selection: &mut NodeSelection, version: &Version, line: usize) {
        let document = selection.shown_document(version);
        let last = lines::last_line(&version.documents()[document].root);
        let line = (self.scroll.top + line) as u32;
        selection.select_line(version, document, line.min(last));
    }

    /// Draws the program with its frame.
    pub fn draw_pane(
        &mut self,
        context: &PaneContext,
        selection: &mut NodeSelection,
        heat: &HeatMap,
        canvas: &mut ClippedCanvas,
        edges: PaneEdges,
    ) {
        let Some(snapshot) = &context.view.snapshot else {
            return;
        };
        let shown = selection.shown_document(&snapshot.version);
        let size = match context.view.is_pair() {
            true => {
                let document = snapshot.version.documents().get(shown);
                let tokens = document.map_or(0, |document| document.root.sums().tokens);
                text::format_count(tokens.into(), "token")
            }
            // The headline has the sizes.
            false => String::new(),
        };
        let documents = snapshot.version.documents();
        let title = match (documents, shown) {
            ([_, _, ..], index) => format!(
                "Program {} {}",
                context.view.theme.glyphs.inside,
                documents[index].path.escape_hidden()
            ),
            _ => "Program".to_owned(),
        };
        let focused = context.focus == PaneKind::Program;
        let mut inside = canvas.draw_pane_frame(&title, &size, focused, edges);
        let area = inside.area;
        let width = area.width.saturating_sub(MINIMAP_WIDTH);
        self.draw_text(
            context,
            selection,
            &mut inside.sub_canvas(Rect { width, ..area }),
        );
        let column = Rect {
            x: area.x + width,
            width: area.width - width,
            ..area
        };
        draw_minimap(context, shown, heat, &mut inside.sub_canvas(column));
    }

    /// Draws the visible lines, without a frame.
    pub fn draw_text(
        &mut self,
        context: &PaneContext,
        selection: &mut NodeSelection,
        canvas: &mut ClippedCanvas,
    ) {
        let Some(snapshot) = &context.view.snapshot else {
            return;
        };
        let version = &snapshot.version;
        let index = selection.shown_document(version);
        let Some(document) = version.documents().get(index) else {
            return;
        };
        selection.line = selection.line.min(document.root.sums().newlines);
        let line_number = selection.line as usize;
        let is_current = |line| line == line_number && context.focus == PaneKind::Program;
        let root = &document.root;
        let count = root.sums().newlines as usize + 1;
        self.scroll.scroll_to_followed(
            selection.line as usize,
            count,
            canvas.height(),
            selection.follow,
        );
        let first = self.scroll.top;
        let digits = count.to_string().len().max(3);
        if selection.follow {
            let gutter = gutter_width(digits, canvas);
            let room = canvas.width().saturating_sub(gutter);
            let rows = first as u32..(first + canvas.height()) as u32;
            let marks = &context.view.edit_marks;
            let braille = canvas.theme.glyphs.braille;
            let tried = tried_columns(root, marks, rows, selection.line, braille);
            self.column_offset = tried.map_or(0, |tried| offset_showing(tried, room));
        }
        // A character has at most four bytes, so this many bytes fill a line.
        let bytes = 4 * (self.column_offset + canvas.width()) + 16;
        // A selection of the whole program is not highlighted.
        let is_whole = |id: NodeId| {
            version
                .find_node(id)
                .is_none_or(|node| node.sums().tokens == root.sums().tokens)
        };
        let selected = selection.node.filter(|selected| !is_whole(*selected));
        let lines = lines::visible_lines(
            root,
            &context.view.edit_marks,
            selected,
            first as u32,
            canvas.height(),
            bytes,
        );
        let ends = |segment: &LineSegment| segment.byte as usize + segment.bytes.len();
        let start = lines
            .iter()
            .find_map(|line| line.segments.first())
            .map_or(0, |segment| segment.byte as usize);
        let end = lines
            .iter()
            .rev()
            .find_map(|line| line.segments.last())
            .map_or(start, ends);
        let shown = ShownText {
            number: snapshot.number,
            version,
            document: index,
            first_line: first as u32,
            lines: &lines,
            cut: bytes,
            range: start..end,
        };
        let is_link = context.view.context.links.contains(&index);
        self.highlights
            .update_highlights(&context.view.theme, &shown, is_link);
        let changed = context
            .view
            .flashing_node(context.now)
            .and_then(|node| version.path_to(node))
            .filter(|path| path.document == index)
            .map(|path| first_line(&path) as usize);
        let steered = steered_lines(&snapshot.constraints, root);
        for (row, line) in lines.iter().enumerate() {
            // An empty text after the last line end is not a line.
            let ended = first + row + 1 == count && count > 1;
            if ended && line.segments.is_empty() && first + row != selection.line as usize {
                break;
            }
            self.draw_line(
                context,
                canvas,
                (row, first + row, digits),
                line,
                is_current(first + row),
            );
            let number = (first + row) as u32;
            let on_line = |(_, from, to): &&(_, u32, u32)| (*from..=*to).contains(&number);
            let rule = steered.iter().rev().find(on_line);
            if let Some((rule, ..)) = rule.filter(|_| !line.removed && !line.pinned) {
                let (mark, role) = rule_mark(*rule, &canvas.theme.glyphs);
                canvas.draw_text(0, row, mark, role);
            }
            if changed == Some(first + row) {
                let style = canvas.theme.role_style(Role::Changed);
                canvas.set_line_style(0, row, digits + 2, style);
            }
        }
    }

    fn draw_line(
        &self,
        context: &PaneContext,
        canvas: &mut ClippedCanvas,
        (row, number, digits): (usize, usize, usize),
        line: &VisibleLine,
        current: bool,
    ) {
        let theme = &context.view.theme;
        if line.removed {
            canvas.draw_text(0, row, theme.glyphs.trying, Role::Trying);
        } else if line.pinned {
            canvas.draw_text(0, row, theme.glyphs.pinned, Role::Pinned);
        }
        let role = if current { Role::Focus } else { Role::Dim };
        let x = canvas.draw_text(1, row, &format!("{:>digits$}", number + 1), role);
        debug_assert!(x < gutter_width(digits, canvas));
        let gutter = gutter_width(digits, canvas);
        let text = theme.role_style(Role::Text);
        draw_text_line(
            canvas,
            (gutter, row),
            line,
            self.column_offset,
            |byte| text.patch(self.highlights.style_at(byte)),
            |segment| overlay_style(context, segment),
        );
    }
}

/// How many bytes of a line are looked at for what is tried.
const MOST_TRIED_BYTES: usize = 4096;

/// The cells before the text of a line: a mark, the number in so many digits, and blanks.
fn gutter_width(digits: usize, canvas: &ClippedCanvas) -> usize {
    1 + digits + if canvas.width() > 30 { 2 } else { 1 }
}

/// The columns of the first part that the candidate removes on these lines: from line `from` on, else before it.
fn tried_columns(
    root: &Arc<ProgramNode>,
    marks: &EditMarks,
    rows: Range<u32>,
    from: u32,
    unicode: bool,
) -> Option<Range<usize>> {
    let height = rows.len();
    let found = lines::visible_lines(root, marks, None, rows.start, height, MOST_TRIED_BYTES);
    let before = (from.saturating_sub(rows.start) as usize).min(found.len());
    let mut in_order = found[before..].iter().chain(&found[..before]);
    let segments = &in_order.find(|line| line.removed)?.segments;
    let first = segments.iter().position(|segment| segment.removed)?;
    let rest = segments[first..]
        .iter()
        .position(|segment| !segment.removed);
    let end = rest.map_or(segments.len(), |length| first + length);
    let start = end_column(&segments[..first], 0, unicode);
    Some(start..end_column(&segments[first..end], start, unicode))
}

/// The cells that the minimap takes: a blank and the column itself.
const MINIMAP_WIDTH: u16 = 2;

/// Draws the minimap on the right edge. What is tried comes first, then what is kept, what is pointed at, and the heat.
fn draw_minimap(
    context: &PaneContext,
    document: usize,
    heat: &HeatMap,
    canvas: &mut ClippedCanvas,
) {
    let Some(snapshot) = &context.view.snapshot else {
        return;
    };
    let version = &snapshot.version;
    let Some(root) = version.documents().get(document) else {
        return;
    };
    let glyphs = canvas.theme.glyphs;
    let steered = steered_lines(&snapshot.constraints, &root.root);
    let marks = &context.view.edit_marks;
    let rows = minimap_rows(version, document, marks, &steered, heat, canvas.height());
    for (y, row) in rows.iter().enumerate() {
        let rule = row.rule.map(|rule| rule_mark(rule, &glyphs));
        let (mark, role) = match row {
            row if row.tried => (glyphs.tried_here, Role::Trying),
            row if row.pinned => (glyphs.pinned, Role::Pinned),
            row => match (rule, row.heat) {
                (Some(marked), _) => marked,
                (None, Some((level, role))) => (glyphs.heat[level], role),
                (None, None) => continue,
            },
        };
        canvas.draw_text(1, y, mark, role);
    }
}

/// The style over the syntax colours of a segment: selection, hits, and what the candidate removes.
fn overlay_style(context: &PaneContext, segment: &LineSegment) -> Style {
    let theme = &context.view.theme;
    let mut style = Style::new();
    if segment.selected {
        style = style.patch(theme.role_style(Role::Linked));
    }
    if context
        .search
        .is_some_and(|search| search.query.matches_text(segment.bytes))
    {
        style = style.patch(theme.role_style(Role::Match));
    }
    if segment.removed {
        style = style.patch(theme.role_style(Role::Deleted));
    }
    style
}
