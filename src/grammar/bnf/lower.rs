//! From the last stage to a [`Grammar`], and the stages on the way.
//!
//! Each rule makes nodes. A node that consists of one other node would only say that one is the other: the parser leaves it out, so
//! where a rule is expected, whatever it may consist of alone is expected too.

use std::collections::{BTreeMap, BTreeSet};

use super::super::expression::{Arena, Ex, ExId, Leaf};
use super::super::{Class, ClassEntry, Grammar, Rule, RuleId};
use super::read::{Bnf, TokenKind};
use super::rules::{Alternatives, Rules, Sym, Term, size};
use super::{empty, recursion};

/// Terms of a grammar, after each step.
const LARGEST: usize = 100_000;

/// A grammar on its way to the normal form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stage {
    /// What was done last.
    pub title: &'static str,
    /// The rules after it, a line each.
    pub text: String,
}

impl Bnf {
    /// The grammar after each step of Algorithm 1 that changed something, from the text on. The last has quantifiers in place of
    /// recursion; [`Bnf::grammar`] finds separated lists in it and takes out what alternatives share.
    pub fn stages(&self) -> Vec<Stage> {
        let mut stages: Vec<Stage> = Vec::new();
        for (title, rules) in steps(&self.rules).into_iter().flatten() {
            let text = rules.written();
            if stages.last().is_none_or(|last| last.text != text) {
                stages.push(Stage { title, text });
            }
        }
        stages
    }

    /// The grammar in normal form. The classes of tokens have the numbers that they have in [`Bnf::tokens`].
    pub fn grammar(&self) -> Grammar {
        let name = self.name.clone().unwrap_or_default();
        lower(name, self, &self.normal)
    }
}

/// A grammar after each step; `None` if one of them makes more than [`LARGEST`] of it.
pub(super) fn steps(rules: &Rules) -> Option<Vec<(&'static str, Rules)>> {
    let bearable =
        |rules: &Rules| rules.bodies.iter().map(|body| size(body)).sum::<usize>() <= LARGEST;
    let without_empty = empty::without_empty(rules, LARGEST)?;
    let (left, left_repeated) = recursion::left(&without_empty);
    let (right, right_repeated) = Some(&left_repeated)
        .filter(|&rules| bearable(rules))
        .map(recursion::right)?;
    bearable(&right_repeated).then(|| {
        vec![
            ("as written", rules.clone()),
            (
                "preprocessing: no empty rules, none that is not reached",
                without_empty,
            ),
            ("left recursion: within each component, made direct", left),
            ("left recursion: quantifiers in its place", left_repeated),
            ("right recursion: within each component, made direct", right),
            ("right recursion: quantifiers in its place", right_repeated),
        ]
    })
}

fn lower(name: String, bnf: &Bnf, rules: &Rules) -> Grammar {
    let reachable = rules.reachable();
    // The start is the first rule.
    let order: Vec<usize> = std::iter::once(rules.start)
        .chain(
            reachable
                .iter()
                .copied()
                .filter(|&rule| rule != rules.start),
        )
        .collect();
    let tokens = bnf.tokens.len();
    let mut number = vec![0; rules.bodies.len()];
    for (&rule, class) in order.iter().zip(tokens..) {
        number[rule] = class;
    }
    let mut lowering = Lowering {
        bnf,
        rules,
        alone: alone(rules, &reachable),
        number,
        arena: Arena::default(),
    };
    let mut out = Vec::new();
    for &rule in &order {
        let body = lowering.alternatives(&rules.bodies[rule]);
        out.push(Rule {
            name: rules.names[rule].clone(),
            body,
            visible: true,
        });
    }
    let mut classes: Vec<ClassEntry> = Vec::new();
    for token in &bnf.tokens {
        let named = token.kind != TokenKind::Literal;
        classes.push(entry(classes.len(), token.name.clone(), named, None));
    }
    for (&rule, id) in order.iter().zip(0..) {
        let name = rules.names[rule].clone();
        classes.push(entry(classes.len(), name, true, Some(RuleId(id))));
    }
    Grammar::assemble(name, out, classes, lowering.arena.into_all())
}

