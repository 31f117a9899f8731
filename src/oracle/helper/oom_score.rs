//! Which process the system shall kill first when memory is short: the test, before its helper and lop, in the helper's own control group too.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::FileExt;

const FILE: &str = "/proc/self/oom_score_adj";

/// How ready the system shall be to kill a test: as if it had half of what there is, on top of what it has.
const READY: i32 = 500;

/// Makes what is started readier to be killed than who starts it: the helper, and lop. Only Linux can be asked for that.
#[derive(Debug)]
pub(super) struct OomScore {
    file: File,
    original: i32,
}

impl OomScore {
    /// None where there is nothing to be done.
    pub(super) fn new() -> Option<OomScore> {
        let own = fs::read_to_string(FILE).ok()?.trim().parse().ok()?;
        let file = OpenOptions::new().write(true).open(FILE).ok()?;
        (own < READY).then_some(OomScore {
            file,
            original: own,
        })
    }

    /// What is started meanwhile is ready.
    pub(super) fn with_raised_score<T>(&self, start: impl FnOnce() -> T) -> T {
        self.write_score(READY);
        let started = start();
        self.write_score(self.original);
        started
    }

    fn write_score(&self, value: i32) {
        // Anyone may become readier, and take that back.
        let _ = self.file.write_at(value.to_string().as_bytes(), 0);
    }
}
