//! The state of a run as others see it: immutable, cheap to make; only the newest is kept.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::claim::MinimalityClaim;
use super::counters::{PassLine, PassState, ReorderedPasses, RunCounts};
use super::decision_log::DecisionLog;
use super::event::FinishReason;
use crate::oracle::{FailureProperty, FarmStatus, TestFiles};
use crate::program::{
    ConstraintSet, Edit, EditReason, EditSentence, NodeId, ObjectiveSize, TokenChange, Version,
};
use crate::protocol::AlgorithmState;
use crate::reduce::decision::{Decision, DecisionDetails};
use crate::reduce::history::{ActiveProperty, VersionRecord};
use crate::reduce::ports::OtherFailure;
use crate::reduce::results::{Quorum, RunTally};

/// The candidate that is being tested.
#[derive(Clone, Debug)]
pub struct CurrentTest {
    /// The number it will have.
    pub decision: Decision,
    /// The edit.
    pub edit: Edit,
    /// Why.
    pub why: EditReason,
    /// `why` as a sentence.
    pub sentence: EditSentence,
    /// What the edit does to the number of tokens.
    pub change: TokenChange,
    /// What the algorithm does that proposed it, if it is known.
    pub algorithm: Option<Arc<AlgorithmState<NodeId>>>,
    /// Since when the test runs.
    pub since: Instant,
}

/// A candidate that is being planned, or a text that is reparsed before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanningStatus {
    /// The pass that plans it; none outside of a pass.
    pub pass: Option<&'static str>,
    /// Since when.
    pub since: Instant,
}

/// Whether the run is paused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunState {
    /// It proposes and tests.
    Running,
    /// The user paused it; with the breakpoint or step that ended, if there is one.
    Paused(Option<String>),
    /// It waits because there is no verdict, for this reason, until the user resumes it.
    Stalled(String),
    /// It has ended.
    Finished(FinishReason),
}

impl RunState {
    /// Whether it waits, and could be resumed.
    pub fn is_suspended(&self) -> bool {
        matches!(self, RunState::Paused(_) | RunState::Stalled(_))
    }

    /// Whether it has ended.
    pub fn is_finished(&self) -> bool {
        matches!(self, RunState::Finished(_))
    }
}

/// The outcome of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandOutcome {
    /// It holds before this decision.
    pub before: Decision,
    /// The command, as it is written.
    pub command: String,
    /// What more there is to say, or why it was refused.
    pub outcome: Result<Option<String>, String>,
}

/// A point of the curve of sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurvePoint {
    /// Tests started by then.
    pub tests: u64,
    /// Time since the start, with the time of tests that a store of verdicts answered.
    pub time: Duration,
    /// The size then.
    pub size: ObjectiveSize,
}

/// Which moment of a recorded run a snapshot is, and how the recording is played.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayStatus {
    /// How many decisions the recording has, as far as it was read.
    pub decisions: Decision,
    /// Whether there is more to read.
    pub reading: bool,
    /// Whether this is its last moment.
    pub last: bool,
    /// Whether it plays by itself.
    pub playing: bool,
    /// Whether it plays backwards.
    pub backwards: bool,
    /// How many times as fast as it was.
    pub speed: f64,
    /// The player's last message, and how many messages there were.
    pub last_message: (u64, Arc<str>),
}

/// How many decisions a snapshot remembers.
pub const RECENT_DECISIONS: usize = 200;

/// The state of a run. Every part that can be large is shared.
#[derive(Clone, Debug)]
pub struct RunSnapshot {
    /// The number of the version; the original is 0.
    pub number: u64,
    /// The version, with the parser's trees.
    pub version: Version,
    /// Tokens and bytes of the original.
    pub original: (u32, u32),

