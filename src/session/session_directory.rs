//! Where sessions lie: a directory each, below the directory for what programs remember.
//!
//! The directory of a session holds the journal, while it runs a lock and a socket to look at it (`attach_socket.rs`), and `done` when its result has been delivered. A run that was killed
//! between the end of its journal and the last write of its output can be resumed, and so can one whose journal lost its end.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustc_hash::FxHashSet;
use rustix::fs::{AtFlags, Mode, OFlags};

use super::journal::{self, JournalError, JournalHeader, JournalLine};
use super::lock::{FileLock, LockAttempt, LockHolder};
use super::own_files;
use super::{OpenedSession, ensure_owned_by_user};
use crate::display::{EscapeHidden, is_hidden};

/// The journal's name in the directory of a session.
pub(super) const JOURNAL: &str = "journal.jsonl";
/// The name of an empty file that is there when nothing is left to do.
const DONE: &str = "done";
/// The lock's.
const LOCK: &str = "lock";

/// The directory of all sessions: `lop/sessions` in `$XDG_STATE_HOME`, else in `~/.local/state`; none if neither is known.
pub fn sessions_directory() -> Option<PathBuf> {
    Some(xdg_directory("XDG_STATE_HOME", ".local/state")?.join("lop/sessions"))
}

/// The directory of what can be made again: `lop` in `$XDG_CACHE_HOME`, else in `~/.cache`; none if neither is known.
pub fn cache_directory() -> Option<PathBuf> {
    Some(xdg_directory("XDG_CACHE_HOME", ".cache")?.join("lop"))
}

/// The directory of parsers that were built of grammars, which is made if it does not exist. What lies in it is loaded and run, so nobody
/// else may write there; none where there is no place for it.
///
/// # Errors
/// When it cannot be made, or is not the user's alone.
pub fn create_grammar_directory() -> io::Result<Option<PathBuf>> {
    let Some(cache) = cache_directory() else {
        return Ok(None);
    };
    let grammars = cache.join("grammars");
    private_dir_builder(true).create(&grammars)?;
    for directory in [&cache, &grammars] {
        ensure_owned_by_user(directory, &File::open(directory)?.metadata()?)?;
    }
    Ok(Some(grammars))
}

/// What a variable names, else a directory at home. Relative paths do not count, as the base directory specification wants it.
fn xdg_directory(variable: &str, usual: &str) -> Option<PathBuf> {
    let absolute = |name: &str| {
        let path = std::env::var_os(name).map(PathBuf::from)?;
        path.is_absolute().then_some(path)
    };
    absolute(variable).or_else(|| Some(absolute("HOME")?.join(usual)))
}

/// The directory of one session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionDirectory {
    directory: PathBuf,
}

/// A session that this process runs: no other may resume it.
#[derive(Debug)]
pub struct ClaimedSession {
    /// Where.
    pub session: SessionDirectory,
    lock: FileLock,
}

/// Why a session cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SessionDirectoryError {
    /// The system refused it.
    #[error("no session can be kept in {}: {source}; name another place with --session, or do without by --no-session", directory.escape_hidden())]
    Io {
        /// Its directory.
        directory: PathBuf,
        /// The system's message.
        source: io::Error,
    },
    /// It is there already.
    #[error("there is a session in {} already; `lop resume {}` resumes it", .0.escape_hidden(), .0.escape_hidden())]
    Exists(PathBuf),
    /// The directory is used for something else.
    #[error("no session can be kept in {}: there is {found} in it, and no session; name a directory that is empty or not there with --session", directory.escape_hidden())]
    NotEmpty {
        /// Its directory.
        directory: PathBuf,
        /// What was found in it.
        found: String,
    },
    /// Another lop runs it.
    #[error("another lop runs the session {}{}; wait for its end, or stop it, or open its screen with `lop attach`", name.escape_hidden(), .holder.as_ref().map(|holder| format!(" ({holder})")).unwrap_or_default())]
    Busy {
        /// Its name.
        name: String,
        /// Who.
        holder: Option<LockHolder>,
    },
}

