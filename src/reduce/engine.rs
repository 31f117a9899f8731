//! The loop that drives the dialogue: it decides what is known, has tested what is not, and tells.
//!
//! Everything that changes is here, on one thread. The present is the root of the [`Tree`]; whatever the workers say about other
//! branches is kept until the present comes to it.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, after, never, select};
use rustc_hash::{FxHashMap, FxHashSet};

use super::command::Command;
use super::event::{Decided, Ending, Event, Finish};
use super::journal::{self, Journal};
use super::record::Record;
use super::snapshot::{State, Trying};
use super::speculate::{Happened, Index, Node, Question, Stop, Tree};
use super::worker::{Checked, SharedRunner, Task, gate};
use crate::dialogue::Answer;
use crate::oracle::{self, JobId, Limit, NoVerdict, Outcome, Verdict};
use crate::program::{Hash, Version};

/// Failures of the test in a row that stop the run.
const TROUBLE: u32 = 3;
/// Failures of the system in a row that stop the run, each after a longer wait.
const PATIENCE: u32 = 10;
/// How many branches may be open for each test that may run.
const BRANCHES: usize = 12;

/// All state of a run that changes.
pub(super) struct Engine {
    pub tree: Tree,
    pub limit: Limit,
    pub runner: SharedRunner,
    pub answers: Receiver<oracle::Answer>,
    pub tasks: Sender<Task>,
    pub checked: Receiver<Checked>,
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
}

/// How things stand with the question at the root.
pub(super) struct Present {
    /// Questions that may still be asked while paused.
    steps: u32,
    /// It may be asked: the run is not paused, or a step was given for it.
    permitted: bool,
    /// Nothing is tested beside it.
    alone: bool,
    failures: u32,
    waits: u32,
    /// Rings when the system may have recovered.
    alarm: Receiver<Instant>,
    waiting: bool,
}

impl Default for Present {
    fn default() -> Present {
        Present {
            steps: 0,
            permitted: false,
            alone: false,
            failures: 0,
            waits: 0,
            alarm: never(),
            waiting: false,
        }
    }
}

/// What tests have said, and what is on its way.
#[derive(Default)]
pub(super) struct Known {
    /// By the bytes' hash, once a decision has used it. A timed-out verdict has the limit that it holds under.
    decided: FxHashMap<Hash, Ending>,
    limits: FxHashMap<Hash, Option<Duration>>,
    /// Tests that have ended, but no decision has used yet.
    facts: FxHashMap<Hash, Fact>,
    flights: FxHashMap<Hash, Flight>,
    by_job: FxHashMap<JobId, Hash>,
    /// Candidates that the parser is looking at, and for which branch.
    checks: FxHashMap<JobId, Index>,
    jobs: u64,
}

struct Fact {
    ending: Ending,
    run: oracle::Run,
    limit: Option<Duration>,
    /// Whether other tests ran at the same time.
    crowded: bool,
}

struct Flight {
    job: JobId,
    since: Instant,
    limit: Option<Duration>,
    crowded: bool,
}

