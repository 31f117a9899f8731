//! `--save-candidates DIR`: each candidate that was tested, with what its test printed, in `DIR/2026-01-31-23-59-59/`.
//!
//! `reduced.12.c` is the candidate of decision 12, `reduced.12.log` the output of its test with the verdict in its last line; `reduced.0.c` is
//! the original. `--verdicts` reads them back. Nothing that is there already is replaced, and no link is followed.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::verdict_line::write_log;
use super::{ensure_owned_by_user, own_files};
use crate::display::{CivilTime, EscapeHidden, format_count};
use crate::reduce::{CandidateKeeper, TestedCandidate};

/// No more candidates are kept in a directory.
const MOST: u64 = 100_000;
/// No more bytes, programs and logs together.
const MOST_BYTES: u64 = 1 << 30;
/// As many directories of the same second are tried.
const MOST_DIRECTORIES: u32 = 1000;
/// What a user reduces is the user's.
const MODE: u32 = 0o700;

/// Why candidates cannot be kept.
#[derive(Debug, thiserror::Error)]
#[error("candidates cannot be kept in {}: {source}; name another directory with --save-candidates", path.escape_hidden())]
pub struct SavedCandidatesError {
    /// The directory.
    path: PathBuf,
    /// The system's message, or whose it is.
    source: io::Error,
}

/// The directory of one run.
#[derive(Debug)]
pub struct CandidateDirectory {
    path: PathBuf,
    extension: OsString,
    candidates: u64,
    bytes: u64,
    /// Whether the user knows that a candidate is not kept.
    has_warned: bool,
}

impl CandidateDirectory {
    /// Makes a directory for a run that began at this time, in seconds since 1970, below `parent`, which is made if it does not exist.
    ///
    /// # Errors
    /// When that cannot be done, or `parent` is somebody else's.
    pub fn create(
        parent: &Path,
        began: u64,
        extension: Option<&OsStr>,
    ) -> Result<CandidateDirectory, SavedCandidatesError> {
        let failed = |source| SavedCandidatesError {
            path: parent.to_path_buf(),
            source,
        };
        let mut builder = DirBuilder::new();
        builder
            .recursive(true)
            .mode(MODE)
            .create(parent)
            .map_err(failed)?;
        let about = fs::metadata(parent).map_err(failed)?;
        ensure_owned_by_user(parent, &about).map_err(failed)?;
        let date = format_date(began);
        for number in 0..MOST_DIRECTORIES {
            let path = match number {
                0 => parent.join(&date),
                number => parent.join(format!("{date}.{number}")),
            };
            match DirBuilder::new().mode(MODE).create(&path) {
                Ok(()) => return Ok(CandidateDirectory::empty(path, extension)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(error)),
            }
        }
        Err(failed(ErrorKind::AlreadyExists.into()))
    }

    /// Opens the directory of a run that is resumed; makes it anew if it is gone.
    ///
    /// # Errors
    /// When something else is there, or it is somebody else's.
    pub fn reopen(
        path: &Path,
        extension: Option<&OsStr>,
    ) -> Result<CandidateDirectory, SavedCandidatesError> {
        let failed = |source| SavedCandidatesError {
            path: path.to_path_buf(),
            source,
        };
        own_files::ensure_directory(path).map_err(failed)?;
        let about = fs::symlink_metadata(path).map_err(failed)?;
        ensure_owned_by_user(path, &about).map_err(failed)?;
        let mut kept = CandidateDirectory::empty(path.to_path_buf(), extension);
        for entry in fs::read_dir(path).map_err(failed)? {
            let about = entry.and_then(|entry| entry.metadata()).map_err(failed)?;
            kept.candidates += 1;
            kept.bytes += about.len();
        }
        // Of each there are two.
        kept.candidates /= 2;
        Ok(kept)
    }

