//! What may stand in the place of a regular node: Perses, algorithm 4 (bounded breadth-first search over compatible descendants).

use std::collections::VecDeque;
use std::sync::Arc;

use crate::program::{
    Action, Change, Edit, Node, NodeId, Op, Piece, Shape, Trail, Version, Why, all_fit, fits, walk,
};

/// How many levels of nodes below the node are looked at (Perses, §5: 4).
pub const DEPTH: u32 = 4;

/// A piece with its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What would stand there.
    pub piece: Piece,
    /// Its tokens.
    pub tokens: u32,
}

impl Candidate {
    /// The question whether it may stand in the place of `node`.
    pub fn question(&self, pass: &'static str, node: NodeId) -> Option<(Edit, Why)> {
        let piece = self.piece.clone();
        let action = match piece {
            Piece::Node(below) => Action::ReplaceBy(below),
            Piece::Items(list) => Action::SpliceItems(list),
            Piece::Tokens(_) => return None,
        };
        let why = Why {
            pass,
            action,
            node: Some(node),
        };
        Some((Op::Replace { node, piece }.into(), why))
    }
}

/// All pieces that may replace the node at the end of `trail`, smallest first, of equals the outer one, then in document order.
///
/// On each path down from the node the search stops at the first that fits: what is below it can be reached once it is in place.
/// Where the node is an element of a list, the elements of a list below it may stand there too (Kleene for regular).
///
/// Unlike the paper, which looks for those lists in a walk of its own, a list below a piece that fits is not tried by itself: nobody asks
/// about it if that piece fails. And such a list does not end its path.
pub fn candidates(version: &Version, trail: &Trail) -> Vec<Candidate> {
    let mut found = search(version, trail);
    found.sort_by_key(|candidate| candidate.tokens);
    found
}

/// The outermost piece of at most half the size on the way down that always takes the heaviest part: for a node that was put in its
/// place by a row of replacements, each of them a level down.
pub fn half(version: &Version, trail: &Trail) -> Option<Candidate> {
    let most = trail.node().sums.tokens / 2;
    let heaviest = |node: &std::sync::Arc<Node>| {
        let kids = node.kids().iter();
        kids.rev().max_by_key(|kid| kid.sums.tokens).cloned()
    };
    std::iter::successors(heaviest(trail.node()), heaviest)
        .filter(|below| below.sums.tokens <= most && below.sums.tokens > 0)
        .find(|below| fits(version, trail, below))
        .map(|below| Candidate {
            piece: Piece::Node(below.id),
            tokens: below.sums.tokens,
        })
}

/// The nearest node below the one at the end of `trail` that may stand in its place.
pub fn nearest(version: &Version, trail: &Trail) -> Option<NodeId> {
    let found = search(version, trail).into_iter();
    found
        .filter_map(|candidate| match candidate.piece {
            Piece::Node(node) => Some(node),
            Piece::Items(_) | Piece::Tokens(_) => None,
        })
        .next()
}

/// What has its turn after a change, since it stands in the place of something else now. Elements that were put into a list are among
/// them, but whether they may go is left to the next round: the paper, which keeps them in a list of their own, asks that at once.
pub fn came<'a>(version: &'a Version, change: &Change) -> impl Iterator<Item = &'a Arc<Node>> {
    change.came.iter().filter_map(|&node| version.node(node))
}

/// The pieces in the order of a breadth-first search.
fn search(version: &Version, trail: &Trail) -> Vec<Candidate> {
    let node = trail.node();
    let element_of_list = trail
        .parent()
        .is_some_and(|parent| matches!(parent.shape, Shape::Star | Shape::Plus));
    let mut found = Vec::new();
    let mut queue: VecDeque<(&std::sync::Arc<Node>, u32)> =
        node.kids().iter().map(|kid| (kid, 1)).collect();
    while let Some((below, depth)) = queue.pop_front() {
        let smaller = below.sums.tokens < node.sums.tokens && below.sums.tokens > 0;
        if smaller && fits(version, trail, below) {
            found.push(Candidate {
                piece: Piece::Node(below.id),
                tokens: below.sums.tokens,
            });
            continue;
        }
        if element_of_list
            && smaller
            && matches!(below.shape, Shape::Star | Shape::Plus | Shape::Sep)
            && all_fit(version, trail, below)
        {
            let tokens = walk::items(below)
                .map(|item| crate::program::element(item).sums.tokens)
                .sum();
            found.push(Candidate {
                piece: Piece::Items(below.id),
                tokens,
            });
        }
        // Groups of the normal form are no level of their own.
        let deeper = depth + u32::from(below.class.is_some());
        if deeper <= DEPTH {
            queue.extend(below.kids().iter().map(|kid| (kid, deeper)));
        }
    }
    found
}
