//! lithium's minimising: Ruderman; described in `algorithm.md` of MozillaSecurity/lithium.
//!
//! ```text
//! size ← the largest power of two that is at most half the length
//! loop   from the last to the first part of that size:
//!            if the list without the part is interesting: drop it, and go on with the part before it
//!        if size = 1: done if none was dropped, else once more
//!        else halve the size
//! ```
//! Under monotony it needs O(m log n) tests for m needed elements among n: no subset phase and no new start after a success.
//! When the list became shorter than that, sizes that would cover it whole are passed over.

use super::{MinimizerKind, MinimizingAlgorithm, WeightedList, start_boxed};
use crate::protocol::IndexRanges;

/// lithium's minimising.
pub(super) static LITHIUM: MinimizerKind = MinimizerKind {
    name: "lithium",
    description: "halving parts, no new start after a success (Ruderman)",
    one_minimal: true,
    start: |list| start_boxed(list, LithiumMinimizer::new),
};

/// The state of lithium's minimising on one list.
#[derive(Clone, Debug)]
pub struct LithiumMinimizer {
    /// The length of a part in this round.
    size: u32,
    /// The elements before this index have not been tried in this round.
    until: u32,
    /// Whether this round dropped something.
    dropped: bool,
}

/// The largest size of a part in a list of this length.
fn largest_part_size(length: u32) -> u32 {
    (length / 2).checked_ilog2().map_or(1, |log| 1 << log)
}

impl LithiumMinimizer {
    /// Begins on this list.
    pub fn new(list: &WeightedList) -> LithiumMinimizer {
        LithiumMinimizer {
            size: largest_part_size(list.length),
            until: list.length,
            dropped: false,
        }
    }
}

impl MinimizingAlgorithm for LithiumMinimizer {
    fn next_candidate(&mut self, list: &WeightedList) -> Option<IndexRanges> {
        loop {
            if list.length <= list.keep {
                return None;
            }
            if self.until > 0 {
                let start = self.until.saturating_sub(self.size);
                return Some(IndexRanges::from_range(start..self.until));
            }
            match (self.size, self.dropped) {
                (1, false) => return None,
                (1, true) => {}
                _ => self.size = (self.size / 2).min(largest_part_size(list.length)),
            }
            (self.until, self.dropped) = (list.length, false);
        }
    }

    fn on_uninteresting(&mut self, _: &WeightedList) {
        self.until = self.until.saturating_sub(self.size);
    }

    fn on_removed(&mut self, _: &WeightedList, removed: &IndexRanges) {
        self.dropped = true;
        // What a filter held back of the part stands just before this index, and is tried again.
        self.until -= removed.len();
    }
}
