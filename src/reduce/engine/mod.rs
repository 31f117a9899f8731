//! The loop on the engine's thread: it decides what is known, has the rest tested, and reports.
//!
//! All state that changes is here, on one thread. The current candidate is the root of the [`SpeculationTree`]; results of other
//! branches are kept until the run comes to them.
//!
//! | file | subject |
//! | --- | --- |
//! | `decide.rs` | the answer to the root's question, and what follows from it |
//! | `dispatch.rs` | what is tested, and what no longer: the root's candidate, the candidates of a batch, then speculation (`speculate.rs`) |
//! | `overdue.rs` | tests that may time out: they are stopped beside others, and run alone when their turn comes |
//! | `worker.rs` | threads that print candidates, have the parser check them, and submit them to the runner |
//! | `poll_events.rs` | what workers, tests, the user and the clock report while the engine waits |
//! | `testing_state.rs` | the state of all tests: the question at the root, results, tests in flight, tests outside of the dialogue |
//! | `planning.rs` | the work before a question: at once, or on the planner's thread |
//! | `repeat.rs` | runs of a test on the same bytes, until a quorum decides |
//! | `new_test.rs` | a test that has changed: the version is tested with it, and what the old one said decides nothing |
//! | `recheck.rs` | a version that is tested once more: whether the test has changed or is flaky, and the way back from a result that does not hold |
//! | `test_pool.rs`, `pending_commands.rs` | the runner and its workers; commands that wait |
//! | `next_command.rs`, `execute.rs` | which command holds next, and what it does; `constrain.rs`, `pause.rs`, `navigation.rs`, `manual_edits.rs`, `external_proposals.rs`, `property.rs` do it by subject |
//! | `breakpoints.rs` | where a run pauses by itself |
//! | `end.rs` | the end, and how the run goes on from there |
//! | `resume.rs`, `replay_cursor.rs` | an interrupted run, done again without tests |
//!
//! A candidate that the parser refused is no question, but a question that the cache answers does not come to the parser: both depend on the
//! dialogue alone.

mod breakpoints;
mod constrain;
mod decide;
mod dispatch;
mod end;
mod execute;
mod external_proposals;
mod manual_edits;
mod navigation;
mod new_test;
mod next_command;
mod overdue;
mod pause;
mod pending_commands;
mod planning;
mod poll_events;
mod property;
mod recheck;
mod repeat;
mod replay_cursor;
mod resume;
mod speculate;
mod test_pool;
mod testing_state;
mod worker;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, after};

use crate::oracle::LimitPolicy;
use crate::program::{TokenChange, View};
use crate::reduce::audience::RunAudience;
use crate::reduce::cleaner::Cleaner;
use crate::reduce::commands::EngineCommand;
use crate::reduce::history::{ActiveProperty, VersionHistory};
use crate::reduce::ports::{CandidateKeeper, Journal, OtherFailureKeeper, VerdictStore};
use crate::reduce::proposer::{PassSchedule, ProposedCandidate, ProposerState, ProposerStop};
use crate::reduce::reporting::{CurrentTest, FinishReason, RunEvent, RunRecord, SnapshotBoard};
use crate::reduce::results::Quorum;
use crate::reduce::setup::{RunSetup, StartError};
use crate::reduce::speculation::{BackgroundPlanner, SpeculationNode, SpeculationTree};
use breakpoints::{BreakEvent, BreakpointSet};
use external_proposals::ExternalProposers;
use pending_commands::PendingCommands;
use replay_cursor::ResumeReplay;
use test_pool::TestPool;
use testing_state::{RootState, TestingState};

/// Between two tries to write the journal.
const JOURNAL_RETRY_WAIT: Duration = Duration::from_secs(1);

/// The outcome of a command: a sentence for the user, if there is more to say than that it holds.
type CommandResult = Result<Option<String>, String>;

/// What the engine does after a step of its loop.
enum NextMove {
    /// It decides what is known now.
    Decide,
    /// It waits for an event.
    Wait,
}

/// The run ends, for this reason.
pub(in crate::reduce) struct RunFinished(pub FinishReason);

/// All state of a run that changes.
pub(in crate::reduce) struct ReductionEngine {
    pub tree: SpeculationTree,
    pub limit: LimitPolicy,
    pub pool: TestPool,
    pub planner: BackgroundPlanner,
    /// Drops what is large, so that commands are received meanwhile.
    pub cleaner: Cleaner,
    /// Programs of this number of tokens and more are planned on the background thread.
    pub background_threshold: u32,
    pub commands: PendingCommands,
    pub record: RunRecord,
    pub journal: Box<dyn Journal>,
    /// Who could resume the run where it waits.
    pub audience: RunAudience,
    /// Stay at the end for further commands.
    pub stays_at_end: bool,
    pub paused: bool,
    /// Rejections up to the last decision.
    pub rejected_before: u64,
    pub history: VersionHistory,
    pub breakpoints: BreakpointSet,
    /// The version that a detour left, if the run is inside one.
    pub detour_base: Option<u64>,
    pub root_state: RootState,
    pub testing: TestingState,
    /// Verdicts that other runs have found or will want.
    pub store: Option<Arc<dyn VerdictStore>>,
    /// Whether the last try to write the journal failed.
    pub journal_blocked: bool,
    /// The recorded events of an interrupted run, until they are replayed.
    pub replay: Option<ResumeReplay>,
    /// How many runs of the test must say interesting, once the user or a flaky test has set that.
    pub quorum: Option<Quorum>,
    /// Whether the result is tested once more at the end.
    pub confirm: bool,
    /// Keeps candidates that show another failure.
    pub other_failures: Option<Box<dyn OtherFailureKeeper>>,
    /// Keeps all candidates that are tested.
    pub candidates: Option<Box<dyn CandidateKeeper>>,
    /// Programs outside of lop that propose candidates.
    external: ExternalProposers,
}

