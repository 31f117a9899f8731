//! Verdicts that outlive a run, or that several runs share.
//!
//! `--cache` and `lop resume` give the run a [`VerdictStore`], and `lop compare` one for all strategies. What a store knows for certain is an
//! answer. What it only predicts is tested, and guides speculation. An answer of the store is no test of the machine, but counts as one of the run
//! (`RunCounts::from_store` says how many there were, `RunSnapshot::time_saved` what they would have taken), so a strategy's figures are those
//! that it has alone.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::test_result::{ResultOrigin, TestResult};
use crate::oracle::Verdict;
use crate::program::ContentHash;
use crate::reduce::ports::VerdictStore;

/// Several stores. The first that has a verdict on a candidate answers; all store each result.
pub struct LayeredStore(pub Vec<Arc<dyn VerdictStore>>);

impl VerdictStore for LayeredStore {
    fn get(&self, candidate: ContentHash) -> Option<TestResult> {
        self.0.iter().find_map(|store| store.get(candidate))
    }

    fn predict_verdict(&self, candidate: ContentHash) -> Option<Verdict> {
        self.0
            .iter()
            .find_map(|store| store.predict_verdict(candidate))
    }

    fn contradicts_known(&self, candidate: ContentHash, verdict: Verdict) -> bool {
        self.0
            .iter()
            .any(|store| store.contradicts_known(candidate, verdict))
    }

    fn store_result(&self, candidate: ContentHash, result: TestResult) -> Option<String> {
        let notices = self
            .0
            .iter()
            .map(|store| store.store_result(candidate, result));
        let notices: Vec<String> = notices.flatten().collect();
        (!notices.is_empty()).then(|| notices.join("; "))
    }
}

/// A store whose hints are answers: for a run that tests nothing. A test that was too slow is uninteresting, whatever its limit was.
pub struct CertainStore(pub Arc<dyn VerdictStore>);

impl VerdictStore for CertainStore {
    fn get(&self, candidate: ContentHash) -> Option<TestResult> {
        let known = self.0.get(candidate);
        let verdict = known.map(|result| result.verdict);
        let verdict = match verdict.or_else(|| self.0.predict_verdict(candidate))? {
            Verdict::TimedOut => Verdict::Uninteresting,
            verdict => verdict,
        };
        let (times, limits) = known.map_or_else(Default::default, |result| {
            ((result.time, result.cpu), result.limits)
        });
        let origin = ResultOrigin::Store;
        Some(TestResult::from_record(
            origin, verdict, None, times, limits,
        ))
    }

    fn store_result(&self, _: ContentHash, _: TestResult) -> Option<String> {
        None
    }
}

/// Verdicts of another test: they are hints, not answers.
pub struct HintStore(pub MemoryStore);

impl VerdictStore for HintStore {
    fn get(&self, _: ContentHash) -> Option<TestResult> {
        None
    }

    fn predict_verdict(&self, candidate: ContentHash) -> Option<Verdict> {
        self.0.get(candidate).map(|result| result.verdict)
    }

    fn store_result(&self, _: ContentHash, _: TestResult) -> Option<String> {
        None
    }
}

/// Results in memory.
#[derive(Debug, Default)]
pub struct MemoryStore {
    results: Mutex<FxHashMap<ContentHash, TestResult>>,
}

impl VerdictStore for MemoryStore {
    fn get(&self, candidate: ContentHash) -> Option<TestResult> {
        let results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        results.get(&candidate).copied()
    }

    fn store_result(&self, candidate: ContentHash, result: TestResult) -> Option<String> {
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        results.insert(candidate, result);
        None
    }
}
