//! Verdicts that outlive a run, or that several runs share.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;

use super::event::Ending;
use crate::oracle::{Exit, Limits};
use crate::program::Hash;

/// What a test once said of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recalled {
    /// How the question ended.
    pub ending: Ending,
    /// How long the test took.
    pub time: Duration,
    /// How the test ended.
    pub exit: Exit,
    /// The processor time of all its processes, where it is known.
    pub cpu: Option<Duration>,
    /// The limits that the test had.
    pub limits: Limits,
}

impl Recalled {
    /// Whether it still says something under these limits: a test that was too slow may be fast enough for others.
    pub fn holds(&self, limits: Limits) -> bool {
        self.ending != Ending::TimedOut || self.limits == limits
    }
}

/// A place for facts about one test, by the hash of the candidate's bytes. A run asks it before it runs a test, and tells it after.
pub trait VerdictStore: Send + Sync {
    /// What is known of the candidate.
    fn get(&self, candidate: Hash) -> Option<Recalled>;
    /// What is known from now on.
    fn put(&self, candidate: Hash, fact: Recalled);
}

/// Facts in memory.
#[derive(Debug, Default)]
pub struct Memory {
    facts: Mutex<FxHashMap<Hash, Recalled>>,
}

impl VerdictStore for Memory {
    fn get(&self, candidate: Hash) -> Option<Recalled> {
        let facts = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        facts.get(&candidate).copied()
    }

    fn put(&self, candidate: Hash, fact: Recalled) {
        let mut facts = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        facts.insert(candidate, fact);
    }
}
