//! The runner that runs tests as processes on this machine.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender};

use super::helper::{Fence, Helper, Start};
use super::process;
use super::watch::Bell;
use super::{
    Answer, Care, Containment, Holder, Job, JobId, NoVerdict, Outcome, Property, PropertyError,
    Quotas, Runner, Scratch, Test, caught, system,
};

/// Helpers for so many tests at a time, how they are started, and who holds the tests together: without helpers their process group.
///
/// # Errors
/// When the sandbox that is wanted cannot be made.
pub(super) fn helpers(
    care: &Care,
    test: &Test,
    scratch: &Scratch,
    jobs: usize,
) -> io::Result<(Option<Start>, Vec<Helper>, Holder)> {
    let start = care.helper.clone().map(|program| Start {
        grouped: match care.cgroups {
            true => care.quotas,
            false => Quotas::default(),
        },
        fence: care.sandbox.then(|| Fence {
            scratch: scratch.clone(),
            seen: system::named(test, &[&program, scratch.root()]),
        }),
        program,
    });
    let (helpers, holder) = match start.as_ref().map(|start| start.helpers(jobs)) {
        Some(Err(error)) if care.sandbox => return Err(no_sandbox(&error)),
        None if care.sandbox => return Err(no_sandbox(&"there is no helper to make it")),
        None => (Vec::new(), Holder::Group(None)),
        Some(Err(error)) => (Vec::new(), Holder::Group(Some(error.to_string()))),
        Some(Ok(helpers)) if care.sandbox => (helpers, Holder::Sandbox),
        Some(Ok(helpers)) => (helpers, Holder::Helper),
    };
    Ok((start, helpers, holder))
}

/// Runs tests on threads of its own, one test a thread, each in a helper's care where there can be one. When it is dropped, tests that
/// run are killed and their directories removed before the drop returns.
#[derive(Debug)]
pub struct LocalRunner {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    answers: Receiver<Answer>,
    send: Sender<Answer>,
    containment: Containment,
    helper: Option<Start>,
}

/// What the threads know.
#[derive(Debug)]
struct Shared {
    test: Mutex<Test>,
    scratch: Scratch,
    care: Care,
    state: Mutex<State>,
    /// Rung when there is work, or never will be again.
    work: Condvar,
}

#[derive(Debug)]
struct State {
    queue: VecDeque<Job>,
    /// What each thread runs.
    running: Vec<Option<JobId>>,
    /// One for each thread: stops the test that it runs.
    bells: Vec<Arc<Bell>>,
    /// How many may run at a time.
    most: usize,
    /// The job that runs wants nothing beside it.
    alone: bool,
    closed: bool,
}

impl LocalRunner {
    /// A runner that runs `jobs` tests at a time, at least one. Fails if the system gives no threads or descriptors, or no sandbox and
    /// one is wanted.
    ///
    /// Without a helper, or where it is no help, tests are children of this process; [`LocalRunner::containment`] tells.
    pub fn new(
        test: Test,
        scratch: Scratch,
        jobs: usize,
        care: impl Into<Care>,
    ) -> io::Result<LocalRunner> {
        let (jobs, care) = (jobs.max(1), care.into());
        let (start, helpers, holder) = helpers(&care, &test, &scratch, jobs)?;
        let containment = Containment {
            held: helpers.first().map(Helper::held).unwrap_or_default(),
            quotas: care.quotas,
            holder,
        };
        let shared = Arc::new(Shared::new(test, scratch, jobs, care));
        let (send, answers) = crossbeam_channel::unbounded();
        // Whole from the start, so that threads made before one that fails are ended by `drop`.
        let mut runner = LocalRunner {
            shared,
            threads: Vec::with_capacity(jobs),
            answers,
            send,
            helper: start.filter(|_| !helpers.is_empty()),
            containment,
        };
        runner.hire(jobs, helpers)?;
        Ok(runner)
    }

    /// So many threads more, each with the next of these helpers as long as there are any. A later one starts its own when it is first
    /// needed: whoever waits for us does not wait for that.
    fn hire(&mut self, more: usize, helpers: Vec<Helper>) -> io::Result<()> {
        let mut helpers = helpers.into_iter();
        for _ in 0..more {
            let bell = Arc::new(Bell::new()?);
            let number = {
                let mut state = self.shared.lock();
                state.running.push(None);
                state.bells.push(bell.clone());
                state.bells.len() - 1
            };
            let (shared, send) = (Arc::clone(&self.shared), self.send.clone());
            let later = || self.helper.as_ref().map(Start::helper);
            let mut helper = helpers.next().or_else(later);
            let run = move || {
                shared.serve(number, &send, |job| {
                    process::run(
                        &shared.test(),
                        &shared.scratch,
                        &job.files,
                        job.limits,
                        &shared.care,
                        helper.as_mut(),
                        Some(&bell),
                    )
                });
            };
            let thread = thread::Builder::new().name(format!("test {number}"));
            self.threads.push(thread.spawn(run)?);
        }
        Ok(())
    }

    /// How many tests run at a time.
    pub fn jobs(&self) -> usize {
        self.shared.lock().most
    }

    /// What holds a test together.
    pub fn containment(&self) -> &Containment {
        &self.containment
    }
}

impl Runner for LocalRunner {
    fn submit(&mut self, job: Job) {
        self.shared.lock().queue.push_back(job);
        self.shared.work.notify_one();
    }

