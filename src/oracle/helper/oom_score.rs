//! Which process the system shall kill first when memory is short: the test, before its helper and lop, in the helper's own control group too.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::FileExt;

const FILE: &str = "/proc/self/oom_score_adj";

/// The score of a test: as if it used half of all memory more than it does.
const READY: i32 = 500;

/// Raises the out-of-memory score of tests above that of the helper and lop. Only Linux has such a score.
#[derive(Debug)]
pub(super) struct OomScore {
    file: File,
    original: i32,
}

impl OomScore {
    /// None where the score cannot be set.
    pub(super) fn new() -> Option<OomScore> {
        let own = fs::read_to_string(FILE).ok()?.trim().parse().ok()?;
        let file = OpenOptions::new().write(true).open(FILE).ok()?;
        (own < READY).then_some(OomScore {
            file,
            original: own,
        })
    }

    /// Processes that are started meanwhile inherit the raised score.
    pub(super) fn with_raised_score<T>(&self, start: impl FnOnce() -> T) -> T {
        self.write_score(READY);
        let started = start();
        self.write_score(self.original);
        started
    }

    fn write_score(&self, value: i32) {
        // Every process may raise its score, and lower it to the old value.
        let _ = self.file.write_at(value.to_string().as_bytes(), 0);
    }
}
