//! What may replace a regular node: Perses, algorithm 4 (bounded breadth-first search over compatible descendants).

use std::collections::VecDeque;
use std::sync::Arc;

use crate::program::{
    AppliedEdit, Edit, EditAction, EditOp, EditReason, NodeId, NodePath, NodeShape, ProgramNode,
    Replacement, Version, fits_place, items_fit_place, walk,
};
use crate::protocol::abandon::count_round;

/// How many levels of nodes below a node are searched for replacements (Perses, §5: 4).
pub const SEARCH_DEPTH: u32 = 4;

/// How far down a path the search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplacementSearch {
    /// To the first node that fits: what is below that can be reached once it is in place.
    Outermost,
    /// Through nodes that fit too: these may fail where what is below them does not. The paper does that for lists, in a walk of their own.
    All,
}

/// A replacement with its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacementCandidate {
    /// The replacement.
    pub replacement: Replacement,
    /// The number of its tokens.
    pub tokens: u32,
}

impl ReplacementCandidate {
    /// The edit that replaces `node` by it, and why.
    pub fn to_proposal(&self, pass: &'static str, node: NodeId) -> Option<(Edit, EditReason)> {
        let piece = self.replacement.clone();
        let action = match piece {
            Replacement::Node(below) => EditAction::ReplaceBy(below),
            Replacement::Items(list) => EditAction::SpliceItems(list),
            Replacement::Tokens(_) | Replacement::Leaves(_) | Replacement::Pieces(_) => {
                return None;
            }
        };
        let why = EditReason {
            pass,
            action,
            node: Some(node),
        };
        Some((EditOp::Replace { node, piece }.into(), why))
    }
}

/// All replacements for the node at the end of `path`, smallest first, of equal ones the outer one, then in document order.
///
/// Where the node is an element of a list, the elements of a list below it may replace it too (Kleene for regular); such a list does not end
/// its path.
pub fn replacement_candidates(
    version: &Version,
    path: &NodePath,
    search: ReplacementSearch,
) -> Vec<ReplacementCandidate> {
    let mut found = search_replacements(version, path, search);
    found.sort_by_key(|candidate| candidate.tokens);
    found
}

/// The outermost replacement of at most half the size on the way down that always chooses the heaviest part: for a node that got to its
/// place by several replacements in a row, each one level down.
pub fn half_size_candidate(version: &Version, path: &NodePath) -> Option<ReplacementCandidate> {
    let most = path.node().sums().tokens / 2;
    let heaviest = |node: &std::sync::Arc<ProgramNode>| {
        let children = node.children().iter();
        children
            .rev()
            .max_by_key(|child| child.sums().tokens)
            .cloned()
    };
    std::iter::successors(heaviest(path.node()), heaviest)
        .filter(|below| below.sums().tokens <= most && below.sums().tokens > 0)
        .find(|below| fits_place(version, path, below))
        .map(|below| ReplacementCandidate {
            replacement: Replacement::Node(below.id),
            tokens: below.sums().tokens,
        })
}

/// The nearest node below the one at the end of `path` that may replace it.
pub fn nearest_fitting(version: &Version, path: &NodePath) -> Option<NodeId> {
    let found = search_replacements(version, path, ReplacementSearch::Outermost).into_iter();
    found
        .filter_map(|candidate| match candidate.replacement {
            Replacement::Node(node) => Some(node),
            _ => None,
        })
        .next()
}

/// The nodes to try after a change, because they replace something else now. Elements that were spliced into a list are among them, but
/// whether they can be removed is left to the next round; the paper keeps them in a list of their own and tries that at once.
pub fn inserted_nodes<'a>(
    version: &'a Version,
    change: &AppliedEdit,
) -> impl Iterator<Item = &'a Arc<ProgramNode>> {
    change
        .inserted
        .iter()
        .filter_map(|&node| version.find_node(node))
}

/// The replacements in the order of a breadth-first search.
fn search_replacements(
    version: &Version,
    path: &NodePath,
    search: ReplacementSearch,
) -> Vec<ReplacementCandidate> {
    let node = path.node();
    let mut found = Vec::new();
    if node.expected.is_none() {
        // Nothing fits where the grammar expects nothing in particular: at the root, below which all of a file would be looked at.
        return found;
    }
    let own_tokens = node.sums().tokens;
    let element_of_list = path
        .parent()
        .is_some_and(|parent| matches!(parent.shape, NodeShape::Star | NodeShape::Plus));
    let mut queue: VecDeque<(&std::sync::Arc<ProgramNode>, u32)> =
        node.children().iter().map(|child| (child, 1)).collect();
    while let Some((below, depth)) = queue.pop_front() {
        count_round();
        let tokens = below.sums().tokens;
        let smaller = (1..own_tokens).contains(&tokens);
        let fits = smaller && fits_place(version, path, below);
        if fits {
            found.push(ReplacementCandidate {
                replacement: Replacement::Node(below.id),
                tokens,
            });
            if search == ReplacementSearch::Outermost {
                continue;
            }
        }
        if element_of_list
            && smaller
            && matches!(
                below.shape,
                NodeShape::Star | NodeShape::Plus | NodeShape::Sep
            )
            && items_fit_place(version, path, below)
        {
            let tokens = walk::iter_items(below)
                .map(|item| crate::program::strip_separator(item).sums().tokens)
                .sum();
            found.push(ReplacementCandidate {
                replacement: Replacement::Items(below.id),
                tokens,
            });
        }
        // Groups of the normal form are not a level.
        let deeper = depth + u32::from(below.class.is_some());
        if deeper <= SEARCH_DEPTH {
            queue.extend(below.children().iter().map(|child| (child, deeper)));
        }
    }
    found
}
