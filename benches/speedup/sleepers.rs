//! A runner whose tests sleep: they need no processor, so more of them run at a time than there are processors.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use lop::oracle::{JobId, JobResult, Runner, TestJob, TestOutcome, TestRun, Verdict};

/// What a test says after it has slept for this time.
#[derive(Clone, Copy)]
pub struct SleepingTest {
    pub verdict: Verdict,
    pub time: Duration,
}

/// Tests that sleep, with this number of workers.
pub struct Sleepers {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    send: Sender<JobResult>,
    answers: Receiver<JobResult>,
}

struct Shared {
    state: Mutex<State>,
    /// Rung when a job comes or is cancelled, and at the end.
    bell: Condvar,
}

#[derive(Default)]
struct State {
    queue: VecDeque<TestJob>,
    running: Vec<JobId>,
    closed: bool,
}

impl SleepingTest {
    fn outcome(self) -> TestOutcome {
        match self.verdict.into() {
            TestOutcome::Verdict(verdict, run) => {
                let time = self.time;
                TestOutcome::Verdict(verdict, TestRun { time, ..run })
            }
            other => other,
        }
    }
}

impl Sleepers {
    /// A runner whose tests this function computes from the program's text.
    pub fn new(
        workers: usize,
        says: impl Fn(&str) -> SleepingTest + Clone + Send + 'static,
    ) -> Sleepers {
        let (send, answers) = unbounded();
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            bell: Condvar::new(),
        });
        let start = |_| {
            let (shared, send, says) = (shared.clone(), send.clone(), says.clone());
            std::thread::spawn(move || shared.serve(&send, says))
        };
        Sleepers {
            threads: (0..workers).map(start).collect(),
            shared,
            send,
            answers,
        }
    }

    fn cancelled(&self, id: JobId) {
        let outcome = TestOutcome::Cancelled;
        let _ = self.send.send(JobResult::new(id, outcome));
    }
}

impl Shared {
    fn serve(&self, send: &Sender<JobResult>, says: impl Fn(&str) -> SleepingTest) {
        let mut state = self.state.lock().expect("unpoisoned");
        loop {
            let idle = |state: &mut State| state.queue.is_empty() && !state.closed;
            state = self.bell.wait_while(state, idle).expect("unpoisoned");
            let Some(job) = state.queue.pop_front().filter(|_| !state.closed) else {
                return;
            };
            state.running.push(job.id);
            let test = says(std::str::from_utf8(&job.files[0].1).expect("UTF-8"));
            let end = Instant::now() + test.time;
            while let Some(left) = end.checked_duration_since(Instant::now())
                && state.running.contains(&job.id)
            {
                state = self.bell.wait_timeout(state, left).expect("unpoisoned").0;
            }
            let ended = state.running.contains(&job.id);
            state.running.retain(|id| *id != job.id);
            drop(state);
            let outcome = match ended {
                false => TestOutcome::Cancelled,
                true => test.outcome(),
            };
            let _ = send.send(JobResult::new(job.id, outcome));
            state = self.state.lock().expect("unpoisoned");
        }
    }
}

impl Runner for Sleepers {
    fn submit(&mut self, job: TestJob) {
        self.shared
            .state
            .lock()
            .expect("unpoisoned")
            .queue
            .push_back(job);
        self.shared.bell.notify_all();
    }

    fn cancel(&mut self, id: JobId) {
        let mut state = self.shared.state.lock().expect("unpoisoned");
        if let Some(at) = state.queue.iter().position(|job| job.id == id) {
            state.queue.remove(at);
            self.cancelled(id);
        }
        state.running.retain(|running| *running != id);
        drop(state);
        self.shared.bell.notify_all();
    }

    fn result_receiver(&self) -> &Receiver<JobResult> {
        &self.answers
    }
}

impl Drop for Sleepers {
    fn drop(&mut self) {
        self.shared.state.lock().expect("unpoisoned").closed = true;
        self.shared.bell.notify_all();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}
