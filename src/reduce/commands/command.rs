//! What the user can command, at any moment of a run: on the screen, by a script and in the journal alike.

use std::sync::Arc;
use std::time::Duration;

use super::external_proposal::ExternalProposal;
use crate::language::RuleText;
use crate::oracle::PropertyChange;
use crate::pass::Effort;
use crate::program::pair::PatchSide;
use crate::program::{ConstraintRule, NodeTarget};
use crate::reduce::results::Quorum;

/// A command. It is applied between two decisions; an event says before which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineCommand {
    /// Test nothing more until resumed. A test that is running may end, and counts.
    Pause,
    /// Resume the run.
    Resume,
    /// End the run now: a test that runs is killed. The newest version stands.
    Stop,
    /// Resume until this has happened, then pause.
    Step(StepUnit),
    /// Resume until this holds, then pause.
    Until(BreakCondition),
    /// Pause whenever this happens.
    Break(BreakCondition),
    /// Forget the breakpoints with this condition, or all.
    Unbreak(Option<BreakCondition>),
    /// Add a constraint.
    Constrain(ConstraintRule, NodeTarget),
    /// Remove constraints of these kinds: those that meet the target, or all.
    Release(ConstraintGroup, Option<NodeTarget>),
    /// Require at least one match of this query in every candidate.
    Require(Arc<str>),
    /// Ask now whether all can go but the slice of the line where this begins, or of the line that is known.
    Slice(Option<NodeTarget>),
    /// Skip this.
    Skip(SkipScope),
    /// Change the order of the passes.
    Pass(PassVerb, Arc<str>),
    /// Run the passes in this order from here on; those that are not named follow.
    Order(Vec<Arc<str>>),
    /// Ask so much from here on.
    Effort(Effort),
    /// Run the passes of the strategy of this name from here on, all from the first.
    Strategy(Arc<str>),
    /// Add a rule with holes.
    Rule {
        /// The rule.
        rule: RuleText,
        /// Whether the pass over rules begins anew with it; else it is asked about when that pass has its turn.
        now: bool,
    },
    /// Test this very edit now.
    Try(ManualEdit),
    /// Test this text now.
    Edit {
        /// Which program of a pair gets the text; none where there is one program.
        side: Option<PatchSide>,
        /// The new text of the document.
        text: Arc<[u8]>,
        /// Whether the run continues from it even if it is larger: a detour.
        larger: bool,
    },
    /// Test what a program outside of lop proposes.
    Propose(ExternalProposal),
    /// Test the current version once more: the test may have changed.
    Recheck,
    /// The test is another one from here on. True if it is known to find the current version interesting; else that is tested first.
    NewTest(bool),
    /// Change the failure property. True if the current version is known to have it; else that is tested first.
    Property(PropertyChange, bool),
    /// How many runs of the test must say interesting before it counts.
    Confirm(Quorum),
    /// How many tests run at a time.
    Jobs(usize),
    /// How long a test may take; none for no limit.
    Timeout(Option<Duration>),
    /// Return to the version before this one, or before the current one, and continue from there in another way.
    Undo(UndoMode, Option<u64>),
    /// Redo what was undone.
    Redo,
    /// Make another version current.
    Goto(u64),
}

impl EngineCommand {
    /// The command as a line for people: of what a program proposes, who does.
    pub fn to_log_line(&self) -> String {
        match self {
            EngineCommand::Propose(proposal) => format!("propose {}", proposal.proposer),
            command => command.to_string(),
        }
    }
}

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepUnit {
    /// One question that the test or the cache answers.
    Question,
    /// The next version.
    Commit,
    /// The end of the current node.
    Node,
    /// The end of the pass.
    Pass,
}

impl StepUnit {
    /// Why a run pauses behind a step that is longer than one question.
    pub const REASON: &'static str = "step";
}

/// What a run stops at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BreakCondition {
    /// The program has fewer tokens than this.
    Size(u32),
    /// This pass starts.
    Pass(Arc<str>),
    /// Nothing is left of it.
    Gone(NodeTarget),
    /// An edit removed some of it.
    Touched(NodeTarget),
    /// This time has passed since the command.
    Time(Duration),
    /// A test said 125.
    Invalid,
    /// A test timed out.
    TimedOut,
}

/// Which constraints go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintGroup {
    /// Pins of all kinds.
    Pins,
    /// Locks.
    Locks,
    /// The focus.
    Focus,
    /// Doubts and suspicions.
    Hints,
    /// Required queries.
    Requirements,
    /// Candidates and nodes that were skipped.
    Skipped,
}

/// What is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipScope {
    /// The current candidate, for good.
    Candidate,
    /// The current node, until the pass ends.
    Node,
    /// The running pass, until its turn comes again.
    Pass,
}

/// What happens to a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassVerb {
    /// It does not run.
    Disable,
    /// It runs when its turn comes; now, if its turn has passed.
    Enable,
    /// It starts again, now.
    Restart,
    /// It runs before the pass that stands above it.
    Earlier,
    /// It runs after the pass that stands below it.
    Later,
}

/// An edit of the user's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ManualEdit {
    /// The target is deleted.
    Delete(NodeTarget),
    /// The second replaces the first.
    Replace(NodeTarget, NodeTarget),
    /// Only this remains of the list or node around it.
    KeepOnly(NodeTarget),
}

/// How a run goes on after an undo, so that it does not come the same way again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoMode {
    /// What the edit removed is pinned.
    Keep,
    /// That very edit is not proposed again.
    Ban,
    /// The same, and the version that is left does not count as interesting: the test is flaky on it.
    Fails,
    /// The pass that proposed it is disabled.
    Disable,
    /// The run pauses.
    Stop,
}
