//! The selected node and line. The tree and the program show the same selection.

use std::sync::Arc;

use super::folds::FoldState;
use super::visibility::{NodeVisibility, node_visibility};
use super::{lines, selection};
use crate::program::{NodeId, NodePath, NodeShape, ProgramNode, Version, walk};

/// The selection, and the folds of the tree.
#[derive(Debug)]
pub struct NodeSelection {
    /// The selected node.
    pub node: Option<NodeId>,
    /// The selected line, counted from 0.
    pub line: u32,
    /// Whether the selection follows the current candidate.
    pub follow: bool,
    /// Which nodes of the tree are unfolded.
    pub folds: FoldState,
    /// A token of the hunk of a pair that the user went to last.
    pub hunk_token: Option<NodeId>,
}

impl Default for NodeSelection {
    fn default() -> NodeSelection {
        NodeSelection {
            node: None,
            line: 0,
            follow: true,
            folds: FoldState::default(),
            hunk_token: None,
        }
    }
}

impl NodeSelection {
    /// Starts at the top of the first version.
    pub fn start_at_top(&mut self, version: &Version) {
        self.folds = FoldState::new(version);
        self.node = selection::top_row(version);
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
        self.node = self
            .node
            .and_then(|node| selection::surviving_node(old, new, node));
        self.update_line(new);
    }

    /// Selects the line on which the selected node begins.
    pub fn update_line(&mut self, version: &Version) {
        if let Some(path) = self.selected_path(version) {
            self.line = selection::first_line(&path);
        }
    }

    /// Selects the node that is being tried, and opens the path to it until the next candidate.
    pub fn follow_node(&mut self, version: &Version, tried: NodeId) {
        let Some(path) = version.path_to(tried) else {
            return;
        };
        let row = selection::enclosing_row(version, &path);
        self.node = Some(row.node().id);
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
        if let Some(node) = self.folds.node_at_row(version, row) {
            self.node = Some(node);
            self.update_line(version);
        }
    }

    /// Selects a line of a document, and the node that begins there. On a line where no node begins, the selected node stays.
    pub fn select_line(&mut self, version: &Version, document: usize, line: u32) {
        let begins = lines::first_leaf_from(&version.documents()[document].root, line)
            .filter(|leaf| leaf.text_line() == line && leaf.node.shape != NodeShape::End);
        if let Some(path) = begins.and_then(|leaf| version.path_to(leaf.node.id)) {
            let node = selection::outermost_row_at(version, &path);
            self.select_node(version, node.id);
        }
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

    /// The heaviest row in the selected one: on the way down, each step goes to the child with the most tokens.
    pub fn heaviest_row(&self, version: &Version) -> Option<NodeId> {
        let path = self.selected_path(version)?;
        let document = &version.documents()[path.document];
        let mut node: &Arc<ProgramNode> = path.node();
        loop {
            let children = walk::iter_items(node).filter(|child| !child.shape.is_leaf());
            node = children.max_by_key(|child| child.sums().tokens)?;
            if node_visibility(document, node) == NodeVisibility::Row {
                return Some(node.id);
            }
        }
    }
}
