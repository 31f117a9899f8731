//! The loop that drives the dialogue: it decides what is known, has tested what is not, and tells.
//!
//! Everything that changes is here, on one thread. The present is the root of the [`Tree`]; whatever the workers say about other
//! branches is kept until the present comes to it.

use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::Receiver;

use super::command::Command;
use super::event::{Decided, Ending, Event, Finish};
use super::halts::{Halts, Happening, When};
use super::history::History;
use super::journal::{self, Journal};
use super::present::{End, Fact, Known, Present};
use super::record::Record;
use super::snapshot::Trying;
use super::speculate::{Happened, Node, Question, Stop, Tree};
use super::store::VerdictStore;
use super::wishes::Excursion;
use super::worker::{SharedRunner, Workers};
use crate::dialogue::Answer;
use crate::oracle::{self, Limit};
use crate::program::{Hash, Version};

/// All state of a run that changes.
pub(super) struct Engine {
    pub tree: Tree,
    pub limit: Limit,
    pub runner: SharedRunner,
    pub answers: Receiver<oracle::Answer>,
    pub workers: Workers,
    pub commands: Receiver<Command>,
    pub record: Record,
    pub journal: Box<dyn Journal>,
    /// How many tests may run at a time.
    pub jobs: usize,
    /// Stop instead of pausing when the test fails again and again.
    pub fail: bool,
    pub paused: bool,
    /// Commands that were given from the start, and when they hold.
    pub script: Vec<(When, Command)>,
    /// Refusals up to the last decision.
    pub refused_before: u64,
    pub history: History,
    pub halts: Halts,
    /// Where the run left for a larger program, if it did.
    pub excursion: Option<Excursion>,
    pub at: Present,
    pub known: Known,
    /// Verdicts that other runs have found or will want.
    pub store: Option<Arc<dyn VerdictStore>>,
}

impl Engine {
    /// Runs to the end.
    pub fn run(mut self) {
        let version = &self.present().asking.view.version;
        let (tokens, bytes) = (version.tokens(), version.bytes());
        self.record.event(Event::Started { tokens, bytes });
        self.arrive();
        let End(finish) = loop {
            if let Err(end) = self.go_on().and_then(|()| self.hear()) {
                break end;
            }
        };
        self.cancel(|_| false);
        self.journal.finished(&finish);
        self.record.finish(finish);
        // The last word is out; the thread ends when no test is left, so that whoever joins it leaves nothing behind.
        self.workers.end();
        drop(self.runner);
    }

    pub(super) fn present(&self) -> &Node {
        self.tree
            .get(self.tree.root())
            .expect("the tree has a root")
    }

    /// Decides all that is known, then has tested what is not.
    pub(super) fn go_on(&mut self) -> Result<(), End> {
        loop {
            if matches!(self.present().stop, Stop::Settle) {
                self.tree.settle();
                self.cancel_unwanted();
                self.arrive();
                continue;
            }
            if matches!(self.present().stop, Stop::Done) {
                match self.go_home() {
                    true => continue,
                    false => return Err(End(Finish::Complete)),
                }
            }
            // Commands hold at a question and nowhere else: so a replay finds the same place.
            if let Some(command) = self.due().or_else(|| self.commands.try_recv().ok()) {
                self.obey(command)?;
                continue;
            }
            let Stop::Ask(question) = &self.present().stop else {
                continue;
            };
            let (question, trees) = (question.clone(), self.present().trees.is_some());
            self.breaks(&Happening::Asking(question.why.node));
            if !self.at.permitted {
                if self.paused && self.at.steps == 0 {
                    return Ok(());
                }
                self.at.permitted = true;
                self.at.steps = self.at.steps.saturating_sub(1);
            }
            let hash = question.hash;
            match self.decided(hash) {
                Some(Ending::Interesting) if !trees => {}
                Some(ending) => {
                    self.decide(*question, ending, None);
                    continue;
                }
                None if trees => {
                    if let Some(fact) = self.usable_fact(hash) {
                        if fact.recalled {
                            self.record.counts.recalled += 1;
                            self.record.spared += fact.run.time;
                        }
                        self.decide(*question, fact.ending, Some(fact.run));
                        continue;
                    }
                }
                None => {}
            }
            self.dispatch();
            self.show_trying(&question);
            return Ok(());
        }
    }

    /// What the cache says: only decisions count, and a timed-out verdict dies when the limit grows.
    pub(super) fn decided(&self, hash: Hash) -> Option<Ending> {
        let ending = *self.known.decided.get(&hash)?;
        let stale = ending == Ending::TimedOut
            && self
                .known
                .limits
                .get(&hash)
                .is_some_and(|limit| *limit != self.limit.current());
        (!stale).then_some(ending)
    }

