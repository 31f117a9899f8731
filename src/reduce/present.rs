//! How things stand: the question at the root, what tests have said, and what is on its way.

use std::time::Instant;

use crossbeam_channel::{Receiver, never};
use rustc_hash::FxHashMap;

use super::event::{Ending, Finish};
use super::speculate::Index;
use crate::oracle::{self, JobId, Limits};
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
    /// By the bytes' hash, once a decision has used it. A timed-out verdict has the limit that it holds under.
    pub decided: FxHashMap<Hash, Ending>,
    pub limits: FxHashMap<Hash, Limits>,
    /// Tests that have ended, but no decision has used yet.
    pub facts: FxHashMap<Hash, Fact>,
    pub flights: FxHashMap<Hash, Flight>,
    pub by_job: FxHashMap<JobId, Hash>,
    /// Candidates that the parser is looking at, and for which branch.
    pub checks: FxHashMap<JobId, Index>,
    pub jobs: u64,
}

pub(super) struct Fact {
    pub ending: Ending,
    pub run: oracle::Run,
    pub limits: Limits,
    /// Whether other tests ran at the same time.
    pub crowded: bool,
}

pub(super) struct Flight {
    pub job: JobId,
    pub since: Instant,
    pub limits: Limits,
    pub crowded: bool,
}

/// The run ends, for this reason.
pub(super) struct End(pub Finish);
