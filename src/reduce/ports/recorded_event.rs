//! What an interrupted run did, as data: `engine/resume.rs` replays it.
//!
//! Decisions, accepted versions, moves and commands, in the order of the dialogue.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crate::display::UnixTime;
use crate::program::{ContentHash, FileText};
use crate::reduce::commands::{CommandPosition, EngineCommand};
use crate::reduce::decision::Decision;
use crate::reduce::reporting::ReplayObserver;
use crate::reduce::results::TestResult;

/// One event, in the order of the dialogue.
#[derive(Clone, Debug)]
pub enum RecordedEvent {
    /// A candidate was decided.
    Decided {
        /// The candidate.
        hash: ContentHash,
        /// Candidates since the decision before it that were rejected.
        rejected: u64,
        /// The answer, and where it came from.
        result: TestResult,
        /// The time since the start of the run.
        at: Duration,
        /// The time of day; none if it is not known.
        time: Option<UnixTime>,
    },
    /// An edit was accepted.
    Accepted {
        /// The decision that found it interesting.
        decision: Decision,
        /// The number of the new version.
        version: u64,
        /// The version that it was made of.
        parent: u64,
        /// Its bytes.
        hash: ContentHash,
        /// What was done, as a sentence.
        sentence: Arc<str>,
        /// Whether the version was inside a detour.
        in_detour: bool,
    },
    /// Another version became current, or a detour came to its end.
    VersionSwitched {
        /// The current version.
        current: u64,
        /// The version that belongs on the disk: another one inside a detour.
        kept: u64,
    },
    /// A command was executed.
    Command {
        /// Where.
        place: CommandPosition,
        /// Which.
        command: EngineCommand,
    },
}

/// The texts of a version's documents, by its number; none where they are lost.
pub type VersionTexts = Arc<dyn Fn(u64) -> Option<Vec<FileText>> + Send + Sync>;

/// What a run did before it was cut off.
pub struct ResumePlan {
    /// All of it, in order.
    pub events: VecDeque<RecordedEvent>,
    /// For versions whose edits cannot be made again.
    pub texts: VersionTexts,
    /// Why the dialogue cannot be replayed, if that is known before; then only versions and constraints are restored.
    pub divergence: Option<String>,
    /// How long the run had lasted.
    pub elapsed: Duration,
    /// Sees each moment of a replay that is for display alone: it ends where the recording ends, and nothing is tested.
    pub observer: Option<ReplayObserver>,
    /// Where it was restored before, in order.
    pub restored: Vec<RestorePoint>,
}

/// A place where the dialogue was not replayed, but versions were restored from their texts. A later resumption restores them in the
/// same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RestorePoint {
    /// How many events were replayed before it.
    pub replayed: usize,
    /// The number of the first event after it, counted from 0.
    pub until: usize,
}
