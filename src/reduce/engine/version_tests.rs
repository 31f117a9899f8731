//! Tests of versions outside of the dialogue: under a property that is only tried, and of a version that was interesting before.

use std::collections::VecDeque;

use crate::oracle::{JobId, PropertyChange, TimeLimits};
use crate::program::ContentHash;
use crate::reduce::results::{Quorum, RunTally};

/// A change that is being tried on the present version.
pub struct PropertyTrial {
    pub job: JobId,
    pub change: PropertyChange,
    pub version: ContentHash,
}

/// Changes on their way: while one is tried, or the present version is asked about by the property in force, others wait.
#[derive(Default)]
pub struct PropertyTrials {
    pub current: Option<PropertyTrial>,
    pub queued: VecDeque<PropertyChange>,
}

/// A version that is tested once more.
pub struct PendingRecheck {
    /// None after a failure of the system, until it is asked again.
    pub job: Option<JobId>,
    pub limits: TimeLimits,
    /// The version that was present when it was asked.
    pub version: u64,
    /// The edit.
    pub hash: ContentHash,
    pub why: RecheckReason,
    pub quorum: Quorum,
    pub tally: RunTally,
}

/// Why it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RecheckReason {
    /// The user wants it.
    Requested,
    /// It is the result.
    FinalResult,
    /// It is the original, since the present version does not hold; which may be the result.
    Original { end: bool },
    /// It may be the newest version that holds.
    Fallback,
}
