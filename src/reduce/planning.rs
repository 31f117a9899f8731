//! Work of the asking side: at once where the program is small, aside where it is large.
//!
//! The threshold depends on the program alone. What is asked is the same either way, and so is where commands can hold: before each
//! piece of work that [yields](super::speculate::Work::yields), and at each question.

use std::thread::Builder;
use std::time::{Duration, Instant};

use crossbeam_channel::{bounded, select};

use super::command::Command;
use super::engine::Engine;
use super::event::Finish;
use super::planner::Report;
use super::present::End;
use super::snapshot::Planned;
use super::speculate::{Asking, Index, Node, Stop, Work};
use crate::dialogue::Answer;
use crate::dialogue::abandon::{AbandonFlag, unless_abandoned};

/// So long may a version that was just found be accepted when the run is to be stopped.
const LAST_YES: Duration = Duration::from_millis(80);

impl Engine {
    /// Does the next work at `index`, if there is some. Says whether nothing of it is under way: work of a large program is done aside,
    /// that of the present first.
    pub(super) fn do_work(&mut self, index: Index) -> bool {
        let Some(node) = self.tree.get(index) else {
            return true;
        };
        let Some(work) = node.work() else {
            return true;
        };
        if self.is_large(node) {
            let is_root = index == self.tree.root();
            if self.planner.works_for(index) || self.planner.is_busy() && !is_root {
                return false;
            }
            if self.planner.begin(index, &node.asking, work) {
                if is_root {
                    self.show_planning();
                }
                return false;
            }
            // Where the system gives no thread, this one does the work.
        }
        let worked = node.asking.clone().work(work.clone());
        self.tree.put(index, worked);
        self.tell_worked(index);
        true
    }

    /// Comes to the next question of a branch, as far as that is not done aside; what the parser has refused is no question. Says
    /// whether it is there.
    pub(super) fn come_to_question(&mut self, index: Index) -> bool {
        loop {
            if !self.do_work(index) {
                return false;
            }
            let works = self
                .tree
                .get(index)
                .is_some_and(|node| node.work().is_some());
            if !works && self.refuses_ahead() && self.is_refused(index) {
                self.tree.refuse(index);
            } else if !works {
                return true;
            }
        }
    }

    /// Does the present's next work. Says whether nothing of it is under way.
    pub(super) fn work_on_present(&mut self) -> bool {
        if matches!(self.present().stop, Stop::Settle) {
            self.tree.settle();
        }
        self.do_work(self.tree.root())
    }

    /// The present of a small program comes to its next question, or to its end.
    pub(super) fn come_to_present(&mut self) {
        while self.is_working() && !self.is_large(self.present()) {
            self.work_on_present();
        }
    }

    /// Works this out about the present: aside if its program is large. What the user says meanwhile holds after it; only a stop does not
    /// wait, and then there is no result.
    pub(super) fn work_out<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&Asking) -> T + Send + 'static,
    ) -> Option<T> {
        let asking = &self.present().asking;
        if !self.is_large(self.present()) {
            return Some(work(asking));
        }
        let (asking, flag) = (asking.clone(), AbandonFlag::default());
        let (done_in, done) = bounded(1);
        let wanted = flag.clone();
        let thread = Builder::new().name("lop-aside".into());
        let working = thread.spawn(move || {
            let came = unless_abandoned(&wanted, || work(&asking));
            // Nobody waits for what was abandoned.
            let _ = done_in.send(came);
        });
        // Where the system gives no thread, the work is lost with its closure.
        working.ok()?;
        loop {
            let commands = self.commands.clone();
            select! {
                recv(done) -> came => return came.ok().flatten(),
                recv(commands) -> command => match self.command_of(command) {
                    Some(Command::Stop) => {
                        flag.abandon();
                        self.stops = true;
                        return None;
                    }
                    command => self.held.extend(command),
                },
            }
        }
    }

    /// Whether what is worked out about a branch's program is worked out aside.
    fn is_large(&self, node: &Node) -> bool {
        node.asking.view.version.tokens() >= self.aside
    }

    /// Whether the present is not at a question, nor at the end.
    pub(super) fn is_working(&self) -> bool {
        matches!(self.present().stop, Stop::Work(_) | Stop::Settle)
    }

    /// Whether the present has yet to hear the answer to its question: until then no command holds that changes what is asked.
    pub(super) fn is_hearing(&self) -> bool {
        self.present().work().is_some_and(|work| !work.yields())
    }

    /// The run is to be stopped. A version that was just found is accepted first, if that takes no longer than anyone notices; else a
    /// resume accepts it.
    pub(super) fn hear_last_yes(&mut self) -> Result<(), End> {
        let until = Instant::now() + LAST_YES;
        while matches!(self.present().work(), Some(Work::Hear(_, Answer::Yes, _))) {
            let Ok(report) = self.planner.reports.recv_deadline(until) else {
                break;
            };
            self.heard_planner(report)?;
        }
        Ok(())
    }

    /// Work that was done aside has come to its end.
    pub(super) fn heard_planner(&mut self, report: Report) -> Result<(), End> {
        let Some((index, came)) = self.planner.take(report) else {
            return Ok(());
        };
        let worked = came.map_err(|words| {
            End(Finish::Failed(format!(
                "lop's planner panicked, which is a fault of lop: {words}"
            )))
        })?;
        self.tree.put(index, worked);
        self.tell_worked(index);
        Ok(())
    }

    /// Tells what happened in the work at `index`. Until the present is at a question nobody knows which tests are wanted.
    fn tell_worked(&mut self, index: Index) {
        if index != self.tree.root() {
            return;
        }
        if !self.is_working() {
            self.record.planned = None;
            self.cancel_unwanted();
        }
        self.arrive();
    }

    /// Shows that the next question is being planned.
    fn show_planning(&mut self) {
        if self.record.planned.is_none() {
            let pass = self.present().asking.schedule.upcoming();
            let since = Instant::now();
            self.record.planned = Some(Planned { pass, since });
            self.publish();
        }
    }
}
