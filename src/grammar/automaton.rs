//! The automaton of a rule: which sequences of children the rule derives, and how.
//!
//! It is a nondeterministic automaton as in Thompson's construction, with marks. Its input symbols are classes and gaps. Matching first
//! runs backward and finds, for each place between two children, the states from which the rest can be accepted. Then it runs forward from
//! the start, and in each state chooses the first transition to a state that is alive. This gives the leftmost, greediest derivation
//! without backtracking ([`super::derive`]).
//!
//! The body of a loop consumes at least one symbol (see `AutomatonBuilder::build_nonempty`), so the forward run always ends.

use super::Grammar;
use super::expression::{ExprId, GrammarExpr};

/// A state's index.
pub(super) type StateId = u32;

/// What a pair of marks encloses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DerivationMark {
    /// An expression that makes no part of its own, or an item if something else could replace all of it.
    Plain,
    /// A list or an option.
    Group(super::QuantifierKind),
    /// An element of a list: one part, whatever its length.
    Element,
    /// A separator with its element: an item, whatever its length.
    Further,
}

#[derive(Debug)]
pub(super) enum AutomatonState {
    /// One child, if it fits the expression.
    Take(ExprId, StateId),
    /// Text that is not a child.
    Gap(StateId),
    /// Without consuming anything: the first of these transitions that leads to the end.
    Split(Vec<StateId>),
    Open(DerivationMark, ExprId, StateId),
    Close(StateId),
    Accept,
}

/// The most states of a rule. Nested optional parts and hidden rules double their number. A rule with more states derives nothing, so its
/// nodes are opaque.
const MAX_STATES: usize = 1 << 14;

/// The automaton of a rule.
pub(super) struct RuleAutomaton {
    pub states: Vec<AutomatonState>,
    pub start: StateId,
    /// The number of words of a set of states.
    pub words: usize,
    /// For each consuming state and for `Accept`, the states that reach it without consuming anything, itself included.
    reach: Vec<Option<Box<[u64]>>>,
    /// The states that consume a class are `takers[first[class]..first[class + 1]]`; the last entry is for gaps.
    first: Vec<u32>,
    takers: Vec<StateId>,
    accept: StateId,
}

impl RuleAutomaton {
    /// The automaton of the rule with this right-hand side.
    pub fn new(grammar: &Grammar, body: ExprId) -> RuleAutomaton {
        let mut builder = AutomatonBuilder {
            grammar,
            pure: single_child_exprs(grammar),
            states: vec![AutomatonState::Accept],
        };
        let accept = 0;
        let mut start = builder.build_any(body, accept);
        let mut states = builder.states;
        if states.len() > MAX_STATES {
            (states, start) = (vec![AutomatonState::Accept], accept);
        }
        let words = states.len().div_ceil(64);
        let mut automaton = RuleAutomaton {
            reach: epsilon_predecessors(&states, words),
            states,
            start,
            words,
            first: Vec::new(),
            takers: Vec::new(),
            accept,
        };
        automaton.index_takers(grammar);
        automaton
    }

    /// The column of gaps; a class's column is its number.
    pub fn gap_column(&self) -> usize {
        self.first.len() - 2
    }

    fn index_takers(&mut self, grammar: &Grammar) {
        for class in grammar.classes() {
            self.add_column(|state| matches!(state, AutomatonState::Take(ex, _) if grammar.class_fits(class, *ex)));
        }
        self.add_column(|state| matches!(state, AutomatonState::Gap(_)));
        self.first.push(self.takers.len() as u32);
    }

    fn add_column(&mut self, takes: impl Fn(&AutomatonState) -> bool) {
        self.first.push(self.takers.len() as u32);
        let states = self.states.iter().zip(0..);
        self.takers
            .extend(states.filter(|(state, _)| takes(state)).map(|(_, id)| id));
    }

    /// Adds to `before` the states that are alive before a symbol if those in `after` are alive after it. Returns whether there are any.
    pub fn step_back(&self, column: usize, after: &[u64], before: &mut [u64]) -> bool {
        let takers = &self.takers[self.first[column] as usize..self.first[column + 1] as usize];
        let mut any = false;
        for &taker in takers {
            let (AutomatonState::Take(_, next) | AutomatonState::Gap(next)) =
                self.states[taker as usize]
            else {
                continue;
            };
            if contains_state(after, next) {
                any = true;
                self.add_predecessors(taker, before);
            }
        }
        any
    }

    /// Adds the states from which the end can be reached without consuming anything.
    pub fn add_accepting(&self, alive: &mut [u64]) {
        self.add_predecessors(self.accept, alive);
    }

    fn add_predecessors(&self, state: StateId, set: &mut [u64]) {
        for (word, more) in set
            .iter_mut()
            .zip(self.reach[state as usize].iter().flatten())
        {
            *word |= more;
        }
    }
}

