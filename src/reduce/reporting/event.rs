//! What a run tells the world: small events, one after the other, and the newest snapshot.

use std::sync::Arc;

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
