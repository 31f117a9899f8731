//! One run of a test: its directory, its process in ours or in a helper's care, and what came of it.

use std::io;
use std::path::Path;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, Resource, Signal, WaitOptions};

use super::bounds::Bounds;
use super::cgroup::Inside;
use super::dir::TestDir;
use super::errand::{self, Done, Errand, Step, Trouble};
use super::gauge::Gauge;
use super::helper::{Helper, HelperFailure, LostHelper};
use super::look::Seen;
use super::property::{Ruling, rule};
use super::system;
use super::watch::{self, Bell, Woken};
use super::{
    Care, Exit, Files, Limits, NoVerdict, Outcome, Output, Run, Scratch, StageRun, Test, Verdict,
};

/// Tests that were faster have no processor time that could be told in steps of 10 ms.
const WORTH_MEASURING: Duration = Duration::from_millis(20);
/// How often a test is begun whose helper is killed or stopped.
const ATTEMPTS: u32 = 3;
/// With less than so many bytes free a disk is full.
const LEAST_ROOM: u64 = 64 << 10;

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
    look(test, scratch, files, limits, care, helper, bell).outcome
}

/// The same with what each stage did.
pub(super) fn look(
    test: &Test,
    scratch: &Scratch,
    files: &Files,
    limits: Limits,
    care: &Care,
    mut helper: Option<&mut Helper>,
    bell: Option<&Bell>,
) -> Seen {
    let mut times = 0;
    loop {
        times += 1;
        let over = match stages(
            test,
            scratch,
            files,
            limits,
            care,
            helper.as_deref_mut(),
            bell,
        ) {
            Ok((runs, ruling)) => {
                return Seen {
                    outcome: outcome(test, &runs, ruling),
                    runs,
                };
            }
            Err(Halt::Over(outcome)) => *outcome,
            // Asked again, with the files as they were.
            Err(Halt::Lost(_)) if times < ATTEMPTS => continue,
            Err(Halt::Lost(lost)) => Outcome::NoVerdict(NoVerdict::Unattended {
                reason: lost.to_string(),
                times,
            }),
        };
        return Seen {
            runs: Vec::new(),
            outcome: over,
        };
    }
}

/// Why no stage says anything.
enum Halt {
    Over(Box<Outcome>),
    Lost(LostHelper),
}

impl From<HelperFailure> for Halt {
    fn from(failure: HelperFailure) -> Halt {
        match failure {
            HelperFailure::Lost(lost) => Halt::Lost(lost),
            HelperFailure::Refused(reason) => reason.into(),
        }
    }
}

impl From<NoVerdict> for Halt {
    fn from(reason: NoVerdict) -> Halt {
        Halt::Over(Box::new(Outcome::NoVerdict(reason)))
    }
}

fn stages(
    test: &Test,
    scratch: &Scratch,
    files: &Files,
    limits: Limits,
    care: &Care,
    mut helper: Option<&mut Helper>,
    bell: Option<&Bell>,
) -> Result<(Vec<StageRun>, Ruling), Halt> {
    let lost = |error| NoVerdict::system("writing the candidate", &error);
    let room = match helper.as_deref_mut() {
        Some(helper) => helper.room().map_err(lost)?.cloned(),
        None => None,
    };
    let dir = TestDir::new(scratch, files, room.as_ref()).map_err(lost)?;
    let mut left = limits;
    let mut runs: Vec<StageRun> = Vec::with_capacity(test.stages().len());
    let mut full = false;
    for stage in test.stages() {
        let errand = Errand::new(stage, &dir, left, care.quotas);
        let done = match helper.as_deref_mut() {
            Some(helper) => helper.run(&errand, bell)?,
            None => run_here(&errand, bell).map_err(NoVerdict::from)?,
        };
        let Some(run) = done else {
            return Err(Halt::Over(Box::new(Outcome::Cancelled)));
        };
        left = left.after(run.time, run.cpu);
        let errors = errand.errors.as_deref().map(Output::of_file);
        runs.push(StageRun {
            run,
            errors: errors.unwrap_or_default(),
        });
        full |= is_full(scratch.root());
        let ruling = rule(test.stages(), test.judge(), &runs);
        // What a test says against a candidate may be about the disk then.
        if full && matches!(ruling, Ruling::Is(..)) {
            let full = io::Error::from(Errno::NOSPC);
            return Err(NoVerdict::system("running the test", &full).into());
        }
        if !matches!(ruling, Ruling::GoOn) {
            return Ok((runs, ruling));
        }
    }
    Ok((runs, Ruling::GoOn))
}

