//! The children of a part as its grammar sees them, and what else they derive when one of them goes.
//!
//! A part that a rule requires may still go where another rule derives what is left: `{ a, }` is a list with a comma behind each element, and
//! `{ a }` one without it behind the last; `*s` is a declarator and `*` an abstract one, and a parameter has either. The normal form knows the
//! one rule that the parser took. So what is left is derived anew, by any rule that fits the place of the node, or with the nodes around
//! it up to [`MAX_LEVELS`].

use std::sync::Arc;

use smallvec::SmallVec;

use super::node::{NodeFlags, NodeId, NodeShape, ProgramNode};
use super::version::{NodePath, Version};
use crate::grammar::{ExprId, Grammar, GrammarChild, GrammarExpr, NodeClass};
use crate::protocol::abandon::count_round;

/// How many nodes around a token may become nodes of another class.
const MAX_LEVELS: usize = 6;

/// Nodes with more children are not derived anew.
const MOST_CHILDREN: usize = 100;

/// The children of a part, without comments.
#[derive(Default)]
pub struct GrammarChildren {
    children: Vec<GrammarChild>,
    ids: Vec<NodeId>,
    /// Whether text that is no child stands behind the last.
    trailing_gap: bool,
}

impl GrammarChildren {
    /// The children of this part: the nodes with a class that are next below it.
    pub fn of_part(part: &ProgramNode) -> GrammarChildren {
        let mut found = GrammarChildren::default();
        let mut stack: Vec<&Arc<ProgramNode>> = part.children().iter().rev().collect();
        while let Some(node) = stack.pop() {
            match node.shape {
                NodeShape::Extra | NodeShape::End => {}
                // The parser has not seen it, or has skipped it.
                _ if node.flags.contains(NodeFlags::HIDDEN) => {}
                NodeShape::Opaque => {}
                NodeShape::Token if node.class.is_none() => found.trailing_gap = true,
                _ if node.class.is_some() => {
                    found.children.push(GrammarChild {
                        class: node.class,
                        gap: std::mem::take(&mut found.trailing_gap),
                    });
                    found.ids.push(node.id);
                }
                _ => stack.extend(node.children().iter().rev()),
            }
        }
        found
    }

    /// Whether they may stand where `expected` is expected too: of what could stand in their place, one choice derives them, and it may be chosen there.
    pub fn fit_place(&self, grammar: &Grammar, own: ExprId, expected: ExprId) -> bool {
        match grammar.expression(own) {
            GrammarExpr::Choice(members) => members
                .iter()
                .any(|&member| self.fit_place(grammar, member, expected)),
            GrammarExpr::Opt(inner)
            | GrammarExpr::Field { inner, .. }
            | GrammarExpr::Hidden { inner, .. } => self.fit_place(grammar, *inner, expected),
            _ => {
                !self.children.is_empty()
                    && grammar.covers_expr(expected, own)
                    && grammar.children_fit(own, &self.children, self.trailing_gap)
            }
        }
    }

    fn derive_class(&self, grammar: &Grammar, class: NodeClass) -> bool {
        grammar
            .rule_of_class(class)
            .is_some_and(|rule| grammar.has_derivation(rule, &self.children, self.trailing_gap))
    }

    /// These without the child, or with a child of another class in its place.
    fn with_child(&self, child: NodeId, class: Option<NodeClass>) -> Option<GrammarChildren> {
        let at = self.ids.iter().position(|&id| id == child)?;
        let mut changed = GrammarChildren {
            children: self.children.clone(),
            ids: Vec::new(),
            trailing_gap: self.trailing_gap,
        };
        if class.is_some() {
            changed.children[at].class = class;
        } else {
            let gone = changed.children.remove(at);
            if gone.gap || self.children.len() == 1 {
                return None;
            }
        }
        Some(changed)
    }
}

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
