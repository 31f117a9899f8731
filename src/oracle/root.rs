//! The one directory in which all scratch directories of a run lie, and the lock that says that the run is alive.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{FlockOperation, OFlags};

use super::clean::{empty_directory, remove_tree};
use super::system;

use crate::display::Shown;

const PREFIX: &str = "lop-";
const LOCK: &str = ".lock";

/// A run's root: `lop-PID-START-N`, with a lock beside it, which the kernel frees when the run dies however it dies.
#[derive(Debug)]
pub(super) struct Root {
    path: PathBuf,
    lock_path: PathBuf,
    /// Held open for its lock.
    _lock: File,
    next: AtomicU64,
    /// Whether it was said that something in it cannot be removed.
    told: AtomicBool,
}

impl Root {
    /// Makes a root in `base`.
    pub(super) fn new(base: &Path) -> io::Result<Root> {
        static ROOTS: AtomicU64 = AtomicU64::new(0);
        let start = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_secs();
        loop {
            let number = ROOTS.fetch_add(1, Ordering::Relaxed);
            let path = base.join(format!("{PREFIX}{}-{start}-{number}", std::process::id()));
            let lock_path = sidecar(&path);
            let lock = match OpenOptions::new()
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(&lock_path)
            {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                opened => opened?,
            };
            rustix::fs::flock(&lock, FlockOperation::LockExclusive)?;
            // Another run that cleans up may have taken the new file for a dead run's, and removed it before we held the lock.
            if !same_file(&lock, &lock_path) {
                continue;
            }
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => {
                    return Ok(Root {
                        path,
                        lock_path,
                        _lock: lock,
                        next: AtomicU64::new(0),
                        told: AtomicBool::new(false),
                    });
                }
                Err(error) => {
                    let _ = fs::remove_file(&lock_path);
                    if error.kind() != io::ErrorKind::AlreadyExists {
                        return Err(error);
                    }
                }
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// A new directory for one test, in which nothing is yet. No number comes twice, so that a survivor of an earlier test cannot
    /// disturb a later one; nor one that a test has put something in the place of.
    pub(super) fn new_dir(&self) -> io::Result<PathBuf> {
        self.new_dir_in(&self.path)
    }

    /// The same in a directory of ours.
    pub(super) fn new_dir_in(&self, parent: &Path) -> io::Result<PathBuf> {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(number.to_string());
            let made = fs::create_dir(&path).or_else(|error| match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied
                    if parent == self.path =>
                {
                    self.restore()?;
                    fs::create_dir(&path)
                }
                _ => Err(error),
            });
            match made {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| path),
            }
        }
    }

    /// Removes what tests have left, now that none runs. What resists is told by [`left_behind`].
    pub(super) fn clear(&self) {
        system::kill_escaped(&self.path);
        match empty_directory(&self.path) {
            Err(reason) if reason.kind() != io::ErrorKind::NotFound => self.tell(&reason),
            _ => {}
        }
    }

    /// Says what stays here; once.
    fn tell(&self, reason: &io::Error) {
        if !self.told.swap(true, Ordering::Relaxed) {
            leave(&self.path, reason);
        }
    }

    /// Makes the root usable again: someone tidied up /tmp during a long run, or a test reached too far up.
    fn restore(&self) -> io::Result<()> {
        match DirBuilder::new().mode(0o700).create(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                // Where others write too, nobody else can put something in the place of a directory of ours.
                if !is_own(&fs::symlink_metadata(&self.path)?) {
                    let what = format!("{} is somebody else's now", self.path.shown());
                    return Err(io::Error::new(io::ErrorKind::PermissionDenied, what));
                }
                fs::set_permissions(&self.path, Permissions::from_mode(0o700))
            }
            made => made,
        }
    }

    /// Sees to it that the root is a directory of this user's that nobody else can write to. Where somebody tidied it away during a long run,
    /// another user may have made something of that name.
    pub(super) fn stay_ours(&self) -> io::Result<()> {
        let about = fs::symlink_metadata(&self.path);
        match about.is_ok_and(|about| is_own(&about) && about.mode() & 0o022 == 0) {
            true => Ok(()),
            false => self.restore(),
        }
    }
}

/// What cannot be removed, and why.
static LEFT: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Sentences about all directories of tests that could not be removed since this was asked last; for the user.
pub fn left_behind() -> Vec<String> {
    std::mem::take(&mut *LEFT.lock().unwrap_or_else(PoisonError::into_inner))
}

fn leave(root: &Path, reason: &io::Error) {
    let sentence = format!(
        "what tests have left in {} cannot be removed: {reason}; the next run that has its tests there tries again",
        root.shown()
    );
    LEFT.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(sentence);
}

impl Drop for Root {
    /// Also takes with it what could not be removed after its test. The lock goes last: while it is held, nobody else looks here.
    fn drop(&mut self) {
        self.clear();
        match remove_tree(&self.path) {
            Ok(()) => drop(fs::remove_file(&self.lock_path)),
            Err(reason) => self.tell(&reason),
        }
    }
}

/// Removes the roots of dead runs in `base`, as far as they are ours, and kills what still runs there. What cannot be removed stays for another time.
pub(super) fn remove_stale(base: &Path) {
    let Ok(entries) = fs::read_dir(base) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        if let Some(root) = name.strip_suffix(LOCK).filter(|root| is_root_name(root)) {
            remove_if_dead(&base.join(root), &entry.path());
        }
    }
}

