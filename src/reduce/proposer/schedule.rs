//! The order of the passes: a proposer itself, around the pass whose turn it is.
//!
//! After each pass, and where a pass has put in new text that it wants to look into, the tree is brought into agreement with the parser
//! ([`ProposerStep::Reparse`]: the fixed moment at which the tree may be read again). A pass that runs to a fixpoint begins anew as long as
//! its last run made the program smaller. The smart schedule has it ask only about a part of the program then (`smart_rounds.rs`). The user
//! may change the order, switch passes off and on, and have an edit of his own asked about before all others; a pass that he sends back or
//! changes the rules of asks about everything.

mod user_changes;

use std::sync::Arc;

use super::acceptance_rate::{AcceptanceRates, CandidateKind};
use super::smart_rounds::SmartRounds;
use crate::pass::{
    self, DetourPlan, Pass, PassKind, RepeatPolicy, RoundScope, ScheduleKind, SyntaxCheck,
};
use crate::program::{AppliedEdit, Edit, EditReason, NodeId, ObjectiveSize, Version, View};
use crate::protocol::{AlgorithmState, Feedback, Proposer, ProposerStep};

/// A pass in its place.
#[derive(Clone, Copy, Debug)]
pub struct ScheduleSlot {
    /// The pass.
    pub kind: &'static PassKind,
    /// Whether it runs.
    pub enabled: bool,
    /// Whether the user cut it short.
    pub skipped: bool,
}

/// Which pass runs.
#[derive(Clone, Debug)]
pub struct PassTurn {
    /// All passes in their order.
    pub order: Arc<[ScheduleSlot]>,
    /// The running pass, an index of `order`; its length when all are done.
    pub at: usize,
    /// Its round, from 1.
    pub round: u32,
    /// What it asks about.
    pub scope: RoundScope,
    /// How often a command or a detour led from one pass to another that is not the next: what lies between did not come to its end.
    pub jumps: u32,
}

impl PartialEq for PassTurn {
    fn eq(&self, other: &PassTurn) -> bool {
        (self.at, self.round) == (other.at, other.round)
            && Arc::ptr_eq(&self.order, &other.order)
            && self.scope == other.scope
    }
}

/// The state of the schedule. Cloning it costs the same for a small program and a large one.
#[derive(Clone)]
pub struct PassSchedule {
    options: pass::PassOptions,
    turn: PassTurn,
    acceptance: AcceptanceRates,
    /// The program's size when this round of the pass began.
    size: ObjectiveSize,
    /// The program's tokens when the strategy's round began, as the objective counts them; none before the first.
    round_size: Option<ObjectiveSize>,
    /// The same when the round of the passes began that a pass ends with [`RepeatPolicy::RoundFrom`], or a stratum at its end.
    loop_size: Option<ObjectiveSize>,
    /// Whether a candidate was rejected since the last pass that doubts the parser ran.
    any_rejected: bool,
    running: Option<Box<dyn Pass>>,
    /// The rounds of the smart schedule.
    smart: SmartRounds,
    /// The user ended a pass, or the pass itself wants to go on with new text read: the tree is brought into agreement with the parser, and
    /// that ends no round.
    interrupted: bool,
    manual_edit: Option<Arc<PendingManualEdit>>,
}

/// An edit of the user's, on its way to the test.
struct PendingManualEdit {
    edit: Edit,
    why: EditReason,
    interesting: bool,
}

