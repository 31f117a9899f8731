//! A test of several parts: the test of a pair, whose stages see the seed or the variant.
//!
//! Each part runs in a directory of its own, and may take the limits of a whole test. All must say yes; a no of one part spares the rest. What
//! a part said about the same bytes before is remembered, so that a candidate which changes one document starts one part. Of those that must run, that one comes
//! first which said no more often per second of its run time.
//!
//! The verdict does not hang on that order, nor on what is remembered: a no of any part is *uninteresting*, also if that part called the candidate
//! invalid. Only without a no it matters that a part has no verdict, and then that a limit ended one. So after these the rest still runs.
//!
//! A test of one part has no memory, because its client has a cache; unless a generator makes its program (`generator.rs`).

use std::cmp::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::part_memory::{PartMemory, SightHasher, SightKey};
use super::process::{DetailedOutcome, run_part};
use super::setting::TestSetting;
use super::test::TestPart;
use super::{
    FailureProperty, InterestingnessTest, PropertyError, StageView, TestFile, TestOutcome,
    TestOutput, TestRun, TimeLimits, Verdict,
};

/// A test whose parts remember what they said.
#[derive(Clone, Debug)]
pub(super) struct PartedTest {
    pub(super) test: InterestingnessTest,
    /// One for each part.
    memories: Vec<Arc<Mutex<PartMemory>>>,
    pub(super) hasher: SightHasher,
}

impl PartedTest {
    /// A test that remembers nothing yet.
    pub fn new(test: InterestingnessTest) -> PartedTest {
        PartedTest {
            memories: test.parts().iter().map(|_| Arc::default()).collect(),
            hasher: SightHasher::default(),
            test,
        }
    }

    /// The same test with another property. Parts that it is about remember nothing; a run of theirs that has begun tells the old memory.
    ///
    /// # Errors
    /// As [`InterestingnessTest::with_property`].
    pub fn with_property(&self, property: FailureProperty) -> Result<PartedTest, PropertyError> {
        let test = self.test.with_property(property)?;
        let memories = test.parts().into_iter().zip(&self.memories);
        let memories = memories.map(|(part, memory)| match part.matcher {
            Some(_) => Arc::default(),
            None => Arc::clone(memory),
        });
        Ok(PartedTest {
            memories: memories.collect(),
            hasher: self.hasher.clone(),
            test,
        })
    }

    /// Runs the parts that decide; with `fresh`, also those of which the verdict is remembered.
    pub fn run(
        &self,
        setting: &mut TestSetting<'_>,
        files: &[TestFile],
        limits: TimeLimits,
        fresh: bool,
    ) -> DetailedOutcome {
        let parts = self.test.parts();
        let see = |part: &TestPart| part.view().select_files(files);
        if let [only] = &parts[..] {
            return match self.test.generator() {
                Some(_) => self.run_generated(only, setting, see(only), limits, fresh),
                None => run_part(only, setting, see(only), limits),
            };
        }
        let hash = |part| self.hasher.hash_sight(see(part), limits);
        let sights: Vec<SightKey> = parts.iter().map(hash).collect();
        let recall = |at: usize| self.lock_memory(at).recall_outcome(sights[at]);
        let recall = |at| recall(at).filter(|_| !fresh).map(DetailedOutcome::from);
        let mut known: Vec<Option<DetailedOutcome>> = (0..parts.len()).map(recall).collect();
        let is_decided = |known: &[Option<DetailedOutcome>]| {
            let mut known = known.iter().flatten();
            known.any(|known| AnswerWeight::of(&known.outcome) >= AnswerWeight::No)
        };
        for at in self.order_unknown(&known) {
            if is_decided(&known) {
                break;
            }
            let done = run_part(&parts[at], setting, see(&parts[at]), limits);
            self.lock_memory(at)
                .learn_outcome(sights[at], &done.outcome);
            known[at] = Some(done);
        }
        combine_parts(&parts, known)
    }

    /// The parts of which nothing is known, in the order in which they run.
    fn order_unknown(&self, known: &[Option<DetailedOutcome>]) -> Vec<usize> {
        let unknown = (0..known.len()).filter(|at| known[*at].is_none());
        let rate = |at| (at, self.lock_memory(at).refusal_rate());
        let mut rates: Vec<(usize, f64)> = unknown.map(rate).collect();
        let highest_first = |one: f64, other: f64| other.partial_cmp(&one);
        rates.sort_by(|one, other| highest_first(one.1, other.1).unwrap_or(Ordering::Equal));
        rates.into_iter().map(|(at, _)| at).collect()
    }