impl SessionDirectory {
    /// The session in this directory.
    pub fn from_path(directory: &Path) -> SessionDirectory {
        let directory = directory.to_path_buf();
        SessionDirectory { directory }
    }

    /// Its name: that of the directory.
    pub fn name(&self) -> String {
        let name = self.directory.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.directory
    }

    /// Its journal.
    pub fn journal_path(&self) -> PathBuf {
        self.directory.join(JOURNAL)
    }

    /// Opens its journal, and finds its owner.
    pub fn open_journal(&self) -> Result<OpenedSession, JournalError> {
        OpenedSession::open_at(&self.journal_path())
    }

    /// Whether its path is a link, so that it lies elsewhere.
    pub fn is_link(&self) -> bool {
        fs::symlink_metadata(&self.directory).is_ok_and(|about| about.is_symlink())
    }

    /// What it started from.
    pub fn read_header(&self) -> Result<JournalHeader, JournalError> {
        journal::read_header(&self.journal_path())
    }

    /// Whether nothing is left to do: the run ended, and its result is where it should be. The file alone does not prove that: a
    /// power failure may have kept it and taken the end of the journal.
    pub fn is_done(&self) -> bool {
        let done = fs::symlink_metadata(self.directory.join(DONE));
        done.is_ok_and(|about| about.is_file() && about.len() == 0)
            && journal::is_complete(&self.journal_path())
    }

    /// Records that the result is where it should be. If the journal says that the run ended, nothing is left to do.
    pub fn mark_delivered(&self) -> io::Result<()> {
        match journal::is_complete(&self.journal_path()) {
            true => {
                own_files::open_or_create_own(&self.directory.join(DONE), <[u8]>::is_empty, 0o600)
                    .map(drop)
            }
            false => Ok(()),
        }
    }

    /// Whether there is nothing to resume: nothing was decided, and the only commands were to pause, to resume and to stop.
    pub fn has_no_progress(&self) -> bool {
        let says = |line: &JournalLine| match line {
            JournalLine::Command { command, .. } => {
                !["stop", "pause", "resume"].contains(&command.as_str())
            }
            JournalLine::Decision { .. }
            | JournalLine::Accept { .. }
            | JournalLine::Moved { .. } => true,
            JournalLine::Result { .. }
            | JournalLine::Pass { .. }
            | JournalLine::Resumed { .. }
            | JournalLine::Finished { .. } => false,
        };
        journal::has_line(&self.journal_path(), says).is_ok_and(|has_progress| !has_progress)
    }

    /// When something was last written to it.
    pub fn last_modified(&self) -> SystemTime {
        let about = fs::metadata(self.journal_path()).and_then(|about| about.modified());
        about.unwrap_or(SystemTime::UNIX_EPOCH)
    }

    /// Whether a lop runs it now.
    pub fn is_running(&self) -> bool {
        FileLock::is_held(&self.directory.join(LOCK))
    }

    /// The process of that lop, if it is known.
    pub fn running_process(&self) -> Option<u32> {
        FileLock::holding_process(&self.directory.join(LOCK))
    }

    /// Locks it for this process.
    pub fn claim(&self) -> Result<ClaimedSession, SessionDirectoryError> {
        let taken = FileLock::acquire_at(&self.directory.join(LOCK))
            .map_err(|source| self.io_error(source))?;
        match taken {
            LockAttempt::Acquired(lock) => {
                // Only for the message of another lop.
                let _ = lock.write_holder(&self.name());
                let place = self.clone();
                Ok(ClaimedSession {
                    session: place,
                    lock,
                })
            }
            LockAttempt::Held(holder) => Err(SessionDirectoryError::Busy {
                name: self.name(),
                holder,
            }),
        }
    }

