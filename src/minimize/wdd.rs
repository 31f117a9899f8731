//! Weighted delta debugging, Wddmin: Zhou, Xu, Zhang, Tian and Sun, "WDD: Weighted Delta Debugging", ICSE 2025.
//!
//! ```text
//! parts ← the whole list
//! loop   cut every part of more than one element in two, where the weights before and after are nearest to each other;
//!            a part of one element is put aside
//!        from the last of the new parts to the first: if the list without it is interesting: drop it
//!        until nothing is left to cut
//! loop   from the last element to the first: if the list without it is interesting: drop it
//!        until nothing goes
//! ```
//! The paper may also try a part alone, which is left out here. The last loop continues at the end of the list when it is at the start, and
//! is done when all elements were tried since the last removal: what is left is 1-minimal.

use std::ops::Range;
use std::sync::Arc;

use super::{MinimizerKind, MinimizingAlgorithm, WeightedList, start_boxed};
use crate::protocol::{
    AlgorithmFact, AlgorithmLayer, AlgorithmPicture, AlgorithmText, ChunkPicture, IndexRanges,
};

/// Wddmin.
pub(super) static WDD: MinimizerKind = MinimizerKind {
    name: "wdd",
    description: "weighted delta debugging: parts cut in the middle of their weight (Zhou et al., 2025)",
    one_minimal: true,
    start: |list| start_boxed(list, WddMinimizer::new),
};

/// Its pseudo-code.
static TEXT: AlgorithmText = AlgorithmText {
    name: "wdd",
    source: "Zhou et al., ICSE 2025",
    lines: &[
        "parts ← the whole list",
        "loop: cut each part at half its weight",
        "  from the last part to the first:",
        "    all but it? drop it",
        "loop: from the last element to the first",
        "  all but it?   drop it",
        "  none dropped? done",
    ],
    ends_at: 6,
};

/// The state of Wddmin on one list.
#[derive(Clone, Debug)]
pub struct WddMinimizer {
    /// The parts, which are the whole list; a clone copies them when it removes something of one.
    parts: Arc<Vec<WddPart>>,
    /// The parts before this one have not been tried in this round.
    at: usize,
    /// The end of the part before that.
    until: u32,
    /// In the last loop: how many elements were tried since the last removal.
    tried: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
struct WddPart {
    length: u32,
    /// One element that an earlier round tried.
    tried_alone: bool,
}

impl WddMinimizer {
    /// Begins on this list.
    pub fn new(list: &WeightedList) -> WddMinimizer {
        let whole = WddPart {
            length: list.length,
            tried_alone: false,
        };
        let mut wdd = WddMinimizer {
            parts: Arc::new(vec![whole]),
            at: 0,
            until: 0,
            tried: None,
        };
        wdd.split_parts(list);
        wdd
    }

    /// The next round.
    fn split_parts(&mut self, list: &WeightedList) {
        if self.parts.iter().all(|part| part.length < 2) {
            (self.tried, self.until) = (Some(0), list.length);
            return;
        }
        let mut parts = Vec::with_capacity(2 * self.parts.len());
        let mut start = 0;
        for part in self.parts.iter() {
            let end = start + part.length;
            if part.length < 2 {
                parts.push(WddPart {
                    tried_alone: true,
                    ..*part
                });
            } else {
                let first = split_point(list, start..end);
                let new = |length| WddPart {
                    length,
                    tried_alone: false,
                };
                parts.extend([new(first), new(part.length - first)]);
            }
            start = end;
        }
        (self.at, self.until) = (parts.len(), list.length);
        self.parts = Arc::new(parts);
    }

    fn skip_part(&mut self, part: WddPart) {
        self.at -= 1;
        self.until -= part.length;
    }
}

/// How many elements of `range`, of at least two, come before the cut that is nearest to the middle of its weight; the first of two such
/// cuts.
fn split_point(list: &WeightedList, range: Range<u32>) -> u32 {
    let sum =
        |range: Range<u32>| -> u64 { range.map(|at| u64::from(list.element_weight(at))).sum() };
    let all = sum(range.clone());
    let mut before = 0;
    let apart = (range.start..range.end - 1).map(|at| {
        before += u64::from(list.element_weight(at));
        (2 * before).abs_diff(all)
    });
    let nearest = apart.zip(1..).min();
    nearest.map_or(1, |(_, count)| count)
}

impl MinimizingAlgorithm for WddMinimizer {
    fn next_candidate(&mut self, list: &WeightedList) -> Option<IndexRanges> {
        loop {
            if list.length <= list.keep {
                return None;
            }
            if let Some(tried) = self.tried {
                if self.until == 0 {
                    self.until = list.length;
                }
                let single = self.until - 1..self.until;
                return (tried < list.length).then(|| IndexRanges::from_range(single));
            }
            match self.at.checked_sub(1).map(|at| self.parts[at]) {
                Some(part) if part.tried_alone => self.skip_part(part),
                Some(part) => {
                    let range = self.until - part.length..self.until;
                    return Some(IndexRanges::from_range(range));
                }
                None => self.split_parts(list),
            }
        }
    }

    fn on_uninteresting(&mut self, _: &WeightedList) {
        if let Some(tried) = &mut self.tried {
            *tried += 1;
            self.until -= 1;
        } else {
            self.skip_part(self.parts[self.at - 1]);
        }
    }

    fn on_removed(&mut self, _: &WeightedList, removed: &IndexRanges) {
        self.until -= removed.len();
        if let Some(tried) = &mut self.tried {
            *tried = 0;
            return;
        }
        // What a filter kept of the part is tried again.
        let parts = Arc::make_mut(&mut self.parts);
        let part = &mut parts[self.at - 1];
        part.length -= removed.len();
        if part.length == 0 {
            parts.remove(self.at - 1);
            self.at -= 1;
        }
    }

    fn describe_state(&self, list: &WeightedList) -> AlgorithmLayer<u32> {
        let part = self.at.checked_sub(1).map_or(0, |at| self.parts[at].length);
        let (line, size) = match self.tried {
            Some(_) => (5, 1),
            None => (3, part),
        };
        let facts = vec![
            AlgorithmFact::equals("size", size),
            AlgorithmFact::count("part", self.parts.len() as u32),
        ];
        let going = self.until.saturating_sub(size)..self.until;
        AlgorithmLayer {
            text: &TEXT,
            line,
            passed: &[],
            facts,
            picture: AlgorithmPicture::Chunks(ChunkPicture::of_candidate(list.length, &[going])),
        }
    }
}
