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
use super::oom_score::OomScore;
use super::reap;
use super::wire::{HelperGreeting, HelperReport, HelperRequest};
use super::{INSIDE, SANDBOX, SEEN, WORD};
use crate::oracle::cgroup::JoinedCgroups;
use crate::oracle::cleanup::OwnDir;
use crate::oracle::limit_tracker::LimitTracker;
use crate::oracle::private_dirs::LeftoverFiles;
use crate::oracle::resource_monitor::ResourceMonitor;
use crate::oracle::test_command::{
    self, RunStep, RunStepError, RunningTest, TestCommand, TestCommandResult,
};
use crate::oracle::wait::{self, WakeReason};
use crate::oracle::{LimitKind, TestExit, TestRun, forbid_core_dumps, syscalls, system};

/// How often one that serves nobody is woken.
const WAKES: Duration = Duration::from_secs(1);

/// Runs the tests that standard input asks for, until it is closed. The exit status.
///
/// The process must have one thread and no children, and belong to nobody else.
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
    // Without it only one that is stopped at a bad moment stays.
    let _ = system::outlive_parent();
    system::leave_terminal();
    // Who begins in a sandbox was born in its groups, and could not move.
    let inside =
        JoinedCgroups::join_groups(cgroups, !matches!(sandbox, HelperMode::InsideSandbox(_)));
    let served = match sandbox {
        HelperMode::CreateSandbox(room, seen) => {
            run_sandboxed(Path::new(room), &seen, cgroups, inside)
        }
        HelperMode::InsideSandbox(room) => {
            let settled = system::complete_sandbox(Path::new(room));
            HelperServer::new(inside, settled).and_then(|mut server| {
                server.leftovers = Some(LeftoverFiles::new());
                server.greet_and_serve()
            })
        }
        HelperMode::Unsandboxed => run_supervised(inside),
    };
    match served {
        Ok(()) => 0,
        // Nobody is there to be told.
        Err(_) => 2,
    }
}

