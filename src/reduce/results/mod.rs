//! What tests have said: before a decision uses it, after, and beyond the run.
//!
//! `pending_results.rs` has the results that no decision has used yet, `cache.rs` what decisions have used, `quorum.rs` how many runs of a test
//! decide, and `store.rs` verdicts of other runs.

mod cache;
mod pending_results;
mod quorum;
mod store;
mod test_result;

pub use cache::{CacheHit, DecisionCache};
pub use pending_results::{PendingResult, PendingResults};
pub use quorum::{Quorum, RunTally};
pub use store::{CertainStore, HintStore, LayeredStore, MemoryStore};
pub use test_result::{ResultOrigin, TestResult};
