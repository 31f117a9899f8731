//! Kinds of nodes, such as expressions, statements and types: what a hidden rule of the grammar chooses between.

use super::expression::GrammarExpr;
use super::{Grammar, NodeClass};

/// The fewest classes of a kind: a hidden rule with fewer is a part of another rule, not a kind of nodes.
const MIN_FAMILY: usize = 3;

/// For each class, the hidden rules that choose it.
pub(super) struct ClassFamilies {
    words: usize,
    chosen: Vec<u64>,
}

impl ClassFamilies {
    /// The kinds of nodes of this grammar.
    pub fn from_grammar(grammar: &Grammar) -> ClassFamilies {
        let is_choice = |ex: &GrammarExpr| match ex {
            GrammarExpr::Hidden { inner, .. } => {
                matches!(grammar.expression(*inner), GrammarExpr::Choice(_))
            }
            _ => false,
        };
        let hidden = grammar.expressions.iter().filter(|ex| is_choice(ex));
        let members = hidden.map(|ex| {
            let inner = ex.parts()[0];
            let all = grammar.fitting_classes(inner);
            all.filter(|&class| grammar.is_named(class))
                .collect::<Vec<NodeClass>>()
        });
        let families: Vec<_> = members.filter(|all| all.len() >= MIN_FAMILY).collect();
        let words = families.len().div_ceil(64).max(1);
        let mut chosen = vec![0; words * grammar.classes.len()];
        for (at, family) in families.iter().enumerate() {
            for class in family {
                chosen[class.0 as usize * words + at / 64] |= 1 << (at % 64);
            }
        }
        ClassFamilies { words, chosen }
    }

    /// Whether a hidden rule chooses both.
    pub fn are_related(&self, one: NodeClass, other: NodeClass) -> bool {
        let [one, other] = [one, other].map(|class| {
            let first = class.0 as usize * self.words;
            &self.chosen[first..first + self.words]
        });
        one.iter().zip(other).any(|(one, other)| one & other != 0)
    }
}
