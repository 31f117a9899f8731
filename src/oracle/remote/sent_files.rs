//! What an action gets besides the documents: the scripts of the test, and what the user declares with `--with`.
//!
//! They lie below `t/` as they lie on this machine: what is beside the script there is beside it here. So a script finds them from its own place (`dirname "$0"`).

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::input_root::{DirectoryTree, PackedTree, TreeError};
use crate::display::EscapeHidden;
use crate::oracle::common_directory;

/// Why a file cannot be sent.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// It cannot be read.
    #[error("{} cannot be sent to the farm: {source}", path.escape_hidden())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// It has no place in the directory of an action.
    #[error("{} cannot be sent to the farm: {reason}", path.escape_hidden())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
}

/// The files, as they are when the run begins or the test has changed.
#[derive(Clone, Debug)]
pub(super) struct SentFiles {
    /// All of them, as one directory.
    pub tree: PackedTree,
    /// Where each is in it, by its path on this machine.
    places: BTreeMap<PathBuf, PathBuf>,
}

impl SentFiles {
    /// Reads these files and directories. Their paths are absolute.
    pub fn read(paths: &[PathBuf]) -> Result<SentFiles, SendError> {
        let base = common_directory(paths.iter().map(PathBuf::as_path));
        let mut tree = DirectoryTree::default();
        let mut places = BTreeMap::new();
        for path in paths {
            let place = path.strip_prefix(&base).unwrap_or(path).to_path_buf();
            if places.insert(path.clone(), place.clone()).is_none() {
                add_path(&mut tree, path, &place)?;
            }
        }
        Ok(SentFiles {
            tree: tree.pack(),
            places,
        })
    }

    /// Where a file of this machine is in the directory, if it is sent.
    pub fn find_place(&self, path: &Path) -> Option<&Path> {
        self.places.get(path).map(PathBuf::as_path)
    }
}

/// Adds a file, or a directory with all that is in it. A link that the user names is followed; one below a directory stays a link.
fn add_path(tree: &mut DirectoryTree, path: &Path, place: &Path) -> Result<(), SendError> {
    let unreadable = |source| SendError::Unreadable {
        path: path.to_path_buf(),
        source,
    };
    let unusable = |error: TreeError| SendError::Unusable {
        path: path.to_path_buf(),
        reason: error.to_string(),
    };
    let mut waiting = vec![(path.to_path_buf(), place.to_path_buf())];
    while let Some((file, place)) = waiting.pop() {
        let metadata = match file == path {
            true => fs::metadata(&file),
            false => fs::symlink_metadata(&file),
        };
        let metadata = metadata.map_err(unreadable)?;
        if metadata.is_dir() {
            tree.add_directory(&place).map_err(unusable)?;
            for entry in fs::read_dir(&file).map_err(unreadable)? {
                let entry = entry.map_err(unreadable)?;
                waiting.push((entry.path(), place.join(entry.file_name())));
            }
        } else if metadata.is_symlink() {
            let target = fs::read_link(&file).map_err(unreadable)?;
            tree.add_link(&place, &target).map_err(unusable)?;
        } else if metadata.is_file() {
            let bytes = fs::read(&file).map_err(unreadable)?;
            let is_executable = metadata.permissions().mode() & 0o111 != 0;
            let added = tree.add_file(&place, bytes.into(), is_executable);
            added.map_err(unusable)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_beside_the_script_lies_beside_it_on_the_worker() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = |name: &str| dir.path().join(name);
        fs::create_dir_all(path("tests/lib")).expect("a directory");
        fs::write(path("tests/test.sh"), "exit 0").expect("a test");
        fs::write(path("tests/lib/a.h"), "int a;").expect("a header");
        fs::write(path("runtime.c"), "int b;").expect("a file");
        let sent = ["tests/test.sh", "tests/lib", "runtime.c"].map(path);
        let files = SentFiles::read(&sent).expect("they can be read");
        let place = |name: &str| files.find_place(&path(name)).map(Path::to_path_buf);
        assert_eq!(place("tests/test.sh"), Some("tests/test.sh".into()));
        assert_eq!(place("runtime.c"), Some("runtime.c".into()));
        assert_eq!(place("tests/other"), None);
        assert_eq!(files.tree.blobs.len(), 6, "three files, three directories");
    }

    #[test]
    fn a_script_alone_is_in_the_directory_itself() {
        let dir = tempfile::tempdir().expect("a directory");
        let test = dir.path().join("test.sh");
        fs::write(&test, "exit 0").expect("a test");
        let files = SentFiles::read(std::slice::from_ref(&test)).expect("it can be read");
        assert_eq!(files.find_place(&test), Some(Path::new("test.sh")));
    }
}
