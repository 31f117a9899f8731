//! The two programs of a pair: beside each other, or as one text. Lines are aligned by twins, and both scroll as one.
//!
//! ```text
//!  ╭ seed  34 tokens ─────────────────╮╭ variant  36 tokens ─────────────╮
//!  │   1   len_bar(struct Len x)      ││   1   len_bar(struct Len x)     │   common: pale
//!  │   2   {                          ││   2   {                         │
//!  │   3 -  return a;                 ││   3 +  ({ a; });                │   only here: in the colours of a diff, `-` and `+`
//!  │╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱││   4 +  int b;                   │   a line without a partner
//!  │⟳  4   }                          ││⟳  5   }                         │   struck through: the candidate removes it from both
//! ```

use std::ops::Range;

use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::layout::PaneKind;
use super::pane_action::{PaneAction, step_index};
use super::pane_context::PaneContext;
use super::scroll::ScrollState;
use super::text_line::{draw_text_line, end_column};
use super::text_moves::{go_to_near_node, scroll_sideways};
use crate::display::EscapeHidden;
use crate::program::{NodeId, Version};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::program_view::edit_marks::EditMarks;
use crate::tui::program_view::lines::{self, LineSegment, VisibleLine};
use crate::tui::program_view::node_selection::NodeSelection;
use crate::tui::program_view::pair_alignment::{PairAlignment, SEED, SIDES, VARIANT};
use crate::tui::program_view::pair_view::PairView;
use crate::tui::theme::Role;

/// A pane of fewer columns than this shows one program above the other.
const LEAST_WIDTH_OF_COLUMNS: usize = 100;

/// A token beyond so many bytes of its line is not scrolled to.
const MOST_BYTES: usize = 100_000;

/// How a pane shows both programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairForm {
    /// Beside each other, or one above the other.
    Columns,
    /// As one text, with the lines that differ one after the other.
    Unified,
}

/// The state of a pane.
#[derive(Debug)]
pub struct PairPane {
    form: PairForm,
    /// The rows that are visible.
    pub scroll: ScrollState,
    /// The number of cells that are scrolled out on the left.
    pub column_offset: usize,
    /// The document that the user is in, while the selection is on a line that only the other one has.
    left_document: Option<usize>,
    /// A token that is to be seen in the next frame.
    wanted_token: Option<WantedToken>,
    /// Where the programs are on the screen, as of the last frame.
    areas: [Rect; 2],
}

/// A token on a line of a document.
#[derive(Clone, Copy, Debug)]
struct WantedToken {
    document: usize,
    line: u32,
    token: NodeId,
}

/// What all lines of a frame need.
struct PairFrame<'a> {
    context: &'a PaneContext<'a>,
    version: &'a Version,
    pair: &'a PairView,
    /// The selected node, unless it is a whole program, and its document.
    selected: Option<(NodeId, usize)>,
    /// The row of the selection.
    current: usize,
    is_focused: bool,
}

impl PairPane {
    /// A pane at the beginning of both programs.
    pub fn new(form: PairForm) -> PairPane {
        PairPane {
            form,
            scroll: ScrollState::default(),
            column_offset: 0,
            left_document: None,
            wanted_token: None,
            areas: [Rect::default(); 2],
        }
    }

    fn row_count(&self, aligned: &PairAlignment) -> usize {
        match self.form {
            PairForm::Columns => aligned.rows().len(),
            PairForm::Unified => aligned.unified_rows().len(),
        }
    }

    /// The row of a line of a document.
    fn row_of_line(&self, aligned: &PairAlignment, document: usize, line: u32) -> usize {
        match self.form {
            PairForm::Columns => aligned.row_of_line(document, line),
            PairForm::Unified => aligned.unified_row_of_line(document, line),
        }
    }

    /// The lines on a row. A line of both programs stands in their one text as that of the variant.
    fn lines_on_row(&self, aligned: &PairAlignment, row: usize) -> [Option<u32>; 2] {
        let mut lines = [None, None];
        match self.form {
            PairForm::Columns => {
                if let Some(row) = aligned.rows().get(row) {
                    lines = row.lines;
                }
            }
            PairForm::Unified => {
                if let Some(row) = aligned.unified_rows().get(row) {
                    lines[row.document] = Some(row.line);
                }
            }
        }
        lines
    }

    /// Moves by rows, by nodes, or sideways.
    pub fn navigate(
        &mut self,
        selection: &mut NodeSelection,
        version: &Version,
        pair: &PairView,
        action: PaneAction,
    ) {
        if scroll_sideways(&mut self.column_offset, action) {
            return;
        }
        let aligned = &pair.alignment;
        let Some(path) = selection.selected_path(version) else {
            return;
        };
        let row = self.row_of_line(aligned, path.document, selection.line);
        let offset = &mut self.column_offset;
        if go_to_near_node(offset, selection, version, &path, action) || !action.moves_by_rows() {
            return;
        }
        let last = self.row_count(aligned).saturating_sub(1);
        let row = step_index(row, action, self.scroll.page_length());
        self.select_row(selection, version, aligned, row.min(last));
    }

