//! The one directory in which all scratch directories of a run lie, and the lock that says that the run is alive.
//!
//! The directory is kept open: a test may move it and put something else in its place, and that is neither emptied nor changed.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;

use super::cleanup::{OwnDir, empty_opened, remove_tree};
use super::system;

use crate::display::EscapeHidden;

const PREFIX: &str = "lop-";
const LOCK: &str = ".lock";

/// The root of a run: `lop-PID-START-N`, with a lock file beside it. The kernel releases the lock when the run dies.
#[derive(Debug)]
pub(super) struct ScratchRoot {
    path: PathBuf,
    opened: Mutex<OpenRoot>,
    lock_path: PathBuf,
    /// Held open for its lock. It contains the inode number of the directory.
    lock: File,
    next_number: AtomicU64,
    /// Whether it was reported that something in it cannot be removed.
    has_reported: AtomicBool,
}

/// The open directory: tests may move it, and replace it by links and mounts.
#[derive(Debug)]
struct OpenRoot {
    dir: Arc<OwnedFd>,
    /// Its device and inode number. Nothing else can have them while it is open.
    id: (u64, u64),
}

impl ScratchRoot {
    /// Creates a root in `base`.
    pub(super) fn new(base: &Path) -> io::Result<ScratchRoot> {
        static ROOTS: AtomicU64 = AtomicU64::new(0);
        let start = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_secs();
        loop {
            let number = ROOTS.fetch_add(1, Ordering::Relaxed);
            let path = base.join(format!("{PREFIX}{}-{start}-{number}", std::process::id()));
            let lock_path = lock_file_path(&path);
            let lock = match OpenOptions::new()
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(&lock_path)
            {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                opened => opened?,
            };
            lock.lock()?;
            // Another run may have taken the new file for that of a dead run, and removed it before we had the lock.
            if !is_same_file(&lock, &lock_path) {
                continue;
            }
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => {
                    return Ok(ScratchRoot {
                        opened: Mutex::new(OpenRoot::note(&path, &lock)?),
                        path,
                        lock_path,
                        lock,
                        next_number: AtomicU64::new(0),
                        has_reported: AtomicBool::new(false),
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

    fn dir(&self) -> Arc<OwnedFd> {
        Arc::clone(&self.lock_opened().dir)
    }

    fn lock_opened(&self) -> MutexGuard<'_, OpenRoot> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates an empty directory for one test. No number is used twice, so a surviving process of an earlier test cannot disturb a later
    /// one. Numbers whose names exist already are skipped.
    pub(super) fn create_dir(&self) -> io::Result<OwnDir> {
        match self.make_in(&self.dir(), &self.path) {
            Err(error) if is_spoiled(&error) => {
                self.recreate_root()?;
                self.make_in(&self.dir(), &self.path)
            }
            made => made,
        }
    }

    /// Creates the directory in one of our own directories.
    pub(super) fn create_dir_in(&self, parent: &OwnDir) -> io::Result<OwnDir> {
        self.make_in(&Arc::new(parent.enter()?), parent.path())
    }

    fn make_in(&self, parent: &Arc<OwnedFd>, path: &Path) -> io::Result<OwnDir> {
        loop {
            let number = self.next_number.fetch_add(1, Ordering::Relaxed).to_string();
            match rustix::fs::mkdirat(parent, &number, Mode::from_raw_mode(0o777)) {
                Err(Errno::EXIST) => {}
                made => {
                    made?;
                    return OwnDir::of(Arc::clone(parent), path, number.as_ref());
                }
            }
        }
    }

    /// Removes what tests have left. No test may be running. [`take_leftover_notices`] reports what cannot be removed.
    pub(super) fn remove_leftovers(&self) {
        system::kill_escaped(&self.path);
        match empty_opened(&self.dir()) {
            Err(reason) if reason.kind() != io::ErrorKind::NotFound => self.report_once(&reason),
            _ => {}
        }
    }

    /// Reports once that something stays here.
    fn report_once(&self, reason: &io::Error) {
        if !self.has_reported.swap(true, Ordering::Relaxed) {
            report_leftover(&self.path, reason);
        }
    }

    /// Makes the root usable again after somebody cleaned up /tmp during a long run, or a test has changed it.
    fn recreate_root(&self) -> io::Result<()> {
        match DirBuilder::new().mode(0o700).create(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let about = fs::symlink_metadata(&self.path)?;
                let refused = |what: &str| {
                    let what = format!("{} is {what}", self.path.escape_hidden());
                    Err(io::Error::new(io::ErrorKind::PermissionDenied, what))
                };
                // In a directory that others can write in, the sticky bit keeps them from replacing ours.
                if !is_own_directory(&about) {
                    return refused("somebody else's now");
                }
                if !self.is_dir(&about) {
                    return refused(
                        "not the directory any more that lop made: see what lies or is mounted there",
                    );
                }
                fs::set_permissions(&self.path, Permissions::from_mode(0o700))
            }
            made => {
                made?;
                *self.lock_opened() = OpenRoot::note(&self.path, &self.lock)?;
                Ok(())
            }
        }
    }

    /// Makes sure that the root is the directory that we created, belongs to this user, and is writable by nobody else. If somebody removed
    /// it during a long run, another user may have created one of that name; and a test may have put a directory of the user's there.
    pub(super) fn ensure_owned(&self) -> io::Result<()> {
        let about = fs::symlink_metadata(&self.path);
        let is_ours = |about: Metadata| {
            is_own_directory(&about) && about.mode() & 0o022 == 0 && self.is_dir(&about)
        };
        match about.is_ok_and(is_ours) {
            true => Ok(()),
            false => self.recreate_root(),
        }
    }

    /// Whether it is the directory that we created.
    fn is_dir(&self, about: &Metadata) -> bool {
        self.lock_opened().id == (about.dev(), about.ino())
    }
}

impl OpenRoot {
    /// Opens a new root and writes its inode number into the lock file, for the run that removes it if we cannot.
    fn note(path: &Path, lock: &File) -> io::Result<OpenRoot> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let dir = File::from(rustix::fs::openat(CWD, path, flags, Mode::empty())?);
        let about = dir.metadata()?;
        // 20 digits, so that a shorter number overwrites a longer one.
        lock.write_all_at(format!("{:020}\n", about.ino()).as_bytes(), 0)?;
        Ok(OpenRoot {
            dir: Arc::new(dir.into()),
            id: (about.dev(), about.ino()),
        })
    }
}

/// Whether an error means that the parent directory is gone or not accessible.
fn is_spoiled(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied
    )
}

/// What cannot be removed, and why.
static LEFT: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Sentences for the user about the directories of tests that could not be removed since the last call.
pub fn take_leftover_notices() -> Vec<String> {
    std::mem::take(&mut *LEFT.lock().unwrap_or_else(PoisonError::into_inner))
}

fn report_leftover(root: &Path, reason: &io::Error) {
    let sentence = format!(
        "what tests have left in {} cannot be removed: {reason}; the next run that has its tests there tries again",
        root.escape_hidden()
    );
    LEFT.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(sentence);
}

impl Drop for ScratchRoot {
    /// Removes the root with what could not be removed after a test. The lock is released last: while it is held, no other run touches the
    /// root.
    fn drop(&mut self) {
        self.remove_leftovers();
        let number = rustix::fs::fstat(self.dir()).map_err(io::Error::from);
        let removed = number.and_then(|dir| OwnDir::at(&self.path)?.remove_if(dir.st_ino));
        match removed {
            Ok(()) => drop(fs::remove_file(&self.lock_path)),
            Err(reason) => self.report_once(&reason),
        }
    }
}

/// Removes this user's roots of dead runs in `base`, and kills what still runs there. What cannot be removed stays for the next time.
pub(super) fn remove_stale_roots(base: &Path) {
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
    let Ok(mut lock) = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(flags.bits() as i32)
        .open(lock_path)
    else {
        return;
    };
    let ours = lock
        .metadata()
        .is_ok_and(|metadata| metadata.uid() == rustix::process::geteuid().as_raw());
    let dead = ours && lock.try_lock().is_ok();
    if !dead || !is_same_file(&lock, lock_path) {
        return;
    }
    // A killed run could not kill its tests.
    system::kill_escaped(root);
    let mut number = String::new();
    let number = lock
        .read_to_string(&mut number)
        .ok()
        .and_then(|_| number.trim().parse().ok());
    let removed = match number {
        Some(number) => OwnDir::at(root).and_then(|own| own.remove_if(number)),
        // It died before it could write the number.
        None => remove_tree(root),
    };
    match removed {
        Ok(()) => drop(fs::remove_file(lock_path)),
        Err(reason) => report_leftover(root, &reason),
    }
}

/// `lop-` and three numbers.
fn is_root_name(name: &str) -> bool {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    name.strip_prefix(PREFIX)
        .is_some_and(|rest| rest.split('-').count() == 3 && rest.split('-').all(number))
}

fn lock_file_path(root: &Path) -> PathBuf {
    let mut name = root.as_os_str().to_owned();
    name.push(LOCK);
    PathBuf::from(name)
}

fn is_own_directory(about: &Metadata) -> bool {
    about.is_dir() && about.uid() == rustix::process::geteuid().as_raw()
}

fn is_same_file(open: &File, path: &Path) -> bool {
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
        let alive = ScratchRoot::new(base.path()).expect("a root");
        let dead = base.path().join("lop-1-2-3");
        fs::create_dir_all(dead.join("7/w")).expect("directories");
        fs::write(lock_file_path(&dead), "").expect("a lock that nobody holds");
        let other = base.path().join("lop-notes");
        fs::create_dir(&other).expect("a directory");
        fs::write(base.path().join("lop-notes.lock"), "").expect("a file");

        remove_stale_roots(base.path());

        assert!(!dead.exists() && !lock_file_path(&dead).exists());
        assert!(alive.path().exists() && lock_file_path(alive.path()).exists());
        assert!(other.exists(), "a name like ours is not enough");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_a_dead_run_left_running_is_killed() {
        use std::os::unix::process::ExitStatusExt;
        let base = base();
        let dead = base.path().join("lop-1-2-3");
        fs::create_dir_all(dead.join("7/t")).expect("directories");
        fs::write(lock_file_path(&dead), "").expect("a lock that nobody holds");
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
        remove_stale_roots(base.path());
        assert_eq!(test.wait().expect("its end").signal(), Some(9));
    }

    #[test]
    fn a_run_that_ends_leaves_nothing() {
        let base = base();
        let root = ScratchRoot::new(base.path()).expect("a root");
        fs::write(
            root.create_dir().expect("a directory").path().join("left"),
            "x",
        )
        .expect("a file");
        drop(root);
        assert_eq!(fs::read_dir(base.path()).expect("the base").count(), 0);
    }

    #[test]
    fn two_runs_in_one_process_have_two_roots() {
        let base = base();
        let (one, two) = (
            ScratchRoot::new(base.path()).expect("a root"),
            ScratchRoot::new(base.path()).expect("a root"),
        );
        assert_ne!(one.path(), two.path());
        assert_ne!(
            one.create_dir().expect("a directory").path(),
            one.create_dir().expect("another").path()
        );
    }

    #[test]
    fn a_root_that_someone_spoiled_is_restored() {
        let base = base();
        let root = ScratchRoot::new(base.path()).expect("a root");
        fs::remove_dir(root.path()).expect("removed");
        assert!(root.create_dir().expect("a directory").path().is_dir());
        fs::set_permissions(root.path(), Permissions::from_mode(0o000)).expect("shut");
        root.create_dir().expect("a directory");
    }

    #[test]
    fn what_was_put_in_the_place_of_a_root_stays() {
        let base = base();
        let dir = base.path().join("theirs");
        fs::create_dir_all(dir.join("7")).expect("directories");
        let root = ScratchRoot::new(base.path()).expect("a root");
        let path = root.path().to_path_buf();
        fs::rename(&path, base.path().join("moved")).expect("moved");
        fs::rename(&dir, &path).expect("moved");
        let error = root.ensure_owned().expect_err("another directory");
        assert!(
            error.to_string().contains("not the directory any more"),
            "{error}"
        );
        drop(root);
        assert!(path.join("7").is_dir(), "at the end");
        remove_stale_roots(base.path());
        assert!(path.join("7").is_dir(), "when the next one begins");
    }

    #[test]
    fn what_somebody_else_put_in_the_place_of_a_root_is_not_used() {
        let base = base();
        let root = ScratchRoot::new(base.path()).expect("a root");
        fs::remove_dir(root.path()).expect("removed");
        let other = base.path().join("other");
        fs::create_dir(&other).expect("a directory");
        fs::set_permissions(&other, Permissions::from_mode(0o755)).expect("a mode");
        std::os::unix::fs::symlink(&other, root.path()).expect("a link");
        let error = root.ensure_owned().expect_err("a link");
        assert!(error.to_string().contains("somebody else's"), "{error}");
        let mode = fs::metadata(&other).expect("it").mode();
        assert_eq!(mode & 0o777, 0o755, "where a link leads no mode is set");
        fs::remove_file(root.path()).expect("removed");
        fs::create_dir(root.path()).expect("a directory");
        if std::os::unix::fs::chown(root.path(), Some(65534), None).is_err() {
            println!("SKIPPED: a directory of another user: only root can give one away");
            return;
        }
        root.ensure_owned().expect_err("another user's");
    }
}
