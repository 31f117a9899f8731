//! The end of a test: nobody is left of it.

use std::io;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions};

use crate::oracle::cgroup::JoinedCgroups;
use crate::oracle::wait::to_timespec;
use crate::oracle::{TestExit, system};

/// How long killed processes may take to die. Only one that waits for a broken disk, or belongs to another user, takes longer.
const PATIENCE: Duration = Duration::from_secs(2);

/// The polling interval where the system cannot report the end of a process.
const LOOK: Duration = Duration::from_millis(1);

/// The number of rounds that kill children only. Later rounds kill whole trees.
const ROUNDS: u32 = 2;

/// The result of killing a test.
#[derive(Debug)]
pub(super) struct ReapResult {
    /// How the test's first process ended; none if it could not be killed.
    pub status: Option<TestExit>,
    /// Whether all processes are gone.
    pub clean: bool,
}

/// Kills the group of `first`, then all children of this process until there are none. The children of a dead process become ours, so this
/// ends with the last descendant. All children must belong to this test, and this process must be a subreaper.
///
/// `first` is reaped after its group was killed: until then no other group can have its number.
///
/// Where there is a control group, it stops processes that fork faster than we kill them.
pub(super) fn kill_and_reap(first: Pid, inside: &JoinedCgroups) -> io::Result<ReapResult> {
    let swept = kill_until_empty(first, inside);
    inside.allow_forks();
    swept
}

fn kill_until_empty(first: Pid, inside: &JoinedCgroups) -> io::Result<ReapResult> {
    // Fails only if there is no such process.
    let _ = rustix::process::kill_process_group(first, Signal::KILL);
    let mut status = None;
    let (mut until, mut rounds) = (None, 0);
    loop {
        if reap_exited(first, &mut status)? {
            return Ok(ReapResult {
                status,
                clean: true,
            });
        }
        let until = *until.get_or_insert_with(|| Instant::now() + PATIENCE);
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(ReapResult {
                status,
                clean: false,
            });
        }
        if rounds > 0 {
            inside.forbid_forks();
        }
        rounds += 1;
        // They are our children and not reaped, so neither their numbers nor those of their groups can be reused. Their children become
        // ours when they die.
        let children = system::child_processes(rustix::process::getpid())?;
        for child in &children {
            let _ = rustix::process::kill_process(*child, Signal::KILL);
            let _ = rustix::process::kill_process_group(*child, Signal::KILL);
        }
        if rounds > ROUNDS {
            system::kill_trees(rustix::process::getpid(), children.clone());
        }
        wait_for_any(&children, left)?;
    }
}

/// Reaps all that have ended. Returns whether no child is left.
fn reap_exited(first: Pid, status: &mut Option<TestExit>) -> io::Result<bool> {
    loop {
        match rustix::process::wait(WaitOptions::NOHANG) {
            Ok(Some((pid, ended))) if pid == first => *status = Some(TestExit::from_status(ended)),
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) => return Ok(false),
            Err(Errno::CHILD) => return Ok(true),
            Err(error) => return Err(error.into()),
        }
    }
}

/// Waits a limited time until one of the processes has ended.
fn wait_for_any(processes: &[Pid], most: Duration) -> io::Result<()> {
    let descriptors: Vec<OwnedFd> = processes
        .iter()
        .filter_map(|pid| system::exit_descriptor(*pid))
        .collect();
    let most = if descriptors.len() == processes.len() && !processes.is_empty() {
        most
    } else {
        LOOK
    };
    let mut waiting: Vec<PollFd<'_>> = descriptors
        .iter()
        .map(|descriptor| PollFd::new(descriptor, PollFlags::IN))
        .collect();
    match rustix::event::poll(&mut waiting, Some(&to_timespec(most))) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
