//! What the world sees of a run: events, snapshots, and what the end proves.

mod claim;
mod decision_log;
mod event;
mod inspect;
mod remaining_candidates;
mod run_record;
mod snapshot;

pub use claim::{LeftOut, MinimalityClaim};
pub use decision_log::{DecisionLog, LoggedDecision};
pub use event::{Decision, DecisionDetails, FinishReason, RunEvent};
pub use inspect::{NodeInspection, inspect_node};
pub use remaining_candidates::count_remaining_candidates;
pub use run_record::{RunRecord, VerdictSource};
pub use snapshot::{
    CommandOutcome, CurrentTest, CurvePoint, PassLine, PassState, PlanningStatus, REMEMBERED,
    ReplayStatus, RunCounts, RunSnapshot, RunState, SnapshotBoard,
};
