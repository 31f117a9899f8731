//! The marks of the current candidate: which nodes it would remove, for the tree and for the program.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::file_tree::FileTree;
use crate::program::{
    Edit, IndexRanges, NodeId, NodePath, NodeShape, ProgramNode, Replacement, Version,
};

/// The nodes that an edit removes and keeps.
#[derive(Debug, Default)]
pub struct EditMarks {
    pub(super) removed: FxHashSet<NodeId>,
    kept: FxHashSet<NodeId>,
    lists: FxHashMap<NodeId, IndexRanges>,
    /// Tokens of a document of a pair that come into the other one: in the variant, what was deleted comes back.
    pub(super) restored: FxHashSet<NodeId>,
    /// The first token that goes or comes back, of an edit of whole texts.
    pub(super) first_token: Option<NodeId>,
    /// How many files it removes of each directory or file of a project, once that was asked.
    removed_files: OnceLock<FxHashMap<usize, u32>>,
}

/// The mark of a node, which the nodes below it inherit.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeMark {
    /// Whether the edit removes it.
    pub removed: bool,
    /// The list of the edit that this chunk or list belongs to, and the number of its first element.
    list: Option<(NodeId, u32)>,
}

impl EditMarks {
    /// The marks of `edit`.
    pub fn from_edit(edit: &Edit) -> EditMarks {
        let mut marks = EditMarks::default();
        for op in &edit.ops {
            marks.removed.extend(op.removed_node());
            marks
                .kept
                .extend(op.kept_node().into_iter().chain(op.kept_pieces()));
            if let Some(Replacement::Leaves(leaves)) = op.replacement() {
                let own = op.removed_node();
                let copied = leaves.iter().filter(|leaf| Some(**leaf) != own);
                marks.restored.extend(copied);
            }
        }
        let lists = edit.item_removals();
        marks.lists = lists.map(|(list, items)| (list, items.clone())).collect();
        marks
    }

    /// The first token that goes or comes back, if the edit is one of whole texts.
    pub fn first_token(&self) -> Option<NodeId> {
        self.first_token
    }

    /// The nodes that it removes or brings into the other document, and the lists of which it removes elements.
    pub fn places(&self) -> impl Iterator<Item = NodeId> + '_ {
        let nodes = self.removed.iter().chain(&self.restored);
        nodes.chain(self.lists.keys()).copied()
    }

    /// Whether it removes elements of a list that stand below this node, which is the list or a stretch of it and has this mark.
    pub fn removes_elements_below(&self, mark: NodeMark, node: &ProgramNode) -> bool {
        mark.list.is_some_and(|(list, first)| {
            let items = self.lists.get(&list);
            items.is_some_and(|items| items.intersects_range(first..first + node.sums().items))
        })
    }

    /// Whether an edit of whole texts removes this token, or brings it into the other document.
    pub fn changes_token(&self, leaf: NodeId) -> bool {
        self.removed.contains(&leaf) || self.restored.contains(&leaf)
    }

    /// Whether the edit brings this token into the other document of a pair.
    pub fn restores_token(&self, leaf: NodeId) -> bool {
        self.restored.contains(&leaf)
    }

    /// How many files the edit removes of each entry of a project's files.
    pub fn removed_files(&self, version: &Version, tree: &FileTree) -> &FxHashMap<usize, u32> {
        self.removed_files.get_or_init(|| {
            let paths = self
                .removed
                .iter()
                .filter_map(|node| version.path_to(*node));
            let files = paths.filter(|path| path.nodes.len() == 1);
            tree.count_documents(files.map(|path| path.document))
        })
    }

    /// The mark of a document's root.
    pub fn mark_root(&self, node: &ProgramNode) -> NodeMark {
        self.mark_child(NodeMark::default(), 0, node)
    }

    /// The mark of the node at the end of a path.
    pub fn mark_at(&self, path: &NodePath) -> NodeMark {
        let mut mark = self.mark_root(path.nodes[0]);
        for pair in path.nodes.windows(2) {
            let before = pair[0].children().iter();
            let before = before.take_while(|child| child.id != pair[1].id);
            let item = before.map(|child| child.sums().items).sum();
            mark = self.mark_child(mark, item, pair[1]);
        }
        mark
    }

    /// The mark of `child`, whose parent has the mark `above`; `item` is the number of elements before it in the parent's own children.
    pub fn mark_child(&self, above: NodeMark, item: u32, child: &ProgramNode) -> NodeMark {
        let number = above.list.map(|(list, first)| (list, first + item));
        let mut mark = NodeMark {
            removed: above.removed,
            list: None,
        };
        if child.shape == NodeShape::Chunk {
            mark.list = number;
            return mark;
        }
        if let Some((list, number)) = number {
            mark.removed |= self
                .lists
                .get(&list)
                .is_some_and(|items| items.intersects_range(number..number + 1));
        }
        mark.removed |= self.removed.contains(&child.id);
        if self.kept.contains(&child.id) {
            mark.removed = false;
        }
        if self.lists.contains_key(&child.id) {
            mark.list = Some((child.id, 0));
        }
        mark
    }
}
