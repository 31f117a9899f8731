//! Work of the proposer: at once where the program is small, on the planner's thread where it is large.
//!
//! *Work* is what the proposer does without an answer from outside: it gets feedback and accepts what was found interesting, it reads the text
//! again, it plans the next question (`ProposerState::run_work`). A branch of the speculation tree stops before each piece of work and keeps
//! the state from before it. From 10,000 tokens on the planner's thread does the work, one piece at a time, that of the root first; the engine
//! receives commands meanwhile. This threshold depends on the program alone. What is asked is the same either way, and so is where
//! commands can hold: before each piece of work that [allows them](crate::reduce::proposer::ProposerWork::allows_commands), and at each question.
//!
//! A command that changes what is asked goes to the state from before the work, and the work begins anew. A pause, a step or a limit leaves
//! the work alone. While an interesting answer has yet to reach the proposer, a command waits for that: the version must not be lost. Work that
//! is abandoned notices it in the loops of `program/walk.rs` and in the parser's callback, and unwinds (`protocol/abandon.rs`).

use std::thread::Builder;
use std::time::{Duration, Instant};

use crossbeam_channel::{bounded, select};

use super::{ReductionEngine, RunFinished};
use crate::protocol::Feedback;
use crate::protocol::abandon::{AbandonFlag, unless_abandoned};
use crate::reduce::commands::EngineCommand;
use crate::reduce::proposer::{ProposerState, ProposerStop, ProposerWork};
use crate::reduce::reporting::{FinishReason, PlanningStatus};
use crate::reduce::speculation::{NodeIndex, PlannerReport, SpeculationNode};

/// How long a version that was just found may take to be accepted when the run is stopped.
const FINAL_ACCEPT_WAIT: Duration = Duration::from_millis(40);

impl ReductionEngine {
    /// Does the next work at `index`, if there is some. Returns whether none of it is under way: work of a large program is done on the
    /// background thread, that of the root first.
    pub(super) fn work_on_branch(&mut self, index: NodeIndex) -> bool {
        let Some(node) = self.tree.get(index) else {
            return true;
        };
        let Some(work) = node.pending_work() else {
            return true;
        };
        if self.is_large(node) {
            let is_root = index == self.tree.root_index();
            if self.planner.works_for(index) || self.planner.is_busy() && !is_root {
                return false;
            }
            if self.planner.begin_work(index, &node.proposer, work) {
                if is_root {
                    self.show_planning();
                }
                return false;
            }
            // Where the system gives no thread, this one does the work.
        }
        let worked = node.proposer.clone().run_work(work.clone());
        self.tree.set_work_result(index, worked);
        self.on_work_done(index);
        true
    }

    /// Advances a branch to its next candidate, as far as that is not done on the background thread; candidates that the parser refused are
    /// skipped. Returns whether the candidate is there.
    pub(super) fn advance_to_candidate(&mut self, index: NodeIndex) -> bool {
        loop {
            if !self.work_on_branch(index) {
                return false;
            }
            let works = self
                .tree
                .get(index)
                .is_some_and(|node| node.pending_work().is_some());
            if !works && self.rejects_ahead() && self.is_rejected(index) {
                self.tree.reject_candidate(index);
            } else if !works {
                return true;
            }
        }
    }

    /// Does the root's next work. Returns whether none of it is under way.
    pub(super) fn work_on_root(&mut self) -> bool {
        if matches!(self.root_node().stop, ProposerStop::Reparse) {
            self.tree.begin_reparse();
        }
        self.work_on_branch(self.tree.root_index())
    }

    /// Advances the root of a small program to its next candidate, or to its end.
    pub(super) fn advance_root(&mut self) {
        while self.is_planning() && !self.is_large(self.root_node()) {
            self.work_on_root();
        }
    }

    /// Computes a value of the root's proposer: on a thread of its own if the program is large. Commands hold after it; only a stop does
    /// not wait, and then there is no result.
    pub(super) fn compute_on_root<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&ProposerState) -> T + Send + 'static,
    ) -> Option<T> {
        let proposer = &self.root_node().proposer;
        if !self.is_large(self.root_node()) {
            return Some(work(proposer));
        }
        let (proposer, flag) = (proposer.clone(), AbandonFlag::default());
        let (done_in, done) = bounded(1);
        let wanted = flag.clone();
        let thread = Builder::new().name("lop-aside".into());
        let working = thread.spawn(move || {
            let came = unless_abandoned(&wanted, || work(&proposer));
            // Nobody waits for what was abandoned.
            let _ = done_in.send(came);
        });
        // Where the system gives no thread, the work is lost with its closure.
        working.ok()?;
        loop {
            let commands = self.commands.incoming().clone();
            select! {
                recv(done) -> came => return came.ok().flatten(),
                recv(commands) -> command => match self.command_or_stop(command) {
                    Some(EngineCommand::Stop) => {
                        flag.abandon();
                        self.commands.request_stop();
                        return None;
                    }
                    Some(command) => self.commands.defer_command(command),
                    None => {}
                },
            }
        }
    }

    /// Whether the work on a branch's program is done on a thread of its own.
    fn is_large(&self, node: &SpeculationNode) -> bool {
        node.proposer.view.version.token_count() >= self.background_threshold
    }

    /// Whether the root is neither at a candidate nor at the end.
    pub(super) fn is_planning(&self) -> bool {
        matches!(
            self.root_node().stop,
            ProposerStop::Work(_) | ProposerStop::Reparse
        )
    }

    /// Whether feedback has yet to reach the root's proposer: until then no command holds that changes what is proposed.
    pub(super) fn has_pending_feedback(&self) -> bool {
        self.root_node()
            .pending_work()
            .is_some_and(|work| !work.allows_commands())
    }

    /// Stops the run. A version that was just found is accepted first, if that takes no longer than anyone notices; else a resumed run
    /// accepts it.
    pub(super) fn finish_pending_accept(&mut self) -> Result<(), RunFinished> {
        let until = Instant::now() + FINAL_ACCEPT_WAIT;
        while matches!(
            self.root_node().pending_work(),
            Some(ProposerWork::ApplyFeedback(_, Feedback::Interesting, _))
        ) {
            let Ok(report) = self.planner.reports.recv_deadline(until) else {
                break;
            };
            self.on_planner_report(report)?;
        }
        Ok(())
    }

    /// Work that was done on the background thread has come to its end.
    pub(super) fn on_planner_report(&mut self, report: PlannerReport) -> Result<(), RunFinished> {
        let Some((index, came)) = self.planner.finish_task(report) else {
            return Ok(());
        };
        let worked = came.map_err(|words| {
            RunFinished(FinishReason::Failed(format!(
                "lop's planner panicked, which is a fault of lop: {words}"
            )))
        })?;
        self.tree.set_work_result(index, worked);
        self.on_work_done(index);
        Ok(())
    }

    /// Reports what happened in the work at `index`. Until the root is at a candidate it is not known which tests are wanted.
    fn on_work_done(&mut self, index: NodeIndex) {
        if index != self.tree.root_index() {
            return;
        }
        if !self.is_planning() {
            self.record.planning = None;
            self.cancel_unwanted();
        }
        self.process_root_events();
    }

    /// Shows that the next candidate is being planned.
    fn show_planning(&mut self) {
        if self.record.planning.is_none() {
            let pass = self.root_node().proposer.schedule.upcoming_pass();
            let since = Instant::now();
            self.record.planning = Some(PlanningStatus { pass, since });
            self.publish_snapshot();
        }
    }
}
