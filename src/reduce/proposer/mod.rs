//! The proposing side of a run, as one pure value: the schedule of the passes, and the one gate from an edit to a candidate.

mod acceptance_rate;
mod detour;
mod proposer_state;
mod schedule;
mod smart_rounds;

pub use acceptance_rate::CandidateKind;
pub use proposer_state::{
    EditRejection, InterestingEdit, ProposedCandidate, ProposerEvent, ProposerState, ProposerStop,
    ProposerWork, WorkResult,
};
pub use schedule::{PassSchedule, PassTurn, ScheduleSlot};