/// Whether the set has the state.
pub(super) fn contains_state(set: &[u64], state: StateId) -> bool {
    set[state as usize / 64] >> (state % 64) & 1 == 1
}

/// For each expression: whether each of its derivations is exactly one child. Such an expression is one step of an automaton, however many
/// paths lead through its supertypes.
fn single_child_exprs(grammar: &Grammar) -> Vec<bool> {
    let mut pure: Vec<bool> = Vec::with_capacity(grammar.expressions.len());
    for ex in &grammar.expressions {
        let this = match ex {
            GrammarExpr::Leaf(_) => true,
            GrammarExpr::Choice(members) => members.iter().all(|m| pure[m.index()]),
            GrammarExpr::Field { inner, .. } | GrammarExpr::Hidden { inner, .. } => {
                pure[inner.index()]
            }
            _ => false,
        };
        pure.push(this);
    }
    pure
}

/// For each consuming state and for `Accept`, the states that reach it without consuming anything.
fn epsilon_predecessors(states: &[AutomatonState], words: usize) -> Vec<Option<Box<[u64]>>> {
    let mut back: Vec<Vec<StateId>> = vec![Vec::new(); states.len()];
    for (state, id) in states.iter().zip(0..) {
        match state {
            AutomatonState::Split(ways) => ways.iter().for_each(|&way| back[way as usize].push(id)),
            AutomatonState::Open(_, _, next) | AutomatonState::Close(next) => {
                back[*next as usize].push(id)
            }
            AutomatonState::Take(..) | AutomatonState::Gap(_) | AutomatonState::Accept => {}
        }
    }
    let mut all = Vec::with_capacity(states.len());
    for (state, id) in states.iter().zip(0..) {
        if !matches!(
            state,
            AutomatonState::Take(..) | AutomatonState::Gap(_) | AutomatonState::Accept
        ) {
            all.push(None);
            continue;
        }
        let mut set = vec![0u64; words].into_boxed_slice();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if !contains_state(&set, id) {
                set[id as usize / 64] |= 1 << (id % 64);
                open.extend(&back[id as usize]);
            }
        }
        all.push(Some(set));
    }
    all
}

/// Builds states from the end to the start. Recursion is as deep as a rule's expression, never as a program.
struct AutomatonBuilder<'a> {
    grammar: &'a Grammar,
    pure: Vec<bool>,
    states: Vec<AutomatonState>,
}

