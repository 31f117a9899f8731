//! Whether a test that runs has used more of the machine than it may.
//!
//! Where there are control groups, two counters, read at the end of each test, say whether a limit was met. Where there are none, a test's
//! processes are checked every 50 ms, and a test that ends before that is not checked. Files are always checked, each counts for at least 4 KB,
//! and once more at the end.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::process::Pid;

use super::cgroup::JoinedCgroups;
use super::{LimitKind, ResourceQuotas, system};

/// The least that a file counts, in bytes. Otherwise empty files would be free.
const FILE: u64 = 4096;
/// Unit of a file's size on the disk, in bytes.
const BLOCK: u64 = 512;

/// Measures what a test uses: by its control groups, or by its processes where there are none. Its files are always measured.
pub(super) struct ResourceMonitor<'a> {
    /// Its limits.
    pub quotas: ResourceQuotas,
    /// The directories that the test can write in.
    pub dirs: &'a [&'a Path],
    /// Its first processes. All others descend from these.
    pub roots: &'a dyn Fn() -> Vec<Pid>,
    /// The control groups that it is in.
    pub cgroups: &'a JoinedCgroups,
}

impl ResourceMonitor<'_> {
    /// The limit that the test has exceeded.
    pub(super) fn exceeded_limit(&self) -> Option<LimitKind> {
        self.cgroups
            .exceeded_limit()
            .or_else(|| self.exceeded_by_processes())
            .or_else(|| self.exceeded_by_files())
    }

    /// The same after its end, when only counters and files are left.
    pub(super) fn exceeded_at_exit(&self, looked: bool) -> Option<LimitKind> {
        let counted = self.cgroups.exceeded_limit();
        // A test that ended before the first check had no time to write so many files.
        counted.or_else(|| looked.then(|| self.exceeded_by_files()).flatten())
    }

    fn exceeded_by_processes(&self) -> Option<LimitKind> {
        let held = self.cgroups.cgroup_limits();
        let processes = self.quotas.processes.filter(|_| !held.processes);
        let memory = self.quotas.memory.filter(|_| !held.memory);
        if processes.is_none() && memory.is_none() {
            return None;
        }
        let taken = system::tree_usage((self.roots)())?;
        if processes.is_some_and(|limit| taken.tasks > limit) {
            return Some(LimitKind::Processes);
        }
        // Shared pages were counted for each process. The exact figure costs more, so it is read only now.
        memory
            .filter(|limit| {
                taken.resident > *limit
                    && system::tree_memory((self.roots)()).is_none_or(|exact| exact > *limit)
            })
            .map(|_| LimitKind::Memory)
    }

    fn exceeded_by_files(&self) -> Option<LimitKind> {
        let limit = self.quotas.disk?;
        exceed_size(self.dirs, limit).then_some(LimitKind::Disk)
    }
}

/// Whether directories take more than so many bytes. Follows no links, looks at nothing that is mounted in them, and at no more than it
/// must; what goes meanwhile, or may not be seen, is left out.
fn exceed_size(dirs: &[&Path], limit: u64) -> bool {
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
        let is_larger = |limit| exceed_size(&[dir.path(), Path::new("/no/such/place")], limit);
        assert!(is_larger(100_000));
        assert!(!is_larger(200_000));
        for number in 0..60 {
            fs::write(dir.path().join(number.to_string()), "").expect("a file");
        }
        assert!(is_larger(200_000), "empty files take room too");
        assert!(!exceed_size(&[], 0));
    }
}
