//! Verdicts that the engine gets from outside of the run. `results/store.rs` has the stores in memory, `session` the one on the disk.

use crate::oracle::Verdict;
use crate::program::ContentHash;
use crate::reduce::results::TestResult;

/// Verdicts of one test, by the hash of the candidate's bytes. A run reads it before a test, and writes to it after.
pub trait VerdictStore: Send + Sync {
    /// The result of the candidate, if it is certain enough to be the answer.
    fn get(&self, candidate: ContentHash) -> Option<TestResult>;
    /// An earlier verdict that may be different now: the run speculates on it, and runs the test all the same.
    fn predict_verdict(&self, _candidate: ContentHash) -> Option<Verdict> {
        None
    }
    /// Whether this verdict differs from an earlier one of the same test. Called before the result is stored.
    fn contradicts_known(&self, _candidate: ContentHash, _verdict: Verdict) -> bool {
        false
    }
    /// Stores a result. Returns what the user should know about that, in a sentence.
    fn store_result(&self, candidate: ContentHash, result: TestResult) -> Option<String>;
}
