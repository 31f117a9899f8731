//! What changes in directories that are not the test's.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The most entries that are read of one directory.
const MOST: usize = 10_000;

/// Directories to watch, each with a depth: 1 for its entries, 2 for the entries of its directories too.
pub(super) struct DirectoryWatcher {
    roots: BTreeMap<PathBuf, u32>,
    /// Where tests run. It is not watched.
    excluded: PathBuf,
}

/// The state of an entry: size, time of change and inode of a file; only the inode of a directory.
type EntryStamp = (u64, i64, i64, u64);

/// All entries at one moment.
#[derive(Default)]
pub(super) struct DirectorySnapshot(BTreeMap<PathBuf, EntryStamp>);

impl DirectoryWatcher {
    /// A watcher of no directories.
    pub fn new(except: &Path) -> DirectoryWatcher {
        DirectoryWatcher {
            roots: BTreeMap::new(),
            excluded: except.to_path_buf(),
        }
    }

    /// Adds a directory, if it exists.
    pub fn add_directory(&mut self, directory: &Path, deep: u32) {
        if let Ok(directory) = directory.canonicalize() {
            let known = self.roots.entry(directory).or_default();
            *known = deep.max(*known);
        }
    }

    /// Reads all entries.
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
            // The lock of a run lies beside its directory, so the prefix covers both.
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
    /// Entries of a later snapshot that are new or changed.
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