    fn io_error(&self, source: io::Error) -> SessionDirectoryError {
        SessionDirectoryError::Io {
            directory: self.directory.clone(),
            source,
        }
    }

    /// A new session in this directory, which is made.
    pub fn create(directory: &Path) -> Result<ClaimedSession, SessionDirectoryError> {
        let place = SessionDirectory::from_path(directory);
        let made = private_dir_builder(true).create(directory);
        made.map_err(|source| place.io_error(source))?;
        place.ensure_unused(FileLock::has_recorded_holder)?;
        let claimed = place.claim()?;
        // Another lop may have used it between the two calls.
        match fs::symlink_metadata(place.journal_path()) {
            Err(_) => Ok(claimed),
            Ok(_) => Err(SessionDirectoryError::Exists(directory.to_path_buf())),
        }
    }

    /// Fails if there is anything in the directory but a lock that `is_ours`: another lop may be about to begin a session here. A name
    /// alone does not make a file a part of a session.
    fn ensure_unused(&self, is_ours: fn(&Path) -> bool) -> Result<(), SessionDirectoryError> {
        if matches!(self.read_header(), Ok(_) | Err(JournalError::Format { .. })) {
            return Err(SessionDirectoryError::Exists(self.directory.clone()));
        }
        let entries = fs::read_dir(&self.directory).map_err(|source| self.io_error(source))?;
        for entry in entries {
            let found = entry.map_err(|source| self.io_error(source))?.file_name();
            if found != LOCK || !is_ours(&self.directory.join(LOCK)) {
                return Err(SessionDirectoryError::NotEmpty {
                    directory: self.directory.clone(),
                    found: found.to_string_lossy().into_owned(),
                });
            }
        }
        Ok(())
    }

    /// A new session about a file of this name: `bug.c-1`, or the next number that is free.
    pub fn create_numbered(
        sessions: &Path,
        file: &str,
    ) -> Result<ClaimedSession, SessionDirectoryError> {
        let all = SessionDirectory::from_path(sessions);
        private_dir_builder(true)
            .create(sessions)
            .map_err(|source| all.io_error(source))?;
        let file = name_stem(file);
        let entries = fs::read_dir(sessions).into_iter().flatten().flatten();
        for number in free_numbers(&file, entries.map(|entry| entry.file_name())) {
            let directory = sessions.join(format!("{file}-{number}"));
            match private_dir_builder(false).create(&directory) {
                Ok(()) => return SessionDirectory::from_path(&directory).claim(),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(source) => return Err(SessionDirectory::from_path(&directory).io_error(source)),
            }
        }
        unreachable!("numbers do not end")
    }

    /// How many bytes its files have.
    pub fn total_bytes(&self) -> u64 {
        let entries = fs::read_dir(&self.directory).into_iter().flatten();
        let sizes = entries.filter_map(|entry| Some(entry.ok()?.metadata().ok()?.len()));
        sizes.sum()
    }
}

impl ClaimedSession {
    /// Removes a session that did not begin. What else lies in its directory stays, and then the directory does too.
    pub fn abandon(self) {
        // It may have been removed, and another lop may have made another.
        if !self.lock.is_in_place() {
            return;
        }
        let directory = self.session.directory.clone();
        let _ = fs::remove_file(self.session.journal_path());
        drop(self);
        let _ = fs::remove_dir(directory);
    }

    /// Removes it with all that is in it, the journal first, under its lock: then there is nothing to resume. No
    /// link is followed, neither in it nor to it.
    pub fn remove(self) -> io::Result<()> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let directory = rustix::fs::open(&self.session.directory, flags, Mode::empty())?;
        rustix::fs::unlinkat(directory, JOURNAL, AtFlags::empty())?;
        fs::remove_dir_all(&self.session.directory)
    }
}

fn private_dir_builder(parents: bool) -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.mode(0o700).recursive(parents);
    builder
}

