//! Algorithm 1, its two passes: recursion at the left end, then at the right end, becomes repetition.
//!
//! An edge leads from each rule to the rules that its alternatives begin with. Within a strongly connected component of that graph
//! ([`super::components`]) the alternatives of earlier rules are inlined, until a rule begins only with itself or with a later one. Then `N
//! ::= N a | b` is `N ::= b a*`, and `a a*` is `a+`.
//!
//! Some steps go beyond the paper, so that as much as possible becomes a list or keeps a name:
//! * `N ::= N op N | b` is `b (op b)*`: whatever ends in `N` again begins with `b` and goes on with what may follow anyway.
//! * Alternatives that go into many places and are no part of the recursion get a rule of their own first, with a prime.
//! * An earlier rule that begins with itself is put in with a repetition in place of that (`N ::= N a | b` as `b a*`), as in Paull's
//!   algorithm; by the paper's line 20 the replacing would never end.
//! * A component or a rule that would grow beyond [`MAX_INLINED_ALTERNATIVES`] or [`MAX_EXPOSED_ALTERNATIVES`] alternatives, or [`MAX_RULE_TERMS`] terms, stays as it is. The
//!   parser does not mind.
//!
//! The right pass mirrors the left one.

use std::collections::BTreeSet;

use super::components;
use super::rules::{Alternatives, BnfRules, RuleTerm, SymbolId, count_terms};

/// The most alternatives of a rule into which other rules were inlined.
const MAX_INLINED_ALTERNATIVES: usize = 16;
/// The most alternatives of a rule whose groups were expanded.
const MAX_EXPOSED_ALTERNATIVES: usize = 64;
/// The most terms of a rule that grows, and the most alternatives of a rule in which parts are made optional.
const MAX_RULE_TERMS: usize = 1000;

/// One pass: the grammar with direct recursion only, and the grammar with repetition in its place.
pub(super) fn remove_left_recursion(rules: &BnfRules) -> (BnfRules, BnfRules) {
    let mut direct = rules.clone();
    let reachable: Vec<usize> = direct.reachable_rules().into_iter().collect();
    let edges = |rule: usize| leftmost_rules(&rules.bodies[rule]);
    for component in components::strongly_connected_components(&reachable, edges) {
        if component.len() > 1 {
            let bodies = component.iter().map(|&rule| direct.bodies[rule].clone());
            let (before, count) = (bodies.collect::<Vec<_>>(), direct.names.len());
            if !make_direct(&mut direct, &component) {
                direct.truncate_rules(count);
                for (&rule, body) in component.iter().zip(before) {
                    direct.bodies[rule] = body;
                }
            }
        }
    }
    let mut repeated = direct.clone();
    for rule in direct.reachable_rules() {
        let body = merge_optionals(quantify_left_recursion(rule, &direct.bodies[rule]));
        repeated.bodies[rule] = body;
    }
    (direct, repeated)
}

/// The same for the right end.
pub(super) fn remove_right_recursion(rules: &BnfRules) -> (BnfRules, BnfRules) {
    let (direct, repeated) = remove_left_recursion(&mirror_rules(rules));
    (mirror_rules(&direct), mirror_rules(&repeated))
}

/// The rules as they are, and mirrored: what is at their left ends there is at their right ends here.
pub(super) fn both_ways(rules: &BnfRules) -> [BnfRules; 2] {
    [rules.clone(), mirror_rules(rules)]
}

fn mirror_rules(rules: &BnfRules) -> BnfRules {
    let mut rules = rules.clone();
    rules.bodies.iter_mut().for_each(mirror_alternatives);
    rules
}

fn mirror_alternatives(alternatives: &mut Alternatives) {
    for sequence in alternatives {
        sequence.reverse();
        sequence
            .iter_mut()
            .filter_map(RuleTerm::inner_mut)
            .for_each(mirror_alternatives);
    }
}

/// The rules that the alternatives may begin with.
pub(super) fn leftmost_rules(alternatives: &Alternatives) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for sequence in alternatives {
        for term in sequence {
            match term {
                RuleTerm::Sym(SymbolId::Rule(rule)) => drop(found.insert(*rule)),
                RuleTerm::Sym(SymbolId::Token(_)) => {}
                term => found.extend(term.inner().into_iter().flat_map(leftmost_rules)),
            }
            if !matches!(term, RuleTerm::Star(_) | RuleTerm::Opt(_)) {
                break;
            }
        }
    }
    found
}

