//! Which commands come back with a session that is gone on with.

use super::command::{Command, Stride};

impl Command {
    /// Whether it is obeyed once more when a session is gone on with: it changed what is asked, or where the run stands still. A single
    /// question that was let through is over.
    pub fn returns(&self) -> bool {
        self.steers()
            || self.halts()
            || matches!(self, Command::Step(stride) if *stride != Stride::Question)
            || matches!(self, Command::Until(_))
    }

    /// Whether it says where the run stands still, or that it does not, from then on.
    pub(super) fn halts(&self) -> bool {
        matches!(
            self,
            Command::Pause | Command::Resume | Command::Break(_) | Command::Unbreak
        )
    }

    /// Whether it says what may be asked, not what is done.
    pub(super) fn constrains(&self) -> bool {
        matches!(
            self,
            Command::Constrain(..)
                | Command::Release(..)
                | Command::Require(_)
                | Command::Pass(..)
                | Command::Order(_)
                | Command::Timeout(_)
                | Command::Confirm(_)
                | Command::Property(_, true)
        )
    }
}
