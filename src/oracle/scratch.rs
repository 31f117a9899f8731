//! Where tests run: which file system, and why.

use std::collections::HashMap;
use std::env;
use std::fmt;
use std::fs;
use std::io;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::cleanup::OwnDir;
use super::quota::format_size;
use super::scratch_root::{self, ScratchRoot};
use super::test_command;
use crate::display::EscapeHidden;

/// The least free space, in bytes, for any input: tests compile.
const LEAST_FREE: u64 = 256_000_000;
/// The number of copies of the input that a test has room for.
const COPIES: u64 = 20;

/// The directory in which a run's tests get their scratch directories; removed with the last clone of this.
///
/// Clones share the directory.
#[derive(Clone, Debug)]
pub struct ScratchSpace {
    root: Arc<ScratchRoot>,
    base: PathBuf,
    reason: String,
    /// What is special about files of a test, by their paths in its directory.
    special_files: Arc<HashMap<PathBuf, SpecialFile>>,
}

/// What a file of a test is, if not a regular file that nobody executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecialFile {
    /// It may be executed.
    Executable,
    /// It is a symbolic link; its bytes are the path that it holds.
    Link,
}

/// Why there is no scratch directory.
#[derive(Debug, thiserror::Error)]
pub enum ScratchError {
    /// The user's directory cannot be used.
    #[error("no test can run in --scratch {}: {source}; name a directory that exists and in which you may write", path.escape_hidden())]
    Flag {
        /// The user's directory.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// None of the usual places can be used.
    #[error("no directory for the tests to run in: {tried}; give one with --scratch")]
    Nowhere {
        /// Each directory with the reason.
        tried: String,
    },
}

impl ScratchSpace {
    /// The same directory for tests some of whose files are special.
    #[must_use]
    pub fn with_special_files(
        self,
        special_files: impl IntoIterator<Item = (PathBuf, SpecialFile)>,
    ) -> ScratchSpace {
        ScratchSpace {
            special_files: Arc::new(special_files.into_iter().collect()),
            ..self
        }
    }

    /// What is special about a file of a test.
    pub(super) fn special_file(&self, file: &Path) -> Option<SpecialFile> {
        self.special_files.get(file).copied()
    }

    /// Finds a place for tests: `flag` (`--scratch`), else memory (`/dev/shm`), else `TMPDIR`, else `/tmp`; the first in which files
    /// can be executed and 256 MB, and 20 times the input for each of the `jobs`, are free. Removes what dead runs left in all of them.
    ///
    /// The user's choice is not second-guessed: it is refused only if it is missing or nothing can be made in it; [`ScratchSpace::choice_reason`] says
    /// if files cannot be executed there.
    pub fn choose_base(
        flag: Option<&Path>,
        input_bytes: u64,
        jobs: usize,
    ) -> Result<ScratchSpace, ScratchError> {
        if let Some(path) = flag {
            let refused = |source| ScratchError::Flag {
                path: path.to_path_buf(),
                source,
            };
            if !fs::metadata(path).map_err(refused)?.is_dir() {
                return Err(refused(io::ErrorKind::NotADirectory.into()));
            }
            let base = std::path::absolute(path).map_err(refused)?;
            scratch_root::remove_stale_roots(&base);
            let doubt = match check_candidate(&base, 0) {
                Err(fault @ ScratchProblem::NoExec) => format!(", but {fault}"),
                _ => String::new(),
            };
            return ScratchSpace::create_in(base, format!("given by --scratch{doubt}"))
                .map_err(refused);
        }
        let need = LEAST_FREE.max(
            COPIES
                .saturating_mul(input_bytes)
                .saturating_mul(jobs as u64),
        );
        ScratchSpace::first_usable(&default_candidates(), need)
    }

