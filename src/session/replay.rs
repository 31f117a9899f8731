//! The same dialogue again, with recorded facts in place of tests.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use rustc_hash::FxHashMap;

use super::journal::{self, Header, JournalError, Journalled, Line, Word};
use super::said;
use crate::oracle::{Answer, Job, JobId, NoVerdict, Outcome, Property, PropertyError, Runner};
use crate::reduce::{
    Claim, Command, CommandPlace, Counts, Decision, Ending, Fact, Finish, Journal, JournalDecided,
    PassLine, Past, Quorum, Taken, Undo, When,
};

/// A journal that was read.
pub struct Recording {
    /// What the run started from.
    pub header: Header,
    /// Its decisions and takes, in order.
    said: Vec<Said>,
    facts: FxHashMap<String, Vec<said::Said<'static>>>,
    /// Its commands that changed what it asked, and where they did.
    pub commands: Vec<(When, Command)>,
    /// Whether it came to its end by itself.
    pub complete: bool,
    /// What is wrong with it, as a sentence, if that is more than a last line that was not written to its end.
    pub damage: Option<String>,
    /// Whether one dialogue made all its decisions.
    pub exactly: bool,
}

impl Recording {
    /// Reads a journal.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(path: &Path) -> Result<Recording, JournalError> {
        journal::read(path).map(Recording::of)
    }

    /// The same of a journal that was read.
    pub(super) fn of(read: Journalled) -> Recording {
        let damage = read.note().filter(|_| read.damaged());
        let Journalled { header, lines, .. } = read;
        let mut recording = Recording {
            header,
            said: Vec::new(),
            facts: FxHashMap::default(),
            commands: Vec::new(),
            complete: false,
            damage,
            exactly: true,
        };
        let mut changes = 0;
        for line in lines {
            changes += usize::from(said::change(&line).is_some());
            if let Some((candidate, said)) = said::Said::of(&line, None, changes) {
                let all = recording.facts.entry(candidate.to_owned());
                all.or_default().push(said);
            }
            match line {
                Line::Decision { .. } | Line::Take { .. } => recording.said.extend(Said::of(&line)),
                Line::Finished { finished, .. } => recording.complete = finished == "complete",
                Line::Command {
                    command,
                    before,
                    refused,
                    works,
                    ..
                } => match Command::recorded(&command) {
                    // When a run stood still changes nothing of what it asked.
                    Ok(command) if command.steers() => {
                        let stops = command == Command::Undo(Undo::Stop);
                        let when = When::Exactly(CommandPlace {
                            before,
                            refused,
                            works,
                        });
                        recording.commands.push((when, command));
                        if stops {
                            recording.commands.push((when, Command::Resume));
                        }
                    }
                    _ => {}
                },
                Line::Resumed { exactly, .. } => {
                    recording.complete = false;
                    recording.exactly &= exactly;
                }
                Line::Fact { .. } | Line::Stands { .. } | Line::Pass { .. } => {}
            }
        }
        recording
    }

    /// How many decisions it has.
    pub fn decisions(&self) -> usize {
        self.said
            .iter()
            .filter(|said| matches!(said, Said::Decided(..)))
            .count()
    }

    /// A runner that knows the recorded verdicts and no others, and a journal that compares. The [`Comparison`] tells the result.
    pub fn play(self) -> (RecordedRunner, CheckingJournal, Comparison) {
        let (send, answers) = unbounded();
        let comparison = Comparison::default();
        let quorum: Arc<Mutex<Quorum>> = Arc::default();
        let journal = CheckingJournal {
            said: self.said.into(),
            complete: self.complete,
            comparison: comparison.clone(),
            quorum: quorum.clone(),
        };
        (
            RecordedRunner {
                facts: self.facts,
                changes: 0,
                quorum,
                send,
                answers,
            },
            journal,
            comparison,
        )
    }
}

/// What must be the same.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    /// A decision of this number, about these bytes, was yes or no.
    Decided(Decision, String, bool),
    /// The version of this number has these bytes.
    Taken(u64, String),
}

impl Said {
    fn of(line: &Line) -> Option<Said> {
        match line {
            Line::Decision {
                decision,
                hash,
                ending,
                ..
            } => Some(Said::Decided(
                *decision,
                hash.clone(),
                *ending == Word::Interesting,
            )),
            Line::Take { version, hash, .. } => Some(Said::Taken(*version, hash.clone())),
            _ => None,
        }
    }
}

