//! A reduction as a call: the part of lop that other programs use.
//!
//! [`Reduction::builder`] takes a program, a test and options; [`Reduction::run`] reduces, and returns a [`ReducedProgram`]. It writes no session, reads no
//! configuration, prints nothing and handles no signal. Bad input is a [`ReductionError`]. The same input, test and options give the same result, for any number of
//! jobs, as they do on the command line.

mod builder;
mod candidate_test;
mod error;
mod event;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub use builder::ReductionBuilder;
use candidate_test::GivenTest;
pub use candidate_test::{CandidateTest, CandidateVerdict};
pub use error::ReductionError;
pub use event::ReductionEvent;

use crate::oracle::{
    FunctionRunner, JobId, LimitPolicy, LocalRunner, Runner, ScratchSpace, TestIsolation, TestJob,
    TestOutcome, Verdict,
};
use crate::pass::PassOptions;
use crate::program::{Version, walk};
use crate::reduce::{
    self, EngineCommand, FinishReason, RunEvent, RunSetup, RunSnapshot, RunState, ScriptTrigger,
};

/// The number of the job that tests the original. Those of a run begin with 1.
const ORIGINAL: JobId = JobId(0);

/// Receives what happens in a run; [`ControlFlow::Break`] stops it.
type Observer = Box<dyn FnMut(&ReductionEvent) -> ControlFlow<()> + Send>;

/// A program, its test and options, ready to run.
#[must_use = "a reduction does nothing until it runs"]
pub struct Reduction {
    test: GivenTest,
    run: PlannedRun,
}

/// All of a reduction but its test.
struct PlannedRun {
    version: Version,
    path: Arc<Path>,
    text: Arc<[u8]>,
    options: PassOptions,
    jobs: usize,
    limit: LimitPolicy,
    script: Vec<(ScriptTrigger, EngineCommand)>,
    observer: Observer,
}

/// What a reduction has made of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReducedProgram {
    /// The smallest program that was found to pass the test.
    pub text: Vec<u8>,
    /// Its size.
    pub size: ProgramSize,
    /// The size of the original.
    pub original: ProgramSize,
    /// How many tests decided something, the one of the original not counted.
    pub tests: u64,
    /// How long the run took, without the test of the original.
    pub elapsed: Duration,
    /// Whether nothing was left to try; not if the run was stopped.
    pub is_complete: bool,
    /// Whether it is proven that no single part of its tree can go, but for what [`ReducedProgram::certificate`] says was left out.
    pub is_minimal: bool,
    /// What is proven of the result, and what was left out, as a sentence.
    pub certificate: String,
}

/// The size of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProgramSize {
    /// Tokens, comments not counted.
    pub tokens: u32,
    /// Bytes.
    pub bytes: u32,
}

impl Reduction {
    /// A reduction to be described: it needs a program and a test.
    pub fn builder() -> ReductionBuilder {
        ReductionBuilder::default()
    }

    /// Tests the original, and reduces it. Returns when nothing is left to try, when the observer or a command stops the run, or when the test fails. No test runs then.
    ///
    /// # Errors
    /// [`ReductionError::NotInteresting`] if the test says no to the original, [`ReductionError::TestFailed`] if the test says neither yes nor no, and
    /// [`ReductionError::System`].
    pub fn run(self) -> Result<ReducedProgram, ReductionError> {
        let Reduction { test, run } = self;
        match test {
            GivenTest::Function(function) => {
                let runner = FunctionRunner::new(function, run.jobs)?;
                run.reduce_with(runner)
            }
            GivenTest::Command(test) => {
                let scratch = ScratchSpace::choose_base(None, run.text.len() as u64, run.jobs);
                let scratch = scratch.map_err(std::io::Error::other)?;
                let runner = LocalRunner::new(test, scratch, run.jobs, TestIsolation::default())?;
                run.reduce_with(runner)
            }
        }
    }
}

impl PlannedRun {
    fn reduce_with(
        mut self,
        mut runner: impl Runner + 'static,
    ) -> Result<ReducedProgram, ReductionError> {
        self.test_original(&mut runner)?;
        let run = reduce::start_run(RunSetup {
            script: self.script,
            jobs: self.jobs,
            options: self.options,
            confirm: true,
            ..RunSetup::new(self.version, runner, self.limit)
        })?;
        for happened in &run.events {
            let is_paused = matches!(happened, RunEvent::Paused { .. });
            let told = ReductionEvent::from_run_event(&happened);
            let goes_on = told.is_none_or(|told| (self.observer)(&told).is_continue());
            if is_paused || !goes_on {
                // Nobody would resume it. The run may have ended meanwhile.
                let _ = run.commands.send(EngineCommand::Stop);
            }
        }
        let last = run.wait_for_end().ok_or_else(ReductionError::engine_died)?;
        let reduced = ReducedProgram::from_snapshot(&last);
        match &last.state {
            RunState::Finished(FinishReason::Failed(reason)) => Err(ReductionError::TestFailed {
                reason: reason.clone(),
                best: Some(Box::new(reduced)),
            }),
            RunState::Finished(_) => Ok(reduced),
            _ => Err(ReductionError::engine_died()),
        }
    }

    /// The run needs an original that is interesting, and the limit its time.
    fn test_original(&mut self, runner: &mut impl Runner) -> Result<(), ReductionError> {
        runner.submit(TestJob {
            id: ORIGINAL,
            files: vec![(self.path.to_path_buf(), self.text.clone())],
            limits: self.limit.current_limits(),
            alone: false,
            fresh: true,
        });
        let result = runner.result_receiver().recv();
        let failed = |reason: String| ReductionError::TestFailed { reason, best: None };
        match result.map(|result| result.outcome) {
            Ok(TestOutcome::Verdict(Verdict::Interesting, run)) => {
                self.limit.on_interesting(run.time, run.cpu);
                Ok(())
            }
            Ok(TestOutcome::Verdict(..)) => Err(ReductionError::NotInteresting),
            Ok(TestOutcome::NoVerdict(why)) => Err(failed(why.to_string())),
            Ok(TestOutcome::Cancelled) | Err(_) => Err(failed("it was withdrawn".into())),
        }
    }
}

impl ReducedProgram {
    fn from_snapshot(last: &RunSnapshot) -> ReducedProgram {
        let claim = last.claim.as_ref();
        let document = last.version.documents().first();
        let text = document.map(|document| walk::render_text(&document.root));
        let (tokens, bytes) = last.original;
        ReducedProgram {
            size: ProgramSize {
                tokens: last.version.token_count(),
                bytes: last.version.byte_count(),
            },
            text: text.unwrap_or_default(),
            original: ProgramSize { tokens, bytes },
            tests: last.counts.tests,
            elapsed: last.now.saturating_duration_since(last.started),
            is_complete: last.state == RunState::Finished(FinishReason::Complete),
            is_minimal: claim.is_some_and(|claim| claim.minimal),
            certificate: claim.map(ToString::to_string).unwrap_or_default(),
        }
    }
}
