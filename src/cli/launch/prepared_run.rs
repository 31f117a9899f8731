//! Prepare: the files, the test, and a place to run it. Every command that runs a test needs them.

use std::cell::Cell;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use super::plan::RunPlan;
use super::signals::TerminationSignals;
use super::test_spec::TestSpec;
use crate::cli::args::IsolationArgs;
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE};
use crate::cli::messages::report_message;
use crate::display::EscapeHidden;
use crate::oracle::{
    self, FailureProperty, InterestingnessTest, LimitKind, LocalRunner, ProgramMaker,
    ResourceQuotas, ScratchSpace, TestExecutable, TestIsolation, TimeLimits,
};
use crate::plain::unified_diff;
use crate::reduce::VerdictStore;
use crate::session::{
    InputError, InputFile, OutputChoice, ProjectInput, ResultPlace, RunInput, claim_result_place,
};

/// The files, a test, and a place to run it.
pub struct PreparedRun {
    pub input: RunInput,
    pub test: InterestingnessTest,
    pub scratch: ScratchSpace,
    pub signals: TerminationSignals,
    /// The isolation of tests.
    pub isolation: TestIsolation,
    /// The limits that were typed: these are not lifted.
    typed_limits: ResourceQuotas,
    /// Recorded verdicts of the same test.
    pub records: Option<Arc<dyn VerdictStore>>,
    /// All verdicts of a run that starts no test; none of others.
    pub offline: Option<Arc<dyn VerdictStore>>,
    /// Notes to report before the run.
    pub notes: Vec<String>,
    /// Whether nothing is said while a test runs: it was said before, or a screen is open.
    pub is_silent: Cell<bool>,
}

impl PreparedRun {
    /// Has the test look for this property.
    pub fn use_property(&mut self, property: FailureProperty) -> Result<(), CommandFailure> {
        self.test = self.test.with_property(property).or_fail(USAGE)?;
        Ok(())
    }

    /// Finds all of it; the test is an executable.
    pub fn new(
        file: &Path,
        test: &Path,
        scratch: Option<&Path>,
        isolation: &IsolationArgs,
        jobs: usize,
    ) -> Result<PreparedRun, CommandFailure> {
        PreparedRun::from_input(
            RunInput::Program(PreparedRun::read_input(file)?),
            &TestSpec::from_script(test),
            scratch,
            isolation,
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

    /// Prepares an input that was read before. A test of commands has no property yet.
    pub fn from_input(
        input: RunInput,
        test_spec: &TestSpec,
        scratch: Option<&Path>,
        isolation: &IsolationArgs,
        jobs: usize,
    ) -> Result<PreparedRun, CommandFailure> {
        let signals = TerminationSignals::listen().or_fail(FAILED)?;
        oracle::forbid_core_dumps();
        let test = test_spec.resolve_test()?;
        let is_directory = input.project().is_some_and(ProjectInput::is_directory);
        let test = match is_directory {
            true => test.seeing_directory(),
            false => test,
        };
        let unusable = if scratch.is_some() { USAGE } else { FAILED };
        let scratch =
            ScratchSpace::choose_base(scratch, input.byte_count(), jobs).or_fail(unusable)?;
        if test.is_served() && scratch.root_path().as_os_str().as_bytes().contains(&b'\n') {
            let what = format!(
                "a server reads the directory of a candidate in a line, and {} has an end of line in its name; give one that is a line, with --scratch",
                scratch.root_path().escape_hidden()
            );
            return Err(CommandFailure::new(unusable, what));
        }
        let files = input.project().map_or(&[][..], ProjectInput::files).iter();
        let special =
            files.filter_map(|file| Some((file.test_path().into(), file.special_kind()?)));
        let scratch = scratch.with_special_files(special);
        Ok(PreparedRun {
            input,
            test,
            scratch,
            signals,
            isolation: isolation.to_isolation(jobs),
            typed_limits: isolation.typed_limits(),
            records: None,
            offline: None,
            // Notices of earlier runs.
            notes: oracle::take_leftover_notices(),
            is_silent: Cell::new(false),
        })
    }

    /// Prepares a plan.
    pub fn from_plan(plan: &RunPlan) -> Result<PreparedRun, CommandFailure> {
        let (input, scratch) = (plan.input.clone(), plan.scratch.as_deref());
        PreparedRun::from_input(input, &plan.test_spec, scratch, &plan.isolation, plan.jobs)
    }

    /// Claims the place of the result, so that no other run writes to it meanwhile. The limits are those of a generator.
    pub fn claim_output(
        &self,
        choice: &OutputChoice,
        limits: TimeLimits,
    ) -> Result<Box<dyn ResultPlace>, CommandFailure> {
        let name = Path::new(self.input.main_file().file_name());
        let place = (&self.scratch, &self.isolation);
        let maker = ProgramMaker::from_test(&self.test, name, place, limits);
        let test = self.script_path();
        claim_result_place(choice, &self.input, test, unified_diff, maker).or_fail(USAGE)
    }

    /// The test, if it is a file.
    pub fn script_path(&self) -> Option<&Path> {
        self.test.script().map(TestExecutable::path)
    }

    /// Starts a runner with this number of tests at a time.
    pub fn start_runner(&self, jobs: usize) -> io::Result<LocalRunner> {
        let (test, scratch) = (self.test.clone(), self.scratch.clone());
        LocalRunner::new(test, scratch, jobs, self.isolation.clone())
    }

    /// Reports the notes, for commands without a run.
    pub fn report_notes(&self) {
        self.notes.iter().for_each(|note| report_message(note));
    }

    /// Removes a limit that the original exceeds, with a note. A limit that was typed stays: the run is refused.
    pub fn lift_limit(&mut self, limit: LimitKind) -> Result<(), CommandFailure> {
        let before = self.isolation.quotas;
        self.isolation.quotas.remove_limit(limit);
        let only = before.only_limit(limit);
        let name = limit.name();
        if self.typed_limits.only_limit(limit) != ResourceQuotas::default() {
            self.report_notes();
            let what = format!(
                "the test exceeds its limit of {name} on the original ({only}); give more with --{name}, 0 for no limit. If this is the failure that you look for, let a script set the limit: docs/TESTS.md, Limits"
            );
            return Err(CommandFailure::new(USAGE, what));
        }
        let note = format!(
            "the test exceeds its limit of {name} on the original ({only}): this run has no such limit"
        );
        self.notes.push(note);
        Ok(())
    }
}
