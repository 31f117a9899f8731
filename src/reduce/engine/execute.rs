//! Commands: they hold between two decisions.

use std::sync::Arc;

use super::ReductionEngine;
use super::breakpoints::ScriptTrigger;
use super::root_state::{RootState, RunFinished};
use crate::pass;
use crate::program::{
    Constraint, ConstraintRule, ConstraintSet, ExclusionReason, NodeId, NodeTarget, ProgramNode,
    QueryRequirement, TargetError, Version, head_tokens, tokens_of,
};
use crate::reduce::commands::{
    ConstraintGroup, EngineCommand, PassVerb, SkipScope, StepUnit, script_line,
};
use crate::reduce::ports::CommandPosition;
use crate::reduce::proposer::ProposerStop;
use crate::reduce::reporting::{FinishReason, RunEvent, RunState};

/// What became of a command: a sentence for the user, if there is more to say than that it holds.
pub(super) type CommandResult = Result<Option<String>, String>;

impl ReductionEngine {
    /// The next command of the script, if its moment has come.
    pub(super) fn next_scripted_command(&mut self) -> Option<EngineCommand> {
        let (counts, place) = (&self.record.counts, self.command_position());
        let tokens = self.root_node().proposer.view.version.token_count();
        // Other moments come with a question, so that they are the same whatever is planned ahead.
        let before_work = |(when, command): &(ScriptTrigger, EngineCommand)| match when {
            ScriptTrigger::Start => !command.is_about_candidate(),
            ScriptTrigger::Exactly(recorded) => *recorded == place,
            ScriptTrigger::Decision(_) | ScriptTrigger::Commit(_) | ScriptTrigger::Size(_) => false,
        };
        let at_question = |(when, _): &(ScriptTrigger, EngineCommand)| match *when {
            ScriptTrigger::Start => true,
            ScriptTrigger::Decision(decision) => place.before >= decision,
            ScriptTrigger::Commit(takes) => counts.accepted >= takes,
            ScriptTrigger::Size(size) => tokens <= size,
            ScriptTrigger::Exactly(recorded) => {
                (place.before, place.rejected) >= (recorded.before, recorded.rejected)
            }
        };
        let due = match self.is_planning() {
            true => self.script.iter().position(before_work)?,
            false => self.script.iter().position(at_question)?,
        };
        Some(self.script.remove(due).1)
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

    /// What is left of the script when the run has come to its end.
    pub(super) fn report_unreached_commands(&mut self) {
        for (when, command) in std::mem::take(&mut self.script) {
            let line = script_line(when, &command);
            self.add_note(format!(
                "the moment of `{line}` never came; nothing was done about it"
            ));
        }
    }

    pub(super) fn execute_command(&mut self, command: EngineCommand) -> Result<(), RunFinished> {
        // A question that is in the air is asked anew, unless the command leaves it alone.
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
            EngineCommand::Until(halt) => self.set_breakpoint(halt, true),
            EngineCommand::Break(halt) => self.set_breakpoint(halt, false),
            EngineCommand::Unbreak => Ok(Some(format!(
                "{} breakpoints forgotten",
                self.breakpoints.clear()
            ))),
            EngineCommand::Constrain(rule, target) => self.constrain_target(*rule, target),
            EngineCommand::Release(what, target) => {
                self.release_constraints(*what, target.as_ref())
            }
            EngineCommand::Require(query) => self.require_match(query),
            EngineCommand::Skip(skip) => self.execute_skip(*skip),
            EngineCommand::Pass(verb, name) => {
                self.change_schedule(|schedule| schedule.apply_pass_verb(*verb, name))
            }
            EngineCommand::Order(names) => {
                self.change_schedule(|schedule| schedule.reorder_passes(names))
            }
            EngineCommand::Try(attempt) => self.execute_try(attempt),
            EngineCommand::Edit { text, larger } => self.execute_edit(text, *larger),
            EngineCommand::Recheck => self.execute_recheck(),
            EngineCommand::Property(change, false) => self.try_property(change),
            EngineCommand::Property(change, true) => self.set_property(change),
            EngineCommand::Confirm(quorum) => self.set_quorum(*quorum),
            EngineCommand::Jobs(jobs) => self.set_jobs(*jobs),
            EngineCommand::Timeout(limit) => self.set_timeout(*limit),
            EngineCommand::Undo(undo) => self.execute_undo(*undo),
            EngineCommand::Redo => self.execute_redo(),
            EngineCommand::Goto(version) => self.execute_goto(*version),
        };
        self.record
            .record_command(before, command.to_string(), outcome);
        self.publish_snapshot();
        match self.stop_requested {
            true => self.execute_command(EngineCommand::Stop),
            false => Ok(()),
        }
    }

