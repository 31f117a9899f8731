//! What a part of a test said about which bytes, and how much that has cost.
//!
//! A candidate of a pair mostly changes one document, so the test of the other one was asked about the same bytes before. A limit that ended a
//! test, and a test that failed, say nothing that lasts: they are not remembered.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::time::Duration;

use rustc_hash::FxHashMap;

use super::{TestExit, TestFile, TestOutcome, TestOutput, TestRun, TimeLimits, Verdict};

/// How many verdicts a generation has. A memory keeps two generations.
const GENERATION: usize = 1 << 14;

/// The hashes of what a part of a test has seen, with its limits. Both hashes have secret keys, so that no two texts have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SightKey([u64; 2], TimeLimits);

/// Makes the keys of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct SightHasher([RandomState; 2]);

impl SightHasher {
    /// The key of these files, seen within these limits.
    pub fn hash_sight(&self, files: &[TestFile], limits: TimeLimits) -> SightKey {
        SightKey([0, 1].map(|at| self.0[at].hash_one(files)), limits)
    }
}

/// The memory of one part of a test. It forgets what was not asked for the longest time.
#[derive(Debug, Default)]
pub(super) struct PartMemory {
    recent: FxHashMap<SightKey, (Verdict, TestExit)>,
    older: FxHashMap<SightKey, (Verdict, TestExit)>,
    refusals: u32,
    time: Duration,
}

impl PartMemory {
    /// What the part said about this before, as a run that took no time.
    pub fn recall_outcome(&mut self, sight: SightKey) -> Option<TestOutcome> {
        let known = self.recent.get(&sight).or_else(|| self.older.get(&sight));
        let (verdict, exit) = *known?;
        self.keep_verdict(sight, verdict, exit);
        let run = TestRun {
            exit,
            time: Duration::ZERO,
            cpu: Some(Duration::ZERO),
            output: TestOutput::from_text("[lop: known, so it did not run again]\n"),
        };
        Some(TestOutcome::Verdict(verdict, run))
    }

    /// Remembers what a run said.
    pub fn learn_outcome(&mut self, sight: SightKey, outcome: &TestOutcome) {
        let TestOutcome::Verdict(verdict, run) = outcome else {
            return;
        };
        self.time += run.time;
        self.refusals += u32::from(*verdict != Verdict::Interesting);
        if *verdict != Verdict::TimedOut {
            self.keep_verdict(sight, *verdict, run.exit);
        }
    }

    /// How often the part said no, per second of its runs so far.
    pub fn refusal_rate(&self) -> f64 {
        match self.time.is_zero() {
            true => 0.0,
            false => f64::from(self.refusals) / self.time.as_secs_f64(),
        }
    }

    fn keep_verdict(&mut self, sight: SightKey, verdict: Verdict, exit: TestExit) {
        if self.recent.len() >= GENERATION {
            self.older = std::mem::take(&mut self.recent);
        }
        self.recent.insert(sight, (verdict, exit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sight(hasher: &SightHasher, text: usize) -> SightKey {
        let bytes = text.to_string().into_bytes();
        hasher.hash_sight(&[("s.c".into(), bytes.into())], TimeLimits::default())
    }

    #[test]
    fn it_forgets_what_was_not_asked_for_a_long_time() {
        let (hasher, mut memory) = (SightHasher::default(), PartMemory::default());
        let said = |memory: &mut PartMemory, text| {
            let outcome = memory.recall_outcome(sight(&hasher, text));
            outcome.and_then(|outcome| outcome.verdict())
        };
        for text in 0..4 * GENERATION {
            memory.learn_outcome(sight(&hasher, text), &Verdict::Uninteresting.into());
            if text % 1000 == 0 {
                assert_eq!(said(&mut memory, 0), Some(Verdict::Uninteresting));
            }
        }
        assert_eq!(said(&mut memory, 1), None);
        assert!(memory.recent.len() + memory.older.len() <= 2 * GENERATION);
    }

    #[test]
    fn a_limit_that_ended_a_test_says_nothing_that_lasts() {
        let (hasher, mut memory) = (SightHasher::default(), PartMemory::default());
        let sight = sight(&hasher, 1);
        memory.learn_outcome(sight, &Verdict::TimedOut.into());
        memory.learn_outcome(sight, &TestOutcome::Cancelled);
        assert!(memory.recall_outcome(sight).is_none());
        let longer = SightKey(sight.0, TimeLimits::wall_only(Duration::from_secs(1)));
        memory.learn_outcome(sight, &Verdict::Invalid.into());
        assert!(memory.recall_outcome(longer).is_none());
        let known = memory.recall_outcome(sight).expect("known");
        assert_eq!(known.verdict(), Some(Verdict::Invalid));
    }
}