    fn empty(path: PathBuf, extension: Option<&OsStr>) -> CandidateDirectory {
        CandidateDirectory {
            path,
            extension: extension.unwrap_or_default().to_owned(),
            candidates: 0,
            bytes: 0,
            has_warned: false,
        }
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a program and its log, unless the program is there already. Another program of the same number has the next free name.
    fn save_pair(&mut self, number: u64, program: &[u8], log: &[u8]) -> io::Result<()> {
        // The directory may have been replaced by a link.
        own_files::ensure_directory(&self.path)?;
        let mut stem = format!("reduced.{number}");
        for attempt in 1..MOST_DIRECTORIES {
            let [program_path, log_path] = self.pair_paths(&stem);
            match own_files::create_new(&program_path, 0o666) {
                Ok(mut file) => {
                    file.write_all(program)?;
                    return own_files::create_new(&log_path, 0o666)?.write_all(log);
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            if own_files::read_own_file(&program_path).is_ok_and(|there| there == program) {
                // The run was killed after it had written the program; the log may be missing.
                return match own_files::create_new(&log_path, 0o666) {
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
                    file => file?.write_all(log),
                };
            }
            stem = format!("reduced.{number}.{attempt}");
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// The paths of a program and its log. A program without an extension has no dot in its name, as the log takes its place.
    fn pair_paths(&self, stem: &str) -> [PathBuf; 2] {
        let name = |extension: &OsStr| {
            let mut name = OsString::from(stem);
            name.push(".");
            name.push(extension);
            self.path.join(name)
        };
        match self.extension.is_empty() {
            false => [name(&self.extension), name(OsStr::new("log"))],
            true => {
                let program = self.path.join(stem.replace('.', "-"));
                let log = program.with_extension("log");
                [program, log]
            }
        }
    }

    /// The sentence, unless one was said before.
    fn warn_once(&mut self, sentence: String) -> Option<String> {
        (!std::mem::replace(&mut self.has_warned, true)).then_some(sentence)
    }
}

impl CandidateKeeper for CandidateDirectory {
    fn keep_candidate(&mut self, tested: &TestedCandidate<'_>) -> Option<String> {
        let log = write_log(&tested.output.to_bytes(), tested.verdict);
        let bytes = (tested.text.len() + log.len()) as u64;
        if self.candidates >= MOST || self.bytes + bytes > MOST_BYTES {
            let sentence = format!(
                "{} has {}, as much as lop keeps: later candidates are not kept",
                self.path.escape_hidden(),
                format_count(self.candidates, "candidate")
            );
            return self.warn_once(sentence);
        }
        match self.save_pair(tested.decision, tested.text, &log) {
            Ok(()) => {
                self.candidates += 1;
                self.bytes += bytes;
                None
            }
            Err(error) => {
                let path = self.path.escape_hidden().into_owned();
                self.warn_once(format!("a candidate cannot be kept in {path}: {error}"))
            }
        }
    }
}

/// The date and the time of day in Greenwich, as a name: `2026-01-31-23-59-59`.
fn format_date(seconds: u64) -> String {
    let CivilTime { date, time } = CivilTime::from_seconds(seconds);
    let ((year, month, day), (hour, minute, second)) = (date, time);
    format!("{year:04}-{month:02}-{day:02}-{hour:02}-{minute:02}-{second:02}")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::oracle::{TestOutput, Verdict};

    fn keep(kept: &mut CandidateDirectory, decision: u64, text: &str) -> Option<String> {
        kept.keep_candidate(&TestedCandidate {
            decision,
            text: text.as_bytes(),
            verdict: Verdict::Interesting,
            output: &TestOutput::from_text("printed"),
        })
    }

    fn names(kept: &CandidateDirectory) -> Vec<String> {
        let entries = fs::read_dir(kept.path()).expect("a directory").flatten();
        let mut names: Vec<_> = entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_date_is_that_of_the_calendar() {
        for (seconds, date) in [
            (0, "1970-01-01-00-00-00"),
            (951_782_399, "2000-02-28-23-59-59"),
            (951_782_400, "2000-02-29-00-00-00"),
            (1_393_806_580, "2014-03-03-00-29-40"),
            (4_107_542_399, "2100-02-28-23-59-59"),
            (4_107_542_400, "2100-03-01-00-00-00"),
        ] {
            assert_eq!(format_date(seconds), date);
        }
    }

    #[test]
    fn each_candidate_has_its_log_and_what_is_there_stays() {
        let dir = tempfile::tempdir().expect("a directory");
        let extension = Some(OsStr::new("c"));
        let mut kept = CandidateDirectory::create(dir.path(), 0, extension).expect("made");
        symlink("precious", kept.path().join("reduced.2.c")).expect("a link");
        for (decision, text) in [(1, "one"), (2, "two"), (2, "two"), (1, "other")] {
            assert_eq!(keep(&mut kept, decision, text), None);
        }
        let expected = [
            "reduced.1.1.c",
            "reduced.1.1.log",
            "reduced.1.c",
            "reduced.1.log",
            "reduced.2.1.c",
            "reduced.2.1.log",
            "reduced.2.c",
        ];
        assert_eq!(names(&kept), expected);
        assert!(!kept.path().join("precious").exists());
        let log = fs::read_to_string(kept.path().join("reduced.1.log")).expect("a log");
        assert_eq!(log, "printed\n[lop: interesting]\n");
        let again = CandidateDirectory::reopen(kept.path(), extension).expect("opened");
        assert_eq!(again.candidates, 3);
    }

    #[test]
    fn runs_of_the_same_second_have_directories_of_their_own() {
        let dir = tempfile::tempdir().expect("a directory");
        let make = || CandidateDirectory::create(dir.path(), 0, None).expect("made");
        let (mut first, second) = (make(), make());
        assert_eq!(second.path(), dir.path().join("1970-01-01-00-00-00.1"));
        assert_eq!(keep(&mut first, 3, "no extension"), None);
        assert_eq!(names(&first), ["reduced-3", "reduced-3.log"]);
    }

    #[test]
    fn a_directory_that_was_replaced_is_left_alone() {
        let dir = tempfile::tempdir().expect("a directory");
        let mut kept = CandidateDirectory::create(dir.path(), 0, None).expect("made");
        let theirs = dir.path().join("theirs");
        fs::create_dir(&theirs).expect("a directory");
        fs::remove_dir(kept.path()).expect("it is empty");
        symlink(&theirs, kept.path()).expect("a link");
        let note = keep(&mut kept, 1, "one").expect("a note");
        assert!(note.contains("is a link"), "{note}");
        assert_eq!(keep(&mut kept, 2, "two"), None, "once is enough");
        assert_eq!(fs::read_dir(&theirs).expect("a directory").count(), 0);
        let error = CandidateDirectory::reopen(kept.path(), None).expect_err("refused");
        assert!(error.to_string().contains("is a link"), "{error}");
    }
}