    fn cancel(&mut self, id: JobId) {
        let mut state = self.shared.lock();
        if let Some(at) = state.queue.iter().position(|job| job.id == id) {
            state.queue.remove(at);
            // Others may have waited behind one that wanted to be alone.
            self.shared.work.notify_all();
            // We hold the receiver ourselves, so that sending cannot fail.
            let _ = self.send.send(Answer {
                id,
                outcome: Outcome::Cancelled,
            });
        } else if let Some(number) = state
            .running
            .iter()
            .position(|running| *running == Some(id))
        {
            state.bells[number].ring();
        }
    }

    fn resize(&mut self, jobs: usize) -> io::Result<()> {
        let jobs = jobs.max(1);
        self.hire(jobs.saturating_sub(self.threads.len()), Vec::new())?;
        self.shared.lock().most = jobs;
        self.shared.work.notify_all();
        Ok(())
    }

    fn look_for(&mut self, property: &Property) -> Result<(), PropertyError> {
        let other = self.shared.test().looking_for(property.clone())?;
        let mut test = self
            .shared
            .test
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *test = other;
        Ok(())
    }

    fn answers(&self) -> &Receiver<Answer> {
        &self.answers
    }
}

impl Drop for LocalRunner {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.closed = true;
        for (bell, _) in state
            .bells
            .iter()
            .zip(&state.running)
            .filter(|(_, running)| running.is_some())
        {
            bell.ring();
        }
        drop(state);
        self.shared.work.notify_all();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// What so many threads at a time need to know.
    fn new(test: Test, scratch: Scratch, jobs: usize, care: Care) -> Shared {
        let state = State {
            queue: VecDeque::new(),
            running: Vec::new(),
            bells: Vec::new(),
            most: jobs,
            alone: false,
            closed: false,
        };
        Shared {
            test: Mutex::new(test),
            scratch,
            care,
            state: Mutex::new(state),
            work: Condvar::new(),
        }
    }

    /// The life of a thread, which runs the test of each job so. A panic is an answer too.
    fn serve(&self, number: usize, answers: &Sender<Answer>, mut run: impl FnMut(&Job) -> Outcome) {
        while let Some(job) = self.next(number) {
            let outcome = caught(|| run(&job)).unwrap_or_else(|words| {
                let reason = format!("who runs the test panicked: {words}");
                Outcome::NoVerdict(NoVerdict::Fault { reason })
            });
            self.over(number);
            // Nobody listens any more: so be it.
            let _ = answers.send(Answer {
                id: job.id,
                outcome,
            });
        }
    }

    /// The test as it is now.
    fn test(&self) -> Test {
        let test = self.test.lock().unwrap_or_else(PoisonError::into_inner);
        test.clone()
    }

    /// The next job, as soon as it may begin; `None` when there will be none. A bell that rang for an earlier job is silenced under
    /// the lock, under which alone bells ring.
    fn next(&self, number: usize) -> Option<Job> {
        let mut state = self.lock();
        while !state.may_begin() && !state.closed {
            state = self
                .work
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if state.closed {
            return None;
        }
        let job = state.queue.pop_front()?;
        state.running[number] = Some(job.id);
        state.alone = job.alone;
        state.bells[number].silence();
        Some(job)
    }

    /// A job has ended.
    fn over(&self, number: usize) {
        let mut state = self.lock();
        state.running[number] = None;
        let was_alone = std::mem::take(&mut state.alone);
        let fewer = state.most < state.running.len();
        // Else whoever runs nothing is awake, or has nothing to wait for but a submission.
        if was_alone || fewer || state.queue.front().is_some_and(|job| job.alone) {
            self.work.notify_all();
        }
    }

    /// The state is whole after every statement under the lock, so that a panic elsewhere does not spoil it.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether the first job of the queue may begin. Nobody overtakes one that waits to be alone.
    fn may_begin(&self) -> bool {
        self.queue.front().is_some_and(|job| {
            let running = self.running.iter().flatten().count();
            running < self.most && !self.alone && (!job.alone || running == 0)
        })
    }
}

/// For the user, who has asked for one.
fn no_sandbox(reason: &dyn std::fmt::Display) -> io::Error {
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
    use crate::oracle::{Limits, Verdict};

    #[test]
    fn a_thread_that_panics_answers_and_goes_on() {
        let scratch = Scratch::choose(None, 0, 1).expect("a scratch directory");
        let shared = Shared::new(Test::unjudged(Vec::new()), scratch, 1, Care::default());
        let bell = Arc::new(Bell::new().expect("a bell"));
        let queue = [1, 2].map(|id| Job {
            id: JobId(id),
            files: Vec::new(),
            limits: Limits::default(),
            alone: true,
        });
        {
            let mut state = shared.lock();
            (state.running, state.bells) = (vec![None], vec![bell]);
            state.queue.extend(queue);
        }
        let (send, answers) = crossbeam_channel::unbounded();
        let next = || answers.recv_timeout(Duration::from_secs(60));
        thread::scope(|scope| {
            scope.spawn(|| {
                shared.serve(0, &send, |job| match job.id {
                    JobId(1) => panic!("of the first"),
                    _ => Verdict::Boring.into(),
                });
            });
            let (first, second) = (next(), next());
            shared.lock().closed = true;
            shared.work.notify_all();
            let first = first.expect("an answer").outcome;
            let Outcome::NoVerdict(NoVerdict::Fault { reason }) = first else {
                panic!("{first:?}");
            };
            assert!(reason.ends_with("panicked: of the first"), "{reason}");
            let second = second.expect("another").outcome;
            assert_eq!(second.verdict(), Some(Verdict::Boring));
        });
    }
}
