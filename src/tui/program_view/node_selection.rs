//! The selected node and line. The tree and the program show the same selection.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::file_folds::FileRow;
use super::folds::{FoldState, RowTarget};
use super::visibility::{NodeVisibility, file_head, node_visibility};
use super::{lines, selection};
use crate::program::{NodeId, NodePath, NodeShape, ProgramNode, Version, walk};

/// The selection, and the folds of the tree.
#[derive(Debug)]
pub struct NodeSelection {
    /// The selected node. While a directory is selected, it is the head of a file in it, which the program pane shows.
    pub node: Option<NodeId>,
    /// The selected row of a project that is no node: a directory, or files that are gone.
    pub file_row: Option<FileRow>,
    /// The selected line, counted from 0.
    pub line: u32,
    /// Whether the selection follows the current candidate.
    pub follow: bool,
    /// When following the run last led into another file of a project.
    file_changed: Option<Instant>,
    /// The node of the candidate in another file, while it is too early to go there.
    waiting: Option<NodeId>,
    /// Which nodes of the tree are unfolded.
    pub folds: FoldState,
    /// A token of the hunk of a pair that the user went to last.
    pub hunk_token: Option<NodeId>,
}

impl Default for NodeSelection {
    fn default() -> NodeSelection {
        NodeSelection {
            node: None,
            file_row: None,
            line: 0,
            follow: true,
            file_changed: None,
            waiting: None,
            folds: FoldState::default(),
            hunk_token: None,
        }
    }
}

impl NodeSelection {
    /// Starts at the top of the first version.
    pub fn start_at_top(&mut self, version: &Version) {
        self.folds = FoldState::new(version);
        self.file_row = None;
        self.node = selection::top_row(version);
        if version.is_project() {
            self.select_row(version, 0);
        }
    }

