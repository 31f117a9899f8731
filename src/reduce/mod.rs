//! The engine: it drives the dialogue, and owns all state of a run that changes.

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

pub use commands::{
    BreakCondition, CommandPosition, CommandVerb, ConstraintGroup, EngineCommand, ManualEdit,
    PLACES, PassVerb, ScriptError, ScriptTrigger, SkipScope, StepUnit, UndoMode, VERBS,
    parse_recorded_script, parse_script, resolve_constraints, script_line,
};
pub use decision::{AcceptedVersion, Decision, DecisionDetails};
pub use history::{ActiveProperty, VersionHistory, VersionRecord};
pub use ports::{
    DecisionOrigin, Journal, JournalDecision, JournalResult, NoJournal, OtherFailureKeeper,
    RecordedEvent, RestorePoint, ResumePlan, VersionTexts,
};
pub use proposer::{PassSchedule, PassTurn, ScheduleSlot};
pub use reporting::{
    CommandOutcome, CurrentTest, CurvePoint, DecisionLog, FinishReason, LeftOut, LoggedDecision,
    MinimalityClaim, NodeInspection, OtherFailure, OtherFailureUpdate, PassLine, PassState,
    PlanningStatus, REMEMBERED, ReplayObserver, ReplayStatus, RunCounts, RunEvent, RunSnapshot,
    RunState, SnapshotBoard, count_closed_parts, count_remaining_candidates, inspect_node,
};
pub use results::{
    HintStore, LayeredStore, MemoryStore, Quorum, RunTally, StoredResult, VerdictStore,
};
pub use setup::{ASIDE, RunSetup, StartError};
pub use start::{RunHandle, start_run, static_board};
