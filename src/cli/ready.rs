//! What every command needs that runs a test on a file.

use std::path::Path;

use super::failure::{FAILED, Failure, NOTHING_TO_DO, OrFail, USAGE};
use super::given::Given;
use super::original::Question;
use super::reading;
use super::signals::Signals;
use crate::language::Language;
use crate::oracle::{self, Executable, Scratch, Test};
use crate::program::Version;
use crate::session::{Input, InputError};

/// A file, a test, and a place to run it.
pub(super) struct Ready {
    pub input: Input,
    pub test: Test,
    pub scratch: Scratch,
    pub signals: Signals,
}

impl Ready {
    /// Finds all of it; the test is an executable.
    pub fn new(
        file: &Path,
        test: &Path,
        scratch: Option<&Path>,
        jobs: usize,
    ) -> Result<Ready, Failure> {
        Ready::of(Ready::input(file)?, &Given::script(test), scratch, jobs)
    }

    /// The file.
    pub fn input(file: &Path) -> Result<Input, Failure> {
        Input::read(file).map_err(|error| {
            let status = if matches!(error, InputError::Empty(_)) {
                NOTHING_TO_DO
            } else {
                USAGE
            };
            Failure {
                status,
                error: error.into(),
            }
        })
    }

    /// The same with an input that was read before. A test of commands has no property yet.
    pub fn of(
        input: Input,
        given: &Given,
        scratch: Option<&Path>,
        jobs: usize,
    ) -> Result<Ready, Failure> {
        let signals = Signals::listen().or_fail(FAILED)?;
        oracle::forbid_core_dumps();
        let test = given.find()?;
        let unusable = if scratch.is_some() { USAGE } else { FAILED };
        let scratch = Scratch::choose(scratch, input.bytes.len() as u64, jobs).or_fail(unusable)?;
        Ok(Ready {
            input,
            test,
            scratch,
            signals,
        })
    }

    /// The test, if it is a file.
    pub fn script(&self) -> Option<&Path> {
        self.test.script().map(Executable::path)
    }

    /// The original as a tree, in this language; in none, as lines and tokens.
    pub fn version(&self, language: Option<&'static Language>) -> Result<Version, Failure> {
        reading::version(&self.input, language)
    }

    /// Someone who asks the test before a run does.
    pub fn question(&self) -> Question<'_> {
        Question {
            test: &self.test,
            scratch: &self.scratch,
            input: &self.input,
            signals: &self.signals.heard,
        }
    }
}
