//! Lists that could be empty: the bodies of functions and the fields of structures.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::dialogue::Indices;
use crate::language::Filler;
use crate::program::names::Kind;
use crate::program::{
    self, Action, Body, Edit, NodeId, Op, Trail, Version, Why, fill, filler, walk,
};

/// A list with something in it that may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Braces {
    /// The node with the braces.
    pub node: NodeId,
    /// Whose it is.
    pub owner: Kind,
}

/// What is left of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// Nothing; where it must not be empty, its filler.
    Nothing,
    /// Its filler, where there is one: a function that must have a value cannot be empty either.
    Filler,
}

impl Braces {
    /// Whether it is the body of a function.
    pub fn is_body(&self) -> bool {
        self.owner == Kind::Function
    }
}

/// All of which something can go when this is left, in the order of the text.
pub fn braces(version: &Version, left: Left) -> Vec<Braces> {
    let all = program::bodies(version).map(|(node, owner)| Braces { node, owner });
    all.filter(|braces| leave(version, braces.node, left).is_some())
        .collect()
}

/// What leaves no more than this of a list, and the filler, if that is left. None if nothing can go.
fn leave(version: &Version, node: NodeId, left: Left) -> Option<(Op, Option<&Filler>)> {
    let keeps = keeps_one(version, &version.trail(node)?);
    match filler(version, node).filter(|_| keeps || left == Left::Filler) {
        Some(filler) => Some((fill(version, node)?, Some(filler))),
        None => Some((empty(version, node)?, None)),
    }
}

/// The question whether no more than this may be left of these. None if there is nothing to ask, or if it is the same with `Nothing`.
pub fn question(
    pass: &'static str,
    version: &Version,
    all: impl Iterator<Item = Braces>,
    left: Left,
) -> Option<(Edit, Why)> {
    let (mut edit, mut filled) = (Edit::default(), FxHashSet::default());
    let (mut bodies, mut fields, mut text) = (0, 0, None::<Arc<str>>);
    let mut other = false;
    for braces in all {
        let Some(trail) = version.trail(braces.node) else {
            continue;
        };
        // What is in it goes with it.
        if trail.nodes.iter().any(|node| filled.contains(&node.id)) {
            continue;
        }
        let Some((op, filler)) = leave(version, braces.node, left) else {
            continue;
        };
        if let Some(filler) = filler {
            filled.insert(braces.node);
            other |= !keeps_one(version, &trail);
            text.get_or_insert_with(|| filler.text.clone());
        }
        *(if braces.is_body() {
            &mut bodies
        } else {
            &mut fields
        }) += 1;
        edit.ops.push(op);
    }
    let nothing = edit.ops.is_empty() || left == Left::Filler && !other;
    let action = Action::Empty {
        bodies,
        fields,
        filler: text,
    };
    let why = Why {
        pass,
        action,
        node: None,
    };
    (!nothing).then_some((edit, why))
}

/// Whether the list at the end of the trail must not be empty, whatever the parser says.
fn keeps_one(version: &Version, trail: &Trail) -> bool {
    let language = version.documents()[trail.document].language;
    let kind = language.zip(trail.node().class);
    kind.is_some_and(|(language, class)| language.is_nonempty(class))
}

/// What empties the list: all elements go, but a last one that ends a body (`return`) stays, and one in any case where the grammar
/// wants one. None if nothing can go.
fn empty(version: &Version, braces: NodeId) -> Option<Op> {
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
