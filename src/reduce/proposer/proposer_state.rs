//! The proposer of a run: the schedule, the version it works on, and the one way to a candidate.
//!
//! `build_candidate` makes every candidate. It refuses an edit that breaks a constraint or makes the program larger (but for one that begins
//! a detour), so none of these gets to a runner.

use std::sync::Arc;

use super::detour::ActiveDetour;
use super::schedule::{PassSchedule, PassTurn};
use crate::pass::{Effort, PassOptions};
use crate::program::{
    self, AppliedEdit, ConstraintRule, ContentHash, DetourBound, Edit, EditAction, EditError,
    EditReason, ExclusionReason, NodeId, ParseTrees, SizeChange, TokenHash, Version, View,
    mark_pinned,
};
use crate::protocol::{AlgorithmState, Feedback, Proposer, ProposerStep};

/// The proposer and the version it works on: all that a branch has of its own.
#[derive(Clone)]
pub struct ProposerState {
    /// The schedule's state.
    pub schedule: PassSchedule,
    /// The version it asks about.
    pub view: View,
    interesting: Vec<Arc<InterestingEdit>>,
    /// The detour that it is in.
    detour: Option<ActiveDetour>,
    /// The candidates from which a pass's detour was dropped: none begins again.
    dropped_detours: imbl::OrdSet<ContentHash>,
}

/// An edit of the current version that was found interesting.
pub struct InterestingEdit {
    /// The edit.
    pub edit: Edit,
    /// Why it was proposed.
    pub why: EditReason,
    change: AppliedEdit,
    /// The version that it makes.
    pub version: Version,
    /// The schedule before it heard of the verdict, if the edit begins a detour of a pass.
    suspended: Option<PassSchedule>,
}

/// Why an edit is not proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditRejection {
    /// It cannot be made.
    #[error("{0}")]
    Edit(#[from] EditError),
    /// A constraint forbids it.
    #[error("closed by {}", .0.display_name())]
    Closed(ExclusionReason),
    /// It does not make the program smaller by the objective.
    #[error("it would not make {subject} smaller ({0})", subject = .0.subject())]
    Larger(SizeChange),
}

/// A candidate that can be tested.
pub struct ProposedCandidate {
    /// The edit.
    pub edit: Edit,
    /// Why.
    pub why: EditReason,
    /// The version that the edit makes, without the parser's trees.
    pub candidate: Version,
    /// The hash of its bytes.
    pub hash: ContentHash,
    /// The hash of its tokens, where white space between them means nothing.
    pub token_hash: Option<TokenHash>,
    change: AppliedEdit,
}

/// What happened on the way to a candidate: none of it needs an answer from outside.
#[derive(Clone)]
pub enum ProposerEvent {
    /// The schedule's pass or round may have changed.
    Turn(PassTurn),
    /// An edit was refused before any test.
    Rejected,
    /// An edit was accepted; whether it begins a detour.
    Accepted(Arc<InterestingEdit>, bool),
    /// A detour of a pass led nowhere, and the version that it left is current again.
    DetourDropped,
    /// The edit of the user, or of the program outside that has this name as a pass, was rejected: it has no match of a required query, or a later
    /// constraint forbids it.
    ManualEditRejected(&'static str),
}

/// Where the proposer stops.
pub enum ProposerStop {
    /// At a candidate.
    Test(Arc<ProposedCandidate>),
    /// Before work that needs no answer from outside.
    Work(ProposerWork),
    /// At the end of a pass, or because of new text in it: the text is reparsed.
    Reparse,
    /// At its end.
    Done,
}

/// Work before the next candidate. Each piece is done whole or not at all, and takes time that grows with the program; the run
/// receives commands meanwhile.
#[derive(Clone)]
pub enum ProposerWork {
    /// The proposer gets feedback, and accepts an interesting candidate. The trees are the candidate's, and needed for that.
    ApplyFeedback(Arc<ProposedCandidate>, Feedback, Option<ParseTrees>),
    /// The text is reparsed.
    Reparse,
    /// A detour of a pass is dropped.
    DropDetour,
    /// The next candidate, or the next accepted edit, is planned.
    Plan,
}

/// The outcome of work.
pub struct WorkResult {
    /// The proposer after it.
    pub proposer: ProposerState,
    /// What happened.
    pub events: Vec<ProposerEvent>,
    /// Where it stopped.
    pub stop: ProposerStop,
    /// Whether it works on another tree from here on.
    pub renewed: bool,
}

impl ProposerWork {
    /// Whether commands hold before it: no feedback would be lost with it.
    pub fn allows_commands(&self) -> bool {
        !matches!(self, ProposerWork::ApplyFeedback(..))
    }
}

impl ProposerState {
    /// The proposer at the start of a run.
    pub fn new(schedule: PassSchedule, view: View) -> ProposerState {
        ProposerState {
            schedule,
            view,
            interesting: Vec::new(),
            detour: None,
            dropped_detours: imbl::OrdSet::new(),
        }
    }

