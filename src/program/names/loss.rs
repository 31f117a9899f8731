//! What an edit takes out of the name graph.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::super::edit::{Edit, Op, Piece};
use super::super::node::Node;
use super::super::version::Version;
use super::super::{place, walk};
use super::{Count, Names, Symbol};

/// How many declarations and uses of each symbol an edit takes out.
#[derive(Clone, Debug, Default)]
pub struct Loss {
    counts: FxHashMap<Symbol, Count>,
}

impl Loss {
    /// All that goes below a node.
    pub fn add(&mut self, names: &Names, node: &Arc<Node>) {
        for fact in names.below(node) {
            self.put(fact.symbol, fact.count());
        }
    }

    /// What is below a node does not go after all.
    pub fn spare(&mut self, names: &Names, node: &Arc<Node>) {
        for fact in names.below(node) {
            let count = self.counts.entry(fact.symbol).or_default();
            *count = count.minus(fact.count());
        }
    }

    /// So much more of a symbol goes.
    pub fn put(&mut self, symbol: Symbol, more: Count) {
        let count = self.counts.entry(symbol).or_default();
        *count = count.plus(more);
    }

    /// What goes of a symbol.
    pub fn of(&self, symbol: Symbol) -> Count {
        self.counts.get(&symbol).copied().unwrap_or_default()
    }

    /// All symbols of which something goes.
    pub fn iter(&self) -> impl Iterator<Item = (Symbol, Count)> + '_ {
        self.counts
            .iter()
            .map(|(&symbol, &count)| (symbol, count))
            .filter(|(_, count)| *count != Count::default())
    }
}

/// What `edit` takes out of `base`. An operation on what is not there takes out nothing.
pub fn loss(base: &Version, edit: &Edit) -> Loss {
    let names = base.names();
    let mut loss = Loss::default();
    for op in &edit.ops {
        match op {
            Op::Delete(node) => {
                if let Some(node) = base.node(*node) {
                    loss.add(names, node);
                }
            }
            Op::DeleteItems { list, items } => {
                if let Some(list) = base.node(*list) {
                    for item in walk::picked(list, items) {
                        loss.add(names, item);
                    }
                }
            }
            Op::Replace { node, piece } => {
                if let Some(node) = base.node(*node) {
                    loss.add(names, node);
                    match piece {
                        Piece::Node(kept) => {
                            if let Some(kept) = base.node(*kept) {
                                loss.spare(names, kept);
                            }
                        }
                        Piece::Items(list) => {
                            if let Some(list) = base.node(*list) {
                                walk::items(list)
                                    .for_each(|item| loss.spare(names, place::element(item)));
                            }
                        }
                        Piece::Tokens(_) => {}
                    }
                }
            }
            Op::StripMarkers | Op::Rewrite(_) => {}
        }
    }
    loss
}
