//! The whole list at once, and then the candidates of another minimiser: for lists of which most often nothing is needed.

use super::{Minimizer, MinimizerKind, WeightedList};
use crate::protocol::{
    AlgorithmLayer, AlgorithmPicture, AlgorithmState, AlgorithmText, ChunkFate, ChunkPicture,
    Feedback, IndexRanges, ListChunk, Proposer, ProposerStep,
};

/// What comes before the other minimiser.
static TEXT: AlgorithmText = AlgorithmText {
    name: "whole list first",
    source: "",
    lines: &[
        "the whole list at once? drop it",
        "else the list minimiser begins",
    ],
    ends_at: 0,
};

/// The whole list is tried before another minimiser begins.
#[derive(Clone)]
pub struct WholeFirstMinimizer {
    kind: &'static MinimizerKind,
    state: WholeFirstState,
}

#[derive(Clone)]
enum WholeFirstState {
    Test,
    Accept(IndexRanges),
    Delegate(Box<dyn Minimizer>),
}

impl WholeFirstMinimizer {
    /// Begins on this list; a minimiser of this kind continues with what is left of it.
    pub fn followed_by(kind: &'static MinimizerKind, list: &WeightedList) -> WholeFirstMinimizer {
        // For a single element every minimiser begins with that candidate.
        let state = match list.length > 1 && list.keep == 0 {
            true => WholeFirstState::Test,
            false => WholeFirstState::Delegate((kind.start)(list)),
        };
        WholeFirstMinimizer { kind, state }
    }
}

impl Proposer for WholeFirstMinimizer {
    type View = WeightedList;
    type Edit = IndexRanges;
    type Why = ();
    type Change = IndexRanges;

    fn propose(&mut self, list: &WeightedList) -> ProposerStep<IndexRanges, ()> {
        match &mut self.state {
            WholeFirstState::Test => {
                ProposerStep::Test(IndexRanges::from_range(0..list.length), ())
            }
            WholeFirstState::Accept(gone) => ProposerStep::Accept(gone.clone()),
            WholeFirstState::Delegate(minimizer) => minimizer.propose(list),
        }
    }

    fn describe_algorithm(&self, list: &WeightedList) -> Option<AlgorithmState<u32>> {
        if let WholeFirstState::Delegate(minimizer) = &self.state {
            return minimizer.describe_algorithm(list);
        }
        let whole = |_| ListChunk::of_range(0..list.length, ChunkFate::Going);
        Some(AlgorithmState::of_layer(AlgorithmLayer {
            text: &TEXT,
            line: 0,
            passed: &[],
            facts: Vec::new(),
            picture: AlgorithmPicture::Chunks(ChunkPicture::around(0, 1, whole)),
        }))
    }

    fn on_verdict(&mut self, list: &WeightedList, tested: &IndexRanges, feedback: Feedback) {
        match (&mut self.state, feedback) {
            (WholeFirstState::Delegate(minimizer), feedback) => {
                minimizer.on_verdict(list, tested, feedback)
            }
            (_, Feedback::Interesting) => self.state = WholeFirstState::Accept(tested.clone()),
            (_, Feedback::Uninteresting | Feedback::Rejected) => {
                let mut minimizer = (self.kind.start)(list);
                // If the other minimiser begins with the same candidate, its verdict is known.
                if minimizer.propose(list)
                    == ProposerStep::Test(IndexRanges::from_range(0..list.length), ())
                {
                    minimizer.on_verdict(list, tested, feedback);
                }
                self.state = WholeFirstState::Delegate(minimizer);
            }
        }
    }

    fn on_accept(&mut self, list: &WeightedList, gone: &IndexRanges) {
        match &mut self.state {
            WholeFirstState::Delegate(minimizer) => minimizer.on_accept(list, gone),
            WholeFirstState::Test | WholeFirstState::Accept(_) => {
                self.state = WholeFirstState::Delegate((self.kind.start)(list))
            }
        }
    }

    fn invalidate(&mut self, list: &WeightedList) {
        *self = WholeFirstMinimizer::followed_by(self.kind, list);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minimize::find_minimizer;

    /// The candidates for sixteen elements of which these are needed.
    fn asked(name: &str, needed: &[u32]) -> Vec<u32> {
        let mut list = WeightedList::with_equal_weights(16, 0);
        let mut left: Vec<u32> = (0..16).collect();
        let mut whole = WholeFirstMinimizer::followed_by(
            find_minimizer(name).expect("the table has it"),
            &list,
        );
        let mut sizes = Vec::new();
        loop {
            match whole.propose(&list) {
                ProposerStep::Test(asked, ()) => {
                    sizes.push(asked.len());
                    let spared = (0..).zip(&left).filter(|(at, _)| asked.contains(*at));
                    let no = spared.into_iter().any(|(_, own)| needed.contains(own));
                    let answer = if no {
                        Feedback::Uninteresting
                    } else {
                        Feedback::Interesting
                    };
                    whole.on_verdict(&list, &asked, answer);
                }
                ProposerStep::Accept(gone) => {
                    let mut at = 0..;
                    left.retain(|_| !at.next().is_some_and(|at| gone.contains(at)));
                    list = list.without_elements(&gone);
                    whole.on_accept(&list, &gone);
                }
                ProposerStep::Reparse | ProposerStep::Done => {
                    assert_eq!(left, needed);
                    return sizes;
                }
            }
        }
    }

    #[test]
    fn where_nothing_is_needed_one_question_is_enough() {
        assert_eq!(asked("galloping", &[]), [16]);
    }

    #[test]
    fn where_something_is_needed_the_other_minimiser_finds_it() {
        assert_eq!(asked("galloping", &[3])[..2], [16, 1]);
    }

    #[test]
    fn nobody_asks_about_the_whole_list_twice() {
        for kind in crate::minimize::MINIMIZERS {
            let whole = |&&size: &&u32| size == 16;
            let sizes = asked(kind.name, &[3, 5]);
            let times = sizes.iter().filter(whole).count();
            assert_eq!(times, 1, "{}: {sizes:?}", kind.name);
        }
    }
}
