//! The loop that drives the dialogue: it decides what is known, has tested what is not, and tells.
//!
//! Everything that changes is here, on one thread. The present is the root of the [`SpeculationTree`]; whatever the workers say about other
//! branches is kept until the present comes to it.

mod breakpoints;
mod dispatch;
mod execute;
mod manual_edits;
mod navigation;
mod planning;
mod poll_events;
mod property;
mod recheck;
mod repeat;
mod resume;
mod root_state;
mod speculate;
mod worker;

use std::collections::VecDeque;
use std::sync::Arc;
use std::thread::Builder;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, after};

use crate::oracle::{self, LimitPolicy, Verdict};
use crate::program::ContentHash;
use crate::protocol::Feedback;
use crate::reduce::commands::EngineCommand;
use crate::reduce::history::VersionHistory;
use crate::reduce::ports::{
    DecisionOrigin, Journal, JournalDecision, JournalResult, OtherFailureKeeper,
};
use crate::reduce::proposer::{ProposedCandidate, ProposerEvent, ProposerStop};
use crate::reduce::reporting::{
    CurrentTest, DecisionDetails, FinishReason, RunEvent, RunRecord, VerdictSource,
};
use crate::reduce::results::{CacheHit, CandidateResult, Quorum, VerdictStore};
use crate::reduce::speculation::{BackgroundPlanner, SpeculationNode, SpeculationTree};
use breakpoints::BreakEvent;
use root_state::RunFinished;
use worker::{CandidateWorkers, SharedRunner};

pub(super) use breakpoints::BreakpointSet;
pub use breakpoints::ScriptTrigger;
pub use execute::{count_closed_parts, resolve_constraints};
pub(super) use resume::ResumeReplay;
pub(super) use root_state::{RootState, TestingState};
pub(super) use worker::{SubmissionGate, start_workers};

/// Between two tries to write the journal.
const UNWRITTEN: Duration = Duration::from_secs(1);

/// All state of a run that changes.
pub(in crate::reduce) struct ReductionEngine {
    pub tree: SpeculationTree,
    pub limit: LimitPolicy,
    pub runner: SharedRunner,
    pub answers: Receiver<oracle::JobResult>,
    pub workers: CandidateWorkers,
    pub planner: BackgroundPlanner,
    /// Programs of so many tokens and more are worked on aside.
    pub background_threshold: u32,
    pub commands: Receiver<EngineCommand>,
    /// Commands that were heard while the present had yet to hear an answer.
    pub deferred_commands: VecDeque<EngineCommand>,
    /// The user stops the run, and was heard in the middle of a command.
    pub stop_requested: bool,
    pub record: RunRecord,
    pub journal: Box<dyn Journal>,
    /// How many tests may run at a time.
    pub jobs: usize,
    /// Stop instead of pausing when the test fails again and again.
    pub stop_on_failure: bool,
    pub paused: bool,
    /// Commands that were given from the start, and when they hold.
    pub script: Vec<(ScriptTrigger, EngineCommand)>,
    /// Refusals up to the last decision.
    pub rejected_before: u64,
    pub history: VersionHistory,
    pub breakpoints: BreakpointSet,
    /// Where the run left for a larger program, if it did.
    pub detour_base: Option<u64>,
    pub root_state: RootState,
    pub testing: TestingState,
    /// Verdicts that other runs have found or will want.
    pub store: Option<Arc<dyn VerdictStore>>,
    /// The journal could not be written when it was last tried.
    pub journal_blocked: bool,
    /// What was done before the run was cut off, as long as it is done again.
    pub replay: Option<ResumeReplay>,
    /// How many runs of the test must say yes, since that was said.
    pub quorum: Option<Quorum>,
    /// Whether the result is asked about once more at the end.
    pub confirm: bool,
    /// Who keeps candidates that show another failure.
    pub other_failures: Option<Box<dyn OtherFailureKeeper>>,
}

