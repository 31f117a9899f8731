//! ddmin, the minimising delta debugging algorithm: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input",
//! TSE 2002, figure 5.
//!
//! ```text
//! n ← 2
//! loop   cut the list into n parts
//!        reduce to a subset        if a part alone is interesting:      keep it, n ← 2
//!        reduce to a complement    if the list without one is:          drop it, n ← max(n - 1, 2)
//!        increase granularity      else if n < length:                  n ← min(2n, length)
//!        done                      else
//! ```
//! Before the first cut it asks whether the empty list will do, which the paper takes as known. After a complement it goes on with
//! complements of the new cut; the paper would try its subsets first, most of which it knows.

use super::{FixedElementsAdapter, MinimizerKind, WeightedList, part_range};
use crate::protocol::{Feedback, IndexRanges, Proposer, ProposerStep};

/// ddmin.
pub(super) static DDMIN: MinimizerKind = MinimizerKind {
    name: "ddmin",
    description: "minimising delta debugging (Zeller and Hildebrandt, 2002)",
    one_minimal: true,
    start: |list| FixedElementsAdapter::new_boxed(list, DdminMinimizer::new),
};

/// The state of ddmin on one list.
#[derive(Clone, Debug)]
pub struct DdminMinimizer {
    phase: DdminPhase,
    parts: u32,
    at: u32,
    /// Whether it was asked in vain if all may go.
    needed: bool,
    to_accept: Option<IndexRanges>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DdminPhase {
    All,
    Subset,
    Complement,
}

impl DdminMinimizer {
    /// Begins on this list.
    pub fn new(_: &WeightedList) -> DdminMinimizer {
        DdminMinimizer {
            phase: DdminPhase::All,
            parts: 2,
            at: 0,
            needed: false,
            to_accept: None,
        }
    }

    /// What goes when the question at hand is answered with yes; none when no question is left.
    fn next_candidate(&mut self, list: &WeightedList) -> Option<IndexRanges> {
        loop {
            if list.length <= list.keep || (list.length == 1 && self.needed) {
                return None;
            }
            if list.length == 1 {
                // Only a part of all went, so it was never asked if the last element may go.
                self.phase = DdminPhase::All;
            }
            let parts = self.parts.min(list.length);
            if self.phase == DdminPhase::All {
                if list.keep == 0 {
                    return Some(IndexRanges::from_range(0..list.length));
                }
                self.phase = DdminPhase::Subset;
            } else if self.at < parts {
                let kept = part_range(list.length, parts, self.at);
                return Some(match self.phase {
                    DdminPhase::Complement => IndexRanges::from_range(kept),
                    _ => IndexRanges::all_except(kept, list.length),
                });
            } else if self.phase == DdminPhase::Subset && parts > 2 {
                (self.phase, self.at) = (DdminPhase::Complement, 0);
            } else if parts == list.length {
                return None;
            } else {
                // With two parts, the complements are the subsets.
                (self.phase, self.at, self.parts) =
                    (DdminPhase::Subset, 0, (2 * parts).min(list.length));
            }
        }
    }
}

impl Proposer for DdminMinimizer {
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

    fn on_verdict(&mut self, list: &WeightedList, asked: &IndexRanges, answer: Feedback) {
        match (answer, self.phase) {
            (Feedback::Interesting, _) => self.to_accept = Some(asked.clone()),
            (_, DdminPhase::All) => {
                self.needed = answer == Feedback::Uninteresting || list.length == 1;
                self.phase = DdminPhase::Subset;
            }
            _ => self.at += 1,
        }
    }

    fn on_accept(&mut self, _: &WeightedList, _: &IndexRanges) {
        self.to_accept = None;
        self.at = 0;
        match self.phase {
            DdminPhase::All | DdminPhase::Subset => {
                (self.phase, self.parts) = (DdminPhase::Subset, 2)
            }
            DdminPhase::Complement => self.parts = (self.parts - 1).max(2),
        }
        if self.parts == 2 {
            self.phase = DdminPhase::Subset;
        }
    }

    fn invalidate(&mut self, list: &WeightedList) {
        *self = DdminMinimizer::new(list);
    }
}
