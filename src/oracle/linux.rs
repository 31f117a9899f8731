//! What Linux can do and others cannot; `portable.rs` has the same functions for the others.

use std::fs;
use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::process::{Pid, PidfdFlags};

/// A descriptor that is readable when the process has ended; `None` on kernels before 5.3 or where it is forbidden.
pub(super) fn exit_descriptor(pid: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid, PidfdFlags::empty()).ok()
}

/// User and system time of a process that has ended and was not waited for yet, with that of the children it waited for.
pub(super) fn cpu_time(pid: Pid) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    // The second field is the program's name in parentheses and may contain anything; utime is the 14th, then stime, cutime, cstime.
    let (_, fields) = stat.rsplit_once(") ")?;
    let ticks = fields
        .split(' ')
        .skip(11)
        .take(4)
        .map(|field| field.parse::<u64>().ok())
        .sum::<Option<u64>>()?;
    Some(Duration::from_millis(
        ticks * 1000 / rustix::param::clock_ticks_per_second(),
    ))
}
