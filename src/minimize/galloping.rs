//! Galloping deletion: MacIver's `find_integer` and adaptive deletion, of Hypothesis and shrinkray
//! (notebook.drmaciver.com, 2023-07-27).
//!
//! ```text
//! loop   k ← how many elements may go from here on in one piece:
//!            k = 1, 2, 3, 4, 5 one after the other, then twice as many as long as it goes; then a binary search for the last k
//!        the element after them is needed: pass it
//! done   when all elements were passed, one after the other, with none gone in between
//! ```
//! At the end of the list it goes on at the start, so what is left is 1-minimal. A stretch of k needless elements costs O(log k)
//! questions. From the back to the front, because uses stand after what they use; forwards for comparison.
//!
//! The elements of a stretch go as soon as it is known that they may: the next question then names only what comes on top.

use super::{Kind, List, Movable};
use crate::dialogue::{Answer, Dialogue, Indices, Step};

/// Galloping, from the back.
pub(super) static GALLOPING: Kind = Kind {
    name: "galloping",
    what: "stretches that grow as long as they go, from the back to the front (MacIver)",
    one_minimal: true,
    start: |list| Movable::boxed(list, |_| Galloping::new(Direction::Backwards)),
};

/// Galloping, from the front.
pub(super) static GALLOPING_FORWARDS: Kind = Kind {
    name: "galloping-forwards",
    what: "the same from the front to the back",
    one_minimal: true,
    start: |list| Movable::boxed(list, |_| Galloping::new(Direction::Forwards)),
};

/// Up to this many elements the stretch grows by one: most are short.
const LINEAR: u32 = 5;

/// The state of galloping deletion on one list.
#[derive(Clone, Debug)]
pub struct Galloping {
    direction: Direction,
    /// How many elements of the list were passed in this round.
    passed: u32,
    /// How many elements of the stretch at hand are gone.
    gone: u32,
    /// That many elements from here on cannot go in one piece.
    bound: Option<u32>,
    /// Whether that is so only because the question about them was refused, which says nothing of each.
    refused: bool,
    /// How many elements were passed, one after the other, since the last one went.
    needed: u32,
    take: Option<Indices>,
}

/// The way a galloping goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the last element to the first.
    Backwards,
    /// From the first element to the last.
    Forwards,
}

impl Galloping {
    /// Begins on a list.
    pub fn new(direction: Direction) -> Galloping {
        Galloping {
            direction,
            passed: 0,
            gone: 0,
            bound: None,
            refused: false,
            needed: 0,
            take: None,
        }
    }

    fn pass(&mut self) {
        self.passed += 1;
        self.needed += 1;
        (self.gone, self.bound) = (0, None);
    }

    /// How many elements from here on the next question is about.
    fn count(&mut self, list: &List) -> Option<u32> {
        loop {
            if list.length <= list.keep || self.needed >= list.length {
                return None;
            }
            if self.passed == list.length {
                (self.passed, self.gone) = (0, 0);
            }
            let most = (list.length - self.passed).min(list.length - list.keep);
            return Some(match self.bound {
                Some(1) if !self.refused => {
                    self.pass();
                    continue;
                }
                Some(bound) => (bound / 2).max(1),
                None if self.gone < LINEAR => 1,
                None => self.gone.min(most),
            });
        }
    }
}

impl Dialogue for Galloping {
    type View = List;
    type Edit = Indices;
    type Why = ();
    type Change = Indices;

    fn step(&mut self, list: &List) -> Step<Indices, ()> {
        if let Some(gone) = &self.take {
            return Step::Take(gone.clone());
        }
        match self.count(list) {
            Some(count) => {
                let start = match self.direction {
                    Direction::Backwards => list.length - self.passed - count,
                    Direction::Forwards => self.passed,
                };
                Step::Ask(Indices::range(start..start + count), ())
            }
            None => Step::Done,
        }
    }

    fn told(&mut self, list: &List, asked: &Indices, answer: Answer) {
        match answer {
            Answer::Yes => self.take = Some(asked.clone()),
            Answer::No | Answer::Refused => {
                self.bound = self.count(list);
                self.refused = answer == Answer::Refused && self.bound != Some(1);
            }
        }
    }

    fn taken(&mut self, _: &List, gone: &Indices) {
        self.take = None;
        self.needed = 0;
        self.gone += gone.len();
        let left = self.bound.map(|bound| bound - gone.len());
        self.bound = left.filter(|&left| left > 0);
    }

    fn constrained(&mut self, _: &List) {
        *self = Galloping::new(self.direction);
    }
}
