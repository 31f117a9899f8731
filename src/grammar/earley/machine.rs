//! One deterministic automaton for the right-hand sides of all rules.
//!
//! Its input symbols are tokens and whole rules. So an item of the parser is a state and the place where its rule began, and quantifiers
//! cost nothing.

use std::collections::{BTreeMap, HashMap};

use super::super::{ExprId, Grammar, GrammarExpr, NodeClass, RuleId};

/// A state's index.
pub(in super::super) type StateId = u32;

/// A state: a set of places in a rule.
#[derive(Default)]
pub(in super::super) struct EarleyState {
    /// Its rule, if the rule may end here.
    pub ends: Option<RuleId>,
    /// Where each token leads.
    pub tokens: BTreeMap<NodeClass, StateId>,
    /// Where each rule leads.
    pub rules: Vec<(RuleId, StateId)>,
    /// The tokens that can come next, those that rules begin with included.
    pub next: Vec<u64>,
}

/// The states of all rules.
pub(in super::super) struct EarleyMachine {
    pub states: Vec<EarleyState>,
    /// The first state of each rule.
    pub starts: Vec<StateId>,
    /// The class of each rule's nodes.
    pub classes: Vec<NodeClass>,
}

/// The most steps of all rules, and the most steps in all states. A state is a subset of the steps of a rule, so a rule may have
/// exponentially many.
const MAX_RULE_STEPS: usize = 1 << 20;
/// The most steps that are looked at to find the states.
const MAX_STEP_VISITS: usize = 1 << 26;

/// Whether a set has a token.
pub(super) fn contains_token(set: &[u64], token: NodeClass) -> bool {
    set[token.0 as usize / 64] >> (token.0 % 64) & 1 == 1
}

impl EarleyState {
    /// Whether this token may come next.
    pub fn may_begin_with(&self, token: NodeClass) -> bool {
        contains_token(&self.next, token)
    }

    /// Where a rule leads.
    pub fn behind_rule(&self, rule: RuleId) -> Option<StateId> {
        let found = self.rules.iter().find(|(leads, _)| *leads == rule);
        found.map(|&(_, state)| state)
    }
}

impl EarleyMachine {
    /// The automaton of a grammar; `None` if it would be too large.
    pub fn new(grammar: &Grammar) -> Option<EarleyMachine> {
        let mut classes = vec![NodeClass(0); grammar.all_rules().count()];
        let mut symbols = HashMap::new();
        for class in grammar.classes() {
            symbols.insert((grammar.class_name(class), grammar.is_named(class)), class);
            if let Some(rule) = grammar.rule_of_class(class) {
                classes[rule.0 as usize] = class;
            }
        }
        let mut machine = EarleyMachine {
            states: Vec::new(),
            starts: Vec::new(),
            classes,
        };
        let (mut left, mut visits) = (MAX_RULE_STEPS, MAX_STEP_VISITS);
        for rule in grammar.all_rules() {
            let mut steps = NfaBuilder {
                grammar,
                symbols: &symbols,
                steps: vec![NfaStep::End],
                known: HashMap::new(),
                loops: HashMap::new(),
            };
            let start = steps.build_expr(grammar.rule_body(rule), 0);
            let steps = steps.steps;
            left = left.checked_sub(steps.len())?;
            let mut closure = EpsilonClosure::new(&steps, &mut visits);
            machine.add_rule_states(grammar, rule, (&mut closure, start), &mut left)?;
        }
        machine.compute_next_tokens(grammar.classes().count());
        Some(machine)
    }

    /// The states of a rule, by subsets of its steps. Their steps count against `left`; `None` if that is not enough.
    fn add_rule_states(
        &mut self,
        grammar: &Grammar,
        rule: RuleId,
        (closure, start): (&mut EpsilonClosure, usize),
        left: &mut usize,
    ) -> Option<()> {
        let mut known: HashMap<Vec<usize>, StateId> = HashMap::new();
        let mut open = Vec::new();
        let mut state_of = |states: &mut Vec<EarleyState>, set: Vec<usize>, open: &mut Vec<_>| {
            *known.entry(set).or_insert_with_key(|set| {
                states.push(EarleyState {
                    ends: set.starts_with(&[0]).then_some(rule),
                    ..EarleyState::default()
                });
                open.push((set.clone(), (states.len() - 1) as StateId));
                (states.len() - 1) as StateId
            })
        };
        let first = state_of(&mut self.states, closure.close(vec![start])?, &mut open);
        self.starts.push(first);
        while let Some((set, state)) = open.pop() {
            *left = left.checked_sub(set.len())?;
            let mut targets: BTreeMap<NodeClass, Vec<usize>> = BTreeMap::new();
            for &at in &set {
                if let NfaStep::Take(class, next) = closure.steps[at] {
                    targets.entry(class).or_default().push(next);
                }
            }
            for (class, next) in targets {
                let target = state_of(&mut self.states, closure.close(next)?, &mut open);
                let from = &mut self.states[state as usize];
                match grammar.rule_of_class(class) {
                    Some(rule) => from.rules.push((rule, target)),
                    None => drop(from.tokens.insert(class, target)),
                }
            }
        }
        Some(())
    }

