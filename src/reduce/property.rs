//! What the test looks for, changed while the run lasts.
//!
//! A change is tried on the present version first: if that is not interesting any more, nothing would ever be again. Then it holds
//! like any command, and is journaled as one that needs no trial (`property!`), so that whoever does the run again knows what was
//! found. Verdicts found under another property do not count any more.

use std::collections::VecDeque;
use std::sync::Arc;

use super::cache::Cache;
use super::command::Command;
use super::engine::Engine;
use super::facts::Facts;
use super::obey::Outcome;
use super::present::End;
use super::worker::gate;
use crate::oracle::{self, Change, Job, JobId, Property, PropertyError, Verdict};
use crate::program::Hash;

/// A change that is being tried on the present version.
pub(super) struct Trial {
    pub job: JobId,
    change: Change,
    version: Hash,
}

/// Changes on their way.
#[derive(Default)]
pub(super) struct Trials {
    pub now: Option<Trial>,
    next: VecDeque<Change>,
}

impl Engine {
    /// Tries a change; what waits for its turn is tried after it.
    pub(super) fn try_property(&mut self, change: &Change) -> Outcome {
        if self.known.trials.now.is_some() {
            self.known.trials.next.push_back(change.clone());
            return Ok(None);
        }
        let new = self.changed(change)?;
        self.cancel_all();
        self.tree.forget_bets();
        gate(&self.runner)
            .look_for(&new)
            .map_err(|error| error.to_string())?;
        self.known.jobs += 1;
        let job = JobId(self.known.jobs);
        let now = self.history.now();
        let files = now.version.files().into_iter();
        gate(&self.runner).submit(Job {
            id: job,
            files: files.map(|(path, bytes)| (path, bytes.into())).collect(),
            limits: self.limit.current(),
            alone: true,
        });
        self.known.trials.now = Some(Trial {
            job,
            change: change.clone(),
            version: now.hash,
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
                if version == self.history.now().hash =>
            {
                self.obey(Command::Property(change, true))?;
            }
            // Another version is the present by now.
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
        if self.known.trials.now.is_none()
            && let Some(next) = self.known.trials.next.pop_front()
        {
            self.obey(Command::Property(next, false))?;
        }
        self.publish();
        Ok(())
    }

    /// Looks for something else from here on.
    pub(super) fn look_for(&mut self, change: &Change) -> Outcome {
        let new = self.changed(change)?;
        gate(&self.runner)
            .look_for(&new)
            .map_err(|error| error.to_string())?;
        self.cancel_all();
        (self.known.cache, self.known.facts) = (Cache::default(), Facts::default());
        // What was said before was about something else.
        self.known.confirmed = None;
        self.record.tallies.clear();
        if self.again.is_none() {
            // What a session hands on was found under the newest property; what others know was not.
            self.store = None;
        }
        let sentence = format!("looks for {new}");
        self.record.property = Some(new);
        // What was no before may be yes now.
        self.order(|schedule| {
            schedule.rewind();
            Ok(())
        })?;
        Ok(Some(sentence))
    }
}
