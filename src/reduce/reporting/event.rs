//! What a run reports: small events, one after the other, and the newest snapshot.

use std::sync::Arc;
use std::time::Duration;

use super::counters::RunCounts;
use crate::program::ObjectiveSize;
use crate::reduce::decision::{Decision, DecisionDetails};

/// What happened, in order. Each is small: programs travel in snapshots.
#[derive(Clone, Debug)]
pub enum RunEvent {
    /// The run begins.
    Started {
        /// Tokens of the original.
        tokens: u32,
        /// Bytes of the original.
        bytes: u32,
        /// Its size in the order of the objective.
        size: ObjectiveSize,
    },
    /// A pass begins; `round` counts from 1 where it runs to a fixpoint.
    PassStarted {
        /// Its name.
        pass: &'static str,
        /// Its round.
        round: u32,
        /// What it asks about, in words; none for everything.
        scope: Option<Arc<str>>,
    },
    /// A candidate was decided by a test or by the cache.
    Decided(Arc<DecisionDetails>),
    /// An edit was accepted: there is a new version.
    Accepted {
        /// The decision that found it interesting.
        decision: Decision,
        /// The number of the new version; the original is 0.
        version: u64,
        /// Its tokens.
        tokens: u32,
        /// Its bytes.
        bytes: u32,
        /// Its size in the order of the objective.
        size: ObjectiveSize,
    },
    /// A command was executed or refused.
    CommandApplied {
        /// It holds before this decision.
        before: Decision,
        /// The command, as it is written.
        command: String,
        /// Its outcome, if there is more to say; or why it was refused.
        outcome: Result<Option<String>, String>,
    },
    /// What a program outside proposed is asked about next.
    Proposed {
        /// It holds before this decision.
        before: Decision,
        /// As a command for people: `propose NAME`.
        command: String,
    },
    /// What an earlier process did was repeated without a test: the run goes on from here.
    Replayed {
        /// The counters of the run so far.
        counts: RunCounts,
        /// How long the run has lasted.
        elapsed: Duration,
    },
    /// Another version is current.
    VersionSwitched {
        /// Its number.
        version: u64,
        /// Its tokens.
        tokens: u32,
        /// Its bytes.
        bytes: u32,
        /// Its size in the order of the objective.
        size: ObjectiveSize,
    },
    /// The run is paused until it is resumed.
    Paused {
        /// The command or trouble holds before this decision.
        before: Decision,
        /// Why, when it was not the user.
        reason: Option<String>,
        /// Whether somebody is there who could resume it.
        is_attended: bool,
    },
    /// The run was resumed.
    Resumed {
        /// From this decision on.
        before: Decision,
    },
    /// Something a user should know: the test failed, the disk is full, a limit was raised.
    Note(String),
    /// The run has ended. Nothing follows.
    Finished(FinishReason),
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FinishReason {
    /// Nothing is left to try.
    Complete,
    /// The user stopped it.
    Stopped,
    /// The test or the system failed, as the sentence says.
    Failed(String),
}
