//! Commands: they hold between two decisions.

use std::sync::Arc;

use super::command::{Command, PassVerb, Release, Skip, Stride};
use super::engine::Engine;
use super::event::{Event, Finish};
use super::halts::When;
use super::journal::CommandPlace;
use super::present::{End, Present};
use super::script::line as script_line;
use super::snapshot::State;
use super::speculate::Stop;
use crate::pass;
use crate::program::{
    Closed, Constraint, Constraints, Node, NodeId, Requirement, Rule, Target, TargetError, Version,
    head_of, tokens_of,
};

/// What became of a command: a sentence for the user, if there is more to say than that it holds.
pub(super) type Outcome = Result<Option<String>, String>;

impl Engine {
    /// The next command of the script, if its moment has come.
    pub(super) fn due(&mut self) -> Option<Command> {
        let (counts, place) = (&self.record.counts, self.place());
        let tokens = self.present().asking.view.version.tokens();
        // Other moments come with a question, so that they are the same whatever is planned ahead.
        let before_work = |(when, command): &(When, Command)| match when {
            When::Start => !command.is_about_question(),
            When::Exactly(recorded) => *recorded == place,
            When::Decision(_) | When::Commit(_) | When::Size(_) => false,
        };
        let at_question = |(when, _): &(When, Command)| match *when {
            When::Start => true,
            When::Decision(decision) => place.before >= decision,
            When::Commit(takes) => counts.taken >= takes,
            When::Size(size) => tokens <= size,
            When::Exactly(recorded) => {
                (place.before, place.refused) >= (recorded.before, recorded.refused)
            }
        };
        let due = match self.is_working() {
            true => self.script.iter().position(before_work)?,
            false => self.script.iter().position(at_question)?,
        };
        Some(self.script.remove(due).1)
    }

    /// Where a command would hold now.
    pub(super) fn place(&self) -> CommandPlace {
        let counts = self.record.counts;
        CommandPlace {
            before: counts.decisions + 1,
            refused: counts.refused - self.refused_before,
            works: self.is_working().then_some(self.present().works),
        }
    }

    /// What is left of the script when the run has come to its end.
    pub(super) fn tell_what_never_came(&mut self) {
        for (when, command) in std::mem::take(&mut self.script) {
            let line = script_line(when, &command);
            self.note(format!(
                "the moment of `{line}` never came; nothing was done about it"
            ));
        }
    }

    pub(super) fn obey(&mut self, command: Command) -> Result<(), End> {
        // A question that is in the air is asked anew, unless the command leaves it alone.
        let asked = u64::from(self.at.permitted && command.waits());
        let mut place = self.place();
        place.before += asked;
        if !command.steers() {
            place.works = None;
        }
        let before = place.before;
        self.journal.command(place, &command);
        let outcome = match &command {
            Command::Stop => return Err(End(Finish::Stopped)),
            Command::Pause => self.rest(),
            Command::Resume => self.go(),
            Command::Step(stride) => self.stride(*stride),
            Command::Until(halt) => self.halt(halt, true),
            Command::Break(halt) => self.halt(halt, false),
            Command::Unbreak => Ok(Some(format!(
                "{} breakpoints forgotten",
                self.halts.clear()
            ))),
            Command::Constrain(rule, target) => self.constrain(*rule, target),
            Command::Release(what, target) => self.release(*what, target.as_ref()),
            Command::Require(query) => self.require(query),
            Command::Skip(skip) => self.skip(*skip),
            Command::Pass(verb, name) => self.order(|schedule| schedule.order_pass(*verb, name)),
            Command::Order(names) => self.order(|schedule| schedule.reorder(names)),
            Command::Try(attempt) => self.attempt(attempt),
            Command::Edit { text, larger } => self.edit(text, *larger),
            Command::Recheck => self.recheck(),
            Command::Property(change, false) => self.try_property(change),
            Command::Property(change, true) => self.look_for(change),
            Command::Confirm(quorum) => self.set_quorum(*quorum),
            Command::Jobs(jobs) => self.set_jobs(*jobs),
            Command::Timeout(limit) => self.set_timeout(*limit),
            Command::Undo(undo) => self.undo(*undo),
            Command::Redo => self.redo(),
            Command::Goto(version) => self.goto(*version),
        };
        self.record.obeyed(before, command.to_string(), outcome);
        self.publish();
        match self.stops {
            true => self.obey(Command::Stop),
            false => Ok(()),
        }
    }

