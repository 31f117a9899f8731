//! `--verdicts DIR`: programs that were tested before, each with the log of its test.
//!
//! A program `X.c` has its log in `X.log` beside it, anywhere below the directory: bp-reduce keeps its candidates so, and so does
//! `--save-candidates`. What the log of an interesting program has, the caller says. No link is followed below the directory.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustc_hash::FxHashMap;

use super::journal::hash_files;
use super::{LARGEST, own_files};
use crate::display::EscapeHidden;
use crate::oracle::{TimeLimits, Verdict};
use crate::program::ContentHash;
use crate::reduce::{ResultOrigin, TestResult, VerdictStore};

/// Why there are no recorded verdicts.
#[derive(Debug, thiserror::Error)]
pub enum RecordedVerdictsError {
    /// The system does not let lop read the directory.
    #[error("{} cannot be read: {source}; name a directory of programs and their logs", path.escape_hidden())]
    Unreadable {
        /// The directory, or one below it.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
    /// No log says what its verdict is.
    #[error("no log below {} ends with a verdict of lop; add --grep RE: what the log of an interesting program has", .0.escape_hidden())]
    Silent(PathBuf),
    /// There is no program with a log.
    #[error("below {} there is no {} with a log {} beside it; name another directory", path.escape_hidden(), name.escape_hidden(), log.escape_hidden())]
    Nothing {
        /// The directory.
        path: PathBuf,
        /// What a program is called.
        name: PathBuf,
        /// What its log is called.
        log: PathBuf,
    },
}

/// The verdicts on all programs of a directory that have a log.
#[derive(Debug, Default)]
pub struct RecordedVerdicts {
    /// None where logs of the same program disagree.
    verdicts: FxHashMap<ContentHash, Option<Verdict>>,
    /// How many logs do not say what their verdicts are.
    silent: u64,
}

impl RecordedVerdicts {
    /// Reads all programs with this extension below a directory, and decides each by its log, where that says anything. Files that are too large to be a program
    /// are left out.
    ///
    /// # Errors
    /// When a directory or a file cannot be read, or there is no program with a log.
    pub fn read(
        directory: &Path,
        extension: Option<&OsStr>,
        decide_log: impl Fn(&[u8]) -> Option<Verdict>,
    ) -> Result<RecordedVerdicts, RecordedVerdictsError> {
        let mut known = RecordedVerdicts::default();
        let mut directories = vec![directory.to_path_buf()];
        while let Some(directory) = directories.pop() {
            let unreadable = |source| RecordedVerdictsError::Unreadable {
                path: directory.clone(),
                source,
            };
            for entry in fs::read_dir(&directory).map_err(unreadable)? {
                let entry = entry.map_err(unreadable)?;
                let (path, kind) = (entry.path(), entry.file_type().map_err(unreadable)?);
                if kind.is_dir() {
                    directories.push(path);
                } else if kind.is_file() && path.extension() == extension {
                    let pair = read_program_and_log(&path)
                        .map_err(|source| RecordedVerdictsError::Unreadable { path, source })?;
                    if let Some((program, log)) = pair {
                        match decide_log(&log) {
                            Some(verdict) => known.add_verdict(&program, verdict),
                            None => known.silent += 1,
                        }
                    }
                }
            }
        }
        let name = |extension| Path::new("X").with_extension(extension);
        let directory = directory.to_path_buf();
        match known.verdicts.is_empty() {
            false => Ok(known),
            true if known.silent > 0 => Err(RecordedVerdictsError::Silent(directory)),
            true => Err(RecordedVerdictsError::Nothing {
                path: directory,
                name: name(extension.unwrap_or_default()),
                log: name(OsStr::new("log")),
            }),
        }
    }

    fn add_verdict(&mut self, program: &[u8], verdict: Verdict) {
        let hash = hash_files([program].into_iter());
        let known = self.verdicts.entry(hash).or_insert(Some(verdict));
        *known = known.filter(|known| *known == verdict);
    }

    /// How many programs have a verdict, how many are interesting, how many have logs that disagree, and how many logs say nothing.
    pub fn counts(&self) -> [u64; 4] {
        let count = |wanted: fn(&Option<Verdict>) -> bool| {
            self.verdicts.values().filter(|known| wanted(known)).count() as u64
        };
        [
            count(Option::is_some),
            count(|known| *known == Some(Verdict::Interesting)),
            count(Option::is_none),
            self.silent,
        ]
    }
}

/// A program and its log; none without a log, or where one of them is too large.
fn read_program_and_log(program: &Path) -> io::Result<Option<(Vec<u8>, Vec<u8>)>> {
    let log = program.with_extension("log");
    let is_readable = |path: &Path| {
        let about = fs::symlink_metadata(path);
        about.is_ok_and(|about| about.is_file() && about.len() <= LARGEST)
    };
    if log == program || !is_readable(program) || !is_readable(&log) {
        return Ok(None);
    }
    let program = own_files::read_own_file(program)?;
    Ok(Some((program, own_files::read_own_file(&log)?)))
}

impl VerdictStore for RecordedVerdicts {
    fn get(&self, candidate: ContentHash) -> Option<TestResult> {
        let verdict = (*self.verdicts.get(&candidate)?)?;
        let (origin, times) = (ResultOrigin::Store, (Duration::ZERO, None));
        let limits = TimeLimits::default();
        Some(TestResult::from_record(
            origin, verdict, None, times, limits,
        ))
    }

    fn store_result(&self, _: ContentHash, _: TestResult) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn verdict_on(known: &RecordedVerdicts, program: &str) -> Option<Verdict> {
        let hash = hash_files([program.as_bytes()].into_iter());
        known.get(hash).map(|result| result.verdict)
    }

    fn read(directory: &Path) -> Result<RecordedVerdicts, String> {
        let extension = Some(OsStr::new("bp"));
        let decide = |log: &[u8]| match log {
            b"fails" => Some(Verdict::Interesting),
            b"works" => Some(Verdict::Uninteresting),
            _ => None,
        };
        RecordedVerdicts::read(directory, extension, decide).map_err(|error| error.to_string())
    }

    #[test]
    fn a_program_has_the_verdict_of_the_log_beside_it_and_logs_that_disagree_say_nothing() {
        let dir = tempfile::tempdir().expect("a directory");
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            fs::write(path, text).expect("a file");
        };
        write("day/reduced.1.bp", "one");
        write("day/reduced.1.log", "fails");
        write("reduced.2.bp", "two");
        write("reduced.2.log", "works");
        write("no-log.bp", "three");
        write("silent.bp", "three");
        write("silent.log", "nothing");
        write("a.bp", "four");
        write("a.log", "works");
        write("b.bp", "four");
        write("b.log", "fails");
        write("other.c", "five");
        write("other.log", "fails");
        symlink("day", dir.path().join("link")).expect("a link");
        let known = read(dir.path()).expect("verdicts");
        let of = |program| verdict_on(&known, program);
        assert_eq!(
            ["one", "two", "three", "four", "five"].map(of),
            [
                Some(Verdict::Interesting),
                Some(Verdict::Uninteresting),
                None,
                None,
                None
            ]
        );
        assert_eq!(known.counts(), [2, 1, 1, 1]);
    }

    #[test]
    fn a_directory_without_any_is_a_mistake() {
        let dir = tempfile::tempdir().expect("a directory");
        let error = read(dir.path()).expect_err("nothing");
        assert!(
            error.contains("there is no X.bp with a log X.log"),
            "{error}"
        );
        let error = read(&dir.path().join("gone")).expect_err("no directory");
        assert!(error.contains("gone cannot be read"), "{error}");
    }
}
