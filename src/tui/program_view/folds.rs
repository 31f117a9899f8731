//! The folds of the tree, and the rows that are shown.
//!
//! The tree may have a hundred thousand nodes, all of them unfolded, and a new version twenty times a second. So there is no list of
//! rows: each unfolded node knows how many rows lie below it, and versions share the nodes that an edit did not touch, so after an
//! edit only the path to its place is counted again. A row is found from its number, and a number from its node, by walking down.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::edit_marks::{EditMarks, NodeMark};
use super::row_counts::{RowCountCache, RowCounter};
use super::visibility::{NodeVisibility, first_row, first_row_below, node_visibility};
use crate::program::{Document, NodeId, NodePath, ProgramNode, Version};

/// The number of nodes that are unfolded at once.
const NODES_AT_ONCE: usize = 40_000;

/// A row of the tree pane.
#[derive(Clone, Copy, Debug)]
pub struct TreeRow<'a> {
    /// The number of the document.
    pub document: usize,
    /// The node.
    pub node: &'a Arc<ProgramNode>,
    /// The number of rows around it.
    pub depth: u32,
    /// Whether it is open; none when there are no rows below it.
    pub open: Option<bool>,
    /// Whether the current candidate would remove it.
    pub removed: bool,
}

/// Which nodes are open, and the row counts that follow from it.
#[derive(Debug, Default)]
pub struct FoldState {
    /// Whether nodes are open by default.
    open_by_default: bool,
    /// The nodes that differ from the default.
    exceptions: FxHashSet<NodeId>,
    /// Nodes that are open only to follow the run: the path to the current candidate, the root first.
    followed: Vec<NodeId>,
    /// The document whose rows are shown, if not those of all.
    shown_document: Option<usize>,
    /// The row counts of large nodes.
    row_counts: RowCountCache,
    /// The row counts so far, while everything is being unfolded.
    unfolding: Option<RowCounter>,
}

impl FoldState {
    /// Everything folded but the top level of `version`; of a project, all files.
    pub fn new(version: &Version) -> FoldState {
        if version.is_project() {
            return FoldState::default();
        }
        let tops = version
            .documents()
            .iter()
            .filter_map(|document| first_row(document, &document.root));
        FoldState {
            exceptions: tops.map(|top| top.id).collect(),
            ..FoldState::default()
        }
    }

    /// Shows the rows of this document, or of all.
    pub fn show_document(&mut self, document: Option<usize>) {
        self.shown_document = document;
    }

    /// Whether the rows of a document are shown. A file that is gone has none.
    fn shows(&self, number: usize, document: &Document) -> bool {
        !document.is_gone && self.shown_document.is_none_or(|shown| shown == number)
    }

    /// Whether everything is being unfolded.
    pub fn is_unfolding(&self) -> bool {
        self.unfolding.is_some()
    }

    /// Counts up to `nodes` more nodes while everything is being unfolded. Returns whether there was anything to count.
    pub fn advance_unfolding(&mut self, nodes: usize) -> bool {
        let Some(counting) = &mut self.unfolding else {
            return false;
        };
        if !counting.count_nodes(nodes) {
            return true;
        }
        if let Some(RowCounter {
            counts: counted, ..
        }) = self.unfolding.take()
        {
            *self = FoldState {
                open_by_default: true,
                row_counts: counted,
                shown_document: self.shown_document,
                ..FoldState::default()
            };
        }
        true
    }

    /// Whether the node is open, if anything is below it.
    pub fn is_open(&self, node: NodeId) -> bool {
        self.open_by_default != self.exceptions.contains(&node) || self.followed.contains(&node)
    }

    /// Opens or closes the node at the end of `path`.
    pub fn set_open(&mut self, path: &NodePath, open: bool) {
        let id = path.node().id;
        if open == self.open_by_default {
            self.exceptions.remove(&id);
        } else {
            self.exceptions.insert(id);
        }
        self.forget_counts(path);
    }

    /// Opens all that the node at the end of `path` lies within.
    pub fn reveal_node(&mut self, path: &NodePath) {
        for node in &path.nodes[..path.nodes.len() - 1] {
            if !self.is_open(node.id) {
                if self.open_by_default {
                    self.exceptions.remove(&node.id);
                } else {
                    self.exceptions.insert(node.id);
                }
            }
        }
        self.forget_counts(path);
    }

    /// Opens or closes all nodes. Opening those of a large program takes a few [`FoldState::advance_unfolding`]s: its rows must be counted.
    pub fn set_all(&mut self, version: &Version, open: bool) {
        if !open {
            let shown_document = self.shown_document;
            *self = FoldState {
                shown_document,
                ..FoldState::new(version)
            };
            return;
        }
        self.unfolding = Some(RowCounter::new(version));
        self.advance_unfolding(NODES_AT_ONCE);
    }

    /// Opens the nodes on `path` to follow the run, and closes those of the previous path.
    pub fn follow_path(&mut self, version: &Version, path: Option<&NodePath>) {
        let old = std::mem::take(&mut self.followed);
        // The nodes that remain of the old path still lie on one path.
        if let Some(rest) = old.iter().rev().find_map(|id| version.path_to(*id)) {
            self.forget_counts(&rest);
        }
        if let Some(path) = path {
            self.followed = path.nodes[..path.nodes.len() - 1]
                .iter()
                .map(|node| node.id)
                .collect();
            self.forget_counts(path);
        }
    }

