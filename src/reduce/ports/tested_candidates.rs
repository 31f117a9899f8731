//! Candidates that were tested, kept with what their tests printed.

use crate::oracle::{TestOutput, Verdict};
use crate::reduce::decision::Decision;

/// A decision that a test made.
pub struct TestedCandidate<'a> {
    /// Its number; 0 for the original.
    pub decision: Decision,
    /// The program.
    pub text: &'a [u8],
    /// What the test said.
    pub verdict: Verdict,
    /// What it printed.
    pub output: &'a TestOutput,
}

/// Keeps such candidates. Nothing that it does changes the run.
pub trait CandidateKeeper: Send {
    /// Keeps a candidate. Returns what the user should know about that, in a sentence.
    fn keep_candidate(&mut self, tested: &TestedCandidate<'_>) -> Option<String>;
}
