//! The runner that runs tests as processes on this machine.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender};

use super::process;
use super::watch::Bell;
use super::{Answer, Job, JobId, Outcome, Runner, Scratch, Test};

/// Runs tests on threads of its own, one test a thread. When it is dropped, tests that run are killed and their directories removed
/// before the drop returns.
#[derive(Debug)]
pub struct LocalRunner {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    answers: Receiver<Answer>,
    send: Sender<Answer>,
}

/// What the threads know.
#[derive(Debug)]
struct Shared {
    test: Test,
    scratch: Scratch,
    state: Mutex<State>,
    /// Rung when there is work, or never will be again.
    work: Condvar,
    /// One for each thread: stops the test that it runs.
    bells: Vec<Bell>,
}

#[derive(Debug)]
struct State {
    queue: VecDeque<Job>,
    /// What each thread runs.
    running: Vec<Option<JobId>>,
    closed: bool,
}

impl LocalRunner {
    /// A runner that runs `jobs` tests at a time, at least one. Fails if the system gives no threads or descriptors.
    pub fn new(test: Test, scratch: Scratch, jobs: usize) -> io::Result<LocalRunner> {
        let jobs = jobs.max(1);
        let bells = (0..jobs).map(|_| Bell::new()).collect::<io::Result<_>>()?;
        let state = Mutex::new(State {
            queue: VecDeque::new(),
            running: vec![None; jobs],
            closed: false,
        });
        let shared = Arc::new(Shared {
            test,
            scratch,
            state,
            work: Condvar::new(),
            bells,
        });
        let (send, answers) = crossbeam_channel::unbounded();
        // Whole from the start, so that threads made before one that fails are ended by `drop`.
        let mut runner = LocalRunner {
            shared,
            threads: Vec::with_capacity(jobs),
            answers,
            send,
        };
        for number in 0..jobs {
            let (shared, send) = (Arc::clone(&runner.shared), runner.send.clone());
            let thread = thread::Builder::new()
                .name(format!("test {number}"))
                .spawn(move || shared.serve(number, &send))?;
            runner.threads.push(thread);
        }
        Ok(runner)
    }

    /// How many tests run at a time.
    pub fn jobs(&self) -> usize {
        self.threads.len()
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
            self.shared.bells[number].ring();
        }
    }

    fn answers(&self) -> &Receiver<Answer> {
        &self.answers
    }
}

impl Drop for LocalRunner {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.closed = true;
        for (bell, _) in self
            .shared
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
    /// The life of a thread.
    fn serve(&self, number: usize, answers: &Sender<Answer>) {
        while let Some(job) = self.next(number) {
            let outcome = process::run(
                &self.test,
                &self.scratch,
                &job.files,
                job.limit,
                Some(&self.bells[number]),
            );
            self.lock().running[number] = None;
            // Nobody listens any more: so be it.
            let _ = answers.send(Answer {
                id: job.id,
                outcome,
            });
        }
    }

    /// The next job, as soon as there is one; `None` when there will be none. A bell that rang for an earlier job is silenced under
    /// the lock, under which alone bells ring.
    fn next(&self, number: usize) -> Option<Job> {
        let mut state = self.lock();
        while state.queue.is_empty() && !state.closed {
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
        self.bells[number].silence();
        Some(job)
    }

    /// The state is whole after every statement under the lock, so that a panic elsewhere does not spoil it.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
