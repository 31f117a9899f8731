//! A session as it was opened: its journal, and what the system says of the very files that are read.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::journal::{self, JournalError, Journalled};
use super::names;
use super::owner::{Doubt, FileFacts, SessionFacts};
use super::past::Story;
use super::place;
use super::replay::Recording;
use crate::oracle::quoted;

/// Fails, with the reason, if others than the user could have written what was opened as `path`.
///
/// # Errors
/// The doubt, and what ends it where the user can.
pub fn must_be_own(path: &Path, about: &Metadata) -> io::Result<()> {
    let Some(doubt) = FileFacts::of(path, about).doubt(user()) else {
        return Ok(());
    };
    let what = match &doubt {
        Doubt::Open(path) => format!("{doubt}; `chmod go-w {}` ends that", quoted(path)),
        Doubt::Foreign { .. } | Doubt::Link(_) | Doubt::Elsewhere { .. } => doubt.to_string(),
    };
    Err(io::Error::new(io::ErrorKind::PermissionDenied, what))
}

fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// A journal that is open, and whose it is.
#[derive(Debug)]
pub struct OpenedSession {
    path: PathBuf,
    journal: File,
    facts: SessionFacts,
}

impl OpenedSession {
    /// Opens the journal at this path, and looks at it, at its directory and at what else lies there.
    ///
    /// # Errors
    /// When it cannot be opened, or is no regular file.
    pub fn at(path: &Path) -> Result<OpenedSession, JournalError> {
        let failed = |error: Errno| JournalError::io(path)(error.into());
        let named = names::directory(path);
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory = rustix::fs::open(named, flags, Mode::empty()).map_err(failed)?;
        let name = path.file_name().unwrap_or_default();
        // A pipe would make one wait.
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let journal = rustix::fs::openat(&directory, name, flags, Mode::empty());
        let journal = File::from(journal.map_err(failed)?);
        if !journal.metadata().is_ok_and(|about| about.is_file()) {
            let source = io::Error::other("it is no regular file");
            return Err(JournalError::io(path)(source));
        }
        let facts = facts(path, directory, &journal).map_err(JournalError::io(path))?;
        let path = path.to_path_buf();
        Ok(OpenedSession {
            path,
            journal,
            facts,
        })
    }

    /// Why it is not the user's own; nothing if it is.
    pub fn doubts(&self) -> Vec<Doubt> {
        self.facts.doubts()
    }

    /// What its journal tells.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn story(&self) -> Result<Story, JournalError> {
        self.read().map(Story::of)
    }

    /// The same, to be compared with the dialogue that is held again.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn recording(&self) -> Result<Recording, JournalError> {
        self.read().map(Recording::of)
    }

    fn read(&self) -> Result<Journalled, JournalError> {
        let mut bytes = Vec::new();
        let read = (&self.journal).read_to_end(&mut bytes);
        read.map_err(JournalError::io(&self.path))?;
        journal::of_bytes(&bytes, &self.path)
    }
}

/// What the system says of a journal and of its directory, which is open; among one's own sessions, of what else lies in it too.
fn facts(path: &Path, directory: OwnedFd, journal: &File) -> io::Result<SessionFacts> {
    let named = names::directory(path);
    let usual = place::sessions();
    // By what it lies in, and not by its name: a link among the sessions leads elsewhere.
    let above = rustix::fs::statat(&directory, "..", AtFlags::empty())?;
    let sessions = usual.as_deref().map(rustix::fs::stat);
    let is_among_own = matches!(sessions, Some(Ok(sessions)) if is_same(&sessions, &above));
    let mut files = vec![
        of_stat(named, &rustix::fs::fstat(&directory)?),
        FileFacts::of(path, &journal.metadata()?),
    ];
    if let Some(usual) = usual.as_deref().filter(|_| is_among_own) {
        files.push(of_stat(usual, &above));
        files.extend(inside(named, &directory)?);
    }
    Ok(SessionFacts {
        user: user(),
        directory: named.to_path_buf(),
        usual,
        is_among_own,
        files,
    })
}

/// The entries of a directory; of a link itself, not of what it leads to.
fn inside(named: &Path, directory: &OwnedFd) -> io::Result<Vec<FileFacts>> {
    let mut files = Vec::new();
    for entry in Dir::read_from(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let path = named.join(name.to_string_lossy().as_ref());
        match rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(about) => files.push(of_stat(&path, &about)),
            // A lock goes when its owner does.
            Err(Errno::NOENT) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(files)
}

fn is_same(one: &Stat, other: &Stat) -> bool {
    (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)
}

fn of_stat(path: &Path, about: &Stat) -> FileFacts {
    let mode = Mode::from_raw_mode(about.st_mode);
    FileFacts {
        path: path.to_path_buf(),
        owner: about.st_uid,
        is_open: mode.intersects(Mode::WGRP | Mode::WOTH),
        is_link: FileType::from_raw_mode(about.st_mode) == FileType::Symlink,
    }
}
