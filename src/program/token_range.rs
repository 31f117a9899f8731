//! Ranges of tokens: the relation of a node to a range, and the tokens of a node.

use std::ops::RangeInclusive;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::node::{FRESH_BIT, NodeShape, ProgramNode, TokenId};
use super::version::Version;
use super::walk;

/// The relation of a node to a range of tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RangeRelation {
    Disjoint,
    Equal,
    Inside,
    Encloses,
    Overlaps,
}

/// The relation of a node to a range of the original's tokens. New text inside the node does not count.
pub(super) fn relate_to_range(
    node: &Arc<ProgramNode>,
    stretch: &RangeInclusive<TokenId>,
) -> RangeRelation {
    let Some((first, last)) = original_bounds(node) else {
        return RangeRelation::Disjoint;
    };
    let (start, end) = (*stretch.start(), *stretch.end());
    if last < start || first > end {
        RangeRelation::Disjoint
    } else if first == start && last == end {
        RangeRelation::Equal
    } else if first >= start && last <= end {
        RangeRelation::Inside
    } else if first <= start && last >= end {
        RangeRelation::Encloses
    } else {
        RangeRelation::Overlaps
    }
}

/// The text from the first to the last leaf that has one of these tokens.
pub(super) fn verbatim_text(version: &Version, tokens: &[TokenId]) -> Vec<u8> {
    let wanted: FxHashSet<TokenId> = tokens.iter().copied().collect();
    let is_wanted = |leaf: &Arc<ProgramNode>| leaf.ids().iter().any(|id| wanted.contains(id));
    let (mut text, mut end) = (Vec::new(), 0);
    for leaf in version
        .documents()
        .iter()
        .flat_map(|document| walk::iter_leaves(&document.root))
    {
        let wanted = is_wanted(leaf);
        if wanted && end == 0 {
            text.extend_from_slice(leaf.text());
            end = text.len();
        } else if end > 0 {
            text.extend_from_slice(leaf.trivia());
            text.extend_from_slice(leaf.text());
            if wanted {
                end = text.len();
            }
        }
    }
    text.truncate(end);
    text
}

/// The original's first and last token below a node.
fn original_bounds(node: &Arc<ProgramNode>) -> Option<(TokenId, TokenId)> {
    let old = |leaf: &Arc<ProgramNode>, last: bool| {
        let mut old = leaf.ids().iter().copied().filter(|id| id.0 < FRESH_BIT);
        if last { old.next_back() } else { old.next() }
    };
    let leaves = node.sums().leaves;
    let first = (0..leaves).find_map(|at| old(walk::leaf_at(node, at)?, false))?;
    let last = (0..leaves)
        .rev()
        .find_map(|at| old(walk::leaf_at(node, at)?, true))?;
    Some((first, last))
}

/// The identities of all tokens below a node, sorted; with comments if they are wanted.
pub fn tokens_of(node: &Arc<ProgramNode>, comments: bool) -> Vec<TokenId> {
    let comments = comments || node.shape == NodeShape::Extra;
    let wanted = |leaf: &&Arc<ProgramNode>| {
        leaf.shape == NodeShape::Token || comments && leaf.shape == NodeShape::Extra
    };
    let ids = walk::iter_leaves(node)
        .filter(wanted)
        .flat_map(|leaf| leaf.ids().iter().copied());
    let mut ids: Vec<TokenId> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// The tokens that a node cannot lose without becoming another node: those outside of all its lists and optional parts.
pub fn head_tokens(node: &Arc<ProgramNode>) -> Vec<TokenId> {
    let mut ids = Vec::new();
    let mut stack = vec![node];
    while let Some(node) = stack.pop() {
        match node.shape {
            NodeShape::Token => ids.extend(node.ids().iter().copied()),
            NodeShape::Star | NodeShape::Opt | NodeShape::Opaque => {}
            // A list that keeps one element keeps its first.
            NodeShape::Plus | NodeShape::Sep | NodeShape::Chunk => {
                stack.extend(node.children().first())
            }
            _ => stack.extend(node.children().iter().rev()),
        }
    }
    ids.sort_unstable();
    ids.dedup();
    ids
}
