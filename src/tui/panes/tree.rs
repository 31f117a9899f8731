//! The tree: only its visible rows are computed and drawn.
//!
//! ```text
//!  ╭◆ Tree ── translation_unit › function_definition ── following ╮
//!  │  ▾ translation_unit *      int a; int main() {…       163    │   fold marker, kind, `*` for a list below
//!  │⟳   ▸ declaration           int a;                       3    │   mark, first words, tokens
//!  │    ▸ Δ2 declaration        int b = 7;              5    │   in a pair: tokens without twins, and their number
//!  │p   ▸ body: compound_sta…   { return 0; }                7    │   something in it must stay; field
//! ```
//!
//! In a project the directories and files stand above the trees (`file_line.rs`).

use std::path::Path;
use std::sync::Arc;

use super::file_line::{FileMarks, draw_file_line};
use super::layout::PaneKind;
use super::pane_action::PaneAction;
use super::pane_context::PaneContext;
use super::scroll::ScrollState;
use crate::program::{
    ConstraintRule, ConstraintSet, NodeShape, ProgramNode, Version, text_excerpt,
};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::program_view::file_folds::{FileFolds, FileRow};
use crate::tui::program_view::folds::{PaneRow, TreeRow};
use crate::tui::program_view::heat::HeatMap;
use crate::tui::program_view::node_selection::NodeSelection;
use crate::tui::program_view::pair_alignment::SIDES;
use crate::tui::program_view::selection::outer_row;
use crate::tui::program_view::visibility::{self, NodeVisibility, file_head};
use crate::tui::theme::Role;

/// The state of the pane. The folds belong to the selection, which the tree shares with the program.
#[derive(Debug, Default)]
pub struct TreePane {
    /// The rows that are visible.
    pub scroll: ScrollState,
    /// How much the run spends on each node.
    pub heat: HeatMap,
}

impl TreePane {
    /// Moves by rows, folds and unfolds.
    pub fn navigate(&self, selection: &mut NodeSelection, version: &Version, action: PaneAction) {
        if selection.selected_path(version).is_none() {
            return;
        }
        selection.update_shown_rows(version);
        let row = selection.row_number(version);
        let last = selection.folds.row_count(version).saturating_sub(1);
        let page = self.scroll.page_length();
        match action {
            PaneAction::Up => selection.select_row(version, row.saturating_sub(1)),
            PaneAction::Down => selection.select_row(version, (row + 1).min(last)),
            PaneAction::PageUp => selection.select_row(version, row.saturating_sub(page)),
            PaneAction::PageDown => selection.select_row(version, (row + page).min(last)),
            PaneAction::Top => selection.select_row(version, 0),
            PaneAction::Bottom => selection.select_row(version, last),
            PaneAction::UnfoldAll => selection.folds.set_all(version, true),
            PaneAction::FoldAll => {
                selection.folds.set_all(version, false);
                // The selected node may be folded away now: its visible ancestor is selected.
                let row = selection.row_number(version);
                selection.select_row(version, row);
            }
            _ => match selection.file_row {
                Some(row) => fold_file_row(selection, version, row, action),
                None => fold_node(selection, version, action),
            },
        }
    }

    /// Selects the row on a line of the pane.
    pub fn select_line(&self, selection: &mut NodeSelection, version: &Version, line: usize) {
        selection.update_shown_rows(version);
        selection.select_row(version, self.scroll.top + line);
    }

    /// Draws the tree with its frame.
    pub fn draw_pane(
        &mut self,
        context: &PaneContext,
        selection: &mut NodeSelection,
        canvas: &mut ClippedCanvas,
        edges: PaneEdges,
    ) {
        let Some(snapshot) = &context.view.snapshot else {
            return;
        };
        let version = &snapshot.version;
        let focused = context.focus == PaneKind::Tree;
        let following = match selection.follow {
            _ if selection.folds.is_unfolding() => "unfolding",
            true => "following",
            false if context.view.is_finished() => "",
            false if canvas.width() < 60 => "",
            false => "following: off, F starts it",
        };
        let side = match context.view.is_pair() {
            true => SIDES.get(selection.shown_document(version)),
            false => None,
        };
        let side = side.map_or_else(String::new, |(name, ..)| format!("  {name}"));
        selection.update_shown_rows(version);
        selection.folds.update_files(version);
        let name = match selection.folds.files().map(FileFolds::whole_totals) {
            Some(whole) => format!(
                "Files  {} of {}",
                text::format_number(whole.files.into()),
                text::format_number(whole.all_files.into())
            ),
            None => format!("Tree{side}"),
        };
        let title = match selection_title(context, selection, version) {
            path if path.is_empty() && selection.folds.files().is_some() => name,
            path => format!("{name}  {path}"),
        };
        let mut inside = canvas.draw_pane_frame(&title, following, focused, edges);
        let at = selection.row_number(version);
        let len = selection.folds.row_count(version);
        self.scroll
            .scroll_to_followed(at, len, inside.height(), selection.follow);
        let marks = &context.view.edit_marks;
        let rows = selection
            .folds
            .visible_rows(version, marks, self.scroll.top, inside.height());
        let changed = context.view.flashing_node(context.now);
        let failing = selection
            .folds
            .files_mut()
            .map(|files| files.failing_files(&snapshot.constraints));
        let files = selection.folds.files().zip(failing.as_deref());
        for (line, row) in rows.iter().enumerate() {
            match row {
                PaneRow::Node(row) => {
                    self.draw_row(context, &mut inside, line, row, version);
                }
                PaneRow::File(file) => {
                    if let Some((files, failing)) = files {
                        let marks = FileMarks {
                            heat: &self.heat,
                            failing,
                            graph: context.view.files.graph.as_deref(),
                        };
                        let tree = files.tree();
                        let name = match file.row {
                            FileRow::Entry(at) => tree.name_of(at),
                            FileRow::Gone(_) => Path::new(""),
                        };
                        draw_file_line(
                            context,
                            &marks,
                            &mut inside,
                            line,
                            (file, tree),
                            (name, Role::Text),
                        );
                    }
                }
            }
            if changed.is_some() && changed == row.node_id() {
                let style = inside.theme.role_style(Role::Changed);
                inside.set_line_style(0, line, inside.width(), style);
            }
            if self.scroll.top + line == at {
                inside.mark_selected_line(line, focused);
            }
        }
    }