    /// Running, paused, finished.
    pub state: RunState,
    /// The candidate that is being tested.
    pub current_test: Option<CurrentTest>,
    /// What is being planned, while no candidate is being tested.
    pub planning: Option<PlanningStatus>,
    /// Counters.
    pub counts: RunCounts,
    /// The passes in their order.
    pub passes: Arc<[PassLine]>,
    /// Sizes after each accepted edit, the original first.
    pub curve: imbl::Vector<CurvePoint>,
    /// The last decisions, oldest first.
    pub decided: imbl::Vector<Arc<DecisionDetails>>,
    /// All versions, by their numbers: a tree.
    pub history: imbl::Vector<Arc<VersionRecord>>,
    /// The number of the smallest version of all branches that has the property in force.
    pub smallest: Option<u64>,
    /// The property by which versions must have been found to count; none if the test is a script that has not changed.
    pub active_property: Option<Arc<ActiveProperty>>,
    /// The version that a detour left, if the current version is inside one.
    pub detour_base: Option<u64>,
    /// All decisions, and which nodes they were about.
    pub log: DecisionLog,
    /// What the user wants kept, left alone or tried first.
    pub constraints: Arc<ConstraintSet>,
    /// The breakpoints, as they are typed after `break`.
    pub breakpoints: Arc<[Arc<str>]>,
    /// The passes that the user switched off.
    pub switched_off: Arc<[&'static str]>,
    /// The passes to which the user gave another order; none where he did not.
    pub reordered: Option<Arc<ReorderedPasses>>,
    /// Commands that were executed or refused: how many, and the outcome of the last.
    pub last_command: (u64, Option<Arc<CommandOutcome>>),
    /// Notes, oldest first: the last few.
    pub notes: imbl::Vector<String>,
    /// What the end proves of the result; none before the end.
    pub claim: Option<MinimalityClaim>,
    /// The failure property; none if the test is a script.
    pub property: Option<Arc<FailureProperty>>,
    /// The limit of a test now.
    pub limit: Option<Duration>,
    /// How many runs of the test must say interesting now.
    pub quorum: Quorum,
    /// How often the test found the version interesting, in all its runs.
    pub version_tally: RunTally,
    /// Candidates that show another failure.
    pub other_failures: Arc<[OtherFailure]>,
    /// The files of the candidate that ended a run without tests, because no verdict is known of it.
    pub unrecorded: Option<TestFiles>,
    /// The name of the next effort, if the strategy has efforts and the run does not have the greatest.
    pub more_effort: Option<&'static str>,
    /// Workers that are busy, and how many there are.
    pub workers: (usize, usize),
    /// The farm that runs tests too; none without one.
    pub farm: Option<FarmStatus>,
    /// The time of tests that a store of verdicts answered.
    pub time_saved: Duration,
    /// When the run began.
    pub started: Instant,
    /// When this snapshot was taken.
    pub now: Instant,
    /// How the recording is played; none for a run.
    pub replay: Option<ReplayStatus>,
}

impl RunSnapshot {
    /// What the user sees of the sizes of the version and of the original: how many of the objective's units they have.
    pub fn primary_sizes(&self) -> (u32, u32) {
        let original = self.curve.front().map(|point| point.size);
        let original = original.unwrap_or_default().primary();
        (self.version.size().primary(), original)
    }

    /// The pass whose turn it is.
    pub fn running_pass(&self) -> Option<&PassLine> {
        let runs = |pass: &&PassLine| matches!(pass.state, PassState::Running(_));
        self.passes.iter().find(runs)
    }

    /// Whether a version is not on the way from the original to the current one: it was undone, or left.
    pub fn is_left(&self, number: u64) -> bool {
        let mut at = Some(self.number);
        while let Some(newer) = at.filter(|newer| *newer > number) {
            let past = self.history.get(newer as usize);
            at = past.and_then(|past| past.parent);
        }
        at != Some(number)
    }

    /// The version that belongs on the disk and its number: the current one, or the one that a detour left.
    pub fn kept_version(&self) -> (u64, &Version) {
        let base = self
            .detour_base
            .and_then(|base| self.history.get(base as usize));
        base.map_or((self.number, &self.version), |base| {
            (base.number, &base.version)
        })
    }

    /// The smallest version of all branches, if it is smaller than the one that is kept.
    pub fn smaller_version(&self) -> Option<&Arc<VersionRecord>> {
        let (_, kept) = self.kept_version();
        let kept = kept.size();
        self.smallest_version()
            .filter(|past| past.version.size() < kept)
    }

    /// The smallest version of all branches that has the property in force.
    pub fn smallest_version(&self) -> Option<&Arc<VersionRecord>> {
        self.history.get(self.smallest? as usize)
    }
}
