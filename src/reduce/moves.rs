//! Moves in the tree of versions: undo, redo, branch, and the ends of excursions.

use super::command::Undo;
use super::engine::Engine;
use super::event::Event;
use super::history::{Past, Undone};
use super::obey::Outcome;
use super::speculate::Found;
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
            pass: self.record.pass(),
            sentence,
            edit: Some(found.edit.clone()),
            hash: found.version.hash(),
            version: found.version.clone(),
            away: self.excursion.is_some(),
        }
    }

    /// There is a new version: it joins the history.
    pub(super) fn remember(&mut self, past: Past) {
        self.history.push(past);
        let smaller = |home: u64| {
            let home = self.history.get(home).map(|home| home.size());
            home.is_some_and(|home| self.history.now().size() < home)
        };
        if let Some(home) = self.excursion.as_ref().map(|excursion| excursion.home)
            && smaller(home)
        {
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

    /// The excursion has come to its end and is not smaller than it began: back to where it left.
    pub(super) fn go_home(&mut self) -> bool {
        let Some(excursion) = self.excursion.take() else {
            return false;
        };
        let home = excursion.home;
        self.tree.change(|asking| *asking = excursion.asking);
        self.history.turn_to(home);
        self.note(format!(
            "the excursion did not end smaller than it began: back to version {home}"
        ));
        self.moved();
        true
    }

    /// Another version is the present.
    fn turn_to(&mut self, number: u64) -> Result<(), String> {
        let past = self.history.get(number).cloned();
        let past = past.ok_or_else(|| {
            format!(
                "there is no version {number}; the newest is {}",
                self.history.next() - 1
            )
        })?;
        if !past.away {
            self.excursion = None;
        }
        self.history.turn_to(number);
        self.rethink(|asking| asking.view.turn_to(&past.version));
        self.moved();
        Ok(())
    }

    fn moved(&mut self) {
        let now = self.history.now();
        let (tokens, bytes) = now.size();
        let home = self.excursion.as_ref().map(|excursion| excursion.home);
        self.journal.moved(now.number, home.unwrap_or(now.number));
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
            Undo::Ban => {
                self.ban(left.hash, true);
                undone.banned = Some(left.hash);
            }
            Undo::Disable => {
                self.disable(left.pass, true)?;
                undone.pass = Some(left.pass);
            }
            Undo::Stop => self.pause(Some("undone".into())),
        }
        self.history.undo(undone);
        Ok(Some(format!("version {parent}")))
    }

    pub(super) fn redo(&mut self) -> Outcome {
        let undone = self
            .history
            .redo()
            .ok_or("nothing was undone since the last new version")?;
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
