//! Writing a file whole or not at all.
//!
//! The name of a temporary file says for which place it is, so that a file that a kill left is removed under the lock of that place. A file
//! without a name, of which a kill would leave nothing, cannot take the place of another.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::file_names;
use crate::program::ContentHash;

/// How many letters tell the temporary files of one place from each other.
const LETTERS: usize = 6;
/// How they end.
const TEMPORARY: &str = ".tmp";

/// Permissions and owner of a file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FilePermissions {
    /// Permission bits; without them those of any new file of the user.
    pub mode: Option<u32>,
    /// User and group, where they matter.
    pub owner: Option<(u32, u32)>,
}

/// Writes whole files for one place, as the output of a run, and for what belongs to it.
///
/// A file gets its name when all of it is on the disk. Until then it has another name, which says for which place it is: what a kill left
/// is removed when the place is used again. (A file without a name could not replace an existing one.)
#[derive(Clone, Debug)]
pub(super) struct FileWriter {
    /// How the names of its temporary files begin.
    temporary_prefix: String,
}

impl FileWriter {
    /// For the place of this name.
    pub(super) fn for_path(place: &Path) -> FileWriter {
        // A name of any length would not fit into another.
        let name = place.file_name().unwrap_or_default();
        let mark = format!(".lop-{}-", ContentHash::from_bytes(name.as_bytes()));
        FileWriter {
            temporary_prefix: mark,
        }
    }

    /// Replaces what `path` names by a new file, in one step: a reader sees the old bytes or the new ones. A link there is
    /// replaced, and not followed.
    pub(super) fn replace_file(
        &self,
        path: &Path,
        bytes: &[u8],
        rights: FilePermissions,
    ) -> io::Result<()> {
        let file = self.write_temporary(path, bytes, rights)?;
        file.persist(path).map_err(|error| error.error)?;
        sync_directory(path);
        Ok(())
    }

    /// The same where nothing is yet; fails with `AlreadyExists` where something is.
    pub(super) fn create_file(
        &self,
        path: &Path,
        bytes: &[u8],
        rights: FilePermissions,
    ) -> io::Result<()> {
        let file = self.write_temporary(path, bytes, rights)?;
        file.persist_noclobber(path).map_err(|error| error.error)?;
        sync_directory(path);
        Ok(())
    }

    /// Whether files can be made in the directory of `path`.
    pub(super) fn check_writable(&self, path: &Path) -> io::Result<()> {
        self.create_temporary(path, FilePermissions::default())
            .map(drop)
    }

