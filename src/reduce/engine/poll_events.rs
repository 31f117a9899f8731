//! What workers, tests, the user and the clock report while the engine waits.

use std::time::{Duration, Instant};

use crossbeam_channel::{after, at, never, select};

use super::testing_state::RootState;
use super::worker::{CheckOutcome, CheckedCandidate, ConfirmedCandidate};
use super::{ReductionEngine, RunFinished};
use crate::oracle::{self, LimitKind, NoVerdict, TestJob, TestOutcome, Verdict};
use crate::program::ContentHash;
use crate::reduce::ports::JournalResult;
use crate::reduce::reporting::FinishReason;
use crate::reduce::results::{PendingResult, TestResult};

/// The waits before a test that failed is run again; the failure after the last one stops the run.
const TEST_RETRY_WAITS: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(400)];
/// Failures of the system in a row that stop the run, each after a longer wait.
const MAX_SYSTEM_FAILURES: u32 = 10;

impl ReductionEngine {
    /// Waits for a worker, a test, a command or an alarm. Then receives all other results that are there, so that nothing is tested
    /// whose verdict is known.
    pub(super) fn poll_events(&mut self) -> Result<(), RunFinished> {
        self.wait_for_event()?;
        while let Ok(checked) = self.pool.checked_candidates().try_recv() {
            self.on_parse_result(checked)?;
        }
        while let Ok(answer) = self.pool.test_results().try_recv() {
            self.on_test_result(answer)?;
        }
        self.stop_overdue_tests();
        Ok(())
    }

    fn wait_for_event(&mut self) -> Result<(), RunFinished> {
        // Workers and our own runner report their panics, and their channels stay open; a runner of others may die.
        let dead = |who: &str| RunFinished(FinishReason::Failed(format!("the {who} has died")));
        let commands = self.commands.incoming().clone();
        let checked = self.pool.checked_candidates().clone();
        let results = self.pool.test_results().clone();
        let proposals = self.external.message_receiver();
        let (reports, alarm) = (self.planner.reports.clone(), self.root_state.alarm.clone());
        let deadlines = [self.breakpoints.next_deadline(), self.next_overdue()];
        let timer = deadlines.into_iter().flatten().min().map_or_else(never, at);
        select! {
            recv(commands) -> command => match self.command_or_stop(command) {
                Some(command) => self.on_command(command),
                None => Ok(()),
            },
            recv(reports) -> report => report.map_or(Ok(()), |report| self.on_planner_report(report)),
            recv(checked) -> checked => self.on_parse_result(checked.map_err(|_| dead("worker"))?),
            recv(results) -> result => self.on_test_result(result.map_err(|_| dead("runner"))?),
            recv(proposals) -> message => {
                self.external.on_message(message.ok());
                Ok(())
            }
            recv(timer) -> _ => {
                if let Some(reached) = self.breakpoints.trigger_expired(Instant::now()) {
                    self.pause_at_breakpoint(&reached);
                }
                Ok(())
            }
            recv(alarm) -> _ => {
                (self.root_state.waiting, self.root_state.alarm) = (false, never());
                Ok(())
            }
        }
    }

    /// Drops a confirmed candidate that nobody waits for: the parser's trees of a large one take longer than a command may wait.
    fn drop_confirmed(&self, unwanted: Option<ConfirmedCandidate>) {
        if let Some(unwanted) = unwanted {
            self.cleaner.drop_later(unwanted.tokens, unwanted);
        }
    }

    fn on_parse_result(
        &mut self,
        CheckedCandidate { id, outcome: word }: CheckedCandidate,
    ) -> Result<(), RunFinished> {
        let check = self.testing.checks.remove(&id);
        let flight = match word {
            CheckOutcome::Confirmed(_) => None,
            CheckOutcome::Rejected | CheckOutcome::Panicked(_) => self.testing.by_job.remove(&id),
        };
        if let Some(hash) = flight {
            // No test was started for it.
            self.testing.in_flight.remove(&hash);
            self.record.counts.started -= 1;
        }
        let word = match word {
            CheckOutcome::Confirmed(confirmed) => Some(confirmed),
            CheckOutcome::Rejected => None,
            CheckOutcome::Panicked(words) => {
                // If it had submitted what it confirmed, only the test in flight is left of it.
                let Some(hash) = check.map(|(_, hash)| hash).or(flight) else {
                    return Ok(());
                };
                let reason = format!("a worker panicked: {words}");
                return self.on_missing_verdict(hash, NoVerdict::InternalError { reason });
            }
        };
        let Some((base, hash)) = check else {
            self.drop_confirmed(word);
            return Ok(());
        };
        // What nothing proposes any more is dropped with the next decision.
        let replaced = self.testing.checked.insert((base, hash), word);
        self.drop_confirmed(replaced.flatten());
        let nodes = self.tree.nodes().filter(|(_, node)| node.base == base);
        let proposing = nodes.filter(|(_, node)| {
            node.proposed_candidate()
                .is_some_and(|own| own.hash == hash)
        });
        let proposing: Vec<_> = proposing.map(|(index, _)| index).collect();
        for index in proposing {
            // The engine itself passes over the root's candidate, because it reports what happens there.
            if self.rejects_ahead() && index != self.tree.root_index() && self.is_rejected(index) {
                self.tree.reject_candidate(index);
                self.advance_to_candidate(index);
                self.cancel_unwanted();
            }
        }
        Ok(())
    }

