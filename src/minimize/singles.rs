//! Every element once, from the back to the front: the last word on a list, and all that a short one is worth.

use super::WeightedList;
use crate::protocol::{Feedback, IndexRanges, Proposer, ProposerStep};

/// The state of one round over a list.
#[derive(Clone, Debug)]
pub struct SingleElementMinimizer {
    /// The elements before this index have not been tried.
    until: u32,
    to_accept: Option<IndexRanges>,
}

impl SingleElementMinimizer {
    /// Begins on this list.
    pub fn new(list: &WeightedList) -> SingleElementMinimizer {
        SingleElementMinimizer {
            until: list.length,
            to_accept: None,
        }
    }
}

impl Proposer for SingleElementMinimizer {
    type View = WeightedList;
    type Edit = IndexRanges;
    type Why = ();
    type Change = IndexRanges;

    fn propose(&mut self, list: &WeightedList) -> ProposerStep<IndexRanges, ()> {
        if let Some(gone) = &self.to_accept {
            return ProposerStep::Accept(gone.clone());
        }
        if self.until == 0 || list.length <= list.keep {
            return ProposerStep::Done;
        }
        ProposerStep::Test(IndexRanges::from_range(self.until - 1..self.until), ())
    }

    fn on_verdict(&mut self, _: &WeightedList, asked: &IndexRanges, answer: Feedback) {
        match answer {
            Feedback::Interesting => self.to_accept = Some(asked.clone()),
            Feedback::Uninteresting | Feedback::Rejected => self.until -= 1,
        }
    }

    fn on_accept(&mut self, _: &WeightedList, _: &IndexRanges) {
        self.to_accept = None;
        self.until -= 1;
    }

    fn invalidate(&mut self, list: &WeightedList) {
        *self = SingleElementMinimizer::new(list);
    }
}
