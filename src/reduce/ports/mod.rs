//! What the engine needs of others: a journal, recorded events, verdicts, and a keeper of other failures. `session` implements them.

mod journal;
mod other_failures;
mod recorded_event;
mod verdict_store;

pub use journal::{Journal, JournalDecision, JournalResult, NoJournal};
pub use other_failures::{OtherFailure, OtherFailureKeeper, OtherFailureUpdate};
pub use recorded_event::{RecordedEvent, RestorePoint, ResumePlan, VersionTexts};
pub use verdict_store::VerdictStore;
