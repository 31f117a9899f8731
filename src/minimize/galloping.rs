//! Galloping deletion: MacIver's `find_integer` and adaptive deletion, of Hypothesis and shrinkray
//! (notebook.drmaciver.com, 2023-07-27).
//!
//! ```text
//! loop   k ← how many elements may go from here on in one piece:
//!            k = 1, 2, 3, 4, 5 one after the other, then twice as many as long as it goes; then a binary search for the last k
//!        the element after them is needed: pass it
//! done   when all elements were passed, one after the other, with none gone in between
//! ```
//! At the end of the list it continues at the start, so what is left is 1-minimal. A run of k needless elements costs O(log k) tests. The
//! order is from the back to the front, because uses stand after what they use; forwards is there for comparison.
//!
//! The elements of a run are removed as soon as they are known to be needless: the next candidate then contains only the additional ones.

use std::ops::Range;

use super::{MinimizerKind, MinimizingAlgorithm, WeightedList, start_boxed};
use crate::protocol::{
    AlgorithmFact, AlgorithmLayer, AlgorithmPicture, AlgorithmText, ChunkPicture, IndexRanges,
};

/// Galloping, from the back.
pub(super) static GALLOPING: MinimizerKind = MinimizerKind {
    name: "galloping",
    description: "runs that grow as long as they can be removed, from the back to the front (MacIver)",
    one_minimal: true,
    start: |list| {
        start_boxed(list, |_| {
            GallopingMinimizer::new(GallopDirection::Backwards)
        })
    },
};

/// Galloping, from the front.
pub(super) static GALLOPING_FORWARDS: MinimizerKind = MinimizerKind {
    name: "galloping-forwards",
    description: "the same from the front to the back",
    one_minimal: true,
    start: |list| start_boxed(list, |_| GallopingMinimizer::new(GallopDirection::Forwards)),
};

/// Its pseudo-code.
static TEXT: AlgorithmText = AlgorithmText {
    name: "galloping",
    source: "MacIver, adaptive deletion, 2023",
    lines: &[
        "loop: k ← how many may go from here:",
        "  1, 2, 3, 4, 5, then doubled",
        "  too many?     search between both",
        "  the next one is needed: pass it",
        "done if a round passed all",
    ],
    ends_at: 4,
};

/// Up to this length a run of elements grows by one, because most runs are short.
const LINEAR_GROWTH_LIMIT: u32 = 5;

/// The state of galloping deletion on one list.
#[derive(Clone, Debug)]
pub struct GallopingMinimizer {
    direction: GallopDirection,
    /// How many elements of the list were passed in this round.
    passed: u32,
    /// How many elements of the current run are removed.
    gone: u32,
    /// This number of elements from here on cannot be removed at once.
    bound: Option<u32>,
    /// Whether that is so only because they were rejected together, which says nothing about each.
    rejected: bool,
    /// How many elements were passed, one after the other, since the last removal.
    needed: u32,
}

/// The direction of galloping.
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
            rejected: false,
            needed: 0,
        }
    }

    fn skip_element(&mut self) {
        self.passed += 1;
        self.needed += 1;
        (self.gone, self.bound) = (0, None);
    }

    /// How many elements from here on are tried next, where some are left.
    fn next_stretch(&self, list: &WeightedList) -> u32 {
        let most = (list.length - self.passed).min(list.length - list.keep);
        match self.bound {
            Some(bound) => (bound / 2).max(1),
            None if self.gone < LINEAR_GROWTH_LIMIT => 1,
            None => self.gone.min(most),
        }
    }

    /// Where in the list these elements from here on are.
    fn stretch_range(&self, list: &WeightedList, count: u32) -> Range<u32> {
        let start = match self.direction {
            GallopDirection::Backwards => list.length - self.passed - count,
            GallopDirection::Forwards => self.passed,
        };
        start..start + count
    }

    /// How many elements from here on are tried next.
    fn stretch_length(&mut self, list: &WeightedList) -> Option<u32> {
        loop {
            if list.length <= list.keep || self.needed >= list.length {
                return None;
            }
            if self.passed == list.length {
                (self.passed, self.gone) = (0, 0);
            }
            if self.bound == Some(1) && !self.rejected {
                self.skip_element();
                continue;
            }
            return Some(self.next_stretch(list));
        }
    }
}

impl MinimizingAlgorithm for GallopingMinimizer {
    fn next_candidate(&mut self, list: &WeightedList) -> Option<IndexRanges> {
        let count = self.stretch_length(list)?;
        Some(IndexRanges::from_range(self.stretch_range(list, count)))
    }

    fn on_uninteresting(&mut self, list: &WeightedList) {
        self.bound = self.stretch_length(list);
        self.rejected = false;
    }

    fn on_rejected(&mut self, list: &WeightedList) {
        self.bound = self.stretch_length(list);
        self.rejected = self.bound != Some(1);
    }

    fn on_removed(&mut self, _: &WeightedList, removed: &IndexRanges) {
        self.needed = 0;
        self.gone += removed.len();
        let left = self.bound.map(|bound| bound - removed.len());
        self.bound = left.filter(|&left| left > 0);
    }

    fn describe_state(&self, list: &WeightedList) -> AlgorithmLayer<u32> {
        let count = self.next_stretch(list);
        let range = self.stretch_range(list, count);
        AlgorithmLayer {
            text: &TEXT,
            passed: &[],
            line: match self.bound {
                None => 1,
                Some(_) => 2,
            },
            facts: vec![
                AlgorithmFact::equals("k", self.gone + count),
                AlgorithmFact::count("element passed", self.passed),
            ],
            picture: AlgorithmPicture::Chunks(ChunkPicture::of_candidate(list.length, &[range])),
        }
    }
}
