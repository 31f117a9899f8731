//! How things stand: the question at the root, what tests have said, and what is on its way.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, never};
use rustc_hash::FxHashMap;

use super::property::PropertyTrials;
use super::recheck::PendingRecheck;
use super::worker::ConfirmedCandidate;
use crate::oracle::{JobId, TimeLimits};
use crate::program::ContentHash;
use crate::reduce::reporting::FinishReason;
use crate::reduce::results::{DecisionCache, PendingResults, Quorum, RunTally};
use crate::reduce::speculation::{BatchLookahead, NodeIndex};

/// How things stand with the question at the root.
pub(in crate::reduce) struct RootState {
    /// Questions that may still be asked while paused.
    pub steps: u32,
    /// It may be asked: the run is not paused, or a step was given for it.
    pub permitted: bool,
    /// Nothing is tested beside it.
    pub alone: bool,
    pub failures: u32,
    pub waits: u32,
    /// Rings when the system may have recovered.
    pub alarm: Receiver<Instant>,
    pub waiting: bool,
}

impl Default for RootState {
    fn default() -> RootState {
        RootState {
            steps: 0,
            permitted: false,
            alone: false,
            failures: 0,
            waits: 0,
            alarm: never(),
            waiting: false,
        }
    }
}

/// What tests have said, and what is on its way.
#[derive(Default)]
pub(in crate::reduce) struct TestingState {
    /// What decisions have used.
    pub cache: DecisionCache,
    /// Tests that have ended, but no decision has used yet.
    pub results: PendingResults,
    pub in_flight: FxHashMap<ContentHash, InFlightTest>,
    pub by_job: FxHashMap<JobId, ContentHash>,
    /// Candidates that the parser is looking at.
    pub checks: FxHashMap<JobId, CandidateKey>,
    /// What it said; none when it refused. Kept as long as a branch asks about the candidate.
    pub checked: FxHashMap<CandidateKey, Option<ConfirmedCandidate>>,
    /// What a batch will ask in any case.
    pub lookahead: BatchLookahead,
    pub jobs: u64,
    /// Changes of what is looked for that are being tried.
    pub trials: PropertyTrials,
    /// A version that is asked about once more.
    pub recheck: Option<PendingRecheck>,
    /// The version that the test found interesting once more when nothing was left to try.
    pub confirmed: Option<ContentHash>,
}

/// A candidate of a version: the branch at which the version came to be, and the hash of the candidate's bytes. What the parser says
/// depends on both.
pub(super) type CandidateKey = (NodeIndex, ContentHash);

impl TestingState {
    /// Whether the parser is looking at it.
    pub fn is_being_checked(&self, key: CandidateKey) -> bool {
        self.checks.values().any(|&other| other == key)
    }
}

pub(in crate::reduce) struct InFlightTest {
    pub job: JobId,
    pub since: Instant,
    pub limits: TimeLimits,
    pub concurrent: bool,
    /// How many of its runs must say yes, and what those said that have ended.
    pub quorum: Quorum,
    pub tally: RunTally,
    /// The longest of them, and the most processor time of one.
    pub slowest: Duration,
    pub max_cpu: Option<Duration>,
}

/// The run ends, for this reason.
pub(in crate::reduce) struct RunFinished(pub FinishReason);
