//! From the last stage to a [`Grammar`], and the stages on the way.
//!
//! Each rule makes nodes. A node that consists of one other node would only say that one is the other: the parser leaves it out, so
//! where a rule is expected, whatever it may consist of alone is expected too.

use std::collections::{BTreeMap, BTreeSet};

use super::super::expression::{Arena, Ex, ExId, Leaf};
use super::super::{Class, ClassEntry, Grammar, Rule, RuleId};
use super::read::{Bnf, TokenKind};
use super::rules::{Alternatives, Rules, Sym, Term};
use super::{empty, recursion};

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
        for (title, rules) in self.steps() {
            let text = rules.written();
            if stages.last().is_none_or(|last| last.text != text) {
                stages.push(Stage { title, text });
            }
        }
        stages
    }

    fn steps(&self) -> Vec<(&'static str, Rules)> {
        let without_empty = empty::without_empty(&self.rules);
        let (left, left_repeated) = recursion::left(&without_empty);
        let (right, right_repeated) = recursion::right(&left_repeated);
        vec![
            ("as written", self.rules.clone()),
            (
                "preprocessing: no empty rules, none that is not reached",
                without_empty,
            ),
            ("left recursion: within each component, made direct", left),
            ("left recursion: quantifiers in its place", left_repeated),
            ("right recursion: within each component, made direct", right),
            ("right recursion: quantifiers in its place", right_repeated),
        ]
    }

    /// The grammar in normal form. The classes of tokens have the numbers that they have in [`Bnf::tokens`].
    pub fn grammar(&self) -> Grammar {
        let (_, rules) = self.steps().pop().expect("there are steps");
        let name = self.name.clone().unwrap_or_default();
        lower(name, self, &rules)
    }
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
    let number: BTreeMap<usize, usize> = order.iter().copied().zip(tokens..).collect();
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
    alone: BTreeMap<usize, BTreeSet<Sym>>,
    /// The class of each rule.
    number: BTreeMap<usize, usize>,
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
            Sym::Rule(rule) => self.number[&rule] as u16,
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
fn alone(rules: &Rules, reachable: &BTreeSet<usize>) -> BTreeMap<usize, BTreeSet<Sym>> {
    let mut all: BTreeMap<usize, BTreeSet<Sym>> = reachable
        .iter()
        .map(|&rule| (rule, BTreeSet::new()))
        .collect();
    loop {
        let mut grew = false;
        for &rule in reachable {
            let found = alone_in(&rules.bodies[rule], &all);
            if let Some(known) = all.get_mut(&rule)
                && found.len() > known.len()
            {
                *known = found;
                grew = true;
            }
        }
        if !grew {
            return all;
        }
    }
}

fn alone_in(body: &Alternatives, known: &BTreeMap<usize, BTreeSet<Sym>>) -> BTreeSet<Sym> {
    let mut found = BTreeSet::new();
    for row in body {
        let stays = |term: &&Term| !matches!(term, Term::Star(_) | Term::Opt(_));
        let staying = row.iter().filter(stays).count();
        for term in row
            .iter()
            .filter(|term| staying == 0 || staying == 1 && stays(term))
        {
            match term {
                Term::Sym(sym) => {
                    found.insert(*sym);
                    if let Sym::Rule(rule) = sym {
                        found.extend(known[rule].iter().copied());
                    }
                }
                term => found.extend(term.inner().map(|b| alone_in(b, known)).unwrap_or_default()),
            }
        }
    }
    found
}