    /// Makes an edit of the user's the next candidate.
    pub fn propose_manual_edit(&mut self, edit: Edit, why: EditReason) {
        self.schedule.set_manual_edit(edit, why);
    }

    /// What the algorithm of the running pass does with the candidate that was proposed last.
    pub fn describe_algorithm(&self) -> Option<Arc<AlgorithmState<NodeId>>> {
        self.schedule.describe_algorithm(&self.view).map(Arc::new)
    }

    /// Withdraws the user's edit. Returns whether there was one.
    pub fn withdraw_manual_edit(&mut self) -> bool {
        self.schedule.withdraw_manual_edit()
    }

    /// Asks so much from here on. Detours that led nowhere with less effort may begin again, and the one that the run is in has the bounds of
    /// this effort.
    ///
    /// # Errors
    /// When the strategy has no strata.
    pub fn set_effort(&mut self, effort: Effort) -> Result<(), String> {
        let before = self.schedule.effort();
        self.schedule.set_effort(effort)?;
        self.dropped_detours.clear();
        if let (Some(detour), Some(plan)) = (&mut self.detour, self.schedule.detour_plan()) {
            detour.change_bounds(plan.bounds(before), plan.bounds(effort));
        }
        Ok(())
    }

    /// The passes of these options run from here on, from the first. Detours that led nowhere may begin again.
    pub fn set_strategy(&mut self, options: PassOptions) {
        self.schedule.set_strategy(options);
        self.interesting.clear();
        self.dropped_detours.clear();
    }

    /// The event for an edit that is rejected.
    fn rejection_event(&self, edit: &Edit) -> ProposerEvent {
        let proposer = self.schedule.manual_proposer(edit);
        proposer.map_or(ProposerEvent::Rejected, ProposerEvent::ManualEditRejected)
    }

    /// Makes another version of the run current; `is_inside` says whether it is inside the detour that the run is in. If not, the detour is
    /// over.
    pub fn switch_version(&mut self, version: &Version, is_inside: bool) {
        let returned = !is_inside
            && self.resume_suspended()
            && self.view.version.content_hash() == version.content_hash();
        if !returned {
            self.schedule.return_to_reducing_passes();
        }
        self.view.set_version(version);
    }

    /// Ends the detour. If a pass began it, its schedule goes on. Returns whether it does.
    fn resume_suspended(&mut self) -> bool {
        let Some(detour) = self.detour.take() else {
            return false;
        };
        let resumed = detour.resume_suspended(&self.schedule, &self.view);
        let Some((schedule, view)) = resumed else {
            return false;
        };
        self.dropped_detours.insert(detour.candidate_hash());
        (self.schedule, self.view) = (schedule, view);
        self.interesting.clear();
        true
    }

    /// The rules or the version changed: the proposer plans again.
    pub fn invalidate_proposer(&mut self) {
        self.interesting.clear();
        self.schedule.restart_if_done();
        self.schedule.invalidate(&self.view);
    }

