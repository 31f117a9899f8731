//! What a test may need of the directories that a sandbox hides: what is named.
//!
//! In `/tmp` and its like everybody leaves sockets, pipes and files, so that a sandbox has its own. But many work there: what lies directly
//! in such a directory is seen if the test names it, in its text or its commands, or `PATH`, or who runs lop stands in it.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use crate::oracle::Test;
use crate::oracle::private;

/// So much of a test's text is looked through, in bytes.
const LOOKED_AT: usize = 1 << 20;

/// What ends a path in a text, besides white space.
const ENDS: &[u8] = b"/\"'`;:|&<>()$*?[]{}=,\\#";

/// What the test and its surroundings name of the directories that are hidden, as paths without links.
pub(in crate::oracle) fn named(test: &Test, besides: &[&Path]) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = besides.iter().map(|path| path.to_path_buf()).collect();
    paths.extend(env::current_dir());
    paths.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    paths.extend(test.script().map(|script| script.path().to_path_buf()));
    let links = paths.iter().filter_map(|path| path.canonicalize().ok());
    let links: Vec<PathBuf> = links.collect();
    let mut texts: Vec<Vec<u8>> = test
        .stages()
        .iter()
        .map(|stage| stage.line.to_string().into_bytes())
        .collect();
    let text = test
        .script()
        .and_then(|script| fs::read(script.path()).ok());
    texts.extend(text.map(|mut text| {
        text.truncate(LOOKED_AT);
        text
    }));
    let mut found = BTreeSet::new();
    for (written, real) in private::hidden() {
        let of_paths = paths.iter().chain(&links);
        let of_paths = of_paths
            .filter_map(|path| first_below(path, &written).or_else(|| first_below(path, &real)));
        let of_texts = texts.iter().flat_map(|text| names_in(text, &written));
        let names: BTreeSet<&OsStr> = of_paths.chain(of_texts).collect();
        let places = names.into_iter().map(|name| real.join(name));
        found.extend(places.filter(|place| place.symlink_metadata().is_ok()));
    }
    found.into_iter().collect()
}

/// The first part of a path below a directory.
fn first_below<'a>(path: &'a Path, dir: &Path) -> Option<&'a OsStr> {
    match path.strip_prefix(dir).ok()?.components().next()? {
        Component::Normal(name) => Some(name),
        _ => None,
    }
}

/// The names behind each mention of a directory in a text.
fn names_in<'a>(text: &'a [u8], dir: &Path) -> Vec<&'a OsStr> {
    let dir = dir.as_os_str().as_bytes();
    let starts = text
        .windows(dir.len() + 1)
        .enumerate()
        .filter(|(at, here)| {
            here.starts_with(dir) && here.ends_with(b"/") && !is_inside_path(&text[..*at])
        });
    let names = starts.map(|(at, here)| {
        let rest = &text[at + here.len()..];
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || ENDS.contains(byte);
        let length = rest.iter().position(is_end).unwrap_or(rest.len());
        OsStr::from_bytes(&rest[..length])
    });
    names
        .filter(|name| !name.is_empty() && *name != "." && *name != "..")
        .collect()
}

/// Whether a path that goes on here has begun in what stands before: not behind an option, as in `-I/tmp/include`.
fn is_inside_path(before: &[u8]) -> bool {
    let of_path = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-".contains(byte);
    let length = before.iter().rev().take_while(|byte| of_path(byte)).count();
    let word = &before[before.len() - length..];
    let is_option = word.starts_with(b"-") && !word.contains(&b'/');
    !word.is_empty() && !is_option
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_what_lies_in_a_directory() {
        let text = b"cc=/tmp/build/bin/cc; \"$cc\" -I/tmp/inc:/tmp/more x.c >/tmp/out\n. /home/tmp/no /tmp/../x /tmp/\n'/tmp/last'";
        let names = names_in(text, Path::new("/tmp"));
        assert_eq!(names, ["build", "inc", "more", "out", "last"]);
        assert!(names_in(b"/tm", Path::new("/tmp")).is_empty());
    }

    #[test]
    fn a_path_names_what_it_leads_through() {
        let below = |path: &'static str| first_below(Path::new(path), Path::new("/tmp"));
        assert_eq!(below("/tmp/a/b"), Some(OsStr::new("a")));
        assert_eq!(below("/tmp"), None);
        assert_eq!(below("/tmpx/a"), None);
        assert_eq!(below("tmp/a"), None);
    }
}
