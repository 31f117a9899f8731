//! What every command needs that runs a test on a file.

use std::path::Path;

use super::failure::{FAILED, Failure, NOTHING_TO_DO, OrFail, USAGE};
use super::original::Question;
use super::reading;
use super::signals::Signals;
use crate::language::Language;
use crate::oracle::{self, Scratch, Test};
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
    /// Finds all of it.
    pub fn new(
        file: &Path,
        test: &Path,
        scratch: Option<&Path>,
        jobs: usize,
    ) -> Result<Ready, Failure> {
        let input = Input::read(file).map_err(|error| {
            let status = if matches!(error, InputError::Empty(_)) {
                NOTHING_TO_DO
            } else {
                USAGE
            };
            Failure {
                status,
                error: error.into(),
            }
        })?;
        Ready::of(input, test, scratch, jobs)
    }

    /// The same with an input that was read before.
    pub fn of(
        input: Input,
        test: &Path,
        scratch: Option<&Path>,
        jobs: usize,
    ) -> Result<Ready, Failure> {
        let signals = Signals::listen().or_fail(FAILED)?;
        oracle::forbid_core_dumps();
        let test = Test::find(test).or_fail(USAGE)?;
        let unusable = if scratch.is_some() { USAGE } else { FAILED };
        let scratch = Scratch::choose(scratch, input.bytes.len() as u64, jobs).or_fail(unusable)?;
        Ok(Ready {
            input,
            test,
            scratch,
            signals,
        })
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
