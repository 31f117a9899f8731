//! Whether the servers of a test can be trusted. All workers share that.
//!
//! A server that has answered before may answer because of what it kept: a compiler that has crashed may crash again for that reason alone. So a
//! fresh process confirms what it finds interesting, and a program that is known to be interesting shows whether it still finds that. From the first
//! contradiction on, each candidate has a fresh process. All that is about one test: a changed one is another generation, of which nothing is known.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{TestFile, TestFiles};

/// What is known of the servers of a test.
#[derive(Debug, Default)]
pub(super) struct ServerTrust(Mutex<ServerRecord>);

#[derive(Debug, Default)]
struct ServerRecord {
    is_lost: bool,
    generation: u64,
    interesting: Option<TestFiles>,
}

impl ServerTrust {
    /// Whether a server has contradicted itself.
    pub(super) fn is_lost(&self) -> bool {
        self.lock_record().is_lost
    }

    /// A server of this generation has contradicted itself. Returns whether it is the first.
    pub(super) fn lose(&self, generation: u64) -> bool {
        let mut record = self.lock_record();
        record.generation == generation && !std::mem::replace(&mut record.is_lost, true)
    }

    /// All servers that run are to be started anew: the test is another, and what the old one did says nothing about it.
    pub(super) fn renew_servers(&self) {
        let mut record = self.lock_record();
        *record = ServerRecord {
            generation: record.generation + 1,
            ..ServerRecord::default()
        };
    }

    /// How often servers were renewed.
    pub(super) fn generation(&self) -> u64 {
        self.lock_record().generation
    }

    /// A fresh process of this generation found this interesting.
    pub(super) fn keep_interesting(&self, generation: u64, files: &[TestFile]) {
        let mut record = self.lock_record();
        if record.generation == generation {
            record.interesting = Some(files.to_vec());
        }
    }

    /// The last program that a fresh process found interesting.
    pub(super) fn interesting(&self) -> Option<TestFiles> {
        self.lock_record().interesting.clone()
    }

    /// The record is whole after every call, so that a panic elsewhere does not spoil it.
    fn lock_record(&self) -> MutexGuard<'_, ServerRecord> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_old_test_did_says_nothing_about_the_new_one() {
        let trust = ServerTrust::default();
        let (old, files) = (trust.generation(), TestFiles::default());
        trust.keep_interesting(old, &files);
        assert!(trust.lose(old) && !trust.lose(old), "it is lost once");
        trust.renew_servers();
        assert!(!trust.is_lost() && trust.interesting().is_none());
        // A process of the old one ends late.
        trust.keep_interesting(old, &files);
        assert!(!trust.lose(old) && !trust.is_lost() && trust.interesting().is_none());
        assert!(trust.lose(trust.generation()));
    }
}
