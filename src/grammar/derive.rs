//! Deriving a node's children from its rule.
//!
//! Forward through the automaton, marks open and close frames, and each frame hands its parts to the one around it when it closes.
//! A frame that covers exactly one part hands its expression on as the one expected there: so in the end each part knows the
//! outermost expression that covers exactly it. What is expected of an element ends at its list, because the list may grow or
//! shrink around it; what is expected of the list itself goes further out.

use super::automaton::{Automaton, Mark, State, contains};
use super::expression::ExId;
use super::{Class, Grammar};

/// A child of a node, as much of it as a rule sees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Child {
    /// Its class; with `None` (an error) there is no derivation.
    pub class: Option<Class>,
    /// Whether text that is no child stands between the previous child and this one.
    pub gap: bool,
}

/// What kind of group a [`Part::Group`] is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// Any number of elements: any of them may go.
    Star,
    /// At least one element: any of them may go, but not all.
    Plus,
    /// Something that may go.
    Opt,
    /// At least one element, with separators: any may go, but not all, and with each a separator goes.
    Sep,
}

/// A part of a derivation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// A child.
    Child {
        /// Its index among the children.
        index: u32,
        /// The outermost expression that derives exactly this child, up to the list around it.
        expected: ExId,
    },
    /// A list or an option that is not empty.
    Group {
        /// What kind of group.
        shape: Shape,
        /// The list or option itself.
        ex: ExId,
        /// The outermost expression that derives exactly this group, up to the list around it.
        expected: ExId,
        /// For lists: part i is element i. The first element of a `Sep` is a plain part; every further one is an `Item` of the
        /// separator's parts and then, as its last part, the element.
        parts: Vec<Part>,
    },
    /// Several parts that belong together: an element of more than one part, or a place where one node could stand instead.
    Item {
        /// What derives the item.
        ex: ExId,
        /// The outermost expression that derives exactly this item, up to the list around it.
        expected: ExId,
        /// Its parts.
        parts: Vec<Part>,
    },
}

impl Part {
    /// What is expected in the part's place.
    pub fn expected(&self) -> ExId {
        match self {
            Part::Child { expected, .. }
            | Part::Group { expected, .. }
            | Part::Item { expected, .. } => *expected,
        }
    }

    /// The parts inside; none for a child.
    pub fn parts(&self) -> &[Part] {
        match self {
            Part::Child { .. } => &[],
            Part::Group { parts, .. } | Part::Item { parts, .. } => parts,
        }
    }

    fn expect(&mut self, ex: ExId) {
        match self {
            Part::Child { expected, .. }
            | Part::Group { expected, .. }
            | Part::Item { expected, .. } => *expected = ex,
        }
    }
}

/// How the children of a node follow from its rule. Every child is in exactly one place, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Derivation {
    /// The parts, in the order of the children.
    pub parts: Vec<Part>,
}

struct Frame {
    mark: Mark,
    ex: ExId,
    parts: Vec<Part>,
}

pub(super) fn derive(
    grammar: &Grammar,
    automaton: &Automaton,
    children: &[Child],
    trailing_gap: bool,
) -> Option<Derivation> {
    let columns = columns(automaton, children, trailing_gap)?;
    let alive = alive(automaton, &columns)?;
    let mut frames = vec![Frame {
        mark: Mark::Plain,
        ex: ExId(0),
        parts: Vec::new(),
    }];
    let mut state = automaton.start;
    let mut at = 0;
    let mut child = 0;
    loop {
        match &automaton.states[state as usize] {
            State::Take(ex, next) => {
                let part = Part::Child {
                    index: child,
                    expected: *ex,
                };
                frames.last_mut()?.parts.push(part);
                (state, at, child) = (*next, at + 1, child + 1);
            }
            State::Gap(next) => (state, at) = (*next, at + 1),
            State::Split(ways) => {
                let here = &alive[at * automaton.words..(at + 1) * automaton.words];
                state = *ways.iter().find(|&&way| contains(here, way))?;
            }
            State::Open(mark, ex, next) => {
                let (mark, ex, parts) = (*mark, *ex, Vec::new());
                frames.push(Frame { mark, ex, parts });
                state = *next;
            }
            State::Close(next) => {
                let frame = frames.pop()?;
                // The frame at the bottom is nobody's: the outermost of the rule's own is directly above it.
                let outermost = frames.len() == 1;
                close(grammar, frame, &mut frames.last_mut()?.parts, outermost);
                state = *next;
            }
            State::Accept => break,
        }
    }
    let parts = frames.pop()?.parts;
    Some(Derivation { parts })
}

pub(super) fn derives(automaton: &Automaton, children: &[Child], trailing_gap: bool) -> bool {
    columns(automaton, children, trailing_gap)
        .is_some_and(|columns| alive(automaton, &columns).is_some())
}

/// The input of the automaton: the children's classes, and gaps.
fn columns(automaton: &Automaton, children: &[Child], trailing_gap: bool) -> Option<Vec<u16>> {
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

/// The states alive at each place, one row of words a place; `None` if the start is not alive at the first.
fn alive(automaton: &Automaton, columns: &[u16]) -> Option<Vec<u64>> {
    let words = automaton.words;
    let mut alive = vec![0; (columns.len() + 1) * words];
    automaton.at_end(&mut alive[columns.len() * words..]);
    for (at, &column) in columns.iter().enumerate().rev() {
        let (before, after) = alive[at * words..].split_at_mut(words);
        if !automaton.step_back(column as usize, &after[..words], before) {
            return None;
        }
    }
    contains(&alive[..words], automaton.start).then_some(alive)
}

/// Hands the parts of a frame to the one around it.
fn close(grammar: &Grammar, frame: Frame, around: &mut Vec<Part>, outermost: bool) {
    let Frame {
        mark,
        ex,
        mut parts,
    } = frame;
    if parts.is_empty() {
        return;
    }
    match mark {
        Mark::Group(shape) => around.push(Part::Group {
            shape,
            ex,
            expected: ex,
            parts,
        }),
        Mark::Further => around.push(Part::Item {
            ex,
            expected: ex,
            parts,
        }),
        Mark::Plain | Mark::Element if parts.len() == 1 => {
            parts[0].expect(ex);
            around.append(&mut parts);
        }
        Mark::Plain if outermost || !grammar.units.any_fits(ex) => around.append(&mut parts),
        Mark::Plain | Mark::Element => around.push(Part::Item {
            ex,
            expected: ex,
            parts,
        }),
    }
}
