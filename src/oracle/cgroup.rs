//! Control groups, where we may make some: a group for each helper, used again for each of its tests.
//!
//! The kernel keeps the limits of memory and of processes itself, to the byte and without a check, and counts how often it had to. A
//! helper moves into its groups once, at its start, because a move costs milliseconds; so the tests that it starts are born there. A helper
//! that leaves the groups of a sandbox does so by descriptors that it opened before. Processes that fork faster than they are killed are kept
//! from forking (`pids.max` 0); without groups they are killed with all their generations (`helper/reap.rs`).
//!
//! Of version 1 each controller has a tree of its own, and our groups lie below the one that we are in. Of version 2 there is one tree, and
//! a group that has processes can have no limited groups below it, so ours lie beside it, if the directory is ours.

use std::cell::Cell;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use rustix::fs::AtFlags;

use super::{CgroupLimits, LimitKind, ResourceQuotas, system};

const PREFIX: &str = "lop-";

/// The file that lists the processes of a group. Writing a number to it moves that process into the group.
const MEMBERS: &str = "cgroup.procs";

/// The longest time to kill what is left in a group.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often the removal of a group is tried, once a millisecond.
const ATTEMPTS: u32 = 20;

/// The files of a controller.
struct CgroupController {
    name: &'static str,
    limit_kind: LimitKind,
    /// The files of the limit, in versions 1 and 2. All but the first may be missing.
    limits: [&'static [&'static str]; 2],
    /// The file and the key of the counter of how often the limit was reached.
    counter: [(&'static str, &'static str); 2],
}

const CONTROLLERS: [CgroupController; 2] = [
    CgroupController {
        name: "memory",
        limit_kind: LimitKind::Memory,
        limits: [
            &["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"],
            &["memory.max"],
        ],
        counter: [
            ("memory.oom_control", "oom_kill"),
            ("memory.events", "oom_kill"),
        ],
    },
    CgroupController {
        name: "pids",
        limit_kind: LimitKind::Processes,
        limits: [&["pids.max"], &["pids.max"]],
        counter: [("pids.events", "max"), ("pids.events", "max")],
    },
];

/// A group of one controller, as it is described to a helper.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ControlGroup {
    /// The index of the controller.
    controller: usize,
    /// The version: 0 for 1, 1 for 2.
    version: usize,
    dir: PathBuf,
    /// The group of the helper before, to which it returns at its end.
    origin: PathBuf,
}

/// The groups of one helper, on the side of lop. They are removed when this is dropped, after the end of the helper.
#[derive(Debug)]
pub(super) struct HelperCgroups {
    groups: Vec<ControlGroup>,
}

impl HelperCgroups {
    /// Creates groups with these limits, as far as the system allows. `own` processes in them belong to the helper.
    pub(super) fn new(quotas: ResourceQuotas, own: u64) -> HelperCgroups {
        static SLOTS: AtomicU64 = AtomicU64::new(0);
        let number = SLOTS.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PREFIX}{}-{number}", std::process::id());
        let limits = [quotas.memory, quotas.processes.map(|count| count + own)];
        let mut slot = HelperCgroups { groups: Vec::new() };
        for (controller, limit) in limits.into_iter().enumerate() {
            let made = limit.and_then(|limit| create_group(controller, &name, limit));
            slot.groups.extend(made);
        }
        slot
    }

    /// The arguments for the helper's command line. [`JoinedCgroups::join_groups`] reads them.
    pub(super) fn to_arguments(&self) -> Vec<OsString> {
        let words = |group: &ControlGroup| {
            [
                format!("--cgroup={}.{}", group.controller, group.version).into(),
                group.dir.clone().into_os_string(),
                group.origin.clone().into_os_string(),
            ]
        };
        self.groups.iter().flat_map(words).collect()
    }

    /// Forbids the processes in them to fork.
    pub(super) fn forbid_forks(&self) {
        self.groups
            .iter()
            .for_each(|group| group.set_fork_limit("0"));
    }
}