    /// Does this work.
    pub fn run_work(mut self, work: ProposerWork) -> WorkResult {
        let mut events = Vec::new();
        // A version of the history has no trees. They are made here, wherever the run came from, so that a replay has the same.
        if let Some(parsed) = self.view.version.parse_dropped_trees() {
            self.view.version = parsed;
        }
        let rereads = matches!(work, ProposerWork::Reparse | ProposerWork::DropDetour);
        let stop = match work {
            ProposerWork::ApplyFeedback(proposed, answer, trees) => {
                if answer == Feedback::Rejected {
                    events.push(self.rejection_event(&proposed.edit));
                }
                self.on_verdict(&proposed, answer, trees.as_ref());
                match answer {
                    // What was found interesting is accepted with its answer.
                    Feedback::Interesting => self.plan_next(&mut events),
                    Feedback::Uninteresting | Feedback::Rejected => {
                        ProposerStop::Work(ProposerWork::Plan)
                    }
                }
            }
            ProposerWork::Reparse => {
                self.reparse_view();
                ProposerStop::Work(ProposerWork::Plan)
            }
            ProposerWork::DropDetour => {
                if self.resume_suspended() {
                    events.push(ProposerEvent::DetourDropped);
                    events.push(ProposerEvent::Turn(self.schedule.current_turn().clone()));
                }
                ProposerStop::Work(ProposerWork::Plan)
            }
            ProposerWork::Plan => self.plan_next(&mut events),
        };
        let taken = |event: &ProposerEvent| matches!(event, ProposerEvent::Accepted(..));
        WorkResult {
            renewed: rereads || events.iter().any(taken),
            proposer: self,
            events,
            stop,
        }
    }

    /// Continues until an answer from outside is needed, or an edit was accepted.
    fn plan_next(&mut self, events: &mut Vec<ProposerEvent>) -> ProposerStop {
        loop {
            if self.is_detour_over() {
                return ProposerStop::Work(ProposerWork::DropDetour);
            }
            let turn = self.schedule.current_turn().clone();
            let step = self.schedule.propose(&self.view);
            if matches!(step, ProposerStep::Test(..) | ProposerStep::Done)
                || *self.schedule.current_turn() != turn
            {
                events.push(ProposerEvent::Turn(self.schedule.current_turn().clone()));
            }
            match step {
                ProposerStep::Test(edit, why) => match self.build_candidate(&edit) {
                    Ok((candidate, change)) => {
                        let (hash, token_hash) = (candidate.content_hash(), candidate.token_hash());
                        return ProposerStop::Test(Arc::new(ProposedCandidate {
                            edit,
                            why,
                            candidate,
                            hash,
                            token_hash,
                            change,
                        }));
                    }
                    Err(_) => {
                        events.push(self.rejection_event(&edit));
                        self.schedule
                            .on_verdict(&self.view, &edit, Feedback::Rejected);
                    }
                },
                ProposerStep::Accept(edit) => {
                    events.push(self.accept_edit(&edit));
                    return ProposerStop::Work(ProposerWork::Plan);
                }
                ProposerStep::Reparse => return ProposerStop::Reparse,
                ProposerStep::Done => return ProposerStop::Done,
            }
        }
    }

    /// Whether a pass's detour has come to its end. What was found interesting in it is accepted first.
    fn is_detour_over(&self) -> bool {
        let mut detour = self.detour.iter();
        self.interesting.is_empty()
            && !self.schedule.has_manual_edit()
            && detour.any(|detour| detour.is_over(&self.schedule))
    }

    /// Whether this edit may make the program larger: it begins a detour to this version, or is only asked about. Not inside of a detour,
    /// and a pass's detour that was dropped does not begin again.
    fn may_grow(&self, edit: &Edit, version: &Version) -> bool {
        self.detour.is_none()
            && match edit.detour {
                None => false,
                Some(DetourBound::Unbounded | DetourBound::OnlyAsked) => true,
                Some(DetourBound::Decisions(_)) => {
                    !self.dropped_detours.contains(&version.content_hash())
                }
            }
    }

