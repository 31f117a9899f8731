//! What an edit takes out of the name graph.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::super::edit::{Edit, EditOp, Replacement};
use super::super::node::ProgramNode;
use super::super::version::Version;
use super::super::{placement, walk};
use super::{NameGraph, NameSymbol, SymbolCount};

/// How many declarations and uses of each symbol an edit takes out.
#[derive(Clone, Debug, Default)]
pub struct SymbolLosses {
    counts: FxHashMap<NameSymbol, SymbolCount>,
}

impl SymbolLosses {
    /// All that goes below a node.
    pub fn add_node(&mut self, names: &NameGraph, node: &Arc<ProgramNode>) {
        for fact in names.occurrences_below(node) {
            self.add_count(fact.symbol, fact.to_count());
        }
    }

    /// What is below a node does not go after all.
    pub fn restore_node(&mut self, names: &NameGraph, node: &Arc<ProgramNode>) {
        for fact in names.occurrences_below(node) {
            let count = self.counts.entry(fact.symbol).or_default();
            *count = count.minus(fact.to_count());
        }
    }

    /// So much more of a symbol goes.
    pub fn add_count(&mut self, symbol: NameSymbol, more: SymbolCount) {
        let count = self.counts.entry(symbol).or_default();
        *count = count.plus(more);
    }

    /// What goes of a symbol.
    pub fn count_of(&self, symbol: NameSymbol) -> SymbolCount {
        self.counts.get(&symbol).copied().unwrap_or_default()
    }

    /// All symbols of which something goes.
    pub fn iter(&self) -> impl Iterator<Item = (NameSymbol, SymbolCount)> + '_ {
        self.counts
            .iter()
            .map(|(&symbol, &count)| (symbol, count))
            .filter(|(_, count)| *count != SymbolCount::default())
    }
}

/// What `edit` takes out of `base`. An operation on what is not there takes out nothing.
pub fn count_losses(base: &Version, edit: &Edit) -> SymbolLosses {
    let names = base.name_graph();
    let mut loss = SymbolLosses::default();
    for op in &edit.ops {
        match op {
            EditOp::Delete(node) => {
                if let Some(node) = base.find_node(*node) {
                    loss.add_node(names, node);
                }
            }
            EditOp::DeleteItems { list, items } => {
                if let Some(list) = base.find_node(*list) {
                    for item in walk::selected_items(list, items) {
                        loss.add_node(names, item);
                    }
                }
            }
            EditOp::Replace { node, piece } => {
                if let Some(node) = base.find_node(*node) {
                    loss.add_node(names, node);
                    match piece {
                        Replacement::Node(kept) => {
                            if let Some(kept) = base.find_node(*kept) {
                                loss.restore_node(names, kept);
                            }
                        }
                        Replacement::Items(list) => {
                            if let Some(list) = base.find_node(*list) {
                                walk::iter_items(list).for_each(|item| {
                                    loss.restore_node(names, placement::strip_separator(item))
                                });
                            }
                        }
                        Replacement::Tokens(_) => {}
                    }
                }
            }
            EditOp::StripMarkers | EditOp::Rewrite(_) => {}
        }
    }
    loss
}
