//! One run of a part of a test: its directory, its processes as our children or a helper's, and the outcome.
//!
//! At the end of each stage, while all that the test has written is there, it is checked whether the disk has room. If not, what speaks against
//! the candidate may be about the disk, and is no verdict.

use rustix::process::Resource;

use super::child;
use super::program_memory;
use super::property::{StageDecision, decide_stage};
use super::server;
use super::setting::{self, StageAbort, TestSetting};
use super::test::TestPart;
use super::test_command::TestCommand;
use super::test_dir::TestDir;
use super::{
    NoVerdict, StageCommand, StageRun, TestExit, TestFile, TestOutcome, TestOutput, TestRun,
    TestStage, TimeLimits, Verdict,
};

/// How often a test is started whose helper is killed or stopped.
const ATTEMPTS: u32 = 3;

/// The outcome of a run, with what each stage did.
#[derive(Debug)]
pub struct DetailedOutcome {
    /// The runs of the first stages, in order, as far as they ran one after the other; empty if there is no verdict.
    pub runs: Vec<StageRun>,
    /// The outcome of all stages. Commands without a property are interesting if no check failed.
    pub outcome: TestOutcome,
    /// As [`super::JobResult::tests_by_document`].
    pub tests_by_document: [u64; 2],
}

impl From<TestOutcome> for DetailedOutcome {
    fn from(outcome: TestOutcome) -> DetailedOutcome {
        DetailedOutcome {
            runs: Vec::new(),
            outcome,
            tests_by_document: [0; 2],
        }
    }
}

/// Forbids core dumps of this process and of all tests. To be called once, at the start.
pub fn forbid_core_dumps() {
    let mut limit = rustix::process::getrlimit(Resource::Core);
    limit.current = Some(0);
    // Lowering a limit is always allowed. If it failed, core dumps would only be a nuisance.
    let _ = rustix::process::setrlimit(Resource::Core, limit);
}

/// Runs the stages of one part in a new directory, which holds the files that they see.
pub(super) fn run_part(
    part: &TestPart<'_>,
    setting: &mut TestSetting<'_>,
    files: &[TestFile],
    limits: TimeLimits,
) -> DetailedOutcome {
    let mut times = 0;
    let (runs, outcome) = loop {
        times += 1;
        match run_stages(part, setting, files, limits) {
            Ok((runs, decision)) => {
                let outcome = combine_outcome(part.stages, &runs, decision);
                break (runs, outcome);
            }
            Err(StageAbort::Finished(outcome)) => break (Vec::new(), *outcome),
            // The test is run again with the original files.
            Err(StageAbort::HelperLost(_)) if times < ATTEMPTS => continue,
            Err(StageAbort::HelperLost(lost)) => {
                let reason = lost.to_string();
                let lost = NoVerdict::HelperLost { reason, times };
                break (Vec::new(), TestOutcome::NoVerdict(lost));
            }
        }
    };
    DetailedOutcome {
        runs,
        outcome,
        tests_by_document: [0, 1].map(|at| u64::from(part.view().document() == Some(at))),
    }
}

fn run_stages(
    part: &TestPart<'_>,
    setting: &mut TestSetting<'_>,
    files: &[TestFile],
    limits: TimeLimits,
) -> Result<(Vec<StageRun>, StageDecision), StageAbort> {
    let scratch = setting.scratch;
    let mut dir = None;
    let mut left = limits;
    let mut runs: Vec<StageRun> = Vec::with_capacity(part.stages.len());
    let mut full = false;
    for stage in part.stages {
        let done = match &stage.line {
            StageCommand::Serve(_) => {
                let run = server::run_server_stage(stage, part.servers, setting, files, left)?;
                run.map(StageRun::from)
            }
            _ => {
                let dir = match &mut dir {
                    Some(dir) => dir,
                    none => none.insert(create_dir(setting, files)?),
                };
                run_command_stage(stage, dir, setting, left)?
            }
        };
        let Some(run) = done else {
            return Err(StageAbort::Finished(Box::new(TestOutcome::Cancelled)));
        };
        left = left.remaining_after(run.run.time, run.run.cpu);
        runs.push(run);
        full |= setting::is_disk_full(scratch);
        let decision = decide_stage(part.stages, part.matcher, &runs);
        // The disk may be the reason for a negative verdict then.
        if full && matches!(decision, StageDecision::Decided(..)) {
            return Err(setting::disk_failure());
        }
        if !matches!(decision, StageDecision::Continue) {
            return Ok((runs, decision));
        }
    }
    Ok((runs, StageDecision::Continue))
}

/// The directory of stages that are commands.
fn create_dir(setting: &mut TestSetting<'_>, files: &[TestFile]) -> Result<TestDir, StageAbort> {
    let room = setting.ensure_room()?;
    TestDir::new(setting.scratch, files, room.as_ref()).map_err(setting::directory_failure)
}

/// Runs a stage that is a command in this directory. None if it was cancelled.
fn run_command_stage(
    stage: &TestStage,
    dir: &TestDir,
    setting: &mut TestSetting<'_>,
    limits: TimeLimits,
) -> Result<Option<StageRun>, StageAbort> {
    let command = TestCommand::new(stage, dir, limits, setting.isolation.quotas);
    let cancel_signal = setting.cancel_signal;
    let run = match setting.helper.as_deref_mut() {
        Some(helper) => helper.run_command(&command, cancel_signal)?,
        None => child::run_as_child(&command, cancel_signal).map_err(NoVerdict::from)?,
    };
    let errors = command.stderr_path.as_deref().map(TestOutput::from_file);
    Ok(run.map(|run| StageRun {
        run,
        errors: errors.unwrap_or_default(),
        program: command
            .stdout_path
            .as_deref()
            .and_then(program_memory::take_program),
    }))
}

/// The verdict of the stages that ran, and all of them as one run.
pub(super) fn combine_outcome(
    stages: &[TestStage],
    runs: &[StageRun],
    decision: StageDecision,
) -> TestOutcome {
    let (verdict, why) = match decision {
        StageDecision::Continue => (Some(Verdict::Interesting), None),
        StageDecision::Decided(verdict, why) => (Some(verdict), why),
        StageDecision::Failed => (None, None),
    };
    let run = merge_runs(stages, runs, why);
    match verdict {
        Some(verdict) => TestOutcome::Verdict(verdict, run),
        None => TestOutcome::NoVerdict(NoVerdict::TestFailed { run: Box::new(run) }),
    }
}

/// The last run, with the time and the output of all runs.
pub(super) fn merge_runs(stages: &[TestStage], runs: &[StageRun], why: Option<String>) -> TestRun {
    let all = || runs.iter().map(|stage| &stage.run);
    let exit = all()
        .next_back()
        .map_or(TestExit::Signal(0), |run| run.exit);
    let mut output = match runs {
        [alone] if alone.errors.is_empty() => alone.run.output.to_shortened(),
        many => {
            let mut output = TestOutput::default();
            for (stage, ended) in stages.iter().zip(many) {
                output.push(format!("[lop: {}: {}]\n", stage.line, ended.run.exit).as_bytes());
                output.push(&ended.run.output.to_bytes());
                output.push(&ended.errors.to_bytes());
            }
            output
        }
    };
    if let Some(why) = why {
        output.push(format!("[lop: {why}]\n").as_bytes());
    }
    TestRun {
        exit,
        time: all().map(|run| run.time).sum(),
        cpu: all().map(|run| run.cpu).sum(),
        output,
    }
}
