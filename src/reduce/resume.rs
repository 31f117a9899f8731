//! What a run did before it was cut off, done again without a test.
//!
//! A run is a function of what it started from and of what it was told: the answers, and the commands. So the dialogue is held again,
//! with the recorded answers, and ends in the very state. A question that comes earlier than the next recorded decision, by the number
//! of refusals between them, was refused then and is refused now, without a look at it. Only what was taken is parsed: the trees of the
//! next candidates are made from its trees. Where the dialogue differs (another lop, another grammar), the versions are made again
//! from their texts, and the run goes on from the last of them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::command::Command;
use super::engine::Engine;
use super::event::{Decision, Ending, Event, Finish};
use super::halts::Happening;
use super::history::{History, Past};
use super::journal::By;
use super::present::End;
use super::record::{Record, Source};
use super::snapshot::State;
use super::speculate::Question;
use super::was::{Restored, Resume, Was};
use super::wishes::USER;
use crate::program::{self, Edit, Op, Version};

/// Between two words about how far it is; and between two looks of the screen at that.
const APART: Duration = Duration::from_secs(1);
const GLANCES: Duration = Duration::from_millis(100);

/// A resumption under way.
pub(super) struct Again {
    resume: Resume,
    /// How many decisions are made again.
    decisions: Decision,
    /// How many things happened in all.
    length: usize,
    told: Instant,
    glanced: Instant,
    /// What the user said meanwhile.
    held: Vec<Command>,
}

impl Again {
    pub fn new(resume: Resume) -> Again {
        let decided = |was: &&Was| matches!(was, Was::Decided { .. });
        Again {
            decisions: resume.was.iter().filter(decided).count() as Decision,
            length: resume.was.len(),
            resume,
            told: Instant::now(),
            glanced: Instant::now(),
            held: Vec::new(),
        }
    }

    /// Tells that so many decisions were made again.
    pub fn say(&self, record: &Record, done: Decision) {
        record.again(Some((done, self.decisions)));
    }

    /// How many things have been done again.
    fn done(&self) -> usize {
        self.length - self.resume.was.len()
    }

    /// The new beginning that was made here, by its place in the list.
    fn beginning(&self) -> Option<usize> {
        let done = self.done();
        let here = |restored: &Restored| restored.held == done && restored.upto >= done;
        self.resume.restored.iter().rposition(here)
    }

    /// What is restored from here on, and whether the dialogue is held again after that.
    fn rest(&mut self) -> (Vec<Was>, bool) {
        let known = self.resume.differs.is_none();
        match self.beginning().filter(|_| known) {
            Some(at) => {
                let count = self.resume.restored[at].upto - self.done();
                self.resume.restored.drain(..=at);
                (self.resume.was.drain(..count).collect(), true)
            }
            None => (self.resume.was.drain(..).collect(), false),
        }
    }

    /// What happened by itself has happened again, and no new beginning was made before or after it; whether it is the same.
    fn holds(&mut self, history: &History) -> bool {
        self.resume.differs.is_none()
            && self.beginning().is_none()
            && self.has_happened(history)
            && self.beginning().is_none()
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
    /// The parser has yet to look at what was taken.
    Confirm,
    /// It refuses that.
    Unconfirmed,
    Decide(Ending, Source, Duration),
    Obey(Command),
    Differs,
    Over,
}

impl Engine {
    /// Does the next thing again that was done before; whether there was one. While the parser looks at what was taken, there is none.
    pub(super) fn again(&mut self, question: &Arc<Question>) -> Result<bool, End> {
        if self.again.is_none() {
            return Ok(false);
        }
        self.listen()?;
        match self.next(question) {
            Next::Refuse => self.tree.refuse(self.tree.root()),
            Next::Confirm => {
                let key = (self.present().base, question.hash);
                if !self.known.is_being_checked(key) {
                    self.submit(self.tree.root(), key, question.candidate.clone(), false);
                }
                return Ok(false);
            }
            Next::Unconfirmed => self.restore("the parser refuses what was taken"),
            Next::Decide(ending, source, at) => {
                self.be_seen();
                self.record.clock = Some(at);
                self.breaks(&Happening::Asking(question.why.node));
                self.decide(question, ending, source);
            }
            Next::Obey(command) => {
                self.be_seen();
                self.obey(command)?;
            }
            Next::Differs => self.restore("another question is asked"),
            Next::Over if self.record.seen.is_some() => return Err(End(Finish::Stopped)),
            Next::Over => self.go_on_from_here(true),
        }
        Ok(true)
    }

    /// Obeys the next command again that held here, before work; whether there was one.
    pub(super) fn again_before_work(&mut self) -> Result<bool, End> {
        if self.again.is_none() || self.is_hearing() {
            return Ok(false);
        }
        self.listen()?;
        let here = self.place();
        let Some(again) = &mut self.again else {
            return Ok(false);
        };
        if !again.holds(&self.history) {
            return Ok(false);
        }
        let was = &mut again.resume.was;
        let holds_here = |was: &Was| matches!(was, Was::Command { place, .. } if *place == here);
        let next = was.front().is_some_and(holds_here).then(|| was.pop_front());
        let Some(Some(Was::Command { command, .. })) = next else {
            return Ok(false);
        };
        self.be_seen();
        self.obey(command)?;
        Ok(true)
    }

