//! Directories of which a test in a sandbox has its own, and none of the machine's.
#![cfg_attr(not(target_os = "linux"), allow(dead_code))] // Only Linux has sandboxes.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::cleanup::remove_tree;

/// Where everybody may write; the test too, in its own.
const OPEN: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];
/// Where programs listen.
const SHUT: [&str; 2] = ["/run", "/var/run"];

/// Those in which the test may write, without links, each once.
pub(super) fn writable_dirs() -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = OPEN.iter().filter_map(resolve_dir).collect();
    places.sort();
    places.dedup();
    places
}

/// The others, likewise.
pub(super) fn readonly_dirs() -> Vec<PathBuf> {
    let (mut places, open) = (
        Vec::from_iter(SHUT.iter().filter_map(resolve_dir)),
        writable_dirs(),
    );
    places.sort();
    places.dedup();
    places.retain(|place| !open.contains(place));
    places
}

/// A directory that is not the machine's in a sandbox.
#[derive(Debug)]
pub(super) struct HiddenDir {
    /// As it is written mostly.
    pub written: PathBuf,
    /// Without links.
    pub real: PathBuf,
    /// Whether the test may write in its own.
    pub is_writable: bool,
}

/// All of them.
pub(super) fn hidden_dirs() -> Vec<HiddenDir> {
    let all = OPEN.iter().map(|name| (name, true));
    let all = all.chain(SHUT.iter().map(|name| (name, false)));
    let dirs = all.filter_map(|(name, is_open)| {
        Some(HiddenDir {
            written: PathBuf::from(name),
            real: resolve_dir(name)?,
            is_writable: is_open,
        })
    });
    dirs.collect()
}

/// The directory, if it is one, and not all that there is.
fn resolve_dir(name: &&str) -> Option<PathBuf> {
    let path = Path::new(name).canonicalize().ok()?;
    (path.is_dir() && path.parent().is_some()).then_some(path)
}

/// What a test leaves in those in which it may write, for who is in the same sandbox.
#[derive(Debug, Default)]
pub(super) struct LeftoverFiles {
    /// The directories, and what was there before any test.
    dirs: Vec<(PathBuf, BTreeSet<OsString>)>,
}

impl LeftoverFiles {
    /// None is there yet.
    pub(super) fn new() -> LeftoverFiles {
        let places = writable_dirs().into_iter().map(|place| {
            let names = entry_names(&place);
            (place, names)
        });
        LeftoverFiles {
            dirs: places.collect(),
        }
    }

    /// Where it may be.
    pub(super) fn watched_dirs(&self) -> impl Iterator<Item = &Path> {
        self.dirs.iter().map(|(place, _)| place.as_path())
    }

    /// Removes it.
    pub(super) fn remove_leftovers(&self) {
        for (place, before) in &self.dirs {
            for name in entry_names(place).difference(before) {
                // What resists goes with the sandbox.
                let _ = remove_tree(&place.join(name));
            }
        }
    }
}

/// What is in a directory.
fn entry_names(place: &Path) -> BTreeSet<OsString> {
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).collect()
}
