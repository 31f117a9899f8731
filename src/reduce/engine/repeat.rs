//! A test that runs several times on the same bytes, because what it says may change.
//!
//! The test of a candidate is submitted again until the quorum (`results/quorum.rs`) decides. The proposer gets one answer.

use super::testing_state::InFlightTest;
use super::{CommandResult, ReductionEngine, RunFinished};
use crate::oracle::TestJob;
use crate::program::ContentHash;
use crate::reduce::commands::EngineCommand;
use crate::reduce::results::Quorum;

impl ReductionEngine {
    /// How many runs of the test must say interesting.
    pub(super) fn required_quorum(&self) -> Quorum {
        self.quorum.unwrap_or_default()
    }

    /// Whether no part of a test counts that the runner remembers: where one run is not enough, none stands for another.
    pub(super) fn wants_fresh_tests(&self) -> bool {
        self.required_quorum() != Quorum::ONCE
    }

    /// Runs the test once more on the same candidate.
    pub(super) fn repeat_test(
        &mut self,
        candidate: ContentHash,
        mut flight: InFlightTest,
        job: TestJob,
    ) {
        let id = self.pool.next_job_id();
        flight.job = id;
        self.testing.by_job.insert(id, candidate);
        self.testing.in_flight.insert(candidate, flight);
        self.pool.submit_test(TestJob {
            id,
            fresh: true,
            ..job
        });
    }

    /// Changes the number of runs that must say interesting. Verdicts of the old quorum that do not decide by the new one are tested again.
    pub(super) fn set_quorum(&mut self, quorum: Quorum) -> CommandResult {
        self.quorum = Some(quorum);
        self.record.quorum = quorum;
        self.testing.cache.apply_quorum(quorum);
        self.testing.confirmed = None;
        self.cancel_all();
        self.change_rules(|proposer| {
            // What was uninteresting may be interesting now, in the passes that are over too.
            if !quorum.is_strict() {
                proposer.schedule.rewind_passes();
            }
        });
        Ok(None)
    }

    /// A verdict has changed. From now on one run is not enough, unless the user has set the quorum.
    pub(super) fn suspect_flaky(&mut self) -> Result<(), RunFinished> {
        let command = EngineCommand::Confirm(Quorum::SURE);
        if self.quorum.is_some() || self.commands.is_deferred(&command) {
            return Ok(());
        }
        self.add_note(format!(
            "the test is flaky: from now on a candidate is accepted only if the test says interesting in {} runs; `confirm K/N` sets another number",
            Quorum::SURE
        ));
        self.execute_or_defer(command)
    }
}
