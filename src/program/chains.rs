//! Chains of one recursive kind become lists: `a + b + c`, `a, b, c`, `else if … else if …`.
//!
//! A grammar writes such a chain as nesting, in which only the outermost pair could be cut. As a list, any run of its elements can go
//! at once. This is the tree-sitter side of what Perses' grammar transformation does to recursive rules (ICSE 2018, §3.1).

use std::collections::VecDeque;

use super::build::{Draft, DraftBody};
use super::node::{Flags, Shape};
use crate::grammar::Grammar;

/// `node`, whose descendants have been through this already, with its chain as a list if it is one.
pub fn flatten(grammar: &Grammar, mut node: Draft) -> Draft {
    if let Some(list) = operators(grammar, &mut node) {
        let DraftBody::Inner(kids) = &mut node.body else {
            return node;
        };
        kids.clear();
        kids.push_back(list);
    } else if let Some(list) = concatenation(grammar, &mut node) {
        let DraftBody::Inner(kids) = &mut node.body else {
            return node;
        };
        kids.push_back(list);
    } else {
        tails(&mut node);
    }
    node
}

/// How many elements at either end of a concatenation are tried; those in the middle are all in one repetition.
const ENDS: usize = 3;

/// A sequence that any of its parts may leave, such as adjacent strings: the list of its parts. The grammar writes its first parts
/// apart from the repetition of the rest.
fn concatenation(grammar: &Grammar, node: &mut Draft) -> Option<Draft> {
    let parts = node.kids()?.iter().flat_map(|kid| match kid.shape {
        Shape::Item | Shape::Star | Shape::Plus => kid.kids().into_iter().flatten().collect(),
        _ => vec![kid],
    });
    let parts: Vec<_> = parts.collect();
    let repeats = |kid: &Draft| matches!(kid.shape, Shape::Star | Shape::Plus);
    let named = |part: &&Draft| part.class.is_some_and(|class| grammar.is_named(class));
    let a_repetition_alone = node.kids()?.iter().all(repeats);
    if a_repetition_alone || parts.len() < 3 || !parts.iter().all(named) {
        return None;
    }
    let rule = grammar.rule(node.class?)?;
    let without = |gone: usize| -> Vec<_> {
        let left = parts.iter().enumerate().filter(|&(at, _)| at != gone);
        left.map(|(_, part)| crate::grammar::Child {
            class: part.class,
            gap: false,
        })
        .collect()
    };
    let ends = (0..parts.len()).filter(|&at| at < ENDS || at + ENDS >= parts.len());
    if !ends
        .into_iter()
        .all(|gone| grammar.derives(rule, &without(gone), false))
    {
        return None;
    }
    let mut parts = VecDeque::new();
    for mut kid in std::mem::take(node.kids_mut()?) {
        let group = kid.class.is_none();
        match kid.kids_mut().filter(|_| group) {
            Some(inside) => parts.append(inside),
            None => parts.push_back(kid),
        }
    }
    let mut list = Draft::inner(Shape::Plus, parts);
    list.flags = Flags::CHAIN;
    Some(list)
}

/// The parts of a node that is `operand operator operand`.
fn is_triple(grammar: &Grammar, node: &Draft) -> bool {
    let Some(kids) = node.kids() else {
        return false;
    };
    let separator = |kid: &Draft| {
        kid.shape == Shape::Token && kid.class.is_some_and(|class| !grammar.is_named(class))
    };
    kids.len() == 3 && separator(&kids[1]) && kids[0].class.is_some() && kids[2].class.is_some()
}

fn chain_of(node: &Draft) -> Option<&VecDeque<Draft>> {
    match node.kids()?.front() {
        Some(list) if list.flags.has(Flags::CHAIN) => list.kids(),
        _ => None,
    }
}

fn text(leaf: &Draft) -> &[u8] {
    match &leaf.body {
        DraftBody::Leaf(_, _, text) => text,
        DraftBody::Inner(_) | DraftBody::Sealed(_) => &[],
    }
}

/// The operator of a chain or a triple.
fn operator<'a>(grammar: &Grammar, node: &'a Draft) -> Option<&'a [u8]> {
    match chain_of(node) {
        Some(list) => Some(text(list.get(1)?.kids()?.front()?)),
        None => is_triple(grammar, node).then(|| text(&node.kids().expect("a triple")[1])),
    }
}

/// Takes the elements out of a chain or a triple.
fn elements(mut node: Draft) -> VecDeque<Draft> {
    let Some(kids) = node.kids_mut() else {
        return VecDeque::new();
    };
    let mut kids = std::mem::take(kids);
    match kids.len() {
        1 => kids[0].kids_mut().map(std::mem::take).unwrap_or_default(),
        _ => {
            let link = Draft::inner(Shape::Link, kids.split_off(1));
            kids.push_back(link);
            kids
        }
    }
}

