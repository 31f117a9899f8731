//! One run for one output, and for one session.

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::io::Errno;

use super::{file_names, own_files};

/// How the file of a lock begins. It is empty until its owner is written to it.
const BEGINS: &[u8] = b"lop-lock ";

/// A lock on a file beside the output: the output itself is replaced, so a lock on it would be on a file that is gone. The system
/// releases it when this process ends, however it ends; the file is removed when this is dropped.
#[derive(Debug)]
pub(super) struct FileLock {
    path: PathBuf,
    file: File,
    /// Whether the file system supports locks.
    is_enforced: bool,
}

fn is_lock_start(start: &[u8]) -> bool {
    start.is_empty() || start.starts_with(BEGINS)
}

/// The holder of a lock, as the file names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockHolder {
    /// Its process.
    pub process: u32,
    /// Since when, in seconds since 1970.
    pub since: u64,
    /// Its session; none if it has none.
    pub session: Option<String>,
}

impl fmt::Display for LockHolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ago = unix_seconds().saturating_sub(self.since);
        write!(
            f,
            "process {}, for {}",
            self.process,
            super::format_age(Duration::from_secs(ago))
        )?;
        match &self.session {
            Some(session) => write!(f, ", session {session}"),
            None => Ok(()),
        }
    }
}

/// The outcome of a try to take a lock.
#[derive(Debug)]
pub(super) enum LockAttempt {
    /// It is ours.
    Acquired(FileLock),
    /// Another has it.
    Held(Option<LockHolder>),
}

fn unix_seconds() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.unwrap_or_default().as_secs()
}

impl FileLock {
    /// Takes the lock of `output`.
    pub(super) fn acquire_for_output(output: &Path) -> io::Result<LockAttempt> {
        FileLock::acquire_at(&file_names::hidden_sibling(output, "lock"))
    }

    /// Takes the lock at this very path.
    pub(super) fn acquire_at(path: &Path) -> io::Result<LockAttempt> {
        let path = path.to_path_buf();
        loop {
            let mut file = own_files::open_or_create_own(&path, is_lock_start, 0o600)?;
            let is_enforced = match file.try_lock() {
                Ok(()) => true,
                Err(TryLockError::WouldBlock) => {
                    return Ok(LockAttempt::Held(read_holder(&mut file)));
                }
                // A run without a lock is better than none.
                Err(TryLockError::Error(error)) if is_unsupported(&error) => false,
                Err(TryLockError::Error(error)) => return Err(error),
            };
            // The last holder may have removed the file between our two calls: then we locked a file that nobody else will see.
            if own_files::is_same_file(&file, &path) {
                return Ok(LockAttempt::Acquired(FileLock {
                    path,
                    file,
                    is_enforced,
                }));
            }
        }
    }

