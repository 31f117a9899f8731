//! What changes in directories that are not the test's.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The most entries of one directory that are looked at.
const MOST: usize = 10_000;

/// Directories, each with how deep it is looked into: 1 for its entries, 2 for theirs too.
pub(super) struct DirectoryWatcher {
    roots: BTreeMap<PathBuf, u32>,
    /// Not looked at: where tests run.
    excluded: PathBuf,
}

/// What is seen of an entry: size, time of change and number of a file; of a directory, that it is there.
type EntryStamp = (u64, i64, i64, u64);

/// All entries at one moment.
#[derive(Default)]
pub(super) struct DirectorySnapshot(BTreeMap<PathBuf, EntryStamp>);

impl DirectoryWatcher {
    /// Nothing yet.
    pub fn new(except: &Path) -> DirectoryWatcher {
        DirectoryWatcher {
            roots: BTreeMap::new(),
            excluded: except.to_path_buf(),
        }
    }

    /// This directory too, if it is there.
    pub fn add_directory(&mut self, directory: &Path, deep: u32) {
        if let Ok(directory) = directory.canonicalize() {
            let known = self.roots.entry(directory).or_default();
            *known = deep.max(*known);
        }
    }

    /// Looks.
    pub fn take_snapshot(&self) -> DirectorySnapshot {
        let mut seen = DirectorySnapshot::default();
        for (root, deep) in &self.roots {
            self.collect_entries(root, *deep, &mut seen);
        }
        seen
    }

    fn collect_entries(&self, directory: &Path, deep: u32, seen: &mut DirectorySnapshot) {
        let Ok(entries) = fs::read_dir(directory) else {
            return;
        };
        for entry in entries.flatten().take(MOST) {
            let path = entry.path();
            let Ok(about) = entry.metadata() else {
                continue;
            };
            // The lock of a run lies beside its directory.
            let ours = path
                .to_string_lossy()
                .starts_with(&*self.excluded.to_string_lossy());
            if ours || about.uid() != rustix::process::geteuid().as_raw() {
                continue;
            }
            if about.is_dir() {
                if deep > 1 {
                    self.collect_entries(&path, deep - 1, seen);
                }
                seen.0.insert(path, (0, 0, 0, about.ino()));
            } else {
                let stamp = (about.len(), about.mtime(), about.mtime_nsec(), about.ino());
                seen.0.insert(path, stamp);
            }
        }
    }
}

impl DirectorySnapshot {
    /// What is there later and was not, or was another.
    pub fn changed_paths(&self, later: &DirectorySnapshot) -> BTreeSet<PathBuf> {
        let other = |(path, stamp): &(&PathBuf, &EntryStamp)| self.0.get(*path) != Some(*stamp);
        later
            .0
            .iter()
            .filter(other)
            .map(|(path, _)| path.clone())
            .collect()
    }
}