    fn on_test_result(&mut self, answer: oracle::JobResult) -> Result<(), RunFinished> {
        let job = self.pool.forget_job(answer.id);
        self.record
            .counts
            .add_document_tests(answer.tests_by_document);
        if let Some(notice) = answer.notice {
            self.add_note(notice);
        }
        let recheck = self.testing.recheck.as_ref();
        if recheck.is_some_and(|recheck| recheck.job == Some(answer.id)) {
            return self.on_recheck_result(answer.outcome, job);
        }
        if let Some(trial) = self
            .testing
            .trials
            .current
            .take_if(|trial| trial.job == answer.id)
        {
            return self.on_trial_result(trial, &answer.outcome);
        }
        let Some(hash) = self.testing.by_job.remove(&answer.id) else {
            return Ok(());
        };
        let Some(mut flight) = self.testing.in_flight.remove(&hash) else {
            return Ok(());
        };
        let (verdict, mut run) = match answer.outcome {
            TestOutcome::Verdict(verdict, run) => (verdict, run),
            TestOutcome::Cancelled => return Ok(()),
            TestOutcome::NoVerdict(trouble) => return self.on_missing_verdict(hash, trouble),
        };
        if verdict != Verdict::Interesting {
            self.offer_other_failure(job.as_ref(), &run);
        }
        // Other tests can use up time only.
        let concurrent = flight.concurrent
            && run
                .exit
                .exceeded_limit()
                .is_some_and(LimitKind::is_time_limit);
        match verdict {
            Verdict::TimedOut => self.testing.timeouts.record_timeout(flight.kind),
            _ => self.testing.timeouts.record_end(flight.kind, run.time),
        }
        let more = flight.add_run(verdict, &mut run, concurrent);
        if let (true, Some(job)) = (more, job) {
            self.repeat_test(hash, flight, job);
            return Ok(());
        }
        let result = TestResult {
            concurrent,
            tally: flight.tally,
            quorum: flight.quorum,
            ..TestResult::from_run(verdict, &run, flight.limits)
        };
        self.journal.record_result(&JournalResult {
            hash,
            result,
            is_recheck: false,
        });
        if self.root_state.waits > 0 {
            self.root_state.waits = 0;
            self.add_note("the test could be run again; the run continues".into());
        }
        let mut contradicted = false;
        let is_certain = !concurrent && !answer.is_unconfirmed;
        if let Some(store) = self.store.clone().filter(|_| is_certain) {
            contradicted = store.contradicts_known(hash, verdict);
            let notice = store.store_result(hash, result);
            notice.into_iter().for_each(|notice| self.add_note(notice));
        }
        if result.is_final() {
            self.prune_mispredicted(hash, verdict);
        }
        let output = run.output;
        self.testing
            .results
            .insert(hash, PendingResult { result, output });
        if contradicted {
            self.record.counts.changed += 1;
            return self.suspect_flaky();
        }
        Ok(())
    }

    /// Offers a candidate that shows another failure to its keeper.
    fn offer_other_failure(&mut self, job: Option<&TestJob>, run: &oracle::TestRun) {
        let others = self.other_failures.as_mut().zip(job);
        let Some(found) = others.and_then(|(others, job)| others.offer_candidate(&job.files, run))
        else {
            return;
        };
        self.record.other_failures = found.failures;
        if let Some(note) = found.note {
            self.add_note(note);
        }
    }

    /// There is no verdict for a candidate. If it is not the root's, it is tested again when the run comes to it; until the next
    /// decision nothing more is tested ahead.
    fn on_missing_verdict(
        &mut self,
        candidate: ContentHash,
        trouble: NoVerdict,
    ) -> Result<(), RunFinished> {
        if matches!(trouble, NoVerdict::NotRecorded { .. }) {
            // No test was started for it.
            self.record.counts.started -= 1;
        }
        let asked = self.root_node().proposed_candidate();
        if asked.is_some_and(|proposed| proposed.hash == candidate) {
            return self.on_root_failure(trouble);
        }
        self.root_state.alone = true;
        Ok(())
    }

    /// There is no verdict for the root's candidate.
    pub(super) fn on_root_failure(&mut self, trouble: NoVerdict) -> Result<(), RunFinished> {
        self.test_alone();
        let pause = if let NoVerdict::NotRecorded { files } = &trouble {
            self.record.unrecorded = Some(files.clone());
            None
        } else if trouble.is_transient() {
            self.root_state.waits += 1;
            let pause = Duration::from_millis(250 << self.root_state.waits.min(5));
            (self.root_state.waits < MAX_SYSTEM_FAILURES || trouble.is_disk_full()).then_some(pause)
        } else {
            self.root_state.failures += 1;
            TEST_RETRY_WAITS
                .get(self.root_state.failures as usize - 1)
                .copied()
        };
        if let Some(pause) = pause {
            // Hours may pass until the disk has room: that is not reported again and again.
            if self.root_state.waits < MAX_SYSTEM_FAILURES {
                self.add_note(format!(
                    "{trouble}; waiting {:.1} s, then asking again",
                    pause.as_secs_f64()
                ));
            }
            (self.root_state.waiting, self.root_state.alarm) = (true, after(pause));
            return Ok(());
        }
        self.add_note(trouble.to_string());
        if !self.audience.is_present() {
            return Err(RunFinished(FinishReason::Failed(trouble.to_string())));
        }
        self.root_state = RootState::default();
        self.stall_run(format!("{trouble}, again and again"));
        Ok(())
    }
}
