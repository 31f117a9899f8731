//! One run for one output, and for one session.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::FlockOperation;
use rustix::io::Errno;

use super::{files, names};

/// How the file of a lock begins. It is empty before anybody has told who has it.
const BEGINS: &[u8] = b"lop-lock ";

/// A lock on a file beside the output: the output itself is replaced, so a lock on it would be on a file that is gone. The system
/// lets go of it when this process ends, however it ends; the file is removed when this is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    file: File,
    /// Whether the system knows of it: not all file systems have locks.
    known: bool,
}

fn is_lock(start: &[u8]) -> bool {
    start.is_empty() || start.starts_with(BEGINS)
}

/// Who has a lock, by its own word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// Its process.
    pub process: u32,
    /// Since when, in seconds since 1970.
    pub since: u64,
    /// Its session; none if it has none.
    pub session: Option<String>,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ago = now().saturating_sub(self.since);
        write!(
            f,
            "process {}, for {}",
            self.process,
            super::ago(Duration::from_secs(ago))
        )?;
        match &self.session {
            Some(session) => write!(f, ", session {session}"),
            None => Ok(()),
        }
    }
}

/// What became of trying to take a lock.
#[derive(Debug)]
pub(super) enum Taking {
    /// It is ours.
    Ours(Lock),
    /// Another has it.
    Theirs(Option<Holder>),
}

fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.unwrap_or_default().as_secs()
}

impl Lock {
    /// Takes the lock of `output`.
    pub(super) fn take(output: &Path) -> io::Result<Taking> {
        Lock::at(&names::hidden(output, "lock"))
    }

    /// Takes the lock at this very path.
    pub(super) fn at(path: &Path) -> io::Result<Taking> {
        let path = path.to_path_buf();
        loop {
            let mut file = files::open_own(&path, is_lock, 0o600)?;
            let known = match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Err(Errno::WOULDBLOCK) => return Ok(Taking::Theirs(holder(&mut file))),
                // A file system without locks (some network mounts): better an unguarded run than none.
                Err(Errno::NOLCK | Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => false,
                locked => locked.map(|()| true)?,
            };
            // The one who had it may have removed the file between our two calls: then we locked what nobody else will see.
            if files::is_at(&file, &path) {
                return Ok(Taking::Ours(Lock { path, file, known }));
            }
        }
    }

    /// Whether somebody has the lock at this path. Leaves no trace.
    pub(super) fn is_held(path: &Path) -> bool {
        let shared = FlockOperation::NonBlockingLockShared;
        files::open_old(path, is_lock)
            .is_ok_and(|file| rustix::fs::flock(&file, shared) == Err(Errno::WOULDBLOCK))
    }

    /// Whether there is a file of a lock at this path, held or not.
    pub(super) fn is_one(path: &Path) -> bool {
        files::read_own(path).is_ok_and(|text| is_lock(&text))
    }

    /// The same if it says who has or had the lock: an empty file may be anybody's.
    pub(super) fn is_told(path: &Path) -> bool {
        files::read_own(path).is_ok_and(|text| text.starts_with(BEGINS))
    }

    /// Whether nobody else can have it.
    pub(super) fn is_sure(&self) -> bool {
        self.known
    }

    /// Whether its file is still where it was made.
    pub(super) fn is_there(&self) -> bool {
        files::is_at(&self.file, &self.path)
    }

    /// Writes down who has it, for those who find it taken.
    pub(super) fn tell(&self, session: &str) -> io::Result<()> {
        let (process, now) = (std::process::id(), now());
        let mut line = BEGINS.to_vec();
        line.extend(format!("{process} {now} {session}\n").bytes());
        self.file.set_len(0)?;
        (&self.file).write_all(&line)
    }
}

/// Who has the lock of this file: its process, since when, and its session, with blanks between them.
fn holder(file: &mut File) -> Option<Holder> {
    let mut text = Vec::new();
    file.take(4096).read_to_end(&mut text).ok()?;
    let text = String::from_utf8(text.strip_prefix(BEGINS)?.to_vec()).ok()?;
    let mut words = text.trim_end().splitn(3, ' ');
    Some(Holder {
        process: words.next()?.parse().ok()?,
        since: words.next()?.parse().ok()?,
        session: words
            .next()
            .map(str::to_owned)
            .filter(|name| !name.is_empty()),
    })
}

impl Drop for Lock {
    /// The file goes before the lock does, unless another is in its place.
    fn drop(&mut self) {
        if self.is_there() {
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
        let Taking::Ours(lock) = Lock::take(&output).expect("a lock") else {
            panic!("it is free");
        };
        lock.tell("bug.c-1").expect("written");
        match Lock::take(&output).expect("a lock") {
            Taking::Theirs(Some(holder)) => {
                assert_eq!(holder.process, std::process::id());
                assert!(
                    holder.to_string().ends_with(", session bug.c-1"),
                    "{holder}"
                );
            }
            other => panic!("{other:?}"),
        }
        drop(lock);
        assert!(matches!(Lock::take(&output), Ok(Taking::Ours(_))));
        assert_eq!(fs::read_dir(dir.path()).expect("a directory").count(), 0);
    }

    #[test]
    fn whether_somebody_has_it_is_seen_without_a_trace() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("lock");
        assert!(!Lock::is_held(&path) && !path.exists());
        let Ok(Taking::Ours(lock)) = Lock::at(&path) else {
            panic!("it is free");
        };
        assert!(Lock::is_held(&path));
        // As a kill leaves it.
        fs::copy(&path, dir.path().join("left")).expect("a copy");
        assert!(!Lock::is_held(&dir.path().join("left")));
        drop(lock);
        assert!(!Lock::is_held(&path));
    }

    #[test]
    fn a_file_that_somebody_put_in_its_place_stays() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("lock");
        let Ok(Taking::Ours(lock)) = Lock::at(&path) else {
            panic!("it is free");
        };
        fs::remove_file(&path).expect("removed");
        fs::write(&path, "mine").expect("a file");
        drop(lock);
        assert_eq!(fs::read_to_string(&path).expect("text"), "mine");
        assert!(Lock::at(&path).is_err());
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
                        if let Taking::Ours(lock) = Lock::take(&output).expect("a lock") {
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
