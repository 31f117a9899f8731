//! Edits: what a pass may propose.

use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::node::NodeId;
use super::text::FileText;
pub use crate::protocol::IndexRanges;

/// One change of one place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum EditOp {
    /// The node is removed: an optional part, a comment, or the root of a document, whose file goes. Strategies without a grammar may remove any other node too; then what it was a
    /// part of is opaque until the text is read again.
    Delete(NodeId),
    /// These elements of a list are removed, with the separators that belong to them.
    DeleteItems {
        /// The list.
        list: NodeId,
        /// Which elements.
        items: IndexRanges,
    },
    /// Something else replaces the node.
    Replace {
        /// The node that is replaced.
        node: NodeId,
        /// Its replacement.
        piece: Replacement,
    },
    /// All line markers are removed.
    StripMarkers,
    /// Other white space stands before some leaves, in the order of the text. No token changes. It is the only operation of its edit.
    Respace(Arc<[SpaceChange]>),
    /// These are the new texts of the documents: the user's own edit. It is the only operation of its edit.
    Rewrite(Arc<[FileText]>),
    /// The same, proposed by a pass with an order of its own among programs of equal size, in which these texts are simpler: they need not be
    /// smaller. It is the only operation of its edit.
    Simplify(Arc<[FileText]>),
}

/// Other white space before a leaf.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SpaceChange {
    /// The number of the leaf among those of all documents, from 0.
    pub leaf: u32,
    /// The white space.
    pub space: Arc<[u8]>,
}

impl EditOp {
    /// The place that it changes: a node, or a list that loses elements. None for a change of the whole program.
    pub fn target(&self) -> Option<NodeId> {
        match self {
            EditOp::Delete(target)
            | EditOp::DeleteItems { list: target, .. }
            | EditOp::Replace { node: target, .. } => Some(*target),
            EditOp::StripMarkers
            | EditOp::Respace(_)
            | EditOp::Rewrite(_)
            | EditOp::Simplify(_) => None,
        }
    }

    /// The node that is removed as a whole, whether or not something replaces it.
    pub fn removed_node(&self) -> Option<NodeId> {
        match self {
            EditOp::Delete(node) | EditOp::Replace { node, .. } => Some(*node),
            EditOp::DeleteItems { .. }
            | EditOp::StripMarkers
            | EditOp::Respace(_)
            | EditOp::Rewrite(_)
            | EditOp::Simplify(_) => None,
        }
    }

    /// The list that loses elements, and which.
    pub fn removed_items(&self) -> Option<(NodeId, &IndexRanges)> {
        match self {
            EditOp::DeleteItems { list, items } => Some((*list, items)),
            _ => None,
        }
    }

    /// The replacement of the node that is removed.
    pub fn replacement(&self) -> Option<&Replacement> {
        match self {
            EditOp::Replace { piece, .. } => Some(piece),
            _ => None,
        }
    }

    /// The node at or below the removed one that stays, or whose elements stay.
    pub fn kept_node(&self) -> Option<NodeId> {
        match self.replacement()? {
            Replacement::Node(kept) | Replacement::Items(kept) => Some(*kept),
            Replacement::Leaves(leaves) => {
                let own = self.removed_node()?;
                leaves.contains(&own).then_some(own)
            }
            Replacement::Tokens(_) | Replacement::Pieces(_) => None,
        }
    }

    /// The nodes below the removed one that stay between new tokens.
    pub fn kept_pieces(&self) -> impl Iterator<Item = NodeId> {
        let pieces = match self.replacement() {
            Some(Replacement::Pieces(pieces)) => &pieces[..],
            _ => &[],
        };
        pieces.iter().filter_map(|piece| match piece.content {
            PieceContent::Node(node) => Some(node),
            PieceContent::Token(_) => None,
        })
    }
}

