//! Finding the row to select, also after nodes were removed.

use std::sync::Arc;

use super::visibility::{NodeVisibility, first_row, node_visibility};
use crate::program::{NodeId, NodePath, ProgramNode, Version};

/// The greatest distance of a neighbour.
const MOST_DISTANCE: usize = 64;

/// The node of `new` to select if `selected` was selected in `old`: the node itself, else the nearest neighbour after or before it, else
/// the same for its parent.
pub fn surviving_node(old: &Version, new: &Version, selected: NodeId) -> Option<NodeId> {
    let is_row = |id: NodeId| new.path_to(id).is_some_and(|path| is_row(new, &path));
    if is_row(selected) {
        return Some(selected);
    }
    if let Some(path) = old.path_to(selected) {
        let document = &old.documents()[path.document];
        let mut below = path.node();
        for above in path.nodes.iter().rev().skip(1) {
            let at = above
                .children()
                .iter()
                .position(|child| child.id == below.id)
                .unwrap_or(0);
            let after = above.children()[at..].iter().take(MOST_DISTANCE);
            let before = above.children()[..at].iter().rev().take(MOST_DISTANCE);
            if let Some(near) = after
                .chain(before)
                .filter(|child| node_visibility(document, child) == NodeVisibility::Row)
                .find(|child| is_row(child.id))
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
    let mut there = version
        .documents()
        .iter()
        .filter(|document| !document.is_gone);
    there.find_map(|document| first_row(document, &document.root).map(|node| node.id))
}

fn is_row(version: &Version, path: &NodePath) -> bool {
    // The root of a file is its row, whatever is in it.
    let is_file = version.is_project() && path.nodes.len() == 1;
    let document = &version.documents()[path.document];
    is_file || node_visibility(document, path.node()) == NodeVisibility::Row
}

/// The path to the row that the node at the end of `path` belongs to.
pub fn enclosing_row<'a>(version: &Version, path: &NodePath<'a>) -> NodePath<'a> {
    let document = &version.documents()[path.document];
    let last = path
        .nodes
        .iter()
        .rposition(|node| node_visibility(document, node) == NodeVisibility::Row)
        .unwrap_or(0);
    NodePath {
        document: path.document,
        nodes: path.nodes[..=last].to_vec(),
    }
}

/// The row around the row at the end of `path`.
pub fn outer_row<'a>(version: &Version, path: &NodePath<'a>) -> Option<&'a Arc<ProgramNode>> {
    let (_, above) = path.nodes.split_last()?;
    let document = &version.documents()[path.document];
    above
        .iter()
        .rev()
        .find(|node| node_visibility(document, node) == NodeVisibility::Row)
        .copied()
}

/// The outermost row, the document itself aside, whose text begins with the leaf at the end of `path`; where there is none, the
/// innermost that the leaf is in.
pub fn outermost_row_at<'a>(version: &Version, path: &NodePath<'a>) -> &'a Arc<ProgramNode> {
    let document = &version.documents()[path.document];
    // Go up from the leaf while each node is the first child.
    let first = path.nodes.windows(2).rposition(|pair| {
        pair[0]
            .children()
            .first()
            .is_none_or(|child| child.id != pair[1].id)
    });
    let from = first.map_or(1, |at| at + 1).min(path.nodes.len());
    let begins = path.nodes[from..]
        .iter()
        .find(|node| node_visibility(document, node) == NodeVisibility::Row);
    begins
        .copied()
        .unwrap_or_else(|| enclosing_row(version, path).node())
}

/// The line on which the text of the node at the end of `path` begins, counted from 0.
pub fn first_line(path: &NodePath) -> u32 {
    path.line() - 1
}
