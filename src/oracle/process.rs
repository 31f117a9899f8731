//! One run of a test: its directory, its process in ours or in a helper's care, and what came of it.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::time::Duration;

use rustix::process::{Pid, Resource, Signal};

use super::bounds::Bounds;
use super::cgroup::Inside;
use super::dir::TestDir;
use super::errand::{self, Done, Errand, Step, Trouble};
use super::gauge::Gauge;
use super::helper::Helper;
use super::system;
use super::watch::{self, Bell, Woken};
use super::{Care, Exit, Files, Limits, NoVerdict, Outcome, Run, Scratch, Test};

/// Tests that were faster have no processor time that could be told in steps of 10 ms.
const WORTH_MEASURING: Duration = Duration::from_millis(20);

/// Runs the test on the files and waits for its end, without a helper. The first file is the test's argument.
pub fn run_once(test: &Test, scratch: &Scratch, files: &Files, limits: Limits) -> Outcome {
    run(test, scratch, files, limits, &Care::default(), None, None)
}

/// Keeps this process and all tests from writing core dumps. To be called once, at the start.
pub fn forbid_core_dumps() {
    let mut limit = rustix::process::getrlimit(Resource::Core);
    limit.current = Some(0);
    // Lowering a limit is always allowed; were it not, a core dump would be a nuisance and no fault.
    let _ = rustix::process::setrlimit(Resource::Core, limit);
}

/// The same as [`run_once`], until the bell rings, and by the helper if there is one.
pub(super) fn run(
    test: &Test,
    scratch: &Scratch,
    files: &Files,
    limits: Limits,
    care: &Care,
    helper: Option<&mut Helper>,
    bell: Option<&Bell>,
) -> Outcome {
    let dir = match TestDir::new(scratch, files, care.sandbox) {
        Ok(dir) => dir,
        Err(error) => {
            return Outcome::NoVerdict(NoVerdict::system("writing the candidate", &error));
        }
    };
    let errand = Errand::new(test, &dir, limits, care.quotas);
    let done = match helper {
        Some(helper) => helper.run(&errand, bell),
        None => run_here(&errand, bell).map_err(NoVerdict::from),
    };
    match done {
        Ok(Some(run)) => Outcome::of(run),
        Ok(None) => Outcome::Cancelled,
        Err(reason) => Outcome::NoVerdict(reason),
    }
}

/// Runs a test as a child of this process, which may have other children.
fn run_here(errand: &Errand, bell: Option<&Bell>) -> Done {
    let mut test = errand.start(false)?;
    let used = || system::tally(vec![test.pid]).map(|taken| taken.cpu);
    let gauge = Gauge {
        quotas: errand.quotas,
        dir: &errand.dir,
        roots: &|| vec![test.pid],
        inside: &Inside::default(),
    };
    let mut bounds = Bounds::new(test.begin, errand.limits, &used, Some(&gauge));
    let woken = watch::watch(
        test.pid,
        test.exit.as_ref(),
        &mut test.tap,
        bell.map(Bell::hear),
        &mut bounds,
    );
    let time = test.begin.elapsed().saturating_sub(bounds.stopped());
    let cpu = if time < WORTH_MEASURING {
        None
    } else {
        system::cpu_time(test.pid)
    };
    let trouble = |error| Trouble {
        step: Step::Wait,
        error,
    };
    let status = end(&mut test.child, test.pid).map_err(trouble)?;
    if !test.tap.drain() {
        // Either the last of the group is still dying, or a process left the group and holds the pipe.
        system::kill_escaped(&errand.dir);
    }
    let woken = woken.map_err(trouble)?;
    Ok((woken != Woken::Cancelled).then(|| Run {
        exit: errand::exit(
            woken,
            exit_of(status),
            cpu,
            errand.limits,
            bounds.was_beyond(),
        ),
        time,
        cpu,
        output: test.tap.output(),
    }))
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
