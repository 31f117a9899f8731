//! What tests have said that no decision has used yet.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::event::Ending;
use super::quorum::{Quorum, Tally};
use crate::oracle::{self, Limits};
use crate::program::Hash;

/// How many facts are kept that the run does not seem to come to: some 4 MB.
const SPARE: usize = 25_000;

/// What a test has said.
pub(super) struct Fact {
    pub ending: Ending,
    pub run: oracle::Run,
    pub limits: Limits,
    /// Whether other tests ran at the same time.
    pub crowded: bool,
    /// Whether a store knew it, and no test ran.
    pub recalled: bool,
    /// The runs that it is made of.
    pub tally: Tally,
    /// How many of them had to say yes.
    pub quorum: Quorum,
}

impl Fact {
    /// Whether it will be the answer if the run comes to the question. A test that was too slow may be repeated.
    pub fn is_sure(&self) -> bool {
        self.ending != Ending::TimedOut
    }
}

/// Facts by the candidate's hash: those that a branch waits for, and those that are kept in case that the run comes to them after all.
/// Of the latter the oldest go, so that they cost little memory; no decision depends on that.
#[derive(Default)]
pub(super) struct Facts {
    wanted: FxHashMap<Hash, Fact>,
    spare: FxHashMap<Hash, Fact>,
    /// In the order of their coming. May name some that have been taken since.
    ages: VecDeque<Hash>,
}

impl Facts {
    /// A test has said something.
    pub fn insert(&mut self, candidate: Hash, fact: Fact) {
        self.wanted.insert(candidate, fact);
    }

    /// What it said of this candidate.
    pub fn get(&self, candidate: Hash) -> Option<&Fact> {
        let wanted = self.wanted.get(&candidate);
        wanted.or_else(|| self.spare.get(&candidate))
    }

    /// The same, to be used.
    pub fn take(&mut self, candidate: Hash) -> Option<Fact> {
        let spare = self.spare.remove(&candidate);
        self.wanted.remove(&candidate).or(spare)
    }

    /// Puts aside all that is not wanted any more. What a test printed is shown only when its answer decides something, so it goes.
    pub fn put_aside(&mut self, wanted: impl Fn(Hash) -> bool) {
        let unwanted = self.wanted.extract_if(|hash, _| !wanted(*hash));
        for (hash, mut fact) in unwanted {
            fact.run.output = oracle::Output::default();
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
    use crate::oracle::{Outcome, Output, Verdict};

    fn fact() -> Fact {
        let Outcome::Verdict(_, run) = Verdict::Boring.into() else {
            unreachable!("a verdict makes a verdict");
        };
        Fact {
            ending: Ending::Boring,
            run: oracle::Run {
                output: Output::new("long"),
                ..run
            },
            limits: Limits::default(),
            crowded: false,
            recalled: false,
            tally: Tally::once(Ending::Boring),
            quorum: Quorum::ONCE,
        }
    }

    #[test]
    fn unwanted_facts_are_kept_without_their_output_as_long_as_there_is_room() {
        let hash = |number: usize| Hash::of(&number.to_le_bytes());
        let mut facts = Facts::default();
        for number in 0..SPARE + 10 {
            facts.insert(hash(number), fact());
            facts.put_aside(|wanted| wanted == hash(5));
        }
        assert!(facts.get(hash(0)).is_none(), "the oldest is gone");
        let spare = facts.take(hash(SPARE)).expect("a newer one is there");
        assert!(spare.run.output.is_empty());
        assert!(facts.get(hash(SPARE)).is_none());
        let wanted = facts.take(hash(5)).expect("one that is wanted stays");
        assert!(!wanted.run.output.is_empty());
        assert!(facts.wanted.is_empty() && facts.spare.len() < SPARE);
    }
}
