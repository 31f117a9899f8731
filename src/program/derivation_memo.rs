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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::all_languages;
    use crate::language::parser::ParseCursor;
    use crate::program::read::parse_masked;

    /// The children of the node under the cursor that count for its rule.
    fn list_children(grammar: &Grammar, cursor: &ParseCursor) -> Vec<GrammarChild> {
        let (mut cursor, mut children) = (cursor.clone(), Vec::new());
        let mut is_there = cursor.goto_first_child();
        while is_there {
            let node = cursor.node();
            if !node.is_extra() {
                children.push(GrammarChild {
                    class: grammar.find_class(node.kind_id(), node.grammar_id()),
                    gap: false,
                });
            }
            is_there = cursor.goto_next_sibling();
        }
        children
    }

    #[test]
    fn what_is_kept_of_a_program_is_what_would_be_derived() {
        for language in all_languages() {
            let (grammar, mut memo) = (language.grammar(), DerivationMemo::default());
            let (_, sample) = language.sample_program();
            let masked = language.mask_text(sample.as_bytes());
            let tree = parse_masked(language, &masked).expect("it can be parsed");
            let (mut cursor, mut derived) = (tree.walk(), 0);
            'nodes: loop {
                let node = cursor.node();
                let class = grammar.find_class(node.kind_id(), node.grammar_id());
                if let Some(rule) = class.and_then(|class| grammar.rule_of_class(class)) {
                    let children = list_children(grammar, &cursor);
                    for children in [&children[..], &children[children.len() / 2..]] {
                        for gap in [false, true] {
                            let expected = grammar.derive_children(rule, children, gap);
                            let kept = memo.derive_children(grammar, rule, children, gap);
                            assert_eq!(kept.as_deref(), expected.as_ref(), "{}", language.name);
                            derived += 1;
                        }
                    }
                }
                if cursor.goto_first_child() {
                    continue;
                }
                while !cursor.goto_next_sibling() {
                    if !cursor.goto_parent() {
                        break 'nodes;
                    }
                }
            }
            let kept = memo.known.len();
            assert!(kept < derived, "{}: {kept}", language.name);
        }
    }
}