    fn rest(&mut self) -> Outcome {
        self.halts.forget_steps();
        if self.paused {
            self.at.steps = 0;
            return Ok(None);
        }
        self.stand_still();
        self.pause(None);
        Ok(None)
    }

    fn go(&mut self) -> Outcome {
        if !self.paused {
            return Ok(None);
        }
        (self.paused, self.at.steps) = (false, 0);
        self.record.state = State::Running;
        let before = self.record.counts.decisions + 1 + u64::from(self.at.permitted);
        self.record.event(Event::Resumed { before });
        Ok(None)
    }

    fn stride(&mut self, stride: Stride) -> Outcome {
        if stride == Stride::Question {
            self.at.steps += u32::from(self.paused);
            return Ok(None);
        }
        let node = self.asked_node();
        self.halts.stride(stride, node);
        self.go()
    }

    fn halt(&mut self, halt: &super::command::Halt, once: bool) -> Outcome {
        if let super::command::Halt::Pass(name) = halt {
            self.present().asking.schedule.place(name)?;
        }
        let version = self.present().asking.view.version.clone();
        self.halts
            .add(halt, once, &version)
            .map_err(|error| error.to_string())?;
        match once {
            true => self.go(),
            false => Ok(None),
        }
    }

    pub(super) fn pause(&mut self, reason: Option<String>) {
        self.stop(State::Paused(reason.clone()), reason);
    }

    /// There is no verdict, and nothing that could be done about it here.
    pub(super) fn stick(&mut self, reason: String) {
        self.stop(State::Stuck(reason.clone()), Some(reason));
    }

    fn stop(&mut self, state: State, reason: Option<String>) {
        (self.paused, self.at.steps) = (true, 0);
        self.record.state = state;
        let before = self.record.counts.decisions + 1 + u64::from(self.at.permitted);
        self.record.event(Event::Paused { before, reason });
        self.publish();
    }

    /// The node that the question at hand is about.
    pub(super) fn asked_node(&self) -> Option<NodeId> {
        match &self.present().stop {
            Stop::Ask(question) => question.why.node,
            Stop::Work(_) | Stop::Settle | Stop::Done => None,
        }
    }

    /// Changes what the present asks under, and asks anew.
    pub(super) fn rethink<T>(
        &mut self,
        change: impl FnOnce(&mut super::speculate::Asking) -> T,
    ) -> T {
        self.change_present(|asking| {
            let changed = change(asking);
            asking.rethink();
            changed
        })
    }

    /// Changes the asking side of the present. What is being planned of it is planned anew.
    pub(super) fn change_present<T>(
        &mut self,
        change: impl FnOnce(&mut super::speculate::Asking) -> T,
    ) -> T {
        if self.planner.works_for(self.tree.root()) {
            self.planner.abandon();
        }
        let changed = self.tree.change(change);
        self.come_to_present();
        self.renew();
        changed.expect("the present is there")
    }

    /// The present asks something else than before.
    pub(super) fn renew(&mut self) {
        let Present {
            steps, permitted, ..
        } = self.at;
        self.at = Present {
            steps,
            permitted,
            ..Present::default()
        };
        self.record.trying = None;
        self.cancel_unwanted();
        self.arrive();
    }

