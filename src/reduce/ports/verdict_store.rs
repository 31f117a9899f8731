//! Verdicts that the engine gets from outside of the run. `results/store.rs` has the stores in memory, `session` the one on the disk.

use crate::oracle::Verdict;
use crate::program::ContentHash;
use crate::reduce::results::TestResult;

/// A place for facts about one test, by the hash of the candidate's bytes. A run asks it before it runs a test, and tells it after.
pub trait VerdictStore: Send + Sync {
    /// What is known of the candidate, well enough to be its answer.
    fn get(&self, candidate: ContentHash) -> Option<TestResult>;
    /// What was so once and may be otherwise now: the run speculates on it, and runs the test all the same.
    fn predict_verdict(&self, _candidate: ContentHash) -> Option<Verdict> {
        None
    }
    /// Whether this verdict is not what the same test once said of the candidate. Asked before the result is stored.
    fn contradicts_known(&self, _candidate: ContentHash, _verdict: Verdict) -> bool {
        false
    }
    /// What is known from now on. Says what the user should know about that, in a sentence.
    fn store_result(&self, candidate: ContentHash, result: TestResult) -> Option<String>;
}
