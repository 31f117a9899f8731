//! The order of the passes: a proposer itself, around the pass whose turn it is.
//!
//! After each pass, and where a pass has put in new text that it wants to look into, the tree is brought into agreement with the parser
//! ([`ProposerStep::Reparse`]: the fixed moment at which the tree may be read again). A pass that runs to a fixpoint begins anew as long as
//! its last run made the program smaller. The smart schedule has it ask only about a part of the program then (`smart_rounds.rs`). The user
//! may change the order, switch passes off and on, and have an edit of his own asked about before all others; a pass that he sends back or
//! changes the rules of asks about everything.

use std::sync::Arc;

use super::acceptance_rate::{AcceptanceRates, CandidateKind};
use super::smart_rounds::SmartRounds;
use crate::display::EscapeHidden;
use crate::pass::{
    self, DetourPlan, Effort, Pass, PassKind, RepeatPolicy, RoundScope, STRATEGIES, ScheduleKind,
    SyntaxCheck,
};
use crate::program::{AppliedEdit, Edit, EditReason, ObjectiveSize, Version, View};
use crate::protocol::{Feedback, Proposer, ProposerStep};
use crate::reduce::commands::PassVerb;

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
            _ if back.is_some() => self.go_back(back.unwrap_or_default()),
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

    fn detour_plan(&self) -> Option<&'static DetourPlan> {
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

/// Changes of the user.
impl PassSchedule {
    /// Whether an edit of the user's is on its way.
    pub fn has_manual_edit(&self) -> bool {
        self.manual_edit.is_some()
    }

    /// This edit is proposed before all others.
    pub fn set_manual_edit(&mut self, edit: Edit, why: EditReason) {
        let interesting = false;
        self.manual_edit = Some(Arc::new(PendingManualEdit {
            edit,
            why,
            interesting,
        }));
    }

    /// Withdraws the user's edit. Returns whether there was one.
    pub fn withdraw_manual_edit(&mut self) -> bool {
        self.manual_edit.take().is_some()
    }

    /// Whether this edit is the user's, and on its way.
    pub fn is_manual_edit(&self, edit: &Edit) -> bool {
        self.manual_edit
            .as_ref()
            .is_some_and(|proposal| proposal.edit == *edit)
    }

    /// Runs all passes again, from the first.
    pub fn rewind_passes(&mut self) {
        self.jump_to_pass(0);
    }

    /// Runs all passes again, if none is left.
    pub fn restart_if_done(&mut self) {
        if self.turn.at >= self.turn.order.len() {
            self.reset_scope();
            (self.turn.at, self.turn.round, self.running) = (0, 1, None);
        }
    }

    /// The place of the pass of this name.
    ///
    /// # Errors
    /// When there is none of that name; the sentence lists them.
    pub fn pass_index(&self, name: &str) -> Result<usize, String> {
        let mut order = self.turn.order.iter();
        order
            .position(|slot| slot.kind.name == name)
            .ok_or_else(|| {
                let names: Vec<_> = self.turn.order.iter().map(|slot| slot.kind.name).collect();
                let others = STRATEGIES.iter().filter(|known| known.has_pass(name));
                let others: Vec<_> = others.map(|known| known.name).collect();
                let hint = match &others[..] {
                    [] => String::new(),
                    _ => format!(
                        " (there is with --strategy {})",
                        others.join(" or --strategy ")
                    ),
                };
                format!(
                    "there is no pass `{}`{hint}; there are {}",
                    name.escape_hidden(),
                    names.join(", ")
                )
            })
    }

    /// Ends the current pass, and begins the one at `next`.
    fn jump_to_pass(&mut self, next: usize) {
        self.reset_scope();
        (self.turn.at, self.turn.round) = (next, 1);
        self.interrupted |= self.running.take().is_some();
    }

    fn change_order(&mut self, change: impl FnOnce(&mut Vec<ScheduleSlot>)) {
        let mut order = self.turn.order.to_vec();
        change(&mut order);
        self.turn.order = order.into();
    }

