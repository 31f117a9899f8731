//! The end of a run, and how it goes on from there.
//!
//! A run that a user looks at stays at its end (`RunSetup::stays_at_end`): the result is tested once more and written, the journal says `finished`, and
//! the engine waits. A command that leaves something to ask, such as an undo, goes on from there. It is a line of the journal like any other, so a
//! replay and a resumed session execute it at the same place.

use super::testing_state::RootState;
use super::{ReductionEngine, RunFinished};
use crate::reduce::commands::EngineCommand;
use crate::reduce::proposer::ProposerStop;
use crate::reduce::reporting::{FinishReason, RunEvent};

/// Why a command has no meaning at the end.
const NOTHING_RUNS: &str =
    "nothing is left to try: undo, unpin, edit, effort, enable and strategy go on from the result";

impl ReductionEngine {
    /// Records that the run has come to an end, with what it proves.
    pub(super) fn record_end(&mut self, finish: &FinishReason) {
        self.cancel_all();
        self.planner.abandon();
        if *finish == FinishReason::Complete {
            self.report_unreached_commands();
        }
        self.publish_snapshot();
        // Events that were not replayed yet are in the journal as they were; nothing has happened.
        if self.replay.is_none() {
            if let Some(line) = self.record.passes.running_pass() {
                self.journal.record_pass(line);
            }
            let claim = self.record.build_claim(finish);
            self.journal
                .record_finish(finish, &self.record.counts, &claim);
        }
        self.record.record_finish(finish.clone());
    }

    /// Waits at the end until a command leaves something to ask, and executes it. None if the user leaves; else whether the run goes on.
    pub(super) fn wait_at_end(&mut self) -> Option<Result<(), RunFinished>> {
        loop {
            let command = self.commands.incoming().recv().ok()?;
            match command {
                EngineCommand::Stop => return None,
                EngineCommand::Pause
                | EngineCommand::Resume
                | EngineCommand::Step(_)
                | EngineCommand::Until(_)
                | EngineCommand::Skip(_) => self.refuse_at_end(&command),
                command => {
                    if let Err(end) = self.execute_command(command) {
                        return Some(Err(end));
                    }
                    if !self.stands_at_end() {
                        self.leave_end();
                        return Some(Ok(()));
                    }
                    self.record_end(&FinishReason::Complete);
                }
            }
        }
    }

    fn refuse_at_end(&mut self, command: &EngineCommand) {
        let before = self.command_position().before;
        self.record
            .record_command(before, command.to_string(), Err(NOTHING_RUNS.into()));
        self.publish_snapshot();
    }

    /// Whether nothing is left to ask or to test.
    fn stands_at_end(&self) -> bool {
        let testing = &self.testing;
        matches!(self.root_node().stop, ProposerStop::Done)
            && testing.recheck.is_none()
            && testing.trials.current.is_none()
            && testing.trials.queued.is_empty()
            && !testing.is_test_new
    }

    /// The run goes on.
    fn leave_end(&mut self) {
        let before = self.command_position().before;
        self.root_state = RootState::default();
        self.record.leave_end(self.paused);
        self.record
            .publisher
            .emit_event(RunEvent::Resumed { before });
        self.publish_snapshot();
    }

    /// Whether the run waits at its end for a version that the user has tested once more.
    pub(super) fn waits_for_recheck(&self) -> bool {
        self.stays_at_end && self.testing.recheck.is_some()
    }
}