    fn draw_row(
        &self,
        context: &PaneContext,
        inside: &mut ClippedCanvas,
        line: usize,
        row: &TreeRow,
        version: &Version,
    ) {
        let glyphs = inside.theme.glyphs;
        let width = inside.width();
        let document = &version.documents()[row.document];
        if row.removed {
            inside.draw_text(0, line, glyphs.trying, Role::Trying);
        } else if row.node.sums().pinned == row.node.sums().leaves {
            inside.draw_text(0, line, glyphs.pinned, Role::Pinned);
        } else if row.node.sums().pinned > 0 {
            inside.draw_text(0, line, glyphs.partly, Role::Pinned);
        }
        if let Some((level, role)) = self.heat.heat_level(row.node.id) {
            inside.draw_text(1, line, glyphs.heat[level], role);
        }
        if let Some(letter) = context.bookmarks.letter_of(row.node.id) {
            inside.draw_text(
                width.saturating_sub(1),
                line,
                &letter.to_string(),
                Role::Note,
            );
        }
        let tokens = text::format_number(row.node.sums().tokens.into());
        let end = inside.draw_text_before(width.saturating_sub(1), line, &tokens, Role::Number);

        // Indentation is limited; a deeper row shows its depth as a number.
        let most = (width / 4).max(2);
        let mut x = 2 + 2 * (row.depth as usize).min(most / 2);
        if row.depth as usize > most / 2 {
            x = inside.draw_text(x, line, &format!("{} ", row.depth), Role::Dim);
        }
        let fold = match row.open {
            Some(true) => glyphs.open,
            Some(false) => glyphs.closed,
            None => " ",
        };
        x = inside.draw_text(x, line, fold, Role::Dim) + 1;
        let room = |x: usize| end.saturating_sub(x + 1);
        if let Some(count) = unpaired_count(context, version, row) {
            let count = text::format_number(count as u64);
            let mark = format!("{}{count}", glyphs.difference);
            x = inside.draw_text(x, line, &mark, Role::Note) + 1;
        }
        if let Some(field) = field_name(document, row) {
            let field = text::truncate_middle(&field, room(x) / 3, glyphs.cut);
            x = inside.draw_text(x, line, &field, Role::Field);
            x = if field.is_empty() {
                x
            } else {
                inside.draw_text(x, line, ": ", Role::Dim)
            };
        }
        let star = if visibility::has_list(document, row.node) {
            " *"
        } else {
            ""
        };
        let kind = text::truncate_middle(
            version.kind_name(row.document, row.node),
            room(x).saturating_sub(2).min(28),
            glyphs.cut,
        );
        let query = context.search.map(|search| &search.query);
        let full = version.kind_name(row.document, row.node);
        let role = match row.node.shape {
            _ if query.is_some_and(|query| query.matches_kind(full)) => Role::Match,
            NodeShape::Extra => Role::Dim,
            _ if row.removed => Role::Trying,
            _ => Role::Kind,
        };
        x = inside.draw_text(x, line, &kind, role);
        x = inside.draw_text(x, line, star, Role::Dim);
        let constraints = context
            .view
            .snapshot
            .as_ref()
            .map(|snapshot| &snapshot.constraints);
        if constraints.is_some_and(|all| is_place(all, version, row.node)) {
            x = inside.draw_text(x + 1, line, glyphs.place, Role::Note);
        }
        // The excerpts stand in one column, so that kinds and texts can be read from top to bottom.
        x = (x + 2).max(if width >= 60 {
            (2 + most + 24).min(width / 2)
        } else {
            0
        });
        if room(x) >= 4 {
            let words = text_excerpt(row.node, room(x));
            let plain: String = words
                .chars()
                .map(|c| {
                    if glyphs.braille || c.is_ascii() {
                        c
                    } else {
                        '~'
                    }
                })
                .collect();
            inside.draw_text(
                x,
                line,
                &text::truncate_end(&plain, room(x), glyphs.cut),
                if row.removed {
                    Role::Deleted
                } else {
                    Role::Text
                },
            );
        }
    }
}