impl PassSchedule {
    /// All passes, from the first.
    pub fn new(options: pass::PassOptions) -> PassSchedule {
        let slot = |kind: &'static PassKind| ScheduleSlot {
            kind,
            enabled: options.starts_enabled(kind.name),
            skipped: false,
        };
        PassSchedule {
            options,
            turn: PassTurn {
                order: options.scheduled_passes().map(slot).collect(),
                at: 0,
                round: 1,
                scope: RoundScope::Everything,
                jumps: 0,
            },
            acceptance: AcceptanceRates::default(),
            size: ObjectiveSize::MAX,
            round_size: None,
            loop_size: None,
            any_rejected: false,
            running: None,
            smart: SmartRounds::default(),
            interrupted: false,
            manual_edit: None,
        }
    }

    /// How likely a candidate is interesting, by the answers so far.
    pub fn acceptance_rate(&self, edit: &Edit) -> f64 {
        self.acceptance.rate_for(edit)
    }

    /// The kind of a candidate of the running pass.
    pub fn candidate_kind(&self, edit: &Edit) -> CandidateKind {
        let slot = self.turn.order.get(self.turn.at);
        CandidateKind::new(slot.map_or("", |slot| slot.kind.name), edit)
    }

    /// Which pass runs.
    pub fn current_turn(&self) -> &PassTurn {
        &self.turn
    }

    /// Whether a pass runs when it is reached.
    fn is_due(&self, slot: &ScheduleSlot) -> bool {
        let is_wanted = match slot.kind.syntax_check {
            SyntaxCheck::SkipAfter(name) if self.running.is_none() => {
                self.any_rejected && self.is_pass_enabled(name)
            }
            _ => true,
        };
        slot.enabled && is_wanted
    }

    /// Whether the pass of this name runs, if there is one: the user may have switched it off, or cut it short.
    fn is_pass_enabled(&self, name: &str) -> bool {
        let named = |slot: &&ScheduleSlot| slot.kind.name == name;
        let slot = self.turn.order.iter().find(named);
        slot.is_none_or(|slot| slot.enabled && !slot.skipped)
    }

    /// The place of the pass that runs next: disabled passes, or those with nothing to doubt, are passed over.
    fn next_due_index(&self) -> usize {
        let rest = self.turn.order.iter().skip(self.turn.at);
        let passed = rest.take_while(|slot| !self.is_due(slot)).count();
        self.turn.at + passed
    }

    /// The name of the pass that proposes next; none at the end, or before an edit of the user's.
    pub fn upcoming_pass(&self) -> Option<&'static str> {
        let slot = self.turn.order.get(self.next_due_index());
        slot.filter(|_| self.manual_edit.is_none())
            .map(|slot| slot.kind.name)
    }

    fn current_pass(&self) -> Option<&'static PassKind> {
        self.turn.order.get(self.turn.at).map(|slot| slot.kind)
    }

    /// Whether candidates are meant to be programs by the grammar. The user may write anything.
    pub fn is_syntactic(&self) -> bool {
        self.manual_edit.is_none()
            && self
                .current_pass()
                .is_none_or(|kind| match kind.syntax_check {
                    SyntaxCheck::Enforce => true,
                    SyntaxCheck::EnforceUnlessMisread => !self.options.unguarded_text,
                    SyntaxCheck::Skip | SyntaxCheck::SkipAfter(_) => false,
                })
    }

    /// After the last pass: goes back to the first of the passes that the strategy repeats, if the program has fewer tokens, by the objective,
    /// than when this round began. Returns whether it does.
    fn begin_round(&mut self, view: &View) -> bool {
        let (Some(name), Some(size)) = (self.options.strategy.repeat_from, self.round_size) else {
            return false;
        };
        let tokens = view.version.token_size();
        // The user may have put them into another order.
        let passes = self.options.strategy.passes.iter();
        let repeated: Vec<&str> = passes
            .map(|kind| kind.name)
            .skip_while(|pass| *pass != name)
            .collect();
        let mut order = self.turn.order.iter();
        let first = order.position(|slot| repeated.contains(&slot.kind.name));
        let Some(first) = first.filter(|_| tokens < size) else {
            return false;
        };
        self.round_size = Some(tokens);
        self.reset_scope();
        if self.turn.order[first..].iter().any(|slot| slot.skipped) {
            // They have their turn again.
            self.change_order(|order| {
                order[first..]
                    .iter_mut()
                    .for_each(|slot| slot.skipped = false)
            });
        }
        self.turn.at = first;
        true
    }

    /// The tree agrees with the parser again: the next round or pass.
    pub fn on_reparse(&mut self, view: &View) {
        if std::mem::take(&mut self.interrupted) {
            return;
        }
        let Some(kind) = self.current_pass() else {
            return;
        };
        let at = self.turn.at;
        if self.turn.order[at].skipped {
            // This time it came to its end.
            self.change_order(|order| order[at].skipped = false);
        }
        let smaller = view.version.size() < self.size;
        let is_smart = self.options.schedule == ScheduleKind::Smart;
        let ends_round = is_smart && self.ends_round(kind, smaller);
        let again = match is_smart {
            true => ends_round && self.smart.next_round(&view.version),
            false => smaller,
        };
        self.turn.scope = self.smart.scope().clone();
        let tokens = view.version.token_size();
        let paid = self.loop_size.is_some_and(|size| tokens < size);
        let back = match kind.repeat {
            RepeatPolicy::BackTo(name) => Some(name).filter(|_| again),
            RepeatPolicy::RoundFrom(name) => {
                Some(name).filter(|_| if is_smart { again } else { paid })
            }
            RepeatPolicy::Never => self.repeated_stratum().filter(|_| paid),
            RepeatPolicy::Fixpoint => None,
        };
        match kind.repeat {
            RepeatPolicy::Fixpoint if again => {
                self.turn.round += 1;
                self.size = view.version.size();
                match &mut self.running {
                    Some(running) if !is_smart => running.invalidate(view),
                    // The next round has another scope.
                    running => *running = None,
                }
                return;
            }
            _ if back.is_some() => {
                // The pass at the beginning of the round may be off: the next round counts from here.
                self.loop_size = Some(tokens);
                self.go_back(back.unwrap_or_default());
            }
            _ => self.turn.at += 1,
        }
        self.turn.round = match is_smart {
            true if again => self.turn.round + 1,
            true if !ends_round => self.turn.round,
            _ => 1,
        };
        self.running = None;
    }

    /// Goes back to the pass of this name if it is enabled, else begins the current one again. What was skipped in between has its turn again.
    fn go_back(&mut self, name: &str) {
        let place = self.pass_index(name).ok();
        let place = place.filter(|&place| self.turn.order[place].enabled);
        let at = self.turn.at;
        self.turn.at = place.unwrap_or(at).min(at);
        let first = self.turn.at;
        if self.turn.order[first..=at].iter().any(|slot| slot.skipped) {
            self.change_order(|order| {
                order[first..=at]
                    .iter_mut()
                    .for_each(|slot| slot.skipped = false)
            });
        }
    }

    /// Where the run begins again if the current pass is the last of its stratum that runs.
    fn repeated_stratum(&self) -> Option<&'static str> {
        let stratum = self
            .options
            .strategy
            .stratum_of(self.current_pass()?.name)?;
        let later = &self.turn.order[self.turn.at + 1..];
        let is_open = |slot: &ScheduleSlot| slot.enabled && stratum.has_pass(slot.kind.name);
        stratum.repeat_from.filter(|_| !later.iter().any(is_open))
    }

    /// Whether rounds of several passes begin with this one.
    fn begins_rounds(&self, kind: &PassKind) -> bool {
        let mut strata = self.options.strategy.strata.iter();
        let begins = RepeatPolicy::RoundFrom(kind.name);
        strata.any(|stratum| stratum.repeat_from == Some(kind.name))
            || self
                .turn
                .order
                .iter()
                .any(|slot| slot.kind.repeat == begins)
    }

    /// Whether a round of the smart schedule ends with this pass: it made the program smaller, or no later one sends the run back to the
    /// same place.
    fn ends_round(&self, kind: &PassKind, smaller: bool) -> bool {
        let mut later = self.turn.order.iter().skip(self.turn.at + 1);
        match kind.repeat {
            RepeatPolicy::Never => false,
            RepeatPolicy::Fixpoint | RepeatPolicy::RoundFrom(_) => true,
            RepeatPolicy::BackTo(_) => {
                smaller || !later.any(|slot| slot.enabled && slot.kind.repeat == kind.repeat)
            }
        }
    }

    /// Whether the current pass belongs to a round of passes ([`RepeatPolicy::RoundFrom`]) that began before it.
    fn is_inside_round(&self) -> bool {
        let begun = &self.turn.order[..self.turn.at.min(self.turn.order.len())];
        let rest = &self.turn.order[begun.len()..];
        rest.iter().any(|slot| match slot.kind.repeat {
            RepeatPolicy::RoundFrom(name) => begun.iter().any(|slot| slot.kind.name == name),
            _ => false,
        })
    }

    /// Everything may be asked about again.
    fn reset_scope(&mut self) {
        self.smart.reset_scope();
        self.turn.scope = RoundScope::Everything;
    }

    /// An edit of `base` was accepted.
    pub fn record_accept(&mut self, base: &Version, edit: &Edit) {
        if self.options.schedule == ScheduleKind::Smart {
            self.smart.record_accept(base, edit);
        }
    }
}

