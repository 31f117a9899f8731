//! The runner that asks a farm. It has one thread, on which tokio runs a task for each test.
//!
//! A question that the farm does not answer has no verdict ([`NoVerdict::FarmFailed`]), which says nothing about the candidate.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tonic::Status;

use super::connection::FarmConnection;
use super::execution::{ActionTemplate, FarmExecutor, OperationState, find_obstacle};
use super::farm_options::{FarmError, FarmOptions};
use super::retry::is_refusal;
use super::sent_files::{SendError, SentFiles};
use crate::display::EscapeHidden;
use crate::oracle::{
    FailureProperty, FarmMonitor, InterestingnessTest, JobId, JobResult, NoVerdict, PropertyError,
    Runner, ScratchSpace, TestJob, TestOutcome,
};

/// How long the farm may take to hear that tests are cancelled when the run ends.
const FAREWELL: Duration = Duration::from_millis(1500);
/// How long a farm that was asked may take to say how it calls an action, if that is to be cancelled.
const NAME_PATIENCE: Duration = Duration::from_secs(1);
/// How much of the farm's words a notice has, in characters.
const LONGEST_REASON: usize = 500;

/// Runs tests on a farm, as many at a time as are submitted.
#[derive(Debug)]
pub struct FarmRunner {
    orders: mpsc::UnboundedSender<FarmOrder>,
    results: Receiver<JobResult>,
    test: Arc<Mutex<InterestingnessTest>>,
    /// What is sent with each action, on this machine.
    files: Vec<PathBuf>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
enum FarmOrder {
    Run(TestJob),
    Cancel(JobId),
    /// The files that are sent have changed: this is what they are now.
    Renew(Result<SentFiles, SendError>),
    Close,
}

impl FarmRunner {
    /// A runner of this test on the farm. Nothing is sent before the first job.
    ///
    /// # Errors
    /// When the test is of a kind that no action runs, a file cannot be sent, or an option says nothing.
    pub fn new(
        test: InterestingnessTest,
        options: &FarmOptions,
        scratch: ScratchSpace,
        monitor: FarmMonitor,
    ) -> Result<FarmRunner, FarmError> {
        if let Some(reason) = find_obstacle(&test) {
            return Err(FarmError::Test { reason });
        }
        let scripts = test.scripts().map(|script| script.path().to_path_buf());
        let files: Vec<_> = scripts.chain(options.files.iter().cloned()).collect();
        let template = ActionTemplate {
            sent: SentFiles::read(&files)?,
            word: make_word(),
            platform: ActionTemplate::make_platform(&options.platform),
            scratch,
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let connection = {
            let _entered = runtime.enter();
            FarmConnection::new(options)?
        };
        let executor = Arc::new(FarmExecutor::new(connection, template, monitor));
        let (orders, inbox) = mpsc::unbounded_channel();
        let (sender, results) = crossbeam_channel::unbounded();
        let test = Arc::new(Mutex::new(test));
        let current = Arc::clone(&test);
        let thread = std::thread::Builder::new().name("farm".into());
        let thread = thread.spawn(move || {
            runtime.block_on(follow_orders(inbox, executor, current, sender));
        })?;
        Ok(FarmRunner {
            orders,
            results,
            test,
            files,
            thread: Some(thread),
        })
    }

    fn send_order(&self, order: FarmOrder) {
        // The thread lives as long as we do.
        let _ = self.orders.send(order);
    }
}

impl Runner for FarmRunner {
    fn submit(&mut self, job: TestJob) {
        self.send_order(FarmOrder::Run(job));
    }

    fn cancel(&mut self, id: JobId) {
        self.send_order(FarmOrder::Cancel(id));
    }

    fn set_property(&mut self, property: &FailureProperty) -> Result<(), PropertyError> {
        let mut test = self.test.lock().unwrap_or_else(PoisonError::into_inner);
        *test = test.with_property(property.clone())?;
        Ok(())
    }

    fn renew_test(&mut self) {
        self.send_order(FarmOrder::Renew(SentFiles::read(&self.files)));
    }

