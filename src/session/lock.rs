//! One run for one output, and for one session.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::FlockOperation;
use rustix::io::Errno;

use super::names;

/// A lock on a file beside the output: the output itself is replaced, so a lock on it would be on a file that is gone. The system
/// lets go of it when this process ends, however it ends; the file is removed when this is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    file: File,
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
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .mode(0o600)
                .open(&path)?;
            match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Err(Errno::WOULDBLOCK) => return Ok(Taking::Theirs(holder(&mut file))),
                // A file system without locks (some network mounts): better an unguarded run than none.
                Err(Errno::NOLCK | Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => {}
                locked => locked?,
            }
            // The one who had it may have removed the file between our two calls: then we locked what nobody else will see.
            let ours = file.metadata()?;
            match fs::metadata(&path) {
                Ok(named) if (named.dev(), named.ino()) == (ours.dev(), ours.ino()) => {
                    return Ok(Taking::Ours(Lock { path, file }));
                }
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Writes down who has it, for those who find it taken.
    pub(super) fn tell(&self, session: &str) -> io::Result<()> {
        self.file.set_len(0)?;
        let mut file = &self.file;
        file.rewind()?;
        writeln!(file, "{} {} {session}", std::process::id(), now())
    }
}

/// Who has the lock of this file: its process, since when, and its session, with blanks between them.
fn holder(file: &mut File) -> Option<Holder> {
    let mut text = String::new();
    file.take(4096).read_to_string(&mut text).ok()?;
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
    /// The file goes before the lock does.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
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
