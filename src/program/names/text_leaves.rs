//! The leaves of a document by their places, while its names are looked at.

use std::sync::Arc;

use super::super::known_nodes::leaf_ends;
use super::super::node::{NodeFlags, ProgramNode, TokenId};
use super::super::parallel_work::map_in_parallel;
use super::super::walk;
use super::table::NameTable;

/// A look at each leaf is a look into memory far away, so more leaves than these are looked at on several processors.
const PART_LEAVES: u32 = 1 << 14;

/// How many such parts are looked at before their places are put together: of all of them the places would be in memory twice.
const PARTS: usize = 16;

/// A leaf with text, where it begins, and its number among such leaves of all documents.
pub struct TextLeaf<'a> {
    /// In 32 bits, as in a text that is shared: there are millions of these at once.
    pub start_byte: u32,
    pub number: u32,
    pub leaf: &'a Arc<ProgramNode>,
}

impl TextLeaf<'_> {
    pub fn start(&self) -> usize {
        self.start_byte as usize
    }

    pub fn token(&self) -> TokenId {
        let tokens = leaf_ends(self.leaf);
        tokens.0.expect("only leaves with a token have a place")
    }
}

/// The places of a document, which are added to the table.
pub fn number_leaves<'a>(
    root: &'a Arc<ProgramNode>,
    table: &mut NameTable,
    number: &mut u32,
) -> Vec<TextLeaf<'a>> {
    table.reserve_tokens(root.sums().leaves as usize);
    let parts = walk::split_tree(root, PART_LEAVES);
    let mut places = Vec::with_capacity(root.sums().leaves as usize);
    for parts in parts.chunks(PARTS) {
        let parts = map_in_parallel(parts.to_vec(), |(node, from)| list_places(node, from));
        for (leaf, token) in parts.into_iter().flatten() {
            *number += 1;
            table.set_place(token, *number);
            places.push(TextLeaf {
                number: *number,
                ..leaf
            });
        }
    }
    places
}

/// The places below a node whose bytes begin here, each with its first token. They have no numbers yet.
fn list_places(node: &Arc<ProgramNode>, from: u32) -> Vec<(TextLeaf<'_>, TokenId)> {
    let (mut places, mut at) = (Vec::with_capacity(node.sums().leaves as usize), from);
    for leaf in walk::iter_leaves(node) {
        let start_byte = at + leaf.trivia().len() as u32;
        at = start_byte + leaf.text().len() as u32;
        if let Some(&token) = leaf.ids().first() {
            let number = 0;
            let place = TextLeaf {
                start_byte,
                number,
                leaf,
            };
            places.push((place, token));
        }
    }
    places
}

/// The first leaf of the node that begins here for the parser: the leaves before it that the parser does not see belong to it.
pub fn first_leaf_of<'a, 'b>(places: &'b [TextLeaf<'a>], start: usize) -> Option<&'b TextLeaf<'a>> {
    let mut at = index_starting_at(places, start)?;
    while at > 0 && places[at - 1].leaf.flags.contains(NodeFlags::HIDDEN) {
        at -= 1;
    }
    places.get(at)
}

pub fn leaf_starting_at<'a, 'b>(
    places: &'b [TextLeaf<'a>],
    start: usize,
) -> Option<&'b TextLeaf<'a>> {
    places.get(index_starting_at(places, start)?)
}

fn index_starting_at(places: &[TextLeaf<'_>], start: usize) -> Option<usize> {
    let at = places.partition_point(|place| place.start() < start);
    let starts = |place: &TextLeaf<'_>| place.start() == start;
    places.get(at).is_some_and(starts).then_some(at)
}
