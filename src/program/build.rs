//! From drafts to nodes: numbering, and the chunks that make an edit of a long list cheap.

use std::collections::VecDeque;
use std::sync::Arc;

use super::node::{LeafBody, NodeFlags, NodeHead, NodeId, NodeShape, ProgramNode};
use crate::grammar::{ExprId, NodeClass};

/// How many children a new chunk has. A list or chunk that grows to more than twice as many is divided again.
pub const CHUNK_LENGTH: usize = 32;

/// A node under construction, without an identity.
#[derive(Debug)]
pub struct NodeDraft {
    /// See [`NodeShape`].
    pub shape: NodeShape,
    /// See [`ProgramNode::flags`].
    pub flags: NodeFlags,
    /// See [`ProgramNode::field`].
    pub field: u16,
    /// See [`ProgramNode::class`].
    pub class: Option<NodeClass>,
    /// See [`ProgramNode::expected`].
    pub expected: Option<ExprId>,
    /// Whether it begins a line.
    pub begins_line: bool,
    /// Its identity, once it is sealed.
    id: Option<NodeId>,
    /// Text or children.
    pub body: DraftBody,
}

/// What a draft consists of.
#[derive(Debug)]
pub enum DraftBody {
    /// A leaf.
    Leaf(LeafBody),
    /// Children. A queue, because chains grow at either end.
    Inner(VecDeque<NodeDraft>),
    /// The finished children of a sealed draft.
    Built(Vec<Arc<ProgramNode>>),
}

impl NodeDraft {
    /// An inner draft of this shape. If it is opaque, the parser reported an error in it.
    pub fn new_inner(shape: NodeShape, children: impl Into<VecDeque<NodeDraft>>) -> NodeDraft {
        let children = children.into();
        let flags = match shape {
            NodeShape::Opaque => NodeFlags::FAULT,
            _ => NodeFlags::NONE,
        };
        NodeDraft {
            shape,
            flags,
            field: 0,
            class: None,
            expected: None,
            begins_line: children.front().is_some_and(|first| first.begins_line),
            id: None,
            body: DraftBody::Inner(children),
        }
    }

    /// A leaf.
    pub fn new_leaf(shape: NodeShape, leaf: LeafBody) -> NodeDraft {
        let begins_line = leaf.trivia().contains(&b'\n');
        let body = DraftBody::Leaf(leaf);
        NodeDraft {
            shape,
            flags: NodeFlags::NONE,
            field: 0,
            class: None,
            expected: None,
            begins_line,
            id: None,
            body,
        }
    }

    /// Whether it has its identity.
    pub fn is_sealed(&self) -> bool {
        self.id.is_some()
    }

    /// Its children; none for a leaf and for a sealed draft.
    pub fn children(&self) -> Option<&VecDeque<NodeDraft>> {
        match &self.body {
            DraftBody::Leaf(..) | DraftBody::Built(_) => None,
            DraftBody::Inner(children) => Some(children),
        }
    }

    /// Its children, mutable.
    pub fn children_mut(&mut self) -> Option<&mut VecDeque<NodeDraft>> {
        match &mut self.body {
            DraftBody::Leaf(..) | DraftBody::Built(_) => None,
            DraftBody::Inner(children) => Some(children),
        }
    }

    /// Finishes all that is below, and gives the draft its identity. Its `expected` expression may still change.
    ///
    /// A node needs a third of the memory of a draft, so a long document is sealed piece by piece.
    pub fn build_children(&mut self, names: &mut impl NodeIdSource) {
        let children = self.children_mut().map(std::mem::take);
        let mut finished = |child| {
            let child = build_tree(child, names);
            // Nodes that did not change are shared with the version before.
            let before = names.previous_node(child.id);
            before
                .filter(|before| before.is_identical(&child))
                .unwrap_or(child)
        };
        let children = children.map(|children| children.into_iter().map(&mut finished).collect());
        self.id = Some(match children {
            None => names.assign_id(self, &[]),
            Some(children) => {
                let (id, children) = assign_children(self, children, names);
                self.body = DraftBody::Built(children);
                id
            }
        });
    }

    /// Adds these offsets to the node and token identities of a sealed draft and of all below it.
    pub fn shift_ids(&mut self, nodes: u64, tokens: u64) {
        if let Some(id) = &mut self.id {
            id.0 += nodes;
        }
        match &mut self.body {
            DraftBody::Leaf(leaf) => leaf.shift_ids(tokens),
            DraftBody::Built(children) => children
                .iter_mut()
                .for_each(|child| ProgramNode::shift_ids(child, nodes, tokens)),
            DraftBody::Inner(_) => {}
        }
    }

    fn head_with_id(&self, id: NodeId) -> NodeHead {
        let &NodeDraft {
            shape,
            flags,
            field,
            class,
            expected,
            ..
        } = self;
        NodeHead {
            id,
            shape,
            flags,
            field,
            class,
            expected,
        }
    }
}

impl Drop for NodeDraft {
    /// Without recursion, as for [`ProgramNode`].
    fn drop(&mut self) {
        let DraftBody::Inner(children) = &mut self.body else {
            return;
        };
        let mut doomed: Vec<NodeDraft> = std::mem::take(children).into();
        while let Some(mut draft) = doomed.pop() {
            if let DraftBody::Inner(children) = &mut draft.body {
                doomed.extend(std::mem::take(children));
            }
        }
    }
}