impl AutomatonBuilder<'_> {
    fn add_state(&mut self, state: AutomatonState) -> StateId {
        self.states.push(state);
        (self.states.len() - 1) as StateId
    }

    /// Encloses what `inside` builds in a pair of marks.
    fn add_marked(
        &mut self,
        mark: DerivationMark,
        ex: ExprId,
        next: StateId,
        inside: impl FnOnce(&mut Self, StateId) -> StateId,
    ) -> StateId {
        let close = self.add_state(AutomatonState::Close(next));
        let start = inside(self, close);
        self.add_state(AutomatonState::Open(mark, ex, start))
    }

    /// All derivations of `ex`, then `next`.
    fn build_any(&mut self, ex: ExprId, next: StateId) -> StateId {
        // A rule that is too large is given up when it is complete.
        if self.states.len() > MAX_STATES {
            return next;
        }
        if self.pure[ex.index()] {
            return self.add_state(AutomatonState::Take(ex, next));
        }
        let grammar = self.grammar;
        match grammar.expression(ex) {
            GrammarExpr::Leaf(_) => self.add_state(AutomatonState::Take(ex, next)),
            GrammarExpr::Blank => next,
            GrammarExpr::Text => {
                let gap = self.add_state(AutomatonState::Gap(next));
                self.add_state(AutomatonState::Split(vec![gap, next]))
            }
            GrammarExpr::Seq(members) => {
                self.add_marked(DerivationMark::Plain, ex, next, |b, close| {
                    members
                        .iter()
                        .rev()
                        .fold(close, |next, &m| b.build_any(m, next))
                })
            }
            GrammarExpr::Choice(members) => {
                self.add_marked(DerivationMark::Plain, ex, next, |b, close| {
                    let ways = members.iter().map(|&m| b.build_any(m, close)).collect();
                    b.add_state(AutomatonState::Split(ways))
                })
            }
            GrammarExpr::Star(inner) => {
                self.build_repeat(super::QuantifierKind::Star, ex, *inner, next, true)
            }
            GrammarExpr::Plus(inner) => self.build_repeat(
                super::QuantifierKind::Plus,
                ex,
                *inner,
                next,
                grammar.units.may_be_empty(*inner),
            ),
            GrammarExpr::Opt(inner) => self.add_marked(
                DerivationMark::Group(super::QuantifierKind::Opt),
                ex,
                next,
                |b, close| {
                    let some = b.build_any(*inner, close);
                    b.add_state(AutomatonState::Split(vec![some, close]))
                },
            ),
            GrammarExpr::Sep {
                element,
                separator,
                further,
            } => self.build_separated(ex, *element, *separator, *further, next),
            GrammarExpr::Field { inner, .. } | GrammarExpr::Hidden { inner, .. } => self
                .add_marked(DerivationMark::Plain, ex, next, |b, close| {
                    b.build_any(*inner, close)
                }),
        }
    }

    /// The derivations of `ex` that consume something, then `next`; `None` if there are none.
    fn build_nonempty(&mut self, ex: ExprId, next: StateId) -> Option<StateId> {
        let grammar = self.grammar;
        if self.states.len() > MAX_STATES {
            return None;
        }
        if !grammar.units.may_be_empty(ex) {
            return Some(self.build_any(ex, next));
        }
        match grammar.expression(ex) {
            GrammarExpr::Leaf(_) | GrammarExpr::Blank | GrammarExpr::Sep { .. } => None,
            GrammarExpr::Text => Some(self.add_state(AutomatonState::Gap(next))),
            GrammarExpr::Star(inner) => {
                Some(self.build_repeat(super::QuantifierKind::Star, ex, *inner, next, false))
            }
            GrammarExpr::Plus(inner) => {
                Some(self.build_repeat(super::QuantifierKind::Plus, ex, *inner, next, false))
            }
            GrammarExpr::Opt(inner) => self.add_marked_nonempty(
                DerivationMark::Group(super::QuantifierKind::Opt),
                ex,
                next,
                |b, close| b.build_nonempty(*inner, close).into_iter().collect(),
            ),
            GrammarExpr::Field { inner, .. } | GrammarExpr::Hidden { inner, .. } => self
                .add_marked_nonempty(DerivationMark::Plain, ex, next, |b, close| {
                    b.build_nonempty(*inner, close).into_iter().collect()
                }),
            GrammarExpr::Choice(members) => {
                self.add_marked_nonempty(DerivationMark::Plain, ex, next, |b, close| {
                    members
                        .iter()
                        .filter_map(|&m| b.build_nonempty(m, close))
                        .collect()
                })
            }
            // One transition for each member that may be the first to consume something.
            GrammarExpr::Seq(members) => {
                self.add_marked_nonempty(DerivationMark::Plain, ex, next, |b, close| {
                    let mut ways = Vec::new();
                    for (at, &first) in members.iter().enumerate() {
                        let rest = members[at + 1..]
                            .iter()
                            .rev()
                            .fold(close, |next, &m| b.build_any(m, next));
                        ways.extend(b.build_nonempty(first, rest));
                    }
                    ways
                })
            }
        }
    }

    fn add_marked_nonempty(
        &mut self,
        mark: DerivationMark,
        ex: ExprId,
        next: StateId,
        ways: impl FnOnce(&mut Self, StateId) -> Vec<StateId>,
    ) -> Option<StateId> {
        let close = self.add_state(AutomatonState::Close(next));
        let ways = ways(self, close);
        if ways.is_empty() {
            return None;
        }
        let split = self.add_state(AutomatonState::Split(ways));
        Some(self.add_state(AutomatonState::Open(mark, ex, split)))
    }

    /// Elements one after the other; possibly none if `may_be_none`.
    fn build_repeat(
        &mut self,
        shape: super::QuantifierKind,
        ex: ExprId,
        inner: ExprId,
        next: StateId,
        may_be_none: bool,
    ) -> StateId {
        self.add_marked(DerivationMark::Group(shape), ex, next, |b, close| {
            let again = b.add_state(AutomatonState::Split(Vec::new()));
            let end = b.add_state(AutomatonState::Close(again));
            let Some(body) = b.build_nonempty(inner, end) else {
                return close;
            };
            let open = b.add_state(AutomatonState::Open(DerivationMark::Element, inner, body));
            b.states[again as usize] = AutomatonState::Split(vec![open, close]);
            if may_be_none { again } else { open }
        })
    }

    fn build_separated(
        &mut self,
        ex: ExprId,
        element: ExprId,
        separator: ExprId,
        further: ExprId,
        next: StateId,
    ) -> StateId {
        self.add_marked(
            DerivationMark::Group(super::QuantifierKind::Sep),
            ex,
            next,
            |b, close| {
                let again = b.add_state(AutomatonState::Split(Vec::new()));
                let item = b.add_marked(DerivationMark::Further, further, again, |b, end| {
                    let second = b.add_marked(DerivationMark::Element, element, end, |b, end| {
                        b.build_any(element, end)
                    });
                    b.build_any(separator, second)
                });
                b.states[again as usize] = AutomatonState::Split(vec![item, close]);
                b.add_marked(DerivationMark::Element, element, again, |b, end| {
                    b.build_any(element, end)
                })
            },
        )
    }
}
