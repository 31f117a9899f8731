//! A runner that starts nothing: what a store does not know has no verdict.

use std::path::PathBuf;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender};

use super::journal::hash_tested;
use crate::oracle::{JobId, JobResult, NoVerdict, Runner, TestFiles, TestJob, TestOutcome};
use crate::reduce::VerdictStore;

/// Answers each job by a store of verdicts, at once.
pub struct StoreRunner {
    store: Arc<dyn VerdictStore>,
    results_out: Sender<JobResult>,
    results: Receiver<JobResult>,
    /// The paths of all documents.
    paths: Vec<PathBuf>,
}

impl StoreRunner {
    /// A runner with the verdicts of this store; `paths` are those of all documents, as tests see them.
    pub fn new(store: Arc<dyn VerdictStore>, paths: Vec<PathBuf>) -> StoreRunner {
        let (results_out, results) = crossbeam_channel::unbounded();
        StoreRunner {
            store,
            paths,
            results_out,
            results,
        }
    }
}

/// What a store knows of these files, as the outcome of a test; `paths` are those of all documents.
pub fn recall_outcome(
    store: &dyn VerdictStore,
    paths: &[PathBuf],
    files: &TestFiles,
) -> TestOutcome {
    let hash = hash_tested(paths, files);
    match store.get(hash) {
        Some(result) => result.verdict.into(),
        None => TestOutcome::NoVerdict(NoVerdict::NotRecorded {
            files: files.clone(),
        }),
    }
}

impl Runner for StoreRunner {
    fn submit(&mut self, job: TestJob) {
        let outcome = recall_outcome(&*self.store, &self.paths, &job.files);
        // The engine may have ended.
        let _ = self.results_out.send(JobResult::new(job.id, outcome));
    }

    fn cancel(&mut self, _: JobId) {}

    fn result_receiver(&self) -> &Receiver<JobResult> {
        &self.results
    }
}
