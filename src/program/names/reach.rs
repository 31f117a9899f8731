//! Which names reach out of a stretch of the text: declared in it and used outside.
//!
//! Facts stand where they stood when the text was read: edits take tokens out and move pieces outwards, so the order stays. Over the
//! declarations in that order lies a tournament tree with the first and the last use of what is below, so the names that reach out of
//! a stretch are found in time that grows with their number, not with the stretch.

use std::ops::Range;
use std::sync::Arc;

use super::super::edit::{Edit, Op, Piece};
use super::super::node::{Body, Node, NodeId};
use super::super::version::Version;
use super::super::{place, walk};
use super::{Names, Symbol};
use crate::dialogue::Indices;

/// A token's place among all that have text: its number when the text was read, from 1.
pub type Place = u32;

/// A declaration: where it stands, of what, and the first and the last use of that.
pub type Declaration = (Place, Symbol, Option<(Place, Place)>);

/// The declarations in the order of the text, under a tournament tree.
#[derive(Debug, Default)]
pub struct Reach {
    declared: Vec<(Place, Symbol)>,
    /// The first and the last use of what is below a node of the tree: node 1 is the root, those of `declared` are its last.
    uses: Vec<(Place, Place)>,
}

impl Reach {
    /// Of these declarations, with the first and the last use of each, if there is one.
    pub fn new(mut all: Vec<Declaration>) -> Reach {
        all.sort_unstable_by_key(|(at, ..)| *at);
        let never = (Place::MAX, 0);
        let mut uses = vec![never; all.len()];
        uses.extend(all.iter().map(|(_, _, uses)| uses.unwrap_or(never)));
        for node in (1..all.len()).rev() {
            let (left, right) = (uses[2 * node], uses[2 * node + 1]);
            uses[node] = (left.0.min(right.0), left.1.max(right.1));
        }
        let declared = all.iter().map(|&(at, symbol, _)| (at, symbol)).collect();
        Reach { declared, uses }
    }

    /// The declarations in a stretch.
    fn within(&self, stretch: &Range<Place>) -> &[(Place, Symbol)] {
        &self.declared[self.indices(stretch)]
    }

    fn indices(&self, stretch: &Range<Place>) -> Range<usize> {
        let before = |at| self.declared.partition_point(|(place, _)| *place < at);
        before(stretch.start)..before(stretch.end)
    }

    /// Adds the symbols that a stretch declares and that are used outside of it.
    fn out_of(&self, stretch: &Range<Place>, found: &mut Vec<Symbol>) {
        let length = self.declared.len();
        let Range { start, end } = self.indices(stretch);
        let (mut left, mut right) = (start + length, end + length);
        let mut open = Vec::new();
        while left < right {
            if left & 1 == 1 {
                open.push(left);
                left += 1;
            }
            if right & 1 == 1 {
                right -= 1;
                open.push(right);
            }
            (left, right) = (left / 2, right / 2);
        }
        while let Some(node) = open.pop() {
            let (first, last) = self.uses[node];
            if first >= stretch.start && last < stretch.end {
                continue;
            }
            match node.checked_sub(length) {
                Some(leaf) => found.push(self.declared[leaf].1),
                None => open.extend([2 * node, 2 * node + 1]),
            }
        }
    }
}

/// Where the tokens stood that `edit` takes out of `base`. An operation on what is not there takes out nothing.
pub fn going(base: &Version, edit: &Edit) -> Indices {
    let names = base.names();
    let mut stretches: Vec<Range<Place>> = Vec::new();
    for op in &edit.ops {
        match op {
            Op::Delete(node) => {
                let node = base.node(*node);
                stretches.extend(node.and_then(|node| stretch(names, node, node)));
            }
            Op::DeleteItems { list, items } => {
                let Some(list) = base.node(*list) else {
                    continue;
                };
                stretches.extend(items.ranges().iter().filter_map(|range| {
                    let first = walk::item(list, range.start as usize)?;
                    stretch(names, first, walk::item(list, range.end as usize - 1)?)
                }));
            }
            Op::Replace { node, piece } => {
                let Some(mut rest) = base.node(*node).and_then(|node| stretch(names, node, node))
                else {
                    continue;
                };
                for kept in kept(base, piece) {
                    if let Some(kept) = stretch(names, kept, kept) {
                        stretches.push(rest.start..kept.start);
                        rest.start = kept.end;
                    }
                }
                stretches.push(rest);
            }
            Op::StripMarkers | Op::Rewrite(_) => {}
        }
    }
    stretches.sort_unstable_by_key(|stretch| stretch.start);
    stretches.into_iter().collect()
}

