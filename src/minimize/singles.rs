//! Every element once, from the back to the front: all that a short list is worth.

use super::{Minimizer, MinimizerDriver, MinimizingAlgorithm, WeightedList};
use crate::protocol::{
    AlgorithmFact, AlgorithmLayer, AlgorithmPicture, AlgorithmText, ChunkPicture, IndexRanges,
};

/// Its pseudo-code.
static TEXT: AlgorithmText = AlgorithmText {
    name: "single elements",
    source: "",
    lines: &[
        "from the last element to the first:",
        "  all but it?   drop it",
    ],
    ends_at: 0,
};

/// The state of one round over a list.
#[derive(Clone, Debug)]
pub struct SingleElementMinimizer {
    /// The elements before this index have not been tried.
    until: u32,
}

impl SingleElementMinimizer {
    /// Begins on this list.
    pub fn new(list: &WeightedList) -> SingleElementMinimizer {
        SingleElementMinimizer { until: list.length }
    }
}

/// Begins on a list of which no element is fixed.
pub fn start_singles(list: &WeightedList) -> Box<dyn Minimizer> {
    Box::new(MinimizerDriver::new(list, SingleElementMinimizer::new))
}

impl MinimizingAlgorithm for SingleElementMinimizer {
    fn next_candidate(&mut self, list: &WeightedList) -> Option<IndexRanges> {
        let more = self.until > 0 && list.length > list.keep;
        more.then(|| IndexRanges::from_range(self.until - 1..self.until))
    }

    fn on_uninteresting(&mut self, _: &WeightedList) {
        self.until -= 1;
    }

    fn on_removed(&mut self, _: &WeightedList, _: &IndexRanges) {
        self.until -= 1;
    }

    fn describe_state(&self, list: &WeightedList) -> AlgorithmLayer<u32> {
        let going = self.until.saturating_sub(1)..self.until;
        AlgorithmLayer {
            text: &TEXT,
            line: 1,
            passed: &[],
            facts: vec![AlgorithmFact::place("element", self.until, list.length)],
            picture: AlgorithmPicture::Chunks(ChunkPicture::of_candidate(list.length, &[going])),
        }
    }
}