    fn compute_next_tokens(&mut self, classes: usize) {
        let words = classes.div_ceil(64).max(1);
        for state in &mut self.states {
            state.next = vec![0; words];
            for token in state.tokens.keys() {
                state.next[token.0 as usize / 64] |= 1 << (token.0 % 64);
            }
        }
        // For each rule the states that it may begin at, and for each of those whose start it is.
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.starts.len()];
        for (at, state) in self.states.iter().enumerate() {
            for &(rule, _) in &state.rules {
                before[rule.0 as usize].push(at);
            }
        }
        let starts = self
            .starts
            .iter()
            .zip(0..)
            .map(|(&state, rule)| (state as usize, rule));
        let started: HashMap<usize, usize> = starts.collect();
        let mut open: Vec<usize> = (0..self.starts.len()).collect();
        let mut waits = vec![true; open.len()];
        while let Some(rule) = open.pop() {
            waits[rule] = false;
            let first = self.states[self.starts[rule] as usize].next.clone();
            for &at in &before[rule] {
                let mut grew = false;
                for (word, more) in self.states[at].next.iter_mut().zip(&first) {
                    grew |= *more & !*word != 0;
                    *word |= more;
                }
                if let Some(&rule) = started.get(&at).filter(|_| grew)
                    && !std::mem::replace(&mut waits[rule], true)
                {
                    open.push(rule);
                }
            }
        }
    }
}

/// A step of a nondeterministic automaton; step 0 is the end.
enum NfaStep {
    End,
    Take(NodeClass, usize),
    Split(Vec<usize>),
}

/// Finds the steps that are reached without a symbol.
struct EpsilonClosure<'a> {
    steps: &'a [NfaStep],
    /// For each step the number of the search that saw it last.
    seen: Vec<u32>,
    search: u32,
    /// How many steps may still be looked at.
    left: &'a mut usize,
}

impl<'a> EpsilonClosure<'a> {
    fn new(steps: &'a [NfaStep], left: &'a mut usize) -> EpsilonClosure<'a> {
        EpsilonClosure {
            steps,
            seen: vec![0; steps.len()],
            search: 0,
            left,
        }
    }

    /// The steps with a symbol, and the end, that these lead to without one; ascending. Those without a symbol are left out, so that equal
    /// states are found to be equal. `None` if too many would have been looked at.
    fn close(&mut self, mut open: Vec<usize>) -> Option<Vec<usize>> {
        self.search += 1;
        let mut found = Vec::new();
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut self.seen[at], self.search) == self.search {
                continue;
            }
            *self.left = self.left.checked_sub(1)?;
            match &self.steps[at] {
                NfaStep::Split(ways) => open.extend(ways),
                _ => found.push(at),
            }
        }
        found.sort_unstable();
        Some(found)
    }
}

/// Builds steps from the end to the start. Recursion is as deep as a rule's expression.
///
/// An expression before a step is made once, however often the rule has it there: the steps are the partial derivatives of Antimirov
/// (1996), not one for each place in the rule. The normal form copies what it inlines, so this is what keeps the sets of steps small.
struct NfaBuilder<'a> {
    grammar: &'a Grammar,
    symbols: &'a HashMap<(&'a str, bool), NodeClass>,
    steps: Vec<NfaStep>,
    /// The first step of each expression before a step.
    known: HashMap<(ExprId, usize), usize>,
    /// Where each repetition of an expression before a step begins again.
    loops: HashMap<(ExprId, usize), usize>,
}

impl NfaBuilder<'_> {
    fn add_step(&mut self, step: NfaStep) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }

    fn build_expr(&mut self, ex: ExprId, next: usize) -> usize {
        if let Some(&known) = self.known.get(&(ex, next)) {
            return known;
        }
        // A rule that is too large is given up when it is complete.
        if self.steps.len() > MAX_RULE_STEPS {
            return next;
        }
        let first = self.build_new_expr(ex, next);
        self.known.insert((ex, next), first);
        first
    }

    fn build_new_expr(&mut self, ex: ExprId, next: usize) -> usize {
        let grammar = self.grammar;
        match grammar.expression(ex) {
            GrammarExpr::Leaf(leaf) => {
                // Other classes of a leaf are those of nodes that are left out.
                let class = self.symbols[&(&*leaf.kind, leaf.named)];
                self.add_step(NfaStep::Take(class, next))
            }
            GrammarExpr::Text | GrammarExpr::Blank => next,
            GrammarExpr::Seq(members) => members
                .iter()
                .rev()
                .fold(next, |next, &m| self.build_expr(m, next)),
            GrammarExpr::Choice(members) => {
                let ways = members.iter().map(|&m| self.build_expr(m, next)).collect();
                self.add_step(NfaStep::Split(ways))
            }
            GrammarExpr::Opt(inner) => {
                let some = self.build_expr(*inner, next);
                self.add_step(NfaStep::Split(vec![some, next]))
            }
            GrammarExpr::Star(inner) => self.build_loop(*inner, next),
            GrammarExpr::Plus(inner) => {
                let again = self.build_loop(*inner, next);
                self.build_expr(*inner, again)
            }
            GrammarExpr::Sep {
                element, further, ..
            } => {
                let again = self.build_loop(*further, next);
                self.build_expr(*element, again)
            }
            GrammarExpr::Field { inner, .. } | GrammarExpr::Hidden { inner, .. } => {
                self.build_expr(*inner, next)
            }
        }
    }

    /// Any number of repetitions.
    fn build_loop(&mut self, inner: ExprId, next: usize) -> usize {
        if let Some(&known) = self.loops.get(&(inner, next)) {
            return known;
        }
        let again = self.add_step(NfaStep::Split(Vec::new()));
        self.loops.insert((inner, next), again);
        let body = self.build_expr(inner, again);
        self.steps[again] = NfaStep::Split(vec![body, next]);
        again
    }
}