    /// Selects the line on a row: that of the document that the user is in, if it has one there.
    fn select_row(
        &mut self,
        selection: &mut NodeSelection,
        version: &Version,
        aligned: &PairAlignment,
        row: usize,
    ) {
        let here = selection.shown_document(version).min(VARIANT);
        let row_before = self.row_of_line(aligned, here, selection.line);
        let lines_before = self.lines_on_row(aligned, row_before);
        let left = self.left_document.take();
        let left = left.filter(|left| lines_before[*left].is_none());
        let wanted = left.unwrap_or(here);
        let lines = self.lines_on_row(aligned, row);
        let document = match lines[wanted] {
            Some(_) => wanted,
            None => SEED + VARIANT - wanted,
        };
        if let Some(line) = lines[document] {
            selection.select_document_line(version, document, line);
            self.left_document = (document != wanted).then_some(wanted);
        }
    }

    /// Scrolls sideways, when the pane is drawn next with the selection on this line of a document, so that a token can be seen: to the beginning of
    /// the line, if it can be seen there.
    pub fn show_token(&mut self, document: usize, line: u32, token: NodeId) {
        self.wanted_token = Some(WantedToken {
            document,
            line,
            token,
        });
    }

    /// Scrolls to the token that is to be shown, if the selection is still on its line.
    fn scroll_to_token(
        &mut self,
        version: &Version,
        (document, line): (usize, u32),
        unicode: bool,
    ) {
        /// The mark, the number of the line, the sign and the blanks between them.
        const GUTTER: usize = 10;
        let wanted = self.wanted_token.take();
        let wanted = wanted.filter(|wanted| (wanted.document, wanted.line) == (document, line));
        let Some(WantedToken { token, .. }) = wanted else {
            return;
        };
        let root = &version.documents()[document].root;
        let marks = EditMarks::default();
        let found = lines::visible_lines(root, &marks, None, line, 1, MOST_BYTES);
        let segments = found.first().map_or(&[][..], |line| &line.segments);
        let place = segments
            .iter()
            .position(|segment| segment.token == Some(token));
        let (before, rest) = segments.split_at(place.unwrap_or(0));
        let start = end_column(before, 0, unicode);
        let end = end_column(&rest[..rest.len().min(1)], start, unicode);
        let width = usize::from(self.areas[document].width).saturating_sub(GUTTER);
        self.column_offset = match end < width {
            true => 0,
            false => start.saturating_sub(width / 3),
        };
    }

    /// Selects what is at a cell of the screen.
    pub fn select_cell(
        &mut self,
        selection: &mut NodeSelection,
        version: &Version,
        pair: &PairView,
        at: Position,
    ) {
        let area = self.areas.iter().position(|area| area.contains(at));
        let Some(side) = area else {
            return;
        };
        let row = self.scroll.top + usize::from(at.y - self.areas[side].y);
        let row = row.min(self.row_count(&pair.alignment).saturating_sub(1));
        let lines = self.lines_on_row(&pair.alignment, row);
        let document = match lines[side] {
            Some(_) => side,
            None => SEED + VARIANT - side,
        };
        if let Some(line) = lines[document] {
            self.left_document = None;
            selection.select_document_line(version, document, line);
        }
    }

    /// Draws the programs with their frames.
    pub fn draw_pane(
        &mut self,
        context: &PaneContext,
        selection: &mut NodeSelection,
        canvas: &mut ClippedCanvas,
        edges: PaneEdges,
    ) {
        let (Some(snapshot), Some(pair)) = (&context.view.snapshot, &context.view.pair) else {
            return;
        };
        let version = &snapshot.version;
        let is_focused = context.focus == self.pane_kind();
        let shown = selection.shown_document(version);
        let documents = version.documents();
        let frame_text = |document: usize| {
            let Some(document) = documents.get(document) else {
                return Default::default();
            };
            let tokens = text::format_count(document.root.sums().tokens.into(), "token");
            (tokens, document.path.escape_hidden())
        };
        if self.form == PairForm::Unified {
            let (left, whole) = snapshot.primary_sizes();
            let title = format!(
                "Difference  {} of {}",
                text::format_number(left.into()),
                text::format_count(whole.into(), "token")
            );
            let names = [SEED, VARIANT].map(|document| frame_text(document).1);
            let right = names.join(&format!(" {} ", canvas.theme.glyphs.arrow));
            self.areas = [canvas
                .draw_pane_frame(&title, &right, is_focused, edges)
                .area; 2];
            self.draw_rows(context, version, pair, selection, canvas);
            return;
        }
        let beside = canvas.width() >= LEAST_WIDTH_OF_COLUMNS;
        let (parts, edges) = split_area(canvas.area, beside, edges);
        let mut frames = [Rect::default(); 2];
        for document in [SEED, VARIANT] {
            let (tokens, name) = frame_text(document);
            let title = format!("{}  {tokens}", SIDES[document].0);
            let focused = is_focused && document == shown;
            let mut part = canvas.sub_canvas(parts[document]);
            frames[document] = part
                .draw_pane_frame(&title, &name, focused, edges[document])
                .area;
        }
        self.areas = frames;
        self.draw_rows(context, version, pair, selection, canvas);
    }

