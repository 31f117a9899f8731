//! What an interrupted run did, as data: `engine/resume.rs` does it again.
//!
//! Decisions, accepted versions, moves and commands, in the order of the dialogue.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crate::program::ContentHash;
use crate::reduce::commands::{CommandPosition, EngineCommand};
use crate::reduce::decision::Decision;
use crate::reduce::reporting::ReplayObserver;
use crate::reduce::results::TestResult;

/// One thing that happened, in the order of the dialogue.
#[derive(Clone, Debug)]
pub enum RecordedEvent {
    /// A question was decided.
    Decided {
        /// The candidate.
        hash: ContentHash,
        /// Questions since the decision before it that were refused.
        rejected: u64,
        /// The answer, and where it came from.
        result: TestResult,
        /// So long after the start of the run.
        at: Duration,
    },
    /// An edit was accepted.
    Accepted {
        /// The decision that found it.
        decision: Decision,
        /// The number of the new version.
        version: u64,
        /// The version that it was made of.
        parent: u64,
        /// Its bytes.
        hash: ContentHash,
        /// What was done, as a sentence.
        sentence: Arc<str>,
    },
    /// Another version was the present from here on.
    VersionSwitched(u64),
    /// A command was obeyed.
    Command {
        /// Where.
        place: CommandPosition,
        /// Which.
        command: EngineCommand,
    },
}

/// The texts of a version's documents, by its number; none where they are lost.
pub type VersionTexts = Arc<dyn Fn(u64) -> Option<Vec<Arc<[u8]>>> + Send + Sync>;

/// What a run did before it was cut off.
pub struct ResumePlan {
    /// All of it, in order.
    pub events: VecDeque<RecordedEvent>,
    /// For versions whose edits cannot be made again.
    pub texts: VersionTexts,
    /// Why the dialogue cannot be held again, if that is known before; then only versions and constraints come back.
    pub divergence: Option<String>,
    /// How long the run had lasted.
    pub elapsed: Duration,
    /// If somebody wants to see it, it is done again for that alone: it ends where it was cut off, and nothing is asked.
    pub observer: Option<ReplayObserver>,
    /// Where it was resumed in another way before, in order.
    pub restored: Vec<RestorePoint>,
}

/// A place where the dialogue was not held again, but versions came back by their texts: a new beginning, which is made again in the
/// same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RestorePoint {
    /// How many events were replayed before it.
    pub replayed: usize,
    /// The number of the first thing after it, counted from 0.
    pub until: usize,
}
