//! What a run tells the world: small events, one after the other, and the newest snapshot.

use std::sync::Arc;
use std::time::Duration;

use crate::oracle::{LimitKind, TestOutput, Verdict};
use crate::program::{Edit, EditReason};

/// Which question, in the order of the dialogue, counted from 1. Independent of the number of workers.
pub type Decision = u64;

/// What happened, in order. Each is small: programs travel in snapshots.
#[derive(Clone, Debug)]
pub enum RunEvent {
    /// The run begins.
    Started {
        /// Tokens of the original.
        tokens: u32,
        /// Bytes of the original.
        bytes: u32,
    },
    /// A pass begins; `round` counts from 1 where it runs to a fixpoint.
    PassStarted {
        /// Its name.
        pass: &'static str,
        /// Which time.
        round: u32,
    },
    /// A question was answered by a test or by the cache.
    Decided(Arc<DecisionDetails>),
    /// An edit was taken: there is a new version.
    Accepted {
        /// The decision that found it interesting.
        decision: Decision,
        /// The number of the new version; the original is 0.
        version: u64,
        /// Its tokens.
        tokens: u32,
        /// Its bytes.
        bytes: u32,
    },
    /// A command was obeyed, or could not be.
    CommandApplied {
        /// It holds before this decision.
        before: Decision,
        /// The command, as it is written.
        command: String,
        /// What became of it, if there is more to say; or why it cannot be.
        outcome: Result<Option<String>, String>,
    },
    /// Another version is the present.
    VersionSwitched {
        /// Its number.
        version: u64,
        /// Its tokens.
        tokens: u32,
        /// Its bytes.
        bytes: u32,
    },
    /// The run stands still until it is told to go on.
    Paused {
        /// The command or trouble holds before this decision.
        before: Decision,
        /// Why, when it was not the user.
        reason: Option<String>,
    },
    /// The run goes on.
    Resumed {
        /// From this decision on.
        before: Decision,
    },
    /// Something a user should know: the test failed, the disk is full, a limit was raised.
    Note(String),
    /// The run has ended. Nothing follows.
    Finished(FinishReason),
}

/// One decision with all that is worth telling.
#[derive(Clone, Debug)]
pub struct DecisionDetails {
    /// Its number.
    pub decision: Decision,
    /// How it ended.
    pub ending: Verdict,
    /// What was asked: an edit of the version of that time.
    pub edit: Edit,
    /// Why it was asked.
    pub why: EditReason,
    /// `why` as a sentence.
    pub sentence: String,
    /// Tokens that the edit takes away.
    pub saved: u32,
    /// How long the test took; none when the cache knew.
    pub time: Option<Duration>,
    /// The exit status in words ("exit 1", "signal 11"), empty when the cache knew.
    pub exit: String,
    /// The limit that the test went beyond.
    pub bound: Option<LimitKind>,
    /// What the test printed.
    pub output: TestOutput,
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
