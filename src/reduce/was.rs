//! What a run did before it was cut off, as data: of this [`super::resume`] makes the run again.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use super::command::Command;
use super::event::{Decision, Ending};
use super::journal::{By, CommandPlace};
use super::quorum::Tally;
use super::snapshot::Snapshot;
use crate::oracle::Run;
use crate::program::Hash;

/// One thing that happened, in the order of the dialogue.
#[derive(Clone, Debug)]
pub enum Was {
    /// A question was decided.
    Decided {
        /// The candidate.
        hash: Hash,
        /// Questions since the decision before it that were refused.
        refused: u64,
        /// How it ended.
        ending: Ending,
        /// Who said so.
        by: By,
        /// What its test took.
        run: Run,
        /// What the test said, in so many runs.
        tally: Tally,
        /// So long after the start of the run.
        at: Duration,
    },
    /// An edit was taken.
    Taken {
        /// The decision that found it.
        decision: Decision,
        /// The number of the new version.
        version: u64,
        /// The version that it was made of.
        parent: u64,
        /// Its bytes.
        hash: Hash,
        /// What was done, as a sentence.
        sentence: Arc<str>,
    },
    /// Another version was the present from here on.
    Moved(u64),
    /// A command was obeyed.
    Command {
        /// Where.
        place: CommandPlace,
        /// Which.
        command: Command,
    },
}

/// The texts of a version's documents, by its number; none where they are lost.
pub type Texts = Arc<dyn Fn(u64) -> Option<Vec<Arc<[u8]>>> + Send + Sync>;

/// Who sees each moment as it comes again: the state after so many decisions. Of two with the same number the later one holds.
pub type Seen = Box<dyn FnMut(Snapshot) + Send>;

/// What a run did before it was cut off.
pub struct Resume {
    /// All of it, in order.
    pub was: VecDeque<Was>,
    /// For versions whose edits cannot be made again.
    pub text: Texts,
    /// Why the dialogue cannot be held again, if that is known before; then only versions and constraints come back.
    pub differs: Option<String>,
    /// How long the run had lasted.
    pub lasted: Duration,
    /// If somebody wants to see it, it is done again for that alone: it ends where it was cut off, and nothing is asked.
    pub seen: Option<Seen>,
    /// Where it was gone on with in another way before, in order.
    pub restored: Vec<Restored>,
}

/// A place where the dialogue was not held again, but versions came back by their texts: a new beginning, which is made again in the
/// same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restored {
    /// So many things were done again before it.
    pub held: usize,
    /// The number of the first thing after it, counted from 0.
    pub upto: usize,
}
