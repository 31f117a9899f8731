//! A runner that starts nothing: what a store does not know has no verdict.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender};

use super::journal::hash_files;
use crate::oracle::{JobId, JobResult, NoVerdict, Runner, TestFiles, TestJob, TestOutcome};
use crate::reduce::VerdictStore;

/// Answers each job by a store of verdicts, at once.
pub struct StoreRunner {
    store: Arc<dyn VerdictStore>,
    results_out: Sender<JobResult>,
    results: Receiver<JobResult>,
}

impl StoreRunner {
    /// A runner with the verdicts of this store.
    pub fn new(store: Arc<dyn VerdictStore>) -> StoreRunner {
        let (results_out, results) = crossbeam_channel::unbounded();
        StoreRunner {
            store,
            results_out,
            results,
        }
    }
}

/// What a store knows of these files, as the outcome of a test.
pub fn recall_outcome(store: &dyn VerdictStore, files: &TestFiles) -> TestOutcome {
    let hash = hash_files(files.iter().map(|(_, bytes)| &**bytes));
    match store.get(hash) {
        Some(result) => result.verdict.into(),
        None => TestOutcome::NoVerdict(NoVerdict::NotRecorded {
            files: files.clone(),
        }),
    }
}

impl Runner for StoreRunner {
    fn submit(&mut self, job: TestJob) {
        let outcome = recall_outcome(&*self.store, &job.files);
        // The engine may have ended.
        let _ = self.results_out.send(JobResult::new(job.id, outcome));
    }

    fn cancel(&mut self, _: JobId) {}

    fn result_receiver(&self) -> &Receiver<JobResult> {
        &self.results
    }
}
