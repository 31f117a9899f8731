//! What a run did before it was cut off, done again without a test.
//!
//! A run is a function of what it started from and of what it was told: the answers, and the commands. So the dialogue is held again,
//! with the recorded answers, and ends in the very state. A question that comes earlier than the next recorded decision, by the number
//! of refusals between them, was refused then and is refused now, without a look at it. Only what was taken is parsed: the trees of the
//! next candidates are made from its trees. Where the dialogue differs (another lop, another grammar), the versions are made again
//! from their texts, and the run goes on from the last of them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::command::Command;
use super::engine::Engine;
use super::event::{Decision, Ending, Event, Finish};
use super::history::{History, Past};
use super::journal::By;
use super::present::End;
use super::record::Source;
use super::snapshot::State;
use super::speculate::Question;
use super::wishes::USER;
use super::worker::Confirmed;
use crate::oracle::Run;
use crate::program::{self, Edit, Guard, Hash, Op, Version};

/// Between two words about how far it is.
const APART: Duration = Duration::from_secs(1);

/// One thing that happened, in the order of the dialogue.
#[derive(Clone, Debug)]
pub enum Was {
    /// A question was decided.
    Decided {
        /// The candidate.
        hash: Hash,
        /// Questions since the decision before it that were refused.
        refused: u64,
        /// How it ended.
        ending: Ending,
        /// Who said so.
        by: By,
        /// What its test took.
        run: Run,
        /// So long after the start of the run.
        at: Duration,
    },
    /// An edit was taken.
    Taken {
        /// The decision that found it.
        decision: Decision,
        /// The number of the new version.
        version: u64,
        /// The version that it was made of.
        parent: u64,
        /// Its bytes.
        hash: Hash,
        /// What was done, as a sentence.
        sentence: Arc<str>,
    },
    /// Another version was the present from here on.
    Moved(u64),
    /// A command was obeyed.
    Command {
        /// Before this decision.
        before: Decision,
        /// After so many refusals.
        refused: u64,
        /// Which.
        command: Command,
    },
}

/// The texts of a version's documents, by its number; none where they are lost.
pub type Texts = Box<dyn Fn(u64) -> Option<Vec<Arc<[u8]>>> + Send>;

/// What a run did before it was cut off.
pub struct Resume {
    /// All of it, in order.
    pub was: VecDeque<Was>,
    /// For versions whose edits cannot be made again.
    pub text: Texts,
    /// Why the dialogue cannot be held again, if that is known before; then only versions and constraints come back.
    pub differs: Option<String>,
    /// How long the run had lasted.
    pub lasted: Duration,
}

/// A resumption under way.
pub(super) struct Again {
    resume: Resume,
    all: usize,
    guard: Guard,
    told: Instant,
    /// What the user said meanwhile.
    held: Vec<Command>,
    paused: bool,
}

impl Again {
    pub fn new(resume: Resume, paused: bool) -> Again {
        Again {
            all: resume.was.len(),
            resume,
            guard: Guard::default(),
            told: Instant::now(),
            held: Vec::new(),
            paused,
        }
    }

    /// What happened by itself has happened again; whether it is the same.
    fn has_happened(&mut self, history: &History) -> bool {
        loop {
            match self.resume.was.front() {
                Some(Was::Taken { version, hash, .. }) => {
                    let same = history.get(*version);
                    if same.is_none_or(|same| same.hash != *hash) {
                        return false;
                    }
                }
                Some(Was::Moved(_)) => {}
                _ => return true,
            }
            self.resume.was.pop_front();
        }
    }
}

/// What comes next of what was.
enum Next {
    Refuse,
    Decide(Ending, Source, Duration),
    Obey(Command),
    Differs,
    Over,
}

