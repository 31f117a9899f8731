//! The helper's side: `lop __run`.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::process::{Pid, Signal};

use super::frame;
use super::reap;
use super::resident::ResidentSlot;
use super::tools::{FinishedCommand, HelperTools, total_cpu_time};
use super::wire::{HelperGreeting, HelperReport, HelperRequest};
use super::{INSIDE, SANDBOX, SEEN, WORD};
use crate::oracle::cgroup::JoinedCgroups;
use crate::oracle::cleanup::OwnDir;
use crate::oracle::limit_tracker::LimitTracker;
use crate::oracle::private_dirs::LeftoverFiles;
use crate::oracle::server_pipe::ServerAnswer;
use crate::oracle::test_command::{self, RunStep, RunStepError, TestCommand};
use crate::oracle::wait::{self, WakeReason};
use crate::oracle::{TestExit, TestRun, forbid_core_dumps, syscalls, system};

/// How often a serving process without a client is woken.
const WAKES: Duration = Duration::from_secs(1);

/// Runs the tests that are requested on standard input until it is closed. Returns the exit status.
///
/// The process must have one thread and no children, and no other purpose.
pub fn run_helper() -> u8 {
    let words: Vec<OsString> = std::env::args_os().skip(2).collect();
    let (sandbox, cgroups) = match words.as_slice() {
        [word, room, rest @ ..] if *word == *SANDBOX => {
            let (seen, rest) = parse_visible_paths(rest);
            (HelperMode::CreateSandbox(room, seen), rest)
        }
        [word, room, rest @ ..] if *word == *INSIDE => (HelperMode::InsideSandbox(room), rest),
        rest => (HelperMode::Unsandboxed, rest),
    };
    // If this fails, only a helper that is stopped at a bad moment survives lop.
    let _ = system::outlive_parent();
    system::leave_terminal();
    // A helper inside a sandbox was started in its groups, and cannot join them itself.
    let inside =
        JoinedCgroups::join_groups(cgroups, !matches!(sandbox, HelperMode::InsideSandbox(_)));
    let served = match sandbox {
        HelperMode::CreateSandbox(room, seen) => {
            run_sandboxed(Path::new(room), &seen, cgroups, inside)
        }
        HelperMode::InsideSandbox(room) => {
            let settled = system::complete_sandbox(Path::new(room));
            HelperServer::new(inside, settled).and_then(|mut server| {
                server.tools.leftovers = Some(LeftoverFiles::new());
                server.greet_and_serve()
            })
        }
        HelperMode::Unsandboxed => run_supervised(inside),
    };
    match served {
        Ok(()) => 0,
        // There is nobody to report to.
        Err(_) => 2,
    }
}

