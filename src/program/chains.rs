//! Chains of one recursive kind become lists: `a + b + c`, `a, b, c`, `else if … else if …`.
//!
//! A grammar writes such a chain as nesting, in which only the outermost pair could be cut. In a list, any run of its elements can be
//! removed at once. For tree-sitter's grammars this is what Perses' grammar transformation does to recursive rules (ICSE 2018, §3.1).

use std::collections::VecDeque;

use super::build::{DraftBody, NodeDraft};
use super::node::{NodeFlags, NodeShape};
use crate::grammar::Grammar;

/// `node` with its chain as a list, if it is one. Its descendants are done already.
pub fn flatten_chain(grammar: &Grammar, mut node: NodeDraft) -> NodeDraft {
    if let Some(list) = flatten_operators(grammar, &mut node) {
        let DraftBody::Inner(children) = &mut node.body else {
            return node;
        };
        children.clear();
        children.push_back(list);
    } else if let Some(list) = flatten_concatenation(grammar, &mut node) {
        let DraftBody::Inner(children) = &mut node.body else {
            return node;
        };
        children.push_back(list);
    } else {
        flatten_tails(&mut node);
    }
    node
}

/// How many elements at either end of a concatenation are tried as the separate ones; those in the middle are all in one repetition.
const SEPARATE_END_ELEMENTS: usize = 3;

/// A sequence that any of its parts may leave, such as adjacent strings: the list of its parts. The grammar writes the first parts
/// separately from the repetition of the rest.
fn flatten_concatenation(grammar: &Grammar, node: &mut NodeDraft) -> Option<NodeDraft> {
    let parts = node.children()?.iter().flat_map(|child| {
        let (alone, inside) = match child.shape {
            NodeShape::Item | NodeShape::Star | NodeShape::Plus => (None, child.children()),
            _ => (Some(child), None),
        };
        alone.into_iter().chain(inside.into_iter().flatten())
    });
    let repeats = |child: &NodeDraft| matches!(child.shape, NodeShape::Star | NodeShape::Plus);
    let named = |part: &NodeDraft| part.class.is_some_and(|class| grammar.is_named(class));
    let a_repetition_alone = node.children()?.iter().all(repeats);
    // Most nodes have a token without a name.
    if a_repetition_alone || !parts.clone().all(named) {
        return None;
    }
    let parts: Vec<_> = parts.collect();
    if parts.len() < 3 {
        return None;
    }
    let rule = grammar.rule_of_class(node.class?)?;
    let without = |gone: usize| -> Vec<_> {
        let left = parts.iter().enumerate().filter(|&(at, _)| at != gone);
        left.map(|(_, part)| crate::grammar::GrammarChild {
            class: part.class,
            gap: false,
        })
        .collect()
    };
    let ends = (0..parts.len())
        .filter(|&at| at < SEPARATE_END_ELEMENTS || at + SEPARATE_END_ELEMENTS >= parts.len());
    if !ends
        .into_iter()
        .all(|gone| grammar.has_derivation(rule, &without(gone), false))
    {
        return None;
    }
    let mut parts = VecDeque::new();
    for mut child in std::mem::take(node.children_mut()?) {
        let group = child.class.is_none();
        match child.children_mut().filter(|_| group) {
            Some(inside) => parts.append(inside),
            None => parts.push_back(child),
        }
    }
    let mut list = NodeDraft::new_inner(NodeShape::Plus, parts);
    list.flags = NodeFlags::CHAIN;
    Some(list)
}

/// The parts of a node that is `operand operator operand`.
fn is_operator_triple(grammar: &Grammar, node: &NodeDraft) -> bool {
    let Some(children) = node.children() else {
        return false;
    };
    let separator = |child: &NodeDraft| {
        child.shape == NodeShape::Token && child.class.is_some_and(|class| !grammar.is_named(class))
    };
    children.len() == 3
        && separator(&children[1])
        && children[0].class.is_some()
        && children[2].class.is_some()
}

fn chain_elements(node: &NodeDraft) -> Option<&VecDeque<NodeDraft>> {
    match node.children()?.front() {
        Some(list) if list.flags.contains(NodeFlags::CHAIN) => list.children(),
        _ => None,
    }
}

fn leaf_text(leaf: &NodeDraft) -> &[u8] {
    match &leaf.body {
        DraftBody::Leaf(leaf) => leaf.text(),
        DraftBody::Inner(_) | DraftBody::Built(_) => &[],
    }
}

/// The operator of a chain or a triple.
fn chain_operator<'a>(grammar: &Grammar, node: &'a NodeDraft) -> Option<&'a [u8]> {
    match chain_elements(node) {
        Some(list) => Some(leaf_text(list.get(1)?.children()?.front()?)),
        None => is_operator_triple(grammar, node)
            .then(|| leaf_text(&node.children().expect("a triple")[1])),
    }
}

/// Takes the elements out of a chain or a triple.
fn take_elements(mut node: NodeDraft) -> VecDeque<NodeDraft> {
    let Some(children) = node.children_mut() else {
        return VecDeque::new();
    };
    let mut children = std::mem::take(children);
    match children.len() {
        1 => children[0]
            .children_mut()
            .map(std::mem::take)
            .unwrap_or_default(),
        _ => {
            let link = NodeDraft::new_inner(NodeShape::Link, children.split_off(1));
            children.push_back(link);
            children
        }
    }
}