/// Whether there is no room left, to be asked as long as what the test has written is there.
fn is_full(scratch: &Path) -> bool {
    let disk = rustix::fs::statvfs(scratch);
    disk.is_ok_and(|disk| disk.f_bavail.saturating_mul(disk.f_frsize) < LEAST_ROOM)
}

/// What the stages that ran mean, and all that they did as one run.
fn outcome(test: &Test, runs: &[StageRun], ruling: Ruling) -> Outcome {
    let (verdict, why) = match ruling {
        Ruling::GoOn => (Some(Verdict::Interesting), None),
        Ruling::Is(verdict, why) => (Some(verdict), why),
        Ruling::Failed => (None, None),
    };
    let run = whole(test, runs, why);
    match verdict {
        Some(verdict) => Outcome::Verdict(verdict, run),
        None => Outcome::NoVerdict(NoVerdict::TestFailed { run: Box::new(run) }),
    }
}

/// The last run, with the time of all, and with what all have printed.
fn whole(test: &Test, runs: &[StageRun], why: Option<String>) -> Run {
    let all = || runs.iter().map(|stage| &stage.run);
    let exit = all().next_back().map_or(Exit::Signal(0), |run| run.exit);
    let mut output = match runs {
        [alone] if alone.errors.is_empty() => alone.run.output.shortened(),
        many => {
            let mut output = Output::default();
            for (stage, ended) in test.stages().iter().zip(many) {
                output.push(format!("[lop: {}: {}]\n", stage.line, ended.run.exit).as_bytes());
                output.push(&ended.run.output.bytes());
                output.push(&ended.errors.bytes());
            }
            output
        }
    };
    if let Some(why) = why {
        output.push(format!("[lop: {why}]\n").as_bytes());
    }
    Run {
        exit,
        time: all().map(|run| run.time).sum(),
        cpu: all().map(|run| run.cpu).sum(),
        output,
    }
}

/// Runs a test as a child of this process, which may have other children.
fn run_here(errand: &Errand, bell: Option<&Bell>) -> Done {
    let mut test = errand.start(false)?;
    let used = || system::tally(vec![test.pid]).map(|taken| taken.cpu);
    let gauge = Gauge {
        quotas: errand.quotas,
        dirs: &[&errand.dir],
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
    let status = end(test.pid).map_err(trouble)?;
    if !test.tap.drain() {
        // Either the last of the group is still dying, or a process left the group and holds the pipe.
        system::kill_escaped(&errand.dir);
    }
    let woken = woken.map_err(trouble)?;
    Ok((woken != Woken::Cancelled).then(|| Run {
        exit: errand::exit(woken, status, cpu, errand.limits, bounds.was_beyond()),
        time,
        cpu,
        output: test.tap.output(),
    }))
}

/// Kills what is left of the test and its group. The child is waited for last: until then no other group can have its number.
fn end(pid: Pid) -> io::Result<Exit> {
    // Both fail only if there is nothing to kill.
    let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    // It may have left its group.
    let _ = rustix::process::kill_process(pid, Signal::KILL);
    loop {
        match rustix::process::waitpid(Some(pid), WaitOptions::empty()) {
            Ok(Some((_, status))) => return Ok(Exit::of(status)),
            Ok(None) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