/// Detours of passes.
impl PassSchedule {
    /// The passes that reduce inside a detour run next.
    pub fn begin_detour(&mut self) {
        self.return_to_reducing_passes();
        self.interrupted = true;
    }

    /// If the running pass is one that begins detours: the passes that reduce inside one run next, from the first.
    pub fn return_to_reducing_passes(&mut self) {
        let Some(plan) = self.detour_plan() else {
            return;
        };
        let at = self.turn.at;
        if let Ok(first) = self.pass_index(plan.first)
            && self
                .current_pass()
                .is_some_and(|kind| kind.name == plan.pass)
        {
            self.change_order(|order| {
                order
                    .iter_mut()
                    .take(at)
                    .skip(first)
                    .for_each(|slot| slot.skipped = false)
            });
            self.jump_to_pass(first.min(at));
        }
    }

    /// Whether the passes that reduce inside a detour have come to their end.
    pub fn has_left_detour_passes(&self) -> bool {
        let end = self
            .detour_plan()
            .and_then(|plan| self.pass_index(plan.pass).ok());
        end.is_none_or(|end| self.next_due_index() >= end)
    }

    pub(super) fn detour_plan(&self) -> Option<&'static DetourPlan> {
        self.options.strategy.detours
    }

    /// Takes over the user's changes of the order from the schedule that ran inside a detour. What was cut short there is not cut short here.
    pub fn keep_order_of(&mut self, inside: &PassSchedule) {
        let (own, name) = (
            self.turn.order.clone(),
            self.current_pass().map(|kind| kind.name),
        );
        let mut order = inside.turn.order.to_vec();
        for slot in &mut order {
            let before = own.iter().find(|before| before.kind.name == slot.kind.name);
            slot.skipped = before.is_some_and(|before| before.skipped);
        }
        self.turn.order = order.into();
        self.options = inside.options;
        let at = name.and_then(|name| self.pass_index(name).ok());
        self.turn.at = at.unwrap_or(self.turn.at);
        if self
            .turn
            .order
            .get(self.turn.at)
            .is_some_and(|slot| !slot.enabled)
        {
            self.jump_to_pass(self.turn.at + 1);
        }
    }
}

