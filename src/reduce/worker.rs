//! Workers: they print a candidate, let the parser confirm it, and hand it to the runner. The engine's thread does none of that.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, unbounded};
use rustc_hash::FxHashSet;

use crate::oracle::{Job, JobId, Limits, Runner};
use crate::program::{Guard, Trees, Version};

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
}

impl Workers {
    /// Waits until all workers have ended: no test is submitted after that.
    pub fn end(self) {
        drop(self.tasks);
        for thread in self.threads {
            // A panic has been reported by the hook.
            let _ = thread.join();
        }
    }
}

/// Starts workers: as many as tests may run at a time, but no more than there are processors.
pub fn start(runner: SharedRunner, jobs: usize) -> std::io::Result<Workers> {
    let (tasks, inbox) = unbounded::<Task>();
    let (outbox, checked) = unbounded();
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let start = |number: usize| {
        let (runner, inbox, outbox) = (runner.clone(), inbox.clone(), outbox.clone());
        let thread = std::thread::Builder::new().name(format!("lop-worker-{number}"));
        thread.spawn(move || work(&runner, inbox, &outbox))
    };
    let threads = (0..jobs.clamp(1, processors))
        .map(start)
        .collect::<Result<_, _>>()?;
    Ok(Workers {
        tasks,
        checked,
        threads,
    })
}

fn work(runner: &SharedRunner, inbox: Receiver<Task>, outbox: &Sender<Checked>) {
    let mut guard = Guard::default();
    for task in inbox {
        if gate(runner).is_barred(task.id) {
            continue;
        }
        let files = task.candidate.files();
        let trees = guard.check(&task.base, &task.candidate, &files, task.syntactic);
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
