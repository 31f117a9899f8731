//! The state of a run as the world sees it: immutable, cheap to make, only the newest is kept.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::claim::MinimalityClaim;
use super::counters::PassLine;
use super::counters::RunCounts;
use super::decision_log::DecisionLog;
use super::event::FinishReason;
use crate::oracle::FailureProperty;
use crate::program::{ConstraintSet, Edit, EditReason, Version};
use crate::reduce::decision::{Decision, DecisionDetails};
use crate::reduce::history::{ActiveProperty, VersionRecord};
use crate::reduce::ports::OtherFailure;
use crate::reduce::results::{Quorum, RunTally};

/// The question that is being answered.
#[derive(Clone, Debug)]
pub struct CurrentTest {
    /// The number it will have.
    pub decision: Decision,
    /// The edit.
    pub edit: Edit,
    /// Why.
    pub why: EditReason,
    /// `why` as a sentence.
    pub sentence: String,
    /// Tokens that would go.
    pub saved: u32,
    /// Since when the test runs.
    pub since: Instant,
}

/// A question that is being planned, or a text that is read anew before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanningStatus {
    /// The pass that plans it; none where none does.
    pub pass: Option<&'static str>,
    /// Since when.
    pub since: Instant,
}

/// Whether the run goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunState {
    /// It asks.
    Running,
    /// It stands still because the user wants it to; what it came to, if it was to stop there.
    Paused(Option<String>),
    /// It stands still because there is no verdict, for this reason, until the user says that it can go on.
    Stalled(String),
    /// It has ended.
    Finished(FinishReason),
}

impl RunState {
    /// Whether it stands still, and could go on.
    pub fn is_suspended(&self) -> bool {
        matches!(self, RunState::Paused(_) | RunState::Stalled(_))
    }
}

/// What became of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandOutcome {
    /// It holds before this decision.
    pub before: Decision,
    /// The command, as it is written.
    pub command: String,
    /// What more there is to say, or why it cannot be.
    pub outcome: Result<Option<String>, String>,
}

/// A point of the curve of sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurvePoint {
    /// Tests started by then.
    pub tests: u64,
    /// Time since the start, with the time that tests would have taken which a store of verdicts answered.
    pub time: Duration,
    /// Tokens left.
    pub tokens: u32,
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
    /// Whether it goes from moment to moment by itself.
    pub playing: bool,
    /// Whether that way is back to the beginning.
    pub backwards: bool,
    /// How many times as fast as it was.
    pub speed: f64,
    /// What the player has said last, and how many things it has said.
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
    /// The question in the air.
    pub current_test: Option<CurrentTest>,
    /// What is being planned, while no question is in the air.
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
    /// What versions must have been found by to count; none if the test is a script.
    pub active_property: Option<Arc<ActiveProperty>>,
    /// The version that an excursion left, if the present is inside of one.
    pub detour_base: Option<u64>,
    /// All decisions, and which nodes they were about.
    pub log: DecisionLog,
    /// What the user wants kept, left alone or tried first.
    pub constraints: Arc<ConstraintSet>,
    /// Commands that were obeyed or refused: how many, and what became of the last.
    pub last_command: (u64, Option<Arc<CommandOutcome>>),
    /// Notes, oldest first: the last few.
    pub notes: imbl::Vector<String>,
    /// What the end proves of the result; none before the end.
    pub claim: Option<MinimalityClaim>,
    /// What the test looks for; none if it is a script, which alone knows.
    pub property: Option<Arc<FailureProperty>>,
    /// The limit of a test now.
    pub limit: Option<Duration>,
    /// How many runs of the test must say interesting now.
    pub quorum: Quorum,
    /// What the test has said of the version, in all its runs.
    pub version_tally: RunTally,
    /// Candidates that show another failure.
    pub other_failures: Arc<[OtherFailure]>,
    /// Workers that are busy, and how many there are.
    pub workers: (usize, usize),
    /// The time that tests would have taken which a store of verdicts answered.
    pub time_saved: Duration,
    /// When the run began.
    pub started: Instant,
    /// When this snapshot was taken.
    pub now: Instant,
    /// How this is played, where it is not a run but the recording of one.
    pub replay: Option<ReplayStatus>,
}

impl RunSnapshot {
    /// The version that belongs on the disk and its number: where one stands, or where an excursion left.
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
        let kept = (kept.token_count(), kept.byte_count());
        self.smallest_version()
            .filter(|past| past.size_key() < kept)
    }

    /// The smallest version of all branches that has the property in force.
    pub fn smallest_version(&self) -> Option<&Arc<VersionRecord>> {
        let sought = self.active_property.as_ref();
        let all = self.history.iter();
        let all =
            all.filter(|past| !past.in_detour && !past.flaky && past.is_interesting_under(sought));
        all.min_by_key(|past| past.size_key())
    }
}
