//! Tests as children of this process, where there is no helper.

use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions};

use super::cgroup::JoinedCgroups;
use super::limit_tracker::LimitTracker;
use super::resource_monitor::ResourceMonitor;
use super::server_pipe::ServerAnswer;
use super::server_process::{ServerProcess, ServerQuestion};
use super::system;
use super::test_command::{self, RunStep, RunStepError, TestCommand, TestCommandResult};
use super::wait::{self, CancelSignal, WakeReason};
use super::{TestExit, TestRun};

/// The processor time of faster tests is not measured: the system counts in steps of 10 ms.
const WORTH_MEASURING: Duration = Duration::from_millis(20);

/// Runs a test as a child of this process, which may have other children.
pub(super) fn run_as_child(
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
pub(super) fn ask_child(
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
        ServerAnswer::Nothing | ServerAnswer::Ended | ServerAnswer::Malformed(_) => status,
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
fn kill_and_wait(pid: Pid) -> std::io::Result<TestExit> {
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
