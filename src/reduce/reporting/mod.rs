//! What the world sees of a run: events, snapshots, and what the end proves.

mod claim;
mod counters;
mod decision_log;
mod event;
mod inspect;
mod node_answer;
mod pass_progress;
mod remaining_estimate;
mod run_publisher;
mod run_record;
mod snapshot;
mod snapshot_board;
mod version_parts;

pub use claim::{ClaimSubject, LeftOut, MinimalityClaim};
pub use counters::{
    PassLine, PassState, PassSweep, ReorderedPasses, RunCounts, UntestedCandidates,
};
pub use decision_log::{DecisionLog, LoggedDecision, LoggedEdit};
pub use event::{FinishReason, RunEvent};
pub use inspect::{NodeInspection, inspect_node};
pub use node_answer::{NodeAnswer, NodeFacts, cite};
pub use pass_progress::{EXTERNAL, USER};
pub use remaining_estimate::{RemainingEstimate, estimate_run};
pub use run_record::RunRecord;
pub use snapshot::{
    CommandOutcome, CurrentTest, CurvePoint, PlanningStatus, RECENT_DECISIONS, ReplayStatus,
    RunSnapshot, RunState,
};
pub use snapshot_board::{ReplayObserver, SnapshotBoard};
pub use version_parts::count_closed_parts;
