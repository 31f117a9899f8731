//! Commands: they hold between two decisions, at a question, at the end, or before a piece of work ([`super::planning`]).
//!
//! The journal says before which decision a command held, after how many refusals and pieces of work since the last decision, so a replay
//! finds the same place. A command that changes what is asked changes the proposer at the root (`SpeculationTree::change_root`): speculation is
//! dropped, the current question is planned anew, and a test that no longer matters is killed.

use super::testing_state::RootState;
use super::{CommandResult, ReductionEngine, RunFinished};
use crate::pass::{self, Effort, PassOptions};
use crate::program::NodeId;
use crate::reduce::commands::{EngineCommand, PassVerb, check_strategy_fits};
use crate::reduce::proposer::{PassSchedule, ProposerState, ProposerStop};
use crate::reduce::reporting::FinishReason;

impl ReductionEngine {
    pub(super) fn execute_command(&mut self, command: EngineCommand) -> Result<(), RunFinished> {
        // The current candidate is proposed again, unless the command leaves it alone.
        let asked = u64::from(self.root_state.permitted && command.waits_for_test());
        let mut place = self.command_position();
        place.before += asked;
        if !command.changes_proposals() {
            place.work_steps = None;
        }
        let before = place.before;
        self.journal.record_command(place, &command);
        let outcome = match &command {
            EngineCommand::Stop => return Err(RunFinished(FinishReason::Stopped)),
            EngineCommand::Pause => self.execute_pause(),
            EngineCommand::Resume => self.resume_run(),
            EngineCommand::Step(stride) => self.step_run(*stride),
            EngineCommand::Until(condition) => self.set_breakpoint(condition, true),
            EngineCommand::Break(condition) => self.set_breakpoint(condition, false),
            EngineCommand::Unbreak(condition) => self.forget_breakpoints(condition.as_ref()),
            EngineCommand::Constrain(rule, target) => self.constrain_target(*rule, target),
            EngineCommand::Release(what, target) => {
                self.release_constraints(*what, target.as_ref())
            }
            EngineCommand::Require(query) => self.require_match(query),
            EngineCommand::Slice(target) => self.slice_program(target.as_ref()),
            EngineCommand::Skip(skip) => self.execute_skip(*skip),
            EngineCommand::Pass(verb, name) => {
                self.change_schedule(|schedule| schedule.apply_pass_verb(*verb, name))
            }
            EngineCommand::Order(names) => {
                self.change_schedule(|schedule| schedule.reorder_passes(names))
            }
            EngineCommand::Effort(effort) => self.set_effort(*effort),
            EngineCommand::Strategy(name) => self.set_strategy(name),
            EngineCommand::Rule { rule, now } => self.add_rule(rule, *now),
            EngineCommand::Try(attempt) => self.execute_try(attempt),
            EngineCommand::Edit { side, text, larger } => self.execute_edit(*side, text, *larger),
            EngineCommand::Propose(proposal) => self.execute_proposal(proposal),
            EngineCommand::Recheck => self.execute_recheck(),
            EngineCommand::NewTest(false) => self.try_new_test(),
            EngineCommand::NewTest(true) => self.set_new_test(),
            EngineCommand::Property(change, false) => self.try_property(change),
            EngineCommand::Property(change, true) => self.set_property(change),
            EngineCommand::Confirm(quorum) => self.set_quorum(*quorum),
            EngineCommand::Jobs(jobs) => self.set_jobs(*jobs),
            EngineCommand::Timeout(limit) => self.set_timeout(*limit),
            EngineCommand::Undo(undo, version) => self.execute_undo(*undo, *version),
            EngineCommand::Redo => self.execute_redo(),
            EngineCommand::Goto(version) => self.execute_goto(*version),
        };
        let line = command.to_log_line();
        let is_from_outside =
            matches!(command, EngineCommand::Propose(_)) && self.external.is_asked();
        match is_from_outside && outcome.is_ok() {
            true => self.record.report_proposal(before, line),
            false => self.record.record_command(before, line, outcome),
        }
        self.publish_snapshot();
        match self.commands.stop_requested() {
            true => self.execute_command(EngineCommand::Stop),
            false => Ok(()),
        }
    }