/// One operator over operands of one kind: the list, if `node` and one of its operands are links of it.
fn flatten_operators(grammar: &Grammar, node: &mut NodeDraft) -> Option<NodeDraft> {
    if !is_operator_triple(grammar, node) {
        return None;
    }
    let children = node.children()?;
    let operator_here = leaf_text(&children[1]);
    let continues = |side: &NodeDraft| {
        side.class == node.class && chain_operator(grammar, side) == Some(operator_here)
    };
    let (left, right) = (continues(&children[0]), continues(&children[2]));
    let first = |side: &NodeDraft| {
        chain_elements(side)
            .map_or_else(
                || side.children().and_then(|children| children.front()),
                |list| list.front(),
            )
            .and_then(|e| e.class)
    };
    let last = |side: &NodeDraft| -> Option<_> {
        match chain_elements(side) {
            Some(list) => super::build::last_child(list.back()?)?.class,
            None => side.children()?.back()?.class,
        }
    };
    // Any operand may become the first or the last one, so each must fit both places.
    let (low, high) = match (left, right) {
        (true, false) => (last(&children[0])?, children[2].class?),
        (false, true) => (children[0].class?, first(&children[2])?),
        _ => return None,
    };
    let (at_left, at_right) = (children[0].expected?, children[2].expected?);
    if ![low, high]
        .iter()
        .all(|&class| grammar.class_fits(class, at_left) && grammar.class_fits(class, at_right))
    {
        return None;
    }
    let mut children = std::mem::take(node.children_mut()?);
    let (b, separator, a) = (
        children.pop_back()?,
        children.pop_back()?,
        children.pop_back()?,
    );
    let list = if left {
        let mut list = take_elements(a);
        list.push_back(NodeDraft::new_inner(NodeShape::Link, vec![separator, b]));
        list
    } else {
        let mut list = take_elements(b);
        let head = list.pop_front()?;
        list.push_front(NodeDraft::new_inner(NodeShape::Link, vec![separator, head]));
        list.push_front(a);
        list
    };
    let mut list = NodeDraft::new_inner(NodeShape::Sep, list);
    list.flags = NodeFlags::CHAIN;
    Some(list)
}

/// The node of the same kind in the optional tail of `node`: `else if`.
fn recursive_tail(node: &NodeDraft) -> Option<&NodeDraft> {
    let optional = node
        .children()?
        .back()
        .filter(|last| last.shape == NodeShape::Opt)?;
    let around = optional
        .children()
        .filter(|children| children.len() == 1)?
        .front()
        .filter(|around| around.shape == NodeShape::Regular)?;
    around.children()?.back().filter(|tail| {
        tail.class == node.class && node.class.is_some() && tail.shape == NodeShape::Regular
    })
}

fn has_links(node: &NodeDraft) -> bool {
    let mut children = node.children().into_iter().flatten();
    children.any(|child| {
        child.shape == NodeShape::Star
            && child
                .children()
                .and_then(|children| children.front())
                .is_some_and(|child| child.shape == NodeShape::Link)
    })
}

/// Three or more of a kind, each in the optional tail of the one before: the tails become a list of links.
fn flatten_tails(node: &mut NodeDraft) {
    if !recursive_tail(node)
        .is_some_and(|tail| has_links(tail) || self::recursive_tail(tail).is_some())
    {
        return;
    }
    let Some((link, mut rest)) = detach_tail(node) else {
        return;
    };
    let mut links = VecDeque::from([link]);
    // The tail's own links and what follows them come after its link. A tail of two is taken apart in the same way.
    if let Some(next) = links
        .back_mut()
        .and_then(super::build::last_child_mut)
        .and_then(|tail| {
            self::recursive_tail(tail)
                .is_some()
                .then(|| detach_tail(tail))
        })
        .flatten()
    {
        links.push_back(next.0);
        rest = next.1;
    }
    if let Some(children) = rest
        .front_mut()
        .filter(|list| list.shape == NodeShape::Star)
        .and_then(NodeDraft::children_mut)
    {
        links.append(&mut std::mem::take(children));
        rest.pop_front();
    }
    if let Some(children) = node.children_mut() {
        children.push_back(NodeDraft::new_inner(NodeShape::Star, links));
        children.append(&mut rest);
    }
}

/// Cuts the tail off `node`. The result is a link of what leads to the tail and the tail itself, and separately what follows in the tail:
/// its links and its own optional end.
fn detach_tail(node: &mut NodeDraft) -> Option<(NodeDraft, VecDeque<NodeDraft>)> {
    let mut optional = node.children_mut()?.pop_back()?;
    let mut around = optional.children_mut()?.pop_back()?;
    let mut lead = std::mem::take(around.children_mut()?);
    let tail = lead.back_mut()?;
    tail.flags = tail.flags.union(NodeFlags::CHAINED);
    let deeper = self::recursive_tail(tail).is_some();
    let children = tail.children_mut()?;
    let mut rest = VecDeque::new();
    let follows = |child: &NodeDraft| {
        child.shape == NodeShape::Opt
            || child
                .children()
                .and_then(|children| children.front())
                .is_some_and(|child| child.shape == NodeShape::Link)
    };
    while !deeper && children.back().is_some_and(follows) {
        rest.extend(children.pop_back());
    }
    rest.make_contiguous().reverse();
    Some((NodeDraft::new_inner(NodeShape::Link, lead), rest))
}
