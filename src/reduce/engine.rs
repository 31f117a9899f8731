//! The loop that drives the dialogue: it decides what is known, has tested what is not, and tells.
//!
//! Everything that changes is here, on one thread. The present is the root of the [`Tree`]; whatever the workers say about other
//! branches is kept until the present comes to it.

use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::Receiver;

use super::command::Command;
use super::event::{Decided, Ending, Event, Finish};
use super::journal::{self, Journal};
use super::present::{End, Fact, Known, Present};
use super::record::Record;
use super::snapshot::Trying;
use super::speculate::{Happened, Node, Question, Stop, Tree};
use super::store::VerdictStore;
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
            while let Ok(command) = self.commands.try_recv() {
                self.obey(command)?;
            }
            let (question, trees) = match &self.present().stop {
                Stop::Done => return Err(End(Finish::Complete)),
                Stop::Settle => {
                    self.tree.settle();
                    self.cancel_unwanted();
                    self.arrive();
                    continue;
                }
                Stop::Ask(question) => (question.clone(), self.present().trees.is_some()),
            };
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
        let saved = base.tokens() - question.candidate.tokens();
        let sentence = question.why.sentence(base, saved);
        let (time, exit, output) = match run {
            Some(run) => (Some(run.time), run.exit.to_string(), run.output),
            None => (None, String::new(), oracle::Output::default()),
        };
        self.record.trying = None;
        self.record.decided(Decided {
            decision: number,
            ending,
            edit: question.edit,
            why: question.why,
            sentence,
            saved,
            time,
            exit,
            output,
        });
        self.at = Present {
            steps: self.at.steps,
            ..Present::default()
        };
        self.tree.decide(if yes { Answer::Yes } else { Answer::No });
        self.cancel_unwanted();
        self.arrive();
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
                Happened::Turn(turn) => self.record.turn(turn),
                Happened::Refused => self.record.refused(),
                Happened::Taken(version) => {
                    let taken = self.record.next_taken(&version);
                    self.journal.taken(&taken);
                    self.record.taken(taken);
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
        let saved = base.tokens() - question.candidate.tokens();
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
        self.record.publish(&version);
    }
}
