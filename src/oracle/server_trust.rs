//! Whether the servers of a test can be trusted. All workers share that.
//!
//! A server that has answered before may answer because of what it kept: a compiler that has crashed may crash again for that reason alone. So a
//! fresh process confirms what it finds interesting, and a program that is known to be interesting shows whether it still finds that. From the first
//! contradiction on, each candidate has a fresh process.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::TestFiles;

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

    /// A server has contradicted itself. Returns whether it is the first.
    pub(super) fn lose(&self) -> bool {
        !std::mem::replace(&mut self.lock_record().is_lost, true)
    }

    /// All servers that run are to be started anew: the test may be another, and what the old one found interesting says nothing about it.
    pub(super) fn renew_servers(&self) {
        let mut record = self.lock_record();
        record.generation += 1;
        record.interesting = None;
    }

    /// How often servers were renewed.
    pub(super) fn generation(&self) -> u64 {
        self.lock_record().generation
    }

    /// A fresh process found this interesting.
    pub(super) fn keep_interesting(&self, files: &TestFiles) {
        self.lock_record().interesting = Some(files.clone());
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