/// The run ends, for this reason.
struct End(Finish);

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
    }

    fn present(&self) -> &Node {
        self.tree
            .get(self.tree.root())
            .expect("the tree has a root")
    }

    /// Decides all that is known, then has tested what is not.
    fn go_on(&mut self) -> Result<(), End> {
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
    fn decided(&self, hash: Hash) -> Option<Ending> {
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
    fn usable_fact(&mut self, hash: Hash) -> Option<Fact> {
        let fact = self.known.facts.remove(&hash)?;
        if fact.ending == Ending::TimedOut && (fact.crowded || fact.limit != self.limit.current()) {
            self.quiet();
            return None;
        }
        Some(fact)
    }

    /// The root's question is answered: the branch that came true is the present now.
    fn decide(&mut self, question: Question, ending: Ending, run: Option<oracle::Run>) {
        let number = self.record.counts.decisions + 1;
        let limit = self.limit.current();
        let (yes, hash) = (ending == Ending::Interesting, question.hash);
        self.known.decided.insert(hash, ending);
        if ending == Ending::TimedOut {
            self.known.limits.insert(hash, limit);
        }
        if let Some(run) = run.as_ref().filter(|_| yes)
            && self.limit.interesting(run.time)
        {
            self.record.limit = self.limit.current();
        }
        self.journal.decided(&journal::Decided {
            number,
            hash,
            yes,
            limit,
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
    fn arrive(&mut self) {
        let root = self.tree.root();
        let happened = self
            .tree
            .get_mut(root)
            .map(|node| std::mem::take(&mut node.happened))
            .unwrap_or_default();
        for event in happened {
            match event {
                Happened::Turn(turn) => self.record.turn(turn),
                Happened::Refused => self.record.counts.refused += 1,
                Happened::Taken(version) => {
                    let taken = self.record.next_taken(&version);
                    self.journal.taken(&taken);
                    self.record.taken(taken);
                }
            }
        }
        self.publish();
    }

    /// Has the root's candidate tested, and the likeliest others as long as workers are free.
    fn dispatch(&mut self) {
        self.send(self.tree.root());
        if self.paused || self.at.alone || self.at.waiting {
            return;
        }
        self.send_waiting();
        while self.known.flights.len() < self.jobs && self.tree.len() < self.jobs * BRANCHES {
            let Some((index, answer)) = self
                .tree
                .likeliest(|index, node| self.foreseen(index, node))
            else {
                return;
            };
            match self.tree.grow(index, answer) {
                Some(child) => self.send(child),
                None => return,
            }
        }
    }

    /// The answer that a branch will get, where it is known already.
    fn foreseen(&self, index: Index, node: &Node) -> Option<Ending> {
        let Stop::Ask(question) = &node.stop else {
            return None;
        };
        let assumed = || match self.tree.assumed(index, question.hash)? {
            Answer::Yes => Some(Ending::Interesting),
            Answer::No | Answer::Refused => Some(Ending::Boring),
        };
        self.decided(question.hash)
            .or_else(assumed)
            .or_else(|| self.known.facts.get(&question.hash).map(|fact| fact.ending))
    }

    /// Branches whose test was shared with one that came to nothing.
    fn send_waiting(&mut self) {
        let mut waiting: Vec<Index> = self
            .tree
            .nodes()
            .filter(|(_, node)| node.trees.is_some())
            .map(|(index, _)| index)
            .collect();
        waiting.sort_unstable();
        for index in waiting {
            if self.known.flights.len() >= self.jobs {
                return;
            }
            self.send(index);
        }
    }

    /// Hands the candidate at `index` to the workers, as far as it is not there or known.
    fn send(&mut self, index: Index) {
        let Some(node) = self.tree.get(index) else {
            return;
        };
        let Stop::Ask(question) = &node.stop else {
            return;
        };
        let root = index == self.tree.root();
        let known = if root {
            self.decided(question.hash)
        } else {
            self.foreseen(index, node)
        };
        let wanted = known.is_none()
            && !self.known.flights.contains_key(&question.hash)
            && !self.known.facts.contains_key(&question.hash);
        let checking = self.known.checks.values().any(|&other| other == index);
        let needs_trees =
            node.trees.is_none() && known.is_none_or(|ending| ending == Ending::Interesting);
        if (root && self.at.waiting) || checking || !(wanted || needs_trees) {
            return;
        }
        self.known.jobs += 1;
        let (id, hash, limit) = (JobId(self.known.jobs), question.hash, self.limit.current());
        let task = Task {
            id,
            base: node.asking.view.version.clone(),
            candidate: question.candidate.clone(),
            limit,
            test: wanted,
        };
        if wanted {
            let crowded = !self.known.flights.is_empty();
            for flight in self.known.flights.values_mut() {
                flight.crowded = true;
            }
            self.known.flights.insert(
                hash,
                Flight {
                    job: id,
                    since: Instant::now(),
                    limit,
                    crowded,
                },
            );
            self.known.by_job.insert(id, hash);
            self.record.counts.started += 1;
        }
        self.known.checks.insert(id, index);
        // A worker that has died is noticed when its answers are waited for.
        let _ = self.tasks.send(task);
    }

    /// Waits for a worker, a test, a command or an alarm.
    fn hear(&mut self) -> Result<(), End> {
        let dead = |who: &str| End(Finish::Failed(format!("the {who} has died")));
        let (commands, checked) = (self.commands.clone(), self.checked.clone());
        let (answers, alarm) = (self.answers.clone(), self.at.alarm.clone());
        select! {
            recv(commands) -> command => self.obey(command.unwrap_or(Command::Stop)),
            recv(checked) -> message => {
                self.heard_parser(message.map_err(|_| dead("worker"))?);
                Ok(())
            }
            recv(answers) -> answer => self.heard_test(answer.map_err(|_| dead("runner"))?),
            recv(alarm) -> _ => {
                (self.at.waiting, self.at.alarm) = (false, never());
                Ok(())
            }
        }
    }

    fn heard_parser(&mut self, Checked { id, trees }: Checked) {
        let index = self.known.checks.remove(&id);
        if trees.is_none()
            && let Some(hash) = self.known.by_job.remove(&id)
        {
            // No test was started for it.
            self.known.flights.remove(&hash);
            self.record.counts.started -= 1;
        }
        let Some(index) = index.filter(|&index| self.tree.get(index).is_some()) else {
            return;
        };
        match (trees, self.tree.get_mut(index)) {
            (Some(trees), Some(node)) => node.trees = Some(trees),
            _ => {
                self.tree.refuse(index);
                self.cancel_unwanted();
                if index == self.tree.root() {
                    self.arrive();
                }
            }
        }
    }

    fn heard_test(&mut self, answer: oracle::Answer) -> Result<(), End> {
        gate(&self.runner).forget(answer.id);
        let Some(hash) = self.known.by_job.remove(&answer.id) else {
            return Ok(());
        };
        let Some(flight) = self.known.flights.remove(&hash) else {
            return Ok(());
        };
        let at_root = matches!(&self.present().stop, Stop::Ask(question) if question.hash == hash);
        let (verdict, run) = match answer.outcome {
            Outcome::Verdict(verdict, run) => (verdict, run),
            Outcome::Cancelled => return Ok(()),
            Outcome::NoVerdict(trouble) if at_root => return self.trouble(trouble),
            // It will be asked again if the run comes to it. Until the next decision nothing more is bet on.
            Outcome::NoVerdict(_) => {
                self.at.alone = true;
                return Ok(());
            }
        };
        let ending = match verdict {
            Verdict::Interesting => Ending::Interesting,
            Verdict::Boring => Ending::Boring,
            Verdict::Invalid => Ending::Invalid,
            Verdict::TimedOut => Ending::TimedOut,
        };
        self.journal.fact(&journal::Fact {
            hash,
            ending,
            time: run.time,
            limit: flight.limit,
        });
        self.known.facts.insert(
            hash,
            Fact {
                ending,
                run,
                limit: flight.limit,
                crowded: flight.crowded,
            },
        );
        Ok(())
    }

    /// There is no verdict for the root's candidate.
    fn trouble(&mut self, trouble: NoVerdict) -> Result<(), End> {
        self.quiet();
        if trouble.may_pass() {
            self.at.waits += 1;
            let pause = Duration::from_millis(250 << self.at.waits.min(5));
            if self.at.waits < PATIENCE {
                self.note(format!(
                    "{trouble}; waiting {:.1} s, then asking again",
                    pause.as_secs_f64()
                ));
                (self.at.waiting, self.at.alarm) = (true, after(pause));
                return Ok(());
            }
        } else {
            self.at.failures += 1;
            if self.at.failures < TROUBLE {
                self.note(format!("{trouble}; asking again"));
                return Ok(());
            }
        }
        self.note(trouble.to_string());
        if self.fail {
            return Err(End(Finish::Failed(trouble.to_string())));
        }
        self.at = Present::default();
        self.pause(Some(format!(
            "{trouble} Again and again: mend it, then go on."
        )));
        Ok(())
    }

    /// From now until the next decision, only the root's candidate is tested.
    fn quiet(&mut self) {
        self.at.alone = true;
        self.tree.forget_bets();
        self.cancel_unwanted();
    }

    /// Tests whose candidate is in no branch any more are killed.
    fn cancel_unwanted(&mut self) {
        let wanted: FxHashSet<Hash> = self
            .tree
            .nodes()
            .filter_map(|(_, node)| match &node.stop {
                Stop::Ask(question) => Some(question.hash),
                Stop::Settle | Stop::Done => None,
            })
            .collect();
        self.cancel(|hash| wanted.contains(hash));
    }

    fn cancel(&mut self, keep: impl Fn(&Hash) -> bool) {
        let doomed: Vec<Hash> = self
            .known
            .flights
            .keys()
            .filter(|hash| !keep(hash))
            .copied()
            .collect();
        for hash in doomed {
            if let Some(flight) = self.known.flights.remove(&hash) {
                self.known.by_job.remove(&flight.job);
                self.known.checks.remove(&flight.job);
                gate(&self.runner).cancel(flight.job);
            }
        }
    }

    fn obey(&mut self, command: Command) -> Result<(), End> {
        let in_the_air = u64::from(self.at.permitted);
        self.journal
            .command(self.record.counts.decisions + 1 + in_the_air, command);
        match command {
            Command::Pause if self.paused => self.at.steps = 0,
            Command::Pause => {
                self.tree.forget_bets();
                self.cancel_unwanted();
                self.pause(None);
            }
            Command::Resume if !self.paused => {}
            Command::Resume => {
                (self.paused, self.at.steps) = (false, 0);
                self.record.state = State::Running;
                self.record.event(Event::Resumed {
                    before: self.record.counts.decisions + 1 + in_the_air,
                });
            }
            Command::Step if self.paused => self.at.steps += 1,
            Command::Step => {}
            Command::Stop => return Err(End(Finish::Stopped)),
        }
        self.publish();
        Ok(())
    }

    fn pause(&mut self, reason: Option<String>) {
        (self.paused, self.at.steps) = (true, 0);
        self.record.state = State::Paused(reason.clone());
        let before = self.record.counts.decisions + 1 + u64::from(self.at.permitted);
        self.record.event(Event::Paused { before, reason });
        self.publish();
    }

    /// Shows the root's question while its test runs.
    fn show_trying(&mut self, question: &Question) {
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

    fn note(&mut self, note: String) {
        self.record.note(note);
        self.publish();
    }

    fn publish(&mut self) {
        self.record.busy = self.known.flights.len();
        let version: Version = self.present().asking.view.version.clone();
        self.record.publish(&version);
    }
}
