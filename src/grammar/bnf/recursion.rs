//! Algorithm 1, its two passes: recursion at the left end, then at the right end, becomes repetition.
//!
//! An edge leads from each rule to the rules that its alternatives begin with. Within a strongly connected component of that graph
//! ([`super::components`]) the alternatives of earlier rules are put in the place of their names, until a rule begins with itself or
//! with a later one only. Then `N ::= N a | b` is `N ::= b a*`, and `a a*` is `a+`.
//!
//! Beyond the paper, so that as much as possible becomes a list or keeps a name:
//! * `N ::= N op N | b` is `b (op b)*`: whatever ends in `N` again begins with `b` and goes on with what may follow anyway.
//! * Alternatives that go into many places and are no part of the recursion get a rule of their own first, with a prime.
//! * An earlier rule that begins with itself is put in with a repetition in place of that (`N ::= N a | b` as `b a*`), as in Paull's
//!   algorithm; by the paper's line 20 the replacing would never end.
//! * A component or a rule that would grow beyond [`MOST`] or [`MOST_EXPOSED`] alternatives, or [`LONGEST`] terms, stays as it is. The
//!   parser does not mind.
//!
//! The right pass is the left one in a mirror.

use std::collections::BTreeSet;

use super::components;
use super::rules::{Alternatives, Rules, Sym, Term, size};

/// Alternatives of a rule in which others were put.
const MOST: usize = 16;
/// Alternatives of a rule whose groups were written out.
const MOST_EXPOSED: usize = 64;
/// Terms of a rule that is made longer, and alternatives of one in which parts are made optional.
const LONGEST: usize = 1000;

/// One pass: the grammar with direct recursion only, and the grammar with repetition in its place.
pub(super) fn left(rules: &Rules) -> (Rules, Rules) {
    let mut direct = rules.clone();
    let reachable: Vec<usize> = direct.reachable().into_iter().collect();
    let edges = |rule: usize| leftmost(&rules.bodies[rule]);
    for component in components::of(&reachable, edges) {
        if component.len() > 1 {
            let bodies = component.iter().map(|&rule| direct.bodies[rule].clone());
            let (before, count) = (bodies.collect::<Vec<_>>(), direct.names.len());
            if !make_direct(&mut direct, &component) {
                direct.names.truncate(count);
                direct.bodies.truncate(count);
                for (&rule, body) in component.iter().zip(before) {
                    direct.bodies[rule] = body;
                }
            }
        }
    }
    let mut repeated = direct.clone();
    for rule in direct.reachable() {
        let body = with_options(repetition(rule, &direct.bodies[rule]));
        repeated.bodies[rule] = body;
    }
    (direct, repeated)
}

/// The same for the right end.
pub(super) fn right(rules: &Rules) -> (Rules, Rules) {
    let (direct, repeated) = left(&mirrored(rules));
    (mirrored(&direct), mirrored(&repeated))
}

fn mirrored(rules: &Rules) -> Rules {
    let mut rules = rules.clone();
    rules.bodies.iter_mut().for_each(mirror);
    rules
}

fn mirror(alternatives: &mut Alternatives) {
    for row in alternatives {
        row.reverse();
        row.iter_mut().filter_map(Term::inner_mut).for_each(mirror);
    }
}

/// The rules that the alternatives may begin with.
fn leftmost(alternatives: &Alternatives) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for row in alternatives {
        for term in row {
            match term {
                Term::Sym(Sym::Rule(rule)) => drop(found.insert(*rule)),
                Term::Sym(Sym::Token(_)) => {}
                term => found.extend(term.inner().into_iter().flat_map(leftmost)),
            }
            if !matches!(term, Term::Star(_) | Term::Opt(_)) {
                break;
            }
        }
    }
    found
}

/// Puts earlier rules of a component in the place of their names at the front of later ones. False if one would grow too much.
fn make_direct(rules: &mut Rules, component: &[usize]) -> bool {
    let inside = |rule: &usize| component.binary_search(rule).is_ok();
    for &rule in component {
        let Some(body) = exposed(std::mem::take(&mut rules.bodies[rule]), &inside) else {
            return false;
        };
        rules.bodies[rule] = body;
        // Where a rule of the component stands at the front of the alternative at this place, and is an earlier one.
        let earlier = |rules: &Rules| {
            rules.bodies[rule]
                .iter()
                .enumerate()
                .find_map(|(at, row)| match row.first() {
                    Some(Term::Sym(Sym::Rule(first))) if inside(first) && *first < rule => {
                        Some((at, *first))
                    }
                    _ => None,
                })
        };
        while let Some((at, first)) = earlier(rules) {
            part_off(rules, first, &inside);
            let fronts = repetition(first, &rules.bodies[first]);
            let row = rules.bodies[rule].remove(at);
            let rows = fronts
                .into_iter()
                .map(|front| [&front[..], &row[1..]].concat());
            let Some(rows) = exposed(rows.collect(), &inside) else {
                return false;
            };
            rules.bodies[rule].splice(at..at, rows);
            if rules.bodies[rule].len() > MOST || size(&rules.bodies[rule]) > LONGEST {
                return false;
            }
        }
    }
    true
}

/// The alternatives of a rule that do not begin with one of the component, and are more than a symbol, get a rule of their own.
fn part_off(rules: &mut Rules, rule: usize, inside: &impl Fn(&usize) -> bool) {
    let apart = |row: &Vec<Term>| row.len() > 1 && !leftmost(&vec![row.clone()]).iter().any(inside);
    let body = std::mem::take(&mut rules.bodies[rule]);
    let Some(at) = body.iter().position(apart) else {
        rules.bodies[rule] = body;
        return;
    };
    let (parted, mut body): (Vec<_>, Vec<_>) = body.into_iter().partition(apart);
    let name = format!("{}'", rules.names[rule]);
    let own = rules.add(name, parted);
    body.insert(at.min(body.len()), vec![Term::Sym(Sym::Rule(own))]);
    rules.bodies[rule] = body;
}