    /// Draws the document with the selection, without a frame, for a small screen.
    pub fn draw_text(
        &mut self,
        context: &PaneContext,
        selection: &mut NodeSelection,
        canvas: &mut ClippedCanvas,
    ) {
        let (Some(snapshot), Some(pair)) = (&context.view.snapshot, &context.view.pair) else {
            return;
        };
        let version = &snapshot.version;
        self.areas = [Rect::default(); 2];
        match self.form {
            PairForm::Columns => {
                self.areas[selection.shown_document(version).min(VARIANT)] = canvas.area
            }
            PairForm::Unified => self.areas = [canvas.area; 2],
        }
        self.draw_rows(context, version, pair, selection, canvas);
    }

    /// Draws the visible rows in the areas of the documents.
    fn draw_rows(
        &mut self,
        context: &PaneContext,
        version: &Version,
        pair: &PairView,
        selection: &mut NodeSelection,
        canvas: &mut ClippedCanvas,
    ) {
        let shown = selection.shown_document(version).min(VARIANT);
        let roots = [SEED, VARIANT].map(|document| &version.documents()[document].root);
        selection.line = selection.line.min(lines::last_line(roots[shown]));
        let place = (shown, selection.line);
        self.scroll_to_token(version, place, canvas.theme.glyphs.braille);
        let aligned = &pair.alignment;
        let current = self.row_of_line(aligned, shown, selection.line);
        let heights = self.areas.iter().filter(|area| !area.is_empty());
        let height = heights
            .map(|area| usize::from(area.height))
            .min()
            .unwrap_or(0);
        self.scroll
            .scroll_to(current, self.row_count(aligned), height);
        let top = self.scroll.top;
        let rows: Vec<[Option<u32>; 2]> = (top..self.row_count(aligned).min(top + height))
            .map(|row| self.lines_on_row(aligned, row))
            .collect();
        let is_whole = |node: &NodeId| {
            let tokens = version.find_node(*node).map(|node| node.sums().tokens);
            tokens.is_none_or(|tokens| tokens == roots[shown].sums().tokens)
        };
        let selected = selection.node.filter(|node| !is_whole(node));
        let frame = PairFrame {
            context,
            version,
            pair,
            selected: selected.map(|node| (node, shown)),
            current,
            is_focused: context.focus == self.pane_kind(),
        };
        // A character has at most four bytes, so this many bytes fill a line.
        let bytes = 4 * (self.column_offset + canvas.width()) + 16;
        let drawn = |document: &usize| !self.areas[*document].is_empty();
        for document in [SEED, VARIANT].into_iter().filter(drawn) {
            let span = line_span(&rows, document);
            let marks = &context.view.edit_marks;
            let selected = selected.filter(|_| document == shown);
            let count = span.len();
            let texts =
                lines::visible_lines(roots[document], marks, selected, span.start, count, bytes);
            let mut part = canvas.sub_canvas(self.areas[document]);
            for (y, lines) in rows.iter().enumerate() {
                let text = lines[document]
                    .and_then(|line| Some((line, texts.get((line - span.start) as usize)?)));
                match text {
                    Some((line, text)) => {
                        self.draw_line(&frame, &mut part, (y, top + y), (document, line), text)
                    }
                    None if self.form == PairForm::Columns => draw_gap(&mut part, y),
                    None => {}
                }
            }
        }
    }

    fn pane_kind(&self) -> PaneKind {
        match self.form {
            PairForm::Columns => PaneKind::Pair,
            PairForm::Unified => PaneKind::Difference,
        }
    }

