//! Runs the test before the reduction: on the original, on a version of an earlier run, or on other bytes.

use std::cell::Cell;
use std::time::Duration;

use crossbeam_channel::{Receiver, after, select};

use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO};
use crate::cli::messages::report_message;
use crate::oracle::{
    DetailedOutcome, InterestingnessTest, LimitKind, ScratchSpace, StageRole, TestExit, TestFiles,
    TestIsolation, TestOutcome, TestRun, TimeLimits, TrialRun, Verdict,
};
use crate::plain::format_duration;
use crate::reduce::Quorum;
use crate::session::RunInput;

/// After this time a message says what is running: the user sees the first word within half a second.
const PATIENCE: Duration = Duration::from_millis(300);

/// Runs the test before the reduction.
pub struct PreflightTester<'a> {
    /// The test.
    pub test: &'a InterestingnessTest,
    /// Where it runs.
    pub scratch: &'a ScratchSpace,
    /// The isolation of the test.
    pub isolation: &'a TestIsolation,
    /// The files to reduce.
    pub input: &'a RunInput,
    /// Signals that stop the program.
    pub signals: &'a Receiver<i32>,
    /// Whether nothing is said while a test runs: it was said before, or a screen is open.
    pub is_silent: &'a Cell<bool>,
}

/// What runs, and on what, for messages.
#[derive(Clone, Copy)]
struct TrialWords {
    what: &'static str,
    subject: &'static str,
}

impl TrialWords {
    const TEST: TrialWords = TrialWords {
        what: "test",
        subject: "the original",
    };
    const COMMAND: TrialWords = TrialWords {
        what: "command",
        ..TrialWords::TEST
    };
    const RESULT: TrialWords = TrialWords {
        what: "test",
        subject: "the result of",
    };
    const CHECK: TrialWords = TrialWords {
        what: "test",
        subject: "another text in the place of",
    };
}

/// Why a run cannot begin, or not in this way.
pub enum PreflightError {
    /// A failure to report.
    Failure(CommandFailure),
    /// The test exceeds a resource limit.
    LimitExceeded(LimitKind),
}

impl From<CommandFailure> for PreflightError {
    fn from(failure: CommandFailure) -> PreflightError {
        PreflightError::Failure(failure)
    }
}