/// How a helper runs.
enum HelperMode<'a> {
    /// It makes a sandbox and starts another helper in it. The directory is writable in it, and the paths stay visible.
    CreateSandbox(&'a OsString, Vec<PathBuf>),
    /// It is inside a sandbox, in which this directory is writable.
    InsideSandbox(&'a OsString),
    /// It runs without a sandbox.
    Unsandboxed,
}

/// Splits off the visible paths. Returns them and the other arguments.
fn parse_visible_paths(mut words: &[OsString]) -> (Vec<PathBuf>, &[OsString]) {
    let mut paths = Vec::new();
    while let [word, path, rest @ ..] = words
        && *word == *SEEN
    {
        paths.push(PathBuf::from(path));
        words = rest;
    }
    (paths, words)
}

/// Makes a sandbox and starts another helper in it, which serves instead of this one.
fn run_sandboxed(
    room: &Path,
    seen: &[PathBuf],
    cgroups: &[OsString],
    inside: JoinedCgroups,
) -> io::Result<()> {
    if let Err(error) = system::enter_sandbox(room, seen) {
        return report_unusable(inside, error);
    }
    // The kernel forgets the setting in a new user namespace.
    let _ = system::outlive_parent();
    let mut helper = Command::new(std::env::current_exe()?)
        .args([WORD, INSIDE])
        .arg(room)
        .args(cgroups)
        .spawn()?;
    await_server_exit(Pid::from_child(&helper))?;
    helper.wait()?;
    inside.leave_groups();
    Ok(())
}

/// Reports in the greeting why it cannot run tests, and ends.
fn report_unusable(inside: JoinedCgroups, trouble: io::Error) -> io::Result<()> {
    let mut server = HelperServer::new(inside, Err(trouble))?;
    let said = server.greet_and_serve();
    server.tools.cgroups.leave_groups();
    said
}

/// Forks. The child serves; this process waits for its end and kills what it leaves. Both are subreapers: if the child is killed, its
/// children become children of this process.
fn run_supervised(inside: JoinedCgroups) -> io::Result<()> {
    if let Err(error) = system::become_reaper() {
        return report_unusable(inside, error);
    }
    let Some(server) = syscalls::fork()? else {
        let served = HelperServer::new(inside, system::become_reaper());
        // The other process leaves the groups.
        return served.and_then(|mut server| server.greet_and_serve());
    };
    system::forbid_inspection();
    await_server_exit(server)?;
    let reaped = reap::kill_and_reap(server, &inside);
    inside.leave_groups();
    reaped.map(drop)
}

/// Waits for the end of the serving process without reaping it. When the requests are closed, it is sent SIGCONT until it ends, in case it
/// was stopped. It notices the closed requests itself.
fn await_server_exit(server: Pid) -> io::Result<()> {
    let (exit, requests) = (system::exit_descriptor(server), io::stdin());
    let mut is_alone = false;
    while !wait::has_exited(server)? {
        let exit = exit.as_ref().map(|exit| PollFd::new(exit, PollFlags::IN));
        // HUP is reported without being requested.
        let requests = (!is_alone).then(|| PollFd::new(&requests, PollFlags::empty()));
        let closed = usize::from(exit.is_some());
        let mut sources: Vec<PollFd<'_>> = exit.into_iter().chain(requests).collect();
        match rustix::event::poll(&mut sources, Some(&wait::to_timespec(WAKES))) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let closed = sources.get(closed);
        is_alone |= closed.is_some_and(|closed| closed.revents().contains(PollFlags::HUP));
        if is_alone {
            // It may have ended.
            let _ = rustix::process::kill_process(server, Signal::CONT);
        }
    }
    Ok(())
}

/// The serving process: the two pipes to the client, and what it needs for tests.
struct HelperServer {
    answers: File,
    tools: HelperTools,
    /// Why it cannot run tests.
    startup_error: Option<io::Error>,
    /// The test that stays alive.
    resident: ResidentSlot,
}

impl HelperServer {
    fn new(inside: JoinedCgroups, place: io::Result<()>) -> io::Result<HelperServer> {
        forbid_core_dumps();
        let tools = HelperTools::new(inside)?;
        Ok(HelperServer {
            // A copy without a buffer, as that of the requests.
            answers: File::from(io::stdout().as_fd().try_clone_to_owned()?),
            tools,
            startup_error: place.and_then(|()| system::become_reaper()).err(),
            resident: ResidentSlot::default(),
        })
    }

    fn greet_and_serve(&mut self) -> io::Result<()> {
        let readiness = match &self.startup_error {
            Some(trouble) => Err(trouble.to_string()),
            None => Ok(self.tools.cgroups.cgroup_limits()),
        };
        frame::write_message(&mut self.answers, &HelperGreeting::new(readiness))?;
        match self.startup_error {
            None => {
                let served = self.serve_requests();
                self.resident.abandon(&self.tools);
                served
            }
            Some(_) => Ok(()),
        }
    }

    fn serve_requests(&mut self) -> io::Result<()> {
        loop {
            self.resident.await_request(&self.tools);
            let Some(bytes) = frame::read_frame(&mut self.tools.requests)? else {
                return Ok(());
            };
            match frame::decode_message(&bytes)? {
                // It came after the end of its test.
                HelperRequest::Cancel => {}
                HelperRequest::Run(command) => {
                    self.handle_request(&[&command.dir], |server| server.run_command(&command))?;
                }
                HelperRequest::Ask(question) => {
                    let dirs = [&question.command.dir, question.candidate_dir()];
                    self.handle_request(&dirs, |server| {
                        server.resident.ask_server(&mut server.tools, &question)
                    })?;
                }
            }
        }
    }

    /// Runs a test in these directories and sends the report.
    fn handle_request(
        &mut self,
        dirs: &[&Path],
        run: impl FnOnce(&mut HelperServer) -> FinishedCommand,
    ) -> io::Result<()> {
        // Opened before the test can change the path to it.
        let dirs: Vec<_> = dirs.iter().map(|dir| OwnDir::at(dir)).collect();
        let FinishedCommand {
            result: done,
            answer,
            is_unusable,
            is_orphaned,
        } = run(self);
        let report = HelperReport::new(done, answer, process_cpu_time(), is_unusable);
        let told = if is_orphaned {
            Err(io::ErrorKind::BrokenPipe.into())
        } else {
            frame::write_message(&mut self.answers, &report)
        };
        if told.is_err() {
            // The client does not do it any more. What cannot be removed is removed by the next run.
            for dir in dirs.into_iter().flatten() {
                let _ = dir.remove();
            }
        }
        told
    }

    fn run_command(&mut self, command: &TestCommand) -> FinishedCommand {
        let before = syscalls::children_cpu_time();
        self.tools.cgroups.reset_counters();
        let mut test = match self.tools.start(|| command.spawn_test(true)) {
            Ok(test) => test,
            Err(trouble) => return FinishedCommand::failed(trouble),
        };
        let used = || Some(total_cpu_time()?.saturating_sub(before));
        let dirs = self.tools.writable_dirs(command);
        let monitor = self.tools.monitor(command.quotas, &dirs);
        let mut tracker = LimitTracker::new(test.begin, command.limits, &used, Some(&monitor));
        let woken = wait::wait_for_test(
            test.pid,
            test.exit.as_ref(),
            &mut test.output,
            Some(self.tools.requests.as_fd()),
            &mut tracker,
        );
        let time = test
            .begin
            .elapsed()
            .saturating_sub(tracker.suspended_time());
        let reaped = self.tools.end(test.pid);
        let beyond = tracker.exceeded_at_exit();
        // Only we can still write into it.
        drop(test.writer.take());
        test.output.drain_pipe();
        let cpu = syscalls::children_cpu_time().saturating_sub(before);
        let trouble = |error| RunStepError {
            step: RunStep::Wait,
            error,
        };
        let is_orphaned = matches!(woken, Ok(WakeReason::Cancelled)) && !self.tools.was_cancelled();
        let is_unusable = !reaped.as_ref().is_ok_and(|reaped| reaped.clean);
        let done = woken
            .and_then(|woken| Ok((woken, reaped?)))
            .map_err(trouble)
            .and_then(|(woken, reaped)| {
                if woken == WakeReason::Cancelled {
                    return Ok(None);
                }
                // A process that ended by itself has a status.
                let status = reaped.status.unwrap_or(TestExit::Signal(0));
                let exit =
                    test_command::final_exit(woken, status, Some(cpu), command.limits, beyond);
                self.tools.check_oom_kill(exit)?;
                Ok(Some(TestRun {
                    exit,
                    time,
                    cpu: Some(cpu),
                    output: test.output.into_output(),
                }))
            });
        FinishedCommand {
            result: done,
            answer: ServerAnswer::Nothing,
            is_unusable,
            is_orphaned,
        }
    }
}

/// User and system time of this process.
fn process_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(
        time.tv_sec.try_into().unwrap_or(0),
        time.tv_nsec.try_into().unwrap_or(0),
    )
}
