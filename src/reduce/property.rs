//! What the test looks for, changed while the run lasts.
//!
//! A change is tried on the present version first: if that is not interesting any more, nothing would ever be again. Then it holds
//! like any command, and is journaled as one that needs no trial (`property!`), so that whoever does the run again knows what was
//! found. Verdicts found under another property do not count any more.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use super::cache::Cache;
use super::command::Command;
use super::engine::Engine;
use super::facts::Facts;
use super::history::Sought;
use super::obey::Outcome;
use super::present::End;
use super::worker::gate;
use crate::oracle::{self, Change, JobId, Limit, Property, PropertyError, Verdict};
use crate::program::Hash;

/// A change that is being tried on the present version.
pub(super) struct Trial {
    pub job: JobId,
    change: Change,
    version: Hash,
}

/// Changes on their way: while one is tried, or the present version is asked about by what is looked for now, others wait.
#[derive(Default)]
pub(super) struct Trials {
    pub now: Option<Trial>,
    next: VecDeque<Change>,
}

impl Engine {
    /// Tries a change; what waits for its turn is tried after it.
    pub(super) fn try_property(&mut self, change: &Change) -> Outcome {
        if self.known.trials.now.is_some() || self.known.recheck.is_some() {
            self.known.trials.next.push_back(change.clone());
            return Ok(Some("it is tried when what is being asked is known".into()));
        }
        let new = self.changed(change)?;
        if let Some(home) = self.excursion {
            return Err(format!(
                "inside of an excursion what is looked for cannot change: version {home}, which is kept, was found by that; goto {home} first"
            ));
        }
        self.cancel_all();
        self.tree.forget_bets();
        gate(&self.runner)
            .look_for(&new)
            .map_err(|error| error.to_string())?;
        let job = self.ask_about_now();
        self.known.trials.now = Some(Trial {
            job,
            change: change.clone(),
            version: self.history.now().hash,
        });
        Ok(Some("the program as it is is tested with it".into()))
    }

    /// The property with a change of it.
    fn changed(&self, change: &Change) -> Result<Arc<Property>, String> {
        let now = self.record.property.as_ref();
        let now = now.ok_or_else(|| PropertyError::Script.to_string())?;
        let new = now.changed(change).map_err(|error| error.to_string())?;
        match new == **now {
            true => Err("it is so already".into()),
            false => Ok(Arc::new(new)),
        }
    }

    /// The test has said something of the present version under a new property.
    pub(super) fn tried_property(
        &mut self,
        trial: Trial,
        outcome: &oracle::Outcome,
    ) -> Result<(), End> {
        if let Some(now) = self.record.property.clone() {
            // As long as the change does not hold, the old one does.
            let _ = gate(&self.runner).look_for(&now);
        }
        let Trial {
            change, version, ..
        } = trial;
        let wish = Command::Property(change.clone(), false).to_string();
        let before = self.record.counts.decisions + 1;
        match outcome {
            oracle::Outcome::Verdict(Verdict::Interesting, _)
                if version == self.history.now().hash
                    && self.excursion.is_none()
                    && !self.is_hearing() =>
            {
                self.obey(Command::Property(change, true))?;
            }
            // Another version is about to be the present: that one is asked about.
            oracle::Outcome::Verdict(Verdict::Interesting, _) if self.is_hearing() => {
                self.held.push_back(Command::Property(change, false));
            }
            // Another version is the present by now, or one cannot change it here any more.
            oracle::Outcome::Verdict(Verdict::Interesting, _) => {
                let outcome = self.try_property(&change);
                if outcome.is_err() {
                    self.record.obeyed(before, wish, outcome);
                }
            }
            oracle::Outcome::Verdict(_, run) => {
                let said = run.output.text();
                let why = said
                    .lines()
                    .next_back()
                    .and_then(|line| line.strip_prefix("[lop: "));
                let why = why.map_or_else(
                    || run.exit.to_string(),
                    |why| why.trim_end_matches(']').to_owned(),
                );
                let refused = format!(
                    "the program as it is would not be interesting then: {why}; all stays as it was"
                );
                self.record.obeyed(before, wish, Err(refused));
            }
            oracle::Outcome::NoVerdict(trouble) => {
                self.record.obeyed(before, wish, Err(trouble.to_string()));
            }
            oracle::Outcome::Cancelled => {}
        }
        self.publish();
        Ok(())
    }

    /// The change that waits for its turn, if it has come.
    pub(super) fn next_trial(&mut self) -> Option<Command> {
        let known = &mut self.known;
        let free = known.trials.now.is_none() && known.recheck.is_none();
        let next = free.then(|| known.trials.next.pop_front()).flatten();
        next.map(|change| Command::Property(change, false))
    }

    /// Looks for something else from here on.
    pub(super) fn look_for(&mut self, change: &Change) -> Outcome {
        let new = self.changed(change)?;
        gate(&self.runner)
            .look_for(&new)
            .map_err(|error| error.to_string())?;
        let sentence = format!("looks for {new}");
        self.record.property = Some(new);
        self.forget()?;
        Ok(Some(sentence))
    }

    /// So long may a test take from here on. Where not to end is what is looked for, that is something else to look for.
    pub(super) fn set_timeout(&mut self, limit: Option<Duration>) -> Outcome {
        let property = self.record.property.as_ref();
        let hangs = property.is_some_and(|property| property.is_about_a_hang());
        let (before, new) = (self.limit, Limit::fixed(limit.unwrap_or_default()));
        self.limit = match hangs {
            true if new.current().wall.is_none() => {
                return Err("without a limit no test would be one that does not end, and that is looked for".into());
            }
            true => new.of_a_hang(),
            false => new,
        };
        self.record.limit = self.limit.current().wall;
        // A test that runs has the limit of before: it is begun anew, but for one about a version or a property.
        self.cancel_all();
        if !hangs || self.limit == before {
            self.renew();
            return Ok(None);
        }
        self.forget()?;
        if self.again.is_none() && self.limit.hang() > before.hang() {
            // What did not end in a shorter time may end in this one.
            // If that is being asked already, or a change is tried on it, it is asked.
            let _ = self.recheck();
        }
        Ok(None)
    }

    /// What the test has said was said of something else than what is looked for now.
    fn forget(&mut self) -> Result<(), String> {
        self.cancel_all();
        (self.known.cache, self.known.facts) = (Cache::default(), Facts::default());
        // What was said before was about something else.
        self.known.confirmed = None;
        self.record.tallies.clear();
        if self.again.is_none() {
            // What a session hands on was found by the newest; what others know was not.
            self.store = None;
        }
        if let Some(property) = &self.record.property {
            self.history
                .seek(Sought::new(property, self.limit), self.excursion);
        }
        // What was no before may be yes now.
        self.order(|schedule| {
            schedule.rewind();
            Ok(())
        })?;
        Ok(())
    }
}
