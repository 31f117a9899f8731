//! The loop that drives the dialogue: it asks the schedule for a step, the world for answers, and tells.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, after, select};
use rustc_hash::FxHashMap;

use super::command::Command;
use super::event::{Decided, Decision, Ending, Event, Finish};
use super::schedule::Schedule;
use super::snapshot::{State, Trying};
use super::state::Record;
use super::store::{Fact, VerdictStore};
use super::worker::{Checked, SharedRunner, Task, with_runner};
use crate::dialogue::{Answer, Dialogue, Step};
use crate::oracle::{self, JobId, Limit, NoVerdict, Outcome, Verdict};
use crate::program::{self, Change, Edit, Guard, Hash, Trees, Version, View, Why};

/// Failures of the test in a row that stop the run.
const TROUBLE: u32 = 3;
/// Failures of the system in a row that stop the run, each after a longer wait.
const PATIENCE: u32 = 10;

/// All state of a run that changes.
pub(super) struct Engine {
    pub view: View,
    pub schedule: Schedule,
    pub limit: Limit,
    pub runner: SharedRunner,
    pub answers: Receiver<oracle::Answer>,
    pub tasks: Sender<Task>,
    pub checked: Receiver<Checked>,
    pub commands: Receiver<Command>,
    pub record: Record,
    /// Stop instead of pausing when the test fails again and again.
    pub fail: bool,
    pub paused: bool,
    /// Questions that may still be asked while paused.
    pub steps: u32,
    pub cache: FxHashMap<Hash, Ending>,
    pub store: Option<Arc<dyn VerdictStore>>,
    pub found: Vec<Found>,
    pub jobs: u64,
    pub turn: Option<(usize, u32)>,
}

/// An interesting edit of the current version.
pub(super) struct Found {
    edit: Edit,
    change: Change,
    version: Version,
    decision: Decision,
}

/// The run ends, for this reason.
struct End(Finish);

/// What the world said of a candidate.
enum Heard {
    Refused,
    Verdict {
        ending: Ending,
        trees: Trees,
        run: Box<oracle::Run>,
    },
}

impl Engine {
    /// Runs to the end.
    pub fn run(mut self) {
        self.record.event(Event::Started {
            tokens: self.view.version.tokens(),
            bytes: self.view.version.bytes(),
        });
        self.publish();
        let End(finish) = loop {
            if let Err(end) = self.turn() {
                break end;
            }
        };
        self.record.finish(finish);
    }

    /// One step of the dialogue.
    fn turn(&mut self) -> Result<(), End> {
        self.obey_all()?;
        let step = self.schedule.step(&self.view);
        self.announce_pass();
        match step {
            Step::Ask(edit, why) => {
                if self.paused && self.steps == 0 {
                    return self.wait();
                }
                let answer = self.ask(&edit, why)?;
                self.schedule.told(&self.view, &edit, answer);
            }
            Step::Take(edit) => self.take(&edit),
            Step::Settle => {
                if let Some(version) = program::reread(&self.view.version) {
                    self.view.version = version;
                }
                self.found.clear();
                self.schedule.constrained(&self.view);
                self.publish();
            }
            Step::Done => return Err(End(Finish::Complete)),
        }
        Ok(())
    }

    fn announce_pass(&mut self) {
        let turn = self.schedule.turn();
        if self.turn != Some(turn) {
            self.turn = Some(turn);
            self.record.turn(turn);
            self.publish();
        }
    }

    /// The answer to a question: from a gate, from the cache, or from the test.
    fn ask(&mut self, edit: &Edit, why: Why) -> Result<Answer, End> {
        let Some((version, change)) = self.candidate(edit) else {
            self.record.counts.refused += 1;
            return Ok(Answer::Refused);
        };
        let saved = self.view.version.tokens() - version.tokens();
        let decision = self.record.counts.decisions + 1;
        let sentence = why.sentence(&self.view.version, saved);
        let known = self.cache.get(&version.hash()).copied();
        let (ending, trees, run) = match known {
            Some(ending) => (ending, None, None),
            None => {
                let since = Instant::now();
                let (edit, why, sentence) = (edit.clone(), why.clone(), sentence.clone());
                self.record.trying = Some(Trying {
                    decision,
                    edit,
                    why,
                    sentence,
                    saved,
                    since,
                });
                self.publish();
                let heard = self.test(&version);
                self.record.trying = None;
                match heard? {
                    Heard::Refused => {
                        self.record.counts.refused += 1;
                        return Ok(Answer::Refused);
                    }
                    Heard::Verdict { ending, trees, run } => (ending, Some(trees), Some(run)),
                }
            }
        };
        self.cache.insert(version.hash(), ending);
        self.steps = self.steps.saturating_sub(1);
        let (time, exit, output) = match run {
            Some(run) => (Some(run.time), run.exit.to_string(), run.output),
            None => (None, String::new(), oracle::Output::default()),
        };
        self.record.decided(Decided {
            decision,
            ending,
            why,
            sentence,
            saved,
            time,
            exit,
            output,
        });
        let answer = if ending == Ending::Interesting {
            Answer::Yes
        } else {
            Answer::No
        };
        if answer.is_yes() {
            let trees = trees.or_else(|| {
                let (base, files) = (&self.view.version, version.files());
                Guard::default().check(base, &version, &files, self.schedule.syntactic())
            });
            let Some(trees) = trees else {
                return Ok(Answer::Refused);
            };
            self.found.push(Found {
                edit: edit.clone(),
                change,
                version: version.with_trees(trees),
                decision,
            });
        }
        self.publish();
        Ok(answer)
    }