    fn result_receiver(&self) -> &Receiver<JobResult> {
        &self.results
    }
}

impl Drop for FarmRunner {
    fn drop(&mut self) {
        self.send_order(FarmOrder::Close);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The life of the farm's thread.
async fn follow_orders(
    mut inbox: mpsc::UnboundedReceiver<FarmOrder>,
    mut executor: Arc<FarmExecutor>,
    test: Arc<Mutex<InterestingnessTest>>,
    results: Sender<JobResult>,
) {
    let mut running: HashMap<JobId, oneshot::Sender<()>> = HashMap::new();
    let mut tasks = JoinSet::new();
    // Why nothing can be sent.
    let mut obstacle: Option<NoVerdict> = None;
    loop {
        let order = tokio::select! {
            order = inbox.recv() => order.unwrap_or(FarmOrder::Close),
            Some(ended) = tasks.join_next() => {
                let _ = ended.map(|id| running.remove(&id));
                continue;
            }
        };
        match order {
            FarmOrder::Run(job) => {
                if let Some(obstacle) = obstacle.clone() {
                    let outcome = TestOutcome::NoVerdict(obstacle);
                    let _ = results.send(JobResult::new(job.id, outcome));
                    continue;
                }
                let (cancel, cancelled) = oneshot::channel();
                running.insert(job.id, cancel);
                let test = test.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let (executor, results) = (executor.clone(), results.clone());
                tasks.spawn(async move {
                    let outcome = run_job(&executor, &test, &job, cancelled).await;
                    let result = JobResult {
                        // The farm says so, and this machine does not.
                        is_unconfirmed: true,
                        ..JobResult::new(job.id, outcome)
                    };
                    // Nobody listens any more: so be it.
                    let _ = results.send(result);
                    job.id
                });
            }
            FarmOrder::Cancel(id) => {
                running.remove(&id).map(|cancel| cancel.send(()));
            }
            FarmOrder::Renew(sent) => {
                obstacle = sent.as_ref().err().map(|error| NoVerdict::FarmFailed {
                    reason: error.to_string(),
                    refuses: true,
                });
                if let Ok(sent) = sent {
                    executor = Arc::new(executor.with_files(sent, make_word()));
                }
            }
            FarmOrder::Close => break,
        }
    }
    for (_, cancel) in running {
        let _ = cancel.send(());
    }
    // Also those that were cancelled before: the farm may not have heard of it yet.
    let farewell = async { while tasks.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(FAREWELL, farewell).await;
}

/// Runs a test, or cancels it on the farm when that is wanted.
async fn run_job(
    executor: &FarmExecutor,
    test: &InterestingnessTest,
    job: &TestJob,
    cancelled: oneshot::Receiver<()>,
) -> TestOutcome {
    let (operation, mut state) = watch::channel(OperationState::default());
    let run = executor.run_test(test, job, &operation);
    tokio::pin!(run);
    let answer = tokio::select! {
        answer = &mut run => answer,
        _ = cancelled => {
            if *state.borrow() == OperationState::NotAsked {
                return TestOutcome::Cancelled;
            }
            let named = state.wait_for(|state| matches!(state, OperationState::Named(_)));
            let name = tokio::select! {
                // It has ended, and its verdict is as good as any.
                answer = &mut run => return to_outcome(answer),
                named = named => named.ok().map(|state| state.clone()),
                () = tokio::time::sleep(NAME_PATIENCE) => None,
            };
            if let Some(OperationState::Named(name)) = name {
                executor.cancel_operation(name).await;
            }
            return TestOutcome::Cancelled;
        }
    };
    to_outcome(answer)
}

fn to_outcome(answer: Result<TestOutcome, Status>) -> TestOutcome {
    answer.unwrap_or_else(|status| TestOutcome::NoVerdict(to_failure(&status)))
}

/// Why the farm gave no verdict.
fn to_failure(status: &Status) -> NoVerdict {
    NoVerdict::FarmFailed {
        reason: match status.message() {
            "" => status.code().description().to_owned(),
            message => shorten_reason(message).escape_hidden().to_string(),
        },
        refuses: is_refusal(status.code()),
    }
}

/// The beginning of what the farm says, which may be all that a worker printed.
fn shorten_reason(message: &str) -> Cow<'_, str> {
    match message.char_indices().nth(LONGEST_REASON) {
        Some((end, _)) => format!("{}…", &message[..end]).into(),
        None => message.into(),
    }
}

/// A word that no other run has: the standard library's own random numbers are in it.
fn make_word() -> String {
    let [first, second] = [0, 1].map(|number: u8| RandomState::new().hash_one(number));
    format!("lop-{first:016x}{second:016x}")
}
