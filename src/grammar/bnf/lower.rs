//! From the last stage to a [`Grammar`], and the stages on the way.
//!
//! Each rule makes nodes. A node with one child node and nothing else would add no information, so the parser leaves it out. So where a
//! rule is expected, a symbol that it may consist of alone is expected too.

use std::collections::{BTreeMap, BTreeSet};

use super::super::expression::{ExprArena, ExprId, GrammarExpr, GrammarLeaf};
use super::super::marks::GrammarMarks;
use super::super::{ClassEntry, Grammar, GrammarRule, NodeClass, RuleId};
use super::marks::lower_marks;
use super::rules::{Alternatives, BnfRules, RuleTerm, SymbolId, count_terms};
use super::syntax::BnfGrammar;
use super::{empty, recursion};

/// The most terms of a grammar after each step.
pub(super) const MAX_GRAMMAR_TERMS: usize = 100_000;

/// A grammar on its way to the normal form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NormalizationStage {
    /// The last step.
    pub title: &'static str,
    /// The rules after it, one per line.
    pub text: String,
}

impl BnfGrammar {
    /// The grammar after each step of Algorithm 1 that changed something, beginning with the text. The last one has quantifiers in place of
    /// recursion; [`BnfGrammar::to_grammar`] finds separated lists in it and factors out what alternatives share.
    pub fn normalization_stages(&self) -> Vec<NormalizationStage> {
        let mut stages: Vec<NormalizationStage> = Vec::new();
        for (title, rules) in normalization_steps(&self.rules).into_iter().flatten() {
            let text = rules.format_rules();
            if stages.last().is_none_or(|last| last.text != text) {
                stages.push(NormalizationStage { title, text });
            }
        }
        stages
    }

    /// The grammar in normal form. The classes of tokens have the numbers that they have in [`BnfGrammar::tokens`].
    pub fn to_grammar(&self) -> Grammar {
        let name = self.name.clone().unwrap_or_default();
        lower_rules(name, self, &self.normal)
    }

    /// What it says of names, by the numbers of rules and classes in [`BnfGrammar::to_grammar`].
    pub fn to_marks(&self) -> GrammarMarks {
        let (order, tokens) = (order_rules(&self.normal), self.tokens.len());
        let class_of = |symbol| match symbol {
            SymbolId::Token(token) => NodeClass(token as u16),
            SymbolId::Rule(rule) => {
                let place = order.iter().position(|&known| known == rule);
                NodeClass((tokens + place.unwrap_or_default()) as u16)
            }
        };
        lower_marks(&self.marks, &order, class_of)
    }
}

/// A grammar after each step; `None` if one of them makes more than [`MAX_GRAMMAR_TERMS`] terms.
pub(super) fn normalization_steps(rules: &BnfRules) -> Option<Vec<(&'static str, BnfRules)>> {
    let bearable = |rules: &BnfRules| {
        rules
            .bodies
            .iter()
            .map(|body| count_terms(body))
            .sum::<usize>()
            <= MAX_GRAMMAR_TERMS
    };
    let without_empty = empty::remove_empty_rules(rules, MAX_GRAMMAR_TERMS)?;
    let (left, left_repeated) = recursion::remove_left_recursion(&without_empty);
    let (right, right_repeated) = Some(&left_repeated)
        .filter(|&rules| bearable(rules))
        .map(recursion::remove_right_recursion)?;
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

/// The reachable rules, the start first: a rule's place is its number in the grammar in normal form.
pub(super) fn order_rules(rules: &BnfRules) -> Vec<usize> {
    let reachable = rules.reachable_rules().into_iter();
    let others = reachable.filter(|&rule| rule != rules.start);
    std::iter::once(rules.start).chain(others).collect()
}

fn lower_rules(name: String, bnf: &BnfGrammar, rules: &BnfRules) -> Grammar {
    lower_in_order(name, bnf, rules).0
}

/// The grammar of these rules, and the rule of each of its rules: the start is the first.
pub(super) fn lower_in_order(
    name: String,
    bnf: &BnfGrammar,
    rules: &BnfRules,
) -> (Grammar, Vec<usize>) {
    let reachable = rules.reachable_rules();
    let order = order_rules(rules);
    let tokens = bnf.tokens.len();
    let mut number = vec![0; rules.bodies.len()];
    for (&rule, class) in order.iter().zip(tokens..) {
        number[rule] = class;
    }
    let mut lowering = GrammarLowering {
        bnf,
        rules,
        alone: unit_symbols(rules, &reachable),
        number,
        arena: ExprArena::default(),
    };
    let mut out = Vec::new();
    for &rule in &order {
        let body = lowering.lower_alternatives(&rules.bodies[rule]);
        out.push(GrammarRule {
            name: rules.names[rule].clone(),
            body,
            visible: true,
        });
    }
    let mut classes: Vec<ClassEntry> = Vec::new();
    for token in &bnf.tokens {
        let named = !token.is_text();
        classes.push(new_class_entry(
            classes.len(),
            token.name.clone(),
            named,
            None,
        ));
    }
    for (&rule, id) in order.iter().zip(0..) {
        let name = rules.names[rule].clone();
        classes.push(new_class_entry(classes.len(), name, true, Some(RuleId(id))));
    }
    let grammar = Grammar::from_parts(name, out, classes, lowering.arena.into_expressions());
    (grammar, order)
}

fn new_class_entry(number: usize, name: String, named: bool, rule: Option<RuleId>) -> ClassEntry {
    ClassEntry {
        kind: number as u16,
        grammar: number as u16,
        name,
        named,
        rule,
    }
}

struct GrammarLowering<'a> {
    bnf: &'a BnfGrammar,
    rules: &'a BnfRules,
    /// For each rule the symbols that it may consist of alone.
    alone: BTreeMap<usize, Vec<SymbolId>>,
    /// The class of each rule.
    number: Vec<usize>,
    arena: ExprArena,
}