impl ReductionEngine {
    /// The engine of a run that is about to begin, with its workers.
    pub fn new(
        mut setup: RunSetup,
        commands: Receiver<EngineCommand>,
        events: Sender<RunEvent>,
        board: Arc<SnapshotBoard>,
    ) -> Result<ReductionEngine, StartError> {
        setup.options = setup.options.for_version(&setup.version);
        let pool = TestPool::start(setup.runner, setup.jobs)?;
        let mut record = RunRecord::new(
            &setup.version,
            setup.options,
            setup.limit.current_limits().wall,
            setup.paused,
            pool.max_tests(),
            events,
            board,
        );
        let mut resume = setup.resume;
        if let Some(resume) = &mut resume {
            record.publisher.begin_replay(resume.observer.take());
        }
        record.property = setup.property.map(Arc::new);
        record.farm = setup.farm;
        let replay = resume.map(ResumeReplay::new);
        if let Some(replay) = replay.as_ref()
            && !record.publisher.is_observed()
        {
            replay.report_progress(&record, 0);
        }
        let mut history = VersionHistory::new(setup.version.clone());
        if let Some(property) = &record.property {
            let active = ActiveProperty::new(Some(property.clone()), setup.limit, 0);
            history.set_property(active, None);
        }
        let proposer =
            ProposerState::new(PassSchedule::new(setup.options), View::new(setup.version));
        let cleaner = Cleaner::start(setup.background_threshold);
        Ok(ReductionEngine {
            tree: SpeculationTree::new(proposer, cleaner.clone()),
            limit: setup.limit,
            pool,
            planner: BackgroundPlanner::new(cleaner.clone()),
            cleaner,
            background_threshold: setup.background_threshold,
            commands: PendingCommands::new(commands, setup.script),
            record,
            journal: setup.journal,
            audience: setup.audience,
            stays_at_end: setup.stays_at_end,
            paused: setup.paused,
            rejected_before: 0,
            history,
            breakpoints: BreakpointSet::default(),
            detour_base: None,
            root_state: RootState::default(),
            testing: TestingState::default(),
            store: setup.store,
            journal_blocked: false,
            replay,
            quorum: None,
            confirm: setup.confirm,
            other_failures: setup.other_failures,
            candidates: setup.candidates,
            external: ExternalProposers::new(setup.proposals),
        })
    }

    /// Runs to the end; where it stays there, until the user leaves.
    pub fn run(mut self) {
        // The first snapshot comes before the first candidate.
        self.publish_snapshot();
        let version = &self.root_node().proposer.view.version;
        self.record.publisher.emit_always(RunEvent::Started {
            tokens: version.token_count(),
            bytes: version.byte_count(),
            size: version.size(),
        });
        self.process_root_events();
        let mut end = self.run_to_end();
        loop {
            let RunFinished(finish) = end;
            self.record_end(&finish);
            if finish != FinishReason::Complete || !self.stays_at_end {
                break;
            }
            end = match self.wait_at_end() {
                None => break,
                Some(Ok(())) => self.run_to_end(),
                Some(Err(end)) => end,
            };
        }
        // The last event is sent; the thread ends when no test is left, so that whoever joins it leaves nothing behind.
        self.pool.shut_down();
        // Nobody waits until a large program is dropped.
        let remains = (self.tree, self.history, self.record, self.testing);
        self.cleaner.drop_later(u32::MAX, remains);
    }

    /// Decides, tests and waits until the run ends.
    fn run_to_end(&mut self) -> RunFinished {
        loop {
            if let Err(end) = self.advance_run() {
                return end;
            }
            self.journal.on_idle();
            if let Err(end) = self.poll_events() {
                return end;
            }
        }
    }

    fn root_node(&self) -> &SpeculationNode {
        self.tree
            .get(self.tree.root_index())
            .expect("the tree has a root")
    }

