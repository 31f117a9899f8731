//! What a helper needs for its tests: for those that end, and for one that stays alive.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::path::Path;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::Pid;

use super::frame;
use super::oom_score::OomScore;
use super::reap::{self, ReapResult};
use crate::oracle::cgroup::JoinedCgroups;
use crate::oracle::private_dirs::LeftoverFiles;
use crate::oracle::resource_monitor::ResourceMonitor;
use crate::oracle::server_pipe::ServerAnswer;
use crate::oracle::test_command::{RunStep, RunStepError, TestCommand, TestCommandResult};
use crate::oracle::{LimitKind, ResourceQuotas, TestExit, syscalls, system};

/// The place of the tests of a helper.
pub(super) struct HelperTools {
    /// What the client sends: also while a test runs.
    pub requests: File,
    /// The groups that limit its tests.
    pub cgroups: JoinedCgroups,
    oom_score: Option<OomScore>,
    /// What its tests may leave in the writable places of a sandbox.
    pub leftovers: Option<LeftoverFiles>,
    /// How often the system has killed a process for lack of memory.
    oom_kills: Option<u64>,
}

/// The result of a test, and what it means for the helper.
pub(super) struct FinishedCommand {
    pub result: TestCommandResult,
    /// What a server said.
    pub answer: ServerAnswer,
    pub is_unusable: bool,
    /// The client is gone.
    pub is_orphaned: bool,
}

impl FinishedCommand {
    /// A test that could not be run. An earlier test may have used up a resource of this process. A new helper has all of it.
    pub(super) fn failed(error: RunStepError) -> FinishedCommand {
        FinishedCommand {
            result: Err(error),
            answer: ServerAnswer::Nothing,
            is_unusable: true,
            is_orphaned: false,
        }
    }
}

impl HelperTools {
    /// For a helper in these groups, which gets its requests on standard input.
    pub(super) fn new(cgroups: JoinedCgroups) -> io::Result<HelperTools> {
        let oom_score = OomScore::new();
        system::forbid_inspection();
        Ok(HelperTools {
            // A copy without the buffer of the standard library: a poll would not see what is in a buffer.
            requests: File::from(io::stdin().as_fd().try_clone_to_owned()?),
            cgroups,
            oom_score,
            leftovers: None,
            oom_kills: system::oom_kill_count(),
        })
    }

    /// The directories that the test can write in. In a sandbox these are the helper's directory, which has nothing else in it, and the
    /// private ones.
    pub(super) fn writable_dirs<'a>(&'a self, command: &'a TestCommand) -> Vec<&'a Path> {
        match (&self.leftovers, command.dir.parent()) {
            (Some(leftovers), Some(room)) => leftovers.watched_dirs().chain([room]).collect(),
            _ => vec![&command.dir],
        }
    }

    /// Measures a test of this helper, which can write in these directories.
    pub(super) fn monitor<'a>(
        &'a self,
        quotas: ResourceQuotas,
        dirs: &'a [&'a Path],
    ) -> ResourceMonitor<'a> {
        ResourceMonitor {
            quotas,
            dirs,
            roots: &own_children,
            cgroups: &self.cgroups,
        }
    }

    /// Starts a test. If memory is short, the system should kill a process of the test and not the helper or lop.
    pub(super) fn start<T>(
        &self,
        start: impl FnOnce() -> Result<T, RunStepError>,
    ) -> Result<T, RunStepError> {
        match &self.oom_score {
            Some(readiness) => readiness.with_raised_score(start),
            None => start(),
        }
    }

    /// Ends a test and all that it has started, and removes what it leaves in the writable places of a sandbox.
    pub(super) fn end(&self, first: Pid) -> io::Result<ReapResult> {
        let reaped = reap::kill_and_reap(first, &self.cgroups);
        self.leftovers
            .iter()
            .for_each(LeftoverFiles::remove_leftovers);
        reaped
    }

    /// An error if the test may have been killed because the machine lacked memory, which says nothing about the candidate.
    pub(super) fn check_oom_kill(&mut self, exit: TestExit) -> Result<(), RunStepError> {
        // The test itself, or a command that its shell reports; or in its own control group, which counts it as well.
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

    /// Reads what came while a test ran: true for a cancellation, false if the client is gone.
    pub(super) fn was_cancelled(&mut self) -> bool {
        matches!(frame::read_frame(&mut self.requests), Ok(Some(_)))
    }
}

/// Processor time of all that this process has started.
pub(super) fn total_cpu_time() -> Option<Duration> {
    // Read first, so that a process that ends meanwhile is not counted twice.
    let ended = syscalls::children_cpu_time();
    let children = system::child_processes(rustix::process::getpid()).ok()?;
    Some(ended + system::tree_usage(children)?.cpu)
}

fn own_children() -> Vec<Pid> {
    system::child_processes(rustix::process::getpid()).unwrap_or_default()
}
