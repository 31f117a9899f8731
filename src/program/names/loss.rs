//! What an edit removes from the name graph.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::super::edit::Edit;
use super::super::node::ProgramNode;
use super::super::version::Version;
use super::{NameGraph, NameSymbol, SymbolCount};
use crate::protocol::abandon::count_round;

/// How many declarations and uses of each symbol an edit removes.
#[derive(Clone, Debug, Default)]
pub struct SymbolLosses {
    counts: FxHashMap<NameSymbol, SymbolCount>,
}

impl SymbolLosses {
    /// Adds all that is below a node.
    pub fn add_node(&mut self, names: &NameGraph, node: &Arc<ProgramNode>) {
        for fact in names.occurrences_below(node) {
            self.add_count(fact.symbol, fact.to_count());
        }
    }

    /// Subtracts what is below a node that stays.
    pub fn restore_node(&mut self, names: &NameGraph, node: &Arc<ProgramNode>) {
        for fact in names.occurrences_below(node) {
            let count = self.counts.entry(fact.symbol).or_default();
            *count = count.minus(fact.to_count());
        }
    }

    /// Adds to the loss of a symbol.
    pub fn add_count(&mut self, symbol: NameSymbol, more: SymbolCount) {
        let count = self.counts.entry(symbol).or_default();
        *count = count.plus(more);
    }

    /// The loss of a symbol.
    pub fn count_of(&self, symbol: NameSymbol) -> SymbolCount {
        self.counts.get(&symbol).copied().unwrap_or_default()
    }

    /// All symbols with a loss.
    pub fn iter(&self) -> impl Iterator<Item = (NameSymbol, SymbolCount)> + '_ {
        self.counts
            .iter()
            .map(|(&symbol, &count)| (symbol, count))
            .filter(|(_, count)| *count != SymbolCount::default())
    }
}

/// What `edit` removes from `base`. An operation on a node that is not there removes nothing.
pub fn count_losses(base: &Version, edit: &Edit) -> SymbolLosses {
    let names = base.name_graph();
    let mut loss = SymbolLosses::default();
    for op in &edit.ops {
        count_round();
        for node in op.removed_nodes(base) {
            loss.add_node(names, node);
        }
        for node in op.kept_nodes(base) {
            loss.restore_node(names, node);
        }
    }
    loss
}
