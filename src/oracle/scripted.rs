//! A runner without processes: a closure answers, and the caller may say when. For tests of everything that asks.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crossbeam_channel::{Receiver, Sender};

use super::{Answer, Job, JobId, Outcome, Runner};

/// Answers each job from a closure over its files: at once, or while the [`Script`] holds, when it is released.
#[derive(Debug)]
pub struct ScriptedRunner {
    script: Script,
    answers: Receiver<Answer>,
}

impl ScriptedRunner {
    /// A runner that knows the answers.
    pub fn new(
        says: impl Fn(&[(PathBuf, Arc<[u8]>)]) -> Outcome + Send + Sync + 'static,
    ) -> ScriptedRunner {
        let (send, answers) = crossbeam_channel::unbounded();
        let shared = Shared {
            says: Box::new(says),
            answers: send,
            state: Mutex::default(),
            submitted: Condvar::new(),
        };
        ScriptedRunner {
            script: Script {
                shared: Arc::new(shared),
            },
            answers,
        }
    }

    /// The handle by which a test decides when answers arrive, also after the runner was given away.
    pub fn script(&self) -> Script {
        self.script.clone()
    }
}

impl Runner for ScriptedRunner {
    fn submit(&mut self, job: Job) {
        let shared = &self.script.shared;
        let mut state = shared.lock();
        state.submitted.push(job.id);
        if state.holds {
            state.held.push(job);
        } else {
            shared.answer(&job);
        }
        shared.submitted.notify_all();
    }

    fn cancel(&mut self, id: JobId) {
        let shared = &self.script.shared;
        if shared.lock().take(id).is_some() {
            shared.send(id, Outcome::Cancelled);
        }
    }

    fn answers(&self) -> &Receiver<Answer> {
        &self.answers
    }
}

/// Decides when the answers of a [`ScriptedRunner`] arrive. Clones mean the same runner.
#[derive(Clone, Debug)]
pub struct Script {
    shared: Arc<Shared>,
}

impl Script {
    /// From now on jobs wait for their release.
    pub fn hold(&self) {
        self.shared.lock().holds = true;
    }

    /// Answers one job that waits. Says whether it did wait.
    pub fn release(&self, id: JobId) -> bool {
        let job = self.shared.lock().take(id);
        job.inspect(|job| self.shared.answer(job)).is_some()
    }

    /// Answers all jobs that wait, in the order of their submission, and lets later ones through.
    pub fn release_all(&self) {
        let mut state = self.shared.lock();
        state.holds = false;
        for job in std::mem::take(&mut state.held) {
            self.shared.answer(&job);
        }
    }

    /// Waits until at least so many jobs are held, and names them in the order of their submission.
    pub fn wait_for_held(&self, jobs: usize) -> Vec<JobId> {
        let mut state = self.shared.lock();
        while state.held.len() < jobs {
            state = self
                .shared
                .submitted
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        state.held.iter().map(|job| job.id).collect()
    }

    /// All jobs ever submitted, in their order.
    pub fn submitted(&self) -> Vec<JobId> {
        self.shared.lock().submitted.clone()
    }
}

type Says = dyn Fn(&[(PathBuf, Arc<[u8]>)]) -> Outcome + Send + Sync;

struct Shared {
    says: Box<Says>,
    answers: Sender<Answer>,
    state: Mutex<State>,
    submitted: Condvar,
}

#[derive(Debug, Default)]
struct State {
    holds: bool,
    held: Vec<Job>,
    submitted: Vec<JobId>,
}

impl State {
    /// A job that no longer waits.
    fn take(&mut self, id: JobId) -> Option<Job> {
        let at = self.held.iter().position(|job| job.id == id)?;
        Some(self.held.remove(at))
    }
}

impl Shared {
    fn answer(&self, job: &Job) {
        self.send(job.id, (self.says)(&job.files));
    }

    fn send(&self, id: JobId, outcome: Outcome) {
        // Nobody listens any more: so be it.
        let _ = self.answers.send(Answer { id, outcome });
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{Limits, Verdict};

    fn job(id: u64, text: &str) -> Job {
        Job {
            id: JobId(id),
            files: vec![(PathBuf::from("bug.c"), text.as_bytes().into())],
            limits: Limits::default(),
            alone: false,
        }
    }

    fn runner() -> ScriptedRunner {
        ScriptedRunner::new(|files| {
            let bug = files[0].1.windows(3).any(|word| word == b"bug");
            if bug {
                Verdict::Interesting.into()
            } else {
                Verdict::Boring.into()
            }
        })
    }

    fn next(runner: &ScriptedRunner) -> (u64, Option<Verdict>) {
        let answer = runner.answers().try_recv().expect("an answer");
        (answer.id.0, answer.outcome.verdict())
    }

    #[test]
    fn answers_come_at_once() {
        let mut runner = runner();
        runner.submit(job(1, "a bug"));
        runner.submit(job(2, "nothing"));
        assert_eq!(next(&runner), (1, Some(Verdict::Interesting)));
        assert_eq!(next(&runner), (2, Some(Verdict::Boring)));
    }

    #[test]
    fn answers_come_when_they_are_released() {
        let mut runner = runner();
        let script = runner.script();
        script.hold();
        (1..=4).for_each(|id| runner.submit(job(id, "a bug")));
        assert_eq!(script.wait_for_held(4), [1, 2, 3, 4].map(JobId));
        assert!(runner.answers().is_empty());
        assert!(script.release(JobId(3)));
        assert!(!script.release(JobId(3)), "only once");
        runner.cancel(JobId(1));
        runner.cancel(JobId(3));
        script.release_all();
        assert_eq!(next(&runner), (3, Some(Verdict::Interesting)));
        assert_eq!(next(&runner), (1, None));
        assert_eq!(next(&runner), (2, Some(Verdict::Interesting)));
        assert_eq!(next(&runner), (4, Some(Verdict::Interesting)));
        assert!(runner.answers().is_empty());
        assert_eq!(script.submitted().len(), 4);
    }
}