    /// The memory is whole after every call, so that a panic elsewhere does not spoil it.
    pub(super) fn lock_memory(&self, part: usize) -> MutexGuard<'_, PartMemory> {
        self.memories[part]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a part means for the whole, the weightiest last: that one is the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum AnswerWeight {
    Yes,
    TimedOut,
    NoVerdict,
    No,
    Cancelled,
}

impl AnswerWeight {
    fn of(outcome: &TestOutcome) -> AnswerWeight {
        match outcome {
            TestOutcome::Verdict(Verdict::Interesting, _) => AnswerWeight::Yes,
            TestOutcome::Verdict(Verdict::TimedOut, _) => AnswerWeight::TimedOut,
            TestOutcome::NoVerdict(_) => AnswerWeight::NoVerdict,
            TestOutcome::Verdict(Verdict::Uninteresting | Verdict::Invalid, _) => AnswerWeight::No,
            TestOutcome::Cancelled => AnswerWeight::Cancelled,
        }
    }
}

/// The outcome of the parts of which it is known: that of the weightiest, of two the later one in the test.
fn combine_parts(parts: &[TestPart<'_>], known: Vec<Option<DetailedOutcome>>) -> DetailedOutcome {
    let mut all = DetailedOutcome::from(TestOutcome::from(Verdict::Interesting));
    let mut ended: Vec<(StageView, TestRun)> = Vec::new();
    let mut complete = true;
    for (part, done) in parts.iter().zip(known) {
        let Some(done) = done else {
            complete = false;
            continue;
        };
        for (sum, more) in all.tests_by_document.iter_mut().zip(done.tests_by_document) {
            *sum += more;
        }
        if complete {
            complete = done.runs.len() == part.stages.len();
            all.runs.extend(done.runs);
        }
        if let TestOutcome::Verdict(_, run) = &done.outcome {
            ended.push((part.view(), run.clone()));
        }
        if AnswerWeight::of(&done.outcome) >= AnswerWeight::of(&all.outcome) {
            all.outcome = done.outcome;
        }
    }
    if let TestOutcome::Verdict(verdict, run) = &mut all.outcome {
        if *verdict == Verdict::Invalid {
            *verdict = Verdict::Uninteresting;
        }
        *run = merge_parts(&ended, run.exit);
    }
    all
}

/// All of a test in one run: with this end, and the time and the output of all parts.
fn merge_parts(ended: &[(StageView, TestRun)], exit: super::TestExit) -> TestRun {
    let mut output = TestOutput::default();
    for (view, run) in ended {
        output.push(format!("[lop: the test of {view}: {}]\n", run.exit).as_bytes());
        output.push(&run.output.to_bytes());
    }
    TestRun {
        exit,
        time: ended.iter().map(|(_, run)| run.time).sum(),
        cpu: ended.iter().map(|(_, run)| run.cpu).sum(),
        output,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::oracle::{NoVerdict, StageCommand, StageRole, TestStage};

    /// What two parts may say.
    fn any_answer() -> impl Strategy<Value = TestOutcome> {
        let failed = || {
            TestOutcome::NoVerdict(NoVerdict::CannotStart {
                reason: "missing".into(),
            })
        };
        prop_oneof![
            Just(Verdict::Interesting.into()),
            Just(Verdict::Uninteresting.into()),
            Just(Verdict::Invalid.into()),
            Just(Verdict::TimedOut.into()),
            Just(()).prop_map(move |()| failed()),
        ]
    }

    /// What is known when the parts run in this order until one decides.
    fn ask(answers: &[TestOutcome; 2], order: [usize; 2]) -> AnswerWeight {
        let stage = || TestStage::new(StageRole::Says, StageCommand::Shell("true".into()));
        let test = InterestingnessTest::for_pair(vec![stage()], vec![stage()]);
        let mut known = vec![None, None];
        for at in order {
            known[at] = Some(DetailedOutcome::from(answers[at].clone()));
            if AnswerWeight::of(&answers[at]) >= AnswerWeight::No {
                break;
            }
        }
        let all = combine_parts(&test.parts(), known).outcome;
        assert_ne!(all.verdict(), Some(Verdict::Invalid));
        AnswerWeight::of(&all)
    }

    proptest! {
        /// All must say yes, and who is asked first does not matter.
        #[test]
        fn the_verdict_does_not_hang_on_the_order(one in any_answer(), other in any_answer()) {
            let weights = [AnswerWeight::of(&one), AnswerWeight::of(&other)];
            let answers = [one, other];
            let expected = weights[0].max(weights[1]);
            prop_assert_eq!(ask(&answers, [0, 1]), expected);
            prop_assert_eq!(ask(&answers, [1, 0]), expected);
        }
    }
}
