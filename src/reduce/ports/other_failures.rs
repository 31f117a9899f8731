//! Candidates that show another failure than the one of the property.

use crate::oracle::{TestFiles, TestRun};
use crate::reduce::reporting::OtherFailureUpdate;

/// Keeps such candidates. Nothing that it does changes the run.
pub trait OtherFailureKeeper: Send {
    /// A test has ended so on these files, and did not find them interesting; none if that is no other failure.
    fn offer_candidate(&mut self, files: &TestFiles, run: &TestRun) -> Option<OtherFailureUpdate>;
}