    /// A moment of what is only looked at.
    fn be_seen(&mut self) {
        if self.record.seen.is_some() {
            self.publish();
        }
    }

    /// The asking side has nothing more to ask. Does the next thing again that was done before; whether there was one.
    pub(super) fn again_at_the_end(&mut self) -> Result<bool, End> {
        let refused_now = self.record.counts.refused - self.refused_before;
        let Some(again) = &mut self.again else {
            return Ok(false);
        };
        let same = again.holds(&self.history);
        if same && again.resume.was.is_empty() {
            if self.record.seen.is_some() {
                return Err(End(Finish::Complete));
            }
            self.go_on_from_here(true);
            return Ok(false);
        }
        match again.resume.was.pop_front() {
            Some(Was::Command { place, command })
                if same && (place.refused == refused_now || !command.steers()) =>
            {
                self.obey(command)?;
            }
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
        let (done, all) = (self.record.counts.decisions, again.decisions);
        if again.glanced.elapsed() >= GLANCES {
            again.glanced = Instant::now();
            again.say(&self.record, done);
        }
        if again.told.elapsed() >= APART {
            again.told = Instant::now();
            let note = format!("going on: decision {done} of {all}");
            self.record.tell(Event::Note(note));
        }
        Ok(())
    }

    /// This command holds when all is as it was.
    pub(super) fn hold_until_resumed(&mut self, command: Command) {
        if let Some(again) = &mut self.again {
            again.held.push(command);
        }
    }

    fn next(&mut self, question: &Question) -> Next {
        let refused_now = self.record.counts.refused - self.refused_before;
        let number = self.record.counts.decisions + 1;
        let key = (self.present().base, question.hash);
        let confirmed = self.known.checked.get(&key).map(Option::is_some);
        let Some(again) = &mut self.again else {
            return Next::Over;
        };
        if !again.holds(&self.history) {
            return Next::Differs;
        }
        let expected = match again.resume.was.front() {
            Some(Was::Decided { refused, .. }) => *refused,
            Some(Was::Command { place, command })
                if place.before == number || !command.steers() =>
            {
                place.refused
            }
            None => return Next::Over,
            _ => return Next::Differs,
        };
        if refused_now < expected {
            return Next::Refuse;
        }
        match again.resume.was.front() {
            Some(Was::Decided { hash, ending, .. })
                if refused_now == expected
                    && *hash == question.hash
                    && *ending == Ending::Interesting =>
            {
                match confirmed {
                    None => return Next::Confirm,
                    Some(false) => return Next::Unconfirmed,
                    Some(true) => {}
                }
            }
            _ => {}
        }
        match again.resume.was.pop_front() {
            Some(Was::Decided {
                hash,
                ending,
                by,
                run,
                tally,
                at,
                ..
            }) if refused_now == expected && hash == question.hash => {
                let source = match by {
                    By::Test => Source::Test(run, tally),
                    By::Cache => Source::Cache { respaced: false },
                    By::Respaced => Source::Cache { respaced: true },
                };
                Next::Decide(ending, source, at)
            }
            Some(Was::Command { command, .. }) if refused_now == expected || !command.steers() => {
                Next::Obey(command)
            }
            Some(other) => {
                again.resume.was.push_front(other);
                Next::Differs
            }
            None => Next::Over,
        }
    }

    /// The rest of what was done cannot be done again: versions come back by their texts, and constraints where they were made.
    fn restore(&mut self, why: &str) {
        let Some(again) = &mut self.again else {
            return;
        };
        let held = again.done();
        let (rest, made_before) = again.rest();
        let why = again.resume.differs.take().unwrap_or_else(|| {
            format!("the dialogue differs from the recorded one ({why}): a fault of lop")
        });
        let text = again.resume.text.clone();
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
                    let tokens = made.tokens();
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
                        fails: false,
                        sought: self.history.sought().cloned().into_iter().collect(),
                    });
                    if self.record.seen.is_some() {
                        self.record.moved(tokens);
                        self.turn_to_history();
                        self.be_seen();
                    }
                }
                Was::Decided { ending, by, at, .. } if self.record.seen.is_some() => {
                    self.record.count(ending, by == By::Test);
                    self.record.clock = Some(at);
                }
                Was::Moved(version) if self.history.get(version).is_some() => {
                    self.history.turn_to(version);
                }
                Was::Command { command, .. } if command.constrains() || command.halts() => {
                    self.turn_to_history();
                    // What cannot be any more is told by what the command says.
                    let _ = self.obey(command);
                }
                _ => {}
            }
        }
        self.turn_to_history();
        if made_before {
            return;
        }
        if self.record.seen.is_some() {
            self.note(format!("from here on only its versions are known: {why}"));
            return;
        }
        self.journal.restored(held);
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
        self.record.again(None);
        // Where nobody could let it go on, it does.
        self.paused &= !self.fail;
        if !self.paused {
            self.record.state = State::Running;
        }
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
