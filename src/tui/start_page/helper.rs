//! The port to whoever runs the command and writes the test, and what the page shows of that: plain data.

use crossbeam_channel::{Receiver, Sender};

use crate::oracle::FailureProperty;

/// Runs commands on the file, and writes tests.
pub trait StartHelper {
    /// Starts to run this command on the file, on a thread of its own. Returns at once.
    ///
    /// # Errors
    /// Why it cannot be run.
    fn try_command(&mut self, line: &str) -> Result<CommandTrial, String>;

    /// Writes the test of the command that was tried last.
    ///
    /// # Errors
    /// Why it cannot be written.
    fn write_test(&mut self, request: &TestRequest) -> Result<(), TestWriteError>;

    /// Looks whether this is the path of a test.
    ///
    /// # Errors
    /// Why it is none.
    fn check_test(&mut self, path: &str) -> Result<(), String>;
}

/// The test that is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestRequest {
    /// What must hold; none if the command succeeds.
    pub property: Option<FailureProperty>,
    /// What its output must contain besides; empty for nothing.
    pub word: String,
    /// The path of the test.
    pub place: String,
    /// Whether it may replace what is there.
    pub overwrites: bool,
}

/// Why a test is not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestWriteError {
    /// Something is there, and nobody said that it may be replaced.
    Exists,
    /// It cannot be, for this reason.
    Other(String),
}

/// A command under way. It is stopped when this is dropped.
#[derive(Debug)]
pub struct CommandTrial {
    /// How far it is, and in the end what it has found.
    pub updates: Receiver<TrialUpdate>,
    /// The command goes on as long as this exists; nothing is sent.
    pub lifeline: Sender<i32>,
}

/// How a run of the command ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandRun {
    /// `exit 1 after 0.12 s`.
    pub end: String,
    /// What it printed: the first and the last lines.
    pub printed: Vec<String>,
}

/// News of a command.
#[derive(Clone, Debug)]
pub enum TrialUpdate {
    /// A run has ended.
    Ran(CommandRun),
    /// What was found out. The last news.
    Found(TrialFindings),
    /// Why nothing was found. The last news.
    Failed(String),
}

/// What the runs of a command showed.
#[derive(Clone, Debug, Default)]
pub struct TrialFindings {
    /// What they have in common; none if the command succeeds.
    pub property: Option<FailureProperty>,
    /// How the test calls the command otherwise than it was typed, and why.
    pub note: Option<String>,
}