    fn draw_line(
        &self,
        frame: &PairFrame,
        canvas: &mut ClippedCanvas,
        (y, row): (usize, usize),
        (document, number): (usize, u32),
        line: &VisibleLine,
    ) {
        let theme = canvas.theme;
        let (_, sign, only_here) = SIDES[document];
        let tried = line.removed
            || line
                .segments
                .iter()
                .any(|segment| frame.is_restored(segment));
        if tried {
            canvas.draw_text(0, y, theme.glyphs.trying, Role::Trying);
        } else if line.pinned {
            canvas.draw_text(0, y, theme.glyphs.pinned, Role::Pinned);
        }
        let newlines = frame.version.documents()[document].root.sums().newlines;
        let digits = (newlines + 1).to_string().len().max(3);
        let is_current = row == frame.current && frame.is_focused;
        let role = if is_current { Role::Focus } else { Role::Dim };
        let mut x = canvas.draw_text(1, y, &format!("{:>digits$}", number + 1), role) + 1;
        let is_changed = match self.form {
            PairForm::Columns => line
                .segments
                .iter()
                .any(|segment| frame.is_unpaired(segment)),
            PairForm::Unified => frame.pair.alignment.unified_rows()[row].changed,
        };
        if is_changed {
            canvas.draw_text(x, y, sign, only_here);
        }
        x += if canvas.width() > 30 { 2 } else { 1 };
        let common = theme.role_style(Role::Common);
        draw_text_line(
            canvas,
            (x, y),
            line,
            self.column_offset,
            |_| common,
            |segment| frame.segment_style(segment, document),
        );
    }
}

impl PairFrame<'_> {
    /// Whether it is a token that only its document has.
    fn is_unpaired(&self, segment: &LineSegment) -> bool {
        let twins = self.version.twins();
        let token = segment.token.zip(twins);
        token.is_some_and(|(token, twins)| twins.twin_of(token).is_none())
    }

    /// Whether it is a token of the seed that the candidate brings back into the variant.
    fn is_restored(&self, segment: &LineSegment) -> bool {
        let marks = &self.context.view.edit_marks;
        segment
            .token
            .is_some_and(|token| marks.restores_token(token))
    }

    /// Whether it is the twin of a token of the selected node.
    fn is_twin_selected(&self, segment: &LineSegment, document: usize) -> bool {
        let Some((selected, _)) = self.selected.filter(|(_, of)| *of != document) else {
            return false;
        };
        let twins = self.version.twins();
        let twin = segment.token.and_then(|token| twins?.twin_of(token));
        let path = twin.and_then(|twin| self.version.path_to(twin));
        path.is_some_and(|path| path.nodes.iter().any(|node| node.id == selected))
    }

    /// The style over that of what both have.
    fn segment_style(&self, segment: &LineSegment, document: usize) -> Style {
        let theme = &self.context.view.theme;
        let search = self.context.search;
        let is_hit = search.is_some_and(|search| search.query.matches_text(segment.bytes));
        let marks = [
            (self.is_unpaired(segment), SIDES[document].2),
            (segment.selected, Role::Linked),
            (self.is_twin_selected(segment, document), Role::Linked),
            (is_hit, Role::Match),
            (self.is_restored(segment), Role::Trying),
            (segment.removed, Role::Deleted),
        ];
        let roles = marks.into_iter().filter(|(is, _)| *is);
        roles.fold(Style::new(), |style, (_, role)| {
            style.patch(theme.role_style(role))
        })
    }
}

/// The lines of a document on these rows, from the first to the last.
fn line_span(rows: &[[Option<u32>; 2]], document: usize) -> Range<u32> {
    let mut lines = rows.iter().filter_map(|lines| lines[document]);
    let first = lines.next();
    let last = lines.next_back().or(first);
    first
        .zip(last)
        .map_or(0..0, |(first, last)| first..last + 1)
}

/// Draws a line that has no partner.
fn draw_gap(canvas: &mut ClippedCanvas, y: usize) {
    let hatch = canvas.theme.glyphs.gap.repeat(canvas.width());
    canvas.draw_text(0, y, &hatch, Role::Border);
}

/// The areas of both programs, and their edges: beside each other, or one above the other.
fn split_area(area: Rect, beside: bool, edges: PaneEdges) -> ([Rect; 2], [PaneEdges; 2]) {
    if beside {
        let left = Rect {
            width: area.width / 2,
            ..area
        };
        let right = Rect {
            x: area.x + left.width,
            width: area.width - left.width,
            ..area
        };
        return ([left, right], [edges; 2]);
    }
    // The last frame has a line at its bottom too, and both have room for the same number of rows.
    let above = Rect {
        height: (area.height - u16::from(edges.last).min(area.height)) / 2,
        ..area
    };
    let below = Rect {
        y: area.y + above.height,
        height: area.height - above.height,
        ..area
    };
    let above_edges = PaneEdges {
        last: false,
        ..edges
    };
    let below_edges = PaneEdges {
        first: false,
        ..edges
    };
    ([above, below], [above_edges, below_edges])
}
