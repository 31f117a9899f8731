//! What Linux can do and others cannot; `portable.rs` has the same functions for the others.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use rustc_hash::FxHashSet;
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal};

/// How often escaped processes are looked for: those that we find may have made others meanwhile.
const SWEEPS: u32 = 10;

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

/// User and system time of these processes, of all that descend from them, and of those that these have waited for, in steps of 10 ms
/// each. What ends meanwhile may be missed, and is never counted twice: whoever is read first is not read again.
pub(super) fn cpu_of_trees(roots: Vec<Pid>) -> Option<Duration> {
    let (mut seen, mut left) = (FxHashSet::default(), roots);
    let mut sum = Duration::ZERO;
    while let Some(pid) = left.pop() {
        if seen.insert(pid) {
            sum += cpu_time(pid).unwrap_or_default();
            left.extend(children(pid).unwrap_or_default());
        }
    }
    Some(sum)
}

/// The children of a process, zombies among them. One that comes or goes meanwhile may be missed, and others with it.
pub(super) fn children(pid: Pid) -> io::Result<Vec<Pid>> {
    let mut children = Vec::new();
    for task in fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero()))? {
        let list = match fs::read_to_string(task?.path().join("children")) {
            // A thread that has ended meanwhile.
            Err(error) if error.raw_os_error() == Some(Errno::SRCH.raw_os_error()) => continue,
            list => list?,
        };
        children.extend(
            list.split_ascii_whitespace()
                .filter_map(|number| Pid::from_raw(number.parse().ok()?)),
        );
    }
    Ok(children)
}

/// From now on whoever descends from this process and loses its parent becomes our child.
pub(super) fn become_reaper() -> io::Result<()> {
    let me = rustix::process::getpid();
    rustix::process::set_child_subreaper(Some(me))?;
    // A kernel may be built without the list, and then we could not find whom to kill.
    children(me).map(drop)
}

/// Kills all processes that were started by tests in `dir`, also those that left their process group: they are known by their TMPDIR,
/// which lies in it. Looks at all processes (milliseconds), so this is for tests that are suspected, and for the end of a run.
pub(super) fn kill_escaped(dir: &Path) {
    for _ in 0..SWEEPS {
        if !sweep(dir) {
            return;
        }
    }
}

/// Kills what it finds, and says whether it found anything.
fn sweep(dir: &Path) -> bool {
    let Ok(processes) = fs::read_dir("/proc") else {
        return false;
    };
    let numbers = processes
        .flatten()
        .filter_map(|process| process.file_name().to_str()?.parse().ok());
    let mut found = false;
    for pid in numbers.filter_map(Pid::from_raw) {
        // Only a look before the descriptor is made: by it we kill the process that we looked at, whoever has its number later.
        if !works_in(pid, dir) {
            continue;
        }
        let Some(process) = exit_descriptor(pid) else {
            continue;
        };
        found |= works_in(pid, dir)
            && rustix::process::pidfd_send_signal(&process, Signal::KILL).is_ok();
    }
    found
}

/// Whether the process has its TMPDIR in the directory. Of other users' processes and of those that have ended we do not know.
fn works_in(pid: Pid, dir: &Path) -> bool {
    let environment =
        fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).unwrap_or_default();
    let mut values = environment
        .split(|byte| *byte == 0)
        .filter_map(|variable| variable.strip_prefix(b"TMPDIR="));
    values.any(|path| Path::new(OsStr::from_bytes(path)).starts_with(dir))
}
