//! Where the run stands still, and goes on: pause, steps, breakpoints.

use super::breakpoints::{BreakEvent, ReachedBreakpoint};
use super::{CommandResult, ReductionEngine};
use crate::display::format_count;
use crate::reduce::commands::{BreakCondition, StepUnit};
use crate::reduce::reporting::{RunEvent, RunState};

impl ReductionEngine {
    pub(super) fn execute_pause(&mut self) -> CommandResult {
        self.breakpoints.forget_steps();
        if self.paused {
            self.root_state.steps = 0;
            return Ok(None);
        }
        self.pause_speculation();
        if self.commands.is_scripted {
            self.audience.forget_departed();
        }
        self.pause_run(None);
        Ok(None)
    }

    pub(super) fn resume_run(&mut self) -> CommandResult {
        if !self.paused {
            return Ok(None);
        }
        (self.paused, self.root_state.steps) = (false, 0);
        self.testing.is_paused_by_test = false;
        self.record.state = RunState::Running;
        let before = self.record.counts.decisions + 1 + u64::from(self.root_state.permitted);
        self.record
            .publisher
            .emit_event(RunEvent::Resumed { before });
        Ok(None)
    }

    pub(super) fn step_run(&mut self, stride: StepUnit) -> CommandResult {
        if stride == StepUnit::Question {
            if matches!(self.record.state, RunState::Paused(Some(_))) {
                // The reason was about what came before.
                self.record.state = RunState::Paused(None);
            }
            self.root_state.steps += u32::from(self.paused);
            return Ok(None);
        }
        let node = self.proposed_node();
        let is_scripted = self.commands.is_scripted;
        self.breakpoints.add_step(stride, node, is_scripted);
        self.resume_run()
    }

    pub(super) fn set_breakpoint(
        &mut self,
        condition: &BreakCondition,
        once: bool,
    ) -> CommandResult {
        if let BreakCondition::Pass(name) = condition {
            self.root_node().proposer.schedule.pass_index(name)?;
        }
        let version = self.root_node().proposer.view.version.clone();
        self.breakpoints
            .add_breakpoint(condition, once, self.commands.is_scripted, &version)
            .map_err(|error| error.to_string())?;
        self.record.breakpoints = self.breakpoints.lasting_conditions();
        match once {
            true => self.resume_run(),
            false => Ok(None),
        }
    }

    pub(super) fn forget_breakpoints(
        &mut self,
        condition: Option<&BreakCondition>,
    ) -> CommandResult {
        let forgotten = self.breakpoints.forget(condition);
        self.record.breakpoints = self.breakpoints.lasting_conditions();
        match (condition, forgotten) {
            (Some(condition), 0) => Err(format!("there is no breakpoint `{condition}`")),
            _ => Ok(Some(format!(
                "{} forgotten",
                format_count(forgotten as u64, "breakpoint")
            ))),
        }
    }

    pub(super) fn pause_run(&mut self, reason: Option<String>) {
        self.suspend_run(RunState::Paused(reason.clone()), reason);
    }

    /// There is no verdict, and the engine can do nothing about it.
    pub(super) fn stall_run(&mut self, reason: String) {
        self.suspend_run(RunState::Stalled(reason.clone()), Some(reason));
    }

    fn suspend_run(&mut self, state: RunState, reason: Option<String>) {
        // A breakpoint that was reached may be gone.
        self.record.breakpoints = self.breakpoints.lasting_conditions();
        (self.paused, self.root_state.steps) = (true, 0);
        self.record.state = state;
        let before = self.record.counts.decisions + 1 + u64::from(self.root_state.permitted);
        self.record.publisher.emit_event(RunEvent::Paused {
            before,
            reason,
            is_attended: self.audience.is_present(),
        });
        self.publish_snapshot();
    }

    /// Pauses where a breakpoint says so. Whoever set it may have gone, but that of a script is the same, whoever looked before.
    pub(super) fn pause_at_breakpoint(&mut self, reached: &ReachedBreakpoint) {
        if reached.is_scripted {
            self.audience.forget_departed();
        }
        self.pause_run(Some(reached.name.to_string()));
    }

    /// Pauses if the user wants to stop at this.
    pub(super) fn check_breakpoints(&mut self, event: &BreakEvent) {
        if let Some(reached) = self.breakpoints.on_event(event)
            && !self.paused
        {
            self.pause_speculation();
            self.pause_at_breakpoint(&reached);
        }
    }

    /// Tests nothing ahead from now on.
    pub(super) fn pause_speculation(&mut self) {
        self.paused = true;
        self.tree.drop_speculation();
        self.cancel_unwanted();
    }
}
