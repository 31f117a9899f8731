//! One run for one output.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::FlockOperation;
use rustix::io::Errno;

use super::names;

/// A lock on a file beside the output: the output itself is replaced, so a lock on it would be on a file that is gone. The system
/// lets go of it when this process ends, however it ends; the file is removed when this is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the lock of `output`; `None` if another process has it.
    pub(super) fn take(output: &Path) -> io::Result<Option<Lock>> {
        let path = names::hidden(output, "lock");
        loop {
            let file = OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)?;
            match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Err(Errno::WOULDBLOCK) => return Ok(None),
                // A file system without locks (some network mounts): better an unguarded run than none.
                Err(Errno::NOLCK | Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => {}
                locked => locked?,
            }
            // The one who had it may have removed the file between our two calls: then we locked what nobody else will see.
            let ours = file.metadata()?;
            match fs::metadata(&path) {
                Ok(named) if (named.dev(), named.ino()) == (ours.dev(), ours.ino()) => {
                    return Ok(Some(Lock { path, _file: file }));
                }
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
    }
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
        let lock = Lock::take(&output).expect("a lock").expect("free");
        assert!(Lock::take(&output).expect("a lock").is_none());
        drop(lock);
        assert!(Lock::take(&output).expect("a lock").is_some());
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
                        if let Some(lock) = Lock::take(&output).expect("a lock") {
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
