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

/// The children of a part, without comments and what the parser has not seen.
#[derive(Default)]
pub struct GrammarChildren<'a> {
    /// What the grammar sees of them.
    pub children: Vec<GrammarChild>,
    /// The nodes that they are; none for children that were changed.
    pub nodes: Vec<PlacedChild<'a>>,
    /// Whether text that is no child stands behind the last.
    pub trailing_gap: bool,
    /// Whether the parser has skipped text between them.
    pub has_skipped: bool,
}

/// A child of a node in the parser's tree, and how many bytes of the node stand before it and its white space.
pub type PlacedChild<'a> = (&'a Arc<ProgramNode>, usize);

impl<'a> GrammarChildren<'a> {
    /// The children of this part.
    pub fn of_part(part: &'a ProgramNode) -> GrammarChildren<'a> {
        GrammarChildren::below(part.children(), None)
    }

    /// The nodes with a class that are next below these, or are among these, but for one that is left out.
    pub fn below(nodes: &'a [Arc<ProgramNode>], without: Option<NodeId>) -> GrammarChildren<'a> {
        let (mut found, mut at) = (GrammarChildren::default(), 0);
        let mut stack: Vec<&Arc<ProgramNode>> = nodes.iter().rev().collect();
        while let Some(node) = stack.pop() {
            match node.shape {
                NodeShape::Extra | NodeShape::End => {}
                NodeShape::Opaque => found.has_skipped = true,
                _ if node.flags.contains(NodeFlags::HIDDEN) => {}
                _ if node.class.is_some() => {
                    if Some(node.id) != without {
                        found.children.push(GrammarChild {
                            class: node.class,
                            gap: std::mem::take(&mut found.trailing_gap),
                        });
                        found.nodes.push((node, at));
                    }
                }
                NodeShape::Token => found.trailing_gap = true,
                _ => {
                    stack.extend(node.children().iter().rev());
                    continue;
                }
            }
            at += node.sums().bytes as usize;
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
    fn with_child(
        &self,
        child: NodeId,
        class: Option<NodeClass>,
    ) -> Option<GrammarChildren<'static>> {
        let at = self.nodes.iter().position(|(node, _)| node.id == child)?;
        let mut changed = GrammarChildren {
            children: self.children.clone(),
            nodes: Vec::new(),
            ..*self
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