/// Where a helper is.
enum HelperMode<'a> {
    /// It shall make a sandbox around another, in which this directory can be written, and these paths are seen where most is hidden.
    CreateSandbox(&'a OsString, Vec<PathBuf>),
    /// In a sandbox, in which this directory can be written.
    InsideSandbox(&'a OsString),
    /// In none.
    Unsandboxed,
}

/// The paths that are to be seen, and the rest of the words.
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

/// Makes a sandbox and starts another helper in it, which serves in our place.
fn run_sandboxed(
    room: &Path,
    seen: &[PathBuf],
    cgroups: &[OsString],
    inside: JoinedCgroups,
) -> io::Result<()> {
    if let Err(error) = system::enter_sandbox(room, seen) {
        return report_unusable(inside, error);
    }
    // A new user namespace has made it forgotten.
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

/// Says why it is no help, and ends.
fn report_unusable(inside: JoinedCgroups, trouble: io::Error) -> io::Result<()> {
    let mut server = HelperServer::new(inside, Err(trouble))?;
    let said = server.greet_and_serve();
    server.cgroups.leave_groups();
    said
}

/// Becomes two: one serves, and this one waits for its end and kills what it leaves. Both are reapers: whoever kills the one that
/// serves makes all that it has started children of this one.
fn run_supervised(inside: JoinedCgroups) -> io::Result<()> {
    if let Err(error) = system::become_reaper() {
        return report_unusable(inside, error);
    }
    let Some(server) = syscalls::fork()? else {
        let served = HelperServer::new(inside, system::become_reaper());
        // The groups are left by who remains.
        return served.and_then(|mut server| server.greet_and_serve());
    };
    system::forbid_inspection();
    await_server_exit(server)?;
    let reaped = reap::kill_and_reap(server, &inside);
    inside.leave_groups();
    reaped.map(drop)
}

/// Waits for the end of the one that serves, and leaves it to be reaped. When nobody asks any more it is woken until then, should it have
/// been stopped: it sees for itself that it shall end.
fn await_server_exit(server: Pid) -> io::Result<()> {
    let (exit, requests) = (system::exit_descriptor(server), io::stdin());
    let mut is_alone = false;
    while !wait::has_exited(server)? {
        let exit = exit.as_ref().map(|exit| PollFd::new(exit, PollFlags::IN));
        // A closed pipe is told whatever is asked about.
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

/// The two pipes to whoever asks.
struct HelperServer {
    requests: File,
    answers: File,
    cgroups: JoinedCgroups,
    /// Why it is no help.
    startup_error: Option<io::Error>,
    oom_score: Option<OomScore>,
    /// What its tests may leave where they can write in a sandbox.
    leftovers: Option<LeftoverFiles>,
    /// How often the system lacked memory until now.
    oom_kills: Option<u64>,
}

/// What became of a test, for ourselves.
struct FinishedCommand {
    result: TestCommandResult,
    is_unusable: bool,
    /// Nobody waits for the answer any more.
    is_orphaned: bool,
}

impl HelperServer {
    fn new(inside: JoinedCgroups, place: io::Result<()>) -> io::Result<HelperServer> {
        forbid_core_dumps();
        let readiness = OomScore::new();
        system::forbid_inspection();
        // Copies, without the buffers that the standard library has before the originals: a poll would not see what is in those.
        Ok(HelperServer {
            requests: File::from(io::stdin().as_fd().try_clone_to_owned()?),
            answers: File::from(io::stdout().as_fd().try_clone_to_owned()?),
            cgroups: inside,
            startup_error: place.and_then(|()| system::become_reaper()).err(),
            oom_score: readiness,
            leftovers: None,
            oom_kills: system::oom_kill_count(),
        })
    }

    fn greet_and_serve(&mut self) -> io::Result<()> {
        let readiness = match &self.startup_error {
            Some(trouble) => Err(trouble.to_string()),
            None => Ok(self.cgroups.cgroup_limits()),
        };
        frame::write_message(&mut self.answers, &HelperGreeting::new(readiness))?;
        match self.startup_error {
            None => self.serve_requests(),
            Some(_) => Ok(()),
        }
    }

    fn serve_requests(&mut self) -> io::Result<()> {
        while let Some(bytes) = frame::read_frame(&mut self.requests)? {
            // A cancellation that came after the end of its test has no effect.
            if let HelperRequest::Run(command) = frame::decode_message(&bytes)? {
                self.handle_command(&command)?;
            }
        }
        Ok(())
    }

    /// Runs a test and answers.
    fn handle_command(&mut self, command: &TestCommand) -> io::Result<()> {
        // As it is before the test has its hands on the way there.
        let dir = OwnDir::at(&command.dir);
        let FinishedCommand {
            result: done,
            is_unusable,
            is_orphaned,
        } = self.run_command(command);
        let report = HelperReport::new(done, process_cpu_time(), is_unusable);
        let told = if is_orphaned {
            Err(io::ErrorKind::BrokenPipe.into())
        } else {
            frame::write_message(&mut self.answers, &report)
        };
        if told.is_err() {
            // Nobody else does. What resists is removed by the next run.
            let _ = dir.and_then(|dir| dir.remove());
        }
        told
    }

    fn run_command(&mut self, command: &TestCommand) -> FinishedCommand {
        let before = syscalls::children_cpu_time();
        self.cgroups.reset_counters();
        let mut test = match self.spawn_test(command) {
            Ok(test) => test,
            Err(trouble) => {
                return FinishedCommand {
                    result: Err(trouble),
                    // An earlier test may have taken from us what it needs: another one begins with all of it.
                    is_unusable: true,
                    is_orphaned: false,
                };
            }
        };
        let used = || {
            // Read first: what we wait for later is counted once.
            let ended = syscalls::children_cpu_time().saturating_sub(before);
            let children = system::child_processes(rustix::process::getpid()).ok()?;
            Some(ended + system::tree_usage(children)?.cpu)
        };
        let dirs = self.writable_dirs(command);
        let monitor = ResourceMonitor {
            quotas: command.quotas,
            dirs: &dirs,
            roots: &|| system::child_processes(rustix::process::getpid()).unwrap_or_default(),
            cgroups: &self.cgroups,
        };
        let mut tracker = LimitTracker::new(test.begin, command.limits, &used, Some(&monitor));
        let woken = wait::wait_for_test(
            test.pid,
            test.exit.as_ref(),
            &mut test.output,
            Some(self.requests.as_fd()),
            &mut tracker,
        );
        let time = test
            .begin
            .elapsed()
            .saturating_sub(tracker.suspended_time());
        let reaped = reap::kill_and_reap(test.pid, &self.cgroups);
        let beyond = tracker.exceeded_at_exit();
        self.leftovers
            .iter()
            .for_each(LeftoverFiles::remove_leftovers);
        // All who could write are dead, but for us.
        drop(test.writer.take());
        test.output.drain_pipe();
        let cpu = syscalls::children_cpu_time().saturating_sub(before);
        let trouble = |error| RunStepError {
            step: RunStep::Wait,
            error,
        };
        let is_orphaned = matches!(woken, Ok(WakeReason::Cancelled)) && !self.was_cancelled();
        let is_unusable = !reaped.as_ref().is_ok_and(|reaped| reaped.clean);
        let done = woken
            .and_then(|woken| Ok((woken, reaped?)))
            .map_err(trouble)
            .and_then(|(woken, reaped)| {
                if woken == WakeReason::Cancelled {
                    return Ok(None);
                }
                // Who ended by itself has a status.
                let status = reaped.status.unwrap_or(TestExit::Signal(0));
                let exit =
                    test_command::final_exit(woken, status, Some(cpu), command.limits, beyond);
                self.check_oom_kill(exit)?;
                Ok(Some(TestRun {
                    exit,
                    time,
                    cpu: Some(cpu),
                    output: test.output.into_output(),
                }))
            });
        FinishedCommand {
            result: done,
            is_unusable: is_unusable,
            is_orphaned: is_orphaned,
        }
    }

    /// Where all that is the test's may be. In a sandbox that is a room, which has nothing else in it, and its own directories.
    fn writable_dirs<'a>(&'a self, command: &'a TestCommand) -> Vec<&'a Path> {
        match (&self.leftovers, command.dir.parent()) {
            (Some(leftovers), Some(room)) => leftovers.watched_dirs().chain([room]).collect(),
            _ => vec![&command.dir],
        }
    }

    /// Starts the test. Where memory is short the system shall rather kill something of the test than us, or lop.
    fn spawn_test(&self, command: &TestCommand) -> Result<RunningTest, RunStepError> {
        match &self.oom_score {
            Some(readiness) => readiness.with_raised_score(|| command.spawn_test(true)),
            None => command.spawn_test(true),
        }
    }

    /// Trouble if the test may have been killed because the machine lacked memory: that says nothing about the candidate.
    fn check_oom_kill(&mut self, exit: TestExit) -> Result<(), RunStepError> {
        // By itself, or as a shell tells of a command that was killed; or in its own control group, which is counted there as well.
        let own = exit == TestExit::Killed(LimitKind::Memory);
        if !own && !matches!(exit, TestExit::Signal(9) | TestExit::Code(137)) {
            return Ok(());
        }
        let kills = system::oom_kill_count();
        let lacked = !own && kills > self.oom_kills;
        self.oom_kills = kills;
        match lacked {
            true => Err(RunStepError {
                step: RunStep::Memory,
                error: Errno::NOMEM.into(),
            }),
            false => Ok(()),
        }
    }

    /// Reads what came while a test ran: it is called back, or there is nobody any more.
    fn was_cancelled(&mut self) -> bool {
        matches!(frame::read_frame(&mut self.requests), Ok(Some(_)))
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
