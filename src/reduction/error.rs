//! Why a reduction cannot be built, or did not come to its end.

use std::io;
use std::path::PathBuf;

use super::ReducedProgram;
use crate::display::EscapeHidden;
use crate::program::ReadError;
use crate::reduce::StartError;

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReductionError {
    /// The builder was given no program.
    #[error("there is no program to reduce; give the builder a text or a file")]
    NoProgram,
    /// The builder was given no test.
    #[error("there is no test; give the builder a function, a script or a command")]
    NoTest,
    /// The file with the program, or the script, cannot be used.
    #[error("{}: {reason}", path.escape_hidden())]
    BadFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// An option has a value that it does not know: the name of a language, a strategy or an effort, or the line of a command.
    #[error("{reason}")]
    BadOption {
        /// A sentence with the value, and with those that there are.
        reason: String,
    },
    /// The parser gave up on the program.
    #[error("the program cannot be read: {reason}")]
    Unreadable {
        /// What the parser says.
        reason: String,
    },
    /// The test says no to the original.
    #[error("the test does not find the original interesting")]
    NotInteresting,
    /// The test says neither yes nor no: it cannot be started, it panicked, or a command in it was not found.
    #[error("{reason}")]
    TestFailed {
        /// What happened.
        reason: String,
        /// The smallest program that passed the test before; none if the test of the original failed.
        best: Option<Box<ReducedProgram>>,
    },
    /// The system failed: no threads, no directory for tests.
    #[error("the system failed: {0}")]
    System(#[from] io::Error),
}

impl ReductionError {
    /// A fault of lop.
    pub(super) fn engine_died() -> ReductionError {
        ReductionError::System(io::Error::other(
            "the thread of the run died, which is a fault of lop",
        ))
    }
}

impl From<StartError> for ReductionError {
    fn from(error: StartError) -> ReductionError {
        ReductionError::System(io::Error::other(error.to_string()))
    }
}

impl From<ReadError> for ReductionError {
    fn from(error: ReadError) -> ReductionError {
        ReductionError::Unreadable {
            reason: error.to_string(),
        }
    }
}
