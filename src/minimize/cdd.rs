//! Counter-based delta debugging: Zhang, Xu, Tian, Cheng and Sun, "Toward a Better Understanding of Probabilistic Delta Debugging",
//! ICSE 2025. ProbDD's probabilities turn out to be counters of failures, so parts shrink by a fixed schedule.
//!
//! ```text
//! for r in 0, 1, … until the parts are single elements:
//!     p ← p0 / (1 - 1/e)^r
//!     size ← the s with the largest s · (1 - p)^s             4, 2, 1 for p0 = 1/4
//!     from the last part of that size to the first:
//!         if the list without the part is interesting: drop it
//!         else count one failure for each element of it; a single element is closed and never tried again
//! ```
//! Each element is tried once a round: at most n/4 + n/2 + n tests. The paper's counters are equal for all elements of a round, so one
//! number replaces them. A part of the paper may reach from the end of one round into the next; here none does. The paper leaves the order
//! open; here it is from the back to the front, because uses stand after what they use. The empty list is tried before everything else.
//! What is left is 1-minimal if the test is monotone.

use super::probability::NeedProbability;
use super::{MinimizerKind, MinimizingAlgorithm, WeightedList, start_boxed};
use crate::protocol::{
    AlgorithmFact, AlgorithmLayer, AlgorithmPicture, AlgorithmText, ChunkPicture, IndexRanges,
};

/// CDD.
pub(super) static CDD: MinimizerKind = MinimizerKind {
    name: "cdd",
    description: "counter-based delta debugging: parts of 4, 2 and 1 (Zhang et al., 2025)",
    one_minimal: false,
    start: |list| start_boxed(list, CddMinimizer::new),
};

/// Its pseudo-code.
static TEXT: AlgorithmText = AlgorithmText {
    name: "cdd",
    source: "Zhang et al., ICSE 2025",
    lines: &[
        "is the empty list interesting? done",
        "for sizes 4, 2, 1, as p rises from 1/4:",
        "  from the last part to the first:",
        "    all but it? drop it",
        "    one element that stays is needed",
    ],
    ends_at: 1,
};

/// The state of counter-based delta debugging on one list.
#[derive(Clone, Debug)]
pub struct CddMinimizer {
    /// Whether the whole list is still to be tried.
    try_all: bool,
    /// The probability, in this round, that an element is needed.
    chance: NeedProbability,
    /// The elements before this index have not been tried in this round.
    until: u32,
    /// How many elements at the start are closed: only the last part of a round, at the start of the list, may be smaller than the others.
    closed: u32,
}

impl CddMinimizer {
    /// Begins on this list.
    pub fn new(list: &WeightedList) -> CddMinimizer {
        CddMinimizer {
            try_all: list.keep == 0,
            chance: NeedProbability::QUARTER,
            until: list.length,
            closed: 0,
        }
    }

    fn part_start(&self) -> u32 {
        self.until
            .saturating_sub(self.chance.best_part_size())
            .max(self.closed)
    }

    fn skip_part(&mut self) {
        if !std::mem::take(&mut self.try_all) {
            self.until = self.part_start();
        }
    }
}

impl MinimizingAlgorithm for CddMinimizer {
    fn next_candidate(&mut self, list: &WeightedList) -> Option<IndexRanges> {
        loop {
            if list.length <= list.keep {
                return None;
            }
            if self.try_all {
                return Some(IndexRanges::from_range(0..list.length));
            }
            if self.until > self.closed {
                return Some(IndexRanges::from_range(self.part_start()..self.until));
            }
            if self.chance.best_part_size() == 1 {
                return None;
            }
            self.chance = self.chance.after_failure();
            self.until = list.length;
        }
    }

    fn on_uninteresting(&mut self, _: &WeightedList) {
        let first_alone =
            !self.try_all && self.part_start() == self.closed && self.until - self.closed == 1;
        self.skip_part();
        self.closed += u32::from(first_alone);
    }

    fn on_rejected(&mut self, _: &WeightedList) {
        self.skip_part();
    }

    fn on_removed(&mut self, list: &WeightedList, removed: &IndexRanges) {
        if self.try_all {
            (self.try_all, self.until) = (false, list.length);
        } else {
            // What a filter kept of the part stands just before this index, and is tried again.
            self.until -= removed.len();
        }
    }

    fn describe_state(&self, list: &WeightedList) -> AlgorithmLayer<u32> {
        let (line, going) = match self.try_all {
            true => (0, 0..list.length),
            false => (3, self.part_start()..self.until),
        };
        let facts = match self.try_all {
            true => Vec::new(),
            false => vec![AlgorithmFact::equals("size", self.chance.best_part_size())],
        };
        AlgorithmLayer {
            text: &TEXT,
            line,
            passed: &[],
            facts,
            picture: AlgorithmPicture::Chunks(ChunkPicture::of_candidate(list.length, &[going])),
        }
    }
}
