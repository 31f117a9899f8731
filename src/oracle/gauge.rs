//! Whether a test that runs has taken more of the machine than it may.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::process::Pid;

use super::cgroup::Inside;
use super::{Bound, Quotas, system};

/// What any file costs at least, in bytes: else empty ones would be free.
const FILE: u64 = 4096;
/// Unit of a file's size on the disk, in bytes.
const BLOCK: u64 = 512;

/// Looks at what a test has taken: by the control groups that it is in, and where there are none by looking at its processes. Its files
/// are always looked at.
pub(super) struct Gauge<'a> {
    /// What it may take.
    pub quotas: Quotas,
    /// All that is the test's.
    pub dirs: &'a [&'a Path],
    /// Its first processes: all others descend from these.
    pub roots: &'a dyn Fn() -> Vec<Pid>,
    /// The control groups that it is in.
    pub inside: &'a Inside,
}

impl Gauge<'_> {
    /// The limit that the test has gone beyond.
    pub(super) fn beyond(&self) -> Option<Bound> {
        self.inside
            .beyond()
            .or_else(|| self.beyond_in_processes())
            .or_else(|| self.beyond_in_files())
    }

    /// The same after its end, when only what was counted and what lies about is left to be seen.
    pub(super) fn was_beyond(&self, looked: bool) -> Option<Bound> {
        let counted = self.inside.beyond();
        // A test that ended before the first look had no time for so many files.
        counted.or_else(|| self.beyond_in_files().filter(|_| looked))
    }

    fn beyond_in_processes(&self) -> Option<Bound> {
        let held = self.inside.held();
        let processes = self.quotas.processes.filter(|_| !held.processes);
        let memory = self.quotas.memory.filter(|_| !held.memory);
        if processes.is_none() && memory.is_none() {
            return None;
        }
        let taken = system::tally((self.roots)())?;
        if processes.is_some_and(|limit| taken.tasks > limit) {
            return Some(Bound::Processes);
        }
        // Pages that several processes share were counted for each; to know better costs more, so that is asked only now.
        memory
            .filter(|limit| {
                taken.resident > *limit
                    && system::memory_of_trees((self.roots)()).is_none_or(|exact| exact > *limit)
            })
            .map(|_| Bound::Memory)
    }

    fn beyond_in_files(&self) -> Option<Bound> {
        let limit = self.quotas.disk?;
        are_larger(self.dirs, limit).then_some(Bound::Disk)
    }
}

/// Whether directories take more than so many bytes. Follows no links, looks at nothing that is mounted in them, and at no more than it
/// must; what goes meanwhile, or may not be seen, is left out.
fn are_larger(dirs: &[&Path], limit: u64) -> bool {
    let devices = dirs
        .iter()
        .filter_map(|dir| Some((dir.to_path_buf(), fs::metadata(dir).ok()?.dev())));
    let (mut left, mut sum) = (Vec::from_iter(devices), 0);
    while let Some((dir, device)) = left.pop() {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            let metadata = entry.metadata();
            let Some(metadata) = metadata.ok().filter(|metadata| metadata.dev() == device) else {
                continue;
            };
            sum += (metadata.blocks() * BLOCK).max(FILE);
            if sum > limit {
                return true;
            }
            if metadata.is_dir() {
                left.push((entry.path(), device));
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn files_count_for_what_they_take_and_links_for_little() {
        let dir = tempfile::tempdir().expect("a directory");
        let deep = dir.path().join("a/b");
        fs::create_dir_all(&deep).expect("directories");
        fs::write(deep.join("large"), vec![1; 100_000]).expect("a file");
        symlink("/", deep.join("link")).expect("a link");
        let is_larger = |limit| are_larger(&[dir.path(), Path::new("/no/such/place")], limit);
        assert!(is_larger(100_000));
        assert!(!is_larger(200_000));
        for number in 0..60 {
            fs::write(dir.path().join(number.to_string()), "").expect("a file");
        }
        assert!(is_larger(200_000), "empty files take room too");
        assert!(!are_larger(&[], 0));
    }
}
