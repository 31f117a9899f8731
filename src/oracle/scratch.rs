//! Where tests run: which file system, and why.

use std::env;
use std::fmt;
use std::fs;
use std::io;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::clean::OwnDir;
use super::errand;
use super::quota::size;
use super::root::{self, Root};
use crate::display::Shown;

/// What must be free, in bytes, however small the input is: tests compile.
const LEAST_FREE: u64 = 256_000_000;
/// How many copies of the input a test may make.
const COPIES: u64 = 20;

/// The directory in which a run's tests get their scratch directories; removed with the last clone of this.
///
/// Clones share the directory.
#[derive(Clone, Debug)]
pub struct Scratch {
    root: Arc<Root>,
    base: PathBuf,
    why: String,
}

/// No directory can be used.
#[derive(Debug, thiserror::Error)]
pub enum ScratchError {
    /// The user's choice cannot be used.
    #[error("no test can run in --scratch {}: {source}; name a directory that exists and in which you may write", path.shown())]
    Flag {
        /// The user's choice.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// None of the usual places can be used.
    #[error("no directory for the tests to run in: {tried}; give one with --scratch")]
    Nowhere {
        /// Each place and what is wrong with it.
        tried: String,
    },
}

impl Scratch {
    /// Finds a place for tests: `flag` (`--scratch`), else memory (`/dev/shm`), else `TMPDIR`, else `/tmp`; the first in which files
    /// can be executed and 256 MB, and 20 times the input for each of the `jobs`, are free. Removes what dead runs left in all of them.
    ///
    /// The user's choice is not second-guessed: it is refused only if it is missing or nothing can be made in it; [`Scratch::why`] says
    /// if files cannot be executed there.
    pub fn choose(
        flag: Option<&Path>,
        input_bytes: u64,
        jobs: usize,
    ) -> Result<Scratch, ScratchError> {
        if let Some(path) = flag {
            let refused = |source| ScratchError::Flag {
                path: path.to_path_buf(),
                source,
            };
            if !fs::metadata(path).map_err(refused)?.is_dir() {
                return Err(refused(io::ErrorKind::NotADirectory.into()));
            }
            let base = std::path::absolute(path).map_err(refused)?;
            root::remove_stale(&base);
            let doubt = match examine(&base, 0) {
                Err(fault @ Fault::NoExec) => format!(", but {fault}"),
                _ => String::new(),
            };
            return Scratch::at(base, format!("given by --scratch{doubt}")).map_err(refused);
        }
        let need = LEAST_FREE.max(
            COPIES
                .saturating_mul(input_bytes)
                .saturating_mul(jobs as u64),
        );
        Scratch::among(&places(), need)
    }

    /// The first place that has all it needs; else the last in which anything can be made.
    fn among(places: &[Place], need: u64) -> Result<Scratch, ScratchError> {
        places
            .iter()
            .for_each(|place| root::remove_stale(&place.path));
        let mut faults: Vec<(&Place, Fault)> = Vec::new();
        for place in places {
            match examine(&place.path, need) {
                Ok(free) => {
                    let why = format!("{}, {} free{}", place.what, size(free), Faults(&faults));
                    match Scratch::at(place.path.clone(), why) {
                        Ok(scratch) => return Ok(scratch),
                        Err(error) => faults.push((place, Fault::Unusable(error))),
                    }
                }
                Err(fault) => faults.push((place, fault)),
            }
        }
        for (place, fault) in faults.iter().rev() {
            let why = format!(
                "{}, for want of a better one{}",
                place.what,
                Faults(&faults)
            );
            if let (false, Ok(scratch)) = (
                matches!(fault, Fault::Unusable(_)),
                Scratch::at(place.path.clone(), why),
            ) {
                return Ok(scratch);
            }
        }
        let tried: Vec<String> = faults
            .iter()
            .map(|(place, fault)| format!("{} {fault}", place.path.shown()))
            .collect();
        Err(ScratchError::Nowhere {
            tried: tried.join(", "),
        })
    }

    fn at(base: PathBuf, why: String) -> io::Result<Scratch> {
        let root = Arc::new(Root::new(&base)?);
        Ok(Scratch { root, base, why })
    }

    /// The directory that was chosen, as `/dev/shm`.
    pub fn base(&self) -> &Path {
        &self.base
    }

    /// Why it was chosen, for the user: "in memory, 11.2 GB free".
    pub fn why(&self) -> &str {
        &self.why
    }

    /// The run's own directory in it.
    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// Removes what tests have left, now that none runs. What cannot be removed is told by [`super::left_behind`].
    pub fn clear(&self) {
        self.root.clear();
    }

    /// An empty directory for one test, in a room or in none.
    pub(super) fn new_dir(&self, room: Option<&OwnDir>) -> io::Result<OwnDir> {
        self.root.stay_ours()?;
        match room {
            Some(room) => self.root.new_dir_in(room),
            None => self.root.new_dir(),
        }
    }

