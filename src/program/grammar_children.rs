//! The children of a part as its grammar sees them, and what they derive.

use std::sync::Arc;

use super::node::{NodeFlags, NodeId, NodeShape, ProgramNode};
use crate::grammar::{ExprId, Grammar, GrammarChild, GrammarExpr, NodeClass};

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

    /// Whether a node of this class has them by its rule.
    pub fn derive_class(&self, grammar: &Grammar, class: NodeClass) -> bool {
        grammar
            .rule_of_class(class)
            .is_some_and(|rule| grammar.has_derivation(rule, &self.children, self.trailing_gap))
    }

    /// These without the child, or with a child of another class in its place.
    pub fn with_child(
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
