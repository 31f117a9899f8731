//! The names that an edit concerns: those of what it removes, and those of the statement that it changes.
//!
//! A *statement* is an element of a list without separators: a statement of a body, a declaration of a file, a field of a structure. Its
//! *own* names are those outside of the statements inside of it: of a loop or a function, those of its head. Whoever removes a statement
//! concerns all names of it. Whoever changes a part of a statement concerns the names of that part, and the statement's own names.

use std::sync::Arc;

use super::super::edit::EditOp;
use super::super::node::{NodeId, NodeShape, ProgramNode};
use super::super::version::{NodePath, Version};
use super::{NameGraph, NameSymbol};

/// Whether the elements of such a list are statements.
fn holds_statements(shape: NodeShape) -> bool {
    matches!(shape, NodeShape::Star | NodeShape::Plus)
}

/// The innermost statement that the node at the end of this path is, or is a part of.
fn enclosing_statement<'a>(path: &NodePath<'a>) -> Option<&'a Arc<ProgramNode>> {
    let nodes = || {
        let nodes = path.nodes.iter().rev().copied();
        nodes.filter(|node| node.shape != NodeShape::Chunk)
    };
    let mut pairs = nodes().zip(nodes().skip(1));
    pairs.find_map(|(node, parent)| holds_statements(parent.shape).then_some(node))
}

/// Whether `wanted` holds for a name below this node, but not inside of nodes that `skips` names.
fn any_name_below(
    names: &NameGraph,
    root: &Arc<ProgramNode>,
    skips: impl Fn(&ProgramNode) -> bool,
    wanted: &mut impl FnMut(NameSymbol) -> bool,
) -> bool {
    let mut stack = vec![root];
    while let Some(node) = stack.pop() {
        if names
            .leaf_occurrences(node)
            .any(|occurrence| wanted(occurrence.symbol))
        {
            return true;
        }
        let children = node.children().iter().rev();
        stack.extend(children.filter(|child| !skips(child)));
    }
    false
}

/// Whether `wanted` holds for one of the own names of the innermost statement around a place; `place` is the node that changes.
pub fn any_own_name(
    base: &Version,
    place: NodeId,
    mut wanted: impl FnMut(NameSymbol) -> bool,
) -> bool {
    let Some(path) = base.path_to(place) else {
        return false;
    };
    let Some(statement) = enclosing_statement(&path) else {
        return false;
    };
    let inner = |node: &ProgramNode| holds_statements(node.shape);
    any_name_below(base.name_graph(), statement, inner, &mut wanted)
}

/// Whether `wanted` holds for a name of what this operation removes with one of its nodes: all below it but what stays.
pub fn any_removed_name(
    base: &Version,
    op: &EditOp,
    removed: &Arc<ProgramNode>,
    mut wanted: impl FnMut(NameSymbol) -> bool,
) -> bool {
    let kept: Vec<NodeId> = op.kept_nodes(base).iter().map(|node| node.id).collect();
    let stays = |node: &ProgramNode| kept.contains(&node.id);
    !stays(removed) && any_name_below(base.name_graph(), removed, stays, &mut wanted)
}

/// The node whose innermost statement this operation changes; none if it removes whole statements, or changes the whole program.
pub fn changed_place(base: &Version, op: &EditOp) -> Option<NodeId> {
    match op.removed_items() {
        Some((list, _)) if holds_statements(base.find_node(list)?.shape) => None,
        Some((list, _)) => Some(list),
        None => op.removed_node(),
    }
}

/// All names that an operation concerns, each at least once.
pub fn visit_concerned_names(base: &Version, op: &EditOp, mut visit: impl FnMut(NameSymbol)) {
    let mut visit_all = |symbol| {
        visit(symbol);
        false
    };
    for removed in op.removed_nodes(base) {
        any_removed_name(base, op, removed, &mut visit_all);
    }
    if let Some(place) = changed_place(base, op) {
        any_own_name(base, place, &mut visit_all);
    }
}
