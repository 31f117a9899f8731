//! Baseline: the verdicts of the test before the run, on the original, and on texts that it should not find interesting.

mod circumstances;
mod empty_file;
mod error_limit;
mod explanation;
mod identify;
mod preflight;
mod repeated_runs;
mod sanity_checks;

use std::path::Path;
use std::time::Duration;

use super::plan::RunPlan;
use super::prepared_run::PreparedRun;
use super::test_spec::TestSpec;
use crate::cli::failure::CommandFailure;
use crate::language::Language;
use crate::oracle::{LimitPolicy, TestExit, TestFiles, TestOutput, TestRun, TimeLimits};
use crate::reduce::{Quorum, VerdictStore};
pub use identify::needs_another_run;
use preflight::PreflightError;
pub use preflight::PreflightTester;

/// The measurements of the baseline.
pub struct Baseline {
    /// The test on the original.
    pub original_run: TestRun,
    /// The limit from here on.
    pub limit: LimitPolicy,
    /// Whether the limit follows from the test on the original.
    pub is_adaptive: bool,
    /// Suspicious properties of the test.
    pub notices: Vec<String>,
}

impl Baseline {
    /// Tests the original, which must be interesting. For commands, identifies their failure and makes it the property of the test.
    pub fn measure(
        prepared: &mut PreparedRun,
        plan: &RunPlan,
        output: &Path,
    ) -> Result<Baseline, CommandFailure> {
        if let Some(store) = &prepared.offline {
            let output = plan.canonical.then_some(output);
            let has_layout = |language: &&Language| language.layout().is_some();
            let form = match plan.canonical {
                true => " in canonical form",
                false if plan.languages.iter().flatten().any(has_layout) => {
                    " as it is written, without --canonical"
                }
                false => "",
            };
            return Baseline::from_records(&**store, prepared, plan.limit, form, output);
        }
        let (original_run, limit) =
            prepared.measure_original(&plan.test_spec, plan.limit, plan.confirm)?;
        let tester = prepared.preflight_tester();
        let notices = match plan.allow_empty {
            true => Vec::new(),
            false => sanity_checks::check_sanity(&tester, limit.current_limits(), plan.front_end)?,
        };
        Ok(Baseline {
            original_run,
            limit,
            is_adaptive: plan.limit == LimitPolicy::adaptive(),
            notices,
        })
    }

    /// The baseline of a run that starts no test: what is recorded of the original.
    fn from_records(
        store: &dyn VerdictStore,
        prepared: &PreparedRun,
        mut limit: LimitPolicy,
        form: &str,
        output: Option<&Path>,
    ) -> Result<Baseline, CommandFailure> {
        let what = format!("the original {}{form}", prepared.input);
        let paths = prepared.input.test_paths();
        let files = prepared.input.original_files();
        PreparedRun::ensure_recorded(store, &paths, &files, &what, output)?;
        let original_run = TestRun {
            exit: TestExit::Code(0),
            time: Duration::ZERO,
            cpu: None,
            output: TestOutput::default(),
        };
        let is_adaptive = limit == LimitPolicy::adaptive();
        limit.on_interesting(original_run.time, original_run.cpu);
        Ok(Baseline {
            original_run,
            limit,
            is_adaptive,
            notices: Vec::new(),
        })
    }
}

impl PreparedRun {
    /// Tests the original with [`PreflightTester::test_original`]. Removes a limit that the original exceeds, with a note.
    pub fn test_original(
        &mut self,
        limits: TimeLimits,
        quorum: Option<Quorum>,
    ) -> Result<TestRun, CommandFailure> {
        self.retry_without_limits(|tester| tester.test_original(limits, quorum))
    }

    /// Tests the original, which must be interesting. For commands, identifies their failure and makes it the property of the test. The
    /// result is that test, and the limit for candidates.
    pub fn measure_original(
        &mut self,
        test_spec: &TestSpec,
        mut limit: LimitPolicy,
        quorum: Option<Quorum>,
    ) -> Result<(TestRun, LimitPolicy), CommandFailure> {
        let original_run = match test_spec {
            TestSpec::Script(..)
            | TestSpec::PairScripts(..)
            | TestSpec::Server(_)
            | TestSpec::Recorded => self.test_original(limit.current_limits(), quorum)?,
            TestSpec::Commands(_, wanted) => {
                let found = self.identify_property(wanted, limit)?;
                limit = found.limit;
                found.run
            }
        };
        limit.on_interesting(original_run.time, original_run.cpu);
        Ok((original_run, limit))
    }

    /// The limit for candidates, as [`PreparedRun::measure_original`] finds it. Reports the notes.
    pub fn measure_limit(
        &mut self,
        test_spec: &TestSpec,
        limit: LimitPolicy,
    ) -> Result<LimitPolicy, CommandFailure> {
        let (_, limit) = self.measure_original(test_spec, limit, None)?;
        self.report_notes();
        Ok(limit)
    }

    /// Tests a version of an earlier run in the same way.
    pub fn retest_version(
        &mut self,
        files: &TestFiles,
        limits: TimeLimits,
        quorum: Option<Quorum>,
    ) -> Result<Option<String>, CommandFailure> {
        self.retry_without_limits(|tester| tester.retest_version(files, limits, quorum))
    }

    fn retry_without_limits<T>(
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
                Err(PreflightError::LimitExceeded(limit)) => self.lift_limit(limit)?,
            }
        }
    }

    /// The tester for these files and this test.
    pub fn preflight_tester(&self) -> PreflightTester<'_> {
        PreflightTester {
            test: &self.test,
            scratch: &self.scratch,
            isolation: &self.isolation,
            input: &self.input,
            signals: &self.signals.received,
            is_silent: &self.is_silent,
        }
    }
}
