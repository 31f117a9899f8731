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

use super::{FixedElementsAdapter, MinimizerKind, WeightedList};
use crate::protocol::{Feedback, IndexRanges, Proposer, ProposerStep};

/// ddmin without its subset phase.
pub(super) static COMPLEMENTS: MinimizerKind = MinimizerKind {
    name: "complements",
    description: "ddmin without its subset phase, from the back to the front (Hodován and Kiss, 2016)",
    one_minimal: true,
    start: |list| FixedElementsAdapter::new_boxed(list, ComplementsMinimizer::new),
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
    to_accept: Option<IndexRanges>,
}

impl ComplementsMinimizer {
    /// Begins on this list.
    pub fn new(list: &WeightedList) -> ComplementsMinimizer {
        // All at once is the first part, where all may go.
        let size = if list.keep == 0 {
            list.length
        } else {
            list.length.div_ceil(2)
        };
        ComplementsMinimizer {
            size,
            until: list.length,
            dropped: false,
            to_accept: None,
        }
    }

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
}

impl Proposer for ComplementsMinimizer {
    type View = WeightedList;
    type Edit = IndexRanges;
    type Why = ();
    type Change = IndexRanges;

    fn propose(&mut self, list: &WeightedList) -> ProposerStep<IndexRanges, ()> {
        if let Some(gone) = &self.to_accept {
            return ProposerStep::Accept(gone.clone());
        }
        match self.next_candidate(list) {
            Some(gone) => ProposerStep::Test(gone, ()),
            None => ProposerStep::Done,
        }
    }

    fn on_verdict(&mut self, _: &WeightedList, asked: &IndexRanges, answer: Feedback) {
        match answer {
            Feedback::Interesting => self.to_accept = Some(asked.clone()),
            Feedback::Uninteresting | Feedback::Rejected => {
                self.until = self.until.saturating_sub(self.size)
            }
        }
    }

    fn on_accept(&mut self, _: &WeightedList, _: &IndexRanges) {
        self.to_accept = None;
        self.dropped = true;
        // What was spared of the part has its turn again with the smaller parts of the next round: asked at once, it would only be
        // spared again.
        self.until = self.until.saturating_sub(self.size);
    }

    fn invalidate(&mut self, list: &WeightedList) {
        *self = ComplementsMinimizer::new(list);
    }
}
