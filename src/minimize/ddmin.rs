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
//! Before the first cut it tries the empty list, whose verdict the paper takes as known. After a complement it continues with the
//! complements of the new cut; the paper would first try its subsets, most of which have a known verdict.

use super::{MinimizerKind, MinimizingAlgorithm, WeightedList, part_range, start_boxed};
use crate::protocol::{
    AlgorithmFact, AlgorithmLayer, AlgorithmPicture, AlgorithmText, ChunkFate, ChunkPicture,
    IndexRanges, ListChunk,
};

/// ddmin.
pub(super) static DDMIN: MinimizerKind = MinimizerKind {
    name: "ddmin",
    description: "minimising delta debugging (Zeller and Hildebrandt, 2002)",
    one_minimal: true,
    start: |list| start_boxed(list, DdminMinimizer::new),
};

/// Its pseudo-code.
static TEXT: AlgorithmText = AlgorithmText {
    name: "ddmin",
    source: "Zeller and Hildebrandt, TSE 2002, figure 5",
    lines: &[
        "is the empty list interesting? done",
        "n ← 2",
        "loop: cut the list into n chunks",
        "  one alone?    keep it, n ← 2",
        "  all but one?  drop it, n ← max(n − 1, 2)",
        "  n < length?   n ← min(2n, length)",
        "  else done",
    ],
    ends_at: 6,
};

/// The lines before the first chunk of all.
const FIRST_CUT: &[usize] = &[1, 2];
/// The lines between the last chunk of a cut and the first of a finer one.
const FINER_CUT: &[usize] = &[5, 2];

/// The state of ddmin on one list.
#[derive(Clone, Debug)]
pub struct DdminMinimizer {
    phase: DdminPhase,
    parts: u32,
    at: u32,
    /// Whether the empty list was tried in vain.
    all_failed: bool,
    /// The lines of the pseudo-code between the question before and the one at hand.
    passed: &'static [usize],
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
            all_failed: false,
            passed: &[],
        }
    }

    fn skip_candidate(&mut self) {
        match self.phase {
            DdminPhase::All => (self.phase, self.passed) = (DdminPhase::Subset, FIRST_CUT),
            DdminPhase::Subset | DdminPhase::Complement => {
                (self.at, self.passed) = (self.at + 1, &[])
            }
        }
    }
}

impl MinimizingAlgorithm for DdminMinimizer {
    fn next_candidate(&mut self, list: &WeightedList) -> Option<IndexRanges> {
        loop {
            if list.length <= list.keep || (list.length == 1 && self.all_failed) {
                return None;
            }
            if list.length == 1 {
                // A filter kept this element when all were to be removed, so it was never tried.
                self.phase = DdminPhase::All;
            }
            let parts = self.parts.min(list.length);
            if self.phase == DdminPhase::All {
                if list.keep == 0 {
                    return Some(IndexRanges::from_range(0..list.length));
                }
                (self.phase, self.passed) = (DdminPhase::Subset, FIRST_CUT);
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
                self.passed = FINER_CUT;
            }
        }
    }

    fn on_uninteresting(&mut self, _: &WeightedList) {
        self.all_failed |= self.phase == DdminPhase::All;
        self.skip_candidate();
    }

    fn on_rejected(&mut self, list: &WeightedList) {
        // A single element has no smaller candidate.
        self.all_failed |= self.phase == DdminPhase::All && list.length == 1;
        self.skip_candidate();
    }

    fn on_removed(&mut self, _: &WeightedList, _: &IndexRanges) {
        self.at = 0;
        match self.phase {
            DdminPhase::All | DdminPhase::Subset => {
                (self.phase, self.parts, self.passed) = (DdminPhase::Subset, 2, &[3, 2])
            }
            DdminPhase::Complement => {
                (self.parts, self.passed) = ((self.parts - 1).max(2), &[4, 2])
            }
        }
        if self.parts == 2 {
            self.phase = DdminPhase::Subset;
        }
    }

    fn describe_state(&self, list: &WeightedList) -> AlgorithmLayer<u32> {
        let (length, at) = (list.length, self.at);
        let (line, parts) = match self.phase {
            DdminPhase::All => (0, 1),
            DdminPhase::Subset => (3, self.parts.min(length)),
            DdminPhase::Complement => (4, self.parts.min(length)),
        };
        let place = |label| AlgorithmFact::place(label, at + 1, parts);
        let facts = match self.phase {
            DdminPhase::All => Vec::new(),
            DdminPhase::Subset => vec![AlgorithmFact::equals("n", parts), place("subset")],
            DdminPhase::Complement => {
                vec![AlgorithmFact::equals("n", parts), place("complement")]
            }
        };
        let fate = |part: u32| match self.phase {
            DdminPhase::All => ChunkFate::Going,
            DdminPhase::Subset if part == at => ChunkFate::KeptAlone,
            DdminPhase::Subset => ChunkFate::Going,
            DdminPhase::Complement if part == at => ChunkFate::Going,
            DdminPhase::Complement if part < at => ChunkFate::Tried,
            DdminPhase::Complement => ChunkFate::Open,
        };
        let chunk = |part| ListChunk::of_range(part_range(length, parts, part), fate(part));
        AlgorithmLayer {
            text: &TEXT,
            line,
            passed: self.passed,
            facts,
            picture: AlgorithmPicture::Chunks(ChunkPicture::around(at, parts, chunk)),
        }
    }
}
