//! What a take may have made possible: the nodes around the place that changed, and around names that it has to do with.

use std::sync::Arc;

use super::heaviest::LONG;
use crate::program::{Change, Node, NodeId, Op, Shape, Trail, View};

/// So many nodes with a kind around a place are near it.
const LEVELS: usize = 2;
/// A name that so many tokens have to do with says nothing of what belongs together.
const COMMON: u32 = 8;

/// The nodes that are worth another try after this change. `above` is what was around nodes that went, as far as that is known.
pub fn nodes(view: &View, change: &Change, above: &[NodeId]) -> Vec<Arc<Node>> {
    let version = &view.version;
    let mut found = Vec::new();
    let shorter = change.edit.ops.iter().filter_map(|op| match op {
        Op::DeleteItems { list, .. } => Some(*list),
        _ => None,
    });
    let came = change.came.iter().filter_map(|&node| {
        let trail = version.trail(node)?;
        Some(trail.parent()?.id)
    });
    for place in shorter.chain(came).chain(above.iter().copied()) {
        if let Some(trail) = version.trail(place) {
            around(&trail, &mut found);
        }
    }
    let names = version.names();
    for &symbol in names.lost() {
        let count = names.count(symbol);
        if count.declares == 0 || count.declares + count.uses > COMMON {
            continue;
        }
        let declared = names
            .declared_by(symbol)
            .iter()
            .map(|declared| declared.leaf);
        for leaf in declared.chain(names.used_by(symbol).iter().copied()) {
            if let Some(trail) = version.trail(leaf) {
                around(&trail, &mut found);
            }
        }
    }
    found
}

/// The nodes at the end of the trail and around it, up to the second that has a kind.
fn around(trail: &Trail, found: &mut Vec<Arc<Node>>) {
    let mut kinds = 0;
    for &node in trail.nodes.iter().rev() {
        let worth = match node.shape {
            Shape::Star | Shape::Plus | Shape::Sep | Shape::Opaque => node.len() < LONG,
            Shape::Opt | Shape::Regular => true,
            Shape::Item => node.expected.is_some(),
            Shape::Token | Shape::Extra | Shape::End | Shape::Link | Shape::Chunk => false,
        };
        if worth {
            found.push(node.clone());
        }
        kinds += usize::from(node.class.is_some() && !node.shape.is_leaf());
        if kinds == LEVELS {
            return;
        }
    }
}
