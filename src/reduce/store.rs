//! Verdicts that outlive a run, or that several runs share.

use std::sync::{Arc, Mutex, PoisonError};
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
    /// Whether it still says something under these limits: a test that was too slow may be fast enough for others, so it counts only under
    /// the very same.
    pub fn holds(&self, limits: Limits) -> bool {
        self.ending != Ending::TimedOut || self.limits == limits
    }
}

/// A place for facts about one test, by the hash of the candidate's bytes. A run asks it before it runs a test, and tells it after.
pub trait VerdictStore: Send + Sync {
    /// What is known of the candidate, well enough to be its answer.
    fn get(&self, candidate: Hash) -> Option<Recalled>;
    /// What was so once and may be otherwise now: the run bets on it, and asks the test all the same.
    fn hint(&self, _candidate: Hash) -> Option<Ending> {
        None
    }
    /// Whether this ending is not what the same test once said of the candidate. Asked before it is told.
    fn denies(&self, _candidate: Hash, _ending: Ending) -> bool {
        false
    }
    /// What is known from now on. Says what the user should know about that, in a sentence.
    fn put(&self, candidate: Hash, fact: Recalled) -> Option<String>;
}

/// Several stores. The first that knows something of a candidate speaks; all are told.
pub struct Layers(pub Vec<Arc<dyn VerdictStore>>);

impl VerdictStore for Layers {
    fn get(&self, candidate: Hash) -> Option<Recalled> {
        self.0.iter().find_map(|store| store.get(candidate))
    }

    fn hint(&self, candidate: Hash) -> Option<Ending> {
        self.0.iter().find_map(|store| store.hint(candidate))
    }

    fn denies(&self, candidate: Hash, ending: Ending) -> bool {
        self.0.iter().any(|store| store.denies(candidate, ending))
    }

    fn put(&self, candidate: Hash, fact: Recalled) -> Option<String> {
        let told = self.0.iter().map(|store| store.put(candidate, fact));
        let told: Vec<String> = told.flatten().collect();
        (!told.is_empty()).then(|| told.join("; "))
    }
}

/// What another test has said: nothing of it is an answer.
pub struct Hints(pub Memory);

impl VerdictStore for Hints {
    fn get(&self, _: Hash) -> Option<Recalled> {
        None
    }

    fn hint(&self, candidate: Hash) -> Option<Ending> {
        self.0.get(candidate).map(|fact| fact.ending)
    }

    fn put(&self, _: Hash, _: Recalled) -> Option<String> {
        None
    }
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

    fn put(&self, candidate: Hash, fact: Recalled) -> Option<String> {
        let mut facts = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        facts.insert(candidate, fact);
        None
    }
}
