//! A test that runs several times on the same bytes, because what it says may change.

use super::command::Command;
use super::engine::Engine;
use super::event::Ending;
use super::obey::Outcome;
use super::present::{End, Flight};
use super::quorum::Quorum;
use super::worker::gate;
use crate::oracle::{Job, JobId, Run};
use crate::program::Hash;

impl Flight {
    /// One run of its test has ended so. Whether more are needed; if not, `run` tells the longest of all. One that was too slow beside
    /// others says nothing of the candidate: all is asked again, alone.
    pub(super) fn add(&mut self, ending: Ending, run: &mut Run, crowded: bool) -> bool {
        self.tally.add(ending);
        self.slowest = self.slowest.max(run.time);
        self.most = self.most.max(run.cpu);
        (run.time, run.cpu) = (self.slowest, self.most);
        !crowded && self.quorum.decides(self.tally).is_none()
    }
}

impl Engine {
    /// How many runs of the test must say yes.
    pub(super) fn quorum(&self) -> Quorum {
        self.quorum.unwrap_or_default()
    }

    /// The test runs once more on the same candidate.
    pub(super) fn ask_again(&mut self, candidate: Hash, mut flight: Flight, job: Job) {
        self.known.jobs += 1;
        let id = JobId(self.known.jobs);
        flight.job = id;
        self.known.by_job.insert(id, candidate);
        self.known.flights.insert(candidate, flight);
        gate(&self.runner).submit(Job { id, ..job });
    }

    /// Another number of runs must say yes from now on. What was found by the old one is asked again where it does not tell.
    pub(super) fn set_quorum(&mut self, quorum: Quorum) -> Outcome {
        self.quorum = Some(quorum);
        self.record.quorum = quorum;
        self.known.cache.doubt(quorum);
        self.known.confirmed = None;
        self.cancel_all();
        self.rethink(|asking| {
            // What was boring may not be so now, in the passes that are over too.
            if !quorum.is_strict() {
                asking.schedule.rewind();
            }
        });
        Ok(None)
    }

    /// A verdict has changed. From now on one run is not enough, unless the user has said how many are.
    pub(super) fn doubt(&mut self) -> Result<(), End> {
        let command = Command::Confirm(Quorum::SURE);
        if self.quorum.is_some() || self.held.contains(&command) {
            return Ok(());
        }
        self.note(format!(
            "the test is flaky: from now on a candidate is taken only if it says interesting in {} runs; `confirm K/N` sets another number",
            Quorum::SURE
        ));
        self.obey_or_hold(command)
    }
}
