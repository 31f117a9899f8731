//! The derivations of the children of nodes, each made once: nearly all nodes of a program have children like those of a node before.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::grammar::{Derivation, Grammar, GrammarChild, RuleId};

/// The most children of a node whose derivation is kept. Longer lists are seldom like others.
const MAX_CHILDREN: usize = 16;

/// The most derivations that are kept. A text of a few megabytes has a few thousand.
const MAX_DERIVATIONS: usize = 1 << 14;

/// What was derived in a text so far.
#[derive(Default)]
pub struct DerivationMemo {
    known: FxHashMap<Box<[u32]>, Option<Rc<Derivation>>>,
    /// The key of the node that is looked at: its rule, then its children.
    key: Vec<u32>,
}

impl DerivationMemo {
    /// As [`Grammar::derive_children`].
    pub fn derive_children(
        &mut self,
        grammar: &Grammar,
        rule: RuleId,
        children: &[GrammarChild],
        trailing_gap: bool,
    ) -> Option<Rc<Derivation>> {
        let derive = || {
            let derivation = grammar.derive_children(rule, children, trailing_gap);
            derivation.map(Rc::new)
        };
        if children.len() > MAX_CHILDREN {
            return derive();
        }
        self.key.clear();
        self.key.push(pack_key(rule.0, trailing_gap));
        for child in children {
            self.key.push(pack_key(child.class?.0, child.gap));
        }
        if let Some(known) = self.known.get(&*self.key) {
            return known.clone();
        }
        let derivation = derive();
        if self.known.len() < MAX_DERIVATIONS {
            self.known.insert(self.key[..].into(), derivation.clone());
        }
        derivation
    }
}

fn pack_key(number: u16, gap: bool) -> u32 {
    u32::from(number) << 1 | u32::from(gap)
}
