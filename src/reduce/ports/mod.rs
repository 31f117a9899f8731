//! What the engine needs of others: a journal, recorded events, verdicts, keepers of candidates, and proposals from outside. `session` implements all but the last, which
//! `external` does.

mod journal;
mod other_failures;
mod proposal_source;
mod recorded_event;
mod tested_candidates;
mod verdict_store;

pub use journal::{Journal, JournalDecision, JournalResult, NoJournal};
pub use other_failures::{OtherFailure, OtherFailureKeeper, OtherFailureUpdate};
pub use proposal_source::{ProposalMessage, ProposalOutcome, ProposalSource};
pub use recorded_event::{RecordedEvent, RestorePoint, ResumePlan, VersionTexts};
pub use tested_candidates::{CandidateKeeper, TestedCandidate};
pub use verdict_store::VerdictStore;
