//! What an accepted edit may have made possible: the nodes around the place that changed, and around names that it affected.

use std::sync::Arc;

use super::elements::LONG_LIST_LENGTH;
use crate::program::{AppliedEdit, NodeId, NodePath, NodeShape, ProgramNode, View};

/// How many ancestors with a kind are near a place.
const NEARBY_LEVELS: usize = 2;
/// A name with more declarations and uses than this says nothing about what belongs together.
const MAX_NAME_OCCURRENCES: u32 = 8;

/// The nodes that are worth another try after this change. `above` are the parents of removed nodes, as far as they are known.
pub fn nodes_near_change(
    view: &View,
    change: &AppliedEdit,
    above: &[NodeId],
) -> Vec<Arc<ProgramNode>> {
    let version = &view.version;
    let mut found = Vec::new();
    let shorter = change.edit.item_removals().map(|(list, _)| list);
    let inserted = change.inserted.iter().filter_map(|&node| {
        let path = version.path_to(node)?;
        Some(path.parent()?.id)
    });
    for place in shorter.chain(inserted).chain(above.iter().copied()) {
        if let Some(path) = version.path_to(place) {
            collect_around(&path, &mut found);
        }
    }
    let names = version.name_graph();
    for &symbol in names.lost_symbols() {
        let count = names.symbol_count(symbol);
        if count.declares == 0 || count.declares + count.uses > MAX_NAME_OCCURRENCES {
            continue;
        }
        let declared = names
            .declaration_sites(symbol)
            .iter()
            .map(|declared| declared.leaf);
        for leaf in declared.chain(names.used_by(symbol).iter().copied()) {
            if let Some(path) = version.path_to(leaf) {
                collect_around(&path, &mut found);
            }
        }
    }
    found
}

/// The nodes at the end of the path and around it, up to the second that has a kind.
fn collect_around(path: &NodePath, found: &mut Vec<Arc<ProgramNode>>) {
    let mut kinds = 0;
    for &node in path.nodes.iter().rev() {
        let worth = match node.shape {
            NodeShape::Star | NodeShape::Plus | NodeShape::Sep | NodeShape::Opaque => {
                node.len() < LONG_LIST_LENGTH
            }
            NodeShape::Opt | NodeShape::Regular => true,
            NodeShape::Item => node.expected.is_some(),
            NodeShape::Token
            | NodeShape::Extra
            | NodeShape::End
            | NodeShape::Link
            | NodeShape::Chunk => false,
        };
        if worth {
            found.push(node.clone());
        }
        kinds += usize::from(node.class.is_some() && !node.shape.is_leaf());
        if kinds == NEARBY_LEVELS {
            return;
        }
    }
}
