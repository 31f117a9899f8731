//! Edits: what a pass may ask for.

use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::node::NodeId;
pub use crate::protocol::IndexRanges;

/// One change of one place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum EditOp {
    /// The node goes: an optional part or a comment. Anything else may go too, and then what it was a part of is opaque until the
    /// text is read again: for strategies that know no grammar.
    Delete(NodeId),
    /// These elements of a list go, with the separators that belong to them.
    DeleteItems {
        /// The list.
        list: NodeId,
        /// Which elements.
        items: IndexRanges,
    },
    /// Something else stands in the node's place.
    Replace {
        /// The node that goes.
        node: NodeId,
        /// What comes.
        piece: Replacement,
    },
    /// All line markers go.
    StripMarkers,
    /// These are the texts of the documents now: the user's own edit. It stands alone in an edit.
    Rewrite(Arc<[Arc<[u8]>]>),
}

impl EditOp {
    /// The place that it changes: a node, or a list that loses elements. None for a change of the whole program.
    pub fn target(&self) -> Option<NodeId> {
        match self {
            EditOp::Delete(target)
            | EditOp::DeleteItems { list: target, .. }
            | EditOp::Replace { node: target, .. } => Some(*target),
            EditOp::StripMarkers | EditOp::Rewrite(_) => None,
        }
    }

    /// The node that goes as a whole, whether or not something comes in its place.
    pub fn removed_node(&self) -> Option<NodeId> {
        match self {
            EditOp::Delete(node) | EditOp::Replace { node, .. } => Some(*node),
            EditOp::DeleteItems { .. } | EditOp::StripMarkers | EditOp::Rewrite(_) => None,
        }
    }

    /// The list that loses elements, and which.
    pub fn removed_items(&self) -> Option<(NodeId, &IndexRanges)> {
        match self {
            EditOp::DeleteItems { list, items } => Some((*list, items)),
            _ => None,
        }
    }

    /// What comes in the place of the node that goes.
    pub fn replacement(&self) -> Option<&Replacement> {
        match self {
            EditOp::Replace { piece, .. } => Some(piece),
            _ => None,
        }
    }

    /// The node below the one that goes which stays, or whose elements stay.
    pub fn kept_node(&self) -> Option<NodeId> {
        match self.replacement()? {
            Replacement::Node(kept) | Replacement::Items(kept) => Some(*kept),
            Replacement::Tokens(_) => None,
        }
    }
}

/// What may stand in the place of a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Replacement {
    /// A node below it.
    Node(NodeId),
    /// The elements of a list below it.
    Items(NodeId),
    /// New tokens, by their text.
    Tokens(Arc<[Arc<[u8]>]>),
}

/// Changes that are made together or not at all. They are over different places: no place lies within another that goes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Edit {
    /// The changes.
    pub ops: SmallVec<[EditOp; 1]>,
}

impl Edit {
    /// The lists that lose elements by it, and which.
    pub fn item_removals(&self) -> impl Iterator<Item = (NodeId, &IndexRanges)> {
        self.ops.iter().filter_map(EditOp::removed_items)
    }

    /// The elements of this list that go by it.
    pub fn deleted_items(&self, of: NodeId) -> Option<&IndexRanges> {
        let mut removals = self.item_removals();
        removals.find_map(|(list, items)| (list == of).then_some(items))
    }

    /// Whether it is the user's own text.
    pub fn is_rewrite(&self) -> bool {
        matches!(self.ops[..], [EditOp::Rewrite(_)])
    }
}

impl From<EditOp> for Edit {
    fn from(op: EditOp) -> Edit {
        Edit { ops: smallvec![op] }
    }
}

impl FromIterator<EditOp> for Edit {
    fn from_iter<T: IntoIterator<Item = EditOp>>(ops: T) -> Edit {
        Edit {
            ops: ops.into_iter().collect(),
        }
    }
}

/// Why an edit cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum EditError {
    /// A node it names is not there, or not where the edit wants it.
    #[error("the edit is about something that is not in this version")]
    NodeNotFound,
    /// Two of its changes are about one place.
    #[error("two changes of the edit are about one place")]
    Overlap,
    /// What would be left is no program by the grammar.
    #[error("what would be left does not fit the grammar")]
    Ungrammatical,
}

/// An edit that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedEdit {
    /// The edit.
    pub edit: Edit,
    /// The nodes that stand in the place of others now, in the order of the edit.
    pub inserted: Arc<[NodeId]>,
}
