//! The automaton of a rule: which sequences of children the rule derives, and how.
//!
//! A nondeterministic automaton in the way of Thompson, with marks. Its input symbols are classes and gaps. Matching runs backward
//! first and finds, for each place between two children, the states from which the rest can be accepted; then forward from the
//! start, where each state takes the first of its ways that is alive. That is the leftmost, greediest derivation, found without
//! ever going back ([`super::derive`]).
//!
//! A loop's body consumes at least one symbol (see `Builder::some`), so going forward always ends.

use super::Grammar;
use super::expression::{Ex, ExId};

/// A state's index.
pub(super) type StateId = u32;

/// What a pair of marks encloses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    /// An expression that makes no part of its own, or an item if something else could stand for all of it.
    Plain,
    /// A list or an option.
    Group(super::Shape),
    /// An element of a list: one part, whatever its length.
    Element,
    /// A separator with its element: an item, whatever its length.
    Further,
}

#[derive(Debug)]
pub(super) enum State {
    /// One child, if it fits the expression.
    Take(ExId, StateId),
    /// Text that is no child.
    Gap(StateId),
    /// Without consuming anything, the first of these ways that leads to the end.
    Split(Vec<StateId>),
    Open(Mark, ExId, StateId),
    Close(StateId),
    Accept,
}

/// So many states may a rule have. Parts that may be nothing in each other, and hidden rules, double them; what has more derives nothing
/// that anybody would look for, so that nodes of it are opaque.
const MOST: usize = 1 << 14;

/// The automaton of a rule.
pub(super) struct Automaton {
    pub states: Vec<State>,
    pub start: StateId,
    /// Words of a set of states.
    pub words: usize,
    /// For each consuming state and for `Accept`, the states that reach it without consuming anything, itself included.
    reach: Vec<Option<Box<[u64]>>>,
    /// The states that take a class are `takers[first[class]..first[class + 1]]`; the last entry is for gaps.
    first: Vec<u32>,
    takers: Vec<StateId>,
    accept: StateId,
}

impl Automaton {
    /// The automaton of the rule with this right-hand side.
    pub fn new(grammar: &Grammar, body: ExId) -> Automaton {
        let mut builder = Builder {
            grammar,
            pure: pure(grammar),
            states: vec![State::Accept],
        };
        let accept = 0;
        let mut start = builder.any(body, accept);
        let mut states = builder.states;
        if states.len() > MOST {
            (states, start) = (vec![State::Accept], accept);
        }
        let words = states.len().div_ceil(64);
        let mut automaton = Automaton {
            reach: reach(&states, words),
            states,
            start,
            words,
            first: Vec::new(),
            takers: Vec::new(),
            accept,
        };
        automaton.index(grammar);
        automaton
    }

    /// The column of gaps; a class's column is its number.
    pub fn gap_column(&self) -> usize {
        self.first.len() - 2
    }

    fn index(&mut self, grammar: &Grammar) {
        for class in grammar.classes() {
            self.column(|state| matches!(state, State::Take(ex, _) if grammar.fits(class, *ex)));
        }
        self.column(|state| matches!(state, State::Gap(_)));
        self.first.push(self.takers.len() as u32);
    }

    fn column(&mut self, takes: impl Fn(&State) -> bool) {
        self.first.push(self.takers.len() as u32);
        let states = self.states.iter().zip(0..);
        self.takers
            .extend(states.filter(|(state, _)| takes(state)).map(|(_, id)| id));
    }

    /// Adds to `before` the states alive before a symbol, if those in `after` are alive after it. Whether there are any.
    pub fn step_back(&self, column: usize, after: &[u64], before: &mut [u64]) -> bool {
        let takers = &self.takers[self.first[column] as usize..self.first[column + 1] as usize];
        let mut any = false;
        for &taker in takers {
            let (State::Take(_, next) | State::Gap(next)) = self.states[taker as usize] else {
                continue;
            };
            if contains(after, next) {
                any = true;
                self.add_reach(taker, before);
            }
        }
        any
    }

    /// Adds the states from which the end can be reached without consuming anything.
    pub fn at_end(&self, alive: &mut [u64]) {
        self.add_reach(self.accept, alive);
    }

