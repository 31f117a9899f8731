//! Verdicts that outlive a run, or that several runs share.
//!
//! `--cache` and `lop resume` give the run a [`VerdictStore`], and `lop compare` one for all strategies. What a store knows for certain is an
//! answer. What it only predicts is tested, and guides speculation. An answer of the store is no test of the machine, but counts as one of the run
//! (`RunCounts::from_store` says how many there were, `RunSnapshot::time_saved` what they would have taken), so a strategy's figures are those
//! that it has alone.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;

use crate::oracle::{TestExit, TimeLimits, Verdict};
use crate::program::ContentHash;

/// What a test once said of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredResult {
    /// How the question ended.
    pub ending: Verdict,
    /// How long the test took.
    pub time: Duration,
    /// How the test ended.
    pub exit: TestExit,
    /// The processor time of all its processes, where it is known.
    pub cpu: Option<Duration>,
    /// The limits that the test had.
    pub limits: TimeLimits,
}

impl StoredResult {
    /// Whether it still says something under these limits: a test that was too slow may be fast enough for others, so it counts only under
    /// the very same.
    pub fn is_valid_under(&self, limits: TimeLimits) -> bool {
        self.ending != Verdict::TimedOut || self.limits == limits
    }
}

/// A place for facts about one test, by the hash of the candidate's bytes. A run asks it before it runs a test, and tells it after.
pub trait VerdictStore: Send + Sync {
    /// What is known of the candidate, well enough to be its answer.
    fn get(&self, candidate: ContentHash) -> Option<StoredResult>;
    /// What was so once and may be otherwise now: the run bets on it, and asks the test all the same.
    fn predict_verdict(&self, _candidate: ContentHash) -> Option<Verdict> {
        None
    }
    /// Whether this ending is not what the same test once said of the candidate. Asked before it is told.
    fn contradicts_known(&self, _candidate: ContentHash, _ending: Verdict) -> bool {
        false
    }
    /// What is known from now on. Says what the user should know about that, in a sentence.
    fn store_result(&self, candidate: ContentHash, fact: StoredResult) -> Option<String>;
}

/// Several stores. The first that knows something of a candidate speaks; all are told.
pub struct LayeredStore(pub Vec<Arc<dyn VerdictStore>>);

impl VerdictStore for LayeredStore {
    fn get(&self, candidate: ContentHash) -> Option<StoredResult> {
        self.0.iter().find_map(|store| store.get(candidate))
    }

    fn predict_verdict(&self, candidate: ContentHash) -> Option<Verdict> {
        self.0
            .iter()
            .find_map(|store| store.predict_verdict(candidate))
    }

    fn contradicts_known(&self, candidate: ContentHash, ending: Verdict) -> bool {
        self.0
            .iter()
            .any(|store| store.contradicts_known(candidate, ending))
    }

    fn store_result(&self, candidate: ContentHash, fact: StoredResult) -> Option<String> {
        let told = self
            .0
            .iter()
            .map(|store| store.store_result(candidate, fact));
        let told: Vec<String> = told.flatten().collect();
        (!told.is_empty()).then(|| told.join("; "))
    }
}

/// What another test has said: nothing of it is an answer.
pub struct HintStore(pub MemoryStore);

impl VerdictStore for HintStore {
    fn get(&self, _: ContentHash) -> Option<StoredResult> {
        None
    }

    fn predict_verdict(&self, candidate: ContentHash) -> Option<Verdict> {
        self.0.get(candidate).map(|fact| fact.ending)
    }

    fn store_result(&self, _: ContentHash, _: StoredResult) -> Option<String> {
        None
    }
}

/// Facts in memory.
#[derive(Debug, Default)]
pub struct MemoryStore {
    facts: Mutex<FxHashMap<ContentHash, StoredResult>>,
}

impl VerdictStore for MemoryStore {
    fn get(&self, candidate: ContentHash) -> Option<StoredResult> {
        let facts = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        facts.get(&candidate).copied()
    }

    fn store_result(&self, candidate: ContentHash, fact: StoredResult) -> Option<String> {
        let mut facts = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        facts.insert(candidate, fact);
        None
    }
}
