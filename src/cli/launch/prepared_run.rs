//! What every command needs that runs a test on a file.

use std::io;
use std::path::Path;

use super::preflight::{PreflightError, PreflightTester};
use super::reading;
use super::signals::TerminationSignals;
use super::test_spec::TestSpec;
use crate::cli::args::IsolationArgs;
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE};
use crate::cli::report_message;
use crate::language::Language;
use crate::oracle::{
    self, InterestingnessTest, LimitKind, LocalRunner, ScratchSpace, TestExecutable, TestIsolation,
    TestRun, TimeLimits,
};
use crate::program::Version;
use crate::reduce::Quorum;
use crate::session::{InputError, InputFile};

/// A file, a test, and a place to run it.
pub struct PreparedRun {
    pub input: InputFile,
    pub test: InterestingnessTest,
    pub scratch: ScratchSpace,
    pub signals: TerminationSignals,
    /// How tests are looked after.
    pub isolation: TestIsolation,
    /// What is to be said of that before a run.
    pub notes: Vec<String>,
}

impl PreparedRun {
    /// Finds all of it; the test is an executable.
    pub fn new(
        file: &Path,
        test: &Path,
        scratch: Option<&Path>,
        care: &IsolationArgs,
        jobs: usize,
    ) -> Result<PreparedRun, CommandFailure> {
        PreparedRun::from_input(
            PreparedRun::read_input(file)?,
            &TestSpec::from_script(test),
            scratch,
            care,
            jobs,
        )
    }

    /// The file.
    pub fn read_input(file: &Path) -> Result<InputFile, CommandFailure> {
        InputFile::read_from(file).map_err(|error| {
            let status = if matches!(error, InputError::Empty(_)) {
                NOTHING_TO_DO
            } else {
                USAGE
            };
            CommandFailure {
                status,
                error: error.into(),
            }
        })
    }

    /// The same with an input that was read before. A test of commands has no property yet.
    pub fn from_input(
        input: InputFile,
        given: &TestSpec,
        scratch: Option<&Path>,
        care: &IsolationArgs,
        jobs: usize,
    ) -> Result<PreparedRun, CommandFailure> {
        let signals = TerminationSignals::listen().or_fail(FAILED)?;
        oracle::forbid_core_dumps();
        let test = given.resolve_test()?;
        let unusable = if scratch.is_some() { USAGE } else { FAILED };
        let scratch =
            ScratchSpace::choose_base(scratch, input.bytes.len() as u64, jobs).or_fail(unusable)?;
        Ok(PreparedRun {
            input,
            test,
            scratch,
            signals,
            isolation: care.to_isolation(jobs),
            // Of earlier runs.
            notes: oracle::take_leftover_notices(),
        })
    }

    /// The test, if it is a file.
    pub fn script_path(&self) -> Option<&Path> {
        self.test.script().map(TestExecutable::path)
    }

    /// The original as a tree, in this language; in none, as lines and tokens.
    pub fn read_version(
        &self,
        language: Option<&'static Language>,
    ) -> Result<Version, CommandFailure> {
        reading::read_version(&self.input, language)
    }

    /// Someone who runs so many tests at a time.
    pub fn start_runner(&self, jobs: usize) -> io::Result<LocalRunner> {
        let (test, scratch) = (self.test.clone(), self.scratch.clone());
        LocalRunner::new(test, scratch, jobs, self.isolation.clone())
    }

    /// Tests the original, as [`PreflightTester::test_original`]. A limit that it breaks is no limit for what is made of it, and is switched off
    /// with a notice.
    pub fn test_original(
        &mut self,
        limits: TimeLimits,
        quorum: Option<Quorum>,
    ) -> Result<TestRun, CommandFailure> {
        self.retry_without_limits(|question| question.test_original(limits, quorum))
    }

    /// Tests a version of an earlier run, likewise.
    pub fn retest_version(
        &mut self,
        bytes: &[u8],
        limits: TimeLimits,
        quorum: Option<Quorum>,
    ) -> Result<Option<String>, CommandFailure> {
        self.retry_without_limits(|question| question.retest_version(bytes, limits, quorum))
    }

    /// Says what is to be said, where no run does that at its start.
    pub fn report_notes(&self) {
        self.notes.iter().for_each(|note| report_message(note));
    }

    pub fn retry_without_limits<T>(
        &mut self,
        ask: impl Fn(&PreflightTester<'_>) -> Result<T, PreflightError>,
    ) -> Result<T, CommandFailure> {
        loop {
            match ask(&self.preflight_tester()) {
                Ok(answer) => return Ok(answer),
                Err(PreflightError::Failure(failure)) => {
                    self.report_notes();
                    return Err(failure);
                }
                Err(PreflightError::LimitExceeded(bound)) => self.lift_limit(bound),
            }
        }
    }

    /// Switches a limit off that the original breaks, with a note.
    pub fn lift_limit(&mut self, bound: LimitKind) {
        let before = self.isolation.quotas;
        self.isolation.quotas.remove_limit(bound);
        let only = before.only_limit(bound);
        let note = format!(
            "the test goes beyond its limit of {} already on the file as it is ({only}): there is no such limit in this run",
            bound.name()
        );
        self.notes.push(note);
    }

    /// Someone who asks the test before a run does.
    pub fn preflight_tester(&self) -> PreflightTester<'_> {
        PreflightTester {
            test: &self.test,
            scratch: &self.scratch,
            isolation: &self.isolation,
            input: &self.input,
            signals: &self.signals.received,
        }
    }
}
