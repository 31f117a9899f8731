//! The folds of the tree, and the rows that are shown.
//!
//! The tree may have a hundred thousand nodes, all of them unfolded, and a new version twenty times a second. So there is no list of
//! rows: each unfolded node knows how many rows lie below it, and versions share the nodes that an edit did not touch, so after an
//! edit only the path to its place is counted again. A row is found from its number, and a number from its node, by walking down.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::edit_marks::{EditMarks, NodeMark};
use super::file_folds::{FileFolds, FileRow};
use super::file_tree::EntryTotals;
use super::row_counts::{RowCountCache, RowCounter};
use super::visibility::{NodeVisibility, file_head, first_row, first_row_below, node_visibility};
use crate::program::{Document, NodeId, NodePath, ProgramNode, Version};

/// The number of nodes that are unfolded at once.
const NODES_AT_ONCE: usize = 40_000;

/// A row of the tree pane: of a tree, or of the directories and files of a project.
#[derive(Clone, Copy, Debug)]
pub enum PaneRow<'a> {
    /// A node.
    Node(TreeRow<'a>),
    /// A directory or a file.
    File(FileLine<'a>),
}

impl PaneRow<'_> {
    /// The node that the row stands for: that of a tree, or the head of the tree of a file. None for directories, and for files that are gone.
    pub fn node_id(&self) -> Option<NodeId> {
        match self {
            PaneRow::Node(row) => Some(row.node.id),
            PaneRow::File(line) => line.head.map(|head| head.id),
        }
    }

    fn target(&self) -> RowTarget {
        match self {
            PaneRow::Node(row) => RowTarget::Node(row.node.id),
            PaneRow::File(FileLine {
                head: Some(head), ..
            }) => RowTarget::Node(head.id),
            PaneRow::File(line) => RowTarget::File(line.row),
        }
    }
}

/// What a row of the tree pane stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowTarget {
    /// A node; a file that is there is the head of its tree.
    Node(NodeId),
    /// A directory, or files that are gone.
    File(FileRow),
}

/// The row of a directory or a file.
#[derive(Clone, Copy, Debug)]
pub struct FileLine<'a> {
    /// Which row.
    pub row: FileRow,
    /// The head of the tree of a file that is there.
    pub head: Option<&'a Arc<ProgramNode>>,
    /// The number of rows around it.
    pub depth: u32,
    /// Whether it is open; none when there is nothing below it.
    pub open: Option<bool>,
    /// How many files it stands for.
    pub files: u32,
    /// The sums of its files.
    pub totals: EntryTotals,
    /// Whether the current candidate would remove all of its files.
    pub removed: bool,
}

/// A row of the tree of a document.
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
    /// The directories and files of a project, above the trees.
    files: Option<FileFolds>,
    /// The row counts of large nodes.
    row_counts: RowCountCache,
    /// The row counts so far, while everything is being unfolded.
    unfolding: Option<RowCounter>,
}