/// Folds or unfolds the selected node, or goes into it or out of it. Around a file is its directory.
fn fold_node(selection: &mut NodeSelection, version: &Version, action: PaneAction) {
    let Some(path) = selection.selected_path(version) else {
        return;
    };
    let document = &version.documents()[path.document];
    let file = selection.selected_file(version);
    // The row of a file is that of the head of its tree.
    let path = match file.and_then(|_| version.path_to(file_head(document).id)) {
        Some(head) => head,
        None => path,
    };
    let open = selection.folds.is_open(path.node().id);
    let inner = || visibility::first_row_below(document, path.node());
    match action {
        PaneAction::Unfold if open => {
            if let Some(inner) = inner() {
                selection.select_node(version, inner.id);
            }
        }
        PaneAction::Unfold => selection.folds.set_open(&path, true),
        PaneAction::Fold if open && inner().is_some() => selection.folds.set_open(&path, false),
        PaneAction::Fold => {
            let files = selection.folds.files();
            let directory = file.zip(files).map(|(file, files)| {
                let entry = files.tree().entry_of(file);
                files.tree().entries()[entry].parent
            });
            let outer = outer_row(version, &path).map(|outer| outer.id);
            let outer = outer.or(files.map(|_| file_head(document).id));
            match (directory, outer) {
                (Some(Some(directory)), _) => {
                    selection.select_file_row(version, FileRow::Entry(directory));
                }
                (None, Some(outer)) => selection.select_node(version, outer),
                (Some(None), _) | (None, None) => {}
            }
        }
        PaneAction::Toggle => selection.folds.set_open(&path, !open),
        _ => {}
    }
}

/// The same for a directory, or for files that are gone.
fn fold_file_row(
    selection: &mut NodeSelection,
    version: &Version,
    row: FileRow,
    action: PaneAction,
) {
    let number = selection.row_number(version);
    let Some(files) = selection.folds.files_mut() else {
        return;
    };
    let open = files.is_open(row);
    match action {
        PaneAction::Unfold if open => selection.select_row(version, number + 1),
        PaneAction::Unfold => files.set_open(row, true),
        PaneAction::Fold if open => files.set_open(row, false),
        PaneAction::Toggle => files.set_open(row, !open),
        PaneAction::Fold => {
            let outer = match row {
                FileRow::Gone(directory) => directory.map(FileRow::Entry),
                FileRow::Entry(at) => {
                    let around = files.tree().entries()[at].parent;
                    match files.totals_at(at).files {
                        0 => Some(FileRow::Gone(around)),
                        _ => around.map(FileRow::Entry),
                    }
                }
            };
            if let Some(outer) = outer {
                selection.select_file_row(version, outer);
            }
        }
        _ => {}
    }
}

/// Whether it is the outermost node of all that is in the place of the failure.
fn is_place(constraints: &ConstraintSet, version: &Version, node: &Arc<ProgramNode>) -> bool {
    let covers = |node: &Arc<ProgramNode>| constraints.rule_covers(ConstraintRule::Place, node);
    let around = || {
        version
            .path_to(node.id)
            .map(|path| path.parent().is_some_and(covers))
    };
    covers(node) && around() == Some(false)
}

/// How many tokens of a row have no twins in the other program of a pair, if any have none.
fn unpaired_count(context: &PaneContext, version: &Version, row: &TreeRow) -> Option<usize> {
    let pair = context.view.pair.as_ref()?;
    let count = pair.count_below(&version.path_to(row.node.id)?);
    (count > 0).then_some(count)
}

/// The kinds on the path from the document to the selected row; nothing for a directory or a file.
fn selection_title(context: &PaneContext, selection: &NodeSelection, version: &Version) -> String {
    if selection.file_row.is_some() || selection.selected_file(version).is_some() {
        return String::new();
    }
    let Some(path) = selection.selected_path(version) else {
        return String::new();
    };
    let document = &version.documents()[path.document];
    // Deep trees have long paths; the title has the end of the path.
    let mut kinds = path
        .nodes
        .iter()
        .rev()
        .filter(|node| visibility::node_visibility(document, node) == NodeVisibility::Row);
    let mut near: Vec<&str> = kinds
        .by_ref()
        .take(8)
        .map(|node| version.kind_name(path.document, node))
        .collect();
    if kinds.next().is_some() {
        near.push(context.view.theme.glyphs.cut);
    }
    near.reverse();
    near.join(&format!(" {} ", context.view.theme.glyphs.inside))
}

/// The name of the field that the node fills.
fn field_name(document: &crate::program::Document, row: &TreeRow) -> Option<String> {
    let language = document.language.filter(|_| row.node.field != 0)?;
    language.field_name(row.node.field)
}