/// Inlines earlier rules of a component at the front of later ones. False if one would grow too much.
fn make_direct(rules: &mut BnfRules, component: &[usize]) -> bool {
    let inside = |rule: &usize| component.binary_search(rule).is_ok();
    for &rule in component {
        let Some(body) = expose_recursion(std::mem::take(&mut rules.bodies[rule]), &inside) else {
            return false;
        };
        rules.bodies[rule] = body;
        // The place of an alternative with an earlier rule of the component at its front.
        let earlier = |rules: &BnfRules| {
            rules.bodies[rule]
                .iter()
                .enumerate()
                .find_map(|(at, sequence)| match sequence.first() {
                    Some(RuleTerm::Sym(SymbolId::Rule(first)))
                        if inside(first) && *first < rule =>
                    {
                        Some((at, *first))
                    }
                    _ => None,
                })
        };
        while let Some((at, first)) = earlier(rules) {
            split_nonrecursive(rules, first, &inside);
            let fronts = quantify_left_recursion(first, &rules.bodies[first]);
            let sequence = rules.bodies[rule].remove(at);
            let sequences = fronts
                .into_iter()
                .map(|front| [&front[..], &sequence[1..]].concat());
            let Some(sequences) = expose_recursion(sequences.collect(), &inside) else {
                return false;
            };
            rules.bodies[rule].splice(at..at, sequences);
            if rules.bodies[rule].len() > MAX_INLINED_ALTERNATIVES
                || count_terms(&rules.bodies[rule]) > MAX_RULE_TERMS
            {
                return false;
            }
        }
    }
    true
}

/// The alternatives of a rule that do not begin with a rule of the component, and are more than a symbol, get a rule of their own.
fn split_nonrecursive(rules: &mut BnfRules, rule: usize, inside: &impl Fn(&usize) -> bool) {
    let apart = |sequence: &Vec<RuleTerm>| {
        sequence.len() > 1 && !leftmost_rules(&vec![sequence.clone()]).iter().any(inside)
    };
    let body = std::mem::take(&mut rules.bodies[rule]);
    let Some(at) = body.iter().position(apart) else {
        rules.bodies[rule] = body;
        return;
    };
    let (parted, mut body): (Vec<_>, Vec<_>) = body.into_iter().partition(apart);
    let name = format!("{}'", rules.names[rule]);
    let own = rules.add_rule(name, parted, Some(rule));
    body.insert(at.min(body.len()), vec![RuleTerm::Sym(SymbolId::Rule(own))]);
    rules.bodies[rule] = body;
}

/// The alternatives, expanded until a symbol is at the front of each that may begin with a rule of the component. `None` if there would be
/// too many.
fn expose_recursion(
    alternatives: Alternatives,
    inside: &impl Fn(&usize) -> bool,
) -> Option<Alternatives> {
    let mut out = Vec::new();
    // A stack in reverse keeps the order.
    let mut open: Vec<Vec<RuleTerm>> = alternatives.into_iter().rev().collect();
    while let Some(sequence) = open.pop() {
        if out.len() + open.len() > MAX_EXPOSED_ALTERNATIVES
            || count_terms(&open) > MAX_EXPOSED_ALTERNATIVES * MAX_RULE_TERMS
        {
            return None;
        }
        let hides = |term: &RuleTerm| {
            let body = term.inner();
            body.is_some_and(|body| leftmost_rules(body).iter().any(inside))
        };
        // An optional part at the front may be skipped, and what follows it may begin with a rule of the component.
        let may_go = |term: &&RuleTerm| matches!(term, RuleTerm::Star(_) | RuleTerm::Opt(_));
        let passed = sequence.iter().take_while(may_go).count();
        let hidden = sequence.iter().take(passed + 1).any(hides)
            || passed > 0
                && matches!(sequence.get(passed), Some(RuleTerm::Sym(SymbolId::Rule(r))) if inside(r));
        let Some(first) = sequence
            .first()
            .filter(|first| hidden && first.inner().is_some())
        else {
            out.push(sequence);
            continue;
        };
        let rest = &sequence[1..];
        let again = match first {
            RuleTerm::Star(_) => Some(first.clone()),
            RuleTerm::Plus(inner) => Some(RuleTerm::Star(inner.clone())),
            _ => None,
        };
        let mut sequences: Alternatives = Vec::new();
        for front in first.inner().into_iter().flatten() {
            let mut sequence = front.clone();
            sequence.extend(again.clone());
            sequence.extend_from_slice(rest);
            sequences.push(sequence);
        }
        if may_go(&first) && !rest.is_empty() {
            sequences.push(rest.to_vec());
        }
        open.extend(sequences.into_iter().rev());
    }
    Some(out)
}