impl PreflightTester<'_> {
    /// Tests the original. If it is not interesting, the failure says all that helps to find out why.
    pub fn test_original(
        &self,
        limits: TimeLimits,
        quorum: Option<Quorum>,
    ) -> Result<TestRun, PreflightError> {
        let runs = self.run_baseline(&self.input.original_files(), limits, quorum)?;
        let flaky = runs.describe_flakiness();
        let outcome = runs.outcome;
        if outcome.verdict() != Some(Verdict::Interesting)
            && let Some(failure) = self.generator_failure(limits)?
        {
            return Err(failure.into());
        }
        match outcome {
            TestOutcome::Verdict(Verdict::Interesting, run) => return Ok(run),
            TestOutcome::Verdict(Verdict::Invalid, _) if self.has_checks() => {
                if let Some(failure) = self.check_failure(&self.observe_original(limits)?) {
                    return Err(failure.into());
                }
            }
            TestOutcome::Verdict(_, ref run) => {
                check_quotas(run)?;
                if self.has_empty_seed()
                    && let Some(failure) = self.explain_empty_seed(&self.observe_original(limits)?)
                {
                    return Err(failure.into());
                }
            }
            TestOutcome::NoVerdict(_) | TestOutcome::Cancelled => {}
        }
        let mut failure = self.explain_outcome(&outcome);
        let more = [
            flaky,
            self.doctor_hint()
                .map(|doctor| format!("have it examined: {doctor}")),
        ];
        for line in more.into_iter().flatten() {
            failure.error = anyhow::anyhow!("{}\n  - {line}", failure.error);
        }
        Err(failure.into())
    }

    /// The failure for a generator that makes no program of the original.
    fn generator_failure(
        &self,
        limits: TimeLimits,
    ) -> Result<Option<CommandFailure>, PreflightError> {
        match self.test.generator() {
            None => Ok(None),
            Some(_) => Ok(self.explain_generator(&self.observe_original(limits)?)),
        }
    }

    fn has_empty_seed(&self) -> bool {
        matches!(self.input, RunInput::Pair([seed, _]) if seed.bytes.is_empty())
    }

    fn has_checks(&self) -> bool {
        let mut stages = self.test.stages().iter();
        stages.any(|stage| stage.role == StageRole::Check)
    }

    /// Tests a version of an earlier run again. If only some of the runs are interesting, a sentence says so, and the run can be resumed.
    pub fn retest_version(
        &self,
        files: &TestFiles,
        limits: TimeLimits,
        quorum: Option<Quorum>,
    ) -> Result<Option<String>, PreflightError> {
        let runs = self.run_baseline(files, limits, quorum)?;
        let flaky = runs.describe_flakiness().filter(|_| quorum.is_none());
        let failure = match runs.outcome {
            TestOutcome::Verdict(Verdict::Interesting, _) => return Ok(None),
            TestOutcome::Verdict(..) if flaky.is_some() => return Ok(flaky),
            TestOutcome::Verdict(_, run) => {
                check_quotas(&run)?;
                CommandFailure::new(NOTHING_TO_DO, self.explain_lost_version(&run))
            }
            TestOutcome::NoVerdict(trouble) => {
                CommandFailure::new(FAILED, self.explain_no_verdict(&trouble))
            }
            TestOutcome::Cancelled => CommandFailure::new(FAILED, "the test was cancelled"),
        };
        Err(failure.into())
    }

    /// Whether these files are interesting. A failed test is not, and neither is one that the budget ends before its own
    /// limit, although a hang may be the property.
    pub fn is_interesting(
        &self,
        files: TestFiles,
        limits: TimeLimits,
        budget: Duration,
    ) -> Result<bool, CommandFailure> {
        let is_less = limits.wall.is_none_or(|limit| budget < limit);
        let wall = if is_less { Some(budget) } else { limits.wall };
        let ends = TimeLimits { wall, ..limits };
        Ok(match self.test_files(files, ends)? {
            TestOutcome::Verdict(_, run)
                if is_less && run.exit == TestExit::Killed(LimitKind::Wall) =>
            {
                false
            }
            outcome => outcome.verdict() == Some(Verdict::Interesting),
        })
    }

    /// Runs the commands on the original, and reports what each did.
    pub fn observe_original(&self, limits: TimeLimits) -> Result<DetailedOutcome, PreflightError> {
        let files = self.input.original_files();
        let seen = self.run_trial(files, limits, TrialWords::COMMAND)?;
        if let TestOutcome::Verdict(_, run) = &seen.outcome {
            check_quotas(run)?;
        }
        Ok(seen)
    }

    /// Runs the test once on these files, other texts in the place of the original.
    pub fn test_files(
        &self,
        files: TestFiles,
        limits: TimeLimits,
    ) -> Result<TestOutcome, CommandFailure> {
        Ok(self.run_trial(files, limits, TrialWords::CHECK)?.outcome)
    }

    /// Runs the test once on these files, the original or a version of an earlier run.
    pub fn test_subject(
        &self,
        files: TestFiles,
        limits: TimeLimits,
    ) -> Result<TestOutcome, CommandFailure> {
        Ok(self.run_trial(files, limits, TrialWords::TEST)?.outcome)
    }

    /// Runs the test once on the files of a result.
    pub fn test_result(
        &self,
        files: TestFiles,
        limits: TimeLimits,
    ) -> Result<TestOutcome, CommandFailure> {
        Ok(self.run_trial(files, limits, TrialWords::RESULT)?.outcome)
    }

    /// Runs the stages once on these files; the words are for messages.
    fn run_trial(
        &self,
        files: TestFiles,
        limits: TimeLimits,
        TrialWords { what, subject }: TrialWords,
    ) -> Result<DetailedOutcome, CommandFailure> {
        let failed = |reason: String| CommandFailure::new(FAILED, reason);
        let (test, scratch) = (self.test.clone(), self.scratch.clone());
        let look = TrialRun::start(test, scratch, files, limits, self.isolation.clone())
            .map_err(|error| failed(format!("the {what} cannot be run: {error}")))?;
        let patience = after(PATIENCE);
        loop {
            select! {
                recv(look.outcome_receiver()) -> seen => {
                    return seen.map_err(|_| failed(format!("the thread that runs the {what} has died")));
                }
                // The test is killed when the trial run is dropped.
                recv(self.signals) -> signal => return Err(CommandFailure::stopped_by_signal(signal.unwrap_or_default())),
                recv(patience) -> _ => self.report_waiting(what, subject, limits.wall),
            }
        }
    }

    /// Says what is running, so that lop does not seem to hang.
    fn report_waiting(&self, what: &str, subject: &str, limit: Option<Duration>) {
        if self.is_silent.replace(true) {
            return;
        }
        let until = limit
            .map(|limit| format!(", for at most {}", format_duration(limit)))
            .unwrap_or_default();
        report_message(&format!(
            "running the {what} on {subject} {}{until}; Ctrl-C stops it",
            self.input
        ));
    }
}

/// Fails if the test exceeded a resource limit.
fn check_quotas(run: &TestRun) -> Result<(), PreflightError> {
    match run.exit {
        TestExit::Killed(bound) if !bound.is_time_limit() => {
            Err(PreflightError::LimitExceeded(bound))
        }
        _ => Ok(()),
    }
}