/// Answers from recorded facts.
pub struct RecordedRunner {
    facts: FxHashMap<String, Vec<said::Said<'static>>>,
    /// How often what is looked for has changed.
    changes: usize,
    /// How many runs must say yes, as the commands have it.
    quorum: Arc<Mutex<Quorum>>,
    send: Sender<Answer>,
    answers: Receiver<Answer>,
}

impl RecordedRunner {
    /// What the test said of these bytes under this limit, in as many runs as are wanted now, or else what it said last.
    fn recorded(&self, hash: &str, limit: Option<Duration>) -> Option<said::Said<'static>> {
        let now: Vec<&said::Said> = self
            .facts
            .get(hash)?
            .iter()
            .filter(|fact| fact.changes == self.changes)
            .collect();
        let quorum = *self.quorum.lock().unwrap_or_else(PoisonError::into_inner);
        let mut same = now.iter().filter(|fact| fact.quorum == quorum);
        let under = same.clone().rfind(|fact| fact.limit() == limit);
        under
            .or(same.next_back())
            .or_else(|| now.iter().rfind(|fact| fact.limit() == limit))
            .or(now.last())
            .map(|fact| **fact)
    }
}

impl Runner for RecordedRunner {
    fn submit(&mut self, job: Job) {
        let hash = journal::hash_of(job.files.iter().map(|(_, bytes)| &**bytes)).to_string();
        let outcome = match self.recorded(&hash, job.limits.wall) {
            Some(fact) => fact.outcome(),
            None => Outcome::NoVerdict(NoVerdict::CannotStart {
                reason: format!("the journal has no verdict for {hash}"),
            }),
        };
        // The one who asked may be gone by now.
        let _ = self.send.send(Answer {
            id: job.id,
            outcome,
        });
    }

    fn cancel(&mut self, _: JobId) {}

    fn look_for(&mut self, _: &Property) -> Result<(), PropertyError> {
        self.changes += 1;
        Ok(())
    }

    fn answers(&self) -> &Receiver<Answer> {
        &self.answers
    }
}

/// What a comparison found: the first difference, if there is one.
#[derive(Clone, Debug, Default)]
pub struct Comparison(Arc<Mutex<Option<String>>>);

impl Comparison {
    fn differs(&self, sentence: String) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(sentence);
    }

    /// The first difference, as a sentence.
    pub fn difference(&self) -> Option<String> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// Compares a run's decisions and takes with recorded ones.
pub struct CheckingJournal {
    said: VecDeque<Said>,
    complete: bool,
    comparison: Comparison,
    /// See [`RecordedRunner`], which is told by it.
    quorum: Arc<Mutex<Quorum>>,
}

impl CheckingJournal {
    fn compare(&mut self, line: Said) {
        match self.said.pop_front() {
            Some(recorded) if recorded == line => {}
            Some(recorded) => self
                .comparison
                .differs(format!("recorded {recorded:?}, now {line:?}")),
            None if self.complete => self
                .comparison
                .differs(format!("the journal has ended, but now {line:?}")),
            // A run that was stopped goes on here.
            None => {}
        }
    }
}

impl Journal for CheckingJournal {
    fn fact(&mut self, _: &Fact) {}

    fn decided(&mut self, decided: &JournalDecided) {
        let yes = decided.ending == Ending::Interesting;
        let hash = decided.hash.to_string();
        self.compare(Said::Decided(decided.number, hash, yes));
    }

    fn taken(&mut self, taken: &Taken, _: &Past) {
        self.compare(Said::Taken(taken.version, taken.hash.to_string()));
    }

    fn moved(&mut self, _: u64, _: u64) {}

    fn passed(&mut self, _: &PassLine) {}

    fn resumed(&mut self, _: bool) {}

    fn command(&mut self, _: CommandPlace, command: &Command) {
        if let Command::Confirm(quorum) = command {
            *self.quorum.lock().unwrap_or_else(PoisonError::into_inner) = *quorum;
        }
    }

    fn finished(&mut self, _: &Finish, _: &Counts, _: &Claim) {
        if let Some(line) = self.said.pop_front() {
            self.comparison
                .differs(format!("recorded {line:?}, but now the run has ended"));
        }
    }
}
