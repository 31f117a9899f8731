//! A decision: a question of the dialogue and its answer.

use std::sync::Arc;
use std::time::Duration;

use crate::display::UnixTime;
use crate::oracle::{LimitKind, TestOutput, Verdict};
use crate::program::{
    ContentHash, Edit, EditReason, EditSentence, NodeId, ObjectiveSize, TokenChange,
};
use crate::protocol::AlgorithmState;
use crate::reduce::results::ResultOrigin;

/// Which question, in the order of the dialogue, counted from 1. Independent of the number of workers.
pub type Decision = u64;

/// One decision with all that is worth telling.
#[derive(Clone, Debug)]
pub struct DecisionDetails {
    /// Its number.
    pub decision: Decision,
    /// The answer.
    pub verdict: Verdict,
    /// The edit that was tested, of the version of that time.
    pub edit: Edit,
    /// Why it was proposed.
    pub why: EditReason,
    /// `why` as a sentence.
    pub sentence: EditSentence,
    /// What the edit does to the number of tokens.
    pub change: TokenChange,
    /// What the algorithm did that proposed it, if it is known.
    pub algorithm: Option<Arc<AlgorithmState<NodeId>>>,
    /// Where the answer comes from.
    pub origin: ResultOrigin,
    /// When it was decided; none if a recording does not say so.
    pub decided_at: Option<UnixTime>,
    /// How long the test took; none when the cache answered.
    pub time: Option<Duration>,
    /// The exit status in words ("exit 1", "signal 11"), empty when the cache answered.
    pub exit: String,
    /// The limit that the test went beyond.
    pub bound: Option<LimitKind>,
    /// What the test printed.
    pub output: TestOutput,
}

/// An accepted edit: there is a new version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptedVersion {
    /// The decision that found the edit interesting.
    pub decision: Decision,
    /// The number of the new version.
    pub version: u64,
    /// Its bytes.
    pub hash: ContentHash,
    /// Its tokens.
    pub tokens: u32,
    /// How many bytes it has.
    pub bytes: u32,
    /// Its size in the order of the objective.
    pub size: ObjectiveSize,
}
