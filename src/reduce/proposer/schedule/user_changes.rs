//! What the user changes in the schedule: the order of the passes, which of them run, and how much is asked.

use std::sync::Arc;

use super::{PassSchedule, PendingManualEdit, ScheduleSlot};
use crate::display::EscapeHidden;
use crate::pass::{Effort, PassOptions, RoundScope, STRATEGIES};
use crate::program::{Edit, EditReason};
use crate::reduce::commands::PassVerb;

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

    /// Who proposed this edit, if it is the user's, or that of a program outside, and on its way.
    pub fn manual_proposer(&self, edit: &Edit) -> Option<&'static str> {
        let proposal = self.manual_edit.as_ref();
        let proposal = proposal.filter(|proposal| proposal.edit == *edit)?;
        Some(proposal.why.pass)
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
    pub(super) fn jump_to_pass(&mut self, next: usize) {
        self.reset_scope();
        (self.turn.at, self.turn.round) = (next, 1);
        self.turn.jumps += 1;
        self.interrupted |= self.running.take().is_some();
    }

    pub(super) fn change_order(&mut self, change: impl FnOnce(&mut Vec<ScheduleSlot>)) {
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

    /// The passes that the user cut short.
    pub fn skipped_passes(&self) -> Vec<&'static str> {
        let skipped = self.turn.order.iter().filter(|slot| slot.skipped);
        skipped.map(|slot| slot.kind.name).collect()
    }

    /// What the user cut short runs again, and what follows it.
    pub fn unskip_passes(&mut self) {
        let first = self.turn.order.iter().position(|slot| slot.skipped);
        self.change_order(|order| order.iter_mut().for_each(|slot| slot.skipped = false));
        if let Some(first) = first.filter(|&first| first < self.turn.at) {
            self.jump_to_pass(first);
        }
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
        let before = self.options;
        self.options.effort = effort;
        let options = self.options;
        self.change_order(|order| {
            // What the user switched on or off stays so, unless the effort says otherwise now.
            for slot in order.iter_mut() {
                let name = slot.kind.name;
                if options.starts_enabled(name) != before.starts_enabled(name) {
                    slot.enabled = options.starts_enabled(name);
                }
            }
        });
        self.restart_strata();
        Ok(())
    }

    /// The passes of these options run from here on, all from the first. An edit of the user's stays on its way, and a pass that the user switched on
    /// or off stays so.
    pub fn set_strategy(&mut self, options: PassOptions) {
        let before = std::mem::replace(self, PassSchedule::new(options));
        let switched = before.switched_slots();
        self.change_order(|order| {
            for slot in order {
                let same = switched.iter().find(|old| old.kind.name == slot.kind.name);
                slot.enabled = same.map_or(slot.enabled, |same| same.enabled);
            }
        });
        self.turn.jumps = before.turn.jumps + 1;
        self.interrupted = before.interrupted || before.running.is_some();
        (self.acceptance, self.manual_edit) = (before.acceptance, before.manual_edit);
    }

    /// The passes that the user has switched on or off.
    fn switched_slots(&self) -> Vec<ScheduleSlot> {
        let order = self.turn.order.iter().copied();
        order
            .filter(|slot| slot.enabled != self.options.starts_enabled(slot.kind.name))
            .collect()
    }

    /// The names of the passes that the user has switched off.
    pub fn passes_off(&self) -> Vec<&'static str> {
        let off = self.switched_slots().into_iter();
        let off = off.filter(|slot| !slot.enabled);
        off.map(|slot| slot.kind.name).collect()
    }

    /// How much it asks.
    pub fn effort(&self) -> Effort {
        self.options.effort
    }

    /// Passes of the strata that have had their turn begin again, from the first.
    pub fn restart_strata(&mut self) {
        let strategy = self.options.strategy;
        let mut order = self.turn.order.iter();
        let first = order.position(|slot| strategy.stratum_of(slot.kind.name).is_some());
        if let Some(first) = first.filter(|first| *first <= self.turn.at) {
            self.jump_to_pass(first);
        }
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

    /// Runs the pass of this name next, from its beginning, even if it is off or had its turn; those behind it follow.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn run_pass_now(&mut self, name: &str) -> Result<(), String> {
        self.reorder_passes(&[name.into()])?;
        let at = self.turn.at;
        self.change_order(|order| (order[at].enabled, order[at].skipped) = (true, false));
        self.jump_to_pass(at);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass;

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
    fn a_pass_that_was_skipped_runs_again_and_then_is_skipped_no_more() {
        let mut schedule = hdd();
        schedule.skip_pass().expect("one runs");
        assert_eq!(
            (schedule.skipped_passes(), now(&schedule)),
            (vec!["line markers"], "comments")
        );
        schedule.unskip_passes();
        assert_eq!(
            (schedule.skipped_passes(), now(&schedule)),
            (vec![], "line markers")
        );
    }

    #[test]
    fn a_pass_that_is_to_run_now_runs_before_what_is_left() {
        let mut schedule = hdd();
        schedule.skip_pass().expect("one runs");
        schedule
            .apply_pass_verb(PassVerb::Disable, "hdd")
            .expect("it can");
        schedule.run_pass_now("hdd").expect("it can");
        assert_eq!(
            (names(&schedule), now(&schedule)),
            (vec!["line markers", "hdd", "comments"], "hdd")
        );
        schedule.run_pass_now("line markers").expect("it can");
        assert_eq!(
            (names(&schedule), now(&schedule)),
            (vec!["line markers", "hdd", "comments"], "line markers")
        );
        assert!(schedule.run_pass_now("magic").is_err());
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