    /// The path to the selected node.
    pub fn selected_path<'a>(&self, version: &'a Version) -> Option<NodePath<'a>> {
        self.node.and_then(|node| version.path_to(node))
    }

    /// The index of the shown document: the one with the selected node.
    pub fn shown_document(&self, version: &Version) -> usize {
        self.selected_path(version).map_or(0, |path| path.document)
    }

    /// In a pair the rows of the tree are those of the document with the selected node.
    pub fn update_shown_rows(&mut self, version: &Version) {
        let shown = self.shown_document(version);
        let shown = version.twins().is_some().then_some(shown);
        self.folds.show_document(shown);
    }

    /// Selects in `new` the node that was selected in `old`; if it was removed, the nearest one that is left.
    pub fn move_to_version(&mut self, old: &Version, new: &Version) {
        let document = self.selected_path(old).map(|path| path.document);
        self.node = match document.filter(|number| new.documents()[*number].is_gone) {
            Some(gone) => self.file_near(new, gone),
            None => self
                .node
                .and_then(|node| selection::surviving_node(old, new, node)),
        };
        self.update_line(new);
        if let Some(row) = self.file_row.take() {
            self.folds.update_files(new);
            let files = self.folds.files();
            if files.is_some_and(|files| files.number_of_row(row).is_some()) {
                self.select_file_row(new, row);
            }
        }
    }

    /// The head of the file that is nearest to one that is gone: the next one in the same directory, else the one before, else the same around it.
    fn file_near(&self, version: &Version, gone: usize) -> Option<NodeId> {
        let tree = self.folds.files()?.tree();
        let documents = version.documents();
        let there = |number: &usize| !documents[*number].is_gone;
        let own = tree.entry_of(gone);
        let around = tree.directories_around(own);
        let near = around.map(Some).chain([None]).find_map(|directory| {
            let (first, end) = match directory {
                Some(at) => (at, tree.entries()[at].end),
                None => (0, tree.entries().len()),
            };
            let document = |at: usize| tree.entries()[at].document.filter(there);
            let mut after = (own..end).filter_map(document);
            after
                .next()
                .or_else(|| (first..own).rev().find_map(document))
        })?;
        Some(file_head(&documents[near]).id)
    }

    /// Selects the line on which the selected node begins.
    pub fn update_line(&mut self, version: &Version) {
        if let Some(path) = self.selected_path(version) {
            self.line = selection::first_line(&path);
        }
    }

    /// Selects the node that is being tried, and opens the path to it until the next candidate. If it is in another file, that waits for
    /// [`NodeSelection::follow_into_file`].
    pub fn follow_node(&mut self, version: &Version, tried: NodeId) {
        let document = version.path_to(tried).map(|path| path.document);
        let is_other = document != Some(self.shown_document(version));
        self.waiting = (is_other && version.is_project()).then_some(tried);
        if self.waiting.is_none() {
            self.select_tried(version, tried);
        }
    }

    /// Follows the run into another file if that is due at this time: the file changes at most twice a second.
    pub fn follow_into_file(&mut self, version: &Version, now: Instant) {
        const LEAST_TIME: Duration = Duration::from_millis(500);
        let is_early = |changed| now.saturating_duration_since(changed) < LEAST_TIME;
        if !self.follow || self.file_changed.is_some_and(is_early) {
            return;
        }
        if let Some(tried) = self.waiting.take() {
            self.file_changed = Some(now);
            self.select_tried(version, tried);
        }
    }

    /// Goes into another file at once when the run is followed again.
    pub fn start_following(&mut self) {
        self.follow = true;
        self.file_changed = None;
    }

    fn select_tried(&mut self, version: &Version, tried: NodeId) {
        let Some(path) = version.path_to(tried) else {
            return;
        };
        let row = selection::enclosing_row(version, &path);
        self.node = Some(row.node().id);
        self.file_row = None;
        self.folds.follow_path(version, Some(&row));
        self.update_line(version);
    }

    /// Stops following the run. The nodes that were opened to follow it stay open.
    pub fn stop_following(&mut self, version: &Version) {
        if self.follow {
            self.follow = false;
            self.folds.keep_followed_path(version);
        }
    }

    /// Selects a node, and opens all nodes around it.
    pub fn select_node(&mut self, version: &Version, node: NodeId) {
        if let Some(path) = version.path_to(node) {
            self.node = Some(node);
            self.file_row = None;
            self.folds.reveal_node(&path);
            self.line = selection::first_line(&path);
        }
    }

    /// Selects the row of a node, and the line of the node itself.
    pub fn go_to_node(&mut self, version: &Version, node: NodeId) {
        self.stop_following(version);
        let Some(path) = version.path_to(node) else {
            return;
        };
        let row = selection::enclosing_row(version, &path);
        self.select_node(version, row.node().id);
        self.line = selection::first_line(&path);
    }

    /// Selects a row of the tree by its number.
    pub fn select_row(&mut self, version: &Version, row: usize) {
        match self.folds.target_of_row(version, row) {
            Some(RowTarget::Node(node)) => {
                self.node = Some(node);
                self.file_row = None;
                self.update_line(version);
            }
            Some(RowTarget::File(row)) => self.select_file_row(version, row),
            None => {}
        }
    }

    /// The number of the selected row of the tree.
    pub fn row_number(&mut self, version: &Version) -> usize {
        self.folds.update_files(version);
        let files = self.folds.files().zip(self.file_row);
        if let Some(number) = files.and_then(|(files, row)| files.number_of_row(row)) {
            return number;
        }
        let path = self.selected_path(version);
        path.map_or(0, |path| self.folds.row_number(version, &path))
    }

    /// Selects the row of a directory, or of files that are gone. The program pane shows a file of the directory: the one that it shows already, or the
    /// first.
    pub fn select_file_row(&mut self, version: &Version, row: FileRow) {
        self.file_row = Some(row);
        let (Some(files), FileRow::Entry(at)) = (self.folds.files(), row) else {
            return;
        };
        let documents = version.documents();
        let shown = self.selected_path(version).map(|path| path.document);
        let tree = files.tree().clone();
        let mut there = tree.documents_in(at);
        let mut first = None;
        let is_shown = there.any(|number| {
            let is_there = !documents[number].is_gone;
            first = first.or(is_there.then_some(number));
            is_there && Some(number) == shown
        });
        if let Some(first) = first.filter(|_| !is_shown) {
            self.node = Some(file_head(&documents[first]).id);
            self.update_line(version);
        }
    }

    /// Selects the row of a directory or a file, and opens the directories around it.
    pub fn go_to_entry(&mut self, version: &Version, at: usize) {
        self.stop_following(version);
        let Some(files) = self.folds.files_mut() else {
            return;
        };
        files.reveal_entry(at);
        let document = files.tree().entries()[at].document;
        match document.map(|number| &version.documents()[number]) {
            Some(document) if !document.is_gone => {
                self.select_node(version, file_head(document).id);
            }
            _ => self.select_file_row(version, FileRow::Entry(at)),
        }
    }

    /// What the selected row stands for.
    pub fn target(&self) -> Option<RowTarget> {
        let file = self.file_row.map(RowTarget::File);
        file.or(self.node.map(RowTarget::Node))
    }

    /// The document of the selected node if that stands for a whole file of a project.
    pub fn selected_file(&self, version: &Version) -> Option<usize> {
        self.folds.files()?;
        let path = self.selected_path(version)?;
        let document = &version.documents()[path.document];
        let node = path.node().id;
        let is_file = node == document.root.id || node == file_head(document).id;
        is_file.then_some(path.document)
    }

    /// Selects a line of a document, and the node that begins there. On a line where no node begins, the selected node stays.
    pub fn select_line(&mut self, version: &Version, document: usize, line: u32) {
        let begins = lines::first_leaf_from(&version.documents()[document].root, line)
            .filter(|leaf| leaf.text_line() == line && leaf.node.shape != NodeShape::End);
        if let Some(path) = begins.and_then(|leaf| version.path_to(leaf.node.id)) {
            let node = selection::outermost_row_at(version, &path);
            self.select_node(version, node.id);
        }
        self.file_row = None;
        self.line = line;
    }

    /// Selects a line of a document, and a node of this document, though none begins on the line.
    pub fn select_document_line(&mut self, version: &Version, document: usize, line: u32) {
        self.select_line(version, document, line);
        if self.shown_document(version) == document {
            return;
        }
        let root = &version.documents()[document].root;
        let near = lines::first_leaf_from(root, line).map(|leaf| leaf.node.id);
        if let Some(path) = version.path_to(near.unwrap_or(root.id)) {
            let row = selection::enclosing_row(version, &path);
            self.select_node(version, row.node().id);
        }
        self.line = line;
    }

    /// Selects in the other document of a pair the node that is the twin of the selected one: the row of the same kind around the twin of its first
    /// token that has one. Returns false if no token has a twin.
    pub fn select_twin_node(&mut self, version: &Version, document: usize) -> bool {
        let Some((path, twins)) = self.selected_path(version).zip(version.twins()) else {
            return false;
        };
        let node = path.node();
        let first = walk::iter_leaves(node).find_map(|leaf| twins.twin_of(leaf.id));
        let Some(twin) = first.and_then(|twin| version.path_to(twin)) else {
            return false;
        };
        if twin.document != document {
            return false;
        }
        let kind = version.kind_name(path.document, node);
        let mut around = twin.nodes.iter().rev();
        let same = around.find(|node| version.kind_name(document, node) == kind);
        let row = match same {
            Some(same) => same.id,
            None => selection::outermost_row_at(version, &twin).id,
        };
        self.select_node(version, row);
        true
    }

    /// The heaviest row in this row of a project, or in the selected node: in a directory the one with the most tokens; in a tree, on the way down, each
    /// step goes to the child with the most tokens.
    pub fn heaviest_row(&self, version: &Version, row: Option<FileRow>) -> Option<RowTarget> {
        if let (Some(files), Some(row)) = (self.folds.files(), row) {
            let FileRow::Entry(directory) = row else {
                return None;
            };
            let entries = files.tree().entries();
            let inside = directory + 1..entries[directory].end;
            let inside = inside.filter(|at| entries[*at].parent == Some(directory));
            // The first of several.
            let heaviest = inside.rev().max_by_key(|at| files.totals_at(*at).tokens)?;
            return Some(RowTarget::File(FileRow::Entry(heaviest)));
        }
        let path = self.selected_path(version)?;
        let document = &version.documents()[path.document];
        let mut node: &Arc<ProgramNode> = match self.selected_file(version) {
            Some(_) => file_head(document),
            None => path.node(),
        };
        loop {
            let children = walk::iter_items(node).filter(|child| !child.shape.is_leaf());
            node = children.max_by_key(|child| child.sums().tokens)?;
            if node_visibility(document, node) == NodeVisibility::Row {
                return Some(RowTarget::Node(node.id));
            }
        }
    }
}