    /// The first suitable directory; else the last one in which anything can be created.
    fn first_usable(places: &[ScratchCandidate], need: u64) -> Result<ScratchSpace, ScratchError> {
        places
            .iter()
            .for_each(|place| scratch_root::remove_stale_roots(&place.path));
        let mut faults: Vec<(&ScratchCandidate, ScratchProblem)> = Vec::new();
        for place in places {
            match check_candidate(&place.path, need) {
                Ok(free) => {
                    let why = format!(
                        "{}, {} free{}",
                        place.description,
                        format_size(free),
                        ScratchProblems(&faults)
                    );
                    match ScratchSpace::create_in(place.path.clone(), why) {
                        Ok(scratch) => return Ok(scratch),
                        Err(error) => faults.push((place, ScratchProblem::Unusable(error))),
                    }
                }
                Err(fault) => faults.push((place, fault)),
            }
        }
        for (place, fault) in faults.iter().rev() {
            let why = format!(
                "{}, for want of a better one{}",
                place.description,
                ScratchProblems(&faults)
            );
            if let (false, Ok(scratch)) = (
                matches!(fault, ScratchProblem::Unusable(_)),
                ScratchSpace::create_in(place.path.clone(), why),
            ) {
                return Ok(scratch);
            }
        }
        let tried: Vec<String> = faults
            .iter()
            .map(|(place, fault)| format!("{} {fault}", place.path.escape_hidden()))
            .collect();
        Err(ScratchError::Nowhere {
            tried: tried.join(", "),
        })
    }

    fn create_in(base: PathBuf, why: String) -> io::Result<ScratchSpace> {
        let root = Arc::new(ScratchRoot::new(&base)?);
        Ok(ScratchSpace {
            root,
            base,
            reason: why,
            special_files: Arc::default(),
        })
    }

    /// The directory that was chosen, as `/dev/shm`.
    pub fn base_dir(&self) -> &Path {
        &self.base
    }

    /// Why it was chosen, for the user: "in memory, 11.2 GB free".
    pub fn choice_reason(&self) -> &str {
        &self.reason
    }

    /// The run's own directory in it.
    pub fn root_path(&self) -> &Path {
        self.root.path()
    }

    /// Removes what tests have left. No test may be running. [`super::take_leftover_notices`] reports what cannot be removed.
    pub fn remove_leftovers(&self) {
        self.root.remove_leftovers();
    }

    /// Creates an empty directory for one test, in a helper's directory if there is one.
    pub(super) fn create_test_dir(&self, room: Option<&OwnDir>) -> io::Result<OwnDir> {
        self.root.ensure_owned()?;
        match room {
            Some(room) => self.root.create_dir_in(room),
            None => self.root.create_dir(),
        }
    }

    /// Creates the directory of a helper.
    pub(super) fn create_helper_dir(&self) -> io::Result<HelperDirectory> {
        self.root.ensure_owned()?;
        self.root.create_dir().map(HelperDirectory)
    }
}

/// The directory of one helper's tests. A sandboxed test can write only in it, so it reaches no test of another helper.
#[derive(Debug)]
pub(super) struct HelperDirectory(OwnDir);

impl HelperDirectory {
    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(super) fn own(&self) -> &OwnDir {
        &self.0
    }
}

impl Drop for HelperDirectory {
    /// What cannot be removed is removed with the run's root, or by the next run.
    fn drop(&mut self) {
        let _ = self.0.remove();
    }
}

/// A directory that may be suitable.
struct ScratchCandidate {
    path: PathBuf,
    description: &'static str,
}

/// The usual places, best first.
fn default_candidates() -> Vec<ScratchCandidate> {
    let mut places = vec![ScratchCandidate {
        path: PathBuf::from("/dev/shm"),
        description: "in memory",
    }];
    let tmpdir = env::var_os("TMPDIR")
        .filter(|path| !path.is_empty())
        .and_then(|path| std::path::absolute(path).ok());
    places.extend(tmpdir.map(|path| ScratchCandidate {
        path,
        description: "named by TMPDIR",
    }));
    places.push(ScratchCandidate {
        path: PathBuf::from("/tmp"),
        description: "the usual place",
    });
    places
}

/// Why a directory is not suitable.
#[derive(Debug)]
enum ScratchProblem {
    Unusable(io::Error),
    NoExec,
    Full { free: u64, need: u64 },
}

impl fmt::Display for ScratchProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScratchProblem::Unusable(error) => write!(f, "cannot be used ({error})"),
            ScratchProblem::NoExec => write!(f, "lets no file be executed"),
            ScratchProblem::Full { free, need } => {
                write!(
                    f,
                    "has {} free, {} are needed",
                    format_size(*free),
                    format_size(*need)
                )
            }
        }
    }
}