impl Engine {
    /// Does the next thing again that was done before; whether there was one.
    pub(super) fn again(&mut self, question: &Arc<Question>) -> Result<bool, End> {
        if self.again.is_none() {
            return Ok(false);
        }
        self.listen()?;
        match self.next(question) {
            Next::Refuse => {
                self.tree.refuse(self.tree.root());
                self.arrive();
            }
            Next::Decide(ending, source, at) => {
                self.record.clock = Some(at);
                match ending != Ending::Interesting || self.confirm(question) {
                    true => self.decide(question, ending, source),
                    false => self.restore("the parser refuses what was taken"),
                }
            }
            Next::Obey(command) => self.obey(command)?,
            Next::Differs => self.restore("another question is asked"),
            Next::Over => self.go_on_from_here(true),
        }
        Ok(true)
    }

    /// The asking side has nothing more to ask. Does the next thing again that was done before; whether there was one.
    pub(super) fn again_at_the_end(&mut self) -> Result<bool, End> {
        let refused_now = self.record.counts.refused - self.refused_before;
        let Some(again) = &mut self.again else {
            return Ok(false);
        };
        let same = again.resume.differs.is_none() && again.has_happened(&self.history);
        if same && again.resume.was.is_empty() {
            self.go_on_from_here(true);
            return Ok(false);
        }
        match again.resume.was.pop_front() {
            Some(Was::Command {
                refused, command, ..
            }) if same && refused == refused_now => self.obey(command)?,
            Some(other) => {
                again.resume.was.push_front(other);
                // An excursion that ends larger goes home by itself.
                if !same || self.excursion.is_none() {
                    self.restore("it ends");
                    return Ok(true);
                }
                return Ok(false);
            }
            None => self.restore("it ends"),
        }
        Ok(true)
    }

    /// Only the end is not put off until all is as it was. And says how far that is.
    fn listen(&mut self) -> Result<(), End> {
        let Some(again) = &mut self.again else {
            return Ok(());
        };
        while let Ok(command) = self.commands.try_recv() {
            match command {
                Command::Stop => return Err(End(Finish::Stopped)),
                command => again.held.push(command),
            }
        }
        if again.told.elapsed() >= APART {
            again.told = Instant::now();
            let done = again.all - again.resume.was.len();
            let note = format!("reading the session: {done} of {} steps", again.all);
            self.record.tell(Event::Note(note));
        }
        Ok(())
    }

    fn next(&mut self, question: &Question) -> Next {
        let refused_now = self.record.counts.refused - self.refused_before;
        let number = self.record.counts.decisions + 1;
        let Some(again) = &mut self.again else {
            return Next::Over;
        };
        if again.resume.differs.is_some() {
            return Next::Differs;
        }
        if !again.has_happened(&self.history) {
            return Next::Differs;
        }
        let expected = match again.resume.was.front() {
            Some(Was::Decided { refused, .. }) => *refused,
            Some(Was::Command {
                refused, before, ..
            }) if *before == number => *refused,
            None => return Next::Over,
            _ => return Next::Differs,
        };
        if refused_now < expected {
            return Next::Refuse;
        }
        match again.resume.was.pop_front() {
            Some(Was::Decided {
                hash,
                ending,
                by,
                run,
                at,
                ..
            }) if refused_now == expected && hash == question.hash => {
                let source = match by {
                    By::Test => Source::Test(run),
                    By::Cache => Source::Cache { respaced: false },
                    By::Respaced => Source::Cache { respaced: true },
                };
                Next::Decide(ending, source, at)
            }
            Some(Was::Command { command, .. }) if refused_now == expected => Next::Obey(command),
            Some(other) => {
                again.resume.was.push_front(other);
                Next::Differs
            }
            None => Next::Over,
        }
    }

