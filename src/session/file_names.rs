//! Names of files beside other files.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// `bug.c` with `lop` is `bug.lop.c`; a name without an extension gets it at its end.
pub(super) fn with_infix(path: &Path, word: &str) -> PathBuf {
    let mut name = path.file_stem().unwrap_or(OsStr::new("result")).to_owned();
    name.push(".");
    name.push(word);
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// The word in the name of the smallest version of another branch.
pub(super) fn smallest_word(number: u32) -> String {
    match number {
        0 => "smallest".to_owned(),
        number => format!("smallest.{number}"),
    }
}

/// `bug.c` with `orig` is `bug.c.orig`.
pub(super) fn with_suffix(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().map(OsStr::to_owned).unwrap_or_default();
    name.push(".");
    name.push(ending);
    path.with_file_name(name)
}

/// `bug.c.orig`, `bug.c.orig.1`, `bug.c.orig.2` and so on, without end.
pub(super) fn numbered_paths(first: &Path) -> impl Iterator<Item = PathBuf> {
    let later = (1_u64..).map(|number| with_suffix(first, &number.to_string()));
    std::iter::once(first.to_path_buf()).chain(later)
}

/// `dir/bug.c` with `lock` is `dir/.bug.c.lock`.
pub(super) fn hidden_sibling(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or(OsStr::new("result")));
    name.push(".");
    name.push(ending);
    path.with_file_name(name)
}

/// The directory that a file is in; `.` for a name alone.
pub(super) fn parent_directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_they_stand_beside() {
        let word = |path: &str| {
            with_infix(Path::new(path), "lop")
                .to_string_lossy()
                .into_owned()
        };
        assert_eq!(word("bug.c"), "bug.lop.c");
        assert_eq!(word("a/b.d/bug.tar.gz"), "a/b.d/bug.tar.lop.gz");
        assert_eq!(word("Makefile"), "Makefile.lop");
        assert_eq!(word(".hidden"), ".hidden.lop");
        assert_eq!(
            with_infix(Path::new("bug.lop.c"), "1"),
            Path::new("bug.lop.1.c")
        );
        assert_eq!(
            with_suffix(Path::new("a/bug.c"), "orig"),
            Path::new("a/bug.c.orig")
        );
        assert_eq!(
            hidden_sibling(Path::new("a/bug.c"), "lock"),
            Path::new("a/.bug.c.lock")
        );
        assert_eq!(parent_directory(Path::new("bug.c")), Path::new("."));
        assert_eq!(parent_directory(Path::new("a/bug.c")), Path::new("a"));
    }
}