    /// The version that `edit` makes, if it can be made and is smaller in the total order: tokens, then bytes.
    fn candidate(&self, edit: &Edit) -> Option<(Version, Change)> {
        let (version, change) = program::apply(&self.view.version, edit).ok()?;
        let size = |version: &Version| (version.tokens(), version.bytes());
        (size(&version) < size(&self.view.version)).then_some((version, change))
    }

    fn take(&mut self, edit: &Edit) {
        let Some(found) = self
            .found
            .iter()
            .position(|found| found.edit == *edit)
            .map(|at| self.found.swap_remove(at))
        else {
            unreachable!("a take names an edit that was found interesting on this version");
        };
        self.found.clear();
        self.view.version = found.version;
        self.record.taken(&self.view.version, found.decision);
        self.schedule.taken(&self.view, &found.change);
        self.publish();
    }

    /// Has the candidate tested until there is a verdict.
    fn test(&mut self, version: &Version) -> Result<Heard, End> {
        let (mut failures, mut waits) = (0, 0);
        loop {
            let trouble = match self.test_once(version)? {
                Ok(heard) => return Ok(heard),
                Err(trouble) => trouble,
            };
            if trouble.may_pass() {
                waits += 1;
                let pause = Duration::from_millis(250 << waits.min(5));
                self.note(format!(
                    "{trouble}; waiting {:.1} s, then asking again",
                    pause.as_secs_f64()
                ));
                if waits < PATIENCE {
                    self.sleep(pause)?;
                    continue;
                }
            } else {
                failures += 1;
                self.note(format!("{trouble}; asking again"));
                if failures < TROUBLE {
                    continue;
                }
            }
            self.trouble(trouble)?;
            (failures, waits) = (0, 0);
        }
    }

    /// The run cannot go on by itself.
    fn trouble(&mut self, trouble: NoVerdict) -> Result<(), End> {
        if self.fail {
            return Err(End(Finish::Failed(trouble.to_string())));
        }
        self.pause(Some(format!(
            "{trouble} Again and again: mend it, then go on."
        )));
        while self.paused && self.steps == 0 {
            self.wait()?;
        }
        Ok(())
    }

    fn test_once(&mut self, version: &Version) -> Result<Result<Heard, NoVerdict>, End> {
        self.jobs += 1;
        let id = JobId(self.jobs);
        let fact = self
            .store
            .as_ref()
            .and_then(|store| store.get(version.hash()));
        let fact = fact.filter(|fact| fact.holds(self.limit.current()));
        let (base, candidate, limit) = (
            self.view.version.clone(),
            version.clone(),
            self.limit.current(),
        );
        let task = Task {
            id,
            base,
            candidate,
            limit,
            syntactic: self.schedule.syntactic(),
            test: fact.is_none(),
        };
        if self.tasks.send(task).is_err() {
            return Err(End(Finish::Failed("the worker has died".into())));
        }
        let mut trees = None;
        loop {
            let (commands, checked, answers) = (
                self.commands.clone(),
                self.checked.clone(),
                self.answers.clone(),
            );
            select! {
                recv(checked) -> message => match message {
                    Ok(message) if message.id != id => {}
                    Ok(message) if message.trees.is_none() => return Ok(Ok(Heard::Refused)),
                    Ok(message) => {
                        trees = message.trees;
                        self.record.counts.tests += 1;
                        if let Some(known) = fact.zip(trees.clone()) {
                            return Ok(Ok(self.recall(known)));
                        }
                    }
                    Err(_) => return Err(End(Finish::Failed("the worker has died".into()))),
                },
                recv(answers) -> answer => match answer {
                    Ok(answer) if answer.id != id => {}
                    Ok(answer) => {
                        // The worker speaks before it submits, so its word is there.
                        while trees.is_none() {
                            let Ok(message) = self.checked.recv() else { break };
                            if message.id == id {
                                trees = message.trees;
                                self.record.counts.tests += 1;
                            }
                        }
                        let Some(trees) = trees else { return Ok(Ok(Heard::Refused)) };
                        return Ok(self.heard(version.hash(), limit, answer.outcome, trees));
                    }
                    Err(_) => return Err(End(Finish::Failed("the runner has died".into()))),
                },
                recv(commands) -> command => {
                    let result = self.obey(command.unwrap_or(Command::Stop));
                    if result.is_err() {
                        with_runner(&self.runner, |runner| runner.cancel(id));
                    }
                    result?;
                }
            }
        }
    }