    /// Ends the current pass for now.
    ///
    /// # Errors
    /// When none is at hand.
    pub fn skip_pass(&mut self) -> Result<(), String> {
        let at = self.turn.at;
        self.current_pass().ok_or("no pass is running")?;
        self.change_order(|order| order[at].skipped = true);
        self.jump_to_pass(at + 1);
        Ok(())
    }

    /// Asks so much from here on. Passes of the strata that run with this effort and have had their turn begin again.
    ///
    /// # Errors
    /// When the strategy has no strata.
    pub fn set_effort(&mut self, effort: Effort) -> Result<(), String> {
        let strategy = self.options.strategy;
        if strategy.strata.is_empty() {
            return Err(format!("the strategy {} has no efforts", strategy.name));
        }
        self.options.effort = effort;
        let options = self.options;
        self.change_order(|order| {
            let in_strata =
                |slot: &&mut ScheduleSlot| strategy.stratum_of(slot.kind.name).is_some();
            for slot in order.iter_mut().filter(in_strata) {
                slot.enabled = options.starts_enabled(slot.kind.name);
            }
        });
        let mut order = self.turn.order.iter();
        let first = order.position(|slot| strategy.stratum_of(slot.kind.name).is_some());
        if let Some(first) = first.filter(|first| *first <= self.turn.at) {
            self.jump_to_pass(first);
        }
        Ok(())
    }

    /// Applies a verb to the pass of this name, or to all passes of the stratum of this name.
    ///
    /// # Errors
    /// When there is none of that name, or it cannot be done.
    pub fn apply_pass_verb(&mut self, verb: PassVerb, name: &str) -> Result<(), String> {
        let mut strata = self.options.strategy.strata.iter();
        let Some(stratum) = strata.find(|stratum| stratum.name == name) else {
            return self.apply_verb_to_pass(verb, name);
        };
        match verb {
            // The first of them runs at the end.
            PassVerb::Disable | PassVerb::Enable | PassVerb::Restart => {
                let mut passes = stratum.passes.iter().rev();
                passes.try_for_each(|kind| self.apply_verb_to_pass(verb, kind.name))
            }
            PassVerb::Earlier | PassVerb::Later => Err(format!(
                "{name} is a stratum, whose passes move one at a time"
            )),
        }
    }

    fn apply_verb_to_pass(&mut self, verb: PassVerb, name: &str) -> Result<(), String> {
        let (place, at) = (self.pass_index(name)?, self.turn.at);
        match verb {
            PassVerb::Disable => {
                self.change_order(|order| order[place].enabled = false);
                if place == at {
                    self.jump_to_pass(at + 1);
                }
            }
            PassVerb::Enable => {
                self.change_order(|order| order[place].enabled = true);
                // It may have missed a part of this round.
                if place < at || self.turn.scope != RoundScope::Everything {
                    self.jump_to_pass(place.min(at));
                }
            }
            PassVerb::Restart => {
                self.change_order(|order| {
                    (order[place].enabled, order[place].skipped) = (true, false)
                });
                // The user wants it again for a reason.
                self.any_rejected = true;
                self.running = None;
                self.interrupted |= place != at;
                self.jump_to_pass(place);
            }
            PassVerb::Earlier if place == 0 => return Err(format!("{name} is the first already")),
            PassVerb::Later if place + 1 == self.turn.order.len() => {
                return Err(format!("{name} is the last already"));
            }
            PassVerb::Earlier => self.swap_passes(place - 1),
            PassVerb::Later => self.swap_passes(place),
        }
        Ok(())
    }

    /// Swaps the passes at `first` and after it. If the running pass stands later for it, the other one begins.
    fn swap_passes(&mut self, first: usize) {
        self.change_order(|order| order.swap(first, first + 1));
        match self.turn.at {
            // A pass whose turn has passed would be skipped if it were only moved: it runs now.
            at if at == first || at == first + 1 => self.jump_to_pass(first),
            _ => {}
        }
    }