    /// Whether another process holds the lock at this path. Leaves no trace.
    pub(super) fn is_held(path: &Path) -> bool {
        own_files::open_existing_own(path, is_lock_start)
            .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// The process that holds the lock at this path, if one does and the file names it. Leaves no trace.
    pub(super) fn holding_process(path: &Path) -> Option<u32> {
        let mut file = own_files::open_existing_own(path, is_lock_start).ok()?;
        let is_held = matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
        let holder = read_holder(&mut file).filter(|_| is_held)?;
        Some(holder.process)
    }

    /// Whether there is a file of a lock at this path, held or not.
    pub(super) fn is_lock_file(path: &Path) -> bool {
        own_files::read_own_file(path).is_ok_and(|text| is_lock_start(&text))
    }

    /// The same if the file names its holder: an empty file may be anyone's.
    pub(super) fn has_recorded_holder(path: &Path) -> bool {
        own_files::read_own_file(path).is_ok_and(|text| text.starts_with(BEGINS))
    }

    /// Whether it excludes all others.
    pub(super) fn is_exclusive(&self) -> bool {
        self.is_enforced
    }

    /// Whether its file is still where it was made.
    pub(super) fn is_in_place(&self) -> bool {
        own_files::is_same_file(&self.file, &self.path)
    }

    /// Writes down the holder, for those who find the lock taken.
    pub(super) fn write_holder(&self, session: &str) -> io::Result<()> {
        let (process, now) = (std::process::id(), unix_seconds());
        let mut line = BEGINS.to_vec();
        line.extend(format!("{process} {now} {session}\n").bytes());
        self.file.set_len(0)?;
        (&self.file).write_all(&line)
    }
}

/// Whether the file system has no locks, as some network mounts.
fn is_unsupported(error: &io::Error) -> bool {
    matches!(
        Errno::from_io_error(error),
        Some(Errno::NOLCK | Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL)
    )
}

/// The holder of this file's lock: its process, since when, and its session, separated by blanks.
fn read_holder(file: &mut File) -> Option<LockHolder> {
    let mut text = Vec::new();
    file.take(4096).read_to_end(&mut text).ok()?;
    let text = String::from_utf8(text.strip_prefix(BEGINS)?.to_vec()).ok()?;
    let mut words = text.trim_end().splitn(3, ' ');
    Some(LockHolder {
        process: words.next()?.parse().ok()?,
        since: words.next()?.parse().ok()?,
        session: words
            .next()
            .map(str::to_owned)
            .filter(|name| !name.is_empty()),
    })
}

impl Drop for FileLock {
    /// The file goes before the lock does, unless another is in its place.
    fn drop(&mut self) {
        if self.is_in_place() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn only_one_has_it_and_it_leaves_nothing() {
        let dir = tempfile::tempdir().expect("a directory");
        let output = dir.path().join("bug.lop.c");
        let LockAttempt::Acquired(lock) = FileLock::acquire_for_output(&output).expect("a lock")
        else {
            panic!("it is free");
        };
        lock.write_holder("bug.c-1").expect("written");
        match FileLock::acquire_for_output(&output).expect("a lock") {
            LockAttempt::Held(Some(holder)) => {
                assert_eq!(holder.process, std::process::id());
                assert!(
                    holder.to_string().ends_with(", session bug.c-1"),
                    "{holder}"
                );
            }
            other => panic!("{other:?}"),
        }
        drop(lock);
        assert!(matches!(
            FileLock::acquire_for_output(&output),
            Ok(LockAttempt::Acquired(_))
        ));
        assert_eq!(fs::read_dir(dir.path()).expect("a directory").count(), 0);
    }

    #[test]
    fn whether_somebody_has_it_is_seen_without_a_trace() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("lock");
        assert!(!FileLock::is_held(&path) && !path.exists());
        let Ok(LockAttempt::Acquired(lock)) = FileLock::acquire_at(&path) else {
            panic!("it is free");
        };
        assert!(FileLock::is_held(&path));
        assert_eq!(FileLock::holding_process(&path), None, "nobody is named");
        lock.write_holder("").expect("written");
        let process = Some(std::process::id());
        assert_eq!(FileLock::holding_process(&path), process);
        // As a kill leaves it.
        fs::copy(&path, dir.path().join("left")).expect("a copy");
        assert!(!FileLock::is_held(&dir.path().join("left")));
        assert_eq!(FileLock::holding_process(&dir.path().join("left")), None);
        drop(lock);
        assert!(!FileLock::is_held(&path));
    }

    #[test]
    fn a_file_that_somebody_put_in_its_place_stays() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("lock");
        let Ok(LockAttempt::Acquired(lock)) = FileLock::acquire_at(&path) else {
            panic!("it is free");
        };
        fs::remove_file(&path).expect("removed");
        fs::write(&path, "mine").expect("a file");
        drop(lock);
        assert_eq!(fs::read_to_string(&path).expect("text"), "mine");
        assert!(FileLock::acquire_at(&path).is_err());
        assert_eq!(fs::read_to_string(&path).expect("text"), "mine");
    }

    /// A lock file may be removed between another's opening and locking of it: that one must not believe its lock.
    #[test]
    fn two_that_hurry_never_both_have_it() {
        let dir = tempfile::tempdir().expect("a directory");
        let (output, inside) = (dir.path().join("out"), dir.path().join("inside"));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        if let LockAttempt::Acquired(lock) =
                            FileLock::acquire_for_output(&output).expect("a lock")
                        {
                            File::create_new(&inside).expect("nobody else is inside");
                            fs::remove_file(&inside).expect("left");
                            drop(lock);
                        }
                    }
                });
            }
        });
    }
}
