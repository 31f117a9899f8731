//! Directories of which a test in a sandbox has its own, and none of the machine's.
#![cfg_attr(not(target_os = "linux"), allow(dead_code))] // Only Linux has sandboxes.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::clean::remove_tree;

/// Where everybody may write; the test too, in its own.
const OPEN: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];
/// Where programs listen.
const SHUT: [&str; 2] = ["/run", "/var/run"];

/// Those in which the test may write, without links, each once.
pub(super) fn open() -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = OPEN.iter().filter_map(real).collect();
    places.sort();
    places.dedup();
    places
}

/// The others, likewise.
pub(super) fn shut() -> Vec<PathBuf> {
    let (mut places, open) = (Vec::from_iter(SHUT.iter().filter_map(real)), open());
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
    pub is_open: bool,
}

/// All of them.
pub(super) fn hidden() -> Vec<HiddenDir> {
    let all = OPEN.iter().map(|name| (name, true));
    let all = all.chain(SHUT.iter().map(|name| (name, false)));
    let dirs = all.filter_map(|(name, is_open)| {
        Some(HiddenDir {
            written: PathBuf::from(name),
            real: real(name)?,
            is_open,
        })
    });
    dirs.collect()
}

/// The directory, if it is one, and not all that there is.
fn real(name: &&str) -> Option<PathBuf> {
    let path = Path::new(name).canonicalize().ok()?;
    (path.is_dir() && path.parent().is_some()).then_some(path)
}

/// What a test leaves in those in which it may write, for who is in the same sandbox.
#[derive(Debug, Default)]
pub(super) struct Litter {
    /// The directories, and what was there before any test.
    places: Vec<(PathBuf, BTreeSet<OsString>)>,
}

impl Litter {
    /// None is there yet.
    pub(super) fn new() -> Litter {
        let places = open().into_iter().map(|place| {
            let names = names_in(&place);
            (place, names)
        });
        Litter {
            places: places.collect(),
        }
    }

    /// Where it may be.
    pub(super) fn places(&self) -> impl Iterator<Item = &Path> {
        self.places.iter().map(|(place, _)| place.as_path())
    }

    /// Removes it.
    pub(super) fn remove(&self) {
        for (place, before) in &self.places {
            for name in names_in(place).difference(before) {
                // What resists goes with the sandbox.
                let _ = remove_tree(&place.join(name));
            }
        }
    }
}

/// What is in a directory.
fn names_in(place: &Path) -> BTreeSet<OsString> {
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).collect()
}
