//! A list minimiser as its paper describes it, and the driver that makes a [`Proposer`] of it.

use super::WeightedList;
use crate::protocol::{
    AlgorithmLayer, AlgorithmState, Feedback, IndexRanges, Proposer, ProposerStep,
};

/// How a list minimiser chooses what to try, and what it learns from the verdict. The state clones cheaply.
///
/// A filter may shrink a candidate before its test. So what was removed may be less than what [`Self::next_candidate`] returned, and the
/// rest of it is still open; an uninteresting verdict counts for the whole candidate.
pub trait MinimizingAlgorithm: Clone + Send + Sync + 'static {
    /// The elements to try to remove next; none when nothing is left to try. The same ones again until one of the functions below is
    /// called.
    fn next_candidate(&mut self, list: &WeightedList) -> Option<IndexRanges>;

    /// The list without the candidate is not interesting.
    fn on_uninteresting(&mut self, list: &WeightedList);

    /// The candidate was rejected without a test, which says nothing about its elements. By default it is skipped as if it had failed.
    fn on_rejected(&mut self, list: &WeightedList) {
        self.on_uninteresting(list);
    }

    /// `removed` is gone, and `list` is what is left: the candidate was interesting, or the part of it that was tested.
    fn on_removed(&mut self, list: &WeightedList, removed: &IndexRanges);

    /// Where in its pseudo-code it is with the candidate that [`Self::next_candidate`] has just returned, and how it has cut the list.
    fn describe_state(&self, list: &WeightedList) -> AlgorithmLayer<u32>;
}

/// Proposes the candidates of an algorithm, and has every interesting candidate accepted at once.
#[derive(Clone, Debug)]
pub struct MinimizerDriver<A> {
    start: fn(&WeightedList) -> A,
    algorithm: A,
    /// What was interesting, as tested.
    to_accept: Option<IndexRanges>,
}

impl<A: MinimizingAlgorithm> MinimizerDriver<A> {
    /// Begins on this list, with the state that `start` makes for it.
    pub fn new(list: &WeightedList, start: fn(&WeightedList) -> A) -> MinimizerDriver<A> {
        MinimizerDriver {
            start,
            algorithm: start(list),
            to_accept: None,
        }
    }
}

impl<A: MinimizingAlgorithm> Proposer for MinimizerDriver<A> {
    type View = WeightedList;
    type Edit = IndexRanges;
    type Why = ();
    type Change = IndexRanges;

    fn propose(&mut self, list: &WeightedList) -> ProposerStep<IndexRanges, ()> {
        if let Some(removed) = &self.to_accept {
            return ProposerStep::Accept(removed.clone());
        }
        match self.algorithm.next_candidate(list) {
            Some(candidate) => ProposerStep::Test(candidate, ()),
            None => ProposerStep::Done,
        }
    }

    fn describe_algorithm(&self, list: &WeightedList) -> Option<AlgorithmState<u32>> {
        Some(AlgorithmState::of_layer(
            self.algorithm.describe_state(list),
        ))
    }

    fn on_verdict(&mut self, list: &WeightedList, tested: &IndexRanges, feedback: Feedback) {
        match feedback {
            Feedback::Interesting => self.to_accept = Some(tested.clone()),
            Feedback::Uninteresting => self.algorithm.on_uninteresting(list),
            Feedback::Rejected => self.algorithm.on_rejected(list),
        }
    }

    fn on_accept(&mut self, list: &WeightedList, removed: &IndexRanges) {
        self.to_accept = None;
        self.algorithm.on_removed(list, removed);
    }

    fn invalidate(&mut self, list: &WeightedList) {
        *self = MinimizerDriver::new(list, self.start);
    }
}