impl Drop for HelperCgroups {
    /// The helper may have removed them. If both its processes were killed, what is in the groups is left of a test. If a group cannot be
    /// removed, a later run removes it.
    fn drop(&mut self) {
        self.forbid_forks();
        for group in &self.groups {
            system::kill_listed(&group.dir.join(MEMBERS), PATIENCE);
            retry_while_busy(|| fs::remove_dir(&group.dir));
        }
    }
}

/// Removes a group. A dead process may be counted in it for a moment.
fn retry_while_busy(mut remove: impl FnMut() -> io::Result<()>) {
    for _ in 0..ATTEMPTS {
        match remove() {
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                thread::sleep(Duration::from_millis(1));
            }
            _ => return,
        }
    }
}

/// Creates a group and sets its limit. None if that is not allowed.
fn create_group(controller: usize, name: &str, limit: u64) -> Option<ControlGroup> {
    let (version, parent, home) = parent_group(controller)?;
    remove_stale_groups(&parent);
    let dir = parent.join(name);
    match fs::create_dir(&dir) {
        // In version 2 one directory serves both controllers.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        made => made.ok()?,
    }
    let [first, others @ ..] = CONTROLLERS[controller].limits[version] else {
        return None;
    };
    if fs::write(dir.join(first), limit.to_string()).is_err() {
        let _ = fs::remove_dir(&dir);
        return None;
    }
    for other in others {
        // Exists only where swap is counted.
        let _ = fs::write(dir.join(other), limit.to_string());
    }
    if version == 1 && CONTROLLERS[controller].limit_kind == LimitKind::Memory {
        let _ = fs::write(dir.join("memory.swap.max"), "0");
    }
    Some(ControlGroup {
        controller,
        version,
        dir,
        origin: home,
    })
}

/// The smallest memory limit of the control groups around this process, in bytes; none if there is no limit.
#[cfg(target_os = "linux")]
pub(super) fn memory_limit() -> Option<u64> {
    let (version, here) = current_group(0)?;
    let file = CONTROLLERS[0].limits[version][0];
    let limits = here.ancestors().filter_map(|dir| {
        let text = fs::read_to_string(dir.join(file)).ok()?;
        text.trim().parse().ok()
    });
    limits.min()
}

/// The version, the directory in which groups of the controller can be created, and that of the current group.
fn parent_group(controller: usize) -> Option<(usize, PathBuf, PathBuf)> {
    let (version, here) = current_group(controller)?;
    if version == 0 {
        return Some((version, here.clone(), here));
    }
    let parent = here.parent()?.to_path_buf();
    let given = fs::read_to_string(parent.join("cgroup.subtree_control")).ok()?;
    let mut given = given.split_whitespace();
    given
        .any(|listed| listed == CONTROLLERS[controller].name)
        .then_some((version, parent, here))
}

/// The version and the directory of this process's group of the controller.
fn current_group(controller: usize) -> Option<(usize, PathBuf)> {
    let name = CONTROLLERS[controller].name;
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let lines = own.lines().filter_map(|line| {
        let (_, rest) = line.split_once(':')?;
        rest.split_once(':')
    });
    for (controllers, path) in lines.clone() {
        if controllers.split(',').any(|listed| listed == name) {
            let here = group_directory(&mounts, path, |kind, options| {
                kind == "cgroup" && options.split(',').any(|listed| listed == name)
            });
            return here.map(|here| (0, here));
        }
    }
    let mut lines = lines;
    let (_, path) = lines.find(|(controllers, _)| controllers.is_empty())?;
    let here = group_directory(&mounts, path, |kind, _| kind == "cgroup2");
    here.map(|here| (1, here))
}

/// The directory of a group, below the mount whose file system and options match.
fn group_directory(
    mounts: &str,
    path: &str,
    right: impl Fn(&str, &str) -> bool,
) -> Option<PathBuf> {
    mounts.lines().find_map(|line| {
        let (first, last) = line.split_once(" - ")?;
        let mut last = last.split(' ');
        let (kind, options) = (last.next()?, last.nth(1)?);
        if !right(kind, options) {
            return None;
        }
        let mut first = first.split(' ').skip(3);
        let (root, point) = (first.next()?, first.next()?);
        let inside = Path::new(path).strip_prefix(root).ok()?;
        Some(Path::new(point).join(inside))
    })
}

