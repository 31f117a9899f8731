//! One-pass delta debugging: Gharachorlu and Sumner, "Avoiding the Familiar to Speed Up Test Case Reduction", QRS 2018. It is ddmin, but
//! does not try a part again after another one was removed.
//!
//! ```text
//! n ← 2
//! loop   cut the list into n parts
//!        reduce to a subset        if a part alone is interesting:   keep it, n ← 2, cut again
//!        reduce to complements     from the last to the first part:
//!                                      if the list without it is interesting: drop it, and go on with the part before it
//!        done                      if the parts are single elements
//!        increase granularity      n ← min(2 × the parts left, length)
//! ```
//! Each part is tried once at each granularity: O(n) tests. The last round tries every element once, so what is left is 1-minimal
//! if the test is monotone. Before the first cut it tries the empty list.

use std::cmp::Ordering;

use super::{MinimizerKind, MinimizingAlgorithm, WeightedList, part_range, start_boxed};
use crate::protocol::{
    AlgorithmFact, AlgorithmLayer, AlgorithmPicture, AlgorithmText, ChunkFate, ChunkPicture,
    IndexRanges, ListChunk,
};

/// One-pass delta debugging.
pub(super) static OPDD: MinimizerKind = MinimizerKind {
    name: "opdd",
    description: "one-pass delta debugging: ddmin that tries no part twice (Gharachorlu and Sumner, 2018)",
    one_minimal: false,
    start: |list| start_boxed(list, OpddMinimizer::new),
};

/// Its pseudo-code.
static TEXT: AlgorithmText = AlgorithmText {
    name: "opdd",
    source: "Gharachorlu and Sumner, QRS 2018",
    lines: &[
        "is the empty list interesting? done",
        "n ← 2, cut the list into n parts",
        "loop: one alone? keep it, n ← 2, cut",
        "  from the last part to the first:",
        "    all but it?  drop it",
        "  parts of one element? done",
        "  n ← 2 · the parts left, cut",
    ],
    ends_at: 5,
};

/// The state of one-pass delta debugging on one list.
#[derive(Clone, Debug)]
pub struct OpddMinimizer {
    phase: OpddPhase,
    /// Whether the empty list was tried in vain.
    all_failed: bool,
    /// How many parts the list was cut into.
    parts: u32,
    /// The list's length when it was cut.
    length: u32,
    /// The parts before this one have not been tried in this phase.
    at: u32,
    /// The end of the current part, which moves when parts are removed.
    until: u32,
    /// The parts of this cut that are left.
    remaining_parts: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpddPhase {
    All,
    Subset,
    Complement,
}

impl OpddMinimizer {
    /// Begins on this list.
    pub fn new(list: &WeightedList) -> OpddMinimizer {
        let mut opdd = OpddMinimizer {
            phase: OpddPhase::All,
            all_failed: false,
            parts: 0,
            length: 0,
            at: 0,
            until: 0,
            remaining_parts: 0,
        };
        if list.keep > 0 {
            opdd.split_list(list, 2);
        }
        opdd
    }

    fn split_list(&mut self, list: &WeightedList, parts: u32) {
        self.phase = OpddPhase::Subset;
        self.parts = parts.min(list.length);
        (self.length, self.until) = (list.length, list.length);
        (self.at, self.remaining_parts) = (self.parts, self.parts);
    }

    fn skip_candidate(&mut self, list: &WeightedList) {
        match self.phase {
            OpddPhase::All => self.split_list(list, 2),
            OpddPhase::Subset => self.at -= 1,
            OpddPhase::Complement => {
                self.at -= 1;
                self.until = part_range(self.length, self.parts, self.at).start;
            }
        }
    }
}

impl MinimizingAlgorithm for OpddMinimizer {
    fn next_candidate(&mut self, list: &WeightedList) -> Option<IndexRanges> {
        loop {
            if list.length <= list.keep || (list.length == 1 && self.all_failed) {
                return None;
            }
            if list.length == 1 {
                // A filter kept this element when all were to be removed, so it was never tried.
                self.phase = OpddPhase::All;
            }
            if self.phase == OpddPhase::All {
                return Some(IndexRanges::from_range(0..list.length));
            } else if self.at > 0 {
                let part = part_range(self.length, self.parts, self.at - 1);
                return Some(match self.phase {
                    OpddPhase::Complement => IndexRanges::from_range(part.start..self.until),
                    _ => IndexRanges::all_except(part, list.length),
                });
            } else if self.phase == OpddPhase::Subset && self.parts > 2 {
                (self.phase, self.at) = (OpddPhase::Complement, self.parts);
            } else if self.parts == self.length {
                return None;
            } else {
                // With two parts, the complements are the subsets.
                self.split_list(list, 2 * self.remaining_parts);
            }
        }
    }

    fn on_uninteresting(&mut self, list: &WeightedList) {
        self.all_failed |= self.phase == OpddPhase::All;
        self.skip_candidate(list);
    }

    fn on_rejected(&mut self, list: &WeightedList) {
        // A single element has no smaller candidate.
        self.all_failed |= self.phase == OpddPhase::All && list.length == 1;
        self.skip_candidate(list);
    }

    fn on_removed(&mut self, list: &WeightedList, removed: &IndexRanges) {
        if self.phase != OpddPhase::Complement {
            self.split_list(list, 2);
            return;
        }
        self.until -= removed.len();
        // What a filter kept of a part is tried again.
        if self.until == part_range(self.length, self.parts, self.at - 1).start {
            (self.at, self.remaining_parts) = (self.at - 1, self.remaining_parts - 1);
        }
    }

    fn describe_state(&self, list: &WeightedList) -> AlgorithmLayer<u32> {
        let length = list.length;
        let at = self.at.saturating_sub(1);
        let part = part_range(self.length, self.parts.max(1), at);
        let (line, facts, picture) = match self.phase {
            OpddPhase::All => (
                0,
                Vec::new(),
                ChunkPicture::around(0, 1, |_| ListChunk::of_range(0..length, ChunkFate::Going)),
            ),
            OpddPhase::Subset => (
                2,
                vec![
                    AlgorithmFact::equals("n", self.parts),
                    AlgorithmFact::place("subset", at + 1, self.parts),
                ],
                ChunkPicture::around(at, self.parts, |number| {
                    let fate = match number == at {
                        true => ChunkFate::KeptAlone,
                        false => ChunkFate::Going,
                    };
                    ListChunk::of_range(part_range(length, self.parts, number), fate)
                }),
            ),
            // What was removed of the cut stood behind the part at hand.
            OpddPhase::Complement => (
                4,
                vec![
                    AlgorithmFact::equals("n", self.parts),
                    AlgorithmFact::place("part", at + 1, self.parts),
                ],
                ChunkPicture::around(at, at + 1 + u32::from(self.until < length), |number| {
                    match number.cmp(&at) {
                        Ordering::Less => ListChunk::of_range(
                            part_range(self.length, self.parts, number),
                            ChunkFate::Open,
                        ),
                        Ordering::Equal => {
                            ListChunk::of_range(part.start..self.until, ChunkFate::Going)
                        }
                        Ordering::Greater => {
                            ListChunk::of_range(self.until..length, ChunkFate::Tried)
                        }
                    }
                }),
            ),
        };
        AlgorithmLayer {
            text: &TEXT,
            line,
            passed: &[],
            facts,
            picture: AlgorithmPicture::Chunks(picture),
        }
    }
}
