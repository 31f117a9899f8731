//! One run of a part of a test: its directory, its processes as our children or a helper's, and the outcome.
//!
//! At the end of each stage, while all that the test has written is there, it is checked whether the disk has room. If not, what speaks against
//! the candidate may be about the disk, and is no verdict.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Resource, Signal, WaitOptions};

use super::cgroup::JoinedCgroups;
use super::helper::{HelperFailure, LostHelper, TestHelper};
use super::limit_tracker::LimitTracker;
use super::program_memory;
use super::property::{StageDecision, decide_stage};
use super::resource_monitor::ResourceMonitor;
use super::server::{self, ServerSeat};
use super::server_pipe::ServerAnswer;
use super::server_process::{ServerProcess, ServerQuestion};
use super::system;
use super::test::TestPart;
use super::test_command::{self, RunStep, RunStepError, TestCommand, TestCommandResult};
use super::test_dir::TestDir;
use super::wait::{self, CancelSignal, WakeReason};
use super::{
    NoVerdict, ScratchSpace, StageCommand, StageRun, TestExit, TestFile, TestIsolation,
    TestOutcome, TestOutput, TestRun, TestStage, TimeLimits, Verdict,
};

/// The processor time of faster tests is not measured: the system counts in steps of 10 ms.
const WORTH_MEASURING: Duration = Duration::from_millis(20);
/// How often a test is started whose helper is killed or stopped.
const ATTEMPTS: u32 = 3;
/// A disk with fewer free bytes counts as full.
const LEAST_ROOM: u64 = 64 << 10;

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

/// Where a test runs, and who looks after it.
pub(super) struct TestSetting<'a> {
    pub scratch: &'a ScratchSpace,
    pub isolation: &'a TestIsolation,
    /// Without one the test is a child of this process.
    pub helper: Option<&'a mut TestHelper>,
    /// Ends the test.
    pub cancel_signal: Option<&'a CancelSignal>,
    /// The server that may answer; without one, each candidate has a fresh process of it.
    pub server: Option<&'a mut ServerSeat>,
    /// What was found out about the test, for the user.
    pub notice: Option<String>,
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

/// Why there is no result of any stage.
pub(super) enum StageAbort {
    Finished(Box<TestOutcome>),
    HelperLost(LostHelper),
}

impl From<HelperFailure> for StageAbort {
    fn from(failure: HelperFailure) -> StageAbort {
        match failure {
            HelperFailure::Lost(lost) => StageAbort::HelperLost(lost),
            HelperFailure::Refused(reason) => reason.into(),
        }
    }
}

impl From<NoVerdict> for StageAbort {
    fn from(reason: NoVerdict) -> StageAbort {
        StageAbort::Finished(Box::new(TestOutcome::NoVerdict(reason)))
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
        full |= is_scratch_full(scratch.root_path());
        let decision = decide_stage(part.stages, part.matcher, &runs);
        // The disk may be the reason for a negative verdict then.
        if full && matches!(decision, StageDecision::Decided(..)) {
            return Err(disk_failure());
        }
        if !matches!(decision, StageDecision::Continue) {
            return Ok((runs, decision));
        }
    }
    Ok((runs, StageDecision::Continue))
}

