//! What a command changes, and so where it holds, and whether a resumed session executes it again.

use super::command::{EngineCommand, SkipScope, StepUnit};
use crate::program::{ConstraintRule, NodeTarget};

impl EngineCommand {
    /// The constraint that it adds.
    pub fn added_constraint(&self) -> Option<(ConstraintRule, &NodeTarget)> {
        match self {
            EngineCommand::Constrain(rule, target) => Some((*rule, target)),
            EngineCommand::Slice(Some(target)) => Some((ConstraintRule::Place, target)),
            _ => None,
        }
    }

    /// Whether it can change what is proposed from there on.
    pub fn changes_proposals(&self) -> bool {
        !self.waits_for_test() && *self != EngineCommand::Stop
    }

    /// Whether a paused run asks one question because of it, and stands still again behind the verdict.
    pub fn asks_one_question(&self) -> bool {
        matches!(
            self,
            EngineCommand::Step(StepUnit::Question)
                | EngineCommand::Try(_)
                | EngineCommand::Edit { .. }
        )
    }

    /// Whether it needs a current candidate.
    pub(in crate::reduce) fn is_about_candidate(&self) -> bool {
        matches!(
            self,
            EngineCommand::Skip(SkipScope::Candidate | SkipScope::Node)
        )
    }

    /// Whether a test that is running may end under the old rules.
    pub(in crate::reduce) fn waits_for_test(&self) -> bool {
        matches!(
            self,
            EngineCommand::Pause
                | EngineCommand::Resume
                | EngineCommand::Step(_)
                | EngineCommand::Until(_)
                | EngineCommand::Break(_)
                | EngineCommand::Unbreak(_)
                | EngineCommand::Jobs(_)
                | EngineCommand::Recheck
                | EngineCommand::NewTest(false)
                | EngineCommand::Property(_, false)
        )
    }

    /// Whether it is executed again when a session is resumed: it changed what is proposed, or where the run pauses. A step of a single
    /// candidate is over.
    pub fn persists_on_resume(&self) -> bool {
        self.changes_proposals()
            || self.controls_pausing()
            || matches!(self, EngineCommand::Step(stride) if *stride != StepUnit::Question)
            || matches!(self, EngineCommand::Until(_))
    }

    /// Whether it sets where the run pauses, or that it does not, from then on.
    pub(in crate::reduce) fn controls_pausing(&self) -> bool {
        matches!(
            self,
            EngineCommand::Pause
                | EngineCommand::Resume
                | EngineCommand::Break(_)
                | EngineCommand::Unbreak(_)
        )
    }

    /// Whether it sets what may be proposed, not what is done.
    pub(in crate::reduce) fn changes_rules(&self) -> bool {
        matches!(
            self,
            EngineCommand::Constrain(..)
                | EngineCommand::Release(..)
                | EngineCommand::Require(_)
                | EngineCommand::Slice(_)
                | EngineCommand::Pass(..)
                | EngineCommand::Order(_)
                | EngineCommand::Rule { .. }
                | EngineCommand::Effort(_)
                | EngineCommand::Strategy(_)
                | EngineCommand::Timeout(_)
                | EngineCommand::Confirm(_)
                | EngineCommand::NewTest(true)
                | EngineCommand::Property(_, true)
        )
    }
}