    /// The fact about the root's candidate, if it counts. One that timed out among others, or under a smaller limit, is asked for
    /// again, alone.
    pub(super) fn usable_fact(&mut self, hash: Hash) -> Option<Fact> {
        let fact = self.known.facts.remove(&hash)?;
        let crowded = fact.crowded;
        let stale = fact.limits != self.limit.current();
        if fact.ending == Ending::TimedOut && (crowded || stale) {
            self.quiet();
            return None;
        }
        Some(fact)
    }

    /// The root's question is answered: the branch that came true is the present now.
    pub(super) fn decide(&mut self, question: Question, ending: Ending, run: Option<oracle::Run>) {
        let number = self.record.counts.decisions + 1;
        let limits = self.limit.current();
        let (yes, hash) = (ending == Ending::Interesting, question.hash);
        self.known.decided.insert(hash, ending);
        if ending == Ending::TimedOut {
            self.known.limits.insert(hash, limits);
        }
        if let Some(run) = run.as_ref().filter(|_| yes)
            && self.limit.interesting(run.time, run.cpu)
        {
            self.record.limit = self.limit.current().wall;
        }
        self.journal.decided(&journal::Decided {
            number,
            hash,
            yes,
            limit: limits.wall,
        });
        let base = &self.present().asking.view.version;
        let saved = base.tokens().saturating_sub(question.candidate.tokens());
        let sentence = question.why.sentence(base, saved);
        let (time, exit, output) = match run {
            Some(run) => (Some(run.time), run.exit.to_string(), run.output),
            None => (None, String::new(), oracle::Output::default()),
        };
        self.record.trying = None;
        let decided = Decided {
            decision: number,
            ending,
            edit: question.edit,
            why: question.why,
            sentence,
            saved,
            time,
            exit,
            output,
        };
        let version = self.present().asking.view.version.clone();
        self.record
            .decided(decided, self.history.now().number, &version);
        self.at = Present {
            steps: self.at.steps,
            ..Present::default()
        };
        self.refused_before = self.record.counts.refused;
        self.tree.decide(if yes { Answer::Yes } else { Answer::No });
        self.cancel_unwanted();
        self.arrive();
        self.breaks(&Happening::Decided(ending));
    }

    /// Pauses if the user wants to stop at this.
    fn breaks(&mut self, happening: &Happening) {
        if let Some(reason) = self.halts.hear(happening)
            && !self.paused
        {
            self.tree.forget_bets();
            self.cancel_unwanted();
            self.pause(Some(reason.to_string()));
        }
    }

    /// Tells what happened on the way to the present.
    pub(super) fn arrive(&mut self) {
        let root = self.tree.root();
        let happened = self
            .tree
            .get_mut(root)
            .map(|node| std::mem::take(&mut node.happened))
            .unwrap_or_default();
        for event in happened {
            match event {
                Happened::Turn(turn) => {
                    if let Some(pass) = self.record.turn(turn) {
                        self.breaks(&Happening::Turn(pass));
                    }
                }
                Happened::Refused => self.record.refused(),
                Happened::Taken(found) => {
                    let (number, version) = (self.history.next(), &found.version);
                    let taken = self.record.next_taken(number, version);
                    self.journal.taken(&taken);
                    self.record.taken(taken);
                    self.remember(&found);
                    self.breaks(&Happening::Taken(&found.version));
                }
            }
        }
        self.publish();
    }

    /// Shows the root's question while its test runs.
    pub(super) fn show_trying(&mut self, question: &Question) {
        let decision = self.record.counts.decisions + 1;
        if self
            .record
            .trying
            .as_ref()
            .is_some_and(|trying| trying.decision == decision && trying.edit == question.edit)
        {
            return;
        }
        let base = &self.present().asking.view.version;
        let saved = base.tokens().saturating_sub(question.candidate.tokens());
        let sentence = question.why.sentence(base, saved);
        let since = self
            .known
            .flights
            .get(&question.hash)
            .map_or_else(Instant::now, |flight| flight.since);
        let (edit, why) = (question.edit.clone(), question.why.clone());
        self.record.trying = Some(Trying {
            decision,
            edit,
            why,
            sentence,
            saved,
            since,
        });
        self.publish();
    }

    pub(super) fn note(&mut self, note: String) {
        self.record.note(note);
        self.publish();
    }

    pub(super) fn publish(&mut self) {
        self.record.busy = self.known.flights.len();
        let version: Version = self.present().asking.view.version.clone();
        let home = self.excursion.as_ref().map(|excursion| excursion.home);
        self.record.publish(&version, &self.history, home);
    }
}