    fn execute_pause(&mut self) -> CommandResult {
        self.breakpoints.forget_steps();
        if self.paused {
            self.root_state.steps = 0;
            return Ok(None);
        }
        self.pause_speculation();
        self.pause_run(None);
        Ok(None)
    }

    fn resume_run(&mut self) -> CommandResult {
        if !self.paused {
            return Ok(None);
        }
        (self.paused, self.root_state.steps) = (false, 0);
        self.record.state = RunState::Running;
        let before = self.record.counts.decisions + 1 + u64::from(self.root_state.permitted);
        self.record.emit_event(RunEvent::Resumed { before });
        Ok(None)
    }

    fn step_run(&mut self, stride: StepUnit) -> CommandResult {
        if stride == StepUnit::Question {
            self.root_state.steps += u32::from(self.paused);
            return Ok(None);
        }
        let node = self.proposed_node();
        self.breakpoints.add_step(stride, node);
        self.resume_run()
    }

    fn set_breakpoint(
        &mut self,
        halt: &crate::reduce::commands::BreakCondition,
        once: bool,
    ) -> CommandResult {
        if let crate::reduce::commands::BreakCondition::Pass(name) = halt {
            self.root_node().proposer.schedule.pass_index(name)?;
        }
        let version = self.root_node().proposer.view.version.clone();
        self.breakpoints
            .add_breakpoint(halt, once, &version)
            .map_err(|error| error.to_string())?;
        match once {
            true => self.resume_run(),
            false => Ok(None),
        }
    }

    pub(super) fn pause_run(&mut self, reason: Option<String>) {
        self.suspend_run(RunState::Paused(reason.clone()), reason);
    }

    /// There is no verdict, and nothing that could be done about it here.
    pub(super) fn stall_run(&mut self, reason: String) {
        self.suspend_run(RunState::Stalled(reason.clone()), Some(reason));
    }

    fn suspend_run(&mut self, state: RunState, reason: Option<String>) {
        (self.paused, self.root_state.steps) = (true, 0);
        self.record.state = state;
        let before = self.record.counts.decisions + 1 + u64::from(self.root_state.permitted);
        self.record.emit_event(RunEvent::Paused { before, reason });
        self.publish_snapshot();
    }

    /// The node that the question at hand is about.
    pub(super) fn proposed_node(&self) -> Option<NodeId> {
        match &self.root_node().stop {
            ProposerStop::Test(question) => question.why.node,
            ProposerStop::Work(_) | ProposerStop::Reparse | ProposerStop::Done => None,
        }
    }

    /// Changes what the present asks under, and asks anew.
    pub(super) fn change_rules<T>(
        &mut self,
        change: impl FnOnce(&mut crate::reduce::proposer::ProposerState) -> T,
    ) -> T {
        self.change_root(|asking| {
            let changed = change(asking);
            asking.invalidate_proposer();
            changed
        })
    }

    /// Changes the asking side of the present. What is being planned of it is planned anew.
    pub(super) fn change_root<T>(
        &mut self,
        change: impl FnOnce(&mut crate::reduce::proposer::ProposerState) -> T,
    ) -> T {
        if self.planner.works_for(self.tree.root_index()) {
            self.planner.abandon();
        }
        let changed = self.tree.change_root(change);
        self.advance_root();
        self.reset_root_state();
        changed.expect("the present is there")
    }

    /// The present asks something else than before.
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

    /// Changes the constraints; those that are new and keep something are about tokens below `near`.
    fn change_constraints(&mut self, near: &[NodeId], change: impl FnOnce(&mut ConstraintSet)) {
        self.change_rules(|asking| {
            let mut constraints = (*asking.view.constraints).clone();
            change(&mut constraints);
            asking.view.set_constraints(constraints, near);
        });
    }

    pub(super) fn add_pin(&mut self, constraint: Constraint) {
        let documents = self.root_node().proposer.view.version.documents().iter();
        let roots: Vec<NodeId> = documents.map(|document| document.root.id).collect();
        self.change_constraints(&roots, |constraints| constraints.add_constraint(constraint));
    }