    /// A room.
    pub(super) fn new_room(&self) -> io::Result<Room> {
        self.root.stay_ours()?;
        self.root.new_dir().map(Room)
    }
}

/// Where one helper's tests have their directories, one after the other, so that who can write nowhere else reaches no other test.
#[derive(Debug)]
pub(super) struct Room(OwnDir);

impl Room {
    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(super) fn own(&self) -> &OwnDir {
        &self.0
    }
}

impl Drop for Room {
    /// What resists is removed with the run's root, or by the next run.
    fn drop(&mut self) {
        let _ = self.0.remove();
    }
}

/// A directory that may do.
struct Place {
    path: PathBuf,
    what: &'static str,
}

/// The usual places, best first.
fn places() -> Vec<Place> {
    let mut places = vec![Place {
        path: PathBuf::from("/dev/shm"),
        what: "in memory",
    }];
    let tmpdir = env::var_os("TMPDIR")
        .filter(|path| !path.is_empty())
        .and_then(|path| std::path::absolute(path).ok());
    places.extend(tmpdir.map(|path| Place {
        path,
        what: "named by TMPDIR",
    }));
    places.push(Place {
        path: PathBuf::from("/tmp"),
        what: "the usual place",
    });
    places
}

/// What is wrong with a place.
#[derive(Debug)]
enum Fault {
    Unusable(io::Error),
    NoExec,
    Full { free: u64, need: u64 },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Unusable(error) => write!(f, "cannot be used ({error})"),
            Fault::NoExec => write!(f, "lets no file be executed"),
            Fault::Full { free, need } => {
                write!(f, "has {} free, {} are needed", size(*free), size(*need))
            }
        }
    }
}

/// The places that were passed over, for the end of a sentence.
struct Faults<'a>(&'a [(&'a Place, Fault)]);

impl fmt::Display for Faults<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|(place, fault)| write!(f, "; {} {fault}", place.path.shown()))
    }
}

/// The free bytes of a place that has all that tests need.
fn examine(base: &Path, need: u64) -> Result<u64, Fault> {
    let unusable = |error: rustix::io::Errno| Fault::Unusable(error.into());
    let stat = rustix::fs::statvfs(base).map_err(unusable)?;
    let free = stat.f_bavail.saturating_mul(stat.f_frsize);
    if free < need {
        return Err(Fault::Full { free, need });
    }
    match can_execute(base) {
        Ok(true) => Ok(free),
        Ok(false) => Err(Fault::NoExec),
        Err(error) => Err(Fault::Unusable(error)),
    }
}

/// Tries it: mount flags tell neither of security modules nor of what containers do.
fn can_execute(base: &Path) -> io::Result<bool> {
    let root = Root::new(base)?;
    let path = root.new_dir()?.path().join("try");
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o700)
        .open(&path)?;
    file.write_all(b"#!/bin/sh\nexit 0\n")?;
    drop(file);
    let mut script = std::process::Command::new(path);
    script.stdin(std::process::Stdio::null());
    match errand::insist(|| script.status()) {
        Ok(status) => Ok(status.success()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(path: &Path, what: &'static str) -> Place {
        Place {
            path: path.to_path_buf(),
            what,
        }
    }

    #[test]
    fn the_first_place_with_enough_room_is_taken() {
        let (one, two) = (
            tempfile::tempdir().expect("a directory"),
            tempfile::tempdir().expect("a directory"),
        );
        let scratch = Scratch::among(
            &[place(one.path(), "first"), place(two.path(), "second")],
            1,
        )
        .expect("a place");
        assert_eq!(scratch.base(), one.path());
        assert!(
            scratch.why().starts_with("first, ") && scratch.why().ends_with(" free"),
            "{}",
            scratch.why()
        );
        assert!(scratch.root().starts_with(one.path()) && scratch.root().is_dir());
    }

    #[test]
    fn a_place_that_will_not_do_is_named_with_the_reason() {
        let good = tempfile::tempdir().expect("a directory");
        let missing = Path::new("/no/such/place");
        let scratch = Scratch::among(&[place(missing, "first"), place(good.path(), "second")], 1)
            .expect("a place");
        assert_eq!(scratch.base(), good.path());
        assert!(
            scratch
                .why()
                .contains("; /no/such/place cannot be used (No such file"),
            "{}",
            scratch.why()
        );
        let error = Scratch::among(&[place(missing, "only")], 1).expect_err("no place");
        assert!(
            error
                .to_string()
                .starts_with("no directory for the tests to run in: /no/such/place cannot"),
            "{error}"
        );
    }

    #[test]
    fn a_full_place_is_better_than_none() {
        let full = tempfile::tempdir().expect("a directory");
        let scratch = Scratch::among(&[place(full.path(), "small")], u64::MAX).expect("a place");
        assert_eq!(scratch.base(), full.path());
        assert!(
            scratch
                .why()
                .starts_with("small, for want of a better one; "),
            "{}",
            scratch.why()
        );
    }

    #[test]
    fn the_users_choice_is_taken_if_it_is_there() {
        let dir = tempfile::tempdir().expect("a directory");
        let flag = dir.path().join("scratch");
        let error = Scratch::choose(Some(&flag), 0, 1).expect_err("nothing there");
        assert!(error.to_string().contains("No such file"), "{error}");
        assert!(!flag.exists(), "nothing is made of a slip of the finger");
        fs::create_dir(&flag).expect("a directory");
        let scratch = Scratch::choose(Some(&flag), 0, 1).expect("a place");
        assert_eq!(
            (scratch.base(), scratch.why()),
            (flag.as_path(), "given by --scratch")
        );
        let kept = scratch.clone();
        drop(scratch);
        assert!(kept.root().is_dir());
        let file = dir.path().join("file");
        fs::write(&file, "").expect("a file");
        let error = Scratch::choose(Some(&file), 0, 1).expect_err("no directory");
        assert!(error.to_string().contains("--scratch "), "{error}");
    }
}