    /// Makes the trees of a candidate that was taken or may be, as a worker does; whether the parser lets it pass.
    fn confirm(&mut self, question: &Question) -> bool {
        let (key, asking) = {
            let present = self.present();
            ((present.base, question.hash), &present.asking)
        };
        let (base, syntactic) = (asking.view.version.clone(), asking.schedule.syntactic());
        let constraints = asking.view.constraints.clone();
        let Some(again) = &mut self.again else {
            return false;
        };
        let files = question.candidate.files();
        let trees = again
            .guard
            .check(&base, &question.candidate, &files, syntactic, &constraints);
        let confirmed = trees.map(|trees| Confirmed { trees, files: None });
        let passes = confirmed.is_some();
        self.known.checked.insert(key, confirmed);
        passes
    }

    /// The rest of what was done cannot be done again: versions come back by their texts, and constraints where they were made.
    fn restore(&mut self, why: &str) {
        let Some(again) = &mut self.again else {
            return;
        };
        let why = again.resume.differs.take().unwrap_or_else(|| {
            format!("the dialogue differs from the recorded one ({why}): a fault of lop")
        });
        let rest = std::mem::take(&mut again.resume.was);
        let text = std::mem::replace(&mut again.resume.text, Box::new(|_| None));
        for was in rest {
            match was {
                Was::Taken {
                    decision,
                    version,
                    parent,
                    hash,
                    sentence,
                } if version == self.history.next() => {
                    let made = self.history.get(parent).cloned().zip(text(version));
                    let made = made.and_then(|(parent, texts)| rewritten(&parent.version, &texts));
                    let Some((edit, made)) = made else {
                        continue;
                    };
                    self.history.turn_to(parent);
                    self.history.push(Past {
                        number: version,
                        parent: Some(parent),
                        decision,
                        decided: None,
                        pass: USER,
                        sentence: sentence.to_string(),
                        edit: Some(edit),
                        hash,
                        version: made,
                        away: false,
                    });
                }
                Was::Moved(version) if self.history.get(version).is_some() => {
                    self.history.turn_to(version);
                }
                Was::Command { command, .. } if command.constrains() => {
                    self.turn_to_history();
                    // What cannot be any more is told by what the command says.
                    let _ = self.obey(command);
                }
                _ => {}
            }
        }
        self.turn_to_history();
        self.go_on_from_here(false);
        self.note(format!(
            "{why}; the run goes on from version {}, but not as it would have gone on then",
            self.history.now().number
        ));
    }

    fn turn_to_history(&mut self) {
        let version = self.history.now().version.clone();
        self.rethink(|asking| asking.view.turn_to(&version));
    }

    /// All is as it was. From now on things happen.
    fn go_on_from_here(&mut self, exactly: bool) {
        let Some(again) = self.again.take() else {
            return;
        };
        self.paused = again.paused;
        self.record.state = match self.paused {
            true => State::Paused(None),
            false => State::Running,
        };
        self.record.goes_on(again.resume.lasted);
        self.journal.resumed(exactly);
        let now = self.history.now().number;
        self.journal.moved(now, self.excursion.unwrap_or(now));
        self.script.splice(
            0..0,
            again
                .held
                .into_iter()
                .map(|command| (super::halts::When::Start, command)),
        );
        let now = self.history.now().clone();
        let (tokens, bytes) = now.size();
        self.record.event(Event::Moved {
            version: now.number,
            tokens,
            bytes,
        });
        self.note(format!(
            "the session goes on after decision {}, at version {} with {tokens} tokens",
            self.record.counts.decisions, now.number
        ));
    }
}

/// The version whose documents have these texts, with identities kept where the text is.
fn rewritten(parent: &Version, texts: &[Arc<[u8]>]) -> Option<(Edit, Version)> {
    let edit = Edit::from(Op::Rewrite(texts.into()));
    let (version, _) = program::apply(parent, &edit).ok()?;
    Some((edit, version))
}

impl Command {
    /// Whether it says what may be asked, not what is done.
    fn constrains(&self) -> bool {
        matches!(
            self,
            Command::Constrain(..)
                | Command::Release(..)
                | Command::Require(_)
                | Command::Pass(..)
                | Command::Order(_)
                | Command::Timeout(_)
                | Command::Property(_, true)
        )
    }
}
