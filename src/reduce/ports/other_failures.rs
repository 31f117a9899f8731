//! Candidates that show another failure than the one of the property.

use std::path::PathBuf;
use std::sync::Arc;

use crate::oracle::{TestFiles, TestRun};

/// The smallest candidate that shows some other failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherFailure {
    /// What the failure is called.
    pub name: String,
    /// Where the candidate is kept.
    pub path: PathBuf,
    /// How many bytes it has.
    pub bytes: u64,
    /// How many candidates have shown it.
    pub seen: u64,
}

/// What was done with a candidate that shows another failure.
#[derive(Clone, Debug)]
pub struct OtherFailureUpdate {
    /// All that are kept, the smallest of each failure.
    pub failures: Arc<[OtherFailure]>,
    /// What the user should know, in a sentence.
    pub note: Option<String>,
}

/// Keeps such candidates. Nothing that it does changes the run.
pub trait OtherFailureKeeper: Send {
    /// Offers files that a test did not find interesting; none if the run does not show another failure.
    fn offer_candidate(&mut self, files: &TestFiles, run: &TestRun) -> Option<OtherFailureUpdate>;
}
