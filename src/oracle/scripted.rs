//! A runner without processes: a closure computes each result, and a script may decide when it arrives. For tests.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crossbeam_channel::{Receiver, Sender};

use super::{JobId, JobResult, Runner, TestJob, TestOutcome};

/// Computes the outcome of each job by a closure over its files: at once, or on release while the [`RunnerScript`] holds jobs.
#[derive(Debug)]
pub struct ScriptedRunner {
    script: RunnerScript,
    results: Receiver<JobResult>,
}

impl ScriptedRunner {
    /// A runner with this closure.
    pub fn new(
        outcome_fn: impl Fn(&[(PathBuf, Arc<[u8]>)]) -> TestOutcome + Send + Sync + 'static,
    ) -> ScriptedRunner {
        let (results_out, results) = crossbeam_channel::unbounded();
        let shared = ScriptedRunnerShared {
            outcome_fn: Box::new(outcome_fn),
            results: results_out,
            state: Mutex::default(),
            submitted: Condvar::new(),
        };
        ScriptedRunner {
            script: RunnerScript {
                shared: Arc::new(shared),
            },
            results,
        }
    }

    /// The handle that decides when results arrive, also after the runner was moved.
    pub fn script_handle(&self) -> RunnerScript {
        self.script.clone()
    }
}

impl Runner for ScriptedRunner {
    fn submit(&mut self, job: TestJob) {
        let shared = &self.script.shared;
        let mut state = shared.lock_state();
        state.submitted.push(job.id);
        if state.is_holding {
            state.held.push(job);
        } else {
            shared.complete_job(&job);
        }
        shared.submitted.notify_all();
    }

    fn cancel(&mut self, id: JobId) {
        let shared = &self.script.shared;
        if shared.lock_state().take_held(id).is_some() {
            shared.send_result(id, TestOutcome::Cancelled);
        }
    }

    fn result_receiver(&self) -> &Receiver<JobResult> {
        &self.results
    }
}

/// Decides when the results of a [`ScriptedRunner`] arrive. Clones control the same runner.
#[derive(Clone, Debug)]
pub struct RunnerScript {
    shared: Arc<ScriptedRunnerShared>,
}

impl RunnerScript {
    /// Holds all further jobs until their release.
    pub fn hold_jobs(&self) {
        self.shared.lock_state().is_holding = true;
    }

    /// Sends the result of a held job. Returns whether the job was held.
    pub fn release_job(&self, id: JobId) -> bool {
        let job = self.shared.lock_state().take_held(id);
        job.inspect(|job| self.shared.complete_job(job)).is_some()
    }

    /// Sends the results of all held jobs in the order of their submission, and holds no further ones.
    pub fn release_all_jobs(&self) {
        let mut state = self.shared.lock_state();
        state.is_holding = false;
        for job in std::mem::take(&mut state.held) {
            self.shared.complete_job(&job);
        }
    }

    /// Waits until at least this number of jobs is held, and returns them in the order of their submission.
    pub fn wait_for_held(&self, jobs: usize) -> Vec<JobId> {
        let mut state = self.shared.lock_state();
        while state.held.len() < jobs {
            state = self
                .shared
                .submitted
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        state.held.iter().map(|job| job.id).collect()
    }

    /// All jobs that were submitted, in their order.
    pub fn submitted_jobs(&self) -> Vec<JobId> {
        self.shared.lock_state().submitted.clone()
    }
}

type OutcomeFn = dyn Fn(&[(PathBuf, Arc<[u8]>)]) -> TestOutcome + Send + Sync;

struct ScriptedRunnerShared {
    outcome_fn: Box<OutcomeFn>,
    results: Sender<JobResult>,
    state: Mutex<ScriptedRunnerState>,
    submitted: Condvar,
}

#[derive(Debug, Default)]
struct ScriptedRunnerState {
    is_holding: bool,
    held: Vec<TestJob>,
    submitted: Vec<JobId>,
}

impl ScriptedRunnerState {
    /// Takes a held job out.
    fn take_held(&mut self, id: JobId) -> Option<TestJob> {
        let at = self.held.iter().position(|job| job.id == id)?;
        Some(self.held.remove(at))
    }
}

impl ScriptedRunnerShared {
    fn complete_job(&self, job: &TestJob) {
        self.send_result(job.id, (self.outcome_fn)(&job.files));
    }

    fn send_result(&self, id: JobId, outcome: TestOutcome) {
        // The receiver may be gone.
        let _ = self.results.send(JobResult::new(id, outcome));
    }

    fn lock_state(&self) -> MutexGuard<'_, ScriptedRunnerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for ScriptedRunnerShared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{TimeLimits, Verdict};

    fn job(id: u64, text: &str) -> TestJob {
        TestJob {
            id: JobId(id),
            files: vec![(PathBuf::from("bug.c"), text.as_bytes().into())],
            limits: TimeLimits::default(),
            alone: false,
            fresh: false,
        }
    }

    fn runner() -> ScriptedRunner {
        ScriptedRunner::new(|files| {
            let bug = files[0].1.windows(3).any(|word| word == b"bug");
            if bug {
                Verdict::Interesting.into()
            } else {
                Verdict::Uninteresting.into()
            }
        })
    }

    fn next(runner: &ScriptedRunner) -> (u64, Option<Verdict>) {
        let result = runner.result_receiver().try_recv().expect("a result");
        (result.id.0, result.outcome.verdict())
    }

    #[test]
    fn results_come_at_once() {
        let mut runner = runner();
        runner.submit(job(1, "a bug"));
        runner.submit(job(2, "nothing"));
        assert_eq!(next(&runner), (1, Some(Verdict::Interesting)));
        assert_eq!(next(&runner), (2, Some(Verdict::Uninteresting)));
    }

    #[test]
    fn results_come_when_they_are_released() {
        let mut runner = runner();
        let script = runner.script_handle();
        script.hold_jobs();
        (1..=4).for_each(|id| runner.submit(job(id, "a bug")));
        assert_eq!(script.wait_for_held(4), [1, 2, 3, 4].map(JobId));
        assert!(runner.result_receiver().is_empty());
        assert!(script.release_job(JobId(3)));
        assert!(!script.release_job(JobId(3)), "only once");
        runner.cancel(JobId(1));
        runner.cancel(JobId(3));
        script.release_all_jobs();
        assert_eq!(next(&runner), (3, Some(Verdict::Interesting)));
        assert_eq!(next(&runner), (1, None));
        assert_eq!(next(&runner), (2, Some(Verdict::Interesting)));
        assert_eq!(next(&runner), (4, Some(Verdict::Interesting)));
        assert!(runner.result_receiver().is_empty());
        assert_eq!(script.submitted_jobs().len(), 4);
    }
}