    pub(super) fn remove_pin(&mut self, constraint: &Constraint) {
        self.change_constraints(&[], |constraints| constraints.remove_constraint(constraint));
    }

    pub(super) fn set_banned(&mut self, candidate: crate::program::ContentHash, banned: bool) {
        self.change_constraints(&[], |constraints| match banned {
            true => constraints.skip_candidate(candidate),
            false => constraints.unskip_candidate(candidate),
        });
    }

    fn constrain_target(&mut self, rule: ConstraintRule, target: &NodeTarget) -> CommandResult {
        let version = &self.root_node().proposer.view.version;
        let nodes = target
            .find_nodes(version)
            .map_err(|error| error.to_string())?;
        let found = constraints_on(&nodes, rule, target).map_err(|error| error.to_string())?;
        let nodes: Vec<NodeId> = nodes.iter().map(|node| node.id).collect();
        let tokens: usize = found.iter().map(|constraint| constraint.tokens.len()).sum();
        self.change_constraints(&nodes, |constraints| {
            found
                .into_iter()
                .for_each(|constraint| constraints.add_constraint(constraint));
        });
        if matches!(rule, ConstraintRule::Doubt | ConstraintRule::Suspect) {
            // What is hinted at has its turn now; a strategy without such a pass goes by the order alone.
            let _ = self
                .change_schedule(|schedule| schedule.reorder_passes(&[pass::HINTS.name.into()]));
        }
        let plural = if tokens == 1 { "" } else { "s" };
        Ok(Some(format!("{tokens} token{plural}")))
    }

    fn release_constraints(
        &mut self,
        what: ConstraintGroup,
        target: Option<&NodeTarget>,
    ) -> CommandResult {
        let rules: &[ConstraintRule] = match what {
            ConstraintGroup::Pins => &[
                ConstraintRule::Pin,
                ConstraintRule::PinHead,
                ConstraintRule::Freeze,
            ],
            ConstraintGroup::Locks => &[ConstraintRule::Lock],
            ConstraintGroup::Focus => &[ConstraintRule::Focus],
            ConstraintGroup::Hints => &[ConstraintRule::Doubt, ConstraintRule::Suspect],
            ConstraintGroup::Requirements | ConstraintGroup::Skipped => &[],
        };
        let version = &self.root_node().proposer.view.version;
        let tokens = match target {
            Some(target) => {
                let nodes = target
                    .find_nodes(version)
                    .map_err(|error| error.to_string())?;
                Some(
                    nodes
                        .iter()
                        .flat_map(|node| tokens_of(node, true))
                        .collect::<Vec<_>>(),
                )
            }
            None => None,
        };
        let mut gone = 0;
        self.change_constraints(&[], |constraints| {
            gone = match what {
                ConstraintGroup::Requirements => constraints.clear_requirements(),
                ConstraintGroup::Skipped => constraints.clear_skipped(),
                _ => constraints.remove_matching(rules, tokens.as_deref()),
            };
        });
        match gone {
            0 => Err("there is nothing of the kind".into()),
            gone => {
                // What was closed has its turn again, in the passes that are over too. What was answered is known.
                self.change_schedule(|schedule| {
                    schedule.rewind_passes();
                    Ok(())
                })?;
                Ok(Some(format!("{gone} gone")))
            }
        }
    }

    fn require_match(&mut self, query: &Arc<str>) -> CommandResult {
        let version = &self.root_node().proposer.view.version;
        let requirement =
            QueryRequirement::new(query, version).map_err(|error| error.to_string())?;
        self.change_constraints(&[], |constraints| constraints.add_requirement(requirement));
        Ok(None)
    }

    fn execute_skip(&mut self, skip: SkipScope) -> CommandResult {
        let ProposerStop::Test(question) = &self.root_node().stop else {
            return Err("nothing is being asked".into());
        };
        let (hash, node) = (question.hash, question.why.node);
        match (skip, node) {
            (SkipScope::Candidate, _) => {
                self.change_constraints(&[], |constraints| constraints.skip_candidate(hash))
            }
            (SkipScope::Node, Some(node)) => {
                self.change_constraints(&[], |constraints| constraints.suspend_node(node))
            }
            (SkipScope::Node, None) => return Err(
                "this question is about several nodes or none; `skip candidate` leaves it alone"
                    .into(),
            ),
            (SkipScope::Pass, _) => return self.change_schedule(|schedule| schedule.skip_pass()),
        }
        Ok(None)
    }

