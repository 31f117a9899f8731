//! Tokens that go although the rule that the parser took requires them.
//!
//! A part that a rule requires may still go where another rule derives what is left: `{ a, }` is a list with a comma behind each element, and
//! `{ a }` one without it behind the last; `*s` is a declarator and `*` an abstract one, and a parameter has either. The normal form knows the
//! one rule that the parser took. So what is left is derived anew, by any rule that fits the place of the node, or with the nodes around
//! it up to [`MAX_LEVELS`].

use smallvec::SmallVec;

use super::grammar_children::GrammarChildren;
use super::node::NodeShape;
use super::version::{NodePath, Version};
use crate::grammar::NodeClass;
use crate::protocol::abandon::count_round;

/// How many nodes around a token may become nodes of another class.
const MAX_LEVELS: usize = 6;

/// Nodes with more children are not derived anew.
const MOST_CHILDREN: usize = 100;

/// Whether the token at the end of the path may go although the rule that the parser took requires it.
pub fn is_spare_token(version: &Version, path: &NodePath) -> bool {
    let token = path.node();
    let Some(language) = version.documents()[path.document].language else {
        return false;
    };
    if token.shape != NodeShape::Token || token.class.is_none() {
        return false;
    }
    let grammar = language.grammar();
    // What the child that the level before found may be; none: it goes.
    let mut child = token.id;
    let mut classes: SmallVec<[Option<NodeClass>; 4]> = SmallVec::from_slice(&[None]);
    let around = path.ancestors().filter(|above| above.class.is_some());
    for node in around.take(MAX_LEVELS) {
        count_round();
        let all = GrammarChildren::of_part(node);
        // What is flattened, or has an error, is not derived from its rule.
        if all.children.len() > MOST_CHILDREN
            || !node.class.is_some_and(|own| all.derive_class(grammar, own))
        {
            return false;
        }
        let mut next: SmallVec<[Option<NodeClass>; 4]> = SmallVec::new();
        for class in classes {
            let Some(left) = all.with_child(child, class) else {
                continue;
            };
            let own = node.class.filter(|&own| left.derive_class(grammar, own));
            if own.is_some() {
                return true;
            }
            next.extend(
                grammar
                    .classes_with_children(&left.children, left.trailing_gap)
                    .map(Some),
            );
        }
        next.sort_unstable();
        next.dedup();
        let fits = |class: &NodeClass| {
            node.expected
                .is_some_and(|expected| grammar.class_fits(*class, expected))
        };
        if next.iter().flatten().any(fits) {
            return true;
        }
        if next.is_empty() {
            return false;
        }
        (child, classes) = (node.id, next);
    }
    false
}
