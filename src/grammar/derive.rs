//! Deriving a node's children from its rule.
//!
//! On the forward run through the automaton, marks open and close frames, and each frame passes its parts to the enclosing frame when it
//! closes. A frame that covers exactly one part also passes on its expression, as the one expected there. So in the end each part knows the
//! outermost expression that covers exactly it. The expectation of an element ends at its list, because the list may grow or shrink around
//! it; the expectation of the list itself continues outwards.

use std::ops::Range;

use super::automaton::{AutomatonState, DerivationMark, RuleAutomaton, contains_state};
use super::expression::ExprId;
use super::{Grammar, NodeClass};

/// A child of a node, as far as a rule matters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GrammarChild {
    /// Its class; with `None` (an error) there is no derivation.
    pub class: Option<NodeClass>,
    /// Whether text that is not a child stands between the previous child and this one.
    pub gap: bool,
}

/// What kind of group a [`DerivationPart::Group`] is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum QuantifierKind {
    /// Any number of elements: any of them may be removed.
    Star,
    /// At least one element: any of them may be removed, but not all.
    Plus,
    /// A part that may be removed.
    Opt,
    /// At least one element, with separators: any may be removed, but not all, and a separator is removed with each.
    Sep,
}

/// A part of a derivation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DerivationPart {
    /// A child.
    Child {
        /// Its index among the children.
        index: u32,
        /// The outermost expression that derives exactly this child, up to the list around it.
        expected: ExprId,
    },
    /// A list or an option that is not empty.
    Group {
        /// What kind of group.
        shape: QuantifierKind,
        /// The list or option itself.
        ex: ExprId,
        /// The outermost expression that derives exactly this group, up to the list around it.
        expected: ExprId,
        /// For lists: part i is element i. The first element of a `Sep` is a plain part; every further one is an `Item` of the
        /// separator's parts and then, as its last part, the element.
        parts: Vec<DerivationPart>,
    },
    /// Several parts that belong together: an element of more than one part, or a place that one node could fill instead.
    Item {
        /// The expression that derives the item.
        ex: ExprId,
        /// The outermost expression that derives exactly this item, up to the list around it.
        expected: ExprId,
        /// Its parts.
        parts: Vec<DerivationPart>,
    },
}

impl DerivationPart {
    /// The expression that is expected in the part's place.
    pub fn expected(&self) -> ExprId {
        match self {
            DerivationPart::Child { expected, .. }
            | DerivationPart::Group { expected, .. }
            | DerivationPart::Item { expected, .. } => *expected,
        }
    }

    /// The parts inside; none for a child.
    pub fn parts(&self) -> &[DerivationPart] {
        match self {
            DerivationPart::Child { .. } => &[],
            DerivationPart::Group { parts, .. } | DerivationPart::Item { parts, .. } => parts,
        }
    }

    fn set_expected(&mut self, ex: ExprId) {
        match self {
            DerivationPart::Child { expected, .. }
            | DerivationPart::Group { expected, .. }
            | DerivationPart::Item { expected, .. } => *expected = ex,
        }
    }
}

/// The derivation of a node's children from its rule. Every child is in exactly one place, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Derivation {
    /// The parts, in the order of the children.
    pub parts: Vec<DerivationPart>,
}

struct DerivationFrame {
    mark: DerivationMark,
    ex: ExprId,
    parts: Vec<DerivationPart>,
}

pub(super) fn derive_children(
    grammar: &Grammar,
    automaton: &RuleAutomaton,
    children: &[GrammarChild],
    trailing_gap: bool,
) -> Option<Derivation> {
    let bottom = DerivationFrame {
        mark: DerivationMark::Plain,
        ex: ExprId::from_index(0),
        parts: Vec::new(),
    };
    let mut frames = vec![bottom];
    walk_derivation(automaton, children, trailing_gap, |step, child| {
        match step {
            DerivationStep::Take(expected) => {
                let part = DerivationPart::Child {
                    index: child as u32,
                    expected,
                };
                frames.last_mut()?.parts.push(part);
            }
            DerivationStep::Open(mark, ex) => {
                let parts = Vec::new();
                frames.push(DerivationFrame { mark, ex, parts });
            }
            DerivationStep::Close => {
                let frame = frames.pop()?;
                // The bottom frame collects the result: the outermost frame of the rule is directly above it.
                let outermost = frames.len() == 1;
                close_frame(grammar, frame, &mut frames.last_mut()?.parts, outermost);
            }
        }
        Some(())
    })?;
    let parts = frames.pop()?.parts;
    Some(Derivation { parts })
}

