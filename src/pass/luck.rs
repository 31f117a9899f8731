//! What makes two edits alike to a compiler's eye, and how edits of a kind fared so far.

use rustc_hash::FxBuildHasher;

use crate::dialogue::Answer;
use crate::grammar::{Class, ExId};
use crate::program::{Edit, Op, Piece, Shape, Trail, Version, element, walk};

/// How many answers of a kind are remembered.
const REMEMBERED: u32 = 40;
/// With fewer answers than this a rate says nothing.
const ENOUGH: u32 = 8;
/// A kind of which more than this share was accepted is worth a batch, in percent.
const OFTEN: u32 = 15;
/// So many places that are alike are many.
const MANY: usize = 3;
/// The same for elements of lists: they differ more from each other, as statements do.
const MANY_ELEMENTS: usize = 12;
/// After so many successes in a row the next question is about several places.
const RUN: u32 = 2;

/// What edits of one place have in common when they are alike: where it is, what it is, and what becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kind {
    /// The kind of the nearest node above that has one.
    parent: Option<Class>,
    /// The kind of what goes.
    pub node: Option<Class>,
    /// What the grammar expects in its place.
    expected: Option<ExId>,
    /// The field that it fills, and its place among the parts of a node that is no list.
    slot: (u16, usize),
    becomes: Becomes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Becomes {
    /// The optional part goes.
    Nothing,
    /// The list has an element less.
    Shorter,
    Node(Option<Class>),
    Items(Option<ExId>),
}

impl Kind {
    /// The kind of an edit of one place; none for edits of several places.
    pub fn of(version: &Version, edit: &Edit) -> Option<Kind> {
        match &edit.ops[..] {
            [Op::Delete(node)] => Kind::at(&version.trail(*node)?, Becomes::Nothing),
            [Op::Replace { node, piece }] => {
                let becomes = match piece {
                    Piece::Node(below) => Becomes::Node(version.node(*below)?.class),
                    Piece::Items(list) => Becomes::Items(version.node(*list)?.expected),
                    Piece::Tokens(_) => return None,
                };
                Kind::at(&version.trail(*node)?, becomes)
            }
            [Op::DeleteItems { list, items }] if items.len() == 1 => {
                let trail = version.trail(*list)?;
                let list = trail.node();
                let item = walk::item(list, items.ranges().first()?.start as usize)?;
                Some(Kind {
                    parent: trail.nodes.iter().rev().find_map(|above| above.class),
                    node: element(item).class,
                    expected: list.expected,
                    slot: (list.field, 0),
                    becomes: Becomes::Shorter,
                })
            }
            _ => None,
        }
    }

    fn at(trail: &Trail, becomes: Becomes) -> Option<Kind> {
        let (node, parent) = (trail.node(), trail.parent()?);
        let place = match parent.shape {
            Shape::Regular | Shape::Item | Shape::Opt | Shape::Link => {
                parent.kids().iter().position(|kid| kid.id == node.id)?
            }
            _ => 0,
        };
        Some(Kind {
            parent: trail.ancestors().find_map(|above| above.class),
            node: node.class,
            expected: node.expected,
            slot: (node.field, place),
            becomes,
        })
    }

    /// Whether it lets an element of a list go.
    pub fn is_element(&self) -> bool {
        self.becomes == Becomes::Shorter
    }
}

/// How the kinds fared, by kind.
#[derive(Clone, Debug, Default)]
pub struct Luck {
    seen: imbl::GenericHashMap<Kind, Record, FxBuildHasher, imbl::shared_ptr::DefaultSharedPtr>,
}

/// How one kind fared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The last answers to questions about one place, the newest in the lowest bit.
    yes: u64,
    /// How many they are.
    number: u32,
    /// How many places in a row changed.
    run: u32,
    /// Whether several of them changed at once.
    together: bool,
    /// That many places cannot change in one piece.
    bound: Option<u32>,
}

