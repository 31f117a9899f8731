//! What Linux can do and others cannot; `portable.rs` has the same functions for the others.

use std::ffi::{CStr, OsStr};
use std::fs;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;
use rustix::fs::{AtFlags, CWD, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;
use rustix::mount::{MountPropagationFlags, UnmountFlags, mount_change};
use rustix::process::{DumpableBehavior, Pid, PidfdFlags, Signal};
use smallvec::SmallVec;

use super::process_usage::ProcessUsage;
pub(super) use super::sandbox::{complete_sandbox, enter_sandbox, visible_paths};
use super::syscalls;

/// How often escaped processes are looked for: those that we find may have made others meanwhile.
const SWEEPS: u32 = 10;

/// A descriptor that is readable when the process has ended; `None` on kernels before 5.3 or where it is forbidden.
pub(super) fn exit_descriptor(pid: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid, PidfdFlags::empty()).ok()
}

/// Kills the process of this descriptor; it may have ended.
pub(super) fn kill_process(descriptor: &OwnedFd) {
    let _ = rustix::process::pidfd_send_signal(descriptor, Signal::KILL);
}

/// What one process has taken; of one that has ended and was not waited for only its time is left.
fn process_usage(pid: Pid) -> Option<ProcessUsage> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    // The second field is the program's name in parentheses and may contain anything. The third is the state, utime is the 14th, then
    // stime, cutime, cstime; the 20th are threads, the 24th resident pages.
    let (_, fields) = stat.rsplit_once(") ")?;
    let fields: SmallVec<[&str; 64]> = fields.split(' ').collect();
    let number = |at: usize| fields.get(at - 3)?.parse::<u64>().ok();
    let ticks = (14..18).map(number).sum::<Option<u64>>()?;
    let dead = matches!(fields.first(), Some(&("Z" | "X")));
    Some(ProcessUsage {
        cpu: Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second()),
        tasks: if dead { 0 } else { number(20)? },
        resident: number(24)? * rustix::param::page_size() as u64,
    })
}

/// User and system time of a process that has ended and was not waited for yet, with that of the children it waited for.
pub(super) fn cpu_time(pid: Pid) -> Option<Duration> {
    process_usage(pid).map(|taken| taken.cpu)
}

/// What these processes and all that descend from them have taken. What ends meanwhile may be missed, and is never counted twice:
/// whoever is read first is not read again.
pub(super) fn tree_usage(roots: Vec<Pid>) -> Option<ProcessUsage> {
    let mut sum = ProcessUsage::default();
    for_each_in_tree(roots, |pid| {
        sum += process_usage(pid).unwrap_or_default();
    });
    Some(sum)
}

/// Their memory in bytes, in which a page that many share counts once; none if the system does not tell it of any.
pub(super) fn tree_memory(roots: Vec<Pid>) -> Option<u64> {
    let mut sum = None;
    for_each_in_tree(roots, |pid| {
        let path = format!("/proc/{}/smaps_rollup", pid.as_raw_nonzero());
        let text = fs::read_to_string(path).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("Pss:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        if let Some(kilobytes) = kilobytes {
            *sum.get_or_insert(0) += kilobytes * 1024;
        }
    });
    sum
}

/// Calls `each` for these processes and all that descend from them, parents first.
fn for_each_in_tree(roots: Vec<Pid>, mut each: impl FnMut(Pid)) {
    let (mut seen, mut left) = (FxHashSet::default(), roots);
    while let Some(pid) = left.pop() {
        if seen.insert(pid) {
            each(pid);
            left.extend(child_processes(pid).unwrap_or_default());
        }
    }
}

/// Kills these children of a process, and all that descends from them. Whoever is killed is known by a descriptor first, and then seen
/// to be a child of one of them still: nobody else can have its number.
pub(super) fn kill_trees(parent: Pid, children: Vec<Pid>) {
    let mut family = FxHashSet::from_iter([parent]);
    for_each_in_tree(children, |pid| {
        let Some(process) = exit_descriptor(pid) else {
            return;
        };
        if parent_of(pid).is_some_and(|parent| family.contains(&parent)) {
            family.insert(pid);
            // It may have ended.
            let _ = rustix::process::pidfd_send_signal(&process, Signal::KILL);
        }
    });
}

/// Kills all that descends from a child of ours which may be stopped, but not itself. It must be a reaper, so that whoever of them loses
/// its parent is found below it again. Gives up after `most`.
pub(super) fn kill_descendants(reaper: Pid, most: Duration) {
    let until = Instant::now() + most;
    while Instant::now() < until {
        let mut left = child_processes(reaper).unwrap_or_default();
        left.retain(|child| {
            process_state(*child).is_some_and(|state| !matches!(state, ProcessState::Ended))
        });
        if left.is_empty() {
            return;
        }
        kill_trees(reaper, left);
        thread::sleep(Duration::from_millis(1));
    }
}

