//! Whether a node is what a pattern says.
//!
//! The tokens of the pattern must be the tokens of the node, one after the other, with one node in the place of each hole. A hole takes the
//! outermost node that lets the rest match; `$$x` takes as few neighbours as let the rest match.

use std::sync::Arc;

use super::super::node::{NodeShape, ProgramNode};
use super::super::version::Version;
use super::super::walk;
use super::conditions::meets_condition;
use crate::language::{Language, NewlineMeaning, PatternElement, RewriteRule, SpacedElement};
use crate::protocol::abandon::count_round;

/// What the holes of a rule hold in a node.
#[derive(Debug)]
pub struct RuleMatch<'a> {
    /// The nodes of each hole, in the order of the text.
    pub held: Vec<Vec<&'a Arc<ProgramNode>>>,
    /// Whether the semicolon at the end of the pattern is not there: the end of the line ends the statement.
    pub is_unterminated: bool,
}

impl<'a> RuleMatch<'a> {
    /// A node in the only hole.
    pub fn of_node(node: &'a Arc<ProgramNode>) -> RuleMatch<'a> {
        RuleMatch {
            held: vec![vec![node]],
            is_unterminated: false,
        }
    }
}

/// What the holes of the rule hold in a node of a program in that language; none if it is not what the rule is about.
pub fn match_rule<'a>(
    version: &'a Version,
    language: &'static Language,
    node: &'a Arc<ProgramNode>,
    rule: &RewriteRule,
) -> Option<RuleMatch<'a>> {
    let found = match_pattern(language, node, rule)?;
    let mut conditions = rule.conditions.iter();
    let is_met = conditions.all(|condition| meets_condition(version, *condition, &found.held));
    is_met.then_some(found)
}

/// The same without the conditions.
fn match_pattern<'a>(
    language: &'static Language,
    node: &'a Arc<ProgramNode>,
    rule: &RewriteRule,
) -> Option<RuleMatch<'a>> {
    let elements = &rule.from.elements[..];
    let mut matcher = Matcher {
        language,
        held: vec![None; rule.hole_count],
    };
    let mut try_elements = |elements: &[SpacedElement], is_unterminated| {
        let pending = node.children().iter().rev().collect();
        matcher
            .match_elements(elements, pending)
            .then(|| RuleMatch {
                held: std::mem::take(&mut matcher.held)
                    .into_iter()
                    .map(Option::unwrap_or_default)
                    .collect(),
                is_unterminated,
            })
    };
    try_elements(elements, false).or_else(|| {
        let (last, before) = elements.split_last()?;
        let is_open = language.newline_meaning() == NewlineMeaning::Semicolons
            && matches!(&last.0, PatternElement::Token(text) if **text == *b";");
        if !is_open {
            return None;
        }
        try_elements(before, true)
    })
}

struct Matcher<'a> {
    language: &'static Language,
    held: Vec<Option<Vec<&'a Arc<ProgramNode>>>>,
}

/// The nodes that are still to be matched, the next one last. Together with what was matched they are the whole node.
type PendingNodes<'a> = Vec<&'a Arc<ProgramNode>>;

impl<'a> Matcher<'a> {
    /// Whether these elements match all that is pending. The depth of the recursion is the length of the pattern.
    fn match_elements(
        &mut self,
        elements: &[SpacedElement],
        mut pending: PendingNodes<'a>,
    ) -> bool {
        count_round();
        let Some(((first, _), rest)) = elements.split_first() else {
            return pending.is_empty();
        };
        match first {
            PatternElement::Token(text) => {
                next_leaf(&mut pending)
                    .is_some_and(|leaf| leaf.shape == NodeShape::Token && leaf.text() == &**text)
                    && self.match_elements(rest, pending)
            }
            PatternElement::Hole(hole) => self.match_hole(*hole, rest, pending),
            PatternElement::Rest(hole) => self.match_rest(*hole, rest, pending),
        }
    }

    fn match_hole(
        &mut self,
        hole: usize,
        rest: &[SpacedElement],
        mut pending: PendingNodes<'a>,
    ) -> bool {
        let known = self.held[hole].clone();
        while let Some(node) = pending.pop() {
            let is_same = |known: &[&Arc<ProgramNode>]| {
                known
                    .iter()
                    .all(|known| known.token_hash() == node.token_hash())
            };
            if self.is_node(node)
                && known.as_deref().is_none_or(is_same)
                && may_follow(&pending, rest)
            {
                if known.is_none() {
                    self.held[hole] = Some(vec![node]);
                }
                if self.match_elements(rest, pending.clone()) {
                    return true;
                }
                self.held[hole] = known.clone();
            }
            if node.shape.is_leaf() {
                return false;
            }
            pending.extend(node.children().iter().rev());
        }
        false
    }

    fn match_rest(
        &mut self,
        hole: usize,
        rest: &[SpacedElement],
        mut pending: PendingNodes<'a>,
    ) -> bool {
        let mut held = Vec::new();
        loop {
            if may_follow(&pending, rest) {
                self.held[hole] = Some(held.clone());
                if self.match_elements(rest, pending.clone()) {
                    return true;
                }
                self.held[hole] = None;
            }
            let Some(mut node) = pending.pop() else {
                return false;
            };
            // What is no node of its own is taken part by part.
            while node.class.is_none() && !node.shape.is_leaf() && node.shape != NodeShape::Link {
                pending.extend(node.children().iter().rev());
                match pending.pop() {
                    Some(first) => node = first,
                    None => return false,
                }
            }
            held.push(node);
        }
    }

    /// Whether a hole may hold it: it is a node of the grammar that has a name.
    fn is_node(&self, node: &ProgramNode) -> bool {
        let is_whole = !matches!(
            node.shape,
            NodeShape::Link
                | NodeShape::Item
                | NodeShape::Chunk
                | NodeShape::Extra
                | NodeShape::End
        );
        is_whole
            && node
                .class
                .is_some_and(|class| self.language.grammar().is_named(class))
    }
}

/// Whether the next element can match what is pending, as far as its first token says.
fn may_follow(pending: &[&Arc<ProgramNode>], rest: &[SpacedElement]) -> bool {
    let next = pending.last();
    match rest.first().map(|(element, _)| element) {
        None => next.is_none(),
        Some(PatternElement::Token(text)) => next
            .is_some_and(|next| walk::leaf_at(next, 0).is_some_and(|leaf| leaf.text() == &**text)),
        Some(PatternElement::Hole(_)) => next.is_some(),
        Some(PatternElement::Rest(_)) => true,
    }
}

/// Takes the next leaf.
fn next_leaf<'a>(pending: &mut PendingNodes<'a>) -> Option<&'a Arc<ProgramNode>> {
    loop {
        let node = pending.pop()?;
        if node.shape.is_leaf() {
            return Some(node);
        }
        pending.extend(node.children().iter().rev());
    }
}
