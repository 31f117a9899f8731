//! What `linux.rs` has, for systems that cannot do it.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::Duration;

use rustix::process::Pid;

/// A descriptor that is readable when the process has ended: none here, [`super::watch`] asks from time to time.
pub(super) fn exit_descriptor(_: Pid) -> Option<OwnedFd> {
    None
}

/// The processor time of a process that has ended: not known here.
pub(super) fn cpu_time(_: Pid) -> Option<Duration> {
    None
}

/// What processes have taken.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub cpu: Duration,
    pub tasks: u64,
    pub resident: u64,
}

/// What processes have taken that run: not known here.
pub(super) fn tally(_: Vec<Pid>) -> Option<Tally> {
    None
}

/// The memory of processes that run: not known here.
pub(super) fn memory_of_trees(_: Vec<Pid>) -> Option<u64> {
    None
}

/// Kills processes and all that descends from them: nothing here tells who they are.
pub(super) fn kill_trees(_: Vec<Pid>) {}

/// How much memory there is: not known here.
pub(super) fn memory() -> Option<u64> {
    None
}

/// How often the system had to kill a process for want of memory: not known here.
pub(super) fn kills_for_memory() -> Option<u64> {
    None
}

/// Makes a sandbox: only Linux can.
pub(super) fn enclose(_: &Path) -> io::Result<()> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "only Linux has what it is made of",
    ))
}

/// Begins in a sandbox: only Linux can.
pub(super) fn settle() -> io::Result<()> {
    enclose(Path::new("/"))
}

/// The children of a process: nothing here tells who they are.
pub(super) fn children(_: Pid) -> io::Result<Vec<Pid>> {
    Ok(Vec::new())
}

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