/// The alternatives with a symbol at the front of each that may begin with a rule of the component.
/// `None` if there would be too many.
fn exposed(alternatives: Alternatives, inside: &impl Fn(&usize) -> bool) -> Option<Alternatives> {
    let mut out = Vec::new();
    // A stack in reverse keeps the order.
    let mut open: Vec<Vec<Term>> = alternatives.into_iter().rev().collect();
    while let Some(row) = open.pop() {
        if out.len() + open.len() > MOST_EXPOSED || size(&open) > MOST_EXPOSED * LONGEST {
            return None;
        }
        let hides = |term: &Term| {
            let body = term.inner();
            body.is_some_and(|body| leftmost(body).iter().any(inside))
        };
        // What may go at the front and hides nothing may still let something through.
        let may_go = |term: &&Term| matches!(term, Term::Star(_) | Term::Opt(_));
        let passed = row.iter().take_while(may_go).count();
        let hidden = row.iter().take(passed + 1).any(hides)
            || passed > 0 && matches!(row.get(passed), Some(Term::Sym(Sym::Rule(r))) if inside(r));
        let Some(first) = row
            .first()
            .filter(|first| hidden && first.inner().is_some())
        else {
            out.push(row);
            continue;
        };
        let rest = &row[1..];
        let again = match first {
            Term::Star(_) => Some(first.clone()),
            Term::Plus(inner) => Some(Term::Star(inner.clone())),
            _ => None,
        };
        let mut rows: Alternatives = Vec::new();
        for front in first.inner().into_iter().flatten() {
            let mut row = front.clone();
            row.extend(again.clone());
            row.extend_from_slice(rest);
            rows.push(row);
        }
        if may_go(&first) && !rest.is_empty() {
            rows.push(rest.to_vec());
        }
        open.extend(rows.into_iter().rev());
    }
    Some(out)
}

/// The alternatives of a rule without its recursion at the left end: `N a | b` as `b a*`.
fn repetition(rule: usize, body: &Alternatives) -> Alternatives {
    let own = Term::Sym(Sym::Rule(rule));
    let Some(mut body) = exposed(body.clone(), &|&other| other == rule) else {
        return body.clone();
    };
    body.retain(|row| row[..] != [own.clone()]);
    let begins = |row: &Vec<Term>| row.first() == Some(&own);
    let (recursive, bases): (Vec<_>, Vec<_>) = body.iter().cloned().partition(begins);
    if recursive.is_empty() || bases.is_empty() {
        return body;
    }
    let tails: Alternatives = recursive.into_iter().map(|row| row[1..].to_vec()).collect();
    if !tails.iter().any(|tail| tail.last() == Some(&own)) {
        return repeated(bases, tails);
    }
    // Operators: what ends in the rule again ends in one of its beginnings, and goes on as the rule may anyway.
    let (prefixes, bases): (Vec<_>, Vec<_>) =
        bases.into_iter().partition(|row| row.last() == Some(&own));
    if bases.is_empty() {
        return body;
    }
    let mut operand = vec![Term::Group(bases)];
    if !prefixes.is_empty() {
        let prefixes = prefixes
            .into_iter()
            .map(|row| row[..row.len() - 1].to_vec());
        operand.insert(0, Term::Star(prefixes.collect()));
    }
    if tails.len() * size(std::slice::from_ref(&operand)) > MOST_EXPOSED * LONGEST {
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
    operand.push(Term::Star(tails));
    vec![operand]
}

/// `(b | c) a*`; where a beginning is one of the repeated itself, `a+`.
fn repeated(bases: Alternatives, tails: Alternatives) -> Alternatives {
    let (same, others): (Vec<_>, Vec<_>) =
        bases.into_iter().partition(|base| tails == [base.clone()]);
    let mut out = Vec::new();
    if !same.is_empty() {
        out.push(vec![Term::Plus(tails.clone())]);
    }
    if !others.is_empty() {
        let others = with_options(others);
        let mut row = match &others[..] {
            [only] => only.clone(),
            _ => vec![Term::Group(others)],
        };
        row.push(Term::Star(tails));
        out.push(row);
    }
    out
}

/// Two alternatives that differ by a part become one in which it is optional: `a c | a b c` is `a b? c`.
fn with_options(mut alternatives: Alternatives) -> Alternatives {
    'again: loop {
        if alternatives.len() > LONGEST {
            return alternatives;
        }
        for first in 0..alternatives.len() {
            for second in first + 1..alternatives.len() {
                if let Some(row) = with_option(&alternatives[first], &alternatives[second]) {
                    alternatives[first] = row;
                    alternatives.remove(second);
                    continue 'again;
                }
            }
        }
        return alternatives;
    }
}

fn with_option(a: &[Term], b: &[Term]) -> Option<Vec<Term>> {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let head = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let tail = &short[head..];
    if short.len() == long.len() || !long.ends_with(tail) {
        return None;
    }
    let part = long[head..long.len() - tail.len()].to_vec();
    let mut row = long[..head].to_vec();
    row.push(match &part[..] {
        [Term::Star(_) | Term::Opt(_)] => part[0].clone(),
        [Term::Plus(inner)] => Term::Star(inner.clone()),
        [Term::Group(inner)] => Term::Opt(inner.clone()),
        _ => Term::Opt(vec![part]),
    });
    row.extend_from_slice(tail);
    Some(row)
}
