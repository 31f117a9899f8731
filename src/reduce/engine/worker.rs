//! Workers: they print a candidate, let the parser confirm it, and hand it to the runner. The engine's thread does none of that.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crossbeam_channel::{Receiver, Sender, unbounded};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::oracle::{
    FailureProperty, JobId, PropertyError, Runner, TestFiles, TestJob, TimeLimits, catch_panic,
};
use crate::program::{ConstraintSet, ParseChecker, ParseTrees, Version};
use crate::protocol::abandon::{AbandonFlag, unless_abandoned};

/// A candidate on its way to the test.
pub struct CandidateTask {
    /// The job's name.
    pub id: JobId,
    /// What it was made of.
    pub base: Version,
    /// The candidate.
    pub candidate: Version,
    /// The limits of the test.
    pub limits: TimeLimits,
    /// Whether no other may run beside it.
    pub alone: bool,
    /// Whether all of the test runs, as [`TestJob::fresh`].
    pub fresh: bool,
    /// Whether the parser may refuse it.
    pub syntactic: bool,
    /// What the user requires of it.
    pub constraints: Arc<ConstraintSet>,
    /// Whether the test is to run at once. If not, the answer has the files, for later.
    pub test: bool,
}

/// What the parser says of a candidate.
pub struct CheckedCandidate {
    /// The job's name.
    pub id: JobId,
    /// The parser's answer. Only confirmed candidates are tested.
    pub outcome: CheckOutcome,
}

/// See [`CheckedCandidate`].
pub enum CheckOutcome {
    /// It may be tested.
    Confirmed(ConfirmedCandidate),
    /// The parser likes it less than the version before.
    Rejected,
    /// The worker panicked, which is a fault of lop; with the message. It may have confirmed the candidate before.
    Panicked(String),
}

/// A candidate that may be tested.
pub struct ConfirmedCandidate {
    /// Its tokens.
    pub tokens: u32,
    /// The parser's trees.
    pub trees: ParseTrees,
    /// What the test sees; none if it has been handed to the runner already.
    pub files: Option<TestFiles>,
}

/// The runner, shared by the workers, which submit, and the engine, which cancels: also what has not been submitted yet.
pub struct SubmissionGate {
    /// None when the gate is closed.
    runner: Option<Box<dyn Runner>>,
    submitted: FxHashMap<JobId, TestJob>,
    cancelled: FxHashSet<JobId>,
}

/// See [`SubmissionGate`].
pub type SharedRunner = Arc<Mutex<SubmissionGate>>;

impl SubmissionGate {
    /// The gate to this runner.
    pub fn new_shared(runner: Box<dyn Runner>) -> SharedRunner {
        Arc::new(Mutex::new(SubmissionGate {
            runner: Some(runner),
            submitted: FxHashMap::default(),
            cancelled: FxHashSet::default(),
        }))
    }

    /// Closes the gate: nothing is submitted any more. Returns the runner, whose tests end when it is dropped; none if it was closed before.
    pub fn close(&mut self) -> Option<Box<dyn Runner>> {
        self.runner.take()
    }

    /// Has the test run, unless the job is cancelled or the gate is closed.
    pub fn submit_job(&mut self, job: TestJob) {
        if self.cancelled.remove(&job.id) {
            return;
        }
        if let Some(runner) = &mut self.runner {
            self.submitted.insert(job.id, job.clone());
            runner.submit(job);
        }
    }

    /// Sets how many tests may run at a time.
    pub fn resize(&mut self, jobs: usize) -> std::io::Result<()> {
        self.runner
            .as_mut()
            .map_or(Ok(()), |runner| runner.set_max_jobs(jobs))
    }

    /// Sets the property that candidates are tested for.
    pub fn set_property(&mut self, property: &FailureProperty) -> Result<(), PropertyError> {
        self.runner
            .as_mut()
            .map_or(Ok(()), |runner| runner.set_property(property))
    }

