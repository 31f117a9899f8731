//! The result of a run over several files: a directory that is exchanged as a whole, because one of its files alone proves nothing.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags};

use super::file_names;
use crate::display::EscapeHidden;

/// A directory of results.
#[derive(Clone, Debug)]
pub struct OutputDirectory {
    path: PathBuf,
    /// The names of the files in it.
    names: Vec<OsString>,
}

/// Why a directory cannot hold the result.
#[derive(Debug, thiserror::Error)]
pub enum OutputDirectoryError {
    /// Something else is there.
    #[error("{} holds {}, which is no result of lop pair; move it, or name another directory with --output", path.escape_hidden(), entry.escape_hidden())]
    Foreign {
        /// The directory.
        path: PathBuf,
        /// What is in it.
        entry: PathBuf,
    },
    /// It is no directory.
    #[error("{} is no directory; name another with --output", .0.escape_hidden())]
    NotADirectory(PathBuf),
    /// The system refuses.
    #[error("{} cannot be written: {source}", path.escape_hidden())]
    Unwritable {
        /// The directory.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
}

impl OutputDirectory {
    /// A place for files of these names. One that holds nothing else may be there already.
    ///
    /// # Errors
    /// When something else is there.
    pub fn claim_path(
        path: &Path,
        names: Vec<OsString>,
    ) -> Result<OutputDirectory, OutputDirectoryError> {
        let unwritable = |source| OutputDirectoryError::Unwritable {
            path: path.to_path_buf(),
            source,
        };
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(unwritable(error)),
            Ok(about) if !about.is_dir() => {
                return Err(OutputDirectoryError::NotADirectory(path.to_path_buf()));
            }
            Ok(_) => {
                for entry in fs::read_dir(path).map_err(unwritable)? {
                    let entry = entry.map_err(unwritable)?.file_name();
                    if !names.contains(&entry) {
                        return Err(OutputDirectoryError::Foreign {
                            path: path.to_path_buf(),
                            entry: entry.into(),
                        });
                    }
                }
            }
        }
        Ok(OutputDirectory {
            path: path.to_path_buf(),
            names,
        })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts these texts in the place of what the directory held: a reader sees the old files or the new ones. A text belongs to the name of
    /// the same index.
    ///
    /// # Errors
    /// When the system refuses; then the old files stay.
    pub fn replace_files(&self, texts: &[Vec<u8>]) -> Result<(), OutputDirectoryError> {
        let replaced = self.exchange_directory(texts);
        replaced.map_err(|source| OutputDirectoryError::Unwritable {
            path: self.path.clone(),
            source,
        })
    }

    fn exchange_directory(&self, texts: &[Vec<u8>]) -> io::Result<()> {
        let parent = file_names::parent_directory(&self.path);
        let new = tempfile::Builder::new()
            .prefix(".lop-")
            .tempdir_in(parent)?;
        let inner = new.path().join("result");
        fs::create_dir(&inner)?;
        for (name, text) in self.names.iter().zip(texts) {
            let path = inner.join(name);
            fs::write(&path, text)?;
            fs::File::open(&path)?.sync_all()?;
        }
        match rustix::fs::renameat_with(CWD, &inner, CWD, &self.path, RenameFlags::EXCHANGE) {
            Ok(()) => Ok(()),
            // Nothing is there yet, or the file system cannot exchange.
            Err(_) => {
                if self.path.exists() {
                    fs::rename(&self.path, new.path().join("old"))?;
                }
                fs::rename(&inner, &self.path)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_exchanged_as_a_whole_and_what_is_not_a_result_stays() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("bug.lop");
        let names = || vec![OsString::from("a"), OsString::from("b")];
        let output = OutputDirectory::claim_path(&path, names()).expect("nothing is there");
        for texts in [["1", "2"], ["3", "4"]] {
            let texts = texts.map(|text| text.as_bytes().to_vec());
            output.replace_files(&texts).expect("written");
            let held = ["a", "b"].map(|name| fs::read(path.join(name)).expect("a file"));
            assert_eq!(held, texts);
        }
        assert_eq!(fs::read_dir(dir.path()).expect("it is there").count(), 1);
        OutputDirectory::claim_path(&path, names()).expect("a result of before");
        fs::write(path.join("precious"), "").expect("written");
        let refused = OutputDirectory::claim_path(&path, names()).expect_err("a foreign file");
        assert!(refused.to_string().contains("precious"), "{refused}");
    }
}
