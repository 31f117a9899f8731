//! The file `.sublime-syntax` beside a grammar: how programs are coloured where no highlight query says it. Here it is only found and read; the
//! screen makes sense of it.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

/// How the names of such files end.
const EXTENSION: &str = "sublime-syntax";

/// A file that says how the programs of a language are coloured.
#[derive(Debug, PartialEq, Eq)]
pub struct SyntaxFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its text, or why it cannot be read.
    pub text: Result<Cow<'static, str>, String>,
}

impl SyntaxFile {
    /// A file of lop's own.
    pub(super) fn built_in(name: &'static str, text: &'static str) -> SyntaxFile {
        SyntaxFile {
            path: name.into(),
            text: Ok(text.into()),
        }
    }

    /// The file of a language as a session has it.
    pub(super) fn recorded(language: &str, text: &str) -> SyntaxFile {
        SyntaxFile {
            path: format!("{language}.{EXTENSION}").into(),
            text: Ok(Cow::Owned(text.to_owned())),
        }
    }

    /// The file of one of these names in a directory.
    pub(super) fn find_named(directory: &Path, names: &[&str]) -> Option<SyntaxFile> {
        let mut paths = names
            .iter()
            .map(|name| directory.join(format!("{name}.{EXTENSION}")));
        // A device or a pipe might never end.
        paths.find(|path| path.is_file()).map(SyntaxFile::read)
    }

    /// The only such file in a directory.
    pub(super) fn find_only(directory: &Path) -> Option<SyntaxFile> {
        let entries = fs::read_dir(directory).ok()?;
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let is_one = |path: &PathBuf| {
            path.extension().is_some_and(|found| found == EXTENSION) && path.is_file()
        };
        let mut found = paths.filter(is_one);
        let only = found.next()?;
        found.next().is_none().then(|| SyntaxFile::read(only))
    }

    fn read(path: PathBuf) -> SyntaxFile {
        let text = fs::read_to_string(&path);
        SyntaxFile {
            text: text.map(Cow::Owned).map_err(|error| error.to_string()),
            path,
        }
    }
}