    /// Changes the constraints; those that are new and keep something are about tokens below `near`.
    fn constraints(&mut self, near: &[NodeId], change: impl FnOnce(&mut Constraints)) {
        self.rethink(|asking| {
            let mut constraints = (*asking.view.constraints).clone();
            change(&mut constraints);
            asking.view.constrain(constraints, near);
        });
    }

    pub(super) fn pin(&mut self, constraint: Constraint) {
        let documents = self.present().asking.view.version.documents().iter();
        let roots: Vec<NodeId> = documents.map(|document| document.root.id).collect();
        self.constraints(&roots, |constraints| constraints.add(constraint));
    }

    pub(super) fn unpin(&mut self, constraint: &Constraint) {
        self.constraints(&[], |constraints| constraints.drop(constraint));
    }

    pub(super) fn ban(&mut self, candidate: crate::program::Hash, banned: bool) {
        self.constraints(&[], |constraints| match banned {
            true => constraints.skip(candidate),
            false => constraints.allow(candidate),
        });
    }

    fn constrain(&mut self, rule: Rule, target: &Target) -> Outcome {
        let version = &self.present().asking.view.version;
        let nodes = target.find(version).map_err(|error| error.to_string())?;
        let found = constraints_on(&nodes, rule, target).map_err(|error| error.to_string())?;
        let nodes: Vec<NodeId> = nodes.iter().map(|node| node.id).collect();
        let tokens: usize = found.iter().map(|constraint| constraint.tokens.len()).sum();
        self.constraints(&nodes, |constraints| {
            found
                .into_iter()
                .for_each(|constraint| constraints.add(constraint));
        });
        if matches!(rule, Rule::Doubt | Rule::Suspect) {
            // What is hinted at has its turn now; a strategy without such a pass goes by the order alone.
            let _ = self.order(|schedule| schedule.reorder(&[pass::HINTS.name.into()]));
        }
        let plural = if tokens == 1 { "" } else { "s" };
        Ok(Some(format!("{tokens} token{plural}")))
    }

