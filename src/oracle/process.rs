//! One run of a test as a process: start, wait, kill, clean up.

use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Signal};

use super::dir::TestDir;
use super::system;
use super::watch::{self, Bell, Tap, Woken};
use super::{Exit, Files, NoVerdict, Outcome, Run, Scratch, Test};

/// How often a test that is being written is tried, every millisecond.
const ATTEMPTS: u32 = 50;

/// Tests that were faster have no processor time that could be told in steps of 10 ms.
const WORTH_MEASURING: Duration = Duration::from_millis(20);

/// Runs the test on the files and waits for its end. The first file is the test's argument.
pub fn run_once(test: &Test, scratch: &Scratch, files: &Files, limit: Option<Duration>) -> Outcome {
    run(test, scratch, files, limit, None)
}

/// Keeps this process and all tests from writing core dumps. To be called once, at the start.
pub fn forbid_core_dumps() {
    let mut limit = rustix::process::getrlimit(Resource::Core);
    limit.current = Some(0);
    // Lowering a limit is always allowed; were it not, a core dump would be a nuisance and no fault.
    let _ = rustix::process::setrlimit(Resource::Core, limit);
}

/// The same as [`run_once`], until the bell rings.
pub(super) fn run(
    test: &Test,
    scratch: &Scratch,
    files: &Files,
    limit: Option<Duration>,
    bell: Option<&Bell>,
) -> Outcome {
    match try_run(test, scratch, files, limit, bell) {
        Ok(Some(run)) => Outcome::of(run),
        Ok(None) => Outcome::Cancelled,
        Err(reason) => Outcome::NoVerdict(reason),
    }
}

fn try_run(
    test: &Test,
    scratch: &Scratch,
    files: &Files,
    limit: Option<Duration>,
    bell: Option<&Bell>,
) -> Result<Option<Run>, NoVerdict> {
    let system = |doing| move |error: io::Error| NoVerdict::system(doing, &error);
    let dir = TestDir::new(scratch, files).map_err(system("writing the candidate"))?;
    let (read, write) = io::pipe().map_err(system("making a pipe"))?;
    let mut tap = Tap::new(read).map_err(system("making a pipe"))?;
    let errors = write.try_clone().map_err(system("making a pipe"))?;

    let mut command = test.command();
    command
        .args(dir.candidate())
        .current_dir(dir.work())
        .env("TMPDIR", dir.temporary());
    command
        .stdin(Stdio::null())
        .stdout(write)
        .stderr(errors)
        .process_group(0);
    let begin = Instant::now();
    let mut child = start(&mut command).map_err(|error| NoVerdict::spawn(&error))?;
    // With it go our copies of the pipe's writing end.
    drop(command);

    let pid = Pid::from_child(&child);
    let exit = system::exit_descriptor(pid);
    let deadline = limit.and_then(|limit| begin.checked_add(limit));
    let woken = watch::watch(pid, exit.as_ref(), &mut tap, bell, deadline);
    let time = begin.elapsed();
    let cpu = if time < WORTH_MEASURING {
        None
    } else {
        system::cpu_time(pid)
    };
    let status = end(&mut child, pid).map_err(system("waiting for the test"))?;
    if !tap.drain() {
        // Either the last of the group is still dying, or a process left the group and holds the pipe.
        system::kill_escaped(dir.path());
    }
    let exit = match woken.map_err(system("waiting for the test"))? {
        Woken::Exited => exit_of(status),
        Woken::Deadline => Exit::Killed,
        Woken::Cancelled => return Ok(None),
    };
    Ok(Some(Run {
        exit,
        time,
        cpu,
        output: tap.output(),
    }))
}

/// Starts a process; nobody else may be writing its file.
///
/// Another thread's child holds copies of all our descriptors until it becomes its own program. If one of them is a file that was
/// just written, it cannot be executed for that moment.
pub(super) fn start(command: &mut Command) -> io::Result<Child> {
    for _ in 1..ATTEMPTS {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                thread::sleep(Duration::from_millis(1))
            }
            started => return started,
        }
    }
    command.spawn()
}

/// Kills what is left of the test and its group. The child is waited for last: until then no other group can have its number.
fn end(child: &mut Child, pid: Pid) -> io::Result<ExitStatus> {
    // Both fail only if there is nothing to kill.
    let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    // It may have left its group.
    let _ = child.kill();
    child.wait()
}

fn exit_of(status: ExitStatus) -> Exit {
    match status.code() {
        Some(code) => Exit::Code(code),
        None => Exit::Signal(status.signal().unwrap_or_default()),
    }
}
