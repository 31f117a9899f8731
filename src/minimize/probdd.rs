//! Probabilistic delta debugging: Wang, Shen, Chen, Xiong and Zhang, "Probabilistic Delta Debugging", ESEC/FSE 2021; and its
//! weighted form, WProbDD: Zhou, Xu, Zhang, Tian and Sun, "WDD: Weighted Delta Debugging", ICSE 2025.
//!
//! ```text
//! p[i] ← p0 = 0.1 for all elements
//! while an element is open:
//!     sort the open elements by p, the smallest first         weighted: by (1 - p) · weight, the largest first
//!     S ← the prefix with the largest |S| · ∏(1 - p)          weighted: (sum of weights) · ∏(1 - p), grown until it
//!                                                              first falls, which need not be the largest
//!     if the list without S is interesting: drop S
//!     else p[i] ← p[i] / (1 - ∏(1 - p[j]) over S) for all i in S; p = 1 closes i: only an element alone gets there
//! ```
//! It needs O(n) tests, and what is left is 1-minimal, if the test is monotone. Ties are broken from the back to the front, where the paper
//! chooses at random. The empty list is tried before everything else, and its verdict enters no probability. A single element that is
//! rejected is closed, because it would be rejected again.
//!
//! The unweighted algorithm is the weighted one with weights of one, so one state serves both.

use std::cmp::Reverse;
use std::sync::Arc;

use super::index_shift::IndexShift;
use super::probability::NeedProbability;
use super::{MinimizerKind, MinimizingAlgorithm, WeightedList, start_boxed};
use crate::protocol::{
    AlgorithmFact, AlgorithmLayer, AlgorithmPicture, AlgorithmText, ChunkPicture, IndexRanges,
};

/// ProbDD.
pub(super) static PROBDD: MinimizerKind = MinimizerKind {
    name: "probdd",
    description: "probabilistic delta debugging: the largest expected gain first (Wang et al., 2021)",
    one_minimal: false,
    start: |list| start_boxed(list, ProbddMinimizer::new),
};

/// WProbDD.
pub(super) static WPROBDD: MinimizerKind = MinimizerKind {
    name: "wprobdd",
    description: "probabilistic delta debugging with weights (Zhou et al., 2025)",
    one_minimal: false,
    start: |list| start_boxed(list, ProbddMinimizer::new_weighted),
};

/// The pseudo-code of ProbDD.
static TEXT: AlgorithmText = AlgorithmText {
    name: "probdd",
    source: "Wang et al., ESEC/FSE 2021",
    lines: &[
        "is the empty list interesting? done",
        "p ← 0.1 for each element",
        "while an element is open:",
        "  S ← those of smallest p, as many as",
        "      make |S| · ∏(1 − p) largest",
        "  all but S?    drop S",
        "  else p rises in S; alone: needed",
    ],
    ends_at: 2,
};

/// The pseudo-code of WProbDD.
static WEIGHTED_TEXT: AlgorithmText = AlgorithmText {
    name: "wprobdd",
    source: "Zhou et al., ICSE 2025",
    lines: &[
        "is the empty list interesting? done",
        "p ← 0.1 for each element",
        "while an element is open:",
        "  S ← those of largest (1 − p) · weight,",
        "      while weight(S) · ∏(1 − p) grows",
        "  all but S?    drop S",
        "  else p rises in S; alone: needed",
    ],
    ends_at: 2,
};

/// The state of (weighted) probabilistic delta debugging on one list.
#[derive(Clone, Debug)]
pub struct ProbddMinimizer {
    text: &'static AlgorithmText,
    /// Whether the whole list is still to be tried.
    try_all: bool,
    /// The open elements in the order in which they are tried; a clone copies them when it gets a verdict.
    open: Arc<Vec<OpenElement>>,
    /// The most elements that are tried together: a candidate with more was rejected, which says nothing about each element.
    max_together: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct OpenElement {
    at: u32,
    weight: u32,
    chance: NeedProbability,
}

impl OpenElement {
    /// The expected gain of the element alone, the largest first; of two equal ones, the one further back.
    fn sort_key(&self) -> (Reverse<u64>, Reverse<u32>) {
        let gain = self.chance.not_needed() * u64::from(self.weight);
        (Reverse(gain), Reverse(self.at))
    }
}

impl ProbddMinimizer {
    /// ProbDD on this list.
    pub fn new(list: &WeightedList) -> ProbddMinimizer {
        ProbddMinimizer::with_weighting(list, false)
    }

