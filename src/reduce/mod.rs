//! The engine: it drives the proposer, and owns all state of a run that changes.
//!
//! | room | subject |
//! | --- | --- |
//! | `proposer/` | the schedule of the passes and the version it works on, as one pure value |
//! | `speculation/` | what the proposer may ask next, worked out before the answers are known |
//! | `results/` | what tests have said, and what decisions have used of it |
//! | `engine/` | the loop on the engine's thread, one file for each part of it; workers print and check candidates |
//! | `commands/` | what the user can tell a run, as values and as lines |
//! | `reporting/` | events, snapshots, and what the end proves |
//! | `ports/` | the traits that `session` and `external` implement: journal, recorded events, other failures, proposals |
//! | `setup.rs`, `start.rs` | all that a run is started with, and its threads |
//! | `history.rs`, `decision.rs` | the tree of versions; a decision and its number |
//! | `audience.rs` | who watches a run and may steer it |
//! | `cleaner.rs` | a thread that drops what is large |
//!
//! What a test said is a *result*. Only a *decision* that used it makes it part of the cache. Decisions, accepted versions and commands go to the
//! journal before anyone sees their effect (`docs/JOURNAL.md`).

mod audience;
mod cleaner;
mod commands;
mod decision;
mod engine;
mod history;
mod ports;
mod proposer;
mod reporting;
mod results;
mod setup;
mod speculation;
mod start;

pub use audience::{AudienceSeat, RunAudience};
pub use commands::{
    BreakCondition, CommandPosition, CommandVerb, ConstraintGroup, EngineCommand, ExternalProposal,
    FileChange, ManualEdit, PassVerb, ProposalError, RulePlace, ScriptError, ScriptTrigger,
    SkipScope, StepUnit, TARGET_FORMS, TextReplacement, UndoMode, VERBS, list_rule_places,
    list_strategy_names, parse_recorded_script, parse_script, resolve_constraints, script_line,
};
pub use decision::{AcceptedVersion, Decision, DecisionDetails};
pub use history::{ActiveProperty, VersionHistory, VersionRecord};
pub use ports::{
    CandidateKeeper, Journal, JournalDecision, JournalResult, NoJournal, OtherFailure,
    OtherFailureKeeper, OtherFailureUpdate, ProposalMessage, ProposalOutcome, ProposalSource,
    RecordedEvent, RestorePoint, ResumePlan, TestedCandidate, VerdictStore, VersionTexts,
};
pub use proposer::{PassSchedule, PassTurn, ScheduleSlot};
pub use reporting::{
    ClaimSubject, CommandOutcome, CurrentTest, CurvePoint, DecisionLog, FinishReason, LeftOut,
    LoggedDecision, LoggedEdit, MinimalityClaim, NodeAnswer, NodeFacts, NodeInspection, PassLine,
    PassState, PassSweep, PlanningStatus, RECENT_DECISIONS, RemainingEstimate, ReorderedPasses,
    ReplayObserver, ReplayStatus, RunCounts, RunEvent, RunSnapshot, RunState, SnapshotBoard,
    UntestedCandidates, cite, count_closed_parts, estimate_run, inspect_node,
};
pub use results::{
    CertainStore, HintStore, LayeredStore, MemoryStore, Quorum, ResultOrigin, RunTally, TestResult,
};
pub use setup::{BACKGROUND_THRESHOLD, RunSetup, StartError};
pub use start::{RunHandle, start_run, static_board};
