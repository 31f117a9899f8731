//! Moves in the tree of versions: undo, redo, branch, and the ends of excursions.

use std::sync::Arc;

use super::command::Undo;
use super::engine::Engine;
use super::event::Event;
use super::history::{Past, Undone};
use super::obey::Outcome;
use super::speculate::Found;
use super::wishes::USER;
use crate::program::{Constraint, Rule, tokens_of};

impl Engine {
    /// The version that an edit makes of the present one, as the history has it.
    pub(super) fn past(&self, found: &Found) -> Past {
        let now = self.history.now();
        let sentence = {
            let saved = now.version.tokens().saturating_sub(found.version.tokens());
            found.why.sentence(&now.version, saved)
        };
        Past {
            number: self.history.next(),
            parent: Some(now.number),
            decision: self.record.counts.decisions,
            decided: self.record.found(&found.edit),
            pass: match found.why.pass {
                USER => USER,
                _ => self.record.pass(),
            },
            sentence,
            edit: Some(found.edit.clone()),
            hash: found.version.hash(),
            version: found.version.clone(),
            away: self.excursion.is_some(),
            fails: false,
            sought: self.history.sought().cloned().into_iter().collect(),
        }
    }

    /// There is a new version: it joins the history.
    pub(super) fn remember(&mut self, past: Past) {
        self.history.push(past);
        let smaller = |home: u64| {
            let home = self.history.get(home).map(|home| home.size());
            home.is_some_and(|home| self.history.now().size() < home)
        };
        if let Some(home) = self.excursion.filter(|&home| smaller(home)) {
            self.excursion = None;
            self.history.come_home(home);
            let now = self.history.now().number;
            self.journal.moved(now, now);
            self.note(format!(
                "the excursion ended smaller than it began: version {} counts",
                self.history.now().number
            ));
        }
    }

    /// The excursion has come to its end and is not smaller than it began: back to where it left. What the user said meanwhile holds.
    pub(super) fn go_home(&mut self) -> bool {
        let Some(home) = self.excursion else {
            return false;
        };
        if self.turn_to(home).is_ok() {
            self.note(format!(
                "the excursion did not end smaller than it began: back to version {home}"
            ));
        }
        self.excursion = None;
        true
    }

    /// Another version is the present. Nothing is asked about it before the run goes on.
    fn turn_to(&mut self, number: u64) -> Result<(), String> {
        let past = self.enterable(number)?;
        if !past.away {
            self.excursion = None;
        }
        self.history.turn_to(number);
        let withdrawn = self.rethink(|asking| {
            asking.view.turn_to(&past.version);
            asking.withdraw()
        });
        if withdrawn {
            self.note("your edit was about another version: it is not asked about any more".into());
        }
        self.at.permitted = false;
        self.moved();
        Ok(())
    }

    /// The version of that number, if one can go there.
    fn enterable(&self, number: u64) -> Result<Arc<Past>, String> {
        let past = self.history.get(number).cloned();
        let past = past.ok_or_else(|| {
            let newest = self.history.next() - 1;
            format!("there is no version {number}; the newest is {newest}")
        })?;
        if !past.is_still(self.history.sought()) {
            return Err(format!(
                "version {number} was found when something else was looked for, and was not tested with what is looked for now: change \
                 that back first, or reduce that version by itself (lop show {number})"
            ));
        }
        match past.away && self.excursion.is_none_or(|home| number < home) {
            true => Err(format!(
                "version {number} is inside of an excursion that was dropped; edit! begins another"
            )),
            false => Ok(past),
        }
    }

    fn moved(&mut self) {
        let now = self.history.now();
        let (tokens, bytes) = now.size();
        let kept = self.excursion.unwrap_or(now.number);
        self.journal.moved(now.number, kept);
        self.record.event(Event::Moved {
            version: now.number,
            tokens,
            bytes,
        });
        self.record.moved(tokens);
        self.renew();
    }

    pub(super) fn goto(&mut self, number: u64) -> Outcome {
        self.turn_to(number)?;
        Ok(None)
    }

    pub(super) fn undo(&mut self, undo: Undo) -> Outcome {
        let left = self.history.now().clone();
        let parent = left
            .parent
            .ok_or("this is the original; there is nothing to undo")?;
        let before = self
            .history
            .get(parent)
            .cloned()
            .ok_or("the version before is lost")?;
        if undo == Undo::Disable && left.pass == USER {
            return Err("that was your own edit: undo keep, undo ban or undo stop".into());
        }
        self.enterable(parent)?;
        if undo == Undo::Stop {
            self.stand_still();
            self.pause(Some("undone".into()));
        }
        let mut undone = Undone {
            version: left.number,
            undo,
            pin: None,
            banned: None,
            pass: None,
        };
        self.turn_to(parent)?;
        match undo {
            Undo::Keep => {
                let of = |version: &crate::program::Version| {
                    let documents = version.documents().iter();
                    documents
                        .flat_map(|document| tokens_of(&document.root, true))
                        .collect::<Vec<_>>()
                };
                let stays: rustc_hash::FxHashSet<_> = of(&left.version).into_iter().collect();
                let mut took = of(&before.version);
                took.retain(|token| !stays.contains(token));
                took.sort_unstable();
                let pin = Constraint {
                    rule: Rule::Keep,
                    tokens: took.into(),
                    name: format!("what version {} took", left.number).into(),
                };
                self.pin(pin.clone());
                undone.pin = Some(pin);
            }
            Undo::Ban | Undo::Fails => {
                if undo == Undo::Fails {
                    self.history.fail(left.number);
                }
                self.ban(left.hash, true);
                undone.banned = Some(left.hash);
            }
            Undo::Disable => {
                self.disable(left.pass, true)?;
                undone.pass = Some(left.pass);
            }
            Undo::Stop => {}
        }
        self.history.undo(undone);
        Ok(Some(format!("version {parent}")))
    }

    pub(super) fn redo(&mut self) -> Outcome {
        let nothing = "nothing was undone since the last new version";
        self.enterable(self.history.undone().ok_or(nothing)?.version)?;
        let undone = self.history.redo().ok_or(nothing)?;
        if let Some(pin) = &undone.pin {
            self.unpin(pin);
        }
        if let Some(hash) = undone.banned {
            self.ban(hash, false);
        }
        if let Some(pass) = undone.pass {
            self.disable(pass, false)?;
        }
        self.turn_to(undone.version)?;
        Ok(Some(format!("version {}", undone.version)))
    }
}
