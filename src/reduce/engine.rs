//! The loop that drives the dialogue: it decides what is known, has tested what is not, and tells.
//!
//! Everything that changes is here, on one thread. The present is the root of the [`Tree`]; whatever the workers say about other
//! branches is kept until the present comes to it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::thread::Builder;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, after};

use super::cache::Hit;
use super::command::Command;
use super::event::{Decided, Ending, Event, Finish};
use super::facts::Fact;
use super::halts::{Halts, Happening, When};
use super::history::History;
use super::journal::{self, By, Journal};
use super::others::Others;
use super::planner::Planner;
use super::present::{End, Known, Present};
use super::quorum::Quorum;
use super::record::{Record, Source};
use super::resume::Again;
use super::snapshot::Trying;
use super::speculate::{Happened, Node, Question, Stop, Tree};
use super::store::VerdictStore;
use super::worker::{SharedRunner, Workers};
use crate::dialogue::Answer;
use crate::oracle::{self, Limit};
use crate::program::Hash;

/// Between two tries to write the journal.
const UNWRITTEN: Duration = Duration::from_secs(1);

/// All state of a run that changes.
pub(super) struct Engine {
    pub tree: Tree,
    pub limit: Limit,
    pub runner: SharedRunner,
    pub answers: Receiver<oracle::Answer>,
    pub workers: Workers,
    pub planner: Planner,
    /// Programs of so many tokens and more are worked on aside.
    pub aside: u32,
    pub commands: Receiver<Command>,
    /// Commands that were heard while the present had yet to hear an answer.
    pub held: VecDeque<Command>,
    /// The user stops the run, and was heard in the middle of a command.
    pub stops: bool,
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
    pub excursion: Option<u64>,
    pub at: Present,
    pub known: Known,
    /// Verdicts that other runs have found or will want.
    pub store: Option<Arc<dyn VerdictStore>>,
    /// The journal could not be written when it was last tried.
    pub unwritten: bool,
    /// What was done before the run was cut off, as long as it is done again.
    pub again: Option<Again>,
    /// How many runs of the test must say yes, since that was said.
    pub quorum: Option<Quorum>,
    /// Whether the result is asked about once more at the end.
    pub confirm: bool,
    /// Who keeps candidates that show another failure.
    pub others: Option<Box<dyn Others>>,
}

impl Engine {
    /// Runs to the end.
    pub fn run(mut self) {
        let version = &self.present().asking.view.version;
        let (tokens, bytes) = (version.tokens(), version.bytes());
        self.record.tell(Event::Started { tokens, bytes });
        self.arrive();
        let End(finish) = loop {
            if let Err(end) = self.go_on() {
                break end;
            }
            self.journal.rest();
            if let Err(end) = self.hear() {
                break end;
            }
        };
        self.cancel_all();
        self.planner.abandon();
        if finish == Finish::Complete {
            self.tell_what_never_came();
        }
        self.publish();
        // What was not yet done again is in the journal as it was; nothing has happened.
        if self.again.is_none() {
            if let Some(line) = self.record.running() {
                self.journal.passed(line);
            }
            let claim = self.record.claim(&finish);
            self.journal.finished(&finish, &self.record.counts, &claim);
        }
        self.record.finish(finish);
        // The last word is out; the thread ends when no test is left, so that whoever joins it leaves nothing behind.
        self.workers.end();
        drop(self.runner);
        // Nobody waits until a large program is taken down.
        let remains = (self.tree, self.history, self.record, self.known);
        // Where the system gives no thread, it is dropped here.
        let _ = Builder::new()
            .name("lop-cleaner".into())
            .spawn(move || drop(remains));
    }

    pub(super) fn present(&self) -> &Node {
        self.tree
            .get(self.tree.root())
            .expect("the tree has a root")
    }

