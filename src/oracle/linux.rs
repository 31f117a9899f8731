//! System calls of Linux only. `portable.rs` has the same functions for other systems.

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
use rustix::event::{PollFd, PollFlags};
use rustix::fs::{AtFlags, CWD, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;
use rustix::mount::{MountPropagationFlags, UnmountFlags, mount_change};
use rustix::process::{DumpableBehavior, Pid, PidfdFlags, Signal};
use smallvec::SmallVec;

use super::process_usage::ProcessUsage;
pub(super) use super::sandbox::{complete_sandbox, enter_sandbox, visible_paths};
use super::syscalls;
use super::wait::to_timespec;

/// How long we kill escaped processes and wait for their end. A process in an uninterruptible call does not end.
const ESCAPED_PATIENCE: Duration = Duration::from_secs(2);

/// How many searches in a row must find no escaped process. One is not enough: a process that is just starting another program shows no
/// environment for a moment.
const EMPTY_SWEEPS: u32 = 2;

/// A descriptor that is readable when the process has ended. `None` on kernels before 5.3, or if the call is forbidden.
pub(super) fn exit_descriptor(pid: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid, PidfdFlags::empty()).ok()
}

/// Kills the process of this descriptor; it may have ended.
pub(super) fn kill_process(descriptor: &OwnedFd) {
    let _ = rustix::process::pidfd_send_signal(descriptor, Signal::KILL);
}

/// The resource usage of one process. Of a zombie only its processor time is left.
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

/// User and system time of a zombie, with that of the children it waited for.
pub(super) fn cpu_time(pid: Pid) -> Option<Duration> {
    process_usage(pid).map(|usage| usage.cpu)
}

/// The resource usage of these processes and all their descendants. A process that ends meanwhile may be missed, but none is counted
/// twice: each is read once.
pub(super) fn tree_usage(roots: Vec<Pid>) -> Option<ProcessUsage> {
    let mut sum = ProcessUsage::default();
    for_each_in_tree(roots, |pid| {
        sum += process_usage(pid).unwrap_or_default();
    });
    Some(sum)
}

/// The memory of these processes and all their descendants in bytes, with each shared page counted once. `None` if the system does not
/// report it for any of them.
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

/// Calls `each` for these processes and all their descendants, parents first.
fn for_each_in_tree(roots: Vec<Pid>, mut each: impl FnMut(Pid)) {
    let (mut visited, mut pending) = (FxHashSet::default(), roots);
    while let Some(pid) = pending.pop() {
        if visited.insert(pid) {
            each(pid);
            pending.extend(child_processes(pid).unwrap_or_default());
        }
    }
}

/// Kills these children of a process and all their descendants. For each process we first open a descriptor, and then check that its
/// parent is one of them: so a process that reuses the number is never killed.
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

/// Kills all descendants of a child of ours, but not the child itself, which may be stopped. It must be a reaper: then a descendant that
/// loses its parent becomes its child. Gives up after `timeout`.
pub(super) fn kill_descendants(reaper: Pid, timeout: Duration) {
    let deadline = Instant::now() + timeout;
    while Instant::now() < deadline {
        let mut living = child_processes(reaper).unwrap_or_default();
        living.retain(|child| {
            process_state(*child).is_some_and(|state| !matches!(state, ProcessState::Ended))
        });
        if living.is_empty() {
            return;
        }
        kill_trees(reaper, living);
        thread::sleep(Duration::from_millis(1));
    }
}

