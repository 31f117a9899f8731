//! What a syntax-guided reducer does to a node (Perses, ICSE 2018, algorithm 2).

use std::sync::Arc;

use crate::program::{
    Edit, EditAction, EditOp, EditReason, NodeId, NodeShape, ProgramNode, strip_separator, walk,
};
use crate::protocol::{IndexRanges, ListChunk};

/// What is tried at a node, by its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeTask {
    /// A list: which elements may go?
    RemoveElements,
    /// An optional part: may it go?
    RemovePart,
    /// A regular node: what may stand in its place?
    Replace,
}

impl NodeTask {
    /// The task of a node of this shape.
    pub fn for_shape(shape: NodeShape) -> NodeTask {
        match shape {
            NodeShape::Opt => NodeTask::RemovePart,
            NodeShape::Regular | NodeShape::Item => NodeTask::Replace,
            _ => NodeTask::RemoveElements,
        }
    }
}

/// Whether something is tried at this node; where it only groups others, it is tried at those.
fn has_task(node: &ProgramNode) -> bool {
    match node.shape {
        NodeShape::Link | NodeShape::Chunk => false,
        NodeShape::Item => node.expected.is_some(),
        shape => !shape.is_leaf(),
    }
}

/// The outermost nodes at or below `root` that have a task and that `wanted` does not decline.
pub fn nodes_with_tasks(
    root: &Arc<ProgramNode>,
    wanted: impl Fn(&ProgramNode) -> bool,
) -> impl Iterator<Item = &Arc<ProgramNode>> {
    let mut stack = vec![root];
    std::iter::from_fn(move || {
        loop {
            let node = stack.pop()?;
            if has_task(node) && wanted(node) {
                return Some(node);
            }
            stack.extend(node.children());
        }
    })
}

/// Why these elements of a list are to go.
pub fn items_reason(pass: &'static str, list: &ProgramNode, items: &IndexRanges) -> EditReason {
    let first = items.ranges().first();
    let first = first.and_then(|range| walk::item_at(list, range.start as usize));
    EditReason {
        pass,
        action: EditAction::DropItems {
            go: items.len(),
            of: list.len() as u32,
            first: first.map(|item| strip_separator(item).id),
        },
        node: Some(list.id),
    }
}

/// A chunk of a list with the nodes of its elements, without their separators; none if they are not there.
pub fn name_elements(list: &ProgramNode, chunk: ListChunk<u32>) -> Option<ListChunk<NodeId>> {
    let element = |at: u32| walk::item_at(list, at as usize).map(|item| strip_separator(item).id);
    Some(ListChunk {
        first: element(chunk.first)?,
        last: element(chunk.last)?,
        elements: chunk.elements,
        fate: chunk.fate,
    })
}

/// The edit that removes an optional part, and why.
pub fn optional_proposal(pass: &'static str, node: NodeId) -> (Edit, EditReason) {
    let why = EditReason {
        pass,
        action: EditAction::DropOptional,
        node: Some(node),
    };
    (EditOp::Delete(node).into(), why)
}