impl FoldState {
    /// Everything folded but the top level of `version`; of a project, all files.
    pub fn new(version: &Version) -> FoldState {
        if version.is_project() {
            return FoldState {
                files: Some(FileFolds::new(version)),
                ..FoldState::default()
            };
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

    /// Whether the rows of a document are shown.
    fn shows(&self, number: usize) -> bool {
        self.shown_document.is_none_or(|shown| shown == number)
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
            let mut files = self.files.take();
            if let Some(files) = &mut files {
                files.set_all(true);
            }
            *self = FoldState {
                open_by_default: true,
                row_counts: counted,
                shown_document: self.shown_document,
                files,
                ..FoldState::default()
            };
        }
        true
    }

    /// The directories and files of a project.
    pub fn files(&self) -> Option<&FileFolds> {
        self.files.as_ref()
    }

    /// The same, to fold them.
    pub fn files_mut(&mut self) -> Option<&mut FileFolds> {
        self.files.as_mut()
    }

    /// Lists the rows of directories and files anew, if the version or a fold has changed.
    pub fn update_files(&mut self, version: &Version) {
        let Some(mut files) = self.files.take() else {
            return;
        };
        let documents = version.documents();
        let is_new = files.update_rows(version, |number| {
            self.count_rows_of_file(&documents[number])
        });
        if is_new {
            self.row_counts.evict_unused(version);
        }
        self.files = Some(files);
    }

    /// The number of rows below the row of a file.
    fn count_rows_of_file(&mut self, document: &Document) -> usize {
        let head = file_head(document);
        match self.is_open(head.id) {
            false => 0,
            true => {
                let rows = head.children().iter();
                rows.map(|child| self.count_rows(document, child) as usize)
                    .sum()
            }
        }
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
        if let Some(files) = &mut self.files {
            files.reveal_entry(files.tree().entry_of(path.document));
        }
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
            let (shown_document, files) = (self.shown_document, self.files.take());
            *self = match files {
                None => FoldState::new(version),
                Some(mut files) => {
                    files.set_all(false);
                    FoldState {
                        files: Some(files),
                        ..FoldState::default()
                    }
                }
            };
            self.shown_document = shown_document;
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
        if let Some(files) = &mut self.files {
            files.follow_document(path.map(|path| path.document));
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
        if let Some(files) = &mut self.files {
            files.keep_followed();
        }
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
        if let Some(files) = &mut self.files {
            files.forget_rows();
        }
    }

    /// How many rows there are.
    pub fn row_count(&mut self, version: &Version) -> usize {
        self.update_files(version);
        if let Some(files) = &self.files {
            return files.row_count();
        }
        self.row_counts.evict_unused(version);
        let documents = version.documents().iter().enumerate();
        documents
            .map(|(number, document)| match self.shows(number) {
                true => self.count_rows(document, &document.root) as usize,
                false => 0,
            })
            .sum()
    }

    /// The row number of the node at the end of `path`, or of the nearest visible row around it.
    pub fn row_number(&mut self, version: &Version, path: &NodePath) -> usize {
        self.update_files(version);
        let documents = version.documents();
        let document = &documents[path.document];
        if let Some(files) = &self.files {
            let entry = files.tree().entry_of(path.document);
            let Some(own) = files.number_of_row(FileRow::Entry(entry)) else {
                return files.row_near_entry(entry);
            };
            // The row of the file is that of the head.
            let head = file_head(document);
            return match node_visibility(document, head) {
                NodeVisibility::Row => self.row_in_document(document, path, own, own),
                _ if self.is_open(head.id) => self.row_in_document(document, path, own, own + 1),
                _ => own,
            };
        }
        let before = documents[..path.document].iter().enumerate();
        let at: usize = before
            .map(|(number, document)| match self.shows(number) {
                true => self.count_rows(document, &document.root) as usize,
                false => 0,
            })
            .sum();
        self.row_in_document(document, path, at, at)
    }

    /// The row number of the node at the end of `path`, or of the nearest visible row around it; `row` if there is none. The rows of the document begin
    /// at number `at`.
    fn row_in_document(
        &mut self,
        document: &Document,
        path: &NodePath,
        mut row: usize,
        mut at: usize,
    ) -> usize {
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
    ) -> Vec<PaneRow<'a>> {
        self.update_files(version);
        let mut walk = RowWalk {
            skip: first,
            count,
            rows: Vec::with_capacity(count.min(1024)),
        };
        if let Some(files) = self.files.take() {
            self.walk_files(version, &files, marks, &mut walk);
            self.files = Some(files);
            return walk.rows;
        }
        for (number, document) in version.documents().iter().enumerate() {
            if !self.shows(number) {
                continue;
            }
            let frame = RowWalkFrame {
                children: std::slice::from_ref(&document.root),
                mark: NodeMark::default(),
                item: 0,
                depth: 0,
            };
            self.walk_document((number, document), frame, marks, &mut walk);
        }
        walk.rows
    }

    /// Adds the rows of directories and files, and of the trees of open files.
    fn walk_files<'a>(
        &mut self,
        version: &'a Version,
        files: &FileFolds,
        marks: &EditMarks,
        walk: &mut RowWalk<'a>,
    ) {
        let tree = files.tree();
        let listed = files.listed_rows();
        let place = files.place_of_number(walk.skip);
        walk.skip -= listed.get(place).map_or(0, |row| row.number);
        for listed in &listed[place..] {
            if walk.is_full() {
                return;
            }
            let (document, totals) = match listed.row {
                FileRow::Entry(at) => (tree.entries()[at].document, files.totals_at(at)),
                FileRow::Gone(_) => (None, EntryTotals::default()),
            };
            let document = document.map(|number| (number, &version.documents()[number]));
            let document = document.filter(|(_, document)| !document.is_gone);
            let head = document.map(|(_, document)| file_head(document));
            let removed = match listed.row {
                FileRow::Entry(at) if totals.files > 0 => {
                    let removed = marks.removed_files(version, tree).get(&at);
                    removed.is_some_and(|removed| *removed == totals.files)
                }
                _ => false,
            };
            let open = match (document, head) {
                (Some((_, document)), Some(head)) => {
                    has_rows_below(document, head).then(|| self.is_open(head.id))
                }
                _ if matches!(listed.row, FileRow::Entry(_)) && totals.files == 0 => None,
                _ => Some(files.is_open(listed.row)),
            };
            walk.add_row(PaneRow::File(FileLine {
                row: listed.row,
                head,
                depth: listed.depth,
                open,
                files: listed.files,
                totals,
                removed,
            }));
            if let (Some(document), Some(head), Some(true)) = (document, head, open) {
                let frame = RowWalkFrame {
                    children: head.children(),
                    mark: version
                        .path_to(head.id)
                        .map_or_else(NodeMark::default, |path| marks.mark_at(&path)),
                    item: 0,
                    depth: listed.depth + 1,
                };
                self.walk_document(document, frame, marks, walk);
            }
        }
    }

