//! One runner for several clients, each of which sees a runner of its own: no files are tested twice, and jobs pass in rounds or freely.
//!
//! ```text
//!   client 0 ──▶ ClientRunner ─┐                 ┌─▶ held until all clients ask
//!   client 1 ──▶ ClientRunner ─┼─▶ JobAdmission ─┼─▶ known, or under way: no test
//!   client 2 ──▶ ClientRunner ─┘                 └─▶ the runner
//! ```

mod admission;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, unbounded};

use self::admission::{JobAdmission, RunnerAction};
use super::{JobId, JobResult, Runner, TestJob};

pub use self::admission::{ClientState, ClientTally, RunnerPace};

/// A runner with several clients. Dropping it ends all tests.
pub struct MultiRunner {
    shared: Arc<Mutex<MultiRunnerState>>,
    thread: Option<JoinHandle<()>>,
}

struct MultiRunnerState {
    admission: JobAdmission,
    /// None when all is over.
    runner: Option<Box<dyn Runner>>,
    /// Where the results of each client go.
    results: Vec<Sender<JobResult>>,
    /// Rung when the state of a client may have changed.
    bell: Sender<()>,
}

/// The runner that a client sees. Dropping it tells the others not to wait for this client.
pub struct ClientRunner {
    client: usize,
    shared: Arc<Mutex<MultiRunnerState>>,
    results: Receiver<JobResult>,
}

impl MultiRunner {
    /// A runner for each of so many clients. Their jobs wait until they are permitted. The bell rings when a client's state may have changed.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        runner: impl Runner + 'static,
        clients: usize,
        bell: Sender<()>,
    ) -> io::Result<(MultiRunner, Vec<ClientRunner>)> {
        let answers = runner.result_receiver().clone();
        let (results, receivers): (Vec<_>, Vec<_>) = (0..clients).map(|_| unbounded()).unzip();
        let shared = Arc::new(Mutex::new(MultiRunnerState {
            admission: JobAdmission::new(clients),
            runner: Some(Box::new(runner)),
            results,
            bell,
        }));
        let forwarded = shared.clone();
        let forward = move || {
            // The runner has the sender; it is dropped when all is over.
            for answer in answers {
                with_admission(&forwarded, |admission, now| {
                    admission.take_result(answer, now);
                });
            }
        };
        let thread = thread::Builder::new().name("results".into());
        let thread = thread.spawn(forward)?;
        let of_client = |(client, results)| ClientRunner {
            client,
            shared: shared.clone(),
            results,
        };
        let clients = receivers.into_iter().enumerate().map(of_client).collect();
        let runner = MultiRunner {
            shared,
            thread: Some(thread),
        };
        Ok((runner, clients))
    }

    /// Lets jobs pass from now on, or only those that [`MultiRunner::permit_round`] permits.
    pub fn set_open(&self, is_open: bool) {
        with_admission(&self.shared, |admission, now| {
            admission.set_open(is_open, now);
        });
    }

    /// Sets how jobs pass.
    pub fn set_pace(&self, pace: RunnerPace) {
        with_admission(&self.shared, |admission, now| admission.set_pace(pace, now));
    }

    /// Lets one job of each client pass, once all have one.
    pub fn permit_round(&self) {
        with_admission(&self.shared, JobAdmission::permit_round);
    }

    /// How many rounds are permitted that have not begun.
    pub fn permitted_rounds(&self) -> u64 {
        lock_state(&self.shared).admission.permitted_rounds()
    }

    /// What each client waits for.
    pub fn client_states(&self) -> Vec<ClientState> {
        lock_state(&self.shared).admission.client_states()
    }

    /// What the jobs of each client came to.
    pub fn client_tallies(&self) -> Vec<ClientTally> {
        lock_state(&self.shared).admission.client_tallies()
    }
}

impl Drop for MultiRunner {
    fn drop(&mut self) {
        with_admission(&self.shared, JobAdmission::cancel_all);
        let runner = lock_state(&self.shared).runner.take();
        // It ends its tests, for which its threads may need a while; results go nowhere meanwhile.
        drop(runner);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Changes the state, and does what follows from that. Nothing of it waits.
fn with_admission(
    shared: &Mutex<MultiRunnerState>,
    change: impl FnOnce(&mut JobAdmission, Instant),
) {
    let mut state = lock_state(shared);
    change(&mut state.admission, Instant::now());
    for action in state.admission.take_actions() {
        match action {
            RunnerAction::Submit(job) => {
                if let Some(runner) = &mut state.runner {
                    runner.submit(job);
                }
            }
            RunnerAction::Cancel(id) => {
                if let Some(runner) = &mut state.runner {
                    runner.cancel(id);
                }
            }
            RunnerAction::Answer(client, result) => {
                // The client may be gone.
                let _ = state.results[client].send(result);
            }
        }
    }
    // A bell that rings already rings.
    let _ = state.bell.try_send(());
}

/// The state, locked. It is whole after every change, so a panic elsewhere does not spoil it.
fn lock_state(shared: &Mutex<MultiRunnerState>) -> MutexGuard<'_, MultiRunnerState> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Runner for ClientRunner {
    fn submit(&mut self, job: TestJob) {
        with_admission(&self.shared, |admission, now| {
            admission.submit_job(self.client, job, now);
        });
    }

    fn cancel(&mut self, id: JobId) {
        with_admission(&self.shared, |admission, now| {
            admission.cancel_job(self.client, id, now);
        });
    }

    fn result_receiver(&self) -> &Receiver<JobResult> {
        &self.results
    }
}

impl Drop for ClientRunner {
    fn drop(&mut self) {
        with_admission(&self.shared, |admission, now| {
            admission.leave(self.client, now);
        });
    }
}