/// The alternatives of a rule without its recursion at the left end: `N a | b` as `b a*`.
fn quantify_left_recursion(rule: usize, body: &Alternatives) -> Alternatives {
    let own = RuleTerm::Sym(SymbolId::Rule(rule));
    let Some(mut body) = expose_recursion(body.clone(), &|&other| other == rule) else {
        return body.clone();
    };
    body.retain(|sequence| sequence[..] != [own.clone()]);
    let begins = |sequence: &Vec<RuleTerm>| sequence.first() == Some(&own);
    let (recursive, bases): (Vec<_>, Vec<_>) = body.iter().cloned().partition(begins);
    if recursive.is_empty() || bases.is_empty() {
        return body;
    }
    let tails: Alternatives = recursive
        .into_iter()
        .map(|sequence| sequence[1..].to_vec())
        .collect();
    if !tails.iter().any(|tail| tail.last() == Some(&own)) {
        return build_repetition(bases, tails);
    }
    // Operators: an alternative that ends in the rule again ends in one of its bases, and the repetition covers the rest.
    let (prefixes, bases): (Vec<_>, Vec<_>) = bases
        .into_iter()
        .partition(|sequence| sequence.last() == Some(&own));
    if bases.is_empty() {
        return body;
    }
    let mut operand = vec![RuleTerm::Group(bases)];
    if !prefixes.is_empty() {
        let prefixes = prefixes
            .into_iter()
            .map(|sequence| sequence[..sequence.len() - 1].to_vec());
        operand.insert(0, RuleTerm::Star(prefixes.collect()));
    }
    if tails.len() * count_terms(std::slice::from_ref(&operand))
        > MAX_EXPOSED_ALTERNATIVES * MAX_RULE_TERMS
    {
        return body;
    }
    let tails = tails.into_iter().map(|mut tail| {
        if tail.last() == Some(&own) {
            tail.pop();
            tail.extend(operand.iter().cloned());
        }
        tail
    });
    let tails = tails.collect();
    operand.push(RuleTerm::Star(tails));
    vec![operand]
}

/// `(b | c) a*`; if the beginning is one of the repeated parts, `a+`.
fn build_repetition(bases: Alternatives, tails: Alternatives) -> Alternatives {
    let (same, others): (Vec<_>, Vec<_>) =
        bases.into_iter().partition(|base| tails == [base.clone()]);
    let mut out = Vec::new();
    if !same.is_empty() {
        out.push(vec![RuleTerm::Plus(tails.clone())]);
    }
    if !others.is_empty() {
        let others = merge_optionals(others);
        let mut sequence = match &others[..] {
            [only] => only.clone(),
            _ => vec![RuleTerm::Group(others)],
        };
        sequence.push(RuleTerm::Star(tails));
        out.push(sequence);
    }
    out
}

/// Two alternatives that differ by a part become one in which the part is optional: `a c | a b c` is `a b? c`.
fn merge_optionals(mut alternatives: Alternatives) -> Alternatives {
    'again: loop {
        if alternatives.len() > MAX_RULE_TERMS {
            return alternatives;
        }
        for first in 0..alternatives.len() {
            for second in first + 1..alternatives.len() {
                if let Some(sequence) =
                    merge_optional_pair(&alternatives[first], &alternatives[second])
                {
                    alternatives[first] = sequence;
                    alternatives.remove(second);
                    continue 'again;
                }
            }
        }
        return alternatives;
    }
}

fn merge_optional_pair(a: &[RuleTerm], b: &[RuleTerm]) -> Option<Vec<RuleTerm>> {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let head = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let tail = &short[head..];
    if short.len() == long.len() || !long.ends_with(tail) {
        return None;
    }
    let part = long[head..long.len() - tail.len()].to_vec();
    let mut sequence = long[..head].to_vec();
    sequence.push(match &part[..] {
        [RuleTerm::Star(_) | RuleTerm::Opt(_)] => part[0].clone(),
        [RuleTerm::Plus(inner)] => RuleTerm::Star(inner.clone()),
        [RuleTerm::Group(inner)] => RuleTerm::Opt(inner.clone()),
        _ => RuleTerm::Opt(vec![part]),
    });
    sequence.extend_from_slice(tail);
    Some(sequence)
}
