//! Verdicts that outlive a run, or that several runs share.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;

use super::event::Ending;
use crate::oracle::Exit;
use crate::program::Hash;

/// What a test once said of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// How the question ended.
    pub ending: Ending,
    /// How long the test took.
    pub time: Duration,
    /// How the test ended.
    pub exit: Exit,
    /// The limit that the test had.
    pub limit: Option<Duration>,
}

impl Fact {
    /// Whether it still says something under this limit: a test that was too slow may be fast enough for a larger one.
    pub fn holds(&self, limit: Option<Duration>) -> bool {
        self.ending != Ending::TimedOut
            || self
                .limit
                .is_some_and(|old| limit.is_some_and(|limit| limit <= old))
    }
}

/// A place for facts about one test, by the hash of the candidate's bytes. A run asks it before it runs a test, and tells it after.
pub trait VerdictStore: Send + Sync {
    /// What is known of the candidate.
    fn get(&self, candidate: Hash) -> Option<Fact>;
    /// What is known from now on.
    fn put(&self, candidate: Hash, fact: Fact);
}

/// Facts in memory.
#[derive(Debug, Default)]
pub struct Memory {
    facts: Mutex<FxHashMap<Hash, Fact>>,
}

impl VerdictStore for Memory {
    fn get(&self, candidate: Hash) -> Option<Fact> {
        let facts = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        facts.get(&candidate).copied()
    }

    fn put(&self, candidate: Hash, fact: Fact) {
        let mut facts = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        facts.insert(candidate, fact);
    }
}