    /// Runs these passes next, in this order; those that are not named follow.
    ///
    /// # Errors
    /// When there is none of a name.
    pub fn reorder_passes(&mut self, names: &[Arc<str>]) -> Result<(), String> {
        let mut places = Vec::new();
        for name in names {
            let place = self.pass_index(name)?;
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let order = self.turn.order.clone();
        let named = |place: &usize| places.contains(place);
        let done: Vec<usize> = (0..self.turn.at).filter(|place| !named(place)).collect();
        let rest = (self.turn.at..order.len()).filter(|place| !named(place));
        let at = done.len();
        let all: Vec<usize> = done
            .iter()
            .copied()
            .chain(places.iter().copied())
            .chain(rest)
            .collect();
        let goes_on = all.get(at) == Some(&self.turn.at);
        self.change_order(|slots| *slots = all.iter().map(|&place| order[place]).collect());
        match goes_on {
            true => self.turn.at = at,
            false => self.jump_to_pass(at),
        }
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn names(schedule: &PassSchedule) -> Vec<&'static str> {
        schedule
            .turn
            .order
            .iter()
            .map(|slot| slot.kind.name)
            .collect()
    }

    fn now(schedule: &PassSchedule) -> &'static str {
        schedule.current_pass().map_or("nothing", |kind| kind.name)
    }

    fn hdd() -> PassSchedule {
        PassSchedule::new(pass::PassOptions::from_strategy(
            pass::find_strategy("hdd").expect("known"),
        ))
    }

    #[test]
    fn passes_move_and_what_moves_before_the_one_at_hand_runs_now() {
        let mut schedule = hdd();
        assert_eq!(names(&schedule), ["line markers", "comments", "hdd"]);
        schedule
            .apply_pass_verb(PassVerb::Earlier, "hdd")
            .expect("it can");
        assert_eq!(
            (names(&schedule), now(&schedule)),
            (vec!["line markers", "hdd", "comments"], "line markers")
        );
        schedule
            .apply_pass_verb(PassVerb::Earlier, "hdd")
            .expect("it can");
        assert_eq!(
            (names(&schedule), now(&schedule)),
            (vec!["hdd", "line markers", "comments"], "hdd")
        );
        schedule
            .reorder_passes(&["comments".into()])
            .expect("it can");
        assert_eq!(
            (names(&schedule), now(&schedule)),
            (vec!["comments", "hdd", "line markers"], "comments")
        );
        assert!(
            schedule
                .apply_pass_verb(PassVerb::Earlier, "comments")
                .is_err()
        );
        assert!(
            schedule
                .apply_pass_verb(PassVerb::Disable, "magic")
                .expect_err("no such")
                .contains("there are comments, hdd")
        );
    }

    #[test]
    fn a_pass_that_is_skipped_or_disabled_gives_way_to_the_next() {
        let mut schedule = hdd();
        schedule.skip_pass().expect("one runs");
        assert_eq!(now(&schedule), "comments");
        schedule
            .apply_pass_verb(PassVerb::Disable, "comments")
            .expect("it can");
        assert_eq!(now(&schedule), "hdd");
        schedule
            .apply_pass_verb(PassVerb::Enable, "comments")
            .expect("it can");
        assert_eq!(now(&schedule), "comments");
        schedule
            .apply_pass_verb(PassVerb::Restart, "line markers")
            .expect("it can");
        assert_eq!(now(&schedule), "line markers");
    }

    #[test]
    fn a_stratum_has_no_place_of_its_own_in_the_order() {
        let mut schedule = PassSchedule::new(pass::PassOptions::default());
        for verb in [PassVerb::Earlier, PassVerb::Later] {
            let refused = schedule.apply_pass_verb(verb, "rewrites");
            let refused = refused.expect_err("it cannot move");
            assert!(refused.contains("move one at a time"), "{refused}");
        }
        assert_eq!(
            hdd().set_effort(Effort::Hard).expect_err("none"),
            "the strategy hdd has no efforts"
        );
    }
}
