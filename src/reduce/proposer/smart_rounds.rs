//! The rounds of the smart schedule, after the README of bp-reduce (`--smart`).
//!
//! A removal that failed once rarely succeeds in the next round, unless something that it depends on has changed since. So the round after
//! one that removed something is about the names that it touched:
//!
//! ```text
//! Full            everything                         removed something: Quick(touched)   else: the end
//! Quick(names)    what shares a name with names      removed something: Quick(touched)   else: Remaining(names)
//! Remaining(names) what shares no name with names    removed something: Quick(touched)   else: the end
//! ```
//!
//! `touched` are the names that the edits of the round concern and that are still in the program; without any, the next round is Full. A name
//! that the program does not declare (`int`, `printf`) means the same after every edit, and is not among them.
//! Quick and Remaining are complements on one version. So at the end everything was asked about since the last removal, as at the end of the
//! plain schedule.

use std::mem;
use std::sync::Arc;

use crate::pass::{NameSet, RoundScope};
use crate::program::names::{SymbolCount, visit_concerned_names};
use crate::program::{Edit, Version};

/// The state of the rounds.
#[derive(Clone, Debug, Default)]
pub struct SmartRounds {
    scope: RoundScope,
    /// The names that the edits of this round concern, as they were before.
    touched: NameSet,
    /// Whether this round removed anything.
    removed: bool,
}

impl SmartRounds {
    /// What this round asks about.
    pub fn scope(&self) -> &RoundScope {
        &self.scope
    }

    /// A pass begins. In a full round it asks about everything after all changes of earlier passes, so these are done with.
    pub fn start_pass(&mut self) {
        if self.scope == RoundScope::Everything {
            (self.touched, self.removed) = (NameSet::new(), false);
        }
    }

    /// An edit of `base` was accepted.
    pub fn record_accept(&mut self, base: &Version, edit: &Edit) {
        self.removed = true;
        let graph = base.name_graph();
        let touched = &mut self.touched;
        for op in &edit.ops {
            visit_concerned_names(base, op, |symbol| {
                let name = graph.symbol_name(symbol);
                if graph.may_change(symbol) && !touched.contains(name) {
                    touched.insert(Arc::clone(name));
                }
            });
        }
    }

    /// Everything may be asked about again: the rules or the version changed, or a pass begins out of its turn.
    pub fn reset_scope(&mut self) {
        self.scope = RoundScope::Everything;
    }

    /// The last pass of a round ended at this version. Returns whether another round follows.
    pub fn next_round(&mut self, version: &Version) -> bool {
        let touched = names_left(mem::take(&mut self.touched), version);
        let removed = mem::take(&mut self.removed);
        self.scope = match mem::take(&mut self.scope) {
            _ if removed && touched.is_empty() => RoundScope::Everything,
            _ if removed => RoundScope::Sharing(touched),
            RoundScope::Sharing(names) => RoundScope::NotSharing(names),
            RoundScope::Everything | RoundScope::NotSharing(_) => return false,
        };
        true
    }
}

/// Those of the names that are in the version.
fn names_left(names: NameSet, version: &Version) -> NameSet {
    let graph = version.name_graph();
    let there = graph
        .symbols()
        .filter(|&symbol| graph.symbol_count(symbol) != SymbolCount::default());
    let there = there.map(|symbol| graph.symbol_name(symbol));
    there
        .filter(|name| names.contains(*name))
        .cloned()
        .collect()
}
