//! What tests have said that no decision has used yet.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::quorum::{Quorum, RunTally};
use crate::oracle::{self, TimeLimits, Verdict};
use crate::program::ContentHash;

/// How many facts are kept that the run does not seem to come to: some 4 MB.
const SPARE: usize = 25_000;

/// What a test has said.
pub struct CandidateResult {
    pub ending: Verdict,
    pub run: oracle::TestRun,
    pub limits: TimeLimits,
    /// Whether other tests ran at the same time.
    pub concurrent: bool,
    /// Whether a store knew it, and no test ran.
    pub from_store: bool,
    /// The runs that it is made of.
    pub tally: RunTally,
    /// How many of them had to say yes.
    pub quorum: Quorum,
}

impl CandidateResult {
    /// Whether it will be the answer if the run comes to the question. A test that was too slow may be repeated.
    pub fn is_final(&self) -> bool {
        self.ending != Verdict::TimedOut
    }
}

/// Facts by the candidate's hash: those that a branch waits for, and those that are kept in case that the run comes to them after all.
/// Of the latter the oldest go, so that they cost little memory; no decision depends on that.
#[derive(Default)]
pub struct PendingResults {
    wanted: FxHashMap<ContentHash, CandidateResult>,
    spare: FxHashMap<ContentHash, CandidateResult>,
    /// In the order of their coming. May name some that have been taken since.
    ages: VecDeque<ContentHash>,
}

impl PendingResults {
    /// A test has said something.
    pub fn insert(&mut self, candidate: ContentHash, fact: CandidateResult) {
        self.wanted.insert(candidate, fact);
    }

    /// What it said of this candidate.
    pub fn get(&self, candidate: ContentHash) -> Option<&CandidateResult> {
        let wanted = self.wanted.get(&candidate);
        wanted.or_else(|| self.spare.get(&candidate))
    }

    /// The same, to be used.
    pub fn remove(&mut self, candidate: ContentHash) -> Option<CandidateResult> {
        let spare = self.spare.remove(&candidate);
        self.wanted.remove(&candidate).or(spare)
    }

    /// Puts aside all that is not wanted any more. What a test printed is shown only when its answer decides something, so it goes.
    pub fn retire_unwanted(&mut self, wanted: impl Fn(ContentHash) -> bool) {
        let unwanted = self.wanted.extract_if(|hash, _| !wanted(*hash));
        for (hash, mut fact) in unwanted {
            fact.run.output = oracle::TestOutput::default();
            self.spare.insert(hash, fact);
            self.ages.push_back(hash);
        }
        while self.ages.len() > SPARE {
            if let Some(oldest) = self.ages.pop_front() {
                self.spare.remove(&oldest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{TestOutcome, TestOutput, Verdict};

    fn fact() -> CandidateResult {
        let TestOutcome::Verdict(_, run) = Verdict::Uninteresting.into() else {
            unreachable!("a verdict makes a verdict");
        };
        CandidateResult {
            ending: Verdict::Uninteresting,
            run: oracle::TestRun {
                output: TestOutput::from_text("long"),
                ..run
            },
            limits: TimeLimits::default(),
            concurrent: false,
            from_store: false,
            tally: RunTally::from_verdict(Verdict::Uninteresting),
            quorum: Quorum::ONCE,
        }
    }

    #[test]
    fn unwanted_facts_are_kept_without_their_output_as_long_as_there_is_room() {
        let hash = |number: usize| ContentHash::from_bytes(&number.to_le_bytes());
        let mut facts = PendingResults::default();
        for number in 0..SPARE + 10 {
            facts.insert(hash(number), fact());
            facts.retire_unwanted(|wanted| wanted == hash(5));
        }
        assert!(facts.get(hash(0)).is_none(), "the oldest is gone");
        let spare = facts.remove(hash(SPARE)).expect("a newer one is there");
        assert!(spare.run.output.is_empty());
        assert!(facts.get(hash(SPARE)).is_none());
        let wanted = facts.remove(hash(5)).expect("one that is wanted stays");
        assert!(!wanted.run.output.is_empty());
        assert!(facts.wanted.is_empty() && facts.spare.len() < SPARE);
    }
}
