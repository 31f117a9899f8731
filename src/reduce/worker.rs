//! Workers: they print a candidate, let the parser confirm it, and hand it to the runner. The engine's thread does none of that.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, unbounded};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::dialogue::abandon::{AbandonFlag, unless_abandoned};
use crate::oracle::{Files, Job, JobId, Limits, Property, PropertyError, Runner, caught};
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
    /// Whether the test is to run at once. If not, the word has the files, for when it is.
    pub test: bool,
}

/// What the parser says of a candidate.
pub struct Checked {
    /// The job's name.
    pub id: JobId,
    /// Its word. No test runs but for a candidate that is confirmed.
    pub word: Word,
}

/// See [`Checked`].
pub enum Word {
    /// It may be tested.
    Confirmed(Confirmed),
    /// The parser likes it less than the version before.
    Refused,
    /// The worker panicked, which is a fault of lop: in these words. It may have confirmed the candidate before.
    Panicked(String),
}

/// A candidate that may be tested.
pub struct Confirmed {
    /// The parser's trees.
    pub trees: Trees,
    /// What the test sees; none if it has been handed to the runner already.
    pub files: Option<Files>,
}

/// The runner, shared by the workers, which submit, and the engine, which cancels: also what has not been submitted yet.
pub struct Gate {
    runner: Box<dyn Runner>,
    submitted: FxHashMap<JobId, Job>,
    barred: FxHashSet<JobId>,
}

/// See [`Gate`].
pub type SharedRunner = Arc<Mutex<Gate>>;

impl Gate {
    /// The gate to this runner.
    pub fn shared(runner: Box<dyn Runner>) -> SharedRunner {
        Arc::new(Mutex::new(Gate {
            runner,
            submitted: FxHashMap::default(),
            barred: FxHashSet::default(),
        }))
    }

    /// Has the test run, if nobody has cancelled the job.
    pub fn submit(&mut self, job: Job) {
        if !self.barred.remove(&job.id) {
            self.submitted.insert(job.id, job.clone());
            self.runner.submit(job);
        }
    }

    /// From now on so many tests may run at a time.
    pub fn resize(&mut self, jobs: usize) -> std::io::Result<()> {
        self.runner.resize(jobs)
    }

    /// From now on candidates are looked at for another property.
    pub fn look_for(&mut self, property: &Property) -> Result<(), PropertyError> {
        self.runner.look_for(property)
    }

    /// The job's answer no longer matters. Says whether it had been submitted.
    pub fn cancel(&mut self, id: JobId) -> bool {
        let submitted = self.submitted.contains_key(&id);
        match submitted {
            true => self.runner.cancel(id),
            false => {
                self.barred.insert(id);
            }
        }
        submitted
    }

    /// Whether the job was cancelled before it was submitted; that is forgotten now.
    fn is_barred(&mut self, id: JobId) -> bool {
        self.barred.remove(&id)
    }

    /// The job has been answered, or will never be submitted; what it was, if it was submitted.
    pub fn forget(&mut self, id: JobId) -> Option<Job> {
        self.barred.remove(&id);
        self.submitted.remove(&id)
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
    /// Set when the run has ended.
    ended: AbandonFlag,
    inbox: Receiver<Task>,
    outbox: Sender<Checked>,
}

impl Workers {
    /// As many workers as tests may run at a time, but no more than there are processors; never fewer than before.
    pub fn grow(&mut self, runner: &SharedRunner, jobs: usize) -> std::io::Result<()> {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        for number in self.threads.len()..jobs.clamp(1, processors) {
            let (runner, inbox, outbox) = (runner.clone(), self.inbox.clone(), self.outbox.clone());
            let ended = self.ended.clone();
            let thread = std::thread::Builder::new().name(format!("lop-worker-{number}"));
            self.threads
                .push(thread.spawn(move || work(&runner, inbox, &outbox, &ended))?);
        }
        Ok(())
    }

    /// Waits until all workers have ended, which they do in the middle of a parse: no test is submitted after that.
    pub fn end(self) {
        self.ended.abandon();
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
        ended: AbandonFlag::default(),
        inbox,
        outbox,
    };
    workers.grow(&runner, jobs)?;
    Ok(workers)
}

fn work(
    runner: &SharedRunner,
    inbox: Receiver<Task>,
    outbox: &Sender<Checked>,
    ended: &AbandonFlag,
) {
    let mut guard = Guard::default();
    for task in inbox {
        let id = task.id;
        // What the parser, the runner and our own code do with a candidate is no reason to leave its question unanswered.
        match caught(|| unless_abandoned(ended, || see_to(&mut guard, runner, task, outbox))) {
            Ok(Some(())) => {}
            Ok(None) => return,
            Err(words) => {
                guard = Guard::default();
                gate(runner).forget(id);
                let word = Word::Panicked(words);
                // The engine has ended: so be it.
                let _ = outbox.send(Checked { id, word });
            }
        }
    }
}

/// Has the parser look at a candidate, and hands it on to its test.
fn see_to(guard: &mut Guard, runner: &SharedRunner, task: Task, outbox: &Sender<Checked>) {
    let id = task.id;
    if gate(runner).is_barred(id) {
        return;
    }
    let mut word = look(guard, &task);
    let files = match &mut word {
        Word::Confirmed(confirmed) if task.test => confirmed.files.take(),
        _ => None,
    };
    if outbox.send(Checked { id, word }).is_err() {
        return;
    }
    match files {
        None => drop(gate(runner).forget(id)),
        Some(files) => gate(runner).submit(Job {
            id,
            files,
            limits: task.limits,
            alone: task.alone,
        }),
    }
}

/// The candidate in print, and the parser's word on it.
fn look(guard: &mut Guard, task: &Task) -> Word {
    let files = task.candidate.files();
    let trees = guard.check(
        &task.base,
        &task.candidate,
        &files,
        task.syntactic,
        &task.constraints,
    );
    let files = files
        .into_iter()
        .map(|(path, bytes)| (path, Arc::from(bytes)));
    trees.map_or(Word::Refused, |trees| {
        let files = Some(files.collect());
        Word::Confirmed(Confirmed { trees, files })
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
        program::read(names.iter().map(file).collect()).expect("it can be read")
    }

    #[test]
    fn a_worker_that_panics_says_so_and_goes_on() {
        let runner = ScriptedRunner::new(|_| Verdict::Boring.into());
        let answers = runner.answers().clone();
        let workers = start(Gate::shared(Box::new(runner)), 1).expect("a thread");
        let one = version(&["a.c"]);
        let task = |id, candidate: &Version| Task {
            id: JobId(id),
            base: one.clone(),
            candidate: candidate.clone(),
            limits: Limits::default(),
            alone: false,
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
            matches!(first.word, Word::Panicked(words) if words.contains("index out of bounds"))
        );
        let second = words.next().expect("another");
        assert!(second.id == JobId(2) && matches!(second.word, Word::Confirmed(_)));
        assert_eq!(answers.recv().expect("an answer").id, JobId(2));
        workers.end();
    }
}