/// What a piece keeps of the node that it replaces, in order.
fn kept<'a>(base: &'a Version, piece: &Piece) -> Vec<&'a Arc<Node>> {
    match piece {
        Piece::Node(kept) => base.node(*kept).into_iter().collect(),
        Piece::Items(list) => match base.node(*list) {
            Some(list) => walk::items(list).map(place::element).collect(),
            None => Vec::new(),
        },
        Piece::Tokens(_) => Vec::new(),
    }
}

/// Where the tokens from the first of `first` to the last of `last` stood. New text stood nowhere.
fn stretch(names: &Names, first: &Arc<Node>, last: &Arc<Node>) -> Option<Range<Place>> {
    let place = |leaf: &Arc<Node>| match &leaf.body {
        Body::Leaf { ids, .. } => ids.first().and_then(|&id| names.table.place(id)),
        Body::Inner(_) => None,
    };
    let start = walk::leaves(first).find_map(place)?;
    let mut leaves = (0..last.sums.leaves).rev();
    let end = leaves.find_map(|index| place(walk::leaf(last, index)?))?;
    Some(start..end + 1)
}

impl Names {
    /// The symbols that are declared in what goes and used outside of it, in the order of their numbers. `version` is the one whose
    /// names these are.
    pub fn reaching(&self, version: &Version, going: &Indices) -> Vec<Symbol> {
        let mut found = Vec::new();
        for stretch in going.ranges() {
            self.table.reach.out_of(stretch, &mut found);
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|&symbol| {
            let declared = self.declared_by(symbol).iter();
            let mut declared = declared.filter(|declared| going.contains(declared.at));
            self.used_outside(version, symbol, going)
                && declared.any(|declared| self.is_there(version, symbol, declared.leaf))
        });
        found
    }

    /// Whether a symbol is declared outside of what goes.
    pub fn declared_outside(&self, version: &Version, symbol: Symbol, going: &Indices) -> bool {
        let mut declared = self.declared_by(symbol).iter();
        declared.any(|declared| {
            !going.contains(declared.at) && self.is_there(version, symbol, declared.leaf)
        })
    }

    /// The symbols that are declared in what goes, each once, where it is declared first.
    pub fn declared_in<'a>(
        &'a self,
        version: &'a Version,
        going: &'a Indices,
    ) -> impl Iterator<Item = Symbol> + 'a {
        let stretches = going.ranges().iter();
        let all = stretches.flat_map(|stretch| self.table.reach.within(stretch));
        let first = all.filter(move |&&(at, symbol)| {
            let declared = self.declared_by(symbol).iter();
            let mut there = declared.filter(|declared| {
                going.contains(declared.at) && self.is_there(version, symbol, declared.leaf)
            });
            there.next().is_some_and(|declared| declared.at == at)
        });
        first.map(|&(_, symbol)| symbol)
    }

    fn used_outside(&self, version: &Version, symbol: Symbol, going: &Indices) -> bool {
        let (mut places, mut leaves) = (self.table.used_at(symbol), self.used_by(symbol));
        while let (Some(&at), Some(&leaf)) = (places.first(), leaves.first()) {
            let passed = match going.around(at) {
                Some(stretch) => places.partition_point(|place| *place < stretch.end),
                None if self.is_there(version, symbol, leaf) => return true,
                None => 1,
            };
            (places, leaves) = (&places[passed..], &leaves[passed..]);
        }
        false
    }

    /// Whether a leaf that had to do with a symbol when the text was read is still there.
    fn is_there(&self, version: &Version, symbol: Symbol, leaf: NodeId) -> bool {
        !self.changed.contains_key(&symbol) || version.node(leaf).is_some()
    }
}
