//! A test that has changed during the run.
//!
//! What the old test said decides nothing from then on. All tests that run are killed, and nothing is proposed before the test, as it is now, has
//! a verdict on the version that is kept. If it is interesting, a command in the journal (`new-test!`) is the mark: at that place of
//! the dialogue the cache is empty, the passes begin again, and a detour is over. So a replay, which runs no test, forgets in the same place, and a
//! resumed session takes no verdict from before the mark for an answer. Versions from before it are not entered any more, as after a
//! change of the property. If the version is not interesting, the run pauses, or without a screen ends. A paused one tries again when it is resumed and when the test changes once more, with
//! the version that is current then.

use std::sync::Arc;

use super::testing_state::{PendingRecheck, RecheckReason};
use super::{CommandResult, ReductionEngine, RunFinished};
use crate::oracle::TestExit;
use crate::program::ContentHash;
use crate::reduce::commands::EngineCommand;
use crate::reduce::history::VersionRecord;
use crate::reduce::reporting::FinishReason;

impl ReductionEngine {
    /// The version that belongs on the disk: the current one, or the one that a detour left.
    pub(super) fn kept_version(&self) -> &Arc<VersionRecord> {
        let base = self.detour_base.and_then(|base| self.history.get(base));
        base.unwrap_or_else(|| self.history.current_version())
    }

    /// Kills all tests, and has the test run on the kept version as soon as the run is not paused.
    pub(super) fn try_new_test(&mut self) -> CommandResult {
        self.cancel_all();
        self.tree.drop_speculation();
        self.cancel_unwanted();
        // Results of tests that no decision has used may be the old test's.
        self.testing.results = Default::default();
        self.record.current_test = None;
        if let Some(trial) = self.testing.trials.current.take() {
            self.pool.cancel_job(trial.job);
            if let Some(now) = &self.record.property {
                // The old property is in force until the change is.
                self.pool
                    .set_property(now)
                    .map_err(|error| error.to_string())?;
            }
            self.testing.trials.queued.push_front(trial.change);
        }
        if let Some(job) = self.testing.recheck.take().and_then(|recheck| recheck.job) {
            self.pool.cancel_job(job);
        }
        self.pool.renew_test();
        self.testing.is_test_new = true;
        self.begin_new_test_trial();
        Ok(Some(
            "the test has changed: the program as it is is tested with it, and what the old one said decides nothing any more".into(),
        ))
    }

    fn begin_new_test_trial(&mut self) {
        self.begin_recheck(RecheckReason::NewTest, self.required_quorum());
    }

    /// Whether nothing is proposed because the test has changed. Begins its test of the kept version, unless the run is paused.
    pub(super) fn is_new_test_pending(&mut self) -> bool {
        let is_new = self.testing.is_test_new;
        let stands = self.is_standing() || self.root_state.waiting;
        if is_new && self.testing.recheck.is_none() && !stands {
            self.begin_new_test_trial();
        }
        if is_new {
            self.publish_snapshot();
        }
        is_new
    }

    /// The changed test finds the version with this hash interesting. If that is not the kept one any more, or the proposer waits for an answer, it
    /// is tested again.
    pub(super) fn on_new_test_passed(&mut self, tested: ContentHash) -> Result<(), RunFinished> {
        let kept = self.kept_version();
        if kept.hash != tested || self.has_pending_feedback() {
            return Ok(());
        }
        if self.detour_base.is_some() {
            let number = kept.number;
            self.execute_command(EngineCommand::Goto(number))?;
        }
        self.execute_command(EngineCommand::NewTest(true))?;
        if std::mem::take(&mut self.testing.is_paused_by_test) {
            // A run that was paused because of the test goes on; its pause is no command either.
            self.resume_run()
                .map_err(|reason| RunFinished(FinishReason::Failed(reason)))?;
        }
        Ok(())
    }

    /// The changed test does not find the version interesting.
    pub(super) fn on_new_test_failed(
        &mut self,
        recheck: &PendingRecheck,
        exit: TestExit,
    ) -> Result<(), RunFinished> {
        let kept = self.kept_version();
        if kept.hash != recheck.hash {
            return Ok(());
        }
        let what = format!(
            "the test has changed, and does not find version {} interesting ({exit})",
            kept.number
        );
        if !self.audience.is_present() {
            return Err(RunFinished(FinishReason::Failed(format!(
                "{what}. The result is what the old test found: change the test, and resume the session"
            ))));
        }
        let reason =
            format!("{what}: change it, or goto a version that it finds interesting, and resume");
        self.add_note(reason.clone());
        self.testing.is_paused_by_test |= !self.paused;
        self.pause_speculation();
        self.pause_run(Some(reason));
        Ok(())
    }

    /// From here on the test is another one.
    pub(super) fn set_new_test(&mut self) -> CommandResult {
        if let Some(base) = self.detour_base {
            return Err(format!(
                "inside a detour the test cannot change: version {base} is kept; goto {base} first"
            ));
        }
        self.testing.is_test_new = false;
        self.testing.test_changes += 1;
        self.forget_verdicts()?;
        Ok(Some("all is asked anew".into()))
    }
}