    /// Adds the rows of a document from some nodes on.
    fn walk_document<'a>(
        &mut self,
        (number, document): (usize, &'a Document),
        first: RowWalkFrame<'a>,
        marks: &EditMarks,
        walk: &mut RowWalk<'a>,
    ) {
        let mut stack = vec![first];
        while let Some(top) = stack.last_mut() {
            if walk.is_full() {
                return;
            }
            let Some((node, rest)) = top.children.split_first() else {
                stack.pop();
                continue;
            };
            let (above, item, depth) = (top.mark, top.item, top.depth);
            top.children = rest;
            top.item += node.sums().items;
            if walk.skip > 0 {
                let below = self.count_rows(document, node) as usize;
                if below <= walk.skip {
                    walk.skip -= below;
                    continue;
                }
            }
            let mark = marks.mark_child(above, item, node);
            let below = match node_visibility(document, node) {
                NodeVisibility::Hidden => continue,
                NodeVisibility::Transparent => depth,
                NodeVisibility::Row => {
                    let open = has_rows_below(document, node).then(|| self.is_open(node.id));
                    walk.add_row(PaneRow::Node(TreeRow {
                        document: number,
                        node,
                        depth,
                        open,
                        removed: mark.removed,
                    }));
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

    /// What the row with this number stands for.
    pub fn target_of_row(&mut self, version: &Version, row: usize) -> Option<RowTarget> {
        let rows = self.visible_rows(version, &EditMarks::default(), row, 1);
        rows.first().map(PaneRow::target)
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

/// The rows that are wanted: how many are skipped before them, how many there may be, and those that were found.
struct RowWalk<'a> {
    skip: usize,
    count: usize,
    rows: Vec<PaneRow<'a>>,
}

impl<'a> RowWalk<'a> {
    fn is_full(&self) -> bool {
        self.rows.len() >= self.count
    }

    fn add_row(&mut self, row: PaneRow<'a>) {
        match self.skip {
            0 => self.rows.push(row),
            _ => self.skip -= 1,
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
