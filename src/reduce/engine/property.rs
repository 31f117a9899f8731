//! The failure property, changed during the run.
//!
//! A change is tried on the current version first: if that is not interesting under it, nothing would ever be again. Then it holds like any
//! command, and is journaled as one that needs no trial (`property!`), so that a resumed run knows what was found. Verdicts found under
//! another property do not count any more. Versions neither: each carries the property by which the test found it interesting
//! ([`ActiveProperty`]). `goto` enters only versions that have the current one, and no other is put on the disk. Where the property is that the
//! test does not end, the time limit is part of it.

use std::sync::Arc;
use std::time::Duration;

use super::testing_state::PropertyTrial;
use super::{CommandResult, ReductionEngine, RunFinished};
use crate::oracle::{self, FailureProperty, LimitPolicy, PropertyChange, PropertyError, Verdict};
use crate::reduce::commands::EngineCommand;
use crate::reduce::history::ActiveProperty;
use crate::reduce::results::{DecisionCache, PendingResults};

impl ReductionEngine {
    /// Tries a change. Changes that are queued follow it.
    pub(super) fn try_property(&mut self, change: &PropertyChange) -> CommandResult {
        if self.testing.is_test_new {
            return Err(
                "the test has changed, and must find the program as it is interesting first".into(),
            );
        }
        if self.testing.trials.current.is_some() || self.testing.recheck.is_some() {
            self.testing.trials.queued.push_back(change.clone());
            return Ok(Some("it is tried when what is being asked is known".into()));
        }
        let new = self.changed_property(change)?;
        if let Some(base) = self.detour_base {
            return Err(format!(
                "inside a detour the failure property cannot change: version {base}, which is kept, was found by it; goto {base} first"
            ));
        }
        self.cancel_all();
        self.tree.drop_speculation();
        self.pool
            .set_property(&new)
            .map_err(|error| error.to_string())?;
        let job = self.test_current_version();
        self.testing.trials.current = Some(PropertyTrial {
            job,
            change: change.clone(),
            version: self.history.current_version().hash,
        });
        Ok(Some("the program as it is is tested with it".into()))
    }

    /// The property with a change of it.
    fn changed_property(&self, change: &PropertyChange) -> Result<Arc<FailureProperty>, String> {
        let now = self.record.property.as_ref();
        let now = now.ok_or_else(|| PropertyError::Script.to_string())?;
        let new = now.with_change(change).map_err(|error| error.to_string())?;
        match new == **now {
            true => Err("it is so already".into()),
            false => Ok(Arc::new(new)),
        }
    }

    /// The test has a verdict on the current version under a new property.
    pub(super) fn on_trial_result(
        &mut self,
        trial: PropertyTrial,
        outcome: &oracle::TestOutcome,
    ) -> Result<(), RunFinished> {
        if let Some(now) = self.record.property.clone() {
            // The old property is in force until the change is.
            let _ = self.pool.set_property(&now);
        }
        let PropertyTrial {
            change, version, ..
        } = trial;
        let wish = EngineCommand::Property(change.clone(), false).to_string();
        let before = self.record.counts.decisions + 1;
        match outcome {
            oracle::TestOutcome::Verdict(Verdict::Interesting, _)
                if version == self.history.current_version().hash
                    && self.detour_base.is_none()
                    && !self.has_pending_feedback() =>
            {
                self.execute_command(EngineCommand::Property(change, true))?;
            }
            // Another version is about to be current: that one is tested.
            oracle::TestOutcome::Verdict(Verdict::Interesting, _)
                if self.has_pending_feedback() =>
            {
                self.commands
                    .defer_command(EngineCommand::Property(change, false));
            }
            // Another version is current by now, or the property cannot change here any more.
            oracle::TestOutcome::Verdict(Verdict::Interesting, _) => {
                let outcome = self.try_property(&change);
                if outcome.is_err() {
                    self.record.record_command(before, wish, outcome);
                }
            }
            oracle::TestOutcome::Verdict(_, run) => {
                let said = run.output.to_text();
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
                self.record.record_command(before, wish, Err(refused));
            }
            oracle::TestOutcome::NoVerdict(trouble) => {
                self.record
                    .record_command(before, wish, Err(trouble.to_string()));
            }
            oracle::TestOutcome::Cancelled => {}
        }
        self.publish_snapshot();
        Ok(())
    }

    /// The queued change, if its turn has come.
    pub(super) fn next_trial(&mut self) -> Option<EngineCommand> {
        let known = &mut self.testing;
        let free = known.trials.current.is_none() && known.recheck.is_none() && !known.is_test_new;
        let next = free.then(|| known.trials.queued.pop_front()).flatten();
        next.map(|change| EngineCommand::Property(change, false))
    }

    /// Changes the property from here on.
    pub(super) fn set_property(&mut self, change: &PropertyChange) -> CommandResult {
        let new = self.changed_property(change)?;
        self.pool
            .set_property(&new)
            .map_err(|error| error.to_string())?;
        let sentence = format!("looks for {new}");
        self.record.property = Some(new);
        self.forget_verdicts()?;
        Ok(Some(sentence))
    }

    /// Sets the time limit from here on. Where a hang is the property, that is another property.
    pub(super) fn set_timeout(&mut self, limit: Option<Duration>) -> CommandResult {
        let property = self.record.property.as_ref();
        let hangs = property.is_some_and(|property| property.expects_hang());
        let (before, new) = (self.limit, LimitPolicy::fixed(limit.unwrap_or_default()));
        self.limit = match hangs {
            true if new.current_limits().wall.is_none() => {
                return Err("without a limit no test would be one that does not end, and that is looked for".into());
            }
            true => new.for_hang(),
            false => new,
        };
        self.record.limit = self.limit.current_limits().wall;
        // A test that runs has the old limit: it begins again, unless it is a trial or a recheck.
        self.cancel_all();
        if !hangs || self.limit == before {
            self.reset_root_state();
            return Ok(None);
        }
        self.forget_verdicts()?;
        if self.replay.is_none() && self.limit.hang_limit() > before.hang_limit() {
            // What did not end within a shorter time may end within this one.
            // A recheck or a trial that is under way is begun again.
            let _ = self.execute_recheck();
        }
        Ok(None)
    }

    /// The verdicts of another property or test than the one in force do not count any more.
    pub(super) fn forget_verdicts(&mut self) -> Result<(), String> {
        self.cancel_all();
        (self.testing.cache, self.testing.results) =
            (DecisionCache::default(), PendingResults::default());
        // Earlier verdicts were about another property, or of another test.
        self.testing.confirmed = None;
        self.record.tallies.clear();
        if self.replay.is_none() {
            // Verdicts that a session hands on are those of the newest property; those of other runs are not.
            self.store = None;
        }
        let (property, changes) = (self.record.property.clone(), self.testing.test_changes);
        if property.is_some() || changes > 0 {
            let active = ActiveProperty::new(property, self.limit, changes);
            self.history.set_property(active, self.detour_base);
        }
        self.record.passes.forget_settled();
        // An uninteresting candidate may be interesting now.
        self.change_schedule(|schedule| {
            schedule.rewind_passes();
            Ok(())
        })?;
        Ok(())
    }
}
