//! The runner that runs tests as processes on this machine.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender};

use super::helper::{HelperConfig, SandboxConfig, TestHelper};
use super::server_seat::ServerSeat;
use super::setting::TestSetting;
use super::test_parts::PartedTest;
use super::wait::CancelSignal;
use super::{
    ContainmentKind, FailureProperty, InterestingnessTest, JobId, JobResult, NoVerdict,
    PropertyError, ResourceQuotas, Runner, ScratchSpace, TestContainment, TestIsolation, TestJob,
    TestOutcome, catch_panic, system,
};

/// Helpers for so many tests at a time, how they are started, and who holds the tests together: without helpers their process group.
///
/// # Errors
/// When the sandbox that is wanted cannot be made.
pub(super) fn prepare_helpers(
    isolation: &TestIsolation,
    test: &InterestingnessTest,
    scratch: &ScratchSpace,
    jobs: usize,
) -> io::Result<(Option<HelperConfig>, Vec<TestHelper>, ContainmentKind)> {
    let start = isolation.helper.clone().map(|program| HelperConfig {
        cgroup_quotas: match isolation.cgroups {
            true => isolation.quotas,
            false => ResourceQuotas::default(),
        },
        sandbox: isolation.sandbox.then(|| SandboxConfig {
            scratch: scratch.clone(),
            visible_paths: system::visible_paths(test, &[&program, scratch.root_path()]),
        }),
        program,
    });
    let (helpers, holder) = match start
        .as_ref()
        .map(|start| start.start_helpers(isolation.spare.take_helper(start), jobs))
    {
        Some(Err(error)) if isolation.sandbox => return Err(no_sandbox_error(&error)),
        None if isolation.sandbox => {
            return Err(no_sandbox_error(&"there is no helper to make it"));
        }
        None => (Vec::new(), ContainmentKind::ProcessGroup(None)),
        Some(Err(error)) => (
            Vec::new(),
            ContainmentKind::ProcessGroup(Some(error.to_string())),
        ),
        Some(Ok(helpers)) if isolation.sandbox => (helpers, ContainmentKind::Sandbox),
        Some(Ok(helpers)) => (helpers, ContainmentKind::Helper),
    };
    Ok((start, helpers, holder))
}

/// Runs tests on threads of its own: one test per thread, in a helper where one is available. Dropping it kills the running tests and
/// removes their directories before it returns.
#[derive(Debug)]
pub struct LocalRunner {
    shared: Arc<LocalRunnerShared>,
    threads: Vec<JoinHandle<()>>,
    results: Receiver<JobResult>,
    sender: Sender<JobResult>,
    containment: TestContainment,
    helper_config: Option<HelperConfig>,
}

/// What the threads know.
#[derive(Debug)]
struct LocalRunnerShared {
    test: Mutex<PartedTest>,
    scratch: ScratchSpace,
    isolation: TestIsolation,
    state: Mutex<LocalRunnerState>,
    /// Rung when there is work, or never will be again.
    job_available: Condvar,
}

#[derive(Debug)]
struct LocalRunnerState {
    queue: VecDeque<TestJob>,
    /// What each thread runs.
    running: Vec<Option<JobId>>,
    /// One for each thread: stops the test that it runs.
    cancel_signals: Vec<Arc<CancelSignal>>,
    /// How many may run at a time.
    max_jobs: usize,
    /// The job that runs wants nothing beside it.
    exclusive: bool,
    closed: bool,
}

impl LocalRunner {
    /// A runner that runs `jobs` tests at a time, at least one. Fails if the system gives no threads or descriptors, or no sandbox and
    /// one is wanted.
    ///
    /// Without a helper, or where it is no help, tests are children of this process; [`LocalRunner::containment`] tells.
    pub fn new(
        test: InterestingnessTest,
        scratch: ScratchSpace,
        jobs: usize,
        isolation: impl Into<TestIsolation>,
    ) -> io::Result<LocalRunner> {
        let (jobs, isolation) = (jobs.max(1), isolation.into());
        let (start, helpers, holder) = prepare_helpers(&isolation, &test, &scratch, jobs)?;
        let containment = TestContainment {
            cgroup_limits: helpers
                .first()
                .map(TestHelper::cgroup_limits)
                .unwrap_or_default(),
            quotas: isolation.quotas,
            kind: holder,
        };
        let shared = Arc::new(LocalRunnerShared::new(test, scratch, jobs, isolation));
        let (send, answers) = crossbeam_channel::unbounded();
        // Whole from the start, so that threads made before one that fails are ended by `drop`.
        let mut runner = LocalRunner {
            shared,
            threads: Vec::with_capacity(jobs),
            results: answers,
            sender: send,
            helper_config: start.filter(|_| !helpers.is_empty()),
            containment,
        };
        runner.spawn_workers(jobs, helpers)?;
        Ok(runner)
    }