/// Kills the processes whose numbers are in a file that the kernel writes, until there are none. Whoever is killed is known by a
/// descriptor first, and then seen to be listed still. Gives up after `most`.
pub(super) fn kill_listed(list: &Path, most: Duration) {
    let listed = || -> Vec<Pid> {
        let text = fs::read_to_string(list).unwrap_or_default();
        let numbers = text.lines().filter_map(|line| line.parse().ok());
        numbers.filter_map(Pid::from_raw).collect()
    };
    let until = Instant::now() + most;
    loop {
        let found = listed().into_iter();
        let found = found.map(|pid| (pid, exit_descriptor(pid)));
        let found: Vec<(Pid, Option<OwnedFd>)> = found.collect();
        if found.is_empty() || Instant::now() >= until {
            return;
        }
        let still = listed();
        for (_, process) in found.iter().filter(|(pid, _)| still.contains(pid)) {
            // It may have ended.
            let _ = process
                .as_ref()
                .map(|process| rustix::process::pidfd_send_signal(process, Signal::KILL));
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// The state of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProcessState {
    /// It runs, or waits for something.
    Alive,
    /// A signal has stopped it.
    Stopped,
    /// It has ended, and nobody has waited for it yet.
    Ended,
}

/// Whether a signal has stopped the process.
pub(super) fn is_stopped(pid: Pid) -> bool {
    process_state(pid) == Some(ProcessState::Stopped)
}

/// The state of a process; none if there is no such process.
fn process_state(pid: Pid) -> Option<ProcessState> {
    Some(match stat_field(pid, 0)?.as_str() {
        "T" | "t" => ProcessState::Stopped,
        "Z" | "X" => ProcessState::Ended,
        _ => ProcessState::Alive,
    })
}

fn parent_of(pid: Pid) -> Option<Pid> {
    Pid::from_raw(stat_field(pid, 1)?.parse().ok()?)
}

/// What the system tells of a process behind its name, which may contain anything.
fn stat_field(pid: Pid, number: usize) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    let (_, fields) = stat.rsplit_once(") ")?;
    fields.split(' ').nth(number).map(str::to_owned)
}

/// How much memory there is for this process and all others, in bytes: that of the machine, or what its control groups leave.
pub(super) fn available_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let all = line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024;
    Some(super::cgroup::memory_limit().map_or(all, |limit| limit.min(all)))
}

/// How often the system had to kill a process for want of memory, in all.
pub(super) fn oom_kill_count() -> Option<u64> {
    let text = fs::read_to_string("/proc/vmstat").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("oom_kill "))?;
    line.parse().ok()
}

/// The children of a process, zombies among them. One that comes or goes meanwhile may be missed, and others with it.
pub(super) fn child_processes(pid: Pid) -> io::Result<Vec<Pid>> {
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

/// Gives up the terminal, if there is one, and so for all that is started from here. A session for each test would do so too, and cost
/// each of them a scheduling group.
pub(super) fn leave_terminal() {
    let flags = OFlags::RDONLY | OFlags::NOCTTY | OFlags::CLOEXEC;
    if let Ok(terminal) = rustix::fs::openat(CWD, "/dev/tty", flags, Mode::empty()) {
        syscalls::leave_terminal(terminal.as_fd());
    }
}

/// From now on other processes of the user may not look into this one, nor use what it has open: unless they are root's, whom nothing
/// stops but a sandbox.
pub(super) fn forbid_inspection() {
    // It always may.
    let _ = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable);
}

/// From now on whoever descends from this process and loses its parent becomes our child.
pub(super) fn become_reaper() -> io::Result<()> {
    let me = rustix::process::getpid();
    rustix::process::set_child_subreaper(Some(me))?;
    // A kernel may be built without the list, and then we could not find whom to kill.
    child_processes(me).map(drop)
}

/// From now on this process goes on when the one that started it dies, also if it was stopped, until it sees for itself that nobody is
/// there any more. The system tells a stopped group that loses its last tie to hang up, which would be the end before the test's; and
/// one that stops a moment later it does not tell at all.
pub(super) fn outlive_parent() -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::CONT))?;
    // Heard and not ignored: what is ignored the tests would ignore too.
    signal_hook::flag::register(Signal::HUP.as_raw(), Arc::default()).map(drop)
}

/// Kills all processes that were started by tests in `dir`, also those that left their process group: they are known by their TMPDIR,
/// which lies in it. Looks at all processes (milliseconds), so this is for tests that are suspected, and for the end of a run.
pub(super) fn kill_escaped(dir: &Path) {
    for _ in 0..SWEEPS {
        if !kill_processes_under(dir) {
            return;
        }
    }
}