    fn release(&mut self, what: Release, target: Option<&Target>) -> Outcome {
        let rules: &[Rule] = match what {
            Release::Pins => &[Rule::Keep, Rule::Head, Rule::Freeze],
            Release::Locks => &[Rule::Lock],
            Release::Focus => &[Rule::Focus],
            Release::Hints => &[Rule::Doubt, Rule::Suspect],
            Release::Requirements | Release::Skipped => &[],
        };
        let version = &self.present().asking.view.version;
        let tokens = match target {
            Some(target) => {
                let nodes = target.find(version).map_err(|error| error.to_string())?;
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
        self.constraints(&[], |constraints| {
            gone = match what {
                Release::Requirements => constraints.require_none(),
                Release::Skipped => constraints.unskip(),
                _ => constraints.remove(rules, tokens.as_deref()),
            };
        });
        match gone {
            0 => Err("there is nothing of the kind".into()),
            gone => {
                // What was closed has its turn again, in the passes that are over too. What was answered is known.
                self.order(|schedule| {
                    schedule.rewind();
                    Ok(())
                })?;
                Ok(Some(format!("{gone} gone")))
            }
        }
    }

    fn require(&mut self, query: &Arc<str>) -> Outcome {
        let version = &self.present().asking.view.version;
        let requirement = Requirement::new(query, version).map_err(|error| error.to_string())?;
        self.constraints(&[], |constraints| constraints.require(requirement));
        Ok(None)
    }

    fn skip(&mut self, skip: Skip) -> Outcome {
        let Stop::Ask(question) = &self.present().stop else {
            return Err("nothing is being asked".into());
        };
        let (hash, node) = (question.hash, question.why.node);
        match (skip, node) {
            (Skip::Candidate, _) => self.constraints(&[], |constraints| constraints.skip(hash)),
            (Skip::Node, Some(node)) => self.constraints(&[], |constraints| constraints.rest(node)),
            (Skip::Node, None) => return Err(
                "this question is about several nodes or none; `skip candidate` leaves it alone"
                    .into(),
            ),
            (Skip::Pass, _) => return self.order(|schedule| schedule.skip()),
        }
        Ok(None)
    }

    fn set_jobs(&mut self, jobs: usize) -> Outcome {
        super::worker::gate(&self.runner)
            .resize(jobs)
            .map_err(|error| error.to_string())?;
        self.workers
            .grow(&self.runner, jobs)
            .map_err(|error| error.to_string())?;
        (self.jobs, self.record.jobs) = (jobs, jobs);
        Ok(None)
    }

    pub(super) fn order(
        &mut self,
        change: impl FnOnce(&mut super::schedule::Schedule) -> Result<(), String>,
    ) -> Outcome {
        let changed = self.change_present(|asking| change(&mut asking.schedule));
        changed.map(|()| None)
    }

    pub(super) fn disable(&mut self, pass: &str, disabled: bool) -> Outcome {
        let verb = match disabled {
            true => PassVerb::Disable,
            false => PassVerb::Enable,
        };
        self.order(|schedule| schedule.order_pass(verb, pass))
    }
}

impl Command {
    /// Whether it can change what is asked from there on.
    pub fn steers(&self) -> bool {
        !self.waits() && *self != Command::Stop
    }

    /// Whether it needs a question that is being asked.
    fn is_about_question(&self) -> bool {
        matches!(self, Command::Skip(Skip::Candidate | Skip::Node))
    }

    /// Whether a question that is in the air is let end under the old rules.
    fn waits(&self) -> bool {
        matches!(
            self,
            Command::Pause
                | Command::Resume
                | Command::Step(_)
                | Command::Until(_)
                | Command::Break(_)
                | Command::Unbreak
                | Command::Jobs(_)
                | Command::Recheck
                | Command::Property(_, false)
        )
    }
}

/// The constraints of this rule on a target in a version, one for each place that it is.
///
/// # Errors
/// When the target is not there, or holds no token that such a constraint could be about.
pub fn constraint(
    version: &Version,
    rule: Rule,
    target: &Target,
) -> Result<Vec<Constraint>, TargetError> {
    constraints_on(&target.find(version)?, rule, target)
}

/// The constraints of this rule on what the target was found to be.
fn constraints_on(
    nodes: &[Arc<Node>],
    rule: Rule,
    target: &Target,
) -> Result<Vec<Constraint>, TargetError> {
    let name: Arc<str> = target.to_string().into();
    let constraints = nodes.iter().map(|node| Constraint {
        rule,
        tokens: match rule {
            Rule::Head => head_of(node),
            rule => tokens_of(node, rule != Rule::Keep),
        }
        .into(),
        name: name.clone(),
    });
    let constraints: Vec<Constraint> = constraints.filter(Constraint::is_about_something).collect();
    match constraints.is_empty() {
        true => Err(TargetError::Nothing(format!(
            "{name}, of the program as it was read"
        ))),
        false => Ok(constraints),
    }
}

/// Which parts of a program the constraints close, counted by why: what the certificate leaves out.
pub fn closed(version: &Version, constraints: &Constraints) -> Vec<(Closed, u32)> {
    use crate::program::{Shape, element, walk};
    let mut counts = std::collections::BTreeMap::new();
    if constraints.is_empty() {
        return Vec::new();
    }
    for document in version.documents() {
        for node in walk::preorder(&document.root) {
            let parts: Vec<_> = match node.shape {
                shape if shape.is_list() => walk::items(node).map(element).collect(),
                Shape::Opt => vec![node],
                _ => continue,
            };
            for why in parts
                .into_iter()
                .filter_map(|part| constraints.closes(part))
            {
                *counts.entry(why).or_insert(0) += 1;
            }
        }
    }
    let skipped = constraints.skipped() as u32;
    if skipped > 0 {
        counts.insert(Closed::Skipped, skipped);
    }
    counts.into_iter().collect()
}