    /// The store's word in place of a test.
    fn recall(&mut self, (fact, trees): (Fact, Trees)) -> Heard {
        self.record.counts.recalled += 1;
        self.record.spared += fact.time;
        if fact.ending == Ending::Interesting && self.limit.interesting(fact.time) {
            self.record.limit = self.limit.current();
        }
        let run = oracle::Run {
            exit: fact.exit,
            time: fact.time,
            cpu: None,
            output: oracle::Output::default(),
        };
        Heard::Verdict {
            ending: fact.ending,
            trees,
            run: Box::new(run),
        }
    }

    fn heard(
        &mut self,
        candidate: Hash,
        limit: Option<Duration>,
        outcome: Outcome,
        trees: Trees,
    ) -> Result<Heard, NoVerdict> {
        let (ending, run) = match outcome {
            Outcome::NoVerdict(trouble) => return Err(trouble),
            Outcome::Cancelled => {
                return Err(NoVerdict::System {
                    doing: "run the test",
                    reason: "it was cancelled".into(),
                    errno: None,
                });
            }
            Outcome::Verdict(Verdict::Interesting, run) => {
                if self.limit.interesting(run.time) {
                    self.record.limit = self.limit.current();
                }
                (Ending::Interesting, run)
            }
            Outcome::Verdict(Verdict::Boring, run) => (Ending::Boring, run),
            Outcome::Verdict(Verdict::Invalid, run) => (Ending::Invalid, run),
            Outcome::Verdict(Verdict::TimedOut, run) => (Ending::TimedOut, run),
        };
        if let Some(store) = &self.store {
            let (time, exit) = (run.time, run.exit);
            let fact = Fact {
                ending,
                time,
                exit,
                limit,
            };
            store.put(candidate, fact);
        }
        Ok(Heard::Verdict {
            ending,
            trees,
            run: Box::new(run),
        })
    }

    fn obey_all(&mut self) -> Result<(), End> {
        while let Ok(command) = self.commands.try_recv() {
            self.obey(command)?;
        }
        Ok(())
    }

    /// Waits for one command.
    fn wait(&mut self) -> Result<(), End> {
        let command = self.commands.recv().unwrap_or(Command::Stop);
        self.obey(command)
    }

    /// Lets time pass, but hears commands.
    fn sleep(&mut self, time: Duration) -> Result<(), End> {
        let (alarm, commands) = (after(time), self.commands.clone());
        loop {
            select! {
                recv(alarm) -> _ => return Ok(()),
                recv(commands) -> command => self.obey(command.unwrap_or(Command::Stop))?,
            }
        }
    }

    fn obey(&mut self, command: Command) -> Result<(), End> {
        match command {
            Command::Pause if self.paused => self.steps = 0,
            Command::Pause => self.pause(None),
            Command::Resume if !self.paused => {}
            Command::Resume => {
                (self.paused, self.steps) = (false, 0);
                self.record.state = State::Running;
                self.record.event(Event::Resumed {
                    before: self.record.counts.decisions + 1,
                });
            }
            Command::Step if self.paused => self.steps += 1,
            Command::Step => {}
            Command::Stop => return Err(End(Finish::Stopped)),
        }
        self.publish();
        Ok(())
    }

    fn pause(&mut self, reason: Option<String>) {
        (self.paused, self.steps) = (true, 0);
        self.record.state = State::Paused(reason.clone());
        let in_the_air = u64::from(self.record.trying.is_some() && reason.is_none());
        self.record.event(Event::Paused {
            before: self.record.counts.decisions + 1 + in_the_air,
            reason,
        });
        self.publish();
    }

    fn note(&mut self, note: String) {
        self.record.note(note);
        self.publish();
    }

    fn publish(&mut self) {
        self.record.publish(&self.view.version);
    }
}
