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

use super::{FixedElementsAdapter, MinimizerKind, WeightedList};
use crate::protocol::{Feedback, IndexRanges, Proposer, ProposerStep};

/// Galloping, from the back.
pub(super) static GALLOPING: MinimizerKind = MinimizerKind {
    name: "galloping",
    description: "stretches that grow as long as they go, from the back to the front (MacIver)",
    one_minimal: true,
    start: |list| {
        FixedElementsAdapter::new_boxed(list, |_| {
            GallopingMinimizer::new(GallopDirection::Backwards)
        })
    },
};

/// Galloping, from the front.
pub(super) static GALLOPING_FORWARDS: MinimizerKind = MinimizerKind {
    name: "galloping-forwards",
    description: "the same from the front to the back",
    one_minimal: true,
    start: |list| {
        FixedElementsAdapter::new_boxed(list, |_| {
            GallopingMinimizer::new(GallopDirection::Forwards)
        })
    },
};

/// Up to this many elements the stretch grows by one: most are short.
const LINEAR: u32 = 5;

/// The state of galloping deletion on one list.
#[derive(Clone, Debug)]
pub struct GallopingMinimizer {
    direction: GallopDirection,
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
    to_accept: Option<IndexRanges>,
}

/// The way a galloping goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GallopDirection {
    /// From the last element to the first.
    Backwards,
    /// From the first element to the last.
    Forwards,
}

impl GallopingMinimizer {
    /// Begins on a list.
    pub fn new(direction: GallopDirection) -> GallopingMinimizer {
        GallopingMinimizer {
            direction,
            passed: 0,
            gone: 0,
            bound: None,
            refused: false,
            needed: 0,
            to_accept: None,
        }
    }

    fn skip_element(&mut self) {
        self.passed += 1;
        self.needed += 1;
        (self.gone, self.bound) = (0, None);
    }

    /// How many elements from here on the next question is about.
    fn stretch_length(&mut self, list: &WeightedList) -> Option<u32> {
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
                    self.skip_element();
                    continue;
                }
                Some(bound) => (bound / 2).max(1),
                None if self.gone < LINEAR => 1,
                None => self.gone.min(most),
            });
        }
    }
}

impl Proposer for GallopingMinimizer {
    type View = WeightedList;
    type Edit = IndexRanges;
    type Why = ();
    type Change = IndexRanges;

    fn propose(&mut self, list: &WeightedList) -> ProposerStep<IndexRanges, ()> {
        if let Some(gone) = &self.to_accept {
            return ProposerStep::Accept(gone.clone());
        }
        match self.stretch_length(list) {
            Some(count) => {
                let start = match self.direction {
                    GallopDirection::Backwards => list.length - self.passed - count,
                    GallopDirection::Forwards => self.passed,
                };
                ProposerStep::Test(IndexRanges::from_range(start..start + count), ())
            }
            None => ProposerStep::Done,
        }
    }

    fn on_verdict(&mut self, list: &WeightedList, asked: &IndexRanges, answer: Feedback) {
        match answer {
            Feedback::Interesting => self.to_accept = Some(asked.clone()),
            Feedback::Uninteresting | Feedback::Rejected => {
                self.bound = self.stretch_length(list);
                self.refused = answer == Feedback::Rejected && self.bound != Some(1);
            }
        }
    }

    fn on_accept(&mut self, _: &WeightedList, gone: &IndexRanges) {
        self.to_accept = None;
        self.needed = 0;
        self.gone += gone.len();
        let left = self.bound.map(|bound| bound - gone.len());
        self.bound = left.filter(|&left| left > 0);
    }

    fn invalidate(&mut self, _: &WeightedList) {
        *self = GallopingMinimizer::new(self.direction);
    }
}
