//! Moves in the tree of versions: undo, redo, goto, and the ends of detours.
//!
//! A move turns the view to another version and lets the pass whose turn it is plan anew; an undo adds what shall be different from now on. A
//! *detour* begins with an edit of the user or of a pass that makes the program larger. If it does not become smaller than its base, its end is
//! a move back to the base; what the user commanded meanwhile still holds. The end of a pass's detour is one of the proposer's
//! (`proposer/detour.rs`), and the engine records it.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{CommandResult, ReductionEngine};
use crate::pass;
use crate::program::{
    Constraint, ConstraintRule, DetourBound, Edit, SizeChange, TokenChange, TokenId, Version,
    tokens_of,
};
use crate::reduce::commands::UndoMode;
use crate::reduce::history::{UndoRecord, VersionRecord};
use crate::reduce::proposer::InterestingEdit;
use crate::reduce::reporting::{EXTERNAL, RunEvent, USER};

/// Who makes versions and is no pass that could be switched off.
const BY_NO_PASS: [(&str, &str); 3] = [
    (USER, "that was your own edit"),
    (EXTERNAL, "a program outside proposed it"),
    (pass::GC_NAME, "gc made it, which goes along with each pass"),
];

impl ReductionEngine {
    /// The version that an edit makes of the current one, as the history records it.
    pub(super) fn build_version_record(&self, found: &InterestingEdit) -> VersionRecord {
        let now = self.history.current_version();
        let decided = self.record.find_interesting(&found.edit);
        // The decision was about a tree that had perhaps been read again since the version became current.
        let sentence = decided.as_ref().map(|decided| decided.sentence.clone());
        let sentence = sentence.unwrap_or_else(|| {
            let change = TokenChange::between(&now.version, &found.version);
            found.why.to_sentence(&now.version, &found.edit, change)
        });
        VersionRecord {
            number: self.history.next_number(),
            parent: Some(now.number),
            decision: self.record.counts.decisions,
            decided,
            pass: self.record.passes.booked_name(found.why.pass),
            sentence,
            edit: Some(found.edit.clone()),
            hash: found.version.content_hash(),
            version: found.version.clone(),
            in_detour: self.detour_base.is_some(),
            ended_detour: None,
            flaky: false,
            properties: self.history.properties_in_force(),
        }
    }

    /// Adds a new version to the history.
    pub(super) fn add_version(&mut self, past: VersionRecord) {
        self.history.push(past);
        let smaller = |base: u64| {
            let base = self.history.get(base).map(|base| base.version.size());
            base.is_some_and(|base| self.history.current_version().version.size() < base)
        };
        if let Some(base) = self.detour_base.filter(|&base| smaller(base)) {
            self.detour_base = None;
            self.record.passes.release_proof();
            self.history.finish_detour(base);
            let now = self.history.current_version().number;
            self.journal.record_switch(now, now);
            let change = self.change_since(base);
            self.add_note(format!(
                "the detour ended smaller than it began: version {now} counts, {change} against version {base}"
            ));
        }
    }

    /// What has become of the size since this version.
    fn change_since(&self, base: u64) -> SizeChange {
        let now = &self.history.current_version().version;
        let base = self.history.get(base).map(|base| &base.version);
        SizeChange::between(base.unwrap_or(now), now)
    }

    /// Tells the user that a detour began with the current version, if it has not ended with it.
    pub(super) fn note_detour_start(&mut self) {
        let Some(base) = self.detour_base else {
            return;
        };
        let now = self.history.current_version().number;
        let change = self.change_since(base);
        self.add_note(format!(
            "a detour begins: version {now} has {change} against version {base}, and counts only if the detour ends smaller than it began"
        ));
    }

    /// A detour begins at the current version, with this edit.
    pub(super) fn begin_detour(&mut self, edit: &Edit) {
        self.detour_base = Some(self.history.current_version().number);
        if edit.detour != Some(DetourBound::Unbounded) {
            self.record.passes.hold_proof();
        }
    }

    /// A detour of a pass was dropped: the version that it left is current.
    pub(super) fn drop_detour(&mut self) {
        let Some(base) = self.detour_base.take() else {
            return;
        };
        self.history.switch_to(base);
        self.record.passes.restore_proof();
        self.report_version_switch();
        self.note_dropped_detour(base);
    }

    fn note_dropped_detour(&mut self, base: u64) {
        self.add_note(format!(
            "the detour did not end smaller than it began: back to version {base}"
        ));
    }

    /// Ends a detour that is not smaller than it began: back to the version that it left. Commands given meanwhile still hold.
    pub(super) fn leave_detour(&mut self) -> bool {
        let Some(base) = self.detour_base.take() else {
            return false;
        };
        if self.switch_version(base).is_ok() {
            self.note_dropped_detour(base);
        }
        true
    }

    /// Makes another version current. Nothing is proposed of it before the run is resumed.
    fn switch_version(&mut self, number: u64) -> Result<(), String> {
        let past = self.find_enterable_version(number)?;
        if !past.in_detour && self.detour_base.take().is_some() {
            self.add_note(format!(
                "the detour was left: version {number} is current, and what the detour found does not count"
            ));
        }
        let is_inside = self.detour_base.is_some();
        if !is_inside {
            self.record.passes.restore_proof();
        }
        self.record.passes.forget_settled();
        self.history.switch_to(number);
        let withdrawn = self.change_rules(|proposer| {
            proposer.switch_version(&past.version, is_inside);
            proposer.withdraw_manual_edit()
        });
        if withdrawn {
            self.add_note(
                "your edit was about another version: it is not proposed any more".into(),
            );
        }
        self.root_state.permitted = false;
        self.on_version_switched();
        Ok(())
    }