    /// So many threads more, each with the next of these helpers as long as there are any. A later one starts its own when it is first
    /// needed: whoever waits for us does not wait for that.
    fn spawn_workers(&mut self, more: usize, helpers: Vec<TestHelper>) -> io::Result<()> {
        let mut helpers = helpers.into_iter();
        for _ in 0..more {
            let cancel_signal = Arc::new(CancelSignal::new()?);
            let number = {
                let mut state = self.shared.lock_state();
                state.running.push(None);
                state.cancel_signals.push(cancel_signal.clone());
                state.cancel_signals.len() - 1
            };
            let (shared, send) = (Arc::clone(&self.shared), self.sender.clone());
            let later = || self.helper_config.as_ref().map(HelperConfig::new_helper);
            let mut helper = helpers.next().or_else(later);
            let is_served = self.shared.current_test().test.is_served();
            let mut server = later().filter(|_| is_served).map(ServerSeat::new);
            let run = move || {
                shared.run_worker(number, &send, |job| {
                    let test = shared.current_test();
                    let wants_fresh_process = job.fresh || job.alone;
                    let mut setting = TestSetting {
                        scratch: &shared.scratch,
                        isolation: &shared.isolation,
                        helper: helper.as_mut(),
                        cancel_signal: Some(&cancel_signal),
                        server: server.as_mut().filter(|_| !wants_fresh_process),
                        notice: None,
                        is_unconfirmed: false,
                    };
                    let done = test.run(&mut setting, &job.files, job.limits, job.fresh);
                    JobResult {
                        id: job.id,
                        outcome: done.outcome,
                        tests_by_document: done.tests_by_document,
                        notice: setting.notice,
                        is_unconfirmed: setting.is_unconfirmed,
                    }
                });
            };
            let thread = thread::Builder::new().name(format!("test {number}"));
            self.threads.push(thread.spawn(run)?);
        }
        Ok(())
    }

    /// How many tests run at a time.
    pub fn max_jobs(&self) -> usize {
        self.shared.lock_state().max_jobs
    }

    /// What holds a test together.
    pub fn containment(&self) -> &TestContainment {
        &self.containment
    }
}

impl Runner for LocalRunner {
    fn submit(&mut self, job: TestJob) {
        self.shared.lock_state().queue.push_back(job);
        self.shared.job_available.notify_one();
    }

    fn cancel(&mut self, id: JobId) {
        let mut state = self.shared.lock_state();
        if let Some(at) = state.queue.iter().position(|job| job.id == id) {
            state.queue.remove(at);
            // Others may have waited behind one that wanted to be alone.
            self.shared.job_available.notify_all();
            // We hold the receiver ourselves, so that sending cannot fail.
            let _ = self.sender.send(JobResult::new(id, TestOutcome::Cancelled));
        } else if let Some(number) = state
            .running
            .iter()
            .position(|running| *running == Some(id))
        {
            state.cancel_signals[number].send_cancel();
        }
    }

    fn set_max_jobs(&mut self, jobs: usize) -> io::Result<()> {
        let jobs = jobs.max(1);
        self.spawn_workers(jobs.saturating_sub(self.threads.len()), Vec::new())?;
        self.shared.lock_state().max_jobs = jobs;
        self.shared.job_available.notify_all();
        Ok(())
    }

    fn set_property(&mut self, property: &FailureProperty) -> Result<(), PropertyError> {
        let other = self.shared.current_test().with_property(property.clone())?;
        let mut test = self
            .shared
            .test
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *test = other;
        Ok(())
    }

    fn renew_test(&mut self) {
        self.shared.current_test().test.servers().renew_servers();
    }

    fn result_receiver(&self) -> &Receiver<JobResult> {
        &self.results
    }
}