/// The name of sessions about a file of this name, without their numbers.
fn name_stem(file: &str) -> String {
    let strange = |c: char| is_hidden(c) || c.is_whitespace() || c == '/';
    file.replace(strange, "_")
}

/// Whether a session of this name may be about a file of this name: one that was numbered says so, and nothing of it needs to be read.
fn may_be_about(name: &str, file: &str) -> bool {
    let numbered = name.rsplit_once('-').filter(|(_, number)| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    numbered.is_none_or(|(stem, _)| stem == name_stem(file))
}

/// The numbers from 1 on that no name of a session about this file has, given all names. Another lop may take one of them at any time.
fn free_numbers(file: &str, names: impl Iterator<Item = OsString>) -> impl Iterator<Item = u64> {
    let number = |name: OsString| -> Option<u64> {
        let digits = name.to_str()?.strip_prefix(file)?.strip_prefix('-')?;
        let number: u64 = digits.parse().ok()?;
        (number.to_string() == digits).then_some(number)
    };
    let taken: FxHashSet<u64> = names.filter_map(number).collect();
    (1..).filter(move |number| !taken.contains(number))
}

/// Removes directories of sessions that are empty, so that nothing could be resumed.
pub fn remove_empty_sessions(sessions: &Path) {
    for entry in fs::read_dir(sessions).into_iter().flatten().flatten() {
        let place = SessionDirectory::from_path(&entry.path());
        let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
        // One that is being made has its lock before its journal.
        if is_directory && place.ensure_unused(FileLock::is_lock_file).is_ok() {
            let _ = place.claim().map(ClaimedSession::abandon);
        }
    }
}

/// All sessions, the one that was written last first.
pub fn list_sessions(sessions: &Path) -> Vec<SessionDirectory> {
    list_named_sessions(sessions, |_| true)
}

/// Those that may be about a file of this name, by their own names; in the same order.
pub fn list_sessions_about(sessions: &Path, file: &str) -> Vec<SessionDirectory> {
    list_named_sessions(sessions, |name| may_be_about(name, file))
}

fn list_named_sessions(sessions: &Path, is_wanted: impl Fn(&str) -> bool) -> Vec<SessionDirectory> {
    let entries = fs::read_dir(sessions).into_iter().flatten().flatten();
    let entries = entries.filter(|entry| is_wanted(&entry.file_name().to_string_lossy()));
    let places = entries.filter_map(|entry| {
        let place = SessionDirectory::from_path(&entry.path());
        let about = fs::metadata(place.journal_path()).ok()?;
        let modified = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        Some((modified, place.name(), place))
    });
    let mut places: Vec<(SystemTime, String, SessionDirectory)> = places.collect();
    places.sort_by(|(time, name, _), (other_time, other_name, _)| {
        (other_time, other_name).cmp(&(time, name))
    });
    places.into_iter().map(|(.., place)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_numbered_session_of_another_file_is_not_looked_at() {
        for (name, looked_at) in [
            ("bug.c-1", true),
            ("bug.c-27", true),
            ("other.c-1", false),
            ("bug.c-x", true),
            ("my-session", true),
            ("a bug.c-1", false),
        ] {
            assert_eq!(may_be_about(name, "bug.c"), looked_at, "{name}");
        }
        assert!(may_be_about("a_bug.c-1", "a bug.c"));
    }

    #[test]
    fn a_session_gets_the_first_number_that_is_free() {
        let first_free = |names: &[&str]| {
            let names = names.iter().map(OsString::from);
            free_numbers("bug.c", names).next()
        };
        assert_eq!(first_free(&[]), Some(1));
        assert_eq!(first_free(&["bug.c-1", "bug.c-2", "other.c-3"]), Some(3));
        assert_eq!(first_free(&["bug.c-2", "bug.c-3"]), Some(1));
        assert_eq!(
            first_free(&["bug.c-1", "bug.c-3", "bug.c-x", "bug.c-02"]),
            Some(2)
        );
    }
}
