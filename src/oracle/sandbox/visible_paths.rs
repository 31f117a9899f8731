//! The entries of hidden directories that a test may need, and that its sandbox shows.
//!
//! In `/tmp` and similar directories all users leave sockets, pipes and files, so a sandbox has its own. But many users also work there. An
//! entry of such a directory stays visible if it contains the test, if `PATH` leads into it, if it contains lop's working directory, or if
//! the text of the test or a command mentions it. A mention of `/run` has no effect: the sockets of programs there stay hidden.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use crate::oracle::InterestingnessTest;
use crate::oracle::private_dirs;

/// How much of a test's text is searched, in bytes.
const MAX_SCRIPT_BYTES: u64 = 1 << 20;

/// The bytes that end a path in a text, besides white space.
const PATH_END_BYTES: &[u8] = b"/\"'`;:|&<>()$*?[]{}=,\\#";

/// The entries of hidden directories that the test and its environment mention, without links. `besides` are paths that lop needs.
pub(in crate::oracle) fn visible_paths(
    test: &InterestingnessTest,
    besides: &[&Path],
) -> Vec<PathBuf> {
    let (paths, texts) = (needed_paths(test, besides), command_texts(test));
    let mut found = BTreeSet::new();
    for hidden in private_dirs::hidden_dirs() {
        let below = |path| first_below(path, &hidden.written).or(first_below(path, &hidden.real));
        let of_paths = paths.iter().filter_map(|path| below(path));
        let texts = texts.iter().filter(|_| hidden.is_writable);
        let of_texts = texts.flat_map(|text| mentioned_names(text, &hidden.written));
        let names: BTreeSet<&OsStr> = of_paths.chain(of_texts).collect();
        let places = names.into_iter().map(|name| hidden.real.join(name));
        found.extend(places.filter(|place| place.symlink_metadata().is_ok()));
    }
    found.into_iter().collect()
}

/// The paths that must be visible, as they are written and without links.
fn needed_paths(test: &InterestingnessTest, besides: &[&Path]) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = besides.iter().map(|path| path.to_path_buf()).collect();
    paths.extend(env::current_dir());
    paths.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    paths.extend(test.program_files());
    let real: Vec<PathBuf> = paths.iter().flat_map(|path| path.canonicalize()).collect();
    [paths, real].concat()
}

/// The texts that may mention a path: the commands, and the beginning of the test, if it is a file.
fn command_texts(test: &InterestingnessTest) -> Vec<Vec<u8>> {
    let lines = test.stages().iter().map(|stage| stage.line.to_string());
    let programs = test.program_files().into_iter().filter_map(|program| {
        let mut text = Vec::new();
        let file = File::open(program).ok()?;
        file.take(MAX_SCRIPT_BYTES).read_to_end(&mut text).ok()?;
        Some(text)
    });
    lines.map(String::into_bytes).chain(programs).collect()
}

/// The first component of a path below a directory.
fn first_below<'a>(path: &'a Path, dir: &Path) -> Option<&'a OsStr> {
    match path.strip_prefix(dir).ok()?.components().next()? {
        Component::Normal(name) => Some(name),
        _ => None,
    }
}

/// The names that follow each mention of a directory in a text.
fn mentioned_names<'a>(text: &'a [u8], dir: &Path) -> Vec<&'a OsStr> {
    let dir = dir.as_os_str().as_bytes();
    let here = text.windows(dir.len() + 1).enumerate();
    // `-I/tmp/x` is a mention too. A false mention does no harm.
    let starts = here.filter(|(_, here)| here.starts_with(dir) && here.ends_with(b"/"));
    let names = starts.map(|(at, here)| {
        let rest = &text[at + here.len()..];
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || PATH_END_BYTES.contains(byte);
        let length = rest.iter().position(is_end).unwrap_or(rest.len());
        OsStr::from_bytes(&rest[..length])
    });
    names
        .filter(|name| !name.is_empty() && *name != "." && *name != "..")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_what_lies_in_a_directory() {
        let text = b"cc=/tmp/build/bin/cc; \"$cc\" -I/tmp/inc:/tmp/more x.c >/tmp/out\n. /tmp/../x /tmp/\n'/tmp/last'";
        let names = mentioned_names(text, Path::new("/tmp"));
        assert_eq!(names, ["build", "inc", "more", "out", "last"]);
        assert!(mentioned_names(b"/tm", Path::new("/tmp")).is_empty());
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