    /// Keeps the nodes open that were opened to follow the run.
    pub fn keep_followed_path(&mut self, version: &Version) {
        let followed = std::mem::take(&mut self.followed);
        if let Some(path) = followed.iter().rev().find_map(|id| version.path_to(*id)) {
            self.reveal_node(&path);
            self.set_open(&path, true);
        }
    }

    fn forget_counts(&mut self, path: &NodePath) {
        for node in &path.nodes {
            self.row_counts.remove_node(node.id);
        }
    }

    /// How many rows there are.
    pub fn row_count(&mut self, version: &Version) -> usize {
        self.row_counts.evict_unused(version);
        let documents = version.documents().iter().enumerate();
        documents
            .map(|(number, document)| match self.shows(number, document) {
                true => self.count_rows(document, &document.root) as usize,
                false => 0,
            })
            .sum()
    }

    /// The row number of the node at the end of `path`, or of the nearest visible row around it.
    pub fn row_number(&mut self, version: &Version, path: &NodePath) -> usize {
        let documents = version.documents();
        let before = documents[..path.document].iter().enumerate();
        let mut at: usize = before
            .map(|(number, document)| match self.shows(number, document) {
                true => self.count_rows(document, &document.root) as usize,
                false => 0,
            })
            .sum();
        let document = &documents[path.document];
        let mut row = at;
        for (depth, node) in path.nodes.iter().enumerate() {
            if node_visibility(document, node) == NodeVisibility::Row {
                row = at;
                at += 1;
                if !self.is_open(node.id) {
                    break;
                }
            }
            let Some(next) = path.nodes.get(depth + 1) else {
                break;
            };
            for child in node
                .children()
                .iter()
                .take_while(|child| child.id != next.id)
            {
                at += self.count_rows(document, child) as usize;
            }
        }
        row
    }

    /// The rows from number `first` on, at most `count`.
    pub fn visible_rows<'a>(
        &mut self,
        version: &'a Version,
        marks: &EditMarks,
        first: usize,
        count: usize,
    ) -> Vec<TreeRow<'a>> {
        let mut rows = Vec::with_capacity(count.min(1024));
        let mut skip = first;
        for (number, document) in version.documents().iter().enumerate() {
            if !self.shows(number, document) {
                continue;
            }
            let mut stack = vec![RowWalkFrame {
                children: std::slice::from_ref(&document.root),
                mark: NodeMark::default(),
                item: 0,
                depth: 0,
            }];
            while let Some(top) = stack.last_mut() {
                if rows.len() >= count {
                    return rows;
                }
                let Some((node, rest)) = top.children.split_first() else {
                    stack.pop();
                    continue;
                };
                let (above, item, depth) = (top.mark, top.item, top.depth);
                top.children = rest;
                top.item += node.sums().items;
                if skip > 0 {
                    let below = self.count_rows(document, node) as usize;
                    if below <= skip {
                        skip -= below;
                        continue;
                    }
                }
                let mark = marks.mark_child(above, item, node);
                let below = match node_visibility(document, node) {
                    NodeVisibility::Hidden => continue,
                    NodeVisibility::Transparent => depth,
                    NodeVisibility::Row => {
                        let open = has_rows_below(document, node).then(|| self.is_open(node.id));
                        match skip {
                            0 => rows.push(TreeRow {
                                document: number,
                                node,
                                depth,
                                open,
                                removed: mark.removed,
                            }),
                            _ => skip -= 1,
                        }
                        if open != Some(true) {
                            continue;
                        }
                        depth + 1
                    }
                };
                stack.push(RowWalkFrame {
                    children: node.children(),
                    mark,
                    item: 0,
                    depth: below,
                });
            }
        }
        rows
    }

    /// The node of the row with this number.
    pub fn node_at_row(&mut self, version: &Version, row: usize) -> Option<NodeId> {
        let rows = self.visible_rows(version, &EditMarks::default(), row, 1);
        rows.first().map(|row| row.node.id)
    }

    /// The number of rows of `root`, itself included. Not recursive, because trees are deep.
    fn count_rows(&mut self, document: &Document, root: &Arc<ProgramNode>) -> u32 {
        struct RowCountFrame<'a> {
            node: &'a Arc<ProgramNode>,
            next: usize,
            rows: u32,
        }
        let mut stack: Vec<RowCountFrame> = Vec::new();
        let mut node = root;
        loop {
            let part = node_visibility(document, node);
            let own = u32::from(part == NodeVisibility::Row);
            let known = match part {
                NodeVisibility::Hidden => Some(0),
                NodeVisibility::Row if !self.is_open(node.id) => Some(1),
                _ if node.children().is_empty() => Some(own),
                _ => self.row_counts.get(node),
            };
            let mut rows = match known {
                Some(rows) => rows,
                None => {
                    stack.push(RowCountFrame {
                        node,
                        next: 1,
                        rows: own,
                    });
                    node = &node.children()[0];
                    continue;
                }
            };
            // Adds the number to the parents until one has another child to count.
            node = loop {
                let Some(top) = stack.last_mut() else {
                    return rows;
                };
                top.rows += rows;
                if let Some(child) = top.node.children().get(top.next) {
                    top.next += 1;
                    break child;
                }
                rows = top.rows;
                self.row_counts.set(top.node, rows);
                stack.pop();
            };
        }
    }
}

struct RowWalkFrame<'a> {
    children: &'a [Arc<ProgramNode>],
    mark: NodeMark,
    item: u32,
    depth: u32,
}

/// Whether opening the node would show anything.
fn has_rows_below(document: &Document, node: &ProgramNode) -> bool {
    first_row_below(document, node).is_some()
}
