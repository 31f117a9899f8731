//! What tests have said: as long as no decision has used it, when one has, and beyond the run.

mod cache;
mod pending_results;
mod quorum;
mod store;

pub use cache::{CacheHit, DecisionCache};
pub use pending_results::{CandidateResult, PendingResults};
pub use quorum::{Quorum, RunTally};
pub use store::{HintStore, LayeredStore, MemoryStore, StoredResult, VerdictStore};
