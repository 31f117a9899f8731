//! A runner without processes: a function of the program that uses lop says what is interesting.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::{
    JobId, JobResult, NoVerdict, Runner, TestFile, TestJob, TestOutcome, Verdict, catch_panic,
};

/// What a test is that is a function.
pub type TestFunction = dyn Fn(&[TestFile]) -> Verdict + Send + Sync;

/// Calls a function on threads of its own. A call cannot be killed: a cancelled job that runs comes to its end, and so the function must. When the runner
/// is dropped, it waits for the calls that run.
pub struct FunctionRunner {
    /// None once it is being dropped.
    jobs: Option<Sender<TestJob>>,
    results: Receiver<JobResult>,
    shared: Arc<FunctionRunnerShared>,
    threads: Vec<JoinHandle<()>>,
}

struct FunctionRunnerShared {
    function: Box<TestFunction>,
    /// Jobs that have not begun, and were not cancelled.
    waiting: Mutex<BTreeSet<JobId>>,
}

impl FunctionRunner {
    /// Calls the function on this number of threads, at least one.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn new(
        function: impl Fn(&[TestFile]) -> Verdict + Send + Sync + 'static,
        jobs: usize,
    ) -> io::Result<FunctionRunner> {
        let (jobs_out, jobs_in) = unbounded();
        let (results_out, results) = unbounded();
        let shared = Arc::new(FunctionRunnerShared {
            function: Box::new(function),
            waiting: Mutex::default(),
        });
        // Whole from the start, so that threads made before one that fails are ended by `drop`.
        let mut runner = FunctionRunner {
            jobs: Some(jobs_out),
            results,
            shared,
            threads: Vec::new(),
        };
        for _ in 0..jobs.max(1) {
            let (jobs, results) = (Receiver::clone(&jobs_in), results_out.clone());
            let shared = Arc::clone(&runner.shared);
            let thread = thread::Builder::new().name("lop-function".into());
            let thread = thread.spawn(move || {
                for job in jobs {
                    let outcome = shared.answer_job(&job);
                    // The receiver may be gone.
                    let _ = results.send(JobResult::new(job.id, outcome));
                }
            })?;
            runner.threads.push(thread);
        }
        Ok(runner)
    }
}

impl FunctionRunnerShared {
    fn lock_waiting(&self) -> MutexGuard<'_, BTreeSet<JobId>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer_job(&self, job: &TestJob) -> TestOutcome {
        if !self.lock_waiting().remove(&job.id) {
            return TestOutcome::Cancelled;
        }
        let start = Instant::now();
        match catch_panic(|| (self.function)(&job.files)) {
            Ok(verdict) => {
                let mut outcome = TestOutcome::from(verdict);
                if let TestOutcome::Verdict(_, run) = &mut outcome {
                    run.time = start.elapsed();
                }
                outcome
            }
            Err(message) => TestOutcome::NoVerdict(NoVerdict::FunctionPanicked { message }),
        }
    }
}

impl Runner for FunctionRunner {
    fn submit(&mut self, job: TestJob) {
        if let Some(jobs) = &self.jobs {
            self.shared.lock_waiting().insert(job.id);
            // The threads live as long as the sender.
            let _ = jobs.send(job);
        }
    }

    fn cancel(&mut self, id: JobId) {
        self.shared.lock_waiting().remove(&id);
    }

    fn result_receiver(&self) -> &Receiver<JobResult> {
        &self.results
    }
}

impl Drop for FunctionRunner {
    fn drop(&mut self) {
        // What waits need not begin.
        self.shared.lock_waiting().clear();
        self.jobs = None;
        for thread in self.threads.drain(..) {
            // A panic of the function is caught.
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for FunctionRunner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FunctionRunner")
            .field("threads", &self.threads.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::oracle::TimeLimits;

    fn job(id: u64, text: &str) -> TestJob {
        TestJob {
            id: JobId(id),
            files: vec![(PathBuf::from("bug.c"), text.as_bytes().into())],
            limits: TimeLimits::default(),
            alone: false,
            fresh: false,
        }
    }

    #[test]
    fn every_job_has_one_result_whatever_the_function_does() {
        let function = |files: &[TestFile]| match &*files[0].1 {
            b"yes" => Verdict::Interesting,
            b"no" => Verdict::Uninteresting,
            _ => std::panic::panic_any("a fault"),
        };
        let mut runner = FunctionRunner::new(function, 2).expect("a runner");
        let texts = ["yes", "no", "fault", "yes"];
        for (id, text) in texts.iter().enumerate() {
            runner.submit(job(id as u64, text));
        }
        let mut results: Vec<JobResult> = runner.results.iter().take(texts.len()).collect();
        results.sort_by_key(|result| result.id);
        let said: Vec<Option<Verdict>> = results
            .iter()
            .map(|result| result.outcome.verdict())
            .collect();
        let yes = Some(Verdict::Interesting);
        assert_eq!(said, [yes, Some(Verdict::Uninteresting), None, yes]);
        assert!(matches!(
            &results[2].outcome,
            TestOutcome::NoVerdict(NoVerdict::FunctionPanicked { message }) if message == "a fault"
        ));
    }

    #[test]
    fn what_is_cancelled_before_it_begins_is_not_called() {
        let (go, wait) = unbounded::<()>();
        let function = move |files: &[TestFile]| {
            assert_ne!(*files[0].1, *b"never");
            let _ = wait.recv();
            Verdict::Interesting
        };
        let mut runner = FunctionRunner::new(function, 1).expect("a runner");
        runner.submit(job(1, "first"));
        runner.submit(job(2, "never"));
        runner.cancel(JobId(2));
        go.send(()).expect("it waits");
        let results: Vec<JobResult> = runner.results.iter().take(2).collect();
        assert!(matches!(results[1].outcome, TestOutcome::Cancelled));
    }
}
