//! Candidates that show another failure than the one that is looked for.

use std::path::PathBuf;
use std::sync::Arc;

use crate::oracle::{Files, Run};

/// The smallest candidate that shows some other failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Other {
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
pub struct Found {
    /// All that are kept, the smallest of each failure.
    pub all: Arc<[Other]>,
    /// What the user should know, in a sentence.
    pub note: Option<String>,
}

/// Keeps such candidates. Nothing that it does changes the run.
pub trait Others: Send {
    /// A test has ended so on these files, and did not find them interesting; none if that is no other failure.
    fn hear(&mut self, files: &Files, run: &Run) -> Option<Found>;
}