/// One operator over operands of one kind: the list, if `node` and one of its operands are links of it.
fn operators(grammar: &Grammar, node: &mut Draft) -> Option<Draft> {
    if !is_triple(grammar, node) {
        return None;
    }
    let kids = node.kids()?;
    let operator_here = text(&kids[1]);
    let continues =
        |side: &Draft| side.class == node.class && operator(grammar, side) == Some(operator_here);
    let (left, right) = (continues(&kids[0]), continues(&kids[2]));
    let first = |side: &Draft| {
        chain_of(side)
            .map_or_else(
                || side.kids().and_then(|kids| kids.front()),
                |list| list.front(),
            )
            .and_then(|e| e.class)
    };
    let last = |side: &Draft| -> Option<_> {
        match chain_of(side) {
            Some(list) => super::build::last_kid(list.back()?)?.class,
            None => side.kids()?.back()?.class,
        }
    };
    // Any operand may come to stand at either end, so each must fit both places.
    let (low, high) = match (left, right) {
        (true, false) => (last(&kids[0])?, kids[2].class?),
        (false, true) => (kids[0].class?, first(&kids[2])?),
        _ => return None,
    };
    let (at_left, at_right) = (kids[0].expected?, kids[2].expected?);
    if ![low, high]
        .iter()
        .all(|&class| grammar.fits(class, at_left) && grammar.fits(class, at_right))
    {
        return None;
    }
    let mut kids = std::mem::take(node.kids_mut()?);
    let (b, separator, a) = (kids.pop_back()?, kids.pop_back()?, kids.pop_back()?);
    let list = if left {
        let mut list = elements(a);
        list.push_back(Draft::inner(Shape::Link, vec![separator, b]));
        list
    } else {
        let mut list = elements(b);
        let head = list.pop_front()?;
        list.push_front(Draft::inner(Shape::Link, vec![separator, head]));
        list.push_front(a);
        list
    };
    let mut list = Draft::inner(Shape::Sep, list);
    list.flags = Flags::CHAIN;
    Some(list)
}

/// The node in the optional tail of `node` that is of its own kind: `else if`.
fn tail(node: &Draft) -> Option<&Draft> {
    let optional = node
        .kids()?
        .back()
        .filter(|last| last.shape == Shape::Opt)?;
    let around = optional
        .kids()
        .filter(|kids| kids.len() == 1)?
        .front()
        .filter(|around| around.shape == Shape::Regular)?;
    around.kids()?.back().filter(|tail| {
        tail.class == node.class && node.class.is_some() && tail.shape == Shape::Regular
    })
}

fn has_links(node: &Draft) -> bool {
    let mut kids = node.kids().into_iter().flatten();
    kids.any(|kid| {
        kid.shape == Shape::Star
            && kid
                .kids()
                .and_then(|kids| kids.front())
                .is_some_and(|kid| kid.shape == Shape::Link)
    })
}

/// Three or more of a kind, each in the optional tail of the one before: the tails become a list of links.
fn tails(node: &mut Draft) {
    if !tail(node).is_some_and(|tail| has_links(tail) || self::tail(tail).is_some()) {
        return;
    }
    let Some((link, mut rest)) = unhook(node) else {
        return;
    };
    let mut links = VecDeque::from([link]);
    // The tail's own links and what follows them come after its link; a tail of two is unhooked the same way.
    if let Some(next) = links
        .back_mut()
        .and_then(super::build::last_kid_mut)
        .and_then(|tail| self::tail(tail).is_some().then(|| unhook(tail)))
        .flatten()
    {
        links.push_back(next.0);
        rest = next.1;
    }
    if let Some(kids) = rest
        .front_mut()
        .filter(|list| list.shape == Shape::Star)
        .and_then(Draft::kids_mut)
    {
        links.append(&mut std::mem::take(kids));
        rest.pop_front();
    }
    if let Some(kids) = node.kids_mut() {
        kids.push_back(Draft::inner(Shape::Star, links));
        kids.append(&mut rest);
    }
}

/// Takes the tail off `node`: a link of what leads to it and the tail itself, and apart from it what follows in the tail (its links,
/// its own optional end).
fn unhook(node: &mut Draft) -> Option<(Draft, VecDeque<Draft>)> {
    let mut optional = node.kids_mut()?.pop_back()?;
    let mut around = optional.kids_mut()?.pop_back()?;
    let mut lead = std::mem::take(around.kids_mut()?);
    let tail = lead.back_mut()?;
    tail.flags = tail.flags.with(Flags::CHAINED);
    let deeper = self::tail(tail).is_some();
    let kids = tail.kids_mut()?;
    let mut rest = VecDeque::new();
    let follows = |kid: &Draft| {
        kid.shape == Shape::Opt
            || kid
                .kids()
                .and_then(|kids| kids.front())
                .is_some_and(|kid| kid.shape == Shape::Link)
    };
    while !deeper && kids.back().is_some_and(follows) {
        rest.extend(kids.pop_back());
    }
    rest.make_contiguous().reverse();
    Some((Draft::inner(Shape::Link, lead), rest))
}
