//! A version that is tested once more: because the user asks for it, or because it is the result.
//!
//! The result is tested once more when nothing is left to try. If it is not interesting any more, the original is tested. If the original is not
//! interesting any more either, the test, or something that it calls, has changed: the run ends there, and keeps the result. Otherwise the
//! test is flaky: from then on as many runs must say interesting as the quorum demands, and the run goes on from the newest version of which they do.
//! All of that is commands (`confirm`, `undo fails`) in the journal, so a resumed run does it again.

use std::sync::Arc;

use super::testing_state::{PendingRecheck, RecheckReason};
use super::{CommandResult, ReductionEngine, RunFinished};
use crate::oracle::{self, JobId, TestJob, TestRun, Verdict};
use crate::reduce::commands::{EngineCommand, UndoMode};
use crate::reduce::history::VersionRecord;
use crate::reduce::ports::JournalResult;
use crate::reduce::proposer::ProposerStop;
use crate::reduce::reporting::FinishReason;
use crate::reduce::results::{Quorum, RunTally, TestResult};

/// The message if the original is not interesting any more.
const ORIGINAL_FAILS: &str = "the test does not find the original interesting any more either: it, or something that it runs, has changed";

impl ReductionEngine {
    pub(super) fn execute_recheck(&mut self) -> CommandResult {
        if self.testing.recheck.is_some() {
            return Err("it is being rechecked already".into());
        }
        if self.testing.trials.current.is_some() {
            // The runner has the property of the trial until that is over.
            return Err(
                "a change of the property is being tested on it; recheck after that".into(),
            );
        }
        self.begin_recheck(RecheckReason::Requested, self.required_quorum());
        Ok(None)
    }

    /// Has the test run on the present version, outside of the dialogue.
    pub(super) fn test_current_version(&mut self) -> JobId {
        self.test_version(&self.history.current_version().clone())
    }

    /// Has the test run on a version, outside of the dialogue.
    fn test_version(&mut self, past: &VersionRecord) -> JobId {
        let job = self.pool.next_job_id();
        let files = past.version.render_files().into_iter();
        self.pool.submit_test(TestJob {
            id: job,
            files: files.map(|(path, bytes)| (path, bytes.into())).collect(),
            limits: self.limit.current_limits(),
            // A timeout is then the test's own.
            alone: true,
            fresh: true,
        });
        job
    }

    /// The version that is tested for this reason.
    fn recheck_subject(&self, why: RecheckReason) -> Arc<VersionRecord> {
        let history = &self.history;
        match why {
            RecheckReason::Original { .. } => history.versions()[0].clone(),
            RecheckReason::Requested | RecheckReason::FinalResult | RecheckReason::Fallback => {
                history.current_version().clone()
            }
            RecheckReason::NewTest => self.kept_version().clone(),
        }
    }

    /// Begins a recheck of the current version, or of the original in its place.
    pub(super) fn begin_recheck(&mut self, why: RecheckReason, quorum: Quorum) {
        let subject = self.recheck_subject(why);
        self.testing.recheck = Some(PendingRecheck {
            job: Some(self.test_version(&subject)),
            limits: self.limit.current_limits(),
            version: self.history.current_version().number,
            hash: subject.hash,
            why,
            quorum,
            tally: RunTally::default(),
        });
    }

    /// Tests a version again that had no verdict, after the wait, unless another version is current by now.
    pub(super) fn retry_recheck(&mut self) {
        let now = self.history.current_version().number;
        let failed = |recheck: &mut PendingRecheck| recheck.job.is_none();
        let Some(mut recheck) = self.testing.recheck.take_if(failed) else {
            return;
        };
        if recheck.version != now {
            return;
        }
        let stands = self.is_standing();
        if !self.root_state.waiting && !stands {
            recheck.job = Some(self.test_version(&self.recheck_subject(recheck.why)));
            recheck.limits = self.limit.current_limits();
        }
        self.testing.recheck = Some(recheck);
    }

    /// Whether nothing is proposed until it is known whether the current version holds.
    pub(super) fn is_confirming(&self) -> bool {
        let done = matches!(self.root_node().stop, ProposerStop::Done) && !self.is_confirmed();
        let now = self.history.current_version().number;
        let recheck = self.testing.recheck.as_ref();
        recheck.is_some_and(|recheck| {
            done || recheck.why != RecheckReason::Requested && recheck.version == now
        })
    }

    /// Whether the current version needs no recheck.
    fn is_confirmed(&self) -> bool {
        !self.confirm || self.testing.confirmed == Some(self.history.current_version().hash)
    }

    /// Has the result tested once more at the end. Returns whether the run has to wait for that.
    pub(super) fn begin_final_confirmation(&mut self) -> bool {
        if self.is_confirmed() {
            return false;
        }
        // Where not all runs need to say interesting, a single no would tell nothing.
        let quorum = self.required_quorum();
        self.begin_recheck(
            RecheckReason::FinalResult,
            match quorum.is_strict() {
                true => Quorum::ONCE,
                false => quorum,
            },
        );
        self.publish_snapshot();
        true
    }

