//! The state of all tests: the question at the root, what tests have said, and what is under way. Tests outside of the dialogue are a trial
//! of a changed property, and a recheck of a version that was interesting before.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, never};
use rustc_hash::FxHashMap;

use super::worker::ConfirmedCandidate;
use crate::oracle::{JobId, PropertyChange, TestRun, TimeLimits, Verdict};
use crate::program::ContentHash;
use crate::reduce::proposer::CandidateKind;
use crate::reduce::results::{DecisionCache, PendingResults, Quorum, RunTally};
use crate::reduce::speculation::{BatchLookahead, NodeIndex, TimeoutRisk};

/// Test results, and tests that are under way.
#[derive(Default)]
pub(in crate::reduce) struct TestingState {
    /// Verdicts that decisions have used.
    pub cache: DecisionCache,
    /// Tests that have ended, but no decision has used yet.
    pub results: PendingResults,
    pub in_flight: FxHashMap<ContentHash, InFlightTest>,
    pub by_job: FxHashMap<JobId, ContentHash>,
    /// Candidates that the parser is checking.
    pub checks: FxHashMap<JobId, CandidateKey>,
    /// The parser's answers; none for a rejection. Kept as long as a branch proposes the candidate.
    pub checked: FxHashMap<CandidateKey, Option<ConfirmedCandidate>>,
    /// What a batch will propose in any case.
    pub lookahead: BatchLookahead,
    /// Which tests may time out.
    pub timeouts: TimeoutRisk,
    /// Changes of the property that are being tried.
    pub trials: PropertyTrials,
    /// A version that is tested once more.
    pub recheck: Option<PendingRecheck>,
    /// The version that the test found interesting once more when nothing was left to try.
    pub confirmed: Option<ContentHash>,
    /// Whether the test has changed, and is not known yet to find the current version interesting.
    pub is_test_new: bool,
    /// Whether the run is paused for that reason.
    pub is_paused_by_test: bool,
    /// How often it had changed, and found the version of that moment interesting.
    pub test_changes: u32,
}

/// A candidate of a version: the branch at which the version came to be, and the hash of the candidate's bytes. What the parser says
/// depends on both.
pub(super) type CandidateKey = (NodeIndex, ContentHash);

impl TestingState {
    /// Whether the parser is checking it.
    pub fn is_being_checked(&self, key: CandidateKey) -> bool {
        self.checks.values().any(|&other| other == key)
    }
}

pub(in crate::reduce) struct InFlightTest {
    pub job: JobId,
    pub kind: CandidateKind,
    pub since: Instant,
    pub limits: TimeLimits,
    pub concurrent: bool,
    /// How many of its runs must say interesting, and what those said that have ended.
    pub quorum: Quorum,
    pub tally: RunTally,
    /// The longest of them, and the most processor time of one.
    pub slowest: Duration,
    pub max_cpu: Option<Duration>,
}

impl InFlightTest {
    /// Adds one run of the test. Returns whether more are needed; if not, `run` has the times of the longest. A run that was too slow
    /// beside others does not count: the candidate is tested again, alone.
    pub fn add_run(&mut self, verdict: Verdict, run: &mut TestRun, concurrent: bool) -> bool {
        self.tally.add_run(verdict);
        self.slowest = self.slowest.max(run.time);
        self.max_cpu = self.max_cpu.max(run.cpu);
        (run.time, run.cpu) = (self.slowest, self.max_cpu);
        !concurrent && self.quorum.evaluate_tally(self.tally).is_none()
    }
}

/// The state of the root's candidate.
pub(in crate::reduce) struct RootState {
    /// Candidates that may still be tested while paused.
    pub steps: u32,
    /// It may be tested: the run is not paused, or a step was given for it.
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

/// A change of the property that is being tried on the current version.
pub struct PropertyTrial {
    pub job: JobId,
    pub change: PropertyChange,
    pub version: ContentHash,
}

/// Trials: while one is under way, or the current version is rechecked under the property in force, others are queued.
#[derive(Default)]
pub struct PropertyTrials {
    pub current: Option<PropertyTrial>,
    pub queued: VecDeque<PropertyChange>,
}

/// A version that is tested once more.
pub struct PendingRecheck {
    /// None after a failure of the system, until it is tested again.
    pub job: Option<JobId>,
    pub limits: TimeLimits,
    /// The version that was current when the recheck began.
    pub version: u64,
    /// The hash of its bytes.
    pub hash: ContentHash,
    pub why: RecheckReason,
    pub quorum: Quorum,
    pub tally: RunTally,
}

/// Why a version is rechecked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RecheckReason {
    /// The user wants it.
    Requested,
    /// It is the result.
    FinalResult,
    /// It is the original, since the current version does not hold; which may be the result.
    Original { end: bool },
    /// It may be the newest version that holds.
    Fallback,
    /// The test has changed.
    NewTest,
}
