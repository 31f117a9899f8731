//! Verdicts that outlive a run, or that several runs share.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;

use super::event::Ending;
use super::journal::Fact;
use crate::program::Hash;

impl Fact {
    /// Whether it says something under this limit: a test that was too slow may be fast enough for another one.
    pub fn holds(&self, limit: Option<Duration>) -> bool {
        self.ending != Ending::TimedOut || self.limit == limit
    }
}

/// A place for facts about one test. A run asks it before it starts a test, and tells it after.
pub trait VerdictStore: Send + Sync {
    /// What is known of the candidate with these bytes.
    fn get(&self, candidate: Hash) -> Option<Fact>;
    /// What is known from now on.
    fn put(&self, fact: &Fact);
}

/// Facts in memory.
#[derive(Debug, Default)]
pub struct Memory {
    facts: Mutex<FxHashMap<Hash, Fact>>,
}

impl VerdictStore for Memory {
    fn get(&self, candidate: Hash) -> Option<Fact> {
        let facts = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        facts.get(&candidate).cloned()
    }

    fn put(&self, fact: &Fact) {
        let mut facts = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        facts.insert(fact.hash, fact.clone());
    }
}