impl GrammarLowering<'_> {
    fn lower_alternatives(&mut self, alternatives: &Alternatives) -> ExprId {
        let sequences = alternatives.iter().map(|sequence| {
            let terms = sequence.iter().map(|term| self.lower_term(term)).collect();
            self.arena.add_seq(terms)
        });
        let sequences = sequences.collect();
        self.arena.add_choice(sequences)
    }

    fn lower_term(&mut self, term: &RuleTerm) -> ExprId {
        match term {
            RuleTerm::Sym(sym) => self.lower_symbol(*sym),
            RuleTerm::Group(inner) => self.lower_alternatives(inner),
            RuleTerm::Star(inner) => {
                let inner = self.lower_alternatives(inner);
                self.arena.add_star(inner)
            }
            RuleTerm::Plus(inner) => {
                let inner = self.lower_alternatives(inner);
                self.arena.add_plus(inner)
            }
            RuleTerm::Opt(inner) => {
                let inner = self.lower_alternatives(inner);
                self.arena.add_opt(inner)
            }
        }
    }

    fn class_of(&self, sym: SymbolId) -> NodeClass {
        NodeClass(match sym {
            SymbolId::Token(token) => token as u16,
            SymbolId::Rule(rule) => self.number[rule] as u16,
        })
    }

    fn lower_symbol(&mut self, sym: SymbolId) -> ExprId {
        let (kind, named, mut classes) = match sym {
            SymbolId::Token(token) => {
                let token = &self.bnf.tokens[token];
                (&token.name, !token.is_text(), Vec::new())
            }
            SymbolId::Rule(rule) => {
                let alone = self.alone[&rule].iter().map(|&sym| self.class_of(sym));
                (&self.rules.names[rule], true, alone.collect())
            }
        };
        classes.push(self.class_of(sym));
        classes.sort_unstable();
        classes.dedup();
        self.arena.intern(GrammarExpr::Leaf(GrammarLeaf {
            kind: kind.as_str().into(),
            named,
            classes,
        }))
    }
}

/// For each rule the symbols that it may consist of alone, also through other rules.
fn unit_symbols(rules: &BnfRules, reachable: &BTreeSet<usize>) -> BTreeMap<usize, Vec<SymbolId>> {
    let direct: Vec<BTreeSet<SymbolId>> = rules.bodies.iter().map(unit_symbols_in).collect();
    // For each symbol the rule for which it was found last.
    let (tokens, all) = (rules.tokens.len(), rules.tokens.len() + direct.len());
    let mut last = vec![usize::MAX; all];
    let through = |&rule: &usize| {
        let (mut found, mut open) = (Vec::new(), vec![rule]);
        while let Some(inside) = open.pop() {
            for &sym in &direct[inside] {
                let at = match sym {
                    SymbolId::Token(token) => token,
                    SymbolId::Rule(next) => tokens + next,
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
fn unit_symbols_in(body: &Alternatives) -> BTreeSet<SymbolId> {
    let mut found = BTreeSet::new();
    for sequence in body {
        let stays = |term: &&RuleTerm| !matches!(term, RuleTerm::Star(_) | RuleTerm::Opt(_));
        let staying = sequence.iter().filter(stays).count();
        for term in sequence
            .iter()
            .filter(|term| staying == 0 || staying == 1 && stays(term))
        {
            match term {
                RuleTerm::Sym(sym) => drop(found.insert(*sym)),
                term => found.extend(term.inner().map(unit_symbols_in).unwrap_or_default()),
            }
        }
    }
    found
}