    fn set_jobs(&mut self, jobs: usize) -> CommandResult {
        super::worker::lock_runner(&self.runner)
            .resize(jobs)
            .map_err(|error| error.to_string())?;
        self.workers
            .grow_to(&self.runner, jobs)
            .map_err(|error| error.to_string())?;
        (self.jobs, self.record.jobs) = (jobs, jobs);
        Ok(None)
    }

    pub(super) fn change_schedule(
        &mut self,
        change: impl FnOnce(&mut crate::reduce::proposer::PassSchedule) -> Result<(), String>,
    ) -> CommandResult {
        let changed = self.change_root(|asking| change(&mut asking.schedule));
        changed.map(|()| None)
    }

    pub(super) fn set_pass_disabled(&mut self, pass: &str, disabled: bool) -> CommandResult {
        let verb = match disabled {
            true => PassVerb::Disable,
            false => PassVerb::Enable,
        };
        self.change_schedule(|schedule| schedule.apply_pass_verb(verb, pass))
    }
}

impl EngineCommand {
    /// Whether it can change what is asked from there on.
    pub fn changes_proposals(&self) -> bool {
        !self.waits_for_test() && *self != EngineCommand::Stop
    }

    /// Whether it needs a question that is being asked.
    fn is_about_candidate(&self) -> bool {
        matches!(
            self,
            EngineCommand::Skip(SkipScope::Candidate | SkipScope::Node)
        )
    }

    /// Whether a question that is in the air is let end under the old rules.
    fn waits_for_test(&self) -> bool {
        matches!(
            self,
            EngineCommand::Pause
                | EngineCommand::Resume
                | EngineCommand::Step(_)
                | EngineCommand::Until(_)
                | EngineCommand::Break(_)
                | EngineCommand::Unbreak
                | EngineCommand::Jobs(_)
                | EngineCommand::Recheck
                | EngineCommand::Property(_, false)
        )
    }
}

/// The constraints of this rule on a target in a version, one for each place that it is.
///
/// # Errors
/// When the target is not there, or holds no token that such a constraint could be about.
pub fn resolve_constraints(
    version: &Version,
    rule: ConstraintRule,
    target: &NodeTarget,
) -> Result<Vec<Constraint>, TargetError> {
    constraints_on(&target.find_nodes(version)?, rule, target)
}

/// The constraints of this rule on what the target was found to be.
fn constraints_on(
    nodes: &[Arc<ProgramNode>],
    rule: ConstraintRule,
    target: &NodeTarget,
) -> Result<Vec<Constraint>, TargetError> {
    let name: Arc<str> = target.to_string().into();
    let constraints = nodes.iter().map(|node| Constraint {
        rule,
        tokens: match rule {
            ConstraintRule::PinHead => head_tokens(node),
            rule => tokens_of(node, rule != ConstraintRule::Pin),
        }
        .into(),
        name: name.clone(),
    });
    let constraints: Vec<Constraint> = constraints.filter(Constraint::has_subject).collect();
    match constraints.is_empty() {
        true => Err(TargetError::NotFound(format!(
            "{name}, of the program as it was read"
        ))),
        false => Ok(constraints),
    }
}

/// Which parts of a program the constraints close, counted by why: what the certificate leaves out.
pub fn count_closed_parts(
    version: &Version,
    constraints: &ConstraintSet,
) -> Vec<(ExclusionReason, u32)> {
    use crate::program::{NodeShape, strip_separator, walk};
    let mut counts = std::collections::BTreeMap::new();
    if constraints.is_empty() {
        return Vec::new();
    }
    for document in version.documents() {
        for node in walk::preorder(&document.root) {
            let parts: Vec<_> = match node.shape {
                shape if shape.is_list() => walk::iter_items(node).map(strip_separator).collect(),
                NodeShape::Opt => vec![node],
                _ => continue,
            };
            for why in parts
                .into_iter()
                .filter_map(|part| constraints.node_exclusion(part))
            {
                *counts.entry(why).or_insert(0) += 1;
            }
        }
    }
    let skipped = constraints.skipped_count() as u32;
    if skipped > 0 {
        counts.insert(ExclusionReason::Skipped, skipped);
    }
    counts.into_iter().collect()
}