    /// Tells the runner that the test has changed.
    pub fn renew_test(&mut self) {
        if let Some(runner) = &mut self.runner {
            runner.renew_test();
        }
    }

    /// Cancels a job. Returns whether it had been submitted.
    pub fn cancel_job(&mut self, id: JobId) -> bool {
        let submitted = self.submitted.contains_key(&id);
        match &mut self.runner {
            Some(runner) if submitted => runner.cancel(id),
            _ if submitted => {}
            _ => {
                self.cancelled.insert(id);
            }
        }
        submitted
    }

    /// Whether the job was cancelled before it was submitted; forgets that.
    fn take_cancelled(&mut self, id: JobId) -> bool {
        self.cancelled.remove(&id)
    }

    /// Forgets a job that has ended or will never be submitted. Returns what was submitted.
    pub fn forget_job(&mut self, id: JobId) -> Option<TestJob> {
        self.cancelled.remove(&id);
        self.submitted.remove(&id)
    }
}

/// The gate, locked; a worker's panic does not close it for the others.
pub fn lock_runner(runner: &SharedRunner) -> MutexGuard<'_, SubmissionGate> {
    runner.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The workers of a run. They end when the sender is dropped.
pub struct CandidateWorkers {
    /// Sends candidates to the workers.
    pub tasks: Sender<CandidateTask>,
    /// Receives the parser's answers.
    pub checked: Receiver<CheckedCandidate>,
    /// How many there are.
    count: usize,
    /// Set when the run has ended.
    ended: AbandonFlag,
    inbox: Receiver<CandidateTask>,
    outbox: Sender<CheckedCandidate>,
}

impl CandidateWorkers {
    /// As many workers as tests may run at a time, but no more than there are processors; never fewer than before.
    pub fn grow_to(&mut self, runner: &SharedRunner, jobs: usize) -> std::io::Result<()> {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        for number in self.count..jobs.clamp(1, processors) {
            let (runner, inbox, outbox) = (runner.clone(), self.inbox.clone(), self.outbox.clone());
            let ended = self.ended.clone();
            let thread = std::thread::Builder::new().name(format!("lop-worker-{number}"));
            thread.spawn(move || run_worker(&runner, inbox, &outbox, &ended))?;
            self.count += 1;
        }
        Ok(())
    }

    /// Has all workers end. They notice it in the middle of most of what they do, and nobody waits for them: a large program is parsed, copied and
    /// dropped in steps of seconds.
    pub fn dismiss_all(self) {
        self.ended.abandon();
    }
}

/// Starts workers; see [`CandidateWorkers::grow_to`].
pub fn start_workers(runner: SharedRunner, jobs: usize) -> std::io::Result<CandidateWorkers> {
    let (tasks, inbox) = unbounded::<CandidateTask>();
    let (outbox, checked) = unbounded();
    let mut workers = CandidateWorkers {
        tasks,
        checked,
        count: 0,
        ended: AbandonFlag::default(),
        inbox,
        outbox,
    };
    workers.grow_to(&runner, jobs)?;
    Ok(workers)
}

fn run_worker(
    runner: &SharedRunner,
    inbox: Receiver<CandidateTask>,
    outbox: &Sender<CheckedCandidate>,
    ended: &AbandonFlag,
) {
    let mut guard = ParseChecker::default();
    for task in inbox {
        let id = task.id;
        // A panic of the parser, the runner or our own code must not leave the candidate without an answer.
        match catch_panic(|| {
            unless_abandoned(ended, || {
                process_candidate(&mut guard, runner, task, outbox)
            })
        }) {
            Ok(Some(())) => {}
            Ok(None) => return,
            Err(words) => {
                guard = ParseChecker::default();
                lock_runner(runner).forget_job(id);
                let word = CheckOutcome::Panicked(words);
                // The engine has ended.
                let _ = outbox.send(CheckedCandidate { id, outcome: word });
            }
        }
    }
}

