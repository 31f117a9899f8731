//! The current version asked about once more, because the test may have changed.

use super::engine::Engine;
use super::obey::Outcome;
use super::worker::gate;
use crate::oracle::{self, Job, JobId};

impl Engine {
    pub(super) fn recheck(&mut self) -> Outcome {
        if self.known.recheck.is_some() {
            return Err("it is being asked already".into());
        }
        self.known.jobs += 1;
        let id = JobId(self.known.jobs);
        let files = self.history.now().version.files().into_iter();
        gate(&self.runner).submit(Job {
            id,
            files: files.map(|(path, bytes)| (path, bytes.into())).collect(),
            limits: self.limit.current(),
            alone: false,
        });
        for flight in self.known.flights.values_mut() {
            flight.crowded = true;
        }
        self.known.recheck = Some(id);
        Ok(None)
    }

    /// The test has said something of the version that was current when it was asked.
    pub(super) fn rechecked(&mut self, outcome: &oracle::Outcome) {
        match outcome {
            oracle::Outcome::Verdict(oracle::Verdict::Interesting, _) => {
                self.note("checked once more: the test finds it interesting".into());
            }
            oracle::Outcome::Verdict(_, run) => {
                let exit = run.exit;
                let reason =
                    format!("checked once more: the test no longer finds it interesting ({exit})");
                self.note(reason.clone());
                self.stand_still();
                self.pause(Some(reason));
            }
            oracle::Outcome::NoVerdict(trouble) => {
                self.note(format!("checked once more, without a verdict: {trouble}"));
            }
            oracle::Outcome::Cancelled => {}
        }
    }
}