    /// WProbDD on this list.
    pub fn new_weighted(list: &WeightedList) -> ProbddMinimizer {
        ProbddMinimizer::with_weighting(list, true)
    }

    fn with_weighting(list: &WeightedList, weighted: bool) -> ProbddMinimizer {
        let mut open: Vec<OpenElement> = (0..list.length)
            .map(|at| OpenElement {
                at,
                weight: if weighted { list.element_weight(at) } else { 1 },
                chance: NeedProbability::TENTH,
            })
            .collect();
        open.sort_by_key(OpenElement::sort_key);
        ProbddMinimizer {
            text: match weighted {
                true => &WEIGHTED_TEXT,
                false => &TEXT,
            },
            try_all: list.keep == 0,
            open: Arc::new(open),
            max_together: None,
        }
    }

    /// The length of the best prefix.
    fn prefix_length(&self, list: &WeightedList) -> usize {
        let may = (list.length - list.keep) as usize;
        let most = self.max_together.map_or(may, |most| most.min(may));
        let mut sum = 0;
        let pays = |open: &&OpenElement| {
            let pays = sum == 0 || open.chance.improves_gain(sum, open.weight);
            sum += u64::from(open.weight);
            pays
        };
        self.open.iter().take(most).take_while(pays).count()
    }

    /// The elements of the best prefix.
    fn best_prefix(&self, list: &WeightedList) -> IndexRanges {
        let prefix = &self.open[..self.prefix_length(list)];
        let mut together: Vec<u32> = prefix.iter().map(|open| open.at).collect();
        together.sort_unstable();
        IndexRanges::from_sorted(together)
    }
}

impl MinimizingAlgorithm for ProbddMinimizer {
    fn next_candidate(&mut self, list: &WeightedList) -> Option<IndexRanges> {
        if list.length <= list.keep || self.open.is_empty() {
            return None;
        }
        if self.try_all {
            return Some(IndexRanges::from_range(0..list.length));
        }
        Some(self.best_prefix(list))
    }

    fn on_uninteresting(&mut self, list: &WeightedList) {
        if std::mem::take(&mut self.try_all) {
            return;
        }
        let count = self.prefix_length(list);
        self.max_together = None;
        let open = Arc::make_mut(&mut self.open);
        NeedProbability::bayesian_update(open[..count].iter_mut().map(|open| &mut open.chance));
        open.retain(|open| !open.chance.is_certain());
        open.sort_by_key(OpenElement::sort_key);
    }

    fn on_rejected(&mut self, list: &WeightedList) {
        match self.prefix_length(list) {
            _ if self.try_all => self.try_all = false,
            // It would be rejected again, so it is closed.
            0 | 1 => self.on_uninteresting(list),
            count => self.max_together = Some(count / 2),
        }
    }

    fn on_removed(&mut self, _: &WeightedList, removed: &IndexRanges) {
        self.try_all = false;
        self.max_together = None;
        let shift = IndexShift::new(removed);
        Arc::make_mut(&mut self.open).retain_mut(|open| match shift.shifted_index(open.at) {
            Some(at) => {
                open.at = at;
                true
            }
            None => false,
        });
    }

    fn describe_state(&self, list: &WeightedList) -> AlgorithmLayer<u32> {
        let going = match self.try_all {
            true => IndexRanges::from_range(0..list.length),
            false => self.best_prefix(list),
        };
        let facts = vec![
            AlgorithmFact::equals("|S|", going.len()),
            AlgorithmFact::count("open element", self.open.len() as u32),
        ];
        let picture = ChunkPicture::of_candidate(list.length, going.ranges());
        AlgorithmLayer {
            text: self.text,
            line: if self.try_all { 0 } else { 5 },
            passed: &[],
            facts,
            picture: AlgorithmPicture::Chunks(picture),
        }
    }
}
