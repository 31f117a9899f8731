//! Which commands come back with a session that is gone on with.

use super::command::{EngineCommand, StepUnit};

impl EngineCommand {
    /// Whether it is obeyed once more when a session is gone on with: it changed what is asked, or where the run stands still. A single
    /// question that was let through is over.
    pub fn persists_on_resume(&self) -> bool {
        self.changes_proposals()
            || self.controls_pausing()
            || matches!(self, EngineCommand::Step(stride) if *stride != StepUnit::Question)
            || matches!(self, EngineCommand::Until(_))
    }

    /// Whether it says where the run stands still, or that it does not, from then on.
    pub(in crate::reduce) fn controls_pausing(&self) -> bool {
        matches!(
            self,
            EngineCommand::Pause
                | EngineCommand::Resume
                | EngineCommand::Break(_)
                | EngineCommand::Unbreak
        )
    }

    /// Whether it says what may be asked, not what is done.
    pub(in crate::reduce) fn changes_rules(&self) -> bool {
        matches!(
            self,
            EngineCommand::Constrain(..)
                | EngineCommand::Release(..)
                | EngineCommand::Require(_)
                | EngineCommand::Pass(..)
                | EngineCommand::Order(_)
                | EngineCommand::Timeout(_)
                | EngineCommand::Confirm(_)
                | EngineCommand::Property(_, true)
        )
    }
}