    /// The test has a verdict on the version that was current when the recheck began.
    pub(super) fn on_recheck_result(
        &mut self,
        outcome: oracle::TestOutcome,
        job: Option<TestJob>,
    ) -> Result<(), RunFinished> {
        let Some(mut recheck) = self.testing.recheck.take() else {
            return Ok(());
        };
        let (verdict, run) = match outcome {
            oracle::TestOutcome::Verdict(verdict, run) => (verdict, run),
            oracle::TestOutcome::Cancelled => return Ok(()),
            oracle::TestOutcome::NoVerdict(trouble) if recheck.why == RecheckReason::Requested => {
                self.add_note(format!("checked once more, without a verdict: {trouble}"));
                return Ok(());
            }
            oracle::TestOutcome::NoVerdict(trouble) => {
                recheck.job = None;
                self.testing.recheck = Some(recheck);
                return self.on_root_failure(trouble);
            }
        };
        recheck.tally.add_run(verdict);
        let decided = recheck.quorum.evaluate_tally(recheck.tally);
        if let (None, Some(job)) = (decided, job) {
            let id = self.pool.next_job_id();
            recheck.job = Some(id);
            self.pool.submit_test(TestJob { id, ..job });
            self.testing.recheck = Some(recheck);
            return Ok(());
        }
        self.record_recheck(&recheck, verdict, &run);
        match decided {
            Some(true) => self.on_recheck_passed(&recheck)?,
            _ => self.on_recheck_failed(&recheck, &run)?,
        }
        self.publish_snapshot();
        Ok(())
    }

    /// Records the verdict.
    fn record_recheck(&mut self, recheck: &PendingRecheck, verdict: Verdict, run: &TestRun) {
        self.journal.record_result(&JournalResult {
            hash: recheck.hash,
            result: TestResult {
                tally: recheck.tally,
                quorum: recheck.quorum,
                ..TestResult::from_run(verdict, run, recheck.limits)
            },
            is_recheck: true,
        });
        self.record.add_tally(recheck.hash, recheck.tally);
        self.record.counts.repeated += u64::from(recheck.tally.runs);
        self.record.counts.changed += u64::from(recheck.tally.yes < recheck.tally.runs);
    }

    fn on_recheck_passed(&mut self, recheck: &PendingRecheck) -> Result<(), RunFinished> {
        let runs = match recheck.tally.runs {
            1 => String::new(),
            _ => format!(", in {}", recheck.tally),
        };
        match recheck.why {
            RecheckReason::Requested => {
                self.add_note(format!(
                    "checked once more: the test finds it interesting{runs}"
                ));
                return Ok(());
            }
            RecheckReason::Original { end } => {
                self.suspect_flaky()?;
                if end && recheck.version == self.history.current_version().number {
                    self.begin_recheck(RecheckReason::Fallback, self.required_quorum());
                }
                return Ok(());
            }
            RecheckReason::NewTest => return self.on_new_test_passed(recheck.hash),
            RecheckReason::FinalResult => {}
            RecheckReason::Fallback => {
                self.add_note(format!("version {} holds{runs}", recheck.version))
            }
        }
        self.testing.confirmed = Some(recheck.hash);
        Ok(())
    }

    fn on_recheck_failed(
        &mut self,
        recheck: &PendingRecheck,
        run: &TestRun,
    ) -> Result<(), RunFinished> {
        let exit = run.exit;
        let is_now = recheck.version == self.history.current_version().number;
        match recheck.why {
            RecheckReason::Requested => {
                let reason =
                    format!("checked once more: the test no longer finds it interesting ({exit})");
                self.add_note(reason.clone());
                self.pause_speculation();
                self.pause_run(Some(reason));
                self.begin_recheck(RecheckReason::Original { end: false }, Quorum::ANY);
            }
            RecheckReason::Original { end: false } => self.add_note(ORIGINAL_FAILS.into()),
            RecheckReason::NewTest => return self.on_new_test_failed(recheck, exit),
            // Another version is current by now.
            _ if !is_now => {}
            RecheckReason::FinalResult => {
                self.add_note(format!(
                    "the test was asked about the result once more and does not find it interesting ({exit})"
                ));
                self.begin_recheck(RecheckReason::Original { end: true }, Quorum::ANY);
            }
            RecheckReason::Original { end: true } => {
                return Err(RunFinished(FinishReason::Failed(format!(
                    "{ORIGINAL_FAILS}. What it has said since then may be wrong: fix it, and reduce the result once more"
                ))));
            }
            RecheckReason::Fallback => return self.revert_flaky_version(recheck),
        }
        Ok(())
    }

    /// The current version does not hold: the one before is tested.
    fn revert_flaky_version(&mut self, recheck: &PendingRecheck) -> Result<(), RunFinished> {
        let PendingRecheck {
            version,
            tally,
            quorum,
            ..
        } = *recheck;
        self.add_note(format!(
            "version {version} was interesting in {tally}, and {quorum} are wanted: back to the version before"
        ));
        let first = self.history.current_version().parent.is_none();
        self.execute_command(EngineCommand::Undo(UndoMode::Fails, None))?;
        // The undo follows at once, independent of results that are to come, so that a replay finds it here.
        self.advance_root();
        if let Some(why) = self.record.last_command_error() {
            let left = match first {
                true => "no version holds".into(),
                false => format!("the run cannot go back to the version before ({why})"),
            };
            return Err(RunFinished(FinishReason::Failed(format!(
                "the test is flaky, and {left}: version {version} was interesting in {tally}, and {quorum} are wanted. \
                 --confirm 1/5, for example, wants fewer; `lop doctor` may know why the test is flaky"
            ))));
        }
        self.begin_recheck(RecheckReason::Fallback, self.required_quorum());
        Ok(())
    }
}
