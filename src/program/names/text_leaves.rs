//! The leaves of a document by their places, while its names are looked at.

use std::ops::Range;
use std::sync::Arc;

use super::super::known_nodes::leaf_ends;
use super::super::node::{NodeFlags, ProgramNode, TokenId};
use super::super::parallel_work::map_in_parallel;
use super::super::walk;
use super::table::NameTable;
use super::token_places::TokenPlace;

/// A look at each leaf is a look into memory far away, so more leaves than these are looked at on several processors.
const PART_LEAVES: u32 = 1 << 14;

/// How many such parts are looked at before their places are put together: of all of them the places would be in memory twice.
const PARTS: usize = 4;

/// The leaves with text of a document, in its order. In ten megabytes there are millions of them.
pub struct TextLeaves<'a> {
    /// Where each begins, in 32 bits as in a text that is shared.
    starts: Vec<u32>,
    leaves: Vec<&'a Arc<ProgramNode>>,
    /// How many leaves with text the documents before this one have.
    before: TokenPlace,
}

/// A leaf with text, and its place among such leaves of all documents.
#[derive(Clone, Copy)]
pub struct TextLeaf<'a> {
    pub leaf: &'a Arc<ProgramNode>,
    pub place: TokenPlace,
}

impl TextLeaf<'_> {
    pub fn token(&self) -> TokenId {
        let tokens = leaf_ends(self.leaf);
        tokens.0.expect("only leaves with a token have a place")
    }
}

impl<'a> TextLeaves<'a> {
    /// The leaves of a document behind so many others. Their places are added to the table.
    pub fn list_leaves(
        root: &'a Arc<ProgramNode>,
        table: &mut NameTable,
        before: TokenPlace,
    ) -> TextLeaves<'a> {
        let count = root.sums().leaves as usize;
        table.reserve_tokens(count);
        let mut all = TextLeaves {
            starts: Vec::with_capacity(count),
            leaves: Vec::with_capacity(count),
            before,
        };
        let parts = walk::split_tree(root, PART_LEAVES);
        for parts in parts.chunks(PARTS) {
            let parts = map_in_parallel(parts.to_vec(), |(node, from)| list_part(node, from));
            for (token, start, leaf) in parts.into_iter().flatten() {
                all.starts.push(start);
                all.leaves.push(leaf);
                table.set_place(token, all.end());
            }
        }
        all
    }

    /// The place of the last leaf of the documents up to this one.
    pub fn end(&self) -> TokenPlace {
        self.before + self.leaves.len() as TokenPlace
    }

    /// The leaf at an index.
    pub fn get(&self, at: usize) -> Option<TextLeaf<'a>> {
        let place = self.before + at as TokenPlace + 1;
        let leaf = self.leaves.get(at)?;
        Some(TextLeaf { leaf, place })
    }

    /// All of them, each with where it begins.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &'a Arc<ProgramNode>)> + '_ {
        self.starts.iter().copied().zip(self.leaves.iter().copied())
    }

    /// The index of the first leaf that begins here or behind this, if that is after the leaf at `from`. In a text of megabytes a search would cost more than
    /// the few leaves between two names.
    pub fn walk_to(&self, from: usize, start: u32) -> usize {
        let ahead = self.starts[from..].iter();
        from + ahead.take_while(|&&other| other < start).count()
    }

    /// The leaf at this index, if it begins here.
    pub fn get_starting_at(&self, at: usize, start: u32) -> Option<TextLeaf<'a>> {
        self.get(at).filter(|_| self.starts[at] == start)
    }

    /// The leaf that begins here.
    pub fn starting_at(&self, start: usize) -> Option<TextLeaf<'a>> {
        self.get(self.index_starting_at(start)?)
    }

    /// The first leaf of the node that begins here for the parser: the leaves before it that the parser does not see belong to it.
    pub fn first_of_node(&self, start: usize) -> Option<TextLeaf<'a>> {
        let mut at = self.index_starting_at(start)?;
        while at > 0 && self.leaves[at - 1].flags.contains(NodeFlags::HIDDEN) {
            at -= 1;
        }
        self.get(at)
    }

    /// The leaves that begin in this range of bytes.
    pub fn leaves_in(&self, range: &Range<usize>) -> impl DoubleEndedIterator<Item = TextLeaf<'a>> {
        let [first, end] = [range.start, range.end].map(|start| self.index_from(start));
        (first..end).filter_map(|at| self.get(at))
    }

    fn index_from(&self, start: usize) -> usize {
        self.starts
            .partition_point(|&other| (other as usize) < start)
    }

    fn index_starting_at(&self, start: usize) -> Option<usize> {
        let at = self.index_from(start);
        let begins = self
            .starts
            .get(at)
            .is_some_and(|&own| own as usize == start);
        begins.then_some(at)
    }
}

/// The leaves with text below a node whose bytes begin here: the first token of each, where it begins, and the leaf.
fn list_part(node: &Arc<ProgramNode>, from: u32) -> Vec<(TokenId, u32, &Arc<ProgramNode>)> {
    let (mut found, mut at) = (Vec::with_capacity(node.sums().leaves as usize), from);
    for leaf in walk::iter_leaves(node) {
        let start = at + leaf.trivia().len() as u32;
        at = start + leaf.text().len() as u32;
        if let Some(&token) = leaf.ids().first() {
            found.push((token, start, leaf));
        }
    }
    found
}