impl ReductionEngine {
    /// Runs to the end.
    pub fn run(mut self) {
        let version = &self.root_node().proposer.view.version;
        let (tokens, bytes) = (version.token_count(), version.byte_count());
        self.record.emit_always(RunEvent::Started { tokens, bytes });
        self.process_root_events();
        let RunFinished(finish) = loop {
            if let Err(end) = self.advance_run() {
                break end;
            }
            self.journal.on_idle();
            if let Err(end) = self.poll_events() {
                break end;
            }
        };
        self.cancel_all();
        self.planner.abandon();
        if finish == FinishReason::Complete {
            self.report_unreached_commands();
        }
        self.publish_snapshot();
        // What was not yet done again is in the journal as it was; nothing has happened.
        if self.replay.is_none() {
            if let Some(line) = self.record.running_pass() {
                self.journal.record_pass(line);
            }
            let claim = self.record.build_claim(&finish);
            self.journal
                .record_finish(&finish, &self.record.counts, &claim);
        }
        self.record.record_finish(finish);
        // The last word is out; the thread ends when no test is left, so that whoever joins it leaves nothing behind.
        self.workers.join_all();
        drop(self.runner);
        // Nobody waits until a large program is taken down.
        let remains = (self.tree, self.history, self.record, self.testing);
        // Where the system gives no thread, it is dropped here.
        let _ = Builder::new()
            .name("lop-cleaner".into())
            .spawn(move || drop(remains));
    }

    fn root_node(&self) -> &SpeculationNode {
        self.tree
            .get(self.tree.root_index())
            .expect("the tree has a root")
    }

    /// Decides all that is known, then has tested what is not.
    fn advance_run(&mut self) -> Result<(), RunFinished> {
        loop {
            // Commands hold at a question, at the end, or before work, and nowhere else: so a replay finds the same place.
            if let Some(command) = self.next_command() {
                self.execute_command(command)?;
                continue;
            }
            if self.is_planning() {
                if self.replay_before_work()? || self.work_on_root() {
                    continue;
                }
                return Ok(());
            }
            if self.testing.trials.current.is_some() {
                // Nobody knows what to look for before it is over.
                self.publish_snapshot();
                return Ok(());
            }
            self.retry_recheck();
            if self.is_confirming() {
                return Ok(());
            }
            if matches!(self.root_node().stop, ProposerStop::Done) {
                if self.replay_at_end()? {
                    continue;
                }
                let stands = self.paused && !self.stop_on_failure && self.root_state.steps == 0;
                if stands && !self.root_state.permitted {
                    // What the user did may have closed all there is to ask: there is time to take it back.
                    self.publish_snapshot();
                    return Ok(());
                }
                if self.leave_detour() || self.begin_final_confirmation() {
                    continue;
                }
                return Err(RunFinished(FinishReason::Complete));
            }
            if let Some(question) = self.root_node().proposed_candidate().cloned()
                && self.replay_at_candidate(&question)?
            {
                continue;
            }
            if self.replay.is_some() {
                // It waits for the parser.
                return Ok(());
            }
            let Some(question) = self.root_node().proposed_candidate().cloned() else {
                continue;
            };
            self.check_breakpoints(&BreakEvent::Proposing(question.why.node));
            if !self.root_state.permitted {
                if self.paused && self.root_state.steps == 0 {
                    self.publish_snapshot();
                    if self.stop_on_failure {
                        // There is nobody who could let it go on, and no moment of a script comes any more.
                        return Err(RunFinished(FinishReason::Stopped));
                    }
                    return Ok(());
                }
                self.root_state.permitted = true;
                self.root_state.steps = self.root_state.steps.saturating_sub(1);
            }
            if let Some((ending, source)) = self.known_verdict(&question) {
                self.commit_decision(&question, ending, source);
            } else if self.is_rejected(self.tree.root_index()) {
                self.tree.reject_candidate(self.tree.root_index());
            } else if !self.ensure_journal_written() {
                return Ok(());
            } else {
                self.dispatch_tests();
                self.show_current_test(&question);
                return Ok(());
            }
        }
    }

    /// How the root's question ends, and who says so, if that is known. An interesting candidate needs its trees; and what the parser
    /// has not confirmed is no question for a test.
    fn known_verdict(&mut self, question: &ProposedCandidate) -> Option<(Verdict, VerdictSource)> {
        let confirmed = self
            .confirmed_trees((self.root_node().base, question.hash))
            .is_some();
        match self.lookup_cache(question.hash, question.gist) {
            Some(CacheHit { ending, respaced }) if confirmed || ending != Verdict::Interesting => {
                return Some((ending, VerdictSource::Cache { respaced }));
            }
            // Nobody would wake us for what a store knows of a candidate that is confirmed already.
            None if confirmed && !self.needs_test(question.hash) => {}
            _ => return None,
        }
        let fact = self.take_usable_result(question.hash)?;
        if fact.from_store {
            self.record.counts.from_store += 1;
            self.record.time_saved += fact.run.time;
            self.journal.record_result(&JournalResult {
                hash: question.hash,
                ending: fact.ending,
                time: fact.run.time,
                cpu: fact.run.cpu,
                limit: fact.limits.wall,
                bound: fact.run.exit.exceeded_limit(),
                concurrent: false,
                from_store: true,
                tally: fact.tally,
                quorum: fact.quorum,
                is_recheck: false,
            });
        }
        Some((fact.ending, VerdictSource::Test(fact.run, fact.tally)))
    }