fn entry(number: usize, name: String, named: bool, rule: Option<RuleId>) -> ClassEntry {
    ClassEntry {
        kind: number as u16,
        grammar: number as u16,
        name,
        named,
        rule,
    }
}

struct Lowering<'a> {
    bnf: &'a Bnf,
    rules: &'a Rules,
    /// For each rule the symbols that it may consist of alone.
    alone: BTreeMap<usize, Vec<Sym>>,
    /// The class of each rule.
    number: Vec<usize>,
    arena: Arena,
}

impl Lowering<'_> {
    fn alternatives(&mut self, alternatives: &Alternatives) -> ExId {
        let rows = alternatives.iter().map(|row| {
            let terms = row.iter().map(|term| self.term(term)).collect();
            self.arena.seq(terms)
        });
        let rows = rows.collect();
        self.arena.choice(rows)
    }

    fn term(&mut self, term: &Term) -> ExId {
        match term {
            Term::Sym(sym) => self.leaf(*sym),
            Term::Group(inner) => self.alternatives(inner),
            Term::Star(inner) => {
                let inner = self.alternatives(inner);
                self.arena.star(inner)
            }
            Term::Plus(inner) => {
                let inner = self.alternatives(inner);
                self.arena.plus(inner)
            }
            Term::Opt(inner) => {
                let inner = self.alternatives(inner);
                self.arena.opt(inner)
            }
        }
    }

    fn class(&self, sym: Sym) -> Class {
        Class(match sym {
            Sym::Token(token) => token as u16,
            Sym::Rule(rule) => self.number[rule] as u16,
        })
    }

    fn leaf(&mut self, sym: Sym) -> ExId {
        let (kind, named, mut classes) = match sym {
            Sym::Token(token) => {
                let token = &self.bnf.tokens[token];
                (&token.name, token.kind != TokenKind::Literal, Vec::new())
            }
            Sym::Rule(rule) => {
                let alone = self.alone[&rule].iter().map(|&sym| self.class(sym));
                (&self.rules.names[rule], true, alone.collect())
            }
        };
        classes.push(self.class(sym));
        classes.sort_unstable();
        classes.dedup();
        self.arena.intern(Ex::Leaf(Leaf {
            kind: kind.as_str().into(),
            named,
            classes,
        }))
    }
}

/// For each rule the symbols that it may consist of alone, through other rules too.
fn alone(rules: &Rules, reachable: &BTreeSet<usize>) -> BTreeMap<usize, Vec<Sym>> {
    let direct: Vec<BTreeSet<Sym>> = rules.bodies.iter().map(alone_in).collect();
    // For each symbol the rule that it was last found for.
    let (tokens, all) = (rules.tokens.len(), rules.tokens.len() + direct.len());
    let mut last = vec![usize::MAX; all];
    let through = |&rule: &usize| {
        let (mut found, mut open) = (Vec::new(), vec![rule]);
        while let Some(inside) = open.pop() {
            for &sym in &direct[inside] {
                let at = match sym {
                    Sym::Token(token) => token,
                    Sym::Rule(next) => tokens + next,
                };
                if std::mem::replace(&mut last[at], rule) != rule {
                    found.push(sym);
                    open.extend(at.checked_sub(tokens));
                }
            }
        }
        (rule, found)
    };
    reachable.iter().map(through).collect()
}

/// The symbols that a body may consist of alone.
fn alone_in(body: &Alternatives) -> BTreeSet<Sym> {
    let mut found = BTreeSet::new();
    for row in body {
        let stays = |term: &&Term| !matches!(term, Term::Star(_) | Term::Opt(_));
        let staying = row.iter().filter(stays).count();
        for term in row
            .iter()
            .filter(|term| staying == 0 || staying == 1 && stays(term))
        {
            match term {
                Term::Sym(sym) => drop(found.insert(*sym)),
                term => found.extend(term.inner().map(alone_in).unwrap_or_default()),
            }
        }
    }
    found
}