fn remove_if_dead(root: &Path, lock_path: &Path) {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let Ok(lock) = OpenOptions::new()
        .write(true)
        .custom_flags(flags.bits() as i32)
        .open(lock_path)
    else {
        return;
    };
    let ours = lock
        .metadata()
        .is_ok_and(|metadata| metadata.uid() == rustix::process::geteuid().as_raw());
    let dead = ours && rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok();
    if !dead || !same_file(&lock, lock_path) {
        return;
    }
    // A run that was killed could not kill its tests.
    system::kill_escaped(root);
    match remove_tree(root) {
        Ok(()) => drop(fs::remove_file(lock_path)),
        Err(reason) => leave(root, &reason),
    }
}

/// `lop-` and three numbers.
fn is_root_name(name: &str) -> bool {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    name.strip_prefix(PREFIX)
        .is_some_and(|rest| rest.split('-').count() == 3 && rest.split('-').all(number))
}

fn sidecar(root: &Path) -> PathBuf {
    let mut name = root.as_os_str().to_owned();
    name.push(LOCK);
    PathBuf::from(name)
}

fn is_own(about: &Metadata) -> bool {
    about.is_dir() && about.uid() == rustix::process::geteuid().as_raw()
}

fn same_file(open: &File, path: &Path) -> bool {
    match (open.metadata(), fs::symlink_metadata(path)) {
        (Ok(open), Ok(there)) => open.dev() == there.dev() && open.ino() == there.ino(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base() -> tempfile::TempDir {
        tempfile::tempdir().expect("a directory")
    }

    #[test]
    fn the_root_of_a_dead_run_is_removed_and_that_of_a_living_one_is_not() {
        let base = base();
        let alive = Root::new(base.path()).expect("a root");
        let dead = base.path().join("lop-1-2-3");
        fs::create_dir_all(dead.join("7/w")).expect("directories");
        fs::write(sidecar(&dead), "").expect("a lock that nobody holds");
        let other = base.path().join("lop-notes");
        fs::create_dir(&other).expect("a directory");
        fs::write(base.path().join("lop-notes.lock"), "").expect("a file");

        remove_stale(base.path());

        assert!(!dead.exists() && !sidecar(&dead).exists());
        assert!(alive.path().exists() && sidecar(alive.path()).exists());
        assert!(other.exists(), "a name like ours is not enough");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_a_dead_run_left_running_is_killed() {
        use std::os::unix::process::ExitStatusExt;
        let base = base();
        let dead = base.path().join("lop-1-2-3");
        fs::create_dir_all(dead.join("7/t")).expect("directories");
        fs::write(sidecar(&dead), "").expect("a lock that nobody holds");
        let mut test = std::process::Command::new("sleep")
            .arg("1000")
            .env("TMPDIR", dead.join("7/t"))
            .spawn()
            .expect("a test of the dead run");
        // The system tells of a new process before it tells of its environment.
        let environment = format!("/proc/{}/environ", test.id());
        while fs::read(&environment).is_ok_and(|environment| environment.is_empty()) {
            std::thread::yield_now();
        }
        remove_stale(base.path());
        assert_eq!(test.wait().expect("its end").signal(), Some(9));
    }

    #[test]
    fn a_run_that_ends_leaves_nothing() {
        let base = base();
        let root = Root::new(base.path()).expect("a root");
        fs::write(root.new_dir().expect("a directory").join("left"), "x").expect("a file");
        drop(root);
        assert_eq!(fs::read_dir(base.path()).expect("the base").count(), 0);
    }

    #[test]
    fn two_runs_in_one_process_have_two_roots() {
        let base = base();
        let (one, two) = (
            Root::new(base.path()).expect("a root"),
            Root::new(base.path()).expect("a root"),
        );
        assert_ne!(one.path(), two.path());
        assert_ne!(
            one.new_dir().expect("a directory"),
            one.new_dir().expect("another")
        );
    }

    #[test]
    fn a_root_that_someone_spoiled_is_restored() {
        let base = base();
        let root = Root::new(base.path()).expect("a root");
        fs::remove_dir(root.path()).expect("removed");
        assert!(root.new_dir().expect("a directory").is_dir());
        fs::set_permissions(root.path(), Permissions::from_mode(0o000)).expect("shut");
        root.new_dir().expect("a directory");
    }

    #[test]
    fn what_somebody_else_put_in_the_place_of_a_root_is_not_used() {
        let base = base();
        let root = Root::new(base.path()).expect("a root");
        fs::remove_dir(root.path()).expect("removed");
        let other = base.path().join("other");
        fs::create_dir(&other).expect("a directory");
        fs::set_permissions(&other, Permissions::from_mode(0o755)).expect("a mode");
        std::os::unix::fs::symlink(&other, root.path()).expect("a link");
        let error = root.stay_ours().expect_err("a link");
        assert!(error.to_string().contains("somebody else's"), "{error}");
        let mode = fs::metadata(&other).expect("it").mode();
        assert_eq!(mode & 0o777, 0o755, "where a link leads no mode is set");
        fs::remove_file(root.path()).expect("removed");
        fs::create_dir(root.path()).expect("a directory");
        if std::os::unix::fs::chown(root.path(), Some(65534), None).is_err() {
            println!("SKIPPED: a directory of another user: only root can give one away");
            return;
        }
        root.stay_ours().expect_err("another user's");
    }
}
