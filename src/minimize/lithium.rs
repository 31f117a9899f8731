//! lithium's minimising: Ruderman; described in `algorithm.md` of MozillaSecurity/lithium.
//!
//! ```text
//! size ← the largest power of two that is at most half the length
//! loop   from the last to the first part of that size:
//!            if the list without the part is interesting: remove it
//!        if size = 1: done if none was removed, else once more
//!        else halve the size
//! ```
//! If the test is monotone, it needs O(m log n) tests for m needed elements among n, because it has no subset phase and does not begin again
//! after a success. When the list has become shorter, sizes that would cover all of it are skipped.

use super::part_sweep::PartSweep;
use super::{MinimizerKind, MinimizingAlgorithm, WeightedList, start_boxed};
use crate::protocol::{AlgorithmLayer, AlgorithmText, IndexRanges};

/// lithium's minimising.
pub(super) static LITHIUM: MinimizerKind = MinimizerKind {
    name: "lithium",
    description: "halved parts, without a new start after a success (Ruderman)",
    one_minimal: true,
    start: |list| start_boxed(list, LithiumMinimizer::new),
};

/// Its pseudo-code.
static TEXT: AlgorithmText = AlgorithmText {
    name: "lithium",
    source: "Ruderman, algorithm.md of lithium",
    lines: &[
        "size ← a power of 2 ≤ length / 2",
        "loop: from the last part to the first",
        "  all but it?   drop it",
        "  size > 1?     halve the size",
        "  none dropped? done",
    ],
    ends_at: 4,
};

/// The state of lithium's minimising on one list.
#[derive(Clone, Debug)]
pub struct LithiumMinimizer {
    sweep: PartSweep,
}

/// The largest size of a part in a list of this length.
fn largest_part_size(length: u32) -> u32 {
    (length / 2).checked_ilog2().map_or(1, |log| 1 << log)
}

impl LithiumMinimizer {
    /// Begins on this list.
    pub fn new(list: &WeightedList) -> LithiumMinimizer {
        let size = largest_part_size(list.length);
        LithiumMinimizer {
            sweep: PartSweep::new(list, size, |size, length| {
                (size / 2).min(largest_part_size(length))
            }),
        }
    }
}

impl MinimizingAlgorithm for LithiumMinimizer {
    fn next_candidate(&mut self, list: &WeightedList) -> Option<IndexRanges> {
        self.sweep.next_part(list)
    }

    fn on_uninteresting(&mut self, _: &WeightedList) {
        self.sweep.skip_part();
    }

    fn on_removed(&mut self, _: &WeightedList, removed: &IndexRanges) {
        self.sweep.remove_elements(removed.len());
    }

    fn describe_state(&self, list: &WeightedList) -> AlgorithmLayer<u32> {
        self.sweep.describe_parts(list, &TEXT, 2)
    }
}
