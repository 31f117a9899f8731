//! The files of a project as a graph: the root on top, below each file what it needs.
//!
//! ```text
//!  ╭◆ Graph  5 files ───────────────────────╮
//!  │  app/Main.kt               ◎        58 │   the failure is in it: the root
//!  │    lib/Store.kt              ⇄ 1    77 │   it needs this file
//!  │      lib/Port.kt             ⇄ 2    44 │   each file stands once, where it is nearest to the root
//!  │  util/Log.kt                        63 │   pale: the root does not need it
//! ```

use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::file_line::{FileMarks, draw_file_line};
use super::layout::PaneKind;
use super::pane_action::{PaneAction, step_index};
use super::pane_context::PaneContext;
use super::scroll::ScrollState;
use crate::display::EscapeHidden;
use crate::oracle::common_directory;
use crate::program::{ConstraintSet, Version};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::program_view::file_folds::FileRow;
use crate::tui::program_view::file_graph::{FileGraph, GraphRow};
use crate::tui::program_view::folds::FileLine;
use crate::tui::program_view::heat::HeatMap;
use crate::tui::program_view::node_selection::NodeSelection;
use crate::tui::program_view::visibility::file_head;
use crate::tui::theme::Role;

/// The state of the pane: the rows of a version, made once for it.
#[derive(Debug, Default)]
pub struct GraphPane {
    /// The rows that are visible.
    pub scroll: ScrollState,
    rows: Vec<GraphRow>,
    /// The directory that all rows have in common, which is left out of them.
    common: PathBuf,
    /// The row of each document.
    places: FxHashMap<usize, usize>,
    /// What the rows were made of.
    made_of: Option<(Arc<FileGraph>, Version, Arc<ConstraintSet>)>,
}

impl GraphPane {
    /// Makes the rows, unless they are known.
    fn update_rows(
        &mut self,
        graph: &Arc<FileGraph>,
        constraints: &Arc<ConstraintSet>,
        selection: &mut NodeSelection,
        version: &Version,
    ) {
        let is_known = self.made_of.as_ref().is_some_and(|(of, known, set)| {
            let documents = [known, version].map(|version| version.documents().as_ptr());
            Arc::ptr_eq(of, graph)
                && std::ptr::eq(documents[0], documents[1])
                && Arc::ptr_eq(set, constraints)
        });
        if is_known {
            return;
        }
        selection.folds.update_files(version);
        let Some(files) = selection.folds.files_mut() else {
            return;
        };
        let failing = files.failing_files(constraints);
        let tree = files.tree();
        let documents = version.documents();
        let there = tree.entries().iter().filter_map(|entry| entry.document);
        let there: Vec<usize> = there.filter(|number| !documents[*number].is_gone).collect();
        let fails = |number: &usize| failing.contains_key(&tree.entry_of(*number));
        let roots: Vec<usize> = there.iter().copied().filter(fails).collect();
        self.rows = graph.list_rows(&roots, &there);
        let paths = self.rows.iter().map(|row| &*documents[row.document].path);
        self.common = common_directory(paths);
        let places = self.rows.iter().enumerate();
        self.places = places.map(|(at, row)| (row.document, at)).collect();
        self.made_of = Some((graph.clone(), version.clone(), constraints.clone()));
    }

    /// The row of the file with the selection.
    fn selected_row(&self, selection: &NodeSelection, version: &Version) -> usize {
        let document = selection.shown_document(version);
        self.places.get(&document).copied().unwrap_or(0)
    }

    fn select_row(&self, selection: &mut NodeSelection, version: &Version, row: usize) {
        let row = self.rows.get(row.min(self.rows.len().saturating_sub(1)));
        let document = row.and_then(|row| version.documents().get(row.document));
        if let Some(document) = document.filter(|document| !document.is_gone) {
            selection.select_node(version, file_head(document).id);
        }
    }

    /// Moves by rows; to the file that needs the selected one, or to the first that it needs.
    pub fn navigate(&self, selection: &mut NodeSelection, version: &Version, action: PaneAction) {
        let at = self.selected_row(selection, version);
        let depth = |row: usize| self.rows.get(row).map_or(0, |row| row.depth);
        let next = match action {
            PaneAction::Fold => (0..at).rev().find(|row| depth(*row) < depth(at)),
            PaneAction::Unfold => Some(at + 1).filter(|row| depth(*row) > depth(at)),
            action => Some(step_index(at, action, self.scroll.page_length())),
        };
        if let Some(next) = next.filter(|next| *next != at) {
            self.select_row(selection, version, next);
        }
    }

    /// Selects the file on a line of the pane.
    pub fn select_line(&self, selection: &mut NodeSelection, version: &Version, line: usize) {
        let row = self.scroll.top + line;
        if row < self.rows.len() {
            self.select_row(selection, version, row);
        }
    }

    /// Draws the graph with its frame.
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
        let version = &snapshot.version;
        let focused = context.focus == PaneKind::Graph;
        let Some(graph) = context.view.files.graph.clone() else {
            let mut inside = canvas.draw_pane_frame("Graph", "", focused, edges);
            inside.draw_text(1, 0, "which file needs which is being found out", Role::Dim);
            return;
        };
        self.update_rows(&graph, &snapshot.constraints, selection, version);
        let reached = self.rows.iter().filter(|row| row.is_reached).count();
        let count = text::format_count(self.rows.len() as u64, "file");
        let title = match self.common.as_os_str().is_empty() {
            true => format!("Graph  {count}"),
            false => format!("Graph  {count} in {}", self.common.escape_hidden()),
        };
        let apart = self.rows.len() - reached;
        let right = match apart {
            0 => String::new(),
            _ => format!("{} not needed", text::format_number(apart as u64)),
        };
        let mut inside = canvas.draw_pane_frame(&title, &right, focused, edges);
        let at = self.selected_row(selection, version);
        self.scroll.scroll_to(at, self.rows.len(), inside.height());
        let Some(files) = selection.folds.files_mut() else {
            return;
        };
        let failing = files.failing_files(&snapshot.constraints);
        let tree = files.tree();
        let removed = context.view.edit_marks.removed_files(version, tree);
        let marks = FileMarks {
            heat,
            failing: &failing,
            graph: Some(&graph),
        };
        let shown = self.rows.iter().skip(self.scroll.top);
        for (line, row) in shown.take(inside.height()).enumerate() {
            let entry = tree.entry_of(row.document);
            let file = FileLine {
                row: FileRow::Entry(entry),
                head: version.documents().get(row.document).map(file_head),
                depth: row.depth,
                open: None,
                files: 1,
                totals: files.totals_at(entry),
                removed: removed.contains_key(&entry),
            };
            let path = &*tree.entries()[entry].path;
            let name = path.strip_prefix(&self.common).unwrap_or(path);
            let role = match row.is_reached {
                true => Role::Text,
                false => Role::Dim,
            };
            draw_file_line(
                context,
                &marks,
                &mut inside,
                line,
                (&file, tree),
                (name, role),
            );
            if self.scroll.top + line == at {
                inside.mark_selected_line(line, focused);
            }
        }
    }
}
