//! Which node is selected, when nodes go.

use std::sync::Arc;

use super::folds::{Part, first_row, part};
use crate::program::{Node, NodeId, Trail, Version};

/// How far a neighbour may be.
const NEAR: usize = 64;

/// The node of `new` that is selected when `selected` was, in `old`: the node itself, else its nearest neighbour after or before it,
/// else the same for what it lay in.
pub fn survivor(old: &Version, new: &Version, selected: NodeId) -> Option<NodeId> {
    let is_row = |id: NodeId| new.trail(id).is_some_and(|trail| is_row(new, &trail));
    if is_row(selected) {
        return Some(selected);
    }
    if let Some(trail) = old.trail(selected) {
        let document = &old.documents()[trail.document];
        let mut below = trail.node();
        for above in trail.nodes.iter().rev().skip(1) {
            let at = above
                .kids()
                .iter()
                .position(|kid| kid.id == below.id)
                .unwrap_or(0);
            let after = above.kids()[at..].iter().take(NEAR);
            let before = above.kids()[..at].iter().rev().take(NEAR);
            if let Some(near) = after
                .chain(before)
                .filter(|kid| part(document, kid) == Part::Row)
                .find(|kid| is_row(kid.id))
            {
                return Some(near.id);
            }
            if is_row(above.id) {
                return Some(above.id);
            }
            below = above;
        }
    }
    top(new)
}

/// The first row of all.
pub fn top(version: &Version) -> Option<NodeId> {
    let document = version.documents().first()?;
    first_row(document, &document.root).map(|node| node.id)
}

fn is_row(version: &Version, trail: &Trail) -> bool {
    part(&version.documents()[trail.document], trail.node()) == Part::Row
}

/// The way to the row that the node at the end of `trail` belongs to.
pub fn row_of<'a>(version: &Version, trail: &Trail<'a>) -> Trail<'a> {
    let document = &version.documents()[trail.document];
    let last = trail
        .nodes
        .iter()
        .rposition(|node| part(document, node) == Part::Row)
        .unwrap_or(0);
    Trail {
        document: trail.document,
        nodes: trail.nodes[..=last].to_vec(),
    }
}

/// The row around the row at the end of `trail`.
pub fn outer<'a>(version: &Version, trail: &Trail<'a>) -> Option<&'a Arc<Node>> {
    let (_, above) = trail.nodes.split_last()?;
    let document = &version.documents()[trail.document];
    above
        .iter()
        .rev()
        .find(|node| part(document, node) == Part::Row)
        .copied()
}

/// The outermost row, the document itself aside, whose text begins with the leaf at the end of `trail`; where there is none, the
/// innermost that the leaf is in.
pub fn beginning_with<'a>(version: &Version, trail: &Trail<'a>) -> &'a Arc<Node> {
    let document = &version.documents()[trail.document];
    // From the leaf up, as long as it is the first thing in each.
    let first = trail.nodes.windows(2).rposition(|pair| {
        pair[0]
            .kids()
            .first()
            .is_none_or(|kid| kid.id != pair[1].id)
    });
    let from = first.map_or(1, |at| at + 1).min(trail.nodes.len());
    let begins = trail.nodes[from..]
        .iter()
        .find(|node| part(document, node) == Part::Row);
    begins
        .copied()
        .unwrap_or_else(|| row_of(version, trail).node())
}

/// The line on which the text of the node at the end of `trail` begins, counted from 0.
pub fn first_line(trail: &Trail) -> u32 {
    let first = crate::program::walk::leaf(trail.node(), 0);
    let blank = first.map_or(0, |leaf| {
        leaf.trivia().iter().filter(|&&byte| byte == b'\n').count()
    });
    trail.before().newlines + blank as u32
}
