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

/// How long the killed may take to die. Beyond that stands who waits for a broken disk, or belongs to someone else.
const PATIENCE: Duration = Duration::from_secs(2);

/// Where the system cannot tell of a process's end, we look so often.
const LOOK: Duration = Duration::from_millis(1);

/// So often it is enough to kill children; who has not ended then has many generations.
const ROUNDS: u32 = 2;

/// What is left of a test: nothing, or something that resists.
#[derive(Debug)]
pub(super) struct ReapResult {
    /// How the test's first process ended; none if it resists.
    pub status: Option<TestExit>,
    /// Whether all are gone.
    pub clean: bool,
}

/// Kills the group of `first`, then all children of this process until there are none. Each that dies leaves us its own, so this ends
/// with the last descendant. All must be children of this test, and this process must be a subreaper.
///
/// `first` is waited for after its group was killed: until then no other group can have its number.
///
/// Those that bear children faster than we kill them are kept from it, where a control group can.
pub(super) fn kill_and_reap(first: Pid, inside: &JoinedCgroups) -> io::Result<ReapResult> {
    let swept = kill_until_empty(first, inside);
    inside.allow_forks();
    swept
}

fn kill_until_empty(first: Pid, inside: &JoinedCgroups) -> io::Result<ReapResult> {
    // Fails only if there is nobody to kill.
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
        // Ours and not waited for: these numbers are nobody else's, nor are those of groups that they lead. Their own children come to
        // us when they die.
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

/// Waits for all that have ended. Says whether nobody is left.
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

/// Waits until one of the processes has ended, but not for ever.
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
