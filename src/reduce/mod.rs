//! The engine: it drives the dialogue, and owns all state of a run that changes.

mod commands;
mod engine;
mod history;
mod ports;
mod proposer;
mod reporting;
mod results;
mod setup;
mod speculation;

pub use commands::{
    BreakCondition, CommandVerb, ConstraintGroup, EngineCommand, ManualEdit, PLACES, PassVerb,
    ScriptError, SkipScope, StepUnit, UndoMode, VERBS, parse_recorded_script, parse_script,
    script_line,
};
pub use engine::{ScriptTrigger, count_closed_parts, resolve_constraints};
pub use history::{ActiveProperty, VersionHistory, VersionRecord};
pub use ports::{
    AcceptedVersion, CommandPosition, DecisionOrigin, Journal, JournalDecision as JournalDecided,
    JournalResult, NoJournal, OtherFailure, OtherFailureKeeper, OtherFailureUpdate as FoundOther,
    RecordedEvent, ReplayObserver, RestorePoint, ResumePlan, VersionTexts,
};
pub use proposer::{PassSchedule, PassTurn, ScheduleSlot};
pub use reporting::{
    CommandOutcome, CurrentTest, CurvePoint, Decision, DecisionDetails, DecisionLog, FinishReason,
    LeftOut, LoggedDecision, MinimalityClaim, NodeInspection, PassLine, PassState, PlanningStatus,
    REMEMBERED, ReplayStatus, RunCounts, RunEvent, RunSnapshot, RunState, SnapshotBoard,
    count_remaining_candidates, inspect_node,
};
pub use results::{
    HintStore, LayeredStore, MemoryStore, Quorum, RunTally, StoredResult, VerdictStore,
};
pub use setup::{ASIDE, RunHandle, RunSetup, StartError, start_run, static_board};
