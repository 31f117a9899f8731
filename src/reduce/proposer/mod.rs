//! The proposing side of a run, as one pure value: the schedule of the passes, and the one gate from an edit to a candidate.

mod acceptance_rate;
mod proposer_state;
mod schedule;

pub use proposer_state::{
    EditRejection, InterestingEdit, ProposedCandidate, ProposerEvent, ProposerState, ProposerStop,
    ProposerWork, WorkResult,
};
pub use schedule::{PassSchedule, PassTurn, ScheduleSlot};