/// The directory of stages that are commands.
fn create_dir(setting: &mut TestSetting<'_>, files: &[TestFile]) -> Result<TestDir, StageAbort> {
    let lost = |error| NoVerdict::from_system_error("writing the candidate", &error);
    let room = match setting.helper.as_deref_mut() {
        Some(helper) => helper.ensure_directory().map_err(lost)?.cloned(),
        None => None,
    };
    Ok(TestDir::new(setting.scratch, files, room.as_ref()).map_err(lost)?)
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
        None => run_without_helper(&command, cancel_signal).map_err(NoVerdict::from)?,
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

/// Fails if the disk is full.
pub(super) fn check_disk(scratch: &ScratchSpace) -> Result<(), StageAbort> {
    match is_scratch_full(scratch.root_path()) {
        true => Err(disk_failure()),
        false => Ok(()),
    }
}

fn disk_failure() -> StageAbort {
    let full = io::Error::from(Errno::NOSPC);
    NoVerdict::from_system_error("running the test", &full).into()
}

/// Whether the disk is full. Must be checked before the test's files are removed.
fn is_scratch_full(scratch: &Path) -> bool {
    let disk = rustix::fs::statvfs(scratch);
    disk.is_ok_and(|disk| disk.f_bavail.saturating_mul(disk.f_frsize) < LEAST_ROOM)
}

/// The verdict of the stages that ran, and all of them as one run.
fn combine_outcome(
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

/// Runs a test as a child of this process, which may have other children.
fn run_without_helper(
    command: &TestCommand,
    cancel_signal: Option<&CancelSignal>,
) -> TestCommandResult {
    let mut test = command.spawn_test(false)?;
    let used = || system::tree_usage(vec![test.pid]).map(|taken| taken.cpu);
    let monitor = ResourceMonitor {
        quotas: command.quotas,
        dirs: &[&command.dir],
        roots: &|| vec![test.pid],
        cgroups: &JoinedCgroups::default(),
    };
    let mut tracker = LimitTracker::new(test.begin, command.limits, &used, Some(&monitor));
    let woken = wait::wait_for_test(
        test.pid,
        test.exit.as_ref(),
        &mut test.output,
        cancel_signal.map(CancelSignal::poll_descriptor),
        &mut tracker,
    );
    let time = test
        .begin
        .elapsed()
        .saturating_sub(tracker.suspended_time());
    let cpu = if time < WORTH_MEASURING {
        None
    } else {
        system::cpu_time(test.pid)
    };
    let wait_error = |error| RunStepError {
        step: RunStep::Wait,
        error,
    };
    let status = kill_and_wait(test.pid).map_err(wait_error)?;
    if !test.output.drain_pipe() {
        // Either the last process of the group is still dying, or one has left the group and holds the pipe open.
        system::kill_escaped(&command.dir);
    }
    let woken = woken.map_err(wait_error)?;
    Ok((woken != WakeReason::Cancelled).then(|| TestRun {
        exit: test_command::final_exit(
            woken,
            status,
            cpu,
            command.limits,
            tracker.exceeded_at_exit(),
        ),
        time,
        cpu,
        output: test.output.into_output(),
    }))
}

/// Asks a new server about a candidate, as a child of this process.
pub(super) fn ask_without_helper(
    question: &ServerQuestion,
    cancel_signal: Option<&CancelSignal>,
) -> Result<Option<(TestRun, ServerAnswer)>, RunStepError> {
    let begin = Instant::now();
    let mut server = ServerProcess::start(&question.command, false)?;
    let pid = server.pid();
    let used = || system::tree_usage(vec![pid]).map(|taken| taken.cpu);
    let (quotas, limits) = (question.command.quotas, question.command.limits);
    let monitor = ResourceMonitor {
        quotas,
        dirs: &[&question.command.dir, question.candidate_dir()],
        roots: &|| vec![pid],
        cgroups: &JoinedCgroups::default(),
    };
    let mut tracker = LimitTracker::new(begin, limits, &used, Some(&monitor));
    let cancel_signal = cancel_signal.map(CancelSignal::poll_descriptor);
    let asked = server.ask_once(&question.candidate, cancel_signal, &mut tracker);
    let time = begin.elapsed().saturating_sub(tracker.suspended_time());
    let cpu = Some(time)
        .filter(|time| *time >= WORTH_MEASURING)
        .and_then(|_| used());
    let wait_error = |error| RunStepError {
        step: RunStep::Wait,
        error,
    };
    let status = kill_and_wait(pid).map_err(wait_error)?;
    let output = server.take_output();
    system::kill_escaped(&question.command.dir);
    let (woken, answer) = asked.map_err(wait_error)?;
    let status = match &answer {
        ServerAnswer::Status(status) => TestExit::Code(i32::from(*status)),
        ServerAnswer::Nothing | ServerAnswer::Malformed(_) => status,
    };
    let beyond = tracker.exceeded_at_exit();
    let run = TestRun {
        exit: test_command::final_exit(woken, status, cpu, limits, beyond),
        time,
        cpu,
        output,
    };
    Ok((woken != WakeReason::Cancelled).then_some((run, answer)))
}

/// Kills what is left of the test and its group. The child is reaped last: until then no other group can have its number.
fn kill_and_wait(pid: Pid) -> io::Result<TestExit> {
    // Both fail only if there is no such process.
    let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    // It may have left its group.
    let _ = rustix::process::kill_process(pid, Signal::KILL);
    loop {
        match rustix::process::waitpid(Some(pid), WaitOptions::empty()) {
            Ok(Some((_, status))) => return Ok(TestExit::from_status(status)),
            Ok(None) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
