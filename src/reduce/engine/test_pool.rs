//! The test pool: workers that check candidates, the runner that tests them, and the numbers of their jobs.

use crossbeam_channel::Receiver;

use super::worker::{
    CandidateTask, CandidateWorkers, CheckedCandidate, SharedRunner, SubmissionGate, lock_runner,
    start_workers,
};
use crate::oracle::{FailureProperty, JobId, JobResult, PropertyError, Runner, TestJob};

/// Checks and tests candidates, a limited number at a time.
pub(in crate::reduce) struct TestPool {
    runner: SharedRunner,
    workers: CandidateWorkers,
    results: Receiver<JobResult>,
    max_tests: usize,
    /// Whether a submitted job may wait for its turn.
    may_hold_jobs: bool,
    last_job: u64,
}

impl TestPool {
    /// A pool around this runner, with its workers.
    pub fn start(runner: Box<dyn Runner>, jobs: usize) -> std::io::Result<TestPool> {
        let (results, may_hold_jobs) = (runner.result_receiver().clone(), runner.may_hold_jobs());
        let runner = SubmissionGate::new_shared(runner);
        let workers = start_workers(runner.clone(), jobs)?;
        Ok(TestPool {
            runner,
            workers,
            results,
            max_tests: jobs.max(1),
            may_hold_jobs,
            last_job: 0,
        })
    }

    /// How many tests may run at a time.
    pub fn max_tests(&self) -> usize {
        self.max_tests
    }

    /// Whether a submitted job may wait for its turn: nobody here knows when its test begins then.
    pub fn may_hold_jobs(&self) -> bool {
        self.may_hold_jobs
    }

    /// Sets how many tests may run at a time.
    pub fn resize(&mut self, jobs: usize) -> std::io::Result<()> {
        lock_runner(&self.runner).resize(jobs)?;
        self.workers.grow_to(&self.runner, jobs)?;
        self.max_tests = jobs;
        Ok(())
    }

    /// The number of a new job.
    pub fn next_job_id(&mut self) -> JobId {
        self.last_job += 1;
        JobId(self.last_job)
    }

    /// Hands a candidate to the workers: the parser checks it, then it is tested if the task wants that.
    pub fn check_candidate(&self, task: CandidateTask) {
        // Cannot fail: the pool holds a receiver for workers to come. A worker reports its own panic.
        let _ = self.workers.tasks.send(task);
    }

    /// Hands files to the runner without a check.
    pub fn submit_test(&self, job: TestJob) {
        lock_runner(&self.runner).submit_job(job);
    }

    /// Cancels a job. Says whether it had been submitted.
    pub fn cancel_job(&self, id: JobId) -> bool {
        lock_runner(&self.runner).cancel_job(id)
    }

    /// Forgets a job that has ended. Returns what was submitted.
    pub fn forget_job(&self, id: JobId) -> Option<TestJob> {
        lock_runner(&self.runner).forget_job(id)
    }

    /// Sets the property that the runner tests for.
    pub fn set_property(&self, property: &FailureProperty) -> Result<(), PropertyError> {
        lock_runner(&self.runner).set_property(property)
    }

    /// Tells the runner that the test has changed.
    pub fn renew_test(&self) {
        lock_runner(&self.runner).renew_test();
    }

    /// What the parser says of candidates, as it comes.
    pub fn checked_candidates(&self) -> &Receiver<CheckedCandidate> {
        &self.workers.checked
    }

    /// The results of tests, as they come.
    pub fn test_results(&self) -> &Receiver<JobResult> {
        &self.results
    }

    /// Ends all tests. No test is submitted after that, and what the workers still do has no effect.
    pub fn shut_down(self) {
        let runner = lock_runner(&self.runner).close();
        self.workers.dismiss_all();
        drop(runner);
    }
}