    /// The fact about the root's candidate, if it counts. One that timed out among others, or under another limit, is asked for
    /// again, alone; and one of too few runs is asked for again.
    fn take_usable_result(&mut self, hash: ContentHash) -> Option<CandidateResult> {
        let fact = self.testing.results.remove(hash)?;
        let stale = fact.limits != self.limit.current_limits();
        if fact.ending == Verdict::TimedOut && (fact.concurrent || stale) {
            self.test_alone();
            return None;
        }
        let (quorum, yes) = (self.required_quorum(), fact.ending == Verdict::Interesting);
        let tells = fact.quorum == quorum || quorum.evaluate_tally(fact.tally) == Some(yes);
        tells.then_some(fact)
    }

    /// The root's question is answered: the branch that came true is the present now.
    fn commit_decision(
        &mut self,
        question: &ProposedCandidate,
        ending: Verdict,
        source: VerdictSource,
    ) {
        let number = self.record.counts.decisions + 1;
        let limits = self.limit.current_limits();
        let (yes, hash) = (ending == Verdict::Interesting, question.hash);
        if let VerdictSource::Test(run, tally) = &source {
            self.record.count_repeats(*tally);
            if yes {
                self.record.add_tally(hash, *tally);
            }
            self.testing
                .cache
                .record_decision(hash, question.gist, ending, limits);
            if yes && self.limit.on_interesting(run.time, run.cpu) {
                self.record.limit = self.limit.current_limits().wall;
            }
        }
        self.journal.record_decision(&JournalDecision {
            number,
            hash,
            ending,
            origin: match &source {
                VerdictSource::Test(..) => DecisionOrigin::Test,
                VerdictSource::Cache { respaced: false } => DecisionOrigin::Cache,
                VerdictSource::Cache { respaced: true } => DecisionOrigin::Respaced,
            },
            rejected: self.record.counts.rejected - self.rejected_before,
            limit: limits.wall,
        });
        let shown = self.record.current_test.take();
        let version = self.root_node().proposer.view.version.clone();
        let saved = version
            .token_count()
            .saturating_sub(question.candidate.token_count());
        let sentence = match shown.filter(|trying| trying.edit == question.edit) {
            Some(trying) => trying.sentence,
            None => question.why.to_sentence(&version, saved),
        };
        let (time, exit, bound, output) = match source {
            VerdictSource::Test(run, _) => {
                let exit = run.exit;
                (
                    Some(run.time),
                    exit.to_string(),
                    exit.exceeded_limit(),
                    run.output,
                )
            }
            VerdictSource::Cache { respaced } => {
                self.record.counts.respaced += u64::from(respaced);
                (None, String::new(), None, oracle::TestOutput::default())
            }
        };
        let decided = DecisionDetails {
            decision: number,
            ending,
            edit: question.edit.clone(),
            why: question.why.clone(),
            sentence,
            saved,
            time,
            exit,
            bound,
            output,
        };
        self.record
            .record_decision(decided, self.history.current_version().number, &version);
        let trees = self.confirmed_trees((self.root_node().base, hash)).cloned();
        self.root_state = RootState {
            steps: self.root_state.steps,
            ..RootState::default()
        };
        self.rejected_before = self.record.counts.rejected;
        let answer = if yes {
            Feedback::Interesting
        } else {
            Feedback::Uninteresting
        };
        self.tree.promote_branch(answer, trees.as_ref());
        self.cancel_unwanted();
        self.process_root_events();
        self.check_breakpoints(&BreakEvent::Decided(ending));
    }

    /// Pauses if the user wants to stop at this.
    fn check_breakpoints(&mut self, happening: &BreakEvent) {
        if let Some(reason) = self.breakpoints.on_event(happening)
            && !self.paused
        {
            self.pause_speculation();
            self.pause_run(Some(reason.to_string()));
        }
    }

