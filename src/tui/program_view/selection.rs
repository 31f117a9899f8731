//! Which node is selected, when nodes go.

use std::sync::Arc;

use super::visibility::{NodeVisibility, first_row, node_visibility};
use crate::program::{NodeId, NodePath, ProgramNode, Version};

/// How far a neighbour may be.
const NEAR: usize = 64;

/// The node of `new` that is selected when `selected` was, in `old`: the node itself, else its nearest neighbour after or before it,
/// else the same for what it lay in.
pub fn surviving_node(old: &Version, new: &Version, selected: NodeId) -> Option<NodeId> {
    let is_row = |id: NodeId| new.path_to(id).is_some_and(|trail| is_row(new, &trail));
    if is_row(selected) {
        return Some(selected);
    }
    if let Some(trail) = old.path_to(selected) {
        let document = &old.documents()[trail.document];
        let mut below = trail.node();
        for above in trail.nodes.iter().rev().skip(1) {
            let at = above
                .children()
                .iter()
                .position(|kid| kid.id == below.id)
                .unwrap_or(0);
            let after = above.children()[at..].iter().take(NEAR);
            let before = above.children()[..at].iter().rev().take(NEAR);
            if let Some(near) = after
                .chain(before)
                .filter(|kid| node_visibility(document, kid) == NodeVisibility::Row)
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
    top_row(new)
}

/// The first row of all.
pub fn top_row(version: &Version) -> Option<NodeId> {
    let document = version.documents().first()?;
    first_row(document, &document.root).map(|node| node.id)
}

fn is_row(version: &Version, trail: &NodePath) -> bool {
    node_visibility(&version.documents()[trail.document], trail.node()) == NodeVisibility::Row
}

/// The way to the row that the node at the end of `trail` belongs to.
pub fn enclosing_row<'a>(version: &Version, trail: &NodePath<'a>) -> NodePath<'a> {
    let document = &version.documents()[trail.document];
    let last = trail
        .nodes
        .iter()
        .rposition(|node| node_visibility(document, node) == NodeVisibility::Row)
        .unwrap_or(0);
    NodePath {
        document: trail.document,
        nodes: trail.nodes[..=last].to_vec(),
    }
}

/// The row around the row at the end of `trail`.
pub fn outer_row<'a>(version: &Version, trail: &NodePath<'a>) -> Option<&'a Arc<ProgramNode>> {
    let (_, above) = trail.nodes.split_last()?;
    let document = &version.documents()[trail.document];
    above
        .iter()
        .rev()
        .find(|node| node_visibility(document, node) == NodeVisibility::Row)
        .copied()
}

/// The outermost row, the document itself aside, whose text begins with the leaf at the end of `trail`; where there is none, the
/// innermost that the leaf is in.
pub fn outermost_row_at<'a>(version: &Version, trail: &NodePath<'a>) -> &'a Arc<ProgramNode> {
    let document = &version.documents()[trail.document];
    // From the leaf up, as long as it is the first thing in each.
    let first = trail.nodes.windows(2).rposition(|pair| {
        pair[0]
            .children()
            .first()
            .is_none_or(|kid| kid.id != pair[1].id)
    });
    let from = first.map_or(1, |at| at + 1).min(trail.nodes.len());
    let begins = trail.nodes[from..]
        .iter()
        .find(|node| node_visibility(document, node) == NodeVisibility::Row);
    begins
        .copied()
        .unwrap_or_else(|| enclosing_row(version, trail).node())
}

/// The line on which the text of the node at the end of `trail` begins, counted from 0.
pub fn first_line(trail: &NodePath) -> u32 {
    let first = crate::program::walk::leaf_at(trail.node(), 0);
    let blank = first.map_or(0, |leaf| {
        leaf.trivia().iter().filter(|&&byte| byte == b'\n').count()
    });
    trail.preceding_sums().newlines + blank as u32
}
