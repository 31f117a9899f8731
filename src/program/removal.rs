//! What it takes to make the user's wish an edit: the changes by which these nodes go.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::edit::{Edit, EditError, Indices, Op, Piece};
use super::node::{Node, NodeId, Shape};
use super::place::element;
use super::version::{Trail, Version};
use super::walk;

/// The list around the node at the end of a trail, and the number of the element that is the node.
fn place<'a>(trail: &Trail<'a>) -> Option<(&'a Arc<Node>, u32)> {
    let (node, list) = (
        trail.node(),
        trail.ancestors().find(|above| above.shape != Shape::Link)?,
    );
    let at =
        walk::items(list).position(|item| item.id == node.id || element(item).id == node.id)?;
    list.shape.is_list().then_some((list, at as u32))
}

/// The edit by which these nodes go, as elements of their lists or as optional parts.
///
/// # Errors
/// When one of them is not there.
pub fn removal(version: &Version, nodes: &[NodeId]) -> Result<Edit, EditError> {
    let mut lists: BTreeMap<NodeId, BTreeSet<u32>> = BTreeMap::new();
    let mut edit = Edit::default();
    for &node in nodes {
        let trail = version.trail(node).ok_or(EditError::Gone)?;
        match place(&trail) {
            Some((list, at)) => {
                lists.entry(list.id).or_default().insert(at);
            }
            None => edit.ops.push(Op::Delete(node)),
        }
    }
    let lists = lists.into_iter().map(|(list, items)| Op::DeleteItems {
        list,
        items: Indices::sorted(items),
    });
    edit.ops.extend(lists);
    Ok(edit)
}

/// The edit by which only this node stays of the list around it, or of the node around it that it may stand for.
///
/// # Errors
/// When it is not there, or nothing is around it.
pub fn only(version: &Version, node: NodeId) -> Result<Edit, EditError> {
    let trail = version.trail(node).ok_or(EditError::Gone)?;
    if let Some((list, at)) = place(&trail).filter(|(list, _)| list.len() > 1) {
        let others = (0..list.len() as u32).filter(|&other| other != at);
        let items = Indices::sorted(others);
        return Ok(Op::DeleteItems {
            list: list.id,
            items,
        }
        .into());
    }
    let mut above = trail.ancestors();
    let around = above.find(|above| above.shape == Shape::Regular && above.class.is_some());
    let around = around.ok_or(EditError::Gone)?.id;
    let piece = Piece::Node(node);
    Ok(Op::Replace {
        node: around,
        piece,
    }
    .into())
}
