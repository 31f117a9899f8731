//! The machine's directories that a test in a sandbox does not see: it has its own in their place.
#![cfg_attr(not(target_os = "linux"), allow(dead_code))] // Only Linux has sandboxes.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::cleanup::remove_tree;

/// Where every user may write. The test may write in its own.
const WRITABLE_DIRS: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];
/// Where programs have their sockets. The test's own are empty and read-only.
const READONLY_DIRS: [&str; 2] = ["/run", "/var/run"];

/// The directories in which the test may write, without links, each once.
pub(super) fn writable_dirs() -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = WRITABLE_DIRS.iter().filter_map(resolve_dir).collect();
    places.sort();
    places.dedup();
    places
}

/// The directories in which it may not write, without links, each once.
pub(super) fn readonly_dirs() -> Vec<PathBuf> {
    let (mut places, open) = (
        Vec::from_iter(READONLY_DIRS.iter().filter_map(resolve_dir)),
        writable_dirs(),
    );
    places.sort();
    places.dedup();
    places.retain(|place| !open.contains(place));
    places
}

/// A directory of the machine that a sandbox hides.
#[derive(Debug)]
pub(super) struct HiddenDir {
    /// Its usual path.
    pub written: PathBuf,
    /// Its path without links.
    pub real: PathBuf,
    /// Whether the test may write in its own one.
    pub is_writable: bool,
}

/// All directories that a sandbox hides.
pub(super) fn hidden_dirs() -> Vec<HiddenDir> {
    let all = WRITABLE_DIRS.iter().map(|name| (name, true));
    let all = all.chain(READONLY_DIRS.iter().map(|name| (name, false)));
    let dirs = all.filter_map(|(name, is_open)| {
        Some(HiddenDir {
            written: PathBuf::from(name),
            real: resolve_dir(name)?,
            is_writable: is_open,
        })
    });
    dirs.collect()
}

/// The path without links, if it is a directory and not the root.
fn resolve_dir(name: &&str) -> Option<PathBuf> {
    let path = Path::new(name).canonicalize().ok()?;
    (path.is_dir() && path.parent().is_some()).then_some(path)
}

/// The files that a test leaves in the writable directories. The next test in the same sandbox would see them.
#[derive(Debug, Default)]
pub(super) struct LeftoverFiles {
    /// The directories, and their entries before any test.
    dirs: Vec<(PathBuf, BTreeSet<OsString>)>,
}

impl LeftoverFiles {
    /// Records the entries before any test.
    pub(super) fn new() -> LeftoverFiles {
        let places = writable_dirs().into_iter().map(|place| {
            let names = entry_names(&place);
            (place, names)
        });
        LeftoverFiles {
            dirs: places.collect(),
        }
    }

    /// The directories that are watched.
    pub(super) fn watched_dirs(&self) -> impl Iterator<Item = &Path> {
        self.dirs.iter().map(|(place, _)| place.as_path())
    }

    /// Removes all entries that were not there before any test.
    pub(super) fn remove_leftovers(&self) {
        for (place, before) in &self.dirs {
            for name in entry_names(place).difference(before) {
                // What cannot be removed is gone with the sandbox.
                let _ = remove_tree(&place.join(name));
            }
        }
    }
}

/// The names in a directory.
fn entry_names(place: &Path) -> BTreeSet<OsString> {
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).collect()
}