    /// The node that the current candidate is about.
    pub(super) fn proposed_node(&self) -> Option<NodeId> {
        match &self.root_node().stop {
            ProposerStop::Test(proposed) => proposed.why.node,
            ProposerStop::Work(_) | ProposerStop::Reparse | ProposerStop::Done => None,
        }
    }

    /// Changes the rules of the current version, and proposes again.
    pub(super) fn change_rules<T>(&mut self, change: impl FnOnce(&mut ProposerState) -> T) -> T {
        self.change_root(|proposer| {
            let changed = change(proposer);
            proposer.invalidate_proposer();
            changed
        })
    }

    /// Changes the proposer at the root. Its unfinished work begins again.
    pub(super) fn change_root<T>(&mut self, change: impl FnOnce(&mut ProposerState) -> T) -> T {
        if self.planner.works_for(self.tree.root_index()) {
            self.planner.abandon();
        }
        let changed = self.tree.change_root(change);
        self.advance_root();
        self.reset_root_state();
        changed.expect("the present is there")
    }

    /// The proposer at the root proposes something else than before.
    pub(super) fn reset_root_state(&mut self) {
        let RootState {
            steps, permitted, ..
        } = self.root_state;
        self.root_state = RootState {
            steps,
            permitted,
            ..RootState::default()
        };
        self.record.current_test = None;
        self.cancel_unwanted();
        self.process_root_events();
    }

    fn set_jobs(&mut self, jobs: usize) -> CommandResult {
        self.pool.resize(jobs).map_err(|error| error.to_string())?;
        self.record.jobs = jobs;
        Ok(None)
    }

    pub(super) fn change_schedule(
        &mut self,
        change: impl FnOnce(&mut PassSchedule) -> Result<(), String>,
    ) -> CommandResult {
        let changed = self.change_root(|proposer| change(&mut proposer.schedule));
        changed.map(|()| None)
    }

    fn set_effort(&mut self, effort: Effort) -> CommandResult {
        let changed = self.change_root(|proposer| proposer.set_effort(effort));
        if changed.is_ok() {
            self.record.set_effort(effort);
        }
        changed.map(|()| None)
    }

    /// The passes of another strategy begin from the current version.
    fn set_strategy(&mut self, name: &str) -> CommandResult {
        let named = pass::parse_strategy(name)?;
        if let Some(base) = self.detour_base {
            return Err(format!(
                "inside a detour the strategy cannot change; goto {base} first, or wait for its end"
            ));
        }
        let version = &self.root_node().proposer.view.version;
        check_strategy_fits(named.options.strategy, version)?;
        let before = self.record.options();
        let options = PassOptions {
            effort: before.effort,
            keeps_text: before.keeps_text,
            disabled_features: before
                .disabled_features
                .and(named.options.disabled_features),
            enabled_features: before.enabled_features.and(named.options.enabled_features),
            ..named.options
        };
        let options = options.for_version(version);
        let mut forgotten = self.root_node().proposer.schedule.passes_off();
        forgotten.retain(|name| !options.strategy.has_pass(name));
        if let Some(line) = self.record.passes.running_pass() {
            self.journal.record_pass(line);
        }
        self.record.set_options(options);
        self.change_root(|proposer| proposer.set_strategy(options));
        Ok((!forgotten.is_empty()).then(|| {
            format!(
                "{} has no {}, so that it is off is forgotten",
                options.strategy.name,
                forgotten.join(", ")
            )
        }))
    }

    pub(super) fn set_pass_disabled(&mut self, pass: &str, disabled: bool) -> CommandResult {
        let verb = match disabled {
            true => PassVerb::Disable,
            false => PassVerb::Enable,
        };
        self.change_schedule(|schedule| schedule.apply_pass_verb(verb, pass))
    }
}