impl Proposer for PassSchedule {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        if let Some(proposal) = &self.manual_edit {
            return match proposal.interesting {
                true => ProposerStep::Accept(proposal.edit.clone()),
                false => ProposerStep::Test(proposal.edit.clone(), proposal.why.clone()),
            };
        }
        if self.interrupted {
            return ProposerStep::Reparse;
        }
        if self.options.strategy.repeat_from.is_some() && self.round_size.is_none() {
            self.round_size = Some(view.version.token_size());
        }
        self.turn.at = self.next_due_index();
        if self.current_pass().is_none() && self.begin_round(view) {
            self.turn.at = self.next_due_index();
        }
        let Some(kind) = self.current_pass() else {
            return ProposerStep::Done;
        };
        let (inside, begins_rounds) = (self.is_inside_round(), self.begins_rounds(kind));
        let running = self.running.get_or_insert_with(|| {
            self.size = view.version.size();
            if begins_rounds {
                self.loop_size = Some(view.version.token_size());
            }
            self.any_rejected &= !matches!(kind.syntax_check, SyntaxCheck::SkipAfter(_));
            if !inside {
                self.smart.start_pass();
            }
            kind.start_in_scope(view, &self.options, self.smart.scope())
        });
        match running.propose(view) {
            ProposerStep::Done => ProposerStep::Reparse,
            ProposerStep::Reparse => {
                self.interrupted = true;
                ProposerStep::Reparse
            }
            step => step,
        }
    }

    fn lookahead_edits(&self, view: &View, most: usize) -> Vec<Edit> {
        // What comes after the user's own edit hangs on its answer.
        let running = self.running.as_ref().filter(|_| self.manual_edit.is_none());
        running.map_or_else(Vec::new, |running| running.lookahead_edits(view, most))
    }

    fn describe_algorithm(&self, view: &View) -> Option<AlgorithmState<NodeId>> {
        // The user's own edit is the work of no algorithm.
        let running = self.running.as_ref().filter(|_| self.manual_edit.is_none());
        running.and_then(|running| running.describe_algorithm(view))
    }

    fn on_verdict(&mut self, view: &View, asked: &Edit, answer: Feedback) {
        if let Some(proposal) = self.manual_edit.take() {
            if answer.is_interesting() {
                let (edit, why) = (proposal.edit.clone(), proposal.why.clone());
                self.manual_edit = Some(Arc::new(PendingManualEdit {
                    edit,
                    why,
                    interesting: true,
                }));
            }
            return;
        }
        self.any_rejected |= answer == Feedback::Rejected && self.is_syntactic();
        self.acceptance.record_feedback(asked, answer);
        if let Some(running) = &mut self.running {
            running.on_verdict(view, asked, answer);
        }
    }

    fn on_accept(&mut self, view: &View, change: &AppliedEdit) {
        let proposed = self.manual_edit.take().is_some();
        if proposed {
            self.reset_scope();
        }
        let Some(running) = &mut self.running else {
            return;
        };
        match proposed {
            // A pass need not know edits that none of ours makes.
            true => {
                self.size = self.size.max(view.version.size());
                running.invalidate(view);
            }
            false => running.on_accept(view, change),
        }
    }

    /// The rules or the version changed: the current pass plans again.
    fn invalidate(&mut self, view: &View) {
        self.reset_scope();
        // What is accepted from here on is a success of this round, however small the program was before.
        self.size = self.size.max(view.version.size());
        self.round_size = self
            .round_size
            .map(|size| size.max(view.version.token_size()));
        if let Some(running) = &mut self.running {
            running.invalidate(view);
        }
    }
}
