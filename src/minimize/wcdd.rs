//! Counter-based delta debugging with weights: the schedule of Zhang et al. (CDD, ICSE 2025) with the prefix rule of Zhou et al. (WDD, ICSE
//! 2025). The combination is not published under this name.
//!
//! ```text
//! for r in 0, 1, … until p is certain:
//!     p ← min(1, p0 / (1 - 1/e)^r)                            p0 = 1/4
//!     from the last open element to the first:
//!         part ← the elements before here, grown one by one as long as (sum of weights) · (1 - p)^size does not fall;
//!                a single element where p is certain
//!         if the list without the part is interesting: drop it
//!         else if it is a single element: close it
//! ```
//! Elements are tried in list order, not heaviest first, so light elements do not join a heavy one after them. With equal weights it has
//! the candidates of CDD. What is left is 1-minimal if the test is monotone. The empty list is tried before everything else.

use std::sync::Arc;

use super::index_shift::IndexShift;
use super::probability::NeedProbability;
use super::{MinimizerKind, MinimizingAlgorithm, WeightedList, start_boxed};
use crate::protocol::{
    AlgorithmFact, AlgorithmLayer, AlgorithmPicture, AlgorithmText, ChunkPicture, IndexRanges,
};

/// CDD with weights.
pub(super) static WCDD: MinimizerKind = MinimizerKind {
    name: "wcdd",
    description: "counter-based delta debugging with weights: parts that pay by their weight (after Zhang et al. and Zhou et al., 2025)",
    one_minimal: false,
    start: |list| start_boxed(list, WcddMinimizer::new),
};

/// Its pseudo-code.
static TEXT: AlgorithmText = AlgorithmText {
    name: "wcdd",
    source: "after Zhang et al. and Zhou et al., 2025",
    lines: &[
        "is the empty list interesting? done",
        "for p from 1/4 on, until it is 1:",
        "  from the last open element:",
        "    a part that pays by weight · (1 − p)",
        "    all but it? drop it",
        "    one element that stays is needed",
    ],
    ends_at: 1,
};

/// The state of weighted counter-based delta debugging on one list.
#[derive(Clone, Debug)]
pub struct WcddMinimizer {
    /// Whether the whole list is still to be tried.
    try_all: bool,
    /// The probability, in this round, that an element is needed.
    chance: NeedProbability,
    /// The open elements, in order; a clone that closes one copies them.
    open: Arc<Vec<u32>>,
    /// How many of them, from the first, have not been tried in this round.
    until: usize,
}

impl WcddMinimizer {
    /// Begins on this list.
    pub fn new(list: &WeightedList) -> WcddMinimizer {
        WcddMinimizer {
            try_all: list.keep == 0,
            chance: NeedProbability::QUARTER,
            open: Arc::new((0..list.length).collect()),
            until: list.length as usize,
        }
    }

    /// The current part: the last ones of the elements not yet tried.
    fn current_part(&self, list: &WeightedList) -> &[u32] {
        let untried = &self.open[..self.until];
        let mut sum = 0;
        let pays = |at: &&u32| {
            let weight = list.element_weight(**at);
            let pays = sum == 0 || self.chance.improves_gain(sum, weight);
            sum += u64::from(weight);
            pays
        };
        let count = untried.iter().rev().take_while(pays).count();
        &untried[untried.len() - count..]
    }

    /// Skips the current part; returns how many elements that were, 0 where it was the whole list.
    fn skip_part(&mut self, list: &WeightedList) -> usize {
        if std::mem::take(&mut self.try_all) {
            return 0;
        }
        let count = self.current_part(list).len();
        self.until -= count;
        count
    }
}

impl MinimizingAlgorithm for WcddMinimizer {
    fn next_candidate(&mut self, list: &WeightedList) -> Option<IndexRanges> {
        loop {
            if list.length <= list.keep || self.open.is_empty() {
                return None;
            }
            if self.try_all {
                return Some(IndexRanges::from_range(0..list.length));
            }
            if self.until > 0 {
                return Some(IndexRanges::from_sorted(
                    self.current_part(list).iter().copied(),
                ));
            }
            if self.chance.is_certain() {
                return None;
            }
            self.chance = self.chance.after_failure();
            self.until = self.open.len();
        }
    }

    fn on_uninteresting(&mut self, list: &WeightedList) {
        if self.skip_part(list) == 1 {
            Arc::make_mut(&mut self.open).remove(self.until);
        }
    }

    fn on_rejected(&mut self, list: &WeightedList) {
        self.skip_part(list);
    }

    fn on_removed(&mut self, _: &WeightedList, removed: &IndexRanges) {
        let shift = IndexShift::new(removed);
        let open: Vec<u32> = self
            .open
            .iter()
            .filter_map(|&at| shift.shifted_index(at))
            .collect();
        if self.try_all {
            (self.try_all, self.until) = (false, open.len());
        } else {
            // What a filter kept of the part is tried again.
            self.until -= self.open.len() - open.len();
        }
        self.open = Arc::new(open);
    }

    fn describe_state(&self, list: &WeightedList) -> AlgorithmLayer<u32> {
        let (line, going) = match self.try_all {
            true => (0, IndexRanges::from_range(0..list.length)),
            false => {
                let part = self.current_part(list).iter().copied();
                (4, IndexRanges::from_sorted(part))
            }
        };
        let facts = vec![
            AlgorithmFact::equals("size", going.len()),
            AlgorithmFact::count("open element", self.open.len() as u32),
        ];
        let picture = ChunkPicture::of_candidate(list.length, going.ranges());
        AlgorithmLayer {
            text: &TEXT,
            line,
            passed: &[],
            facts,
            picture: AlgorithmPicture::Chunks(picture),
        }
    }
}