/// Has the parser check a candidate, and submits it for its test.
fn process_candidate(
    guard: &mut ParseChecker,
    runner: &SharedRunner,
    task: CandidateTask,
    outbox: &Sender<CheckedCandidate>,
) {
    let id = task.id;
    if lock_runner(runner).take_cancelled(id) {
        return;
    }
    let mut word = check_candidate(guard, &task);
    let files = match &mut word {
        CheckOutcome::Confirmed(confirmed) if task.test => confirmed.files.take(),
        _ => None,
    };
    if outbox.send(CheckedCandidate { id, outcome: word }).is_err() {
        return;
    }
    match files {
        None => drop(lock_runner(runner).forget_job(id)),
        Some(files) => lock_runner(runner).submit_job(TestJob {
            id,
            files,
            limits: task.limits,
            alone: task.alone,
            fresh: task.fresh,
        }),
    }
}

/// The candidate in print, and the parser's answer.
fn check_candidate(guard: &mut ParseChecker, task: &CandidateTask) -> CheckOutcome {
    let texts = task.candidate.render_texts();
    let trees = guard.check_candidate(
        &task.base,
        &task.candidate,
        &texts,
        task.syntactic,
        &task.constraints,
    );
    let documents = task.candidate.documents().iter().zip(texts);
    let files = documents.filter_map(|(document, text)| Some((document.path.to_path_buf(), text?)));
    trees.map_or(CheckOutcome::Rejected, |trees| {
        let files = Some(files.collect());
        let tokens = task.candidate.token_count();
        CheckOutcome::Confirmed(ConfirmedCandidate {
            tokens,
            trees,
            files,
        })
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::oracle::{ScriptedRunner, Verdict};
    use crate::program;

    fn version(names: &[&str]) -> Version {
        let file = |name: &&str| (Path::new(name).into(), b"int a;\n".as_slice().into());
        program::read_program(names.iter().map(file).collect()).expect("it can be read")
    }

    #[test]
    fn a_worker_that_panics_says_so_and_goes_on() {
        let runner = ScriptedRunner::new(|_| Verdict::Uninteresting.into());
        let answers = runner.result_receiver().clone();
        let workers =
            start_workers(SubmissionGate::new_shared(Box::new(runner)), 1).expect("a thread");
        let one = version(&["a.c"]);
        let task = |id, candidate: &Version| CandidateTask {
            id: JobId(id),
            base: one.clone(),
            candidate: candidate.clone(),
            limits: TimeLimits::default(),
            alone: false,
            fresh: false,
            syntactic: true,
            constraints: Arc::default(),
            test: true,
        };
        // No edit adds a document, so the guard does not expect it.
        let two = version(&["a.c", "b.c"]);
        for task in [task(1, &two), task(2, &one)] {
            workers.tasks.send(task).expect("it lives");
        }
        let mut words = workers.checked.iter();
        let first = words.next().expect("a word");
        assert!(
            matches!(first.outcome, CheckOutcome::Panicked(words) if words.contains("index out of bounds"))
        );
        let second = words.next().expect("another");
        assert!(second.id == JobId(2) && matches!(second.outcome, CheckOutcome::Confirmed(_)));
        assert_eq!(answers.recv().expect("an answer").id, JobId(2));
        workers.dismiss_all();
    }

    #[test]
    fn nothing_is_submitted_to_a_closed_gate() {
        let runner = ScriptedRunner::new(|_| Verdict::Uninteresting.into());
        let answers = runner.result_receiver().clone();
        let gate = SubmissionGate::new_shared(Box::new(runner));
        let job = |id| TestJob {
            id: JobId(id),
            files: TestFiles::default(),
            limits: TimeLimits::default(),
            alone: false,
            fresh: false,
        };
        lock_runner(&gate).submit_job(job(1));
        assert_eq!(answers.recv().expect("an answer").id, JobId(1));
        drop(lock_runner(&gate).close());
        lock_runner(&gate).submit_job(job(2));
        assert!(
            answers.recv().is_err(),
            "the runner is gone, and nothing was submitted"
        );
        assert!(lock_runner(&gate).close().is_none());
    }
}