/// Kills the processes that are listed in a file of the kernel's, until there are none. For each process we first open a descriptor,
/// and then check that it is still listed. Gives up after `timeout`.
pub(super) fn kill_listed(list: &Path, timeout: Duration) {
    let listed = || -> Vec<Pid> {
        let text = fs::read_to_string(list).unwrap_or_default();
        let numbers = text.lines().filter_map(|line| line.parse().ok());
        numbers.filter_map(Pid::from_raw).collect()
    };
    let deadline = Instant::now() + timeout;
    loop {
        let found = listed().into_iter();
        let found = found.map(|pid| (pid, exit_descriptor(pid)));
        let found: Vec<(Pid, Option<OwnedFd>)> = found.collect();
        if found.is_empty() || Instant::now() >= deadline {
            return;
        }
        let still_listed = listed();
        for (_, process) in found.iter().filter(|(pid, _)| still_listed.contains(pid)) {
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
    /// It runs or sleeps.
    Alive,
    /// A signal has stopped it.
    Stopped,
    /// It is a zombie.
    Ended,
}

/// Whether a signal has stopped the process.
pub(super) fn is_stopped(pid: Pid) -> bool {
    process_state(pid) == Some(ProcessState::Stopped)
}

/// The state of a process; `None` if it does not exist.
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

/// A field of `/proc/PID/stat`, counted from the one after the name, which may contain anything.
fn stat_field(pid: Pid, number: usize) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    let (_, fields) = stat.rsplit_once(") ")?;
    fields.split(' ').nth(number).map(str::to_owned)
}

/// The memory for this process and all others in bytes: that of the machine, or the limit of its control groups if it is smaller.
pub(super) fn available_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let all = line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024;
    Some(super::cgroup::memory_limit().map_or(all, |limit| limit.min(all)))
}

/// How often the system has killed a process because memory was short.
pub(super) fn oom_kill_count() -> Option<u64> {
    let text = fs::read_to_string("/proc/vmstat").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("oom_kill "))?;
    line.parse().ok()
}

/// The children of a process, with zombies. While children start or end, any of them may be missed.
pub(super) fn child_processes(pid: Pid) -> io::Result<Vec<Pid>> {
    let mut children = Vec::new();
    for task in fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero()))? {
        let list = match fs::read_to_string(task?.path().join("children")) {
            // The thread has ended meanwhile.
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

/// Gives up the terminal, if there is one, for this process and all that it starts. A session for each test would have the same effect,
/// but would cost a scheduling group for each.
pub(super) fn leave_terminal() {
    let flags = OFlags::RDONLY | OFlags::NOCTTY | OFlags::CLOEXEC;
    if let Ok(terminal) = rustix::fs::openat(CWD, "/dev/tty", flags, Mode::empty()) {
        syscalls::leave_terminal(terminal.as_fd());
    }
}

/// Forbids other processes of the user to inspect this one or to use its open files. Only a sandbox stops processes of root.
pub(super) fn forbid_inspection() {
    // This cannot fail.
    let _ = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable);
}

/// From now on a descendant of this process that loses its parent becomes our child.
pub(super) fn become_reaper() -> io::Result<()> {
    let me = rustix::process::getpid();
    rustix::process::set_child_subreaper(Some(me))?;
    // A kernel may be built without the list of children. Then we could not find the processes to kill.
    child_processes(me).map(drop)
}

/// From now on this process continues when its parent dies, also if it was stopped, until it notices that the parent is gone. Without
/// this the kernel sends SIGHUP to a stopped group that becomes orphaned, and our process would end before the test's; a group that
/// stops a moment later gets no signal at all.
pub(super) fn outlive_parent() -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::CONT))?;
    // A handler, since the tests would inherit an ignored signal.
    signal_hook::flag::register(Signal::HUP.as_raw(), Arc::default()).map(drop)
}

/// Kills all processes that were started by tests in `dir`, also those that left their process group: their TMPDIR lies in it. This
/// checks all processes (milliseconds), so it is for tests that are suspected, and for the end of a run.
pub(super) fn kill_escaped(dir: &Path) {
    let deadline = Instant::now() + ESCAPED_PATIENCE;
    let mut empty_sweeps = 0;
    while empty_sweeps < EMPTY_SWEEPS && Instant::now() < deadline {
        let killed = kill_processes_under(dir);
        if killed.is_empty() {
            empty_sweeps += 1;
            thread::sleep(Duration::from_millis(1));
            continue;
        }
        empty_sweeps = 0;
        for process in killed {
            let left = deadline.saturating_duration_since(Instant::now());
            let mut waiting = [PollFd::new(&process, PollFlags::IN)];
            // If waiting fails, the next sweep finds the process again.
            let _ = rustix::event::poll(&mut waiting, Some(&to_timespec(left)));
        }
    }
}