    fn add_reach(&self, state: StateId, set: &mut [u64]) {
        for (word, more) in set
            .iter_mut()
            .zip(self.reach[state as usize].iter().flatten())
        {
            *word |= more;
        }
    }
}

/// Whether the set has the state.
pub(super) fn contains(set: &[u64], state: StateId) -> bool {
    set[state as usize / 64] >> (state % 64) & 1 == 1
}

/// For each expression: whether each of its derivations is exactly one child. Such an expression is one step of an automaton,
/// however many ways lead through its supertypes.
fn pure(grammar: &Grammar) -> Vec<bool> {
    let mut pure: Vec<bool> = Vec::with_capacity(grammar.expressions.len());
    for ex in &grammar.expressions {
        let this = match ex {
            Ex::Leaf(_) => true,
            Ex::Choice(members) => members.iter().all(|m| pure[m.0 as usize]),
            Ex::Field { inner, .. } | Ex::Hidden { inner, .. } => pure[inner.0 as usize],
            _ => false,
        };
        pure.push(this);
    }
    pure
}

/// For each consuming state and for `Accept`, the states that reach it without consuming anything.
fn reach(states: &[State], words: usize) -> Vec<Option<Box<[u64]>>> {
    let mut back: Vec<Vec<StateId>> = vec![Vec::new(); states.len()];
    for (state, id) in states.iter().zip(0..) {
        match state {
            State::Split(ways) => ways.iter().for_each(|&way| back[way as usize].push(id)),
            State::Open(_, _, next) | State::Close(next) => back[*next as usize].push(id),
            State::Take(..) | State::Gap(_) | State::Accept => {}
        }
    }
    let mut all = Vec::with_capacity(states.len());
    for (state, id) in states.iter().zip(0..) {
        if !matches!(state, State::Take(..) | State::Gap(_) | State::Accept) {
            all.push(None);
            continue;
        }
        let mut set = vec![0u64; words].into_boxed_slice();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if !contains(&set, id) {
                set[id as usize / 64] |= 1 << (id % 64);
                open.extend(&back[id as usize]);
            }
        }
        all.push(Some(set));
    }
    all
}

/// Builds states from the end to the start. Recursion is as deep as a rule's expression, never as a program.
struct Builder<'a> {
    grammar: &'a Grammar,
    pure: Vec<bool>,
    states: Vec<State>,
}

