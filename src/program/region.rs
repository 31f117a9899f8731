//! Stretches of tokens: how a node lies to one, and which tokens a node has.

use std::ops::RangeInclusive;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::apply::FRESH;
use super::node::{Body, Node, Shape, TokId};
use super::version::Version;
use super::walk;

/// How a node lies to a stretch of tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lies {
    Apart,
    Same,
    Inside,
    Around,
    Across,
}

/// How a node lies to a stretch of the original's tokens. New text inside it does not count.
pub(super) fn lies(node: &Arc<Node>, stretch: &RangeInclusive<TokId>) -> Lies {
    let Some((first, last)) = original(node) else {
        return Lies::Apart;
    };
    let (start, end) = (*stretch.start(), *stretch.end());
    if last < start || first > end {
        Lies::Apart
    } else if first == start && last == end {
        Lies::Same
    } else if first >= start && last <= end {
        Lies::Inside
    } else if first <= start && last >= end {
        Lies::Around
    } else {
        Lies::Across
    }
}

/// The text from the first to the last leaf that has one of these tokens.
pub(super) fn verbatim(version: &Version, tokens: &[TokId]) -> Vec<u8> {
    let wanted: FxHashSet<TokId> = tokens.iter().copied().collect();
    let is_wanted = |leaf: &Arc<Node>| match &leaf.body {
        Body::Leaf { ids, .. } => ids.iter().any(|id| wanted.contains(id)),
        Body::Inner(_) => false,
    };
    let (mut text, mut end) = (Vec::new(), 0);
    for leaf in version
        .documents()
        .iter()
        .flat_map(|document| walk::leaves(&document.root))
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
fn original(node: &Arc<Node>) -> Option<(TokId, TokId)> {
    let old = |leaf: &Arc<Node>, last: bool| match &leaf.body {
        Body::Leaf { ids, .. } => {
            let mut old = ids.iter().copied().filter(|id| id.0 < FRESH);
            if last { old.next_back() } else { old.next() }
        }
        Body::Inner(_) => None,
    };
    let leaves = node.sums.leaves;
    let first = (0..leaves).find_map(|at| old(walk::leaf(node, at)?, false))?;
    let last = (0..leaves)
        .rev()
        .find_map(|at| old(walk::leaf(node, at)?, true))?;
    Some((first, last))
}

/// The identities of all tokens below a node, sorted; with comments if they are wanted.
pub fn tokens_of(node: &Arc<Node>, comments: bool) -> Vec<TokId> {
    let comments = comments || node.shape == Shape::Extra;
    let wanted =
        |leaf: &&Arc<Node>| leaf.shape == Shape::Token || comments && leaf.shape == Shape::Extra;
    let ids = walk::leaves(node)
        .filter(wanted)
        .flat_map(|leaf| match &leaf.body {
            Body::Leaf { ids, .. } => ids.to_vec(),
            Body::Inner(_) => Vec::new(),
        });
    let mut ids: Vec<TokId> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// The tokens that a node cannot lose without being another node: those that stand in no list and no optional part of it.
pub fn head_of(node: &Arc<Node>) -> Vec<TokId> {
    let mut ids = Vec::new();
    let mut stack = vec![node];
    while let Some(node) = stack.pop() {
        match (&node.body, node.shape) {
            (Body::Leaf { ids: own, .. }, Shape::Token) => ids.extend(own.iter().copied()),
            (Body::Leaf { .. }, _) | (_, Shape::Star | Shape::Opt | Shape::Opaque) => {}
            // A list that keeps one element keeps its first.
            (Body::Inner(kids), Shape::Plus | Shape::Sep | Shape::Chunk) => {
                stack.extend(kids.first())
            }
            (Body::Inner(kids), _) => stack.extend(kids.iter().rev()),
        }
    }
    ids.sort_unstable();
    ids.dedup();
    ids
}