/// Removes the groups of dead runs. A group that is in use cannot be removed.
fn remove_stale_groups(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name
            .to_str()
            .and_then(|name| name.strip_prefix(PREFIX)?.split_once('-'))
            .filter(|(pid, _)| pid.bytes().all(|byte| byte.is_ascii_digit()));
        if owner.is_some_and(|(pid, _)| !Path::new("/proc").join(pid).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// The groups of a helper, on the side of the helper.
#[derive(Debug, Default)]
pub(super) struct JoinedCgroups {
    groups: Vec<(ControlGroup, CgroupCounter)>,
    /// The limit of processes.
    fork_limit: String,
    /// The file of that limit, where it may be written: not in a sandbox, where it need not be.
    fork_limit_file: Option<File>,
    exits: Vec<CgroupExit>,
}

/// Open files to leave a group and to remove it.
#[derive(Debug)]
struct CgroupExit {
    /// Writing to it moves this process back to the former group.
    procs: File,
    parent: File,
    name: PathBuf,
}

/// The counter of how often a limit was reached.
#[derive(Debug)]
struct CgroupCounter {
    file: File,
    key: &'static str,
    baseline: Cell<u64>,
}

impl JoinedCgroups {
    /// Opens the groups that the command line names. With `move_in` this process moves into them. A group that it cannot join is left out.
    pub(super) fn join_groups(arguments: &[OsString], move_in: bool) -> JoinedCgroups {
        let mut inside = JoinedCgroups::default();
        for words in arguments.chunks(3) {
            let Some(group) = ControlGroup::from_arguments(words) else {
                continue;
            };
            let controller = &CONTROLLERS[group.controller];
            let (file, word) = controller.counter[group.version];
            let Ok(file) = File::open(group.dir.join(file)) else {
                continue;
            };
            if move_in && fs::write(group.dir.join(MEMBERS), "0").is_err() {
                continue;
            }
            if move_in {
                inside.exits.extend(group.open_exit());
            }
            if controller.limit_kind == LimitKind::Processes {
                inside.fork_limit = fs::read_to_string(group.limit_file()).unwrap_or_default();
                let file = OpenOptions::new().write(true).open(group.limit_file());
                inside.fork_limit_file = file.ok();
            }
            let before = Cell::new(0);
            let counter = CgroupCounter {
                file,
                key: word,
                baseline: before,
            };
            inside.groups.push((group, counter));
        }
        inside
    }

    /// The limits that these groups enforce.
    pub(super) fn cgroup_limits(&self) -> CgroupLimits {
        let has = |limit| {
            let mut enforced = self
                .groups
                .iter()
                .map(|(group, _)| CONTROLLERS[group.controller].limit_kind);
            enforced.any(|own| own == limit)
        };
        CgroupLimits {
            memory: has(LimitKind::Memory),
            processes: has(LimitKind::Processes),
        }
    }

    /// Starts counting for a new test.
    pub(super) fn reset_counters(&self) {
        for (_, counter) in &self.groups {
            counter.baseline.set(counter.read_count());
        }
    }

    /// The limit that was reached since the last reset.
    pub(super) fn exceeded_limit(&self) -> Option<LimitKind> {
        let mut met = self
            .groups
            .iter()
            .filter(|(_, counter)| counter.read_count() > counter.baseline.get());
        met.next()
            .map(|(group, _)| CONTROLLERS[group.controller].limit_kind)
    }

    /// Forbids the processes of the test to fork, until [`JoinedCgroups::allow_forks`].
    pub(super) fn forbid_forks(&self) {
        self.set_fork_limit("0");
    }

    /// Restores the limit of processes, which a test of root's can have changed too.
    pub(super) fn allow_forks(&self) {
        self.set_fork_limit(&self.fork_limit);
    }

    fn set_fork_limit(&self, limit: &str) {
        if let Some(file) = &self.fork_limit_file {
            let _ = file.write_at(limit.as_bytes(), 0);
        }
    }

    /// Returns to the former group and removes these, because nobody else may do it any more. The files for both were opened at the start,
    /// so they work from inside a sandbox too.
    pub(super) fn leave_groups(&self) {
        for way in &self.exits {
            let _ = (&way.procs).write(b"0");
            retry_while_busy(|| {
                let done =
                    rustix::fs::unlinkat(&way.parent, way.name.as_path(), AtFlags::REMOVEDIR);
                done.map_err(io::Error::from)
            });
        }
    }
}

impl ControlGroup {
    /// The file of its limit.
    fn limit_file(&self) -> PathBuf {
        self.dir
            .join(CONTROLLERS[self.controller].limits[self.version][0])
    }

    /// Sets the limit of processes, if this group has it.
    fn set_fork_limit(&self, limit: &str) {
        if CONTROLLERS[self.controller].limit_kind == LimitKind::Processes {
            let _ = fs::write(self.limit_file(), limit);
        }
    }

    fn open_exit(&self) -> Option<CgroupExit> {
        let procs = self.origin.join(MEMBERS);
        Some(CgroupExit {
            procs: OpenOptions::new().write(true).open(procs).ok()?,
            parent: File::open(self.dir.parent()?).ok()?,
            name: self.dir.file_name()?.into(),
        })
    }

    /// Parses what [`HelperCgroups::to_arguments`] wrote.
    fn from_arguments(words: &[OsString]) -> Option<ControlGroup> {
        let [kind, dir, home] = words else {
            return None;
        };
        let (controller, version) = kind.to_str()?.strip_prefix("--cgroup=")?.split_once('.')?;
        let (controller, version) = (controller.parse().ok()?, version.parse().ok()?);
        (controller < CONTROLLERS.len() && version < 2).then(|| ControlGroup {
            controller,
            version,
            dir: dir.into(),
            origin: home.into(),
        })
    }
}

impl CgroupCounter {
    fn read_count(&self) -> u64 {
        let mut text = [0; 512];
        let read = self.file.read_at(&mut text, 0).unwrap_or(0);
        let text = std::str::from_utf8(&text[..read]).unwrap_or_default();
        let mut values = text.lines().filter_map(|line| {
            let (word, value) = line.split_once(' ')?;
            value.parse().ok().filter(|_| word == self.key)
        });
        values.next().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_lies_below_the_mount_of_its_controller() {
        let mounts = "22 27 0:21 / /proc rw - proc proc rw\n\
                      35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
                      41 31 0:38 /docker/x /sys/fs/cgroup/unified rw shared:1 - cgroup2 cgroup2 rw";
        let memory = |kind: &str, options: &str| kind == "cgroup" && options.ends_with("memory");
        assert_eq!(
            group_directory(mounts, "/a/b", memory),
            Some("/sys/fs/cgroup/memory/a/b".into())
        );
        let unified = |kind: &str, _: &str| kind == "cgroup2";
        assert_eq!(
            group_directory(mounts, "/docker/x/c", unified),
            Some("/sys/fs/cgroup/unified/c".into())
        );
        assert_eq!(group_directory(mounts, "/elsewhere", unified), None);
    }

    #[test]
    fn a_helper_understands_what_it_is_told() {
        let group = ControlGroup {
            controller: 1,
            version: 0,
            dir: "/c/lop-1-0".into(),
            origin: "/c".into(),
        };
        let slot = HelperCgroups {
            groups: vec![group.clone()],
        };
        assert_eq!(
            ControlGroup::from_arguments(&slot.to_arguments()),
            Some(group)
        );
        let nonsense = ["--cgroup=7.0", "a", "b"].map(OsString::from);
        assert_eq!(ControlGroup::from_arguments(&nonsense), None);
    }
}
