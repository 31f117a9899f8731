//! The functions of `linux.rs` for systems that do not support them.

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

/// A descriptor that is readable when the process has ended: none here, [`super::wait`] polls.
pub(super) fn exit_descriptor(_: Pid) -> Option<OwnedFd> {
    None
}

/// Kills the process of a descriptor: there are no such descriptors here.
pub(super) fn kill_process(_: &OwnedFd) {}

/// The processor time of a zombie: not known here.
pub(super) fn cpu_time(_: Pid) -> Option<Duration> {
    None
}

/// The resource usage of running processes: not known here.
pub(super) fn tree_usage(_: Vec<Pid>) -> Option<ProcessUsage> {
    None
}

/// The memory of running processes: not known here.
pub(super) fn tree_memory(_: Vec<Pid>) -> Option<u64> {
    None
}

/// Kills processes and their descendants: these are not known here.
pub(super) fn kill_trees(_: Pid, _: Vec<Pid>) {}

/// Kills the descendants of a process: these are not known here.
pub(super) fn kill_descendants(_: Pid, _: Duration) {}

/// Kills the processes that a file lists: no such file exists here.
pub(super) fn kill_listed(_: &Path, _: Duration) {}

/// Whether a signal has stopped the process: not known here.
pub(super) fn is_stopped(_: Pid) -> bool {
    false
}

/// The memory of the machine: not known here.
pub(super) fn available_memory() -> Option<u64> {
    None
}

/// How often the system has killed a process because memory was short: not known here.
pub(super) fn oom_kill_count() -> Option<u64> {
    None
}

/// Makes a sandbox: only on Linux.
pub(super) fn enter_sandbox(_: &Path, _: &[PathBuf]) -> io::Result<()> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "sandboxes need Linux",
    ))
}

/// Completes a sandbox: only on Linux.
pub(super) fn complete_sandbox(_: &Path) -> io::Result<()> {
    enter_sandbox(Path::new("/"), &[])
}

/// The entries of hidden directories that a test mentions: there are no sandboxes here.
pub(super) fn visible_paths(_: &InterestingnessTest, _: &[&Path]) -> Vec<PathBuf> {
    Vec::new()
}

/// The children of a process: not known here.
pub(super) fn child_processes(_: Pid) -> io::Result<Vec<Pid>> {
    Ok(Vec::new())
}

/// Gives up the terminal: there are no helpers here.
pub(super) fn leave_terminal() {}

/// Forbids other processes to inspect this one: there are no helpers here.
pub(super) fn forbid_inspection() {}

/// Makes orphans our children: only on Linux.
pub(super) fn become_reaper() -> io::Result<()> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "this system does not give orphaned processes to a helper",
    ))
}

/// Continues when the parent dies: there are no helpers here.
pub(super) fn outlive_parent() -> io::Result<()> {
    Ok(())
}

/// Kills processes that left their group: these are not known here.
pub(super) fn kill_escaped(_: &Path) {}

/// Opens a directory inside another one. A link is not followed, and a mount point is the error `XDEV`.
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

/// Gives us all permissions of a directory. A link is not followed.
pub(super) fn permit_all(parent: BorrowedFd<'_>, name: &CStr) -> rustix::io::Result<()> {
    rustix::fs::chmodat(parent, name, Mode::RWXU, AtFlags::SYMLINK_NOFOLLOW)
}

/// Unmounts a mount over an entry of a directory: not supported here.
pub(super) fn unmount(_: BorrowedFd<'_>, _: &CStr) -> rustix::io::Result<()> {
    Err(Errno::BUSY)
}