/// The directories that were rejected, for the end of a sentence.
struct ScratchProblems<'a>(&'a [(&'a ScratchCandidate, ScratchProblem)]);

impl fmt::Display for ScratchProblems<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|(place, fault)| write!(f, "; {} {fault}", place.path.escape_hidden()))
    }
}

/// The free bytes of a suitable directory.
fn check_candidate(base: &Path, need: u64) -> Result<u64, ScratchProblem> {
    let unusable = |error: rustix::io::Errno| ScratchProblem::Unusable(error.into());
    let stat = rustix::fs::statvfs(base).map_err(unusable)?;
    let free = stat.f_bavail.saturating_mul(stat.f_frsize);
    if free < need {
        return Err(ScratchProblem::Full { free, need });
    }
    match can_execute(base) {
        Ok(true) => Ok(free),
        Ok(false) => Err(ScratchProblem::NoExec),
        Err(error) => Err(ScratchProblem::Unusable(error)),
    }
}

/// Executes a file: mount flags show neither security modules nor the rules of containers.
fn can_execute(base: &Path) -> io::Result<bool> {
    let root = ScratchRoot::new(base)?;
    let path = root.create_dir()?.path().join("try");
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o700)
        .open(&path)?;
    file.write_all(b"#!/bin/sh\nexit 0\n")?;
    drop(file);
    let mut script = std::process::Command::new(path);
    script.stdin(std::process::Stdio::null());
    match test_command::retry_while_busy(|| script.status()) {
        Ok(status) => Ok(status.success()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(path: &Path, what: &'static str) -> ScratchCandidate {
        ScratchCandidate {
            path: path.to_path_buf(),
            description: what,
        }
    }

    #[test]
    fn the_first_place_with_enough_room_is_taken() {
        let (one, two) = (
            tempfile::tempdir().expect("a directory"),
            tempfile::tempdir().expect("a directory"),
        );
        let scratch = ScratchSpace::first_usable(
            &[place(one.path(), "first"), place(two.path(), "second")],
            1,
        )
        .expect("a place");
        assert_eq!(scratch.base_dir(), one.path());
        assert!(
            scratch.choice_reason().starts_with("first, ")
                && scratch.choice_reason().ends_with(" free"),
            "{}",
            scratch.choice_reason()
        );
        assert!(scratch.root_path().starts_with(one.path()) && scratch.root_path().is_dir());
    }

    #[test]
    fn a_place_that_will_not_do_is_named_with_the_reason() {
        let good = tempfile::tempdir().expect("a directory");
        let missing = Path::new("/no/such/place");
        let scratch =
            ScratchSpace::first_usable(&[place(missing, "first"), place(good.path(), "second")], 1)
                .expect("a place");
        assert_eq!(scratch.base_dir(), good.path());
        assert!(
            scratch
                .choice_reason()
                .contains("; /no/such/place cannot be used (No such file"),
            "{}",
            scratch.choice_reason()
        );
        let error = ScratchSpace::first_usable(&[place(missing, "only")], 1).expect_err("no place");
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
        let scratch =
            ScratchSpace::first_usable(&[place(full.path(), "small")], u64::MAX).expect("a place");
        assert_eq!(scratch.base_dir(), full.path());
        assert!(
            scratch
                .choice_reason()
                .starts_with("small, for want of a better one; "),
            "{}",
            scratch.choice_reason()
        );
    }

    #[test]
    fn the_users_choice_is_taken_if_it_is_there() {
        let dir = tempfile::tempdir().expect("a directory");
        let flag = dir.path().join("scratch");
        let error = ScratchSpace::choose_base(Some(&flag), 0, 1).expect_err("nothing there");
        assert!(error.to_string().contains("No such file"), "{error}");
        assert!(!flag.exists(), "nothing is made of a slip of the finger");
        fs::create_dir(&flag).expect("a directory");
        let scratch = ScratchSpace::choose_base(Some(&flag), 0, 1).expect("a place");
        assert_eq!(
            (scratch.base_dir(), scratch.choice_reason()),
            (flag.as_path(), "given by --scratch")
        );
        let kept = scratch.clone();
        drop(scratch);
        assert!(kept.root_path().is_dir());
        let file = dir.path().join("file");
        fs::write(&file, "").expect("a file");
        let error = ScratchSpace::choose_base(Some(&file), 0, 1).expect_err("no directory");
        assert!(error.to_string().contains("--scratch "), "{error}");
    }
}
