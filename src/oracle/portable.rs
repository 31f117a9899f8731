//! What `linux.rs` has, for systems that cannot do it.

use std::ffi::CStr;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;
use rustix::process::Pid;

use super::InterestingnessTest;
use super::process_usage::ProcessUsage;

/// A descriptor that is readable when the process has ended: none here, [`super::wait`] asks from time to time.
pub(super) fn exit_descriptor(_: Pid) -> Option<OwnedFd> {
    None
}

/// Kills the process of a descriptor: there are no such descriptors here.
pub(super) fn kill_process(_: &OwnedFd) {}

/// The processor time of a process that has ended: not known here.
pub(super) fn cpu_time(_: Pid) -> Option<Duration> {
    None
}

/// What processes have taken that run: not known here.
pub(super) fn tree_usage(_: Vec<Pid>) -> Option<ProcessUsage> {
    None
}

/// The memory of processes that run: not known here.
pub(super) fn tree_memory(_: Vec<Pid>) -> Option<u64> {
    None
}

/// Kills processes and all that descends from them: nothing here tells who they are.
pub(super) fn kill_trees(_: Pid, _: Vec<Pid>) {}

/// Kills what descends from a process: nothing here tells who that is.
pub(super) fn kill_descendants(_: Pid, _: Duration) {}

/// Kills the processes that a file lists: there is no such file here.
pub(super) fn kill_listed(_: &Path, _: Duration) {}

/// Whether a signal has stopped the process: not known here.
pub(super) fn is_stopped(_: Pid) -> bool {
    false
}

/// How much memory there is: not known here.
pub(super) fn available_memory() -> Option<u64> {
    None
}

/// How often the system had to kill a process for want of memory: not known here.
pub(super) fn oom_kill_count() -> Option<u64> {
    None
}

/// Makes a sandbox: only Linux can.
pub(super) fn enter_sandbox(_: &Path, _: &[PathBuf]) -> io::Result<()> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "only Linux has what it is made of",
    ))
}

/// Begins in a sandbox: only Linux can.
pub(super) fn complete_sandbox(_: &Path) -> io::Result<()> {
    enter_sandbox(Path::new("/"), &[])
}

/// What a test names of the directories that a sandbox hides: there are no sandboxes here.
pub(super) fn visible_paths(_: &InterestingnessTest, _: &[&Path]) -> Vec<PathBuf> {
    Vec::new()
}

/// The children of a process: nothing here tells who they are.
pub(super) fn child_processes(_: Pid) -> io::Result<Vec<Pid>> {
    Ok(Vec::new())
}

/// Gives up the terminal: no helper is any help here.
pub(super) fn leave_terminal() {}

/// Lets nobody look into this process: likewise.
pub(super) fn forbid_inspection() {}

/// Makes orphans our children: only Linux can.
pub(super) fn become_reaper() -> io::Result<()> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "this system leaves no orphans to a helper",
    ))
}

/// Goes on when the parent dies: there are no helpers here.
pub(super) fn outlive_parent() -> io::Result<()> {
    Ok(())
}

/// Kills processes that left their group: nothing here tells whose they are.
pub(super) fn kill_escaped(_: &Path) {}

/// Opens a directory of another, and nothing else: no link is followed, and what is mounted there is `XDEV`.
pub(super) fn open_below(
    parent: BorrowedFd<'_>,
    name: &CStr,
    how: OFlags,
) -> rustix::io::Result<OwnedFd> {
    let how = how | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let dir = rustix::fs::openat(parent, name, how, Mode::empty())?;
    match rustix::fs::fstat(&dir)?.st_dev == rustix::fs::fstat(parent)?.st_dev {
        true => Ok(dir),
        false => Err(Errno::XDEV),
    }
}

/// Gives us all permissions of a directory, and of nothing that a link leads to.
pub(super) fn permit_all(parent: BorrowedFd<'_>, name: &CStr) -> rustix::io::Result<()> {
    rustix::fs::chmodat(parent, name, Mode::RWXU, AtFlags::SYMLINK_NOFOLLOW)
}

/// Unmounts what is mounted over an entry of a directory: not done here.
pub(super) fn unmount(_: BorrowedFd<'_>, _: &CStr) -> rustix::io::Result<()> {
    Err(Errno::BUSY)
}
