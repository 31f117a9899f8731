//! ddmin without its subset phase, from the back to the front: Hodován and Kiss, "Modernizing Hierarchical Delta Debugging", A-TEST
//! 2016, §3.
//!
//! ```text
//! size ← length
//! loop   from the last part of that size to the first:
//!            if the list without the part is interesting: drop it, and go on with the part before it
//!        if size = 1: done if none was dropped, else once more
//!        else size ← ⌈size / 2⌉
//! ```
//! Back to front, because uses stand after what they use. The paper goes on with n - 1 parts after a success; here each size is swept once,
//! as lithium does.

use super::{
    Minimizer, MinimizerDriver, MinimizerKind, MinimizingAlgorithm, WeightedList, start_boxed,
};
use crate::protocol::IndexRanges;

/// ddmin without its subset phase.
pub(super) static COMPLEMENTS: MinimizerKind = MinimizerKind {
    name: "complements",
    description: "ddmin without its subset phase, from the back to the front (Hodován and Kiss, 2016)",
    one_minimal: true,
    start: |list| start_boxed(list, ComplementsMinimizer::new),
};

/// The state of complements-only ddmin on one list.
#[derive(Clone, Debug)]
pub struct ComplementsMinimizer {
    /// The length of a part in this round.
    size: u32,
    /// The elements before this index have not been tried in this round.
    until: u32,
    /// Whether this round dropped something.
    dropped: bool,
}

impl ComplementsMinimizer {
    /// Begins on this list.
    pub fn new(list: &WeightedList) -> ComplementsMinimizer {
        // Where all may go, the first part is the whole list.
        let size = if list.keep == 0 {
            list.length
        } else {
            list.length.div_ceil(2)
        };
        ComplementsMinimizer {
            size,
            until: list.length,
            dropped: false,
        }
    }
}

/// Begins on a list of which no element is fixed.
pub fn start_complements(list: &WeightedList) -> Box<dyn Minimizer> {
    Box::new(MinimizerDriver::new(list, ComplementsMinimizer::new))
}

impl MinimizingAlgorithm for ComplementsMinimizer {
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
                _ => self.size = self.size.min(list.length).div_ceil(2),
            }
            (self.until, self.dropped) = (list.length, false);
        }
    }

    fn on_uninteresting(&mut self, _: &WeightedList) {
        self.until = self.until.saturating_sub(self.size);
    }

    fn on_removed(&mut self, _: &WeightedList, _: &IndexRanges) {
        self.dropped = true;
        // What a filter held back of the part is tried again in the next round, in smaller parts: at once it would only be held back
        // again.
        self.until = self.until.saturating_sub(self.size);
    }
}