    /// The version that `edit` makes, if it can be made, keeps all pins, breaks no other constraint, and is smaller by the objective;
    /// of equal size only if the edit says that it is simpler.
    /// Only the first step of a detour may be larger, and what is only asked about.
    pub fn build_candidate(&self, edit: &Edit) -> Result<(Version, AppliedEdit), EditRejection> {
        let (base, constraints) = (&self.view.version, &self.view.constraints);
        let (mut version, change) = program::apply_edit(base, edit)?;
        if !constraints.is_empty() {
            let mut pinned = version.pinned_count() < base.pinned_count();
            if edit.is_rewrite() {
                version = mark_pinned(&version, constraints);
                pinned = version.pinned_count() < base.pinned_count()
                    || !constraints.keeps_frozen(base, &version);
            }
            // In a pair a token that comes into the other document ends to be a difference.
            pinned |= constraints.has_rule(ConstraintRule::PinDifference)
                && version.size().primary() < base.size().primary();
            let skipped = constraints.is_skipped(version.content_hash());
            let closed = constraints.edit_exclusion(base, edit);
            let closed = closed.or(skipped.then_some(ExclusionReason::Skipped));
            if let Some(closed) = pinned.then_some(ExclusionReason::Pinned).or(closed) {
                return Err(EditRejection::Closed(closed));
            }
        }
        if let Some(detour) = self
            .detour
            .as_ref()
            .filter(|detour| detour.leads_back(&version))
        {
            return Err(EditRejection::Larger(SizeChange::between(
                detour.base(),
                &version,
            )));
        }
        let simpler = edit.may_keep_size() && version.size() == base.size();
        match version.size() < base.size() || self.may_grow(edit, &version) {
            true => Ok((version, change)),
            false if simpler => Ok((version, change)),
            false => Err(EditRejection::Larger(SizeChange::between(base, &version))),
        }
    }

    /// Why this edit would not be proposed; none if it would.
    pub fn rejection_reason(&self, edit: &Edit) -> Option<EditRejection> {
        self.build_candidate(edit).err()
    }

    fn accept_edit(&mut self, edit: &Edit) -> ProposerEvent {
        let Some(found) = self
            .interesting
            .iter()
            .find(|found| found.edit == *edit)
            .cloned()
        else {
            unreachable!("a take names an edit that was found interesting on this version");
        };
        self.interesting.clear();
        let leaves = found.version.size() >= self.view.version.size();
        let leaves = leaves && !found.edit.may_keep_size();
        if leaves {
            let (edit, suspended) = (found.edit.clone(), found.suspended.clone());
            self.detour = Some(ActiveDetour::new(
                self.view.clone(),
                edit,
                found.version.content_hash(),
                suspended,
            ));
        }
        if let EditAction::Rule { name, .. } = &found.why.action {
            Arc::make_mut(&mut self.view.rules).record_accept(name);
        }
        self.schedule.record_accept(&self.view.version, &found.edit);
        self.view.version = found.version.clone();
        match found.suspended.is_some() {
            // The pass hears no more of it before the detour is over.
            true => self.schedule.begin_detour(),
            false => self.schedule.on_accept(&self.view, &found.change),
        }
        let is_smaller = |detour: &mut ActiveDetour| self.view.version.size() < detour.base_size();
        self.detour.take_if(is_smaller);
        ProposerEvent::Accepted(found, leaves)
    }

    /// Gives the proposer the answer to `proposed`. `trees` are the candidate's, and needed if it is interesting.
    fn on_verdict(
        &mut self,
        proposed: &ProposedCandidate,
        answer: Feedback,
        trees: Option<&ParseTrees>,
    ) {
        if let (Feedback::Interesting, Some(trees)) = (answer, trees) {
            let version = proposed.candidate.clone().with_parse_trees(trees.clone());
            let (edit, change) = (proposed.edit.clone(), proposed.change.clone());
            let begins = matches!(edit.detour, Some(DetourBound::Decisions(_)))
                && version.size() >= self.view.version.size();
            self.interesting.push(Arc::new(InterestingEdit {
                edit,
                why: proposed.why.clone(),
                change,
                version,
                suspended: begins.then(|| self.schedule.clone()),
            }));
        }
        if let Some(detour) = &mut self.detour
            && answer != Feedback::Rejected
        {
            detour.count_decision();
        }
        self.schedule.on_verdict(&self.view, &proposed.edit, answer);
    }

    /// Brings the tree into agreement with the parser, unless that would misread it.
    fn reparse_view(&mut self) {
        if let Some(version) = program::reparse_version(&self.view.version) {
            self.view.set_version(&version);
        }
        // A node that rests has its turn again in the next pass.
        if self.view.constraints.has_suspended() {
            let mut constraints = (*self.view.constraints).clone();
            constraints.resume_suspended();
            self.view.set_constraints(constraints, &[]);
        }
        self.interesting.clear();
        self.schedule.on_reparse(&self.view);
    }
}
