//! Writing a file whole or not at all.

use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::NamedTempFile;

use super::names;

/// Who may do what with a file, and whose it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rights {
    /// Permission bits.
    pub mode: u32,
    /// User and group, where they matter.
    pub owner: Option<(u32, u32)>,
}

/// Puts a new file in the place of what `path` names, in one step: who reads it sees the old bytes or the new ones.
pub(super) fn replace(path: &Path, bytes: &[u8], rights: Rights) -> io::Result<()> {
    let file = beside(path, bytes, rights)?;
    file.persist(path).map_err(|error| error.error)?;
    sync_directory(path);
    Ok(())
}

/// The same where nothing is yet; fails with `AlreadyExists` where something is.
pub(super) fn create(path: &Path, bytes: &[u8], rights: Rights) -> io::Result<()> {
    let file = beside(path, bytes, rights)?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    sync_directory(path);
    Ok(())
}

/// Whether files can be made in the directory of `path`.
pub(super) fn can_write_beside(path: &Path) -> io::Result<()> {
    temporary(path).map(drop)
}

fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(".lop-")
        .suffix(".tmp")
        .tempfile_in(names::directory(path))
        .map_err(system_words)
}

/// The system's own words, without the name of a temporary file, which tells nobody anything.
pub fn system_words(error: io::Error) -> io::Error {
    // The crate keeps the system's error to itself; only its text gets out.
    match error.to_string().split_once(" at path \"") {
        Some((words, _)) => io::Error::new(error.kind(), words),
        None => error,
    }
}

/// A file in the same directory, complete and on the disk. It is removed if it never gets its name.
fn beside(path: &Path, bytes: &[u8], rights: Rights) -> io::Result<NamedTempFile> {
    let mut file = temporary(path)?;
    file.write_all(bytes).map_err(system_words)?;
    if let Some((user, group)) = rights.owner {
        // Only root may give a file away; for all others it is theirs before and after.
        let _ = std::os::unix::fs::fchown(file.as_file(), Some(user), Some(group));
    }
    file.as_file()
        .set_permissions(Permissions::from_mode(rights.mode))?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// Makes the new name itself outlive a power failure. The file is whole without it, and some file systems cannot do it.
fn sync_directory(path: &Path) {
    let _ = File::open(names::directory(path)).and_then(|directory| directory.sync_all());
}
