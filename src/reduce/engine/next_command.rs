//! Which command holds next: of the script, of the user, or one that had to wait.

use crossbeam_channel::RecvError;

use super::{ReductionEngine, RunFinished};
use crate::reduce::commands::{CommandPosition, EngineCommand, ScriptTrigger, script_line};

impl ReductionEngine {
    /// The next command of the script or the user, or the next proposal from outside. None comes during a replay, nor before the current version has its feedback. The
    /// user's commands hold at a candidate, or while work is done on the background thread.
    pub(super) fn next_command(&mut self) -> Option<EngineCommand> {
        self.commands.is_scripted = false;
        if self.replay.is_some()
            || self.testing.trials.current.is_some()
            || self.has_pending_feedback()
        {
            return None;
        }
        let scripted = |engine: &mut ReductionEngine| {
            let due = engine.next_scripted_command();
            engine.commands.is_scripted = due.is_some();
            due
        };
        let next = self.next_trial().or_else(|| scripted(self));
        let next = next.or_else(|| self.commands.pop_deferred());
        let is_heard = !self.is_planning() || self.planner.works_for(self.tree.root_index());
        let next = next.or_else(|| is_heard.then(|| self.commands.receive_command())?);
        next.or_else(|| self.next_external_proposal())
    }

    /// The next command of the script, if it is due.
    pub(super) fn next_scripted_command(&mut self) -> Option<EngineCommand> {
        let (counts, place) = (&self.record.counts, self.command_position());
        let now = self.root_node().proposer.view.version.size().primary();
        // Other triggers wait for a candidate, so that they are the same whatever is planned ahead.
        let before_work = |(when, command): &(ScriptTrigger, EngineCommand)| match when {
            ScriptTrigger::Start => !command.is_about_candidate(),
            ScriptTrigger::Exactly(recorded) => *recorded == place,
            ScriptTrigger::Decision(_) | ScriptTrigger::Commit(_) | ScriptTrigger::Size(_) => false,
        };
        let at_question = |(when, _): &(ScriptTrigger, EngineCommand)| match *when {
            ScriptTrigger::Start => true,
            ScriptTrigger::Decision(decision) => place.before >= decision,
            ScriptTrigger::Commit(takes) => counts.accepted >= takes,
            ScriptTrigger::Size(size) => now <= size,
            ScriptTrigger::Exactly(recorded) => {
                (place.before, place.rejected) >= (recorded.before, recorded.rejected)
            }
        };
        match self.is_planning() {
            true => self.commands.pop_scripted(before_work),
            false => self.commands.pop_scripted(at_question),
        }
    }

    /// Where a command would hold now.
    pub(super) fn command_position(&self) -> CommandPosition {
        let counts = self.record.counts;
        CommandPosition {
            before: counts.decisions + 1,
            rejected: counts.rejected - self.rejected_before,
            work_steps: self.is_planning().then_some(self.root_node().work_steps),
        }
    }

    /// Reports what is left of the script at the end of the run. Where the run may go on from its end, its moment may still come.
    pub(super) fn report_unreached_commands(&mut self) {
        let left = match self.stays_at_end {
            true => self.commands.script().to_vec(),
            false => self.commands.take_script(),
        };
        for (when, command) in left {
            let line = script_line(when, &command);
            self.add_note(match self.stays_at_end {
                true => format!("the moment of `{line}` has not come"),
                false => format!("the moment of `{line}` never came; nothing was done about it"),
            });
        }
    }

    /// A command that the user sent. A sender that is gone stops the run, but not a recording that is only observed.
    pub(super) fn command_or_stop(
        &mut self,
        heard: Result<EngineCommand, RecvError>,
    ) -> Option<EngineCommand> {
        match heard {
            Ok(command) => Some(command),
            Err(_) if self.record.publisher.is_observed() => {
                self.commands.close();
                None
            }
            Err(_) => Some(EngineCommand::Stop),
        }
    }

    /// Executes a command that the user sent, or defers it.
    pub(super) fn on_command(&mut self, command: EngineCommand) -> Result<(), RunFinished> {
        match command {
            EngineCommand::Stop => {
                self.finish_pending_accept()?;
                self.execute_command(EngineCommand::Stop)
            }
            command if self.replay.is_some() => {
                self.defer_until_resumed(command);
                Ok(())
            }
            command => self.execute_or_defer(command),
        }
    }

    /// Executes a command at once, unless it would drop feedback that the current version still waits for.
    pub(super) fn execute_or_defer(&mut self, command: EngineCommand) -> Result<(), RunFinished> {
        if command.changes_proposals() && self.has_pending_feedback() {
            self.commands.defer_command(command);
            return Ok(());
        }
        self.execute_command(command)
    }
}