impl Drop for LocalRunner {
    fn drop(&mut self) {
        let mut state = self.shared.lock_state();
        state.closed = true;
        for (cancel_signal, _) in state
            .cancel_signals
            .iter()
            .zip(&state.running)
            .filter(|(_, running)| running.is_some())
        {
            cancel_signal.send_cancel();
        }
        drop(state);
        self.shared.job_available.notify_all();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl LocalRunnerShared {
    /// What so many threads at a time need to know.
    fn new(
        test: InterestingnessTest,
        scratch: ScratchSpace,
        jobs: usize,
        isolation: TestIsolation,
    ) -> LocalRunnerShared {
        let state = LocalRunnerState {
            queue: VecDeque::new(),
            running: Vec::new(),
            cancel_signals: Vec::new(),
            max_jobs: jobs,
            exclusive: false,
            closed: false,
        };
        LocalRunnerShared {
            test: Mutex::new(PartedTest::new(test)),
            scratch,
            isolation,
            state: Mutex::new(state),
            job_available: Condvar::new(),
        }
    }

    /// The life of a thread, which runs the test of each job so. A panic is an answer too.
    fn run_worker(
        &self,
        number: usize,
        answers: &Sender<JobResult>,
        mut run: impl FnMut(&TestJob) -> JobResult,
    ) {
        while let Some(job) = self.next_job(number) {
            let done = catch_panic(|| run(&job)).unwrap_or_else(|words| {
                let reason = format!("who runs the test panicked: {words}");
                let outcome = TestOutcome::NoVerdict(NoVerdict::InternalError { reason });
                JobResult::new(job.id, outcome)
            });
            self.finish_job(number);
            // Nobody listens any more: so be it.
            let _ = answers.send(done);
        }
    }

    /// The test as it is now.
    fn current_test(&self) -> PartedTest {
        let test = self.test.lock().unwrap_or_else(PoisonError::into_inner);
        test.clone()
    }

    /// Waits for the next job that may begin; none if the runner is closed. This clears a signal that was sent for an earlier job. Signals
    /// are sent and cleared only under this lock.
    fn next_job(&self, number: usize) -> Option<TestJob> {
        let mut state = self.lock_state();
        while !state.can_start_next() && !state.closed {
            state = self
                .job_available
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if state.closed {
            return None;
        }
        let job = state.queue.pop_front()?;
        state.running[number] = Some(job.id);
        state.exclusive = job.alone;
        state.cancel_signals[number].clear_pending();
        Some(job)
    }

    /// A job has ended.
    fn finish_job(&self, number: usize) {
        let mut state = self.lock_state();
        state.running[number] = None;
        let was_alone = std::mem::take(&mut state.exclusive);
        let fewer = state.max_jobs < state.running.len();
        // Else whoever runs nothing is awake, or has nothing to wait for but a submission.
        if was_alone || fewer || state.queue.front().is_some_and(|job| job.alone) {
            self.job_available.notify_all();
        }
    }

    /// The state is whole after every statement under the lock, so that a panic elsewhere does not spoil it.
    fn lock_state(&self) -> MutexGuard<'_, LocalRunnerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LocalRunnerState {
    /// Whether the first job of the queue may begin. Nobody overtakes one that waits to be alone.
    fn can_start_next(&self) -> bool {
        self.queue.front().is_some_and(|job| {
            let running = self.running.iter().flatten().count();
            running < self.max_jobs && !self.exclusive && (!job.alone || running == 0)
        })
    }
}

/// For the user, who has asked for one.
fn no_sandbox_error(reason: &dyn std::fmt::Display) -> io::Error {
    io::Error::other(format!(
        "no sandbox can be made here: {reason}. What to try: let users make namespaces (sysctl kernel.unprivileged_userns_clone=1, \
         kernel.apparmor_restrict_unprivileged_userns=0, user.max_user_namespaces above 0); run lop outside of this container; or go \
         without --sandbox"
    ))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::oracle::{TimeLimits, Verdict};

    #[test]
    fn a_thread_that_panics_answers_and_goes_on() {
        let scratch = ScratchSpace::choose_base(None, 0, 1).expect("a scratch directory");
        let shared = LocalRunnerShared::new(
            InterestingnessTest::without_property(Vec::new()),
            scratch,
            1,
            TestIsolation::default(),
        );
        let cancel_signal = Arc::new(CancelSignal::new().expect("a cancel_signal"));
        let queue = [1, 2].map(|id| TestJob {
            id: JobId(id),
            files: Vec::new(),
            limits: TimeLimits::default(),
            alone: true,
            fresh: false,
        });
        {
            let mut state = shared.lock_state();
            (state.running, state.cancel_signals) = (vec![None], vec![cancel_signal]);
            state.queue.extend(queue);
        }
        let (send, answers) = crossbeam_channel::unbounded();
        let next = || answers.recv_timeout(Duration::from_secs(60));
        thread::scope(|scope| {
            scope.spawn(|| {
                shared.run_worker(0, &send, |job| match job.id {
                    JobId(1) => panic!("of the first"),
                    id => JobResult::new(id, Verdict::Uninteresting.into()),
                });
            });
            let (first, second) = (next(), next());
            shared.lock_state().closed = true;
            shared.job_available.notify_all();
            let first = first.expect("an answer").outcome;
            let TestOutcome::NoVerdict(NoVerdict::InternalError { reason }) = first else {
                panic!("{first:?}");
            };
            assert!(reason.ends_with("panicked: of the first"), "{reason}");
            let second = second.expect("another").outcome;
            assert_eq!(second.verdict(), Some(Verdict::Uninteresting));
        });
    }
}
