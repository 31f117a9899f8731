//! The file to reduce, as it was when the run began.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::file_names;
use super::own_files::irregular_kind;
use crate::display::EscapeHidden;
use crate::oracle::SpecialFile;
use crate::protocol::list_choices;

/// The mode of a link: its file type, without permissions, as Git has it.
pub(super) const LINK_MODE: u32 = 0o120_000;

/// The largest input, in bytes.
pub const LARGEST: u64 = 100_000_000;

/// A copy of the input: changes of the file during the run have no effect.
#[derive(Clone, Debug)]
pub struct InputFile {
    /// The path, as the user named it.
    pub named: PathBuf,
    /// The file itself, links followed, as an absolute path.
    pub path: PathBuf,
    /// All of it; of a link the path that it holds.
    pub bytes: Arc<[u8]>,
    /// Permission bits; of a link its file type alone, 0o120000.
    pub mode: u32,
    /// User and group.
    pub owner: (u32, u32),
    /// Device and number, which are the same for two names of one file.
    pub identity: (u64, u64),
    /// Its derivation tree in JSON, if the user has it.
    pub tree: Option<Arc<str>>,
    /// The path below the directory of a test under which a test finds it; without one, that is its name.
    pub place: Option<Arc<Path>>,
}

/// Why a file cannot be reduced.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// There is no such file.
    #[error("there is no file {}; look how it is spelt, and where it lies", .0.escape_hidden())]
    Missing(PathBuf),
    /// It is no regular file.
    #[error("{} is {what}, and here lop takes a regular file; name one", path.escape_hidden())]
    NotAFile {
        /// The path, as the user named it.
        path: PathBuf,
        /// What it is, with its article.
        what: &'static str,
    },
    /// It has no bytes.
    #[error("{} is empty: there is nothing to reduce; name another file", .0.escape_hidden())]
    Empty(PathBuf),
    /// It has too many bytes.
    #[error("{} has {:.1} MB; lop reads at most {} MB; cut it first, as with head -c", path.escape_hidden(), *bytes as f64 / 1e6, LARGEST / 1_000_000)]
    TooLarge {
        /// The path, as the user named it.
        path: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// The system does not let lop read it.
    #[error("{} cannot be read: {source}; ls -l tells who may", path.escape_hidden())]
    Unreadable {
        /// The path, as the user named it.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
}

impl InputFile {
    /// Reads a file that has bytes. Nothing that could block, as a pipe does, is opened.
    pub fn read_from(named: &Path) -> Result<InputFile, InputError> {
        let file = InputFile::read_any(named)?;
        match file.bytes.is_empty() {
            true => Err(InputError::Empty(file.named)),
            false => Ok(file),
        }
    }

    /// Reads a file, which may be empty.
    pub fn read_any(named: &Path) -> Result<InputFile, InputError> {
        let path = named.to_path_buf();
        let unreadable = |source| InputError::Unreadable {
            path: path.clone(),
            source,
        };
        let about = match named.metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(InputError::Missing(path));
            }
            about => about.map_err(unreadable)?,
        };
        if let Some(what) = irregular_kind(&about) {
            return Err(InputError::NotAFile { path, what });
        }
        if about.len() > LARGEST {
            return Err(InputError::TooLarge {
                path,
                bytes: about.len(),
            });
        }
        let mut bytes = Vec::with_capacity(about.len() as usize + 1);
        let file = File::open(named).map_err(unreadable)?;
        // It may grow while it is read.
        file.take(LARGEST + 1)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
        let length = bytes.len() as u64;
        if length > LARGEST {
            return Err(InputError::TooLarge {
                path,
                bytes: length,
            });
        }
        Ok(InputFile {
            path: named.canonicalize().map_err(unreadable)?,
            named: path,
            bytes: bytes.into(),
            mode: about.mode() & 0o777,
            owner: (about.uid(), about.gid()),
            identity: (about.dev(), about.ino()),
            tree: None,
            place: None,
        })
    }

    /// Reads a link itself, not what it leads to.
    pub(super) fn read_link(named: &Path) -> Result<InputFile, InputError> {
        let unreadable = |source| InputError::Unreadable {
            path: named.to_path_buf(),
            source,
        };
        let about = named.symlink_metadata().map_err(unreadable)?;
        let target = named.read_link().map_err(unreadable)?;
        Ok(InputFile {
            named: named.to_path_buf(),
            path: file_names::parent_directory(named)
                .canonicalize()
                .map_err(unreadable)?
                .join(named.file_name().unwrap_or_default()),
            bytes: target.into_os_string().into_vec().into(),
            mode: LINK_MODE,
            owner: (about.uid(), about.gid()),
            identity: (about.dev(), about.ino()),
            tree: None,
            place: None,
        })
    }

    /// Whether it is a link.
    pub fn is_link(&self) -> bool {
        self.mode == LINK_MODE
    }

    /// What a test finds in its place, if not a regular file that nobody executes.
    pub fn special_kind(&self) -> Option<SpecialFile> {
        match self.mode {
            LINK_MODE => Some(SpecialFile::Link),
            mode => (mode & 0o111 != 0).then_some(SpecialFile::Executable),
        }
    }

    /// The input of an earlier run, as it was then, whatever happened to the file. `name` is the one under which the test saw it.
    pub fn from_recorded(named: &Path, name: &Path, bytes: Arc<[u8]>, mode: u32) -> InputFile {
        let named = match name.file_name() {
            Some(name) => named.with_file_name(name),
            None => named.to_path_buf(),
        };
        let about = named.metadata().ok();
        let about = about.as_ref();
        InputFile {
            path: named.canonicalize().unwrap_or_else(|_| named.clone()),
            named,
            bytes,
            mode: about.map_or(mode, MetadataExt::mode) & 0o777,
            owner: about.map_or((0, 0), |about| (about.uid(), about.gid())),
            identity: about.map_or((0, 0), |about| (about.dev(), about.ino())),
            tree: None,
            place: None,
        }
    }

    /// The same file with its derivation tree in JSON.
    #[must_use]
    pub fn with_tree(self, tree: Option<Arc<str>>) -> InputFile {
        InputFile { tree, ..self }
    }

    /// The same file under another name, without directories.
    #[must_use]
    pub fn with_file_name(self, name: &OsStr) -> InputFile {
        InputFile {
            named: self.named.with_file_name(name),
            ..self
        }
    }

    /// The same file as the listing of its bytes, each of which is a choice.
    #[must_use]
    pub fn into_choice_listing(self) -> InputFile {
        InputFile {
            bytes: list_choices(&self.bytes).into(),
            ..self
        }
    }

    /// The same file, which a test finds at this path below its directory.
    #[must_use]
    pub fn at_place(self, place: &Path) -> InputFile {
        InputFile {
            place: Some(place.into()),
            ..self
        }
    }

    /// Where a test finds it, below its directory.
    pub fn test_path(&self) -> &Path {
        let own = self.place.as_deref();
        own.unwrap_or_else(|| Path::new(self.file_name()))
    }

    /// Its name without directories: of a program the name under which the test finds the candidate.
    pub fn file_name(&self) -> &OsStr {
        // A path that ends in `..` is a directory, and never gets here.
        self.named
            .file_name()
            .or_else(|| self.path.file_name())
            .unwrap_or(OsStr::new("input"))
    }
}