/// What may replace a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Replacement {
    /// A node below it.
    Node(NodeId),
    /// The elements of a list below it.
    Items(NodeId),
    /// New tokens, by their text. White space at the beginning of a text stands before its token.
    Tokens(Arc<[Arc<[u8]>]>),
    /// These leaves, in this order. The node itself stays if it is a leaf and one of them; the others are copied from where they are, with
    /// the white space before them. In a pair a copy is the twin of its original if that has none. What they stand in is opaque until the
    /// text is read again.
    Leaves(Arc<[NodeId]>),
    /// New tokens and nodes below it, in this order. The nodes are in the order of the text, none within another, and keep their identities. What
    /// they stand in is opaque until the text is read again.
    Pieces(Arc<[ReplacementPiece]>),
}

/// A new token, or a node that stays.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReplacementPiece {
    /// What it is.
    pub content: PieceContent,
    /// The white space before it. The first piece has that of the place.
    pub trivia: Arc<[u8]>,
}

/// See [`ReplacementPiece`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PieceContent {
    /// A new token, by its text.
    Token(Arc<[u8]>),
    /// A node that stays.
    Node(NodeId),
}

/// Changes that are made together or not at all. Their places do not overlap: none lies within another that is removed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Edit {
    /// The changes.
    pub ops: SmallVec<[EditOp; 1]>,
    /// Whether it may make the program larger, and how far the run then goes on from there. None for all others.
    pub detour: Option<DetourBound>,
}

/// How far a run goes on from an edit that made the program larger, unless it becomes smaller than before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DetourBound {
    /// Until no pass of the strategy proposes anything: the user's own detour.
    Unbounded,
    /// At most so many decisions, and until the passes that reduce inside a detour propose nothing: the detour of a pass.
    Decisions(u32),
    /// Not at all: the pass keeps it in a search of its own, and accepts it only where it makes the program smaller.
    OnlyAsked,
}

impl Edit {
    /// The lists that lose elements, and which.
    pub fn item_removals(&self) -> impl Iterator<Item = (NodeId, &IndexRanges)> {
        self.ops.iter().filter_map(EditOp::removed_items)
    }

    /// The elements of this list that are removed.
    pub fn deleted_items(&self, of: NodeId) -> Option<&IndexRanges> {
        let mut removals = self.item_removals();
        removals.find_map(|(list, items)| (list == of).then_some(items))
    }

    /// The texts of the documents, where the edit is new texts as a whole.
    pub fn new_texts(&self) -> Option<&Arc<[FileText]>> {
        match &self.ops[..] {
            [EditOp::Rewrite(texts) | EditOp::Simplify(texts)] => Some(texts),
            _ => None,
        }
    }

    /// Whether it is new texts as a whole.
    pub fn is_rewrite(&self) -> bool {
        self.new_texts().is_some()
    }

    /// Whether it begins a detour where it makes the program larger.
    pub fn begins_detour(&self) -> bool {
        self.detour
            .is_some_and(|bound| bound != DetourBound::OnlyAsked)
    }

    /// Whether the program after it may be as large as before.
    pub fn may_keep_size(&self) -> bool {
        matches!(self.ops[..], [EditOp::Simplify(_)])
    }
}

impl From<EditOp> for Edit {
    fn from(op: EditOp) -> Edit {
        Edit {
            ops: smallvec![op],
            detour: None,
        }
    }
}

impl FromIterator<EditOp> for Edit {
    fn from_iter<T: IntoIterator<Item = EditOp>>(ops: T) -> Edit {
        Edit {
            ops: ops.into_iter().collect(),
            detour: None,
        }
    }
}

/// Why an edit cannot be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum EditError {
    /// A node it names is not there, or not in the place that the edit requires.
    #[error("the edit is about something that is not in this version")]
    NodeNotFound,
    /// Two of its changes overlap.
    #[error("two changes of the edit are about one place")]
    Overlap,
    /// The grammar does not allow what would be left.
    #[error("what would be left does not fit the grammar")]
    Ungrammatical,
    /// It would change a file that stays as it is.
    #[error("the edit is about a file that stays as it is")]
    FixedText,
}

/// An edit that was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedEdit {
    /// The edit.
    pub edit: Edit,
    /// The nodes that replace others now, in the order of the edit.
    pub inserted: Arc<[NodeId]>,
    /// The leaves that were copied, each with its copy.
    pub copied: Arc<[(NodeId, NodeId)]>,
}
