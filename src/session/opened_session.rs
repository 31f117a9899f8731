//! A session as it was opened: its journal, and what the system reports of the very files that are read, through one open directory.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::file_names;
use super::history::SessionHistory;
use super::journal::{self, JournalContents, JournalError};
use super::ownership::{FileOwnership, OwnershipProblem, SessionOwnership};
use super::replay::JournalRecording;
use super::session_directory;
use crate::oracle::quote_path_for_display;

/// Fails, with the reason, if others than the user could have written what was opened as `path`.
///
/// # Errors
/// The doubt, and what ends it where the user can.
pub fn ensure_owned_by_user(path: &Path, about: &Metadata) -> io::Result<()> {
    let Some(doubt) = FileOwnership::from_metadata(path, about).find_problem(effective_user_id())
    else {
        return Ok(());
    };
    let what = match &doubt {
        OwnershipProblem::WritableByOthers(path) => format!(
            "{doubt}; `chmod go-w {}` ends that",
            quote_path_for_display(path)
        ),
        OwnershipProblem::OtherOwner { .. }
        | OwnershipProblem::Symlink(_)
        | OwnershipProblem::OutsideSessions { .. } => doubt.to_string(),
    };
    Err(io::Error::new(io::ErrorKind::PermissionDenied, what))
}

/// The number of the user whose files are one's own.
pub fn effective_user_id() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// A journal that is open, and its owner.
#[derive(Debug)]
pub struct OpenedSession {
    path: PathBuf,
    journal: File,
    ownership: SessionOwnership,
}

impl OpenedSession {
    /// Opens the journal at this path, and looks at it, at its directory and at what else lies there.
    ///
    /// # Errors
    /// When it cannot be opened, or is no regular file.
    pub fn open_at(path: &Path) -> Result<OpenedSession, JournalError> {
        let failed = |error: Errno| JournalError::io_error(path)(error.into());
        let named = file_names::parent_directory(path);
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory = rustix::fs::open(named, flags, Mode::empty()).map_err(failed)?;
        let name = path.file_name().unwrap_or_default();
        // Opening a pipe would block.
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let journal = rustix::fs::openat(&directory, name, flags, Mode::empty());
        let journal = File::from(journal.map_err(failed)?);
        if !journal.metadata().is_ok_and(|about| about.is_file()) {
            let source = io::Error::other("it is no regular file");
            return Err(JournalError::io_error(path)(source));
        }
        let facts =
            inspect_session(path, directory, &journal).map_err(JournalError::io_error(path))?;
        let path = path.to_path_buf();
        Ok(OpenedSession {
            path,
            journal,
            ownership: facts,
        })
    }

    /// Why it is not the user's own; none if it is.
    pub fn ownership_problems(&self) -> Vec<OwnershipProblem> {
        self.ownership.find_problems()
    }

    /// What its journal contains.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read_history(&self) -> Result<SessionHistory, JournalError> {
        self.read_journal().map(SessionHistory::from_journal)
    }

    /// The same, to be compared with the replayed dialogue.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read_recording(&self) -> Result<JournalRecording, JournalError> {
        self.read_journal().map(JournalRecording::from_journal)
    }

    fn read_journal(&self) -> Result<JournalContents, JournalError> {
        let mut bytes = Vec::new();
        let read = (&self.journal).read_to_end(&mut bytes);
        read.map_err(JournalError::io_error(&self.path))?;
        journal::parse_journal(&bytes, &self.path)
    }
}

/// What the system reports of a journal and of its directory, which is open; among the user's own sessions, of what else lies in it too.
fn inspect_session(
    path: &Path,
    directory: OwnedFd,
    journal: &File,
) -> io::Result<SessionOwnership> {
    let named = file_names::parent_directory(path);
    let usual = session_directory::sessions_directory();
    // The directory decides, not the name: a link among the sessions leads elsewhere.
    let above = rustix::fs::statat(&directory, "..", AtFlags::empty())?;
    let sessions = usual.as_deref().map(rustix::fs::stat);
    let is_among_own = matches!(sessions, Some(Ok(sessions)) if is_same_inode(&sessions, &above));
    let mut files = vec![
        ownership_from_stat(named, &rustix::fs::fstat(&directory)?),
        FileOwnership::from_metadata(path, &journal.metadata()?),
    ];
    if let Some(usual) = usual.as_deref().filter(|_| is_among_own) {
        files.push(ownership_from_stat(usual, &above));
        files.extend(inspect_entries(named, &directory)?);
    }
    Ok(SessionOwnership {
        user: effective_user_id(),
        directory: named.to_path_buf(),
        usual,
        is_among_own,
        files,
    })
}

/// The entries of a directory; of a link itself, not of what it leads to.
fn inspect_entries(named: &Path, directory: &OwnedFd) -> io::Result<Vec<FileOwnership>> {
    let mut files = Vec::new();
    for entry in Dir::read_from(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let path = named.join(name.to_string_lossy().as_ref());
        match rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(about) => files.push(ownership_from_stat(&path, &about)),
            // A lock goes when its owner does.
            Err(Errno::NOENT) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(files)
}

pub(super) fn is_same_inode(one: &Stat, other: &Stat) -> bool {
    (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)
}

fn ownership_from_stat(path: &Path, about: &Stat) -> FileOwnership {
    let mode = Mode::from_raw_mode(about.st_mode);
    FileOwnership {
        path: path.to_path_buf(),
        owner: about.st_uid,
        is_open: mode.intersects(Mode::WGRP | Mode::WOTH),
        is_link: FileType::from_raw_mode(about.st_mode) == FileType::Symlink,
    }
}