impl Builder<'_> {
    fn add(&mut self, state: State) -> StateId {
        self.states.push(state);
        (self.states.len() - 1) as StateId
    }

    /// Encloses what `inside` builds in a pair of marks.
    fn marked(
        &mut self,
        mark: Mark,
        ex: ExId,
        next: StateId,
        inside: impl FnOnce(&mut Self, StateId) -> StateId,
    ) -> StateId {
        let close = self.add(State::Close(next));
        let start = inside(self, close);
        self.add(State::Open(mark, ex, start))
    }

    /// All derivations of `ex`, then `next`.
    fn any(&mut self, ex: ExId, next: StateId) -> StateId {
        // What is too large is given up when it is whole.
        if self.states.len() > MOST {
            return next;
        }
        if self.pure[ex.0 as usize] {
            return self.add(State::Take(ex, next));
        }
        let grammar = self.grammar;
        match grammar.ex(ex) {
            Ex::Leaf(_) => self.add(State::Take(ex, next)),
            Ex::Blank => next,
            Ex::Text => {
                let gap = self.add(State::Gap(next));
                self.add(State::Split(vec![gap, next]))
            }
            Ex::Seq(members) => self.marked(Mark::Plain, ex, next, |b, close| {
                members.iter().rev().fold(close, |next, &m| b.any(m, next))
            }),
            Ex::Choice(members) => self.marked(Mark::Plain, ex, next, |b, close| {
                let ways = members.iter().map(|&m| b.any(m, close)).collect();
                b.add(State::Split(ways))
            }),
            Ex::Star(inner) => self.repeat(super::Shape::Star, ex, *inner, next, true),
            Ex::Plus(inner) => self.repeat(
                super::Shape::Plus,
                ex,
                *inner,
                next,
                grammar.units.empty(*inner),
            ),
            Ex::Opt(inner) => self.marked(Mark::Group(super::Shape::Opt), ex, next, |b, close| {
                let some = b.any(*inner, close);
                b.add(State::Split(vec![some, close]))
            }),
            Ex::Sep {
                element,
                separator,
                further,
            } => self.separated(ex, *element, *separator, *further, next),
            Ex::Field { inner, .. } | Ex::Hidden { inner, .. } => {
                self.marked(Mark::Plain, ex, next, |b, close| b.any(*inner, close))
            }
        }
    }

    /// The derivations of `ex` that consume something, then `next`; `None` if there are none.
    fn some(&mut self, ex: ExId, next: StateId) -> Option<StateId> {
        let grammar = self.grammar;
        if self.states.len() > MOST {
            return None;
        }
        if !grammar.units.empty(ex) {
            return Some(self.any(ex, next));
        }
        match grammar.ex(ex) {
            Ex::Leaf(_) | Ex::Blank | Ex::Sep { .. } => None,
            Ex::Text => Some(self.add(State::Gap(next))),
            Ex::Star(inner) => Some(self.repeat(super::Shape::Star, ex, *inner, next, false)),
            Ex::Plus(inner) => Some(self.repeat(super::Shape::Plus, ex, *inner, next, false)),
            Ex::Opt(inner) => {
                self.marked_some(Mark::Group(super::Shape::Opt), ex, next, |b, close| {
                    b.some(*inner, close).into_iter().collect()
                })
            }
            Ex::Field { inner, .. } | Ex::Hidden { inner, .. } => {
                self.marked_some(Mark::Plain, ex, next, |b, close| {
                    b.some(*inner, close).into_iter().collect()
                })
            }
            Ex::Choice(members) => self.marked_some(Mark::Plain, ex, next, |b, close| {
                members.iter().filter_map(|&m| b.some(m, close)).collect()
            }),
            // One way for each member that may be the first to consume something.
            Ex::Seq(members) => self.marked_some(Mark::Plain, ex, next, |b, close| {
                let mut ways = Vec::new();
                for (at, &first) in members.iter().enumerate() {
                    let rest = members[at + 1..]
                        .iter()
                        .rev()
                        .fold(close, |next, &m| b.any(m, next));
                    ways.extend(b.some(first, rest));
                }
                ways
            }),
        }
    }

    fn marked_some(
        &mut self,
        mark: Mark,
        ex: ExId,
        next: StateId,
        ways: impl FnOnce(&mut Self, StateId) -> Vec<StateId>,
    ) -> Option<StateId> {
        let close = self.add(State::Close(next));
        let ways = ways(self, close);
        if ways.is_empty() {
            return None;
        }
        let split = self.add(State::Split(ways));
        Some(self.add(State::Open(mark, ex, split)))
    }

    /// Elements one after the other; none at all if `may_be_none`.
    fn repeat(
        &mut self,
        shape: super::Shape,
        ex: ExId,
        inner: ExId,
        next: StateId,
        may_be_none: bool,
    ) -> StateId {
        self.marked(Mark::Group(shape), ex, next, |b, close| {
            let again = b.add(State::Split(Vec::new()));
            let end = b.add(State::Close(again));
            let Some(body) = b.some(inner, end) else {
                return close;
            };
            let open = b.add(State::Open(Mark::Element, inner, body));
            b.states[again as usize] = State::Split(vec![open, close]);
            if may_be_none { again } else { open }
        })
    }

    fn separated(
        &mut self,
        ex: ExId,
        element: ExId,
        separator: ExId,
        further: ExId,
        next: StateId,
    ) -> StateId {
        self.marked(Mark::Group(super::Shape::Sep), ex, next, |b, close| {
            let again = b.add(State::Split(Vec::new()));
            let item = b.marked(Mark::Further, further, again, |b, end| {
                let second = b.marked(Mark::Element, element, end, |b, end| b.any(element, end));
                b.any(separator, second)
            });
            b.states[again as usize] = State::Split(vec![item, close]);
            b.marked(Mark::Element, element, again, |b, end| b.any(element, end))
        })
    }
}