impl Luck {
    /// How this kind fared.
    pub fn of(&self, kind: &Kind) -> Record {
        self.seen.get(kind).copied().unwrap_or_default()
    }

    /// Hears the answer to a question about so many places of this kind. A refusal of several says nothing of each, but there must be fewer.
    pub fn told(&mut self, kind: Kind, places: u32, answer: Answer) {
        self.seen.entry(kind).or_default().told(places, answer);
    }
}

impl Record {
    fn told(&mut self, places: u32, answer: Answer) {
        if places == 1 && answer != Answer::Refused {
            self.yes = (self.yes << 1 | u64::from(answer.is_yes())) & ((1 << REMEMBERED) - 1);
            self.number = (self.number + 1).min(REMEMBERED);
        }
        match answer {
            Answer::Yes => {
                self.run += places;
                self.together |= places > 1;
                let left = self.bound.map(|bound| bound.saturating_sub(places));
                self.bound = left.filter(|&left| left > 0);
            }
            Answer::No | Answer::Refused if places > 1 => self.bound = Some(places),
            Answer::No => (self.run, self.together, self.bound) = (0, false, None),
            Answer::Refused => {}
        }
    }

    /// About how many places the next question should be: galloping, as in `minimize/galloping.rs`, from one node to the next.
    pub fn places(&self) -> u32 {
        match self.bound {
            Some(bound) => (bound / 2).max(1),
            None if self.run < RUN => 1,
            None => self.run,
        }
    }

    /// How many places there must be for a question about several of them. A few are tried one by one: where there are not many, each
    /// of them is likely to have a part in the bug.
    pub fn least(&self, kind: &Kind) -> usize {
        match self.together {
            true => 2,
            false if kind.is_element() => MANY_ELEMENTS,
            false => MANY,
        }
    }

    /// Whether enough of the last questions about one place were answered with yes for a batch, but not the very last: then galloping
    /// needs fewer questions.
    pub fn mixed(&self) -> bool {
        let often = self.yes.count_ones() * 100 > self.number * OFTEN;
        self.number >= ENOUGH && often && self.run == 0 && self.bound.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(answers: &[(u32, Answer)]) -> Record {
        let mut record = Record::default();
        for &(places, answer) in answers {
            record.told(places, answer);
        }
        record
    }

    #[test]
    fn questions_grow_with_success_and_halve_after_a_failure() {
        use Answer::{No, Yes};
        let sizes = |answers: &[(u32, Answer)]| after(answers).places();
        assert_eq!(sizes(&[(1, Yes)]), 1);
        assert_eq!(sizes(&[(1, Yes), (1, Yes)]), 2);
        assert_eq!(sizes(&[(1, Yes), (1, Yes), (2, Yes)]), 4);
        assert_eq!(sizes(&[(1, Yes), (1, Yes), (2, Yes), (4, No)]), 2);
        let found = [(1, Yes), (1, Yes), (2, Yes), (4, No), (2, Yes), (1, Yes)];
        assert_eq!(sizes(&found), 1, "the next one is what cannot go");
        let passed: Vec<_> = found.into_iter().chain([(1, No)]).collect();
        assert_eq!(sizes(&passed), 1, "and a new run begins");
    }

    #[test]
    fn a_batch_needs_answers_of_both_sorts() {
        use Answer::{No, Refused, Yes};
        assert!(!after(&[(1, Yes), (1, No), (1, No)]).mixed(), "too few");
        let mut answers = vec![(1, No); 6];
        answers.splice(0..0, [(1, Yes), (1, Yes)]);
        assert!(after(&answers).mixed());
        answers.extend([(1, Refused); 50]);
        assert!(after(&answers).mixed(), "a refusal is no decision");
        answers.extend([(1, No); 6]);
        assert!(!after(&answers).mixed(), "2 of 14 are too few");
        assert!(!after(&[(1, Yes); 20]).mixed(), "galloping is better");
    }
}
