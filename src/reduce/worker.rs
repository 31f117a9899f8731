//! Workers: they print a candidate, let the parser confirm it, and hand it to the runner. The engine's thread does none of that.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::oracle::{Job, JobId, Runner};
use crate::program::{Guard, Trees, Version};

/// A candidate on its way to the test.
pub struct Task {
    /// The job's name.
    pub id: JobId,
    /// What it was made of.
    pub base: Version,
    /// The candidate.
    pub candidate: Version,
    /// The limit of the test.
    pub limit: Option<Duration>,
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

/// The runner, shared by the workers and the engine, which cancels.
pub type SharedRunner = Arc<Mutex<Box<dyn Runner>>>;

/// Calls the runner; a worker that panicked does not take it away from the others.
pub fn with_runner<T>(runner: &SharedRunner, call: impl FnOnce(&mut dyn Runner) -> T) -> T {
    call(&mut **runner.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Starts a worker. It ends when the sender is dropped.
pub fn start(runner: SharedRunner) -> std::io::Result<(Sender<Task>, Receiver<Checked>)> {
    let (tasks, inbox) = unbounded::<Task>();
    let (outbox, checked) = unbounded();
    std::thread::Builder::new()
        .name("lop-worker".into())
        .spawn(move || {
            let mut guard = Guard::default();
            for task in inbox {
                let files = task.candidate.files();
                let trees = guard.check(&task.base, &task.candidate, &files, task.syntactic);
                let refused = trees.is_none();
                if outbox.send(Checked { id: task.id, trees }).is_err() {
                    return;
                }
                if !refused && task.test {
                    let files = files
                        .into_iter()
                        .map(|(path, bytes)| (path, Arc::from(bytes)))
                        .collect::<Vec<(PathBuf, Arc<[u8]>)>>();
                    with_runner(&runner, |runner| {
                        runner.submit(Job {
                            id: task.id,
                            files,
                            limit: task.limit,
                        })
                    });
                }
            }
        })?;
    Ok((tasks, checked))
}
