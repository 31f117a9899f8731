//! How things stand: the question at the root, what tests have said, and what is on its way.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, never};
use rustc_hash::FxHashMap;

use super::ahead::Ahead;
use super::cache::Cache;
use super::event::Finish;
use super::facts::Facts;
use super::property::Trials;
use super::quorum::{Quorum, Tally};
use super::recheck::Recheck;
use super::speculate::Index;
use super::worker::Confirmed;
use crate::oracle::{JobId, Limits};
use crate::program::Hash;

/// How things stand with the question at the root.
pub(super) struct Present {
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

impl Default for Present {
    fn default() -> Present {
        Present {
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
pub(super) struct Known {
    /// What decisions have used.
    pub cache: Cache,
    /// Tests that have ended, but no decision has used yet.
    pub facts: Facts,
    pub flights: FxHashMap<Hash, Flight>,
    pub by_job: FxHashMap<JobId, Hash>,
    /// Candidates that the parser is looking at.
    pub checks: FxHashMap<JobId, Key>,
    /// What it said; none when it refused. Kept as long as a branch asks about the candidate.
    pub checked: FxHashMap<Key, Option<Confirmed>>,
    /// What a batch will ask in any case.
    pub ahead: Ahead,
    pub jobs: u64,
    /// Changes of what is looked for that are being tried.
    pub trials: Trials,
    /// A version that is asked about once more.
    pub recheck: Option<Recheck>,
    /// The version that the test found interesting once more when nothing was left to try.
    pub confirmed: Option<Hash>,
}

/// A candidate of a version: the branch at which the version came to be, and the hash of the candidate's bytes. What the parser says
/// depends on both.
pub(super) type Key = (Index, Hash);

impl Known {
    /// Whether the parser is looking at it.
    pub fn is_being_checked(&self, key: Key) -> bool {
        self.checks.values().any(|&other| other == key)
    }
}

pub(super) struct Flight {
    pub job: JobId,
    pub since: Instant,
    pub limits: Limits,
    pub crowded: bool,
    /// How many of its runs must say yes, and what those said that have ended.
    pub quorum: Quorum,
    pub tally: Tally,
    /// The longest of them, and the most processor time of one.
    pub slowest: Duration,
    pub most: Option<Duration>,
}

/// The run ends, for this reason.
pub(super) struct End(pub Finish);