/// Kills the processes with their TMPDIR in `dir`. Returns a descriptor of each: a killed process is there until it has given up its memory.
fn kill_processes_under(dir: &Path) -> Vec<OwnedFd> {
    let Ok(processes) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let numbers = processes
        .flatten()
        .filter_map(|process| process.file_name().to_str()?.parse().ok());
    let mut killed = Vec::new();
    for pid in numbers.filter_map(Pid::from_raw) {
        // A cheap check before the descriptor is opened. The check is repeated after it, since the number may have been reused.
        if !has_tmpdir_under(pid, dir) {
            continue;
        }
        let Some(process) = exit_descriptor(pid) else {
            continue;
        };
        let signalled = has_tmpdir_under(pid, dir)
            && rustix::process::pidfd_send_signal(&process, Signal::KILL).is_ok();
        killed.extend(signalled.then_some(process));
    }
    killed
}

/// Whether the process has its TMPDIR in the directory. False for other users' processes and for zombies, which we cannot read.
fn has_tmpdir_under(pid: Pid, dir: &Path) -> bool {
    let environment =
        fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).unwrap_or_default();
    let mut values = environment
        .split(|byte| *byte == 0)
        .filter_map(|variable| variable.strip_prefix(b"TMPDIR="));
    values.any(|path| Path::new(OsStr::from_bytes(path)).starts_with(dir))
}

/// Opens a directory inside another one. A link is the error `LOOP`, a mount point is `XDEV`.
pub(super) fn open_below(
    parent: BorrowedFd<'_>,
    name: &CStr,
    how: OFlags,
) -> rustix::io::Result<OwnedFd> {
    let how = how | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let only = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_XDEV;
    match rustix::fs::openat2(parent, name, how, Mode::empty(), only) {
        // The kernel is older than 5.6, or the call is forbidden.
        Err(Errno::NOSYS | Errno::PERM) => open_same_mount(parent, name, how),
        opened => opened,
    }
}

/// [`open_below`] for old kernels: compares the mount ids before anything of the directory is read.
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

/// The id of the mount that a descriptor is in.
fn mount_id(descriptor: BorrowedFd<'_>) -> Option<u64> {
    let path = format!("/proc/self/fdinfo/{}", descriptor.as_raw_fd());
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("mnt_id:"))?;
    line.trim().parse().ok()
}

/// Gives us all permissions of a directory that [`open_below`] can open except for its permissions.
pub(super) fn permit_all(parent: BorrowedFd<'_>, name: &CStr) -> rustix::io::Result<()> {
    let handle = open_below(parent, name, OFlags::PATH)?;
    rustix::fs::chmodat(CWD, descriptor_path(&handle), Mode::RWXU, AtFlags::empty())
}

/// Unmounts a mount over an entry of a directory. Processes that use it keep it.
pub(super) fn unmount(parent: BorrowedFd<'_>, name: &CStr) -> rustix::io::Result<()> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let handle = rustix::fs::openat(parent, name, flags, Mode::empty())?;
    let point = descriptor_path(&handle);
    // Otherwise mounts below it would be unmounted in the original of this copy too.
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change(&point, private)?;
    rustix::mount::unmount(&point, UnmountFlags::DETACH)
}

/// A path that leads to the descriptor's file, wherever that lies.
fn descriptor_path(descriptor: &OwnedFd) -> String {
    format!("/proc/self/fd/{}", descriptor.as_raw_fd())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Old kernels have no `openat2`, so both ways are tested.
    #[test]
    fn both_ways_to_open_refuse_links_and_mounts() {
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