/// Kills what it finds, and says whether it found anything.
fn kill_processes_under(dir: &Path) -> bool {
    let Ok(processes) = fs::read_dir("/proc") else {
        return false;
    };
    let numbers = processes
        .flatten()
        .filter_map(|process| process.file_name().to_str()?.parse().ok());
    let mut found = false;
    for pid in numbers.filter_map(Pid::from_raw) {
        // Only a look before the descriptor is made: by it we kill the process that we looked at, whoever has its number later.
        if !has_tmpdir_under(pid, dir) {
            continue;
        }
        let Some(process) = exit_descriptor(pid) else {
            continue;
        };
        found |= has_tmpdir_under(pid, dir)
            && rustix::process::pidfd_send_signal(&process, Signal::KILL).is_ok();
    }
    found
}

/// Whether the process has its TMPDIR in the directory. Of other users' processes and of those that have ended we do not know.
fn has_tmpdir_under(pid: Pid, dir: &Path) -> bool {
    let environment =
        fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).unwrap_or_default();
    let mut values = environment
        .split(|byte| *byte == 0)
        .filter_map(|variable| variable.strip_prefix(b"TMPDIR="));
    values.any(|path| Path::new(OsStr::from_bytes(path)).starts_with(dir))
}

/// Opens a directory of another, and nothing else: what a link leads to is `LOOP`, what is mounted there is `XDEV`.
pub(super) fn open_below(
    parent: BorrowedFd<'_>,
    name: &CStr,
    how: OFlags,
) -> rustix::io::Result<OwnedFd> {
    let how = how | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let only = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_XDEV;
    match rustix::fs::openat2(parent, name, how, Mode::empty(), only) {
        // The kernel is older than 5.6, or someone forbids the call.
        Err(Errno::NOSYS | Errno::PERM) => open_same_mount(parent, name, how),
        opened => opened,
    }
}

/// The same by the numbers of the mounts, before anything of the directory is read.
fn open_same_mount(
    parent: BorrowedFd<'_>,
    name: &CStr,
    how: OFlags,
) -> rustix::io::Result<OwnedFd> {
    let handle = rustix::fs::openat(parent, name, how | OFlags::PATH, Mode::empty())?;
    match mount_id(parent) {
        Some(number) if mount_id(handle.as_fd()) == Some(number) => {}
        _ => return Err(Errno::XDEV),
    }
    match how.contains(OFlags::PATH) {
        true => Ok(handle),
        false => rustix::fs::openat(handle, c".", how, Mode::empty()),
    }
}

/// The mount that a descriptor is in.
fn mount_id(descriptor: BorrowedFd<'_>) -> Option<u64> {
    let path = format!("/proc/self/fdinfo/{}", descriptor.as_raw_fd());
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("mnt_id:"))?;
    line.trim().parse().ok()
}

/// Gives us all permissions of a directory that [`open_below`] would open if it could be read.
pub(super) fn permit_all(parent: BorrowedFd<'_>, name: &CStr) -> rustix::io::Result<()> {
    let handle = open_below(parent, name, OFlags::PATH)?;
    rustix::fs::chmodat(CWD, descriptor_path(&handle), Mode::RWXU, AtFlags::empty())
}

/// Unmounts what is mounted over an entry of a directory; whoever uses it keeps it.
pub(super) fn unmount(parent: BorrowedFd<'_>, name: &CStr) -> rustix::io::Result<()> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let handle = rustix::fs::openat(parent, name, flags, Mode::empty())?;
    let point = descriptor_path(&handle);
    // Else what is unmounted below it would be unmounted wherever this is a copy of.
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change(&point, private)?;
    rustix::mount::unmount(&point, UnmountFlags::DETACH)
}

/// A path that leads to what the descriptor is of, wherever that lies.
fn descriptor_path(descriptor: &OwnedFd) -> String {
    format!("/proc/self/fd/{}", descriptor.as_raw_fd())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Old kernels cannot be asked to stay in a mount.
    #[test]
    fn what_is_mounted_is_told_from_what_lies_there_in_both_ways() {
        let dir = tempfile::tempdir().expect("a directory");
        fs::create_dir(dir.path().join("below")).expect("a directory");
        std::os::unix::fs::symlink(".", dir.path().join("link")).expect("a link");
        let open = |path: &Path| fs::File::open(path).expect("a directory");
        let (root, own) = (open(Path::new("/")), open(dir.path()));
        for how in [OFlags::RDONLY, OFlags::PATH] {
            for open in [open_below, open_same_mount] {
                let how = how | OFlags::DIRECTORY | OFlags::NOFOLLOW;
                let tried =
                    |parent: &fs::File, name: &CStr| open(parent.as_fd(), name, how).map(drop);
                assert_eq!(tried(&own, c"below"), Ok(()));
                assert_eq!(tried(&own, c"missing"), Err(Errno::NOENT));
                assert_eq!(tried(&root, c"proc"), Err(Errno::XDEV));
                let link = tried(&own, c"link").expect_err("a link");
                assert!(matches!(link, Errno::LOOP | Errno::NOTDIR), "{link}");
            }
        }
    }
}