    /// Removes what killed runs left in a directory of this place's temporary files. The caller holds the lock of the place:
    /// files of another lop may be in use.
    pub(super) fn remove_leftovers(&self, directory: &Path) {
        let entries = fs::read_dir(directory).into_iter().flatten().flatten();
        for entry in entries {
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            if is_file && self.is_leftover(&entry.file_name()) {
                // A file that cannot be removed does no harm.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// The directories that killed runs left in a directory, among this place's temporary ones. The caller holds the lock of the place.
    pub(super) fn leftover_directories(&self, directory: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(directory).into_iter().flatten().flatten();
        let left = entries.filter(|entry| {
            entry.file_type().is_ok_and(|kind| kind.is_dir())
                && self.is_leftover(&entry.file_name())
        });
        left.map(|entry| entry.path()).collect()
    }

    /// A directory beside `path` under a temporary name, with the permissions of any new directory. It is removed when it is dropped.
    pub(super) fn create_temporary_directory(&self, path: &Path) -> io::Result<tempfile::TempDir> {
        tempfile::Builder::new()
            .prefix(&self.temporary_prefix)
            .rand_bytes(LETTERS)
            .suffix(TEMPORARY)
            .permissions(Permissions::from_mode(0o777))
            .tempdir_in(file_names::parent_directory(path))
            .map_err(strip_temporary_path)
    }

    /// Whether a temporary file of this place has such a name.
    pub(super) fn is_leftover(&self, name: &OsStr) -> bool {
        let name = name
            .to_str()
            .and_then(|name| name.strip_prefix(&self.temporary_prefix));
        let letters = name.and_then(|name| name.strip_suffix(TEMPORARY));
        letters.is_some_and(|letters| {
            letters.len() == LETTERS && letters.bytes().all(|letter| letter.is_ascii_alphanumeric())
        })
    }

    fn create_temporary(&self, path: &Path, rights: FilePermissions) -> io::Result<NamedTempFile> {
        let mut builder = tempfile::Builder::new();
        builder
            .prefix(&self.temporary_prefix)
            .rand_bytes(LETTERS)
            .suffix(TEMPORARY);
        if rights.mode.is_none() {
            builder.permissions(Permissions::from_mode(0o666));
        }
        builder
            .tempfile_in(file_names::parent_directory(path))
            .map_err(strip_temporary_path)
    }

    /// A file in the same directory, complete and on the disk. It is removed if it never gets its name.
    fn write_temporary(
        &self,
        path: &Path,
        bytes: &[u8],
        rights: FilePermissions,
    ) -> io::Result<NamedTempFile> {
        let mut file = self.create_temporary(path, rights)?;
        file.write_all(bytes).map_err(strip_temporary_path)?;
        if let Some((user, group)) = rights.owner {
            // Only root may give a file away; all others own it before and after.
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

/// A new directory for a result that has no other place; it stays.
pub(super) fn create_fallback_directory() -> io::Result<PathBuf> {
    let directory = tempfile::Builder::new().prefix("lop-result-").tempdir();
    Ok(directory.map_err(strip_temporary_path)?.keep())
}

/// Writes an executable to this place in one step: what was there is lost only when the new one is whole.
///
/// # Errors
/// The system's.
pub fn replace_executable(place: &Path, text: &str) -> io::Result<()> {
    let rights = FilePermissions {
        mode: Some(0o755),
        owner: None,
    };
    FileWriter::for_path(place).replace_file(place, text.as_bytes(), rights)
}

/// The system's message, without the name of a temporary file, which means nothing to the user.
pub fn strip_temporary_path(error: io::Error) -> io::Error {
    // The crate hides the system's error; only its text is available.
    match error.to_string().split_once(" at path \"") {
        Some((words, _)) => io::Error::new(error.kind(), words),
        None => error,
    }
}

/// Makes the new name itself outlive a power failure. The file is whole without it, and some file systems cannot do it.
pub(super) fn sync_directory(path: &Path) {
    let _ =
        File::open(file_names::parent_directory(path)).and_then(|directory| directory.sync_all());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_kill_left_of_a_place_goes_and_nothing_else() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = |name: &str| dir.path().join(name);
        let (ours, other) = (
            FileWriter::for_path(&path("bug.lop.c")),
            FileWriter::for_path(&path("bug.lop.d")),
        );
        let left = |writer: &FileWriter| {
            let file = writer.create_temporary(&path("x"), FilePermissions::default());
            let (_, path) = file.expect("a file").keep().expect("it stays");
            path
        };
        let (gone, stays) = (left(&ours), left(&other));
        let mine = [
            ".lop-.tmp".to_owned(),
            format!("{}mine.tmp", ours.temporary_prefix),
            format!("{}abcde_.tmp", ours.temporary_prefix),
        ];
        mine.iter()
            .for_each(|name| fs::write(path(name), "").expect("a file"));
        let directory = path(&format!("{}abcdef.tmp", ours.temporary_prefix));
        fs::create_dir(&directory).expect("a directory");
        ours.remove_leftovers(dir.path());
        assert!(!gone.exists() && stays.exists() && directory.exists());
        assert!(
            mine.iter().all(|name| path(name).exists()),
            "a name like ours is not enough"
        );
    }
}