    /// Decides all that is known, then has the rest tested.
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
                // The property is not known before the trial is over.
                self.publish_snapshot();
                return Ok(());
            }
            self.retry_recheck();
            if self.is_new_test_pending() || self.is_confirming() {
                return Ok(());
            }
            if matches!(self.root_node().stop, ProposerStop::Done) {
                match self.advance_at_end()? {
                    NextMove::Decide => continue,
                    NextMove::Wait => return Ok(()),
                }
            }
            if let Some(proposed) = self.root_node().proposed_candidate().cloned()
                && self.replay_at_candidate(&proposed)?
            {
                continue;
            }
            if self.replay.is_some() {
                // It waits for the parser.
                return Ok(());
            }
            let Some(proposed) = self.root_node().proposed_candidate().cloned() else {
                continue;
            };
            self.check_breakpoints(&BreakEvent::Proposing(proposed.why.node));
            if !self.root_state.permitted {
                if self.is_standing() {
                    match self.stand_still()? {
                        NextMove::Decide => continue,
                        NextMove::Wait => return Ok(()),
                    }
                }
                self.root_state.permitted = true;
                self.root_state.steps = self.root_state.steps.saturating_sub(1);
            }
            if let Some((result, output)) = self.known_result(&proposed) {
                self.commit_decision(&proposed, result, output);
            } else if self.is_rejected(self.tree.root_index()) {
                self.tree.reject_candidate(self.tree.root_index());
            } else if !self.ensure_journal_written() {
                return Ok(());
            } else {
                self.dispatch_tests();
                self.show_current_test(&proposed);
                return Ok(());
            }
        }
    }

    /// Nothing is left to ask about the version: the run stands there, goes elsewhere, waits for proposals, or ends.
    fn advance_at_end(&mut self) -> Result<NextMove, RunFinished> {
        if self.replay_at_end()? {
            return Ok(NextMove::Decide);
        }
        if self.is_standing() && self.audience.is_present() && !self.root_state.permitted {
            // The user's commands may have closed all candidates: there is time to undo that.
            self.publish_snapshot();
            return Ok(NextMove::Wait);
        }
        if self.leave_detour() {
            return Ok(NextMove::Decide);
        }
        if self.waits_for_proposals() {
            if self.is_standing() && !self.audience.is_present() {
                // A run that stands hears no proposals.
                return self.stand_still();
            }
            self.publish_snapshot();
            return Ok(NextMove::Wait);
        }
        if self.begin_final_confirmation() {
            return Ok(NextMove::Decide);
        }
        if self.waits_for_recheck() {
            self.publish_snapshot();
            return Ok(NextMove::Wait);
        }
        Err(RunFinished(FinishReason::Complete))
    }

    /// Whether the run is paused, and nobody has asked for another step.
    fn is_standing(&self) -> bool {
        self.paused && self.root_state.steps == 0
    }

    /// Waits for somebody who is there to resume the run. Without anybody it goes on or ends.
    fn stand_still(&mut self) -> Result<NextMove, RunFinished> {
        self.publish_snapshot();
        if self.audience.is_present() {
            return Ok(NextMove::Wait);
        }
        if self.audience.has_left() {
            // Nobody may be kept waiting by who has gone.
            self.execute_command(EngineCommand::Resume)?;
            return Ok(NextMove::Decide);
        }
        // Nobody could resume the run, and no command of a script is due any more.
        Err(RunFinished(FinishReason::Stopped))
    }

    /// Whether all that happened is in the journal. If not, nothing more is tested, and the journal is tried again after a while.
    fn ensure_journal_written(&mut self) -> bool {
        // The journal tries again at each call.
        let trouble = self.journal.retry_failed_write();
        if let Some(loss) = self.journal.take_loss_notice() {
            self.add_note(loss);
        }
        match (&trouble, self.journal_blocked) {
            (None, true) => {
                self.add_note("the journal could be written again; the run continues".into())
            }
            (Some(trouble), false) => {
                self.add_note(format!("{trouble}; the run waits until it can be"));
            }
            _ => {}
        }
        self.journal_blocked = trouble.is_some();
        if self.journal_blocked {
            (self.root_state.waiting, self.root_state.alarm) = (true, after(JOURNAL_RETRY_WAIT));
        }
        !self.journal_blocked
    }

    /// Shows the root's candidate while its test runs.
    fn show_current_test(&mut self, proposed: &ProposedCandidate) {
        let decision = self.record.counts.decisions + 1;
        if self
            .record
            .current_test
            .as_ref()
            .is_some_and(|trying| trying.decision == decision && trying.edit == proposed.edit)
        {
            return;
        }
        let base = &self.root_node().proposer.view.version;
        let change = TokenChange::between(base, &proposed.candidate);
        let sentence = proposed.why.to_sentence(base, &proposed.edit, change);
        let since = self
            .testing
            .in_flight
            .get(&proposed.hash)
            .map_or_else(Instant::now, |flight| flight.since);
        let algorithm = self.root_node().proposer.describe_algorithm();
        let (edit, why) = (proposed.edit.clone(), proposed.why.clone());
        self.record.current_test = Some(CurrentTest {
            decision,
            edit,
            why,
            sentence,
            change,
            algorithm,
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
        let replaced = self
            .record
            .publish_snapshot(&view, &self.history, self.detour_base);
        if let Some(replaced) = replaced {
            let tokens = replaced.version.token_count();
            self.cleaner.drop_later(tokens, replaced);
        }
    }
}