    /// Decides all that is known, then has tested what is not.
    pub(super) fn go_on(&mut self) -> Result<(), End> {
        loop {
            // Commands hold at a question, at the end, or before work, and nowhere else: so a replay finds the same place.
            if let Some(command) = self.next_command() {
                self.obey(command)?;
                continue;
            }
            if self.is_working() {
                if self.again_before_work()? || self.work_on_present() {
                    continue;
                }
                return Ok(());
            }
            if self.known.trials.now.is_some() {
                // Nobody knows what to look for before it is over.
                self.publish();
                return Ok(());
            }
            self.check_again();
            if self.is_confirming() {
                return Ok(());
            }
            if matches!(self.present().stop, Stop::Done) {
                if self.again_at_the_end()? {
                    continue;
                }
                let stands = self.paused && !self.fail && self.at.steps == 0;
                if stands && !self.at.permitted {
                    // What the user did may have closed all there is to ask: there is time to take it back.
                    self.publish();
                    return Ok(());
                }
                if self.go_home() || self.confirms_the_end() {
                    continue;
                }
                return Err(End(Finish::Complete));
            }
            if let Some(question) = self.present().question().cloned()
                && self.again(&question)?
            {
                continue;
            }
            if self.again.is_some() {
                // It waits for the parser.
                return Ok(());
            }
            let Some(question) = self.present().question().cloned() else {
                continue;
            };
            self.breaks(&Happening::Asking(question.why.node));
            if !self.at.permitted {
                if self.paused && self.at.steps == 0 {
                    self.publish();
                    if self.fail {
                        // There is nobody who could let it go on, and no moment of a script comes any more.
                        return Err(End(Finish::Stopped));
                    }
                    return Ok(());
                }
                self.at.permitted = true;
                self.at.steps = self.at.steps.saturating_sub(1);
            }
            if let Some((ending, source)) = self.answer(&question) {
                self.decide(&question, ending, source);
            } else if self.is_refused(self.tree.root()) {
                self.tree.refuse(self.tree.root());
            } else if !self.is_written() {
                return Ok(());
            } else {
                self.dispatch();
                self.show_trying(&question);
                return Ok(());
            }
        }
    }

    /// How the root's question ends, and who says so, if that is known. An interesting candidate needs its trees; and what the parser
    /// has not confirmed is no question for a test.
    fn answer(&mut self, question: &Question) -> Option<(Ending, Source)> {
        let confirmed = self.trees((self.present().base, question.hash)).is_some();
        match self.cached(question.hash, question.gist) {
            Some(Hit { ending, respaced }) if confirmed || ending != Ending::Interesting => {
                return Some((ending, Source::Cache { respaced }));
            }
            // Nobody would wake us for what a store knows of a candidate that is confirmed already.
            None if confirmed && !self.is_to_be_tested(question.hash) => {}
            _ => return None,
        }
        let fact = self.usable_fact(question.hash)?;
        if fact.recalled {
            self.record.counts.recalled += 1;
            self.record.spared += fact.run.time;
            self.journal.fact(&journal::Fact {
                hash: question.hash,
                ending: fact.ending,
                time: fact.run.time,
                cpu: fact.run.cpu,
                limit: fact.limits.wall,
                bound: fact.run.exit.bound(),
                crowded: false,
                recalled: true,
                tally: fact.tally,
                quorum: fact.quorum,
                check: false,
            });
        }
        Some((fact.ending, Source::Test(fact.run, fact.tally)))
    }

    /// The fact about the root's candidate, if it counts. One that timed out among others, or under another limit, is asked for
    /// again, alone; and one of too few runs is asked for again.
    fn usable_fact(&mut self, hash: Hash) -> Option<Fact> {
        let fact = self.known.facts.take(hash)?;
        let stale = fact.limits != self.limit.current();
        if fact.ending == Ending::TimedOut && (fact.crowded || stale) {
            self.quiet();
            return None;
        }
        let (quorum, yes) = (self.quorum(), fact.ending == Ending::Interesting);
        let tells = fact.quorum == quorum || quorum.decides(fact.tally) == Some(yes);
        tells.then_some(fact)
    }