    /// The version of that number, if one can go there.
    fn find_enterable_version(&self, number: u64) -> Result<Arc<VersionRecord>, String> {
        let past = self.history.get(number).cloned();
        let past = past.ok_or_else(|| {
            let newest = self.history.next_number() - 1;
            format!("there is no version {number}; the newest is {newest}")
        })?;
        if !past.is_interesting_under(self.history.active_property()) {
            return Err(format!(
                "version {number} was found under another property or test, and was not tested with the present one: change \
                 that back first, or reduce that version by itself (lop show {number})"
            ));
        }
        match past.in_detour && self.detour_base.is_none_or(|base| number < base) {
            true => Err(format!(
                "version {number} is inside a detour that was dropped; edit! begins another"
            )),
            false => Ok(past),
        }
    }

    fn on_version_switched(&mut self) {
        self.report_version_switch();
        self.reset_root_state();
    }

    fn report_version_switch(&mut self) {
        let now = self.history.current_version().clone();
        let kept = self.detour_base.unwrap_or(now.number);
        self.journal.record_switch(now.number, kept);
        self.record.publisher.emit_event(RunEvent::VersionSwitched {
            version: now.number,
            tokens: now.version.token_count(),
            bytes: now.version.byte_count(),
            size: now.version.size(),
        });
        self.record.record_switch(&now.version);
    }

    pub(super) fn execute_goto(&mut self, number: u64) -> CommandResult {
        self.switch_version(number)?;
        Ok(None)
    }

    /// Undoes the edit of this version, or of the current one. What was made of that version goes with it; a redo brings all back.
    pub(super) fn execute_undo(&mut self, undo: UndoMode, version: Option<u64>) -> CommandResult {
        let newest = self.history.current_version().number;
        let left = version.unwrap_or(newest);
        if !self.history.is_on_the_way(left) {
            return Err(format!(
                "version {newest} was not made of version {left}: there is nothing to undo"
            ));
        }
        let left = self.history.versions()[left as usize].clone();
        let parent = left
            .parent
            .ok_or("this is the original; there is nothing to undo")?;
        let before = self
            .history
            .get(parent)
            .cloned()
            .ok_or("the version before is lost")?;
        let by_no_pass = BY_NO_PASS.iter().find(|(name, _)| *name == left.pass);
        if let (UndoMode::Disable, Some((_, who))) = (undo, by_no_pass) {
            return Err(format!("{who}: undo keep, undo ban or undo stop"));
        }
        self.find_enterable_version(parent)?;
        if undo == UndoMode::Disable {
            self.root_node().proposer.schedule.pass_index(left.pass)?;
        }
        if undo == UndoMode::Stop {
            self.pause_speculation();
            self.pause_run(Some("undone".into()));
        }
        let mut undone = UndoRecord {
            version: newest,
            undo,
            pin: None,
            banned: None,
            pass: None,
        };
        let took = removed_tokens(&before.version, &left.version);
        self.switch_version(parent)?;
        match undo {
            UndoMode::Keep if !took.is_empty() => {
                let pin = Constraint {
                    rule: ConstraintRule::Pin,
                    tokens: took.into(),
                    name: format!("what version {} took", left.number).into(),
                    line: None,
                };
                self.add_pin(pin.clone());
                undone.pin = Some(pin);
            }
            // Without a token there is nothing to pin, and the same edit would come again.
            UndoMode::Keep | UndoMode::Ban | UndoMode::Fails => {
                if undo == UndoMode::Fails {
                    self.history.mark_flaky(left.number);
                }
                let named = format!("what made version {}: {}", left.number, left.sentence.short);
                self.set_banned(left.hash, Some(named.into()));
                undone.banned = Some(left.hash);
            }
            UndoMode::Disable => {
                self.set_pass_disabled(left.pass, true)?;
                undone.pass = Some(left.pass);
            }
            UndoMode::Stop => {}
        }
        self.history.push_undo(undone);
        Ok(Some(match left.number == newest {
            true => format!("version {parent}"),
            false => format!(
                "version {parent}; what was made of version {} is undone too",
                left.number
            ),
        }))
    }

    pub(super) fn execute_redo(&mut self) -> CommandResult {
        let nothing = "nothing was undone since the last new version";
        self.find_enterable_version(self.history.last_undo().ok_or(nothing)?.version)?;
        let undone = self.history.pop_undo().ok_or(nothing)?;
        if let Some(pin) = &undone.pin {
            self.remove_pin(pin);
        }
        if let Some(hash) = undone.banned {
            self.set_banned(hash, None);
        }
        let has_pass = |pass: &&str| self.root_node().proposer.schedule.pass_index(pass).is_ok();
        // Another strategy may run now, without that pass.
        if let Some(pass) = undone.pass.filter(has_pass) {
            self.set_pass_disabled(pass, false)?;
        }
        self.switch_version(undone.version)?;
        Ok(Some(format!("version {}", undone.version)))
    }
}

/// The tokens of a version that the one made of it has not, sorted by identity.
fn removed_tokens(before: &Version, after: &Version) -> Vec<TokenId> {
    let of = |version: &Version| {
        let documents = version.documents().iter();
        documents
            .flat_map(|document| tokens_of(&document.root, true))
            .collect::<Vec<_>>()
    };
    let stays: FxHashSet<TokenId> = of(after).into_iter().collect();
    let mut took = of(before);
    took.retain(|token| !stays.contains(token));
    took.sort_unstable();
    took
}
