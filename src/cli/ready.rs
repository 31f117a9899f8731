//! What every command needs that runs a test on a file.

use std::io;
use std::path::Path;

use super::care::CareArgs;
use super::complain;
use super::failure::{FAILED, Failure, NOTHING_TO_DO, OrFail, USAGE};
use super::given::Given;
use super::original::{Question, Refusal};
use super::reading;
use super::signals::Signals;
use crate::language::Language;
use crate::oracle::{self, Bound, Care, Executable, Limits, LocalRunner, Run, Scratch, Test};
use crate::program::Version;
use crate::reduce::Quorum;
use crate::session::{Input, InputError};

/// A file, a test, and a place to run it.
pub(super) struct Ready {
    pub input: Input,
    pub test: Test,
    pub scratch: Scratch,
    pub signals: Signals,
    /// How tests are looked after.
    pub care: Care,
    /// What is to be said of that before a run.
    pub notes: Vec<String>,
}

impl Ready {
    /// Finds all of it; the test is an executable.
    pub fn new(
        file: &Path,
        test: &Path,
        scratch: Option<&Path>,
        care: &CareArgs,
        jobs: usize,
    ) -> Result<Ready, Failure> {
        Ready::of(
            Ready::input(file)?,
            &Given::script(test),
            scratch,
            care,
            jobs,
        )
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
        care: &CareArgs,
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
            care: care.care(jobs),
            // Of earlier runs.
            notes: oracle::left_behind(),
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

    /// Someone who runs so many tests at a time.
    pub fn runner(&self, jobs: usize) -> io::Result<LocalRunner> {
        let (test, scratch) = (self.test.clone(), self.scratch.clone());
        LocalRunner::new(test, scratch, jobs, self.care.clone())
    }

    /// Tests the original, as [`Question::original`]. A limit that it breaks is no limit for what is made of it, and is switched off
    /// with a notice.
    pub fn original(&mut self, limits: Limits, quorum: Option<Quorum>) -> Result<Run, Failure> {
        self.lifting(|question| question.original(limits, quorum))
    }

    /// Tests a version of an earlier run, likewise.
    pub fn version_again(
        &mut self,
        bytes: &[u8],
        limits: Limits,
        quorum: Option<Quorum>,
    ) -> Result<Option<String>, Failure> {
        self.lifting(|question| question.version(bytes, limits, quorum))
    }

    /// Says what is to be said, where no run does that at its start.
    pub fn tell(&self) {
        self.notes.iter().for_each(|note| complain(note));
    }

    pub(super) fn lifting<T>(
        &mut self,
        ask: impl Fn(&Question<'_>) -> Result<T, Refusal>,
    ) -> Result<T, Failure> {
        loop {
            match ask(&self.question()) {
                Ok(answer) => return Ok(answer),
                Err(Refusal::Failure(failure)) => {
                    self.tell();
                    return Err(failure);
                }
                Err(Refusal::Beyond(bound)) => self.lift(bound),
            }
        }
    }

    /// Switches a limit off that the original breaks, with a note.
    pub fn lift(&mut self, bound: Bound) {
        let before = self.care.quotas;
        self.care.quotas.lift(bound);
        let only = before.of(bound);
        let note = format!(
            "the test goes beyond its limit of {} already on the file as it is ({only}): there is no such limit in this run",
            bound.word()
        );
        self.notes.push(note);
    }

    /// Someone who asks the test before a run does.
    pub fn question(&self) -> Question<'_> {
        Question {
            test: &self.test,
            scratch: &self.scratch,
            care: &self.care,
            input: &self.input,
            signals: &self.signals.heard,
        }
    }
}
