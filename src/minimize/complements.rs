//! ddmin without its subset phase, from the back to the front: Hodován and Kiss, "Modernizing Hierarchical Delta Debugging", A-TEST
//! 2016, §3.
//!
//! ```text
//! size ← length
//! loop   from the last part of that size to the first:
//!            if the list without the part is interesting: remove it
//!        if size = 1: done if none was removed, else once more
//!        else size ← ⌈size / 2⌉
//! ```
//! The order is back to front, because uses stand after what they use. After a success the paper continues with n - 1 parts; here each size
//! is swept once, as in lithium.

use super::part_sweep::PartSweep;
use super::{
    Minimizer, MinimizerDriver, MinimizerKind, MinimizingAlgorithm, WeightedList, start_boxed,
};
use crate::protocol::{AlgorithmLayer, AlgorithmText, IndexRanges};

/// ddmin without its subset phase.
pub static COMPLEMENTS: MinimizerKind = MinimizerKind {
    name: "complements",
    description: "ddmin without its subset phase, from the back to the front (Hodován and Kiss, 2016)",
    one_minimal: true,
    start: |list| start_boxed(list, ComplementsMinimizer::new),
};

/// Its pseudo-code.
static TEXT: AlgorithmText = AlgorithmText {
    name: "complements",
    source: "Hodován and Kiss, A-TEST 2016",
    lines: &[
        "size ← length",
        "loop: from the last part to the first",
        "  all but it?   drop it",
        "  size > 1?     size ← ⌈size / 2⌉",
        "  none dropped? done",
    ],
    ends_at: 4,
};

/// The state of complements-only ddmin on one list.
#[derive(Clone, Debug)]
pub struct ComplementsMinimizer {
    sweep: PartSweep,
}

impl ComplementsMinimizer {
    /// Begins on this list.
    pub fn new(list: &WeightedList) -> ComplementsMinimizer {
        // Where all elements may go, the first part is the whole list.
        let size = if list.keep == 0 {
            list.length
        } else {
            list.length.div_ceil(2)
        };
        ComplementsMinimizer {
            sweep: PartSweep::new(list, size, |size, length| size.min(length).div_ceil(2)),
        }
    }
}

/// Begins on a list of which no element is fixed.
pub fn start_complements(list: &WeightedList) -> Box<dyn Minimizer> {
    Box::new(MinimizerDriver::new(list, ComplementsMinimizer::new))
}

impl MinimizingAlgorithm for ComplementsMinimizer {
    fn next_candidate(&mut self, list: &WeightedList) -> Option<IndexRanges> {
        self.sweep.next_part(list)
    }

    fn on_uninteresting(&mut self, _: &WeightedList) {
        self.sweep.skip_part();
    }

    fn on_removed(&mut self, _: &WeightedList, _: &IndexRanges) {
        // What a filter kept of the part waits for smaller parts: tried at once, it would only be kept again.
        self.sweep.remove_part();
    }

    fn describe_state(&self, list: &WeightedList) -> AlgorithmLayer<u32> {
        self.sweep.describe_parts(list, &TEXT, 2)
    }
}