/// Assigns identities while a tree is finished, and records the parent of each node.
pub trait NodeIdSource {
    /// The identity of a node whose children are known; children come first.
    fn assign_id(&mut self, draft: &NodeDraft, children: &[Arc<ProgramNode>]) -> NodeId;
    /// The identity of a chunk of these children.
    fn assign_chunk_id(&mut self, children: &[Arc<ProgramNode>]) -> NodeId;
    /// These are the children of `parent` now.
    fn record_children(&mut self, parent: NodeId, children: &[Arc<ProgramNode>]);
    /// The node of this identity, if there was one before.
    fn previous_node(&self, _: NodeId) -> Option<Arc<ProgramNode>> {
        None
    }
}

/// Builds the nodes of a draft, children first.
pub fn build_tree(root: NodeDraft, names: &mut impl NodeIdSource) -> Arc<ProgramNode> {
    struct DraftFrame {
        draft: NodeDraft,
        todo: std::collections::vec_deque::IntoIter<NodeDraft>,
        done: Vec<Arc<ProgramNode>>,
    }
    let open = |mut draft: NodeDraft| {
        let todo = draft
            .children_mut()
            .map(std::mem::take)
            .unwrap_or_default()
            .into_iter();
        let done = Vec::with_capacity(todo.len());
        DraftFrame { draft, todo, done }
    };
    let mut stack = vec![open(root)];
    loop {
        let top = stack
            .last_mut()
            .expect("the root's frame is left by returning");
        if let Some(child) = top.todo.next() {
            match child.body {
                DraftBody::Inner(_) => stack.push(open(child)),
                _ => top.done.push(build_node(child, Vec::new(), names)),
            }
            continue;
        }
        let Some(DraftFrame { draft, done, .. }) = stack.pop() else {
            unreachable!("checked above")
        };
        let node = build_node(draft, done, names);
        match stack.last_mut() {
            Some(parent) => parent.done.push(node),
            None => return node,
        }
    }
}

fn build_node(
    mut draft: NodeDraft,
    children: Vec<Arc<ProgramNode>>,
    names: &mut impl NodeIdSource,
) -> Arc<ProgramNode> {
    let (id, children) = match draft.body {
        DraftBody::Inner(_) => {
            let (id, children) = assign_children(&draft, children, names);
            (Some(id), children)
        }
        _ => (draft.id, children),
    };
    let id = id.unwrap_or_else(|| names.assign_id(&draft, &[]));
    let head = draft.head_with_id(id);
    match std::mem::replace(&mut draft.body, DraftBody::Built(Vec::new())) {
        DraftBody::Leaf(leaf) => ProgramNode::from_leaf(head, leaf),
        DraftBody::Built(built) => ProgramNode::new_inner(head, built),
        DraftBody::Inner(_) => ProgramNode::new_inner(head, children),
    }
}

/// The identity of an inner draft, and its children as they are stored.
fn assign_children(
    draft: &NodeDraft,
    children: Vec<Arc<ProgramNode>>,
    names: &mut impl NodeIdSource,
) -> (NodeId, Vec<Arc<ProgramNode>>) {
    let children = if draft.shape.is_list() {
        chunk_children(children, names)
    } else {
        children
    };
    let id = names.assign_id(draft, &children);
    names.record_children(id, &children);
    (id, children)
}

/// Puts a long list of children into chunks, level by level, until few are left.
pub fn chunk_children(
    mut children: Vec<Arc<ProgramNode>>,
    names: &mut impl NodeIdSource,
) -> Vec<Arc<ProgramNode>> {
    while children.len() > 2 * CHUNK_LENGTH {
        let mut level = Vec::with_capacity(children.len() / CHUNK_LENGTH + 1);
        let mut rest = children.into_iter().peekable();
        while rest.peek().is_some() {
            let part: Vec<_> = rest.by_ref().take(CHUNK_LENGTH).collect();
            let id = names.assign_chunk_id(&part);
            names.record_children(id, &part);
            level.push(ProgramNode::new_inner(
                NodeHead::with_shape(id, NodeShape::Chunk),
                part,
            ));
        }
        children = level;
    }
    children
}

/// The last child of a draft.
pub fn last_child(draft: &NodeDraft) -> Option<&NodeDraft> {
    draft.children()?.back()
}

/// The last child of a draft, mutable.
pub fn last_child_mut(draft: &mut NodeDraft) -> Option<&mut NodeDraft> {
    draft.children_mut()?.back_mut()
}

#[cfg(test)]
mod tests {
    use super::super::text::SharedText;
    use super::*;

    #[test]
    fn a_draft_of_any_depth_can_be_dropped() {
        let leaf = LeafBody::new(&[], SharedText::empty(), SharedText::empty());
        let mut draft = NodeDraft::new_leaf(NodeShape::Token, leaf);
        for _ in 0..100_000 {
            draft = NodeDraft::new_inner(NodeShape::Regular, [draft]);
        }
        drop(draft);
    }
}
