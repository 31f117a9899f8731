//! Names that connect a part of the program with what is outside of it.

use std::sync::Arc;

use crate::program::names::{NameRole, SymbolLosses};
use crate::program::{ProgramNode, Version};

/// Whether a name that a node declares is used outside of it.
pub(in crate::pass) fn is_used_elsewhere(version: &Version, node: &Arc<ProgramNode>) -> bool {
    let names = version.name_graph();
    let mut losses = SymbolLosses::default();
    losses.add_node(names, node);
    let mut lost = losses.iter();
    lost.any(|(name, lost)| lost.declares > 0 && lost.uses < names.symbol_count(name).uses)
}

/// Whether a node uses a name that the program declares.
pub(in crate::pass) fn names_something(version: &Version, node: &Arc<ProgramNode>) -> bool {
    let names = version.name_graph();
    let mut inside = names.occurrences_below(node);
    inside.any(|fact| fact.role == NameRole::Uses && names.symbol_count(fact.symbol).declares > 0)
}
