//! What the user may tell a run: at any moment of it, on the screen, by a script and in the journal alike.

use std::sync::Arc;
use std::time::Duration;

use crate::oracle::PropertyChange;
use crate::program::{ConstraintRule, NodeTarget};
use crate::reduce::results::Quorum;

/// A command. It is applied between two decisions; an event says before which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineCommand {
    /// Ask nothing more until told to. A test that runs is let end and counts.
    Pause,
    /// Go on.
    Resume,
    /// End the run now: a test that runs is killed. The newest version stands.
    Stop,
    /// Go on until this has happened, then pause.
    Step(StepUnit),
    /// Go on until this holds, then pause.
    Until(BreakCondition),
    /// Pause whenever this happens.
    Break(BreakCondition),
    /// Forget all breakpoints.
    Unbreak,
    /// A constraint from now on.
    Constrain(ConstraintRule, NodeTarget),
    /// Constraints of these rules go: those that meet the target, or all.
    Release(ConstraintGroup, Option<NodeTarget>),
    /// At least one match of this query remains in every candidate.
    Require(Arc<str>),
    /// Leave this alone.
    Skip(SkipScope),
    /// Change the order of the passes.
    Pass(PassVerb, Arc<str>),
    /// The passes from here on, in this order; those that are not named follow.
    Order(Vec<Arc<str>>),
    /// Ask about this very edit now.
    Try(ManualEdit),
    /// Ask about this text now.
    Edit {
        /// The new text of the document.
        text: Arc<[u8]>,
        /// Go on from it even if it is larger: an excursion.
        larger: bool,
    },
    /// Ask the test about the current version once more: it may have changed.
    Recheck,
    /// The test looks for something else. True if it is known that the present version has that; else it is tested first.
    Property(PropertyChange, bool),
    /// How many runs of the test must say interesting before it counts.
    Confirm(Quorum),
    /// How many tests run at a time.
    Jobs(usize),
    /// How long a test may take; none for no limit.
    Timeout(Option<Duration>),
    /// Back to the version before, and on from there in another way.
    Undo(UndoMode),
    /// Forward again to what was undone.
    Redo,
    /// Another version is the present.
    Goto(u64),
}

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepUnit {
    /// One question that the test or the cache answers.
    Question,
    /// The next version.
    Commit,
    /// The end of the node at hand.
    Node,
    /// The end of the pass.
    Pass,
}

/// What a run stops at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BreakCondition {
    /// The program has fewer tokens than this.
    Size(u32),
    /// This pass begins.
    Pass(Arc<str>),
    /// Nothing is left of it.
    Gone(NodeTarget),
    /// An edit took something of it.
    Touched(NodeTarget),
    /// So much time has passed since the command.
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
    /// What is doubted and what is suspected.
    Hints,
    /// Required queries.
    Requirements,
    /// Candidates and nodes that were skipped.
    Skipped,
}

/// What is left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipScope {
    /// The question at hand, for good.
    Candidate,
    /// The node at hand, until the pass ends.
    Node,
    /// The pass whose turn it is, until it has its turn again.
    Pass,
}

/// What happens to a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassVerb {
    /// It does not run.
    Disable,
    /// It runs when its turn comes; now, if its turn has passed.
    Enable,
    /// It begins anew, now.
    Restart,
    /// It runs before the pass that stands above it.
    Earlier,
    /// It runs after the pass that stands below it.
    Later,
}

/// An edit of the user's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ManualEdit {
    /// It goes.
    Delete(NodeTarget),
    /// The second stands in the place of the first.
    Replace(NodeTarget, NodeTarget),
    /// Of the list or node around it only this stays.
    KeepOnly(NodeTarget),
}

/// How a run goes on after an undo, so that it does not come the same way again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoMode {
    /// What the edit took is pinned.
    Keep,
    /// That very edit is not proposed again.
    Ban,
    /// The same, and the version that is left does not count as one that was found: the test is flaky, and it does not hold.
    Fails,
    /// The pass that asked for it is disabled.
    Disable,
    /// It pauses.
    Stop,
}
