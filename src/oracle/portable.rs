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

/// The processor time of processes that run: not known here.
pub(super) fn cpu_of_trees(_: Vec<Pid>) -> Option<Duration> {
    None
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

/// Kills processes that left their group: nothing here tells whose they are.
pub(super) fn kill_escaped(_: &Path) {}
