//! Writing a file whole or not at all.

use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::NamedTempFile;

use super::names;
use crate::program::Hash;

/// How many letters tell the temporary files of one place from each other.
const LETTERS: usize = 6;
/// How they end.
const TEMPORARY: &str = ".tmp";

/// Who may do what with a file, and whose it is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rights {
    /// Permission bits; without them those of any new file of the user.
    pub mode: Option<u32>,
    /// User and group, where they matter.
    pub owner: Option<(u32, u32)>,
}

/// Writes whole files for one place, as the output of a run, and for what belongs to it.
///
/// A file gets its name when all of it is on the disk. Until then it has another, by which it is known whose it is.
#[derive(Clone, Debug)]
pub(super) struct FileWriter {
    /// How the names of its temporary files begin.
    mark: String,
}

impl FileWriter {
    /// For the place of this name.
    pub(super) fn of(place: &Path) -> FileWriter {
        // A name of any length would not fit into another.
        let name = place.file_name().unwrap_or_default();
        let mark = format!(".lop-{}-", Hash::of(name.as_bytes()));
        FileWriter { mark }
    }

    /// Puts a new file in the place of what `path` names, in one step: who reads it sees the old bytes or the new ones. A link there
    /// is replaced, and not followed.
    pub(super) fn replace(&self, path: &Path, bytes: &[u8], rights: Rights) -> io::Result<()> {
        let file = self.beside(path, bytes, rights)?;
        file.persist(path).map_err(|error| error.error)?;
        sync_directory(path);
        Ok(())
    }

    /// The same where nothing is yet; fails with `AlreadyExists` where something is.
    pub(super) fn create(&self, path: &Path, bytes: &[u8], rights: Rights) -> io::Result<()> {
        let file = self.beside(path, bytes, rights)?;
        file.persist_noclobber(path).map_err(|error| error.error)?;
        sync_directory(path);
        Ok(())
    }

    /// Whether files can be made in the directory of `path`.
    pub(super) fn can_write_beside(&self, path: &Path) -> io::Result<()> {
        self.temporary(path, Rights::default()).map(drop)
    }

    fn temporary(&self, path: &Path, rights: Rights) -> io::Result<NamedTempFile> {
        let mut builder = tempfile::Builder::new();
        builder
            .prefix(&self.mark)
            .rand_bytes(LETTERS)
            .suffix(TEMPORARY);
        if rights.mode.is_none() {
            builder.permissions(Permissions::from_mode(0o666));
        }
        builder
            .tempfile_in(names::directory(path))
            .map_err(system_words)
    }

    /// A file in the same directory, complete and on the disk. It is removed if it never gets its name.
    fn beside(&self, path: &Path, bytes: &[u8], rights: Rights) -> io::Result<NamedTempFile> {
        let mut file = self.temporary(path, rights)?;
        file.write_all(bytes).map_err(system_words)?;
        if let Some((user, group)) = rights.owner {
            // Only root may give a file away; for all others it is theirs before and after.
            let _ = std::os::unix::fs::fchown(file.as_file(), Some(user), Some(group));
        }
        if let Some(mode) = rights.mode {
            file.as_file()
                .set_permissions(Permissions::from_mode(mode))?;
        }
        file.as_file().sync_all()?;
        Ok(file)
    }
}

/// The system's own words, without the name of a temporary file, which tells nobody anything.
pub fn system_words(error: io::Error) -> io::Error {
    // The crate keeps the system's error to itself; only its text gets out.
    match error.to_string().split_once(" at path \"") {
        Some((words, _)) => io::Error::new(error.kind(), words),
        None => error,
    }
}

/// Makes the new name itself outlive a power failure. The file is whole without it, and some file systems cannot do it.
fn sync_directory(path: &Path) {
    let _ = File::open(names::directory(path)).and_then(|directory| directory.sync_all());
}
