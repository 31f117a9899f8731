//! What the derivation of a rule takes, as steps that choices lead through.

use super::super::rules::{Alternatives, BnfRules, RuleTerm, SymbolId};

/// The steps of a rule. Step 0 is its end.
pub(super) struct RuleProgram {
    pub steps: Vec<ChoiceStep>,
    pub start: usize,
    /// The label of the rule's spans; those of its lists and options follow.
    pub first_label: u32,
}

/// A step, and the steps that may follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ChoiceStep {
    End,
    /// A rule or a token.
    Symbol(SymbolId, usize),
    /// One of several ways, the simplest first.
    Ways(Vec<usize>),
    /// 1 for another element, which leads back to this step, or 0. The number is added to the rule's label.
    Repeat {
        body: usize,
        next: usize,
        label: u32,
    },
    /// 1 for the part, or 0.
    Maybe {
        body: usize,
        next: usize,
        label: u32,
    },
    /// The optional part ends here.
    EndMaybe(usize),
}

/// The size of the smallest derivation: its height, then its tokens.
type DerivationCost = (u32, u32);

const NO_DERIVATION: DerivationCost = (u32::MAX, u32::MAX);

pub(super) fn compile_rules(rules: &BnfRules) -> Vec<RuleProgram> {
    let costs = smallest_derivations(rules);
    let mut next_label = 0;
    let compile = |body: &Alternatives| {
        let mut compiler = RuleCompiler {
            costs: &costs,
            steps: vec![ChoiceStep::End],
            labels: 0,
        };
        let start = compiler.compile_alternatives(body, 0, true);
        let first_label = next_label;
        next_label += compiler.labels + 1;
        RuleProgram {
            steps: compiler.steps,
            start,
            first_label,
        }
    };
    rules.bodies.iter().map(compile).collect()
}

/// For each rule the cost of its smallest derivation.
fn smallest_derivations(rules: &BnfRules) -> Vec<DerivationCost> {
    let mut costs = vec![NO_DERIVATION; rules.bodies.len()];
    loop {
        let before = costs.clone();
        for (rule, body) in rules.bodies.iter().enumerate() {
            let (height, tokens) = alternatives_cost(body, &before);
            costs[rule] = costs[rule].min((height.saturating_add(1), tokens));
        }
        if costs == before {
            return costs;
        }
    }
}

fn alternatives_cost(alternatives: &Alternatives, costs: &[DerivationCost]) -> DerivationCost {
    let each = alternatives
        .iter()
        .map(|sequence| sequence_cost(sequence, costs));
    each.min().unwrap_or(NO_DERIVATION)
}

fn sequence_cost(sequence: &[RuleTerm], costs: &[DerivationCost]) -> DerivationCost {
    sequence.iter().fold((0, 0), |(height, tokens), term| {
        let (inner, more) = match term {
            RuleTerm::Sym(SymbolId::Rule(rule)) => costs[*rule],
            RuleTerm::Sym(SymbolId::Token(_)) => (0, 1),
            RuleTerm::Star(_) | RuleTerm::Opt(_) => (0, 0),
            RuleTerm::Group(inner) | RuleTerm::Plus(inner) => alternatives_cost(inner, costs),
        };
        (height.max(inner), tokens.saturating_add(more))
    })
}

/// Compiles from the end to the start. Recursion is as deep as a rule's groups.
struct RuleCompiler<'a> {
    costs: &'a [DerivationCost],
    steps: Vec<ChoiceStep>,
    labels: u32,
}

impl RuleCompiler<'_> {
    fn add_step(&mut self, step: ChoiceStep) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }

    /// A rule chooses even if it has one alternative; a group does not.
    fn compile_alternatives(&mut self, body: &Alternatives, next: usize, rule: bool) -> usize {
        let mut order: Vec<&Vec<RuleTerm>> = body.iter().collect();
        order.sort_by_key(|sequence| sequence_cost(sequence, self.costs));
        let ways = order.into_iter().map(|sequence| {
            let terms = sequence.iter().rev();
            terms.fold(next, |next, term| self.compile_term(term, next))
        });
        let ways: Vec<usize> = ways.collect();
        match ways[..] {
            [only] if !rule => only,
            _ => self.add_step(ChoiceStep::Ways(ways)),
        }
    }

    fn compile_term(&mut self, term: &RuleTerm, next: usize) -> usize {
        match term {
            RuleTerm::Sym(symbol) => self.add_step(ChoiceStep::Symbol(*symbol, next)),
            RuleTerm::Group(inner) => self.compile_alternatives(inner, next, false),
            RuleTerm::Star(inner) => self.compile_repeat(inner, next).0,
            RuleTerm::Plus(inner) => self.compile_repeat(inner, next).1,
            RuleTerm::Opt(inner) => {
                self.labels += 1;
                let label = self.labels;
                let end = self.add_step(ChoiceStep::EndMaybe(next));
                let body = self.compile_alternatives(inner, end, false);
                self.add_step(ChoiceStep::Maybe { body, next, label })
            }
        }
    }

    /// The step before any number of elements, and the one before at least one.
    fn compile_repeat(&mut self, inner: &Alternatives, next: usize) -> (usize, usize) {
        self.labels += 1;
        let label = self.labels;
        let again = self.add_step(ChoiceStep::End);
        let body = self.compile_alternatives(inner, again, false);
        self.steps[again] = ChoiceStep::Repeat { body, next, label };
        (again, body)
    }
}
