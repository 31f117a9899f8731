//! Where tests run there may be no room left: then what a test says against a candidate may be about the disk.

use std::io;
use std::path::Path;

use crossbeam_channel::{Receiver, unbounded};
use rustix::io::Errno;

use crate::oracle::{
    Answer, Job, JobId, NoVerdict, Outcome, Property, PropertyError, Runner, Verdict,
};

/// With less than so many bytes free a disk is full.
const LEAST: u64 = 64 << 10;

/// A runner whose answers are believed only as long as there is room where its tests run. An interesting candidate is so in any case.
pub struct Roomy {
    runner: Box<dyn Runner>,
    answers: Receiver<Answer>,
}

impl Roomy {
    /// Watches over a runner whose tests write below this directory.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn new(runner: Box<dyn Runner>, scratch: &Path) -> io::Result<Roomy> {
        let (send, answers) = unbounded();
        let (heard, scratch) = (runner.answers().clone(), scratch.to_path_buf());
        let watch = move || {
            for mut answer in heard {
                answer.outcome = believed(answer.outcome, &scratch);
                if send.send(answer).is_err() {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name("room".into());
        thread.spawn(watch)?;
        Ok(Roomy { runner, answers })
    }
}

/// No verdict, if it speaks against the candidate and there is no room.
fn believed(outcome: Outcome, scratch: &Path) -> Outcome {
    if !matches!(&outcome, Outcome::Verdict(verdict, _) if *verdict != Verdict::Interesting) {
        return outcome;
    }
    match rustix::fs::statvfs(scratch) {
        Ok(disk) if disk.f_bavail.saturating_mul(disk.f_frsize) < LEAST => {
            let full = io::Error::from(Errno::NOSPC);
            Outcome::NoVerdict(NoVerdict::system("running the test", &full))
        }
        _ => outcome,
    }
}

impl Runner for Roomy {
    fn submit(&mut self, job: Job) {
        self.runner.submit(job);
    }

    fn cancel(&mut self, id: JobId) {
        self.runner.cancel(id);
    }

    fn resize(&mut self, jobs: usize) -> io::Result<()> {
        self.runner.resize(jobs)
    }

    fn look_for(&mut self, property: &Property) -> Result<(), PropertyError> {
        self.runner.look_for(property)
    }

    fn answers(&self) -> &Receiver<Answer> {
        &self.answers
    }
}
