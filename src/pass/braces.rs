//! Lists in braces that could be empty: the bodies of functions and the fields of structures.

use crate::dialogue::Indices;
use crate::program::names::Kind;
use crate::program::{Body, NodeId, Op, Version, walk};

/// A list in braces with something in it that may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Braces {
    /// The node with the braces.
    pub node: NodeId,
    /// Whose it is.
    pub owner: Kind,
}

/// All of them, in the order of the text.
pub fn braces(version: &Version) -> Vec<Braces> {
    let known = version.names().braced().iter();
    let there = known.filter_map(|braced| {
        let node = version.trail(braced.leaf)?.parent()?.id;
        Some(Braces {
            node,
            owner: braced.owner,
        })
    });
    there
        .filter(|braces| empty(version, braces.node).is_some())
        .collect()
}

/// What empties the list: all elements go, but a last one that ends a body (`return`) stays, and one in any case where the grammar
/// wants one. None if nothing can go.
pub fn empty(version: &Version, braces: NodeId) -> Option<Op> {
    let node = version.node(braces)?;
    let mut kids = node.kids().iter();
    // The list may be a node of its own between the braces.
    let mut inner = kids.clone().flat_map(|kid| kid.kids());
    let list = kids.find(|kid| kid.shape.is_list());
    let list = list.or_else(|| inner.find(|kid| kid.shape.is_list()))?;
    let length = list.len() as u32;
    let last = walk::item(list, length.checked_sub(1)? as usize)?;
    let ends = match &walk::leaf(last, 0)?.body {
        Body::Leaf { ids, .. } => ids.iter().any(|&id| version.names().ends_body(id)),
        Body::Inner(_) => false,
    };
    let items = Indices::range(0..length - u32::from(ends || list.keeps_one()));
    (!items.is_empty()).then_some(Op::DeleteItems {
        list: list.id,
        items,
    })
}