    /// The root's question is answered: the branch that came true is the present now.
    pub(super) fn decide(&mut self, question: &Question, ending: Ending, source: Source) {
        let number = self.record.counts.decisions + 1;
        let limits = self.limit.current();
        let (yes, hash) = (ending == Ending::Interesting, question.hash);
        if let Source::Test(run, tally) = &source {
            self.record.repeated(*tally);
            if yes {
                self.record.holds(hash, *tally);
            }
            self.known
                .cache
                .decided(hash, question.gist, ending, limits);
            if yes && self.limit.interesting(run.time, run.cpu) {
                self.record.limit = self.limit.current().wall;
            }
        }
        self.journal.decided(&journal::Decided {
            number,
            hash,
            ending,
            by: match &source {
                Source::Test(..) => By::Test,
                Source::Cache { respaced: false } => By::Cache,
                Source::Cache { respaced: true } => By::Respaced,
            },
            refused: self.record.counts.refused - self.refused_before,
            limit: limits.wall,
        });
        let shown = self.record.trying.take();
        let version = self.present().asking.view.version.clone();
        let saved = version.tokens().saturating_sub(question.candidate.tokens());
        let sentence = match shown.filter(|trying| trying.edit == question.edit) {
            Some(trying) => trying.sentence,
            None => question.why.sentence(&version, saved),
        };
        let (time, exit, bound, output) = match source {
            Source::Test(run, _) => {
                let exit = run.exit;
                (Some(run.time), exit.to_string(), exit.bound(), run.output)
            }
            Source::Cache { respaced } => {
                self.record.counts.respaced += u64::from(respaced);
                (None, String::new(), None, oracle::Output::default())
            }
        };
        let decided = Decided {
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
            .decided(decided, self.history.now().number, &version);
        let trees = self.trees((self.present().base, hash)).cloned();
        self.at = Present {
            steps: self.at.steps,
            ..Present::default()
        };
        self.refused_before = self.record.counts.refused;
        let answer = if yes { Answer::Yes } else { Answer::No };
        self.tree.decide(answer, trees.as_ref());
        self.cancel_unwanted();
        self.arrive();
        self.breaks(&Happening::Decided(ending));
    }

    /// Pauses if the user wants to stop at this.
    pub(super) fn breaks(&mut self, happening: &Happening) {
        if let Some(reason) = self.halts.hear(happening)
            && !self.paused
        {
            self.stand_still();
            self.pause(Some(reason.to_string()));
        }
    }

    /// Nothing is tested ahead from now on.
    pub(super) fn stand_still(&mut self) {
        self.paused = true;
        self.tree.forget_bets();
        self.cancel_unwanted();
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
                    let began = self.record.turn(turn);
                    if let Some(ended) = self.record.ended.take() {
                        self.journal.passed(&ended);
                    }
                    if let Some(pass) = began {
                        self.breaks(&Happening::Turn(pass));
                    }
                }
                Happened::Refused => self.record.refused(),
                Happened::Declined => {
                    self.record.refused();
                    self.note("your edit is not asked about: a required query or another constraint forbids it".into());
                }
                Happened::Taken(found, leaves) => {
                    let (number, version) = (self.history.next(), &found.version);
                    let taken = self.record.next_taken(number, version);
                    if leaves && found.version.tokens() >= self.history.now().version.tokens() {
                        self.excursion.get_or_insert(self.history.now().number);
                    }
                    let past = self.past(&found);
                    self.journal.taken(&taken, &past);
                    self.record.taken(taken);
                    self.remember(past);
                    self.breaks(&Happening::Taken(&found.version));
                }
            }
        }
    }

    /// What the script or the user says now. Nobody is heard as long as it is done again what was done before, nor before the present
    /// has heard the answer to its question. The user is heard at a question, or while work is done aside.
    fn next_command(&mut self) -> Option<Command> {
        if self.again.is_some() || self.known.trials.now.is_some() || self.is_hearing() {
            return None;
        }
        let next = self.next_trial().or_else(|| self.due());
        let next = next.or_else(|| self.held.pop_front());
        let is_heard = !self.is_working() || self.planner.works_for(self.tree.root());
        next.or_else(|| is_heard.then(|| self.commands.try_recv().ok())?)
    }

    /// Whether all that happened is in the journal. If not, nothing more is asked, and in a while this is asked again.
    fn is_written(&mut self) -> bool {
        // Each time that it is asked, the journal tries again.
        let trouble = self.journal.trouble();
        if let Some(loss) = self.journal.loss() {
            self.note(loss);
        }
        match (&trouble, self.unwritten) {
            (None, true) => self.note("the journal could be written again; the run goes on".into()),
            (Some(trouble), false) => {
                self.note(format!("{trouble}; the run waits until it can be"));
            }
            _ => {}
        }
        self.unwritten = trouble.is_some();
        if self.unwritten {
            (self.at.waiting, self.at.alarm) = (true, after(UNWRITTEN));
        }
        !self.unwritten
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
        let view = self.present().asking.view.clone();
        self.record.publish(&view, &self.history, self.excursion);
    }
}
