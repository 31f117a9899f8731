//! What the engine needs of others: a journal, recorded events, verdicts, and keepers of candidates. `session` implements them.

mod journal;
mod other_failures;
mod recorded_event;
mod tested_candidates;
mod verdict_store;

pub use journal::{Journal, JournalDecision, JournalResult, NoJournal};
pub use other_failures::{OtherFailure, OtherFailureKeeper, OtherFailureUpdate};
pub use recorded_event::{RecordedEvent, RestorePoint, ResumePlan, VersionTexts};
pub use tested_candidates::{CandidateKeeper, TestedCandidate};
pub use verdict_store::VerdictStore;