/// The optional parts of the rule in the order of their ends in the derivation, each with its children.
pub(super) fn find_options(
    automaton: &RuleAutomaton,
    children: &[GrammarChild],
    trailing_gap: bool,
) -> Option<Vec<(Range<usize>, ExprId)>> {
    let (mut open, mut options) = (Vec::new(), Vec::new());
    walk_derivation(automaton, children, trailing_gap, |step, child| {
        match step {
            DerivationStep::Take(_) => {}
            DerivationStep::Open(mark, ex) => open.push((mark, ex, child)),
            DerivationStep::Close => {
                let (mark, ex, first) = open.pop()?;
                if mark == DerivationMark::Group(QuantifierKind::Opt) {
                    options.push((first..child, ex));
                }
            }
        }
        Some(())
    })?;
    Some(options)
}

/// What happens between two places of a derivation.
enum DerivationStep {
    /// The next child is what this expression derives.
    Take(ExprId),
    /// A part of this expression begins.
    Open(DerivationMark, ExprId),
    /// The innermost part that is open ends.
    Close,
}

/// Visits the steps of the derivation of the children, each with the number of children before it. None if there is no derivation, or if `visit` says none.
fn walk_derivation(
    automaton: &RuleAutomaton,
    children: &[GrammarChild],
    trailing_gap: bool,
    mut visit: impl FnMut(DerivationStep, usize) -> Option<()>,
) -> Option<()> {
    let columns = input_columns(automaton, children, trailing_gap)?;
    let alive = alive_states(automaton, &columns)?;
    let mut state = automaton.start;
    let mut at = 0;
    let mut child = 0;
    loop {
        match &automaton.states[state as usize] {
            AutomatonState::Take(ex, next) => {
                visit(DerivationStep::Take(*ex), child)?;
                (state, at, child) = (*next, at + 1, child + 1);
            }
            AutomatonState::Gap(next) => (state, at) = (*next, at + 1),
            AutomatonState::Split(ways) => {
                let here = &alive[at * automaton.words..(at + 1) * automaton.words];
                state = *ways.iter().find(|&&way| contains_state(here, way))?;
            }
            AutomatonState::Open(mark, ex, next) => {
                visit(DerivationStep::Open(*mark, *ex), child)?;
                state = *next;
            }
            AutomatonState::Close(next) => {
                visit(DerivationStep::Close, child)?;
                state = *next;
            }
            AutomatonState::Accept => return Some(()),
        }
    }
}

pub(super) fn has_derivation(
    automaton: &RuleAutomaton,
    children: &[GrammarChild],
    trailing_gap: bool,
) -> bool {
    input_columns(automaton, children, trailing_gap)
        .is_some_and(|columns| alive_states(automaton, &columns).is_some())
}

/// The input of the automaton: the children's classes, and gaps.
fn input_columns(
    automaton: &RuleAutomaton,
    children: &[GrammarChild],
    trailing_gap: bool,
) -> Option<Vec<u16>> {
    let gap = automaton.gap_column() as u16;
    let mut columns = Vec::with_capacity(children.len() + 1);
    for child in children {
        if child.gap {
            columns.push(gap);
        }
        columns.push(child.class?.0);
    }
    if trailing_gap {
        columns.push(gap);
    }
    Some(columns)
}

/// The states alive at each place, one group of words per place; `None` if the start is not alive at the first.
fn alive_states(automaton: &RuleAutomaton, columns: &[u16]) -> Option<Vec<u64>> {
    let words = automaton.words;
    let mut alive = vec![0; (columns.len() + 1) * words];
    automaton.add_accepting(&mut alive[columns.len() * words..]);
    for (at, &column) in columns.iter().enumerate().rev() {
        let (before, after) = alive[at * words..].split_at_mut(words);
        if !automaton.step_back(column as usize, &after[..words], before) {
            return None;
        }
    }
    contains_state(&alive[..words], automaton.start).then_some(alive)
}

/// Passes the parts of a frame to the enclosing one.
fn close_frame(
    grammar: &Grammar,
    frame: DerivationFrame,
    around: &mut Vec<DerivationPart>,
    outermost: bool,
) {
    let DerivationFrame {
        mark,
        ex,
        mut parts,
    } = frame;
    if parts.is_empty() {
        return;
    }
    match mark {
        DerivationMark::Group(shape) => around.push(DerivationPart::Group {
            shape,
            ex,
            expected: ex,
            parts,
        }),
        DerivationMark::Further => around.push(DerivationPart::Item {
            ex,
            expected: ex,
            parts,
        }),
        DerivationMark::Plain | DerivationMark::Element if parts.len() == 1 => {
            parts[0].set_expected(ex);
            around.append(&mut parts);
        }
        DerivationMark::Plain if outermost || !grammar.units.any_class_fits(ex) => {
            around.append(&mut parts)
        }
        DerivationMark::Plain | DerivationMark::Element => around.push(DerivationPart::Item {
            ex,
            expected: ex,
            parts,
        }),
    }
}
