//! Test results that no decision has used yet.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::test_result::TestResult;
use crate::oracle::TestOutput;
use crate::program::ContentHash;

/// How many results are kept that the run does not seem to come to: some 4 MB.
const MAX_RETIRED: usize = 25_000;

/// The result of a candidate's test, and what the test printed.
pub struct PendingResult {
    pub result: TestResult,
    pub output: TestOutput,
}

/// Results by the candidate's hash: those that a branch waits for, and those that are kept in case that the run comes to them after all.
/// Of the latter the oldest go, so that they cost little memory; no decision depends on that.
#[derive(Default)]
pub struct PendingResults {
    wanted: FxHashMap<ContentHash, PendingResult>,
    retired: FxHashMap<ContentHash, PendingResult>,
    /// In the order of their coming. May name some that have been removed since.
    ages: VecDeque<ContentHash>,
}

impl PendingResults {
    /// Adds a result.
    pub fn insert(&mut self, candidate: ContentHash, result: PendingResult) {
        self.wanted.insert(candidate, result);
    }

    /// The result of this candidate.
    pub fn get(&self, candidate: ContentHash) -> Option<&PendingResult> {
        let wanted = self.wanted.get(&candidate);
        wanted.or_else(|| self.retired.get(&candidate))
    }

    /// Removes the result of this candidate to be used.
    pub fn remove(&mut self, candidate: ContentHash) -> Option<PendingResult> {
        let retired = self.retired.remove(&candidate);
        self.wanted.remove(&candidate).or(retired)
    }

    /// Retires all that is not wanted any more. What a test printed is shown only when its answer decides something, so it goes.
    pub fn retire_unwanted(&mut self, wanted: impl Fn(ContentHash) -> bool) {
        let unwanted = self.wanted.extract_if(|hash, _| !wanted(*hash));
        for (hash, mut pending) in unwanted {
            pending.output = TestOutput::default();
            self.retired.insert(hash, pending);
            self.ages.push_back(hash);
        }
        while self.ages.len() > MAX_RETIRED {
            if let Some(oldest) = self.ages.pop_front() {
                self.retired.remove(&oldest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{TestOutcome, TimeLimits, Verdict};

    fn pending() -> PendingResult {
        let TestOutcome::Verdict(verdict, run) = Verdict::Uninteresting.into() else {
            unreachable!("a verdict makes a verdict");
        };
        PendingResult {
            result: TestResult::from_run(verdict, &run, TimeLimits::default()),
            output: TestOutput::from_text("long"),
        }
    }

    #[test]
    fn unwanted_facts_are_kept_without_their_output_as_long_as_there_is_room() {
        let hash = |number: usize| ContentHash::from_bytes(&number.to_le_bytes());
        let mut results = PendingResults::default();
        for number in 0..MAX_RETIRED + 10 {
            results.insert(hash(number), pending());
            results.retire_unwanted(|wanted| wanted == hash(5));
        }
        assert!(results.get(hash(0)).is_none(), "the oldest is gone");
        let retired = results
            .remove(hash(MAX_RETIRED))
            .expect("a newer one is there");
        assert!(retired.output.is_empty());
        assert!(results.get(hash(MAX_RETIRED)).is_none());
        let wanted = results.remove(hash(5)).expect("one that is wanted stays");
        assert!(!wanted.output.is_empty());
        assert!(results.wanted.is_empty() && results.retired.len() < MAX_RETIRED);
    }
}
