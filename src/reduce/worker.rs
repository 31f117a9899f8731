//! Workers: they print a candidate, let the parser confirm it, and hand it to the runner. The engine's thread does none of that.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, unbounded};
use rustc_hash::FxHashSet;

use crate::oracle::{Job, JobId, Limits, Runner};
use crate::program::{Constraints, Guard, Trees, Version};

/// A candidate on its way to the test.
pub struct Task {
    /// The job's name.
    pub id: JobId,
    /// What it was made of.
    pub base: Version,
    /// The candidate.
    pub candidate: Version,
    /// The limits of the test.
    pub limits: Limits,
    /// Whether no other may run beside it.
    pub alone: bool,
    /// Whether the parser may refuse it.
    pub syntactic: bool,
    /// What the user requires of it.
    pub constraints: Arc<Constraints>,
    /// Whether the test is to run, or only the parser's word is asked for.
    pub test: bool,
}

/// What the parser says of a candidate.
pub struct Checked {
    /// The job's name.
    pub id: JobId,
    /// The parser's trees; none when the candidate is refused, and then no test runs.
    pub trees: Option<Trees>,
}

/// The runner, shared by the workers, which submit, and the engine, which cancels: also what has not been submitted yet.
pub struct Gate {
    runner: Box<dyn Runner>,
    submitted: FxHashSet<JobId>,
    barred: FxHashSet<JobId>,
}

/// See [`Gate`].
pub type SharedRunner = Arc<Mutex<Gate>>;

impl Gate {
    /// The gate to this runner.
    pub fn shared(runner: Box<dyn Runner>) -> SharedRunner {
        Arc::new(Mutex::new(Gate {
            runner,
            submitted: FxHashSet::default(),
            barred: FxHashSet::default(),
        }))
    }

    fn submit(&mut self, job: Job) {
        if !self.barred.remove(&job.id) {
            self.submitted.insert(job.id);
            self.runner.submit(job);
        }
    }

    /// From now on so many tests may run at a time.
    pub fn resize(&mut self, jobs: usize) -> std::io::Result<()> {
        self.runner.resize(jobs)
    }

    /// The job's answer no longer matters.
    pub fn cancel(&mut self, id: JobId) {
        match self.submitted.contains(&id) {
            true => self.runner.cancel(id),
            false => {
                self.barred.insert(id);
            }
        }
    }

    /// Whether the job was cancelled before it was submitted; that is forgotten now.
    fn is_barred(&mut self, id: JobId) -> bool {
        self.barred.remove(&id)
    }

    /// The job has been answered, or will never be submitted.
    pub fn forget(&mut self, id: JobId) {
        self.submitted.remove(&id);
        self.barred.remove(&id);
    }
}

/// The gate, locked; a worker that panicked does not take it away from the others.
pub fn gate(runner: &SharedRunner) -> MutexGuard<'_, Gate> {
    runner.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The workers of a run. They end when the sender is dropped.
pub struct Workers {
    /// Takes candidates.
    pub tasks: Sender<Task>,
    /// Tells the parser's word.
    pub checked: Receiver<Checked>,
    threads: Vec<JoinHandle<()>>,
    inbox: Receiver<Task>,
    outbox: Sender<Checked>,
}

impl Workers {
    /// As many workers as tests may run at a time, but no more than there are processors; never fewer than before.
    pub fn grow(&mut self, runner: &SharedRunner, jobs: usize) -> std::io::Result<()> {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        for number in self.threads.len()..jobs.clamp(1, processors) {
            let (runner, inbox, outbox) = (runner.clone(), self.inbox.clone(), self.outbox.clone());
            let thread = std::thread::Builder::new().name(format!("lop-worker-{number}"));
            self.threads
                .push(thread.spawn(move || work(&runner, inbox, &outbox))?);
        }
        Ok(())
    }

    /// Waits until all workers have ended: no test is submitted after that.
    pub fn end(self) {
        drop((self.tasks, self.inbox));
        for thread in self.threads {
            // A panic has been reported by the hook.
            let _ = thread.join();
        }
    }
}

/// Starts workers; see [`Workers::grow`].
pub fn start(runner: SharedRunner, jobs: usize) -> std::io::Result<Workers> {
    let (tasks, inbox) = unbounded::<Task>();
    let (outbox, checked) = unbounded();
    let mut workers = Workers {
        tasks,
        checked,
        threads: Vec::new(),
        inbox,
        outbox,
    };
    workers.grow(&runner, jobs)?;
    Ok(workers)
}

fn work(runner: &SharedRunner, inbox: Receiver<Task>, outbox: &Sender<Checked>) {
    let mut guard = Guard::default();
    for task in inbox {
        if gate(runner).is_barred(task.id) {
            continue;
        }
        let files = task.candidate.files();
        let trees = guard.check(
            &task.base,
            &task.candidate,
            &files,
            task.syntactic,
            &task.constraints,
        );
        let confirmed = trees.is_some();
        if outbox.send(Checked { id: task.id, trees }).is_err() {
            return;
        }
        let id = task.id;
        if !confirmed {
            gate(runner).forget(id);
        } else if task.test {
            let files = files
                .into_iter()
                .map(|(path, bytes)| (path, Arc::from(bytes)));
            let files: Vec<(PathBuf, Arc<[u8]>)> = files.collect();
            gate(runner).submit(Job {
                id,
                files,
                limits: task.limits,
                alone: task.alone,
            });
        }
    }
}