    /// Nothing is tested ahead from now on.
    fn pause_speculation(&mut self) {
        self.paused = true;
        self.tree.drop_speculation();
        self.cancel_unwanted();
    }

    /// Tells what happened on the way to the present.
    fn process_root_events(&mut self) {
        let root = self.tree.root_index();
        let happened = self
            .tree
            .get_mut(root)
            .map(|node| std::mem::take(&mut node.events))
            .unwrap_or_default();
        for event in happened {
            match event {
                ProposerEvent::Turn(turn) => {
                    let began = self.record.set_turn(turn);
                    if let Some(ended) = self.record.ended_pass.take() {
                        self.journal.record_pass(&ended);
                    }
                    if let Some(pass) = began {
                        self.check_breakpoints(&BreakEvent::Turn(pass));
                    }
                }
                ProposerEvent::Rejected => self.record.count_rejection(),
                ProposerEvent::ManualEditRejected => {
                    self.record.count_rejection();
                    self.add_note("your edit is not asked about: a required query or another constraint forbids it".into());
                }
                ProposerEvent::Accepted(found, leaves) => {
                    let (number, version) = (self.history.next_number(), &found.version);
                    let taken = self.record.next_accepted(number, version);
                    if leaves
                        && found.version.token_count()
                            >= self.history.current_version().version.token_count()
                    {
                        self.detour_base
                            .get_or_insert(self.history.current_version().number);
                    }
                    let past = self.build_version_record(&found);
                    self.journal.record_accept(&taken, &past);
                    self.record.record_accept(taken);
                    self.add_version(past);
                    self.check_breakpoints(&BreakEvent::Accepted(&found.version));
                }
            }
        }
    }

    /// What the script or the user says now. Nobody is heard as long as it is done again what was done before, nor before the present
    /// has heard the answer to its question. The user is heard at a question, or while work is done aside.
    fn next_command(&mut self) -> Option<EngineCommand> {
        if self.replay.is_some()
            || self.testing.trials.current.is_some()
            || self.has_pending_feedback()
        {
            return None;
        }
        let next = self.next_trial().or_else(|| self.next_scripted_command());
        let next = next.or_else(|| self.deferred_commands.pop_front());
        let is_heard = !self.is_planning() || self.planner.works_for(self.tree.root_index());
        next.or_else(|| is_heard.then(|| self.commands.try_recv().ok())?)
    }

    /// Whether all that happened is in the journal. If not, nothing more is asked, and in a while this is asked again.
    fn ensure_journal_written(&mut self) -> bool {
        // Each time that it is asked, the journal tries again.
        let trouble = self.journal.retry_failed_write();
        if let Some(loss) = self.journal.take_loss_notice() {
            self.add_note(loss);
        }
        match (&trouble, self.journal_blocked) {
            (None, true) => {
                self.add_note("the journal could be written again; the run goes on".into())
            }
            (Some(trouble), false) => {
                self.add_note(format!("{trouble}; the run waits until it can be"));
            }
            _ => {}
        }
        self.journal_blocked = trouble.is_some();
        if self.journal_blocked {
            (self.root_state.waiting, self.root_state.alarm) = (true, after(UNWRITTEN));
        }
        !self.journal_blocked
    }

    /// Shows the root's question while its test runs.
    fn show_current_test(&mut self, question: &ProposedCandidate) {
        let decision = self.record.counts.decisions + 1;
        if self
            .record
            .current_test
            .as_ref()
            .is_some_and(|trying| trying.decision == decision && trying.edit == question.edit)
        {
            return;
        }
        let base = &self.root_node().proposer.view.version;
        let saved = base
            .token_count()
            .saturating_sub(question.candidate.token_count());
        let sentence = question.why.to_sentence(base, saved);
        let since = self
            .testing
            .in_flight
            .get(&question.hash)
            .map_or_else(Instant::now, |flight| flight.since);
        let (edit, why) = (question.edit.clone(), question.why.clone());
        self.record.current_test = Some(CurrentTest {
            decision,
            edit,
            why,
            sentence,
            saved,
            since,
        });
        self.publish_snapshot();
    }

    fn add_note(&mut self, note: String) {
        self.record.add_note(note);
        self.publish_snapshot();
    }

    fn publish_snapshot(&mut self) {
        self.record.busy = self.testing.in_flight.len();
        let view = self.root_node().proposer.view.clone();
        self.record
            .publish_snapshot(&view, &self.history, self.detour_base);
    }
}
