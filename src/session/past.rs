//! A session as its journal tells it: its versions, and all that is needed to go on.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::journal::{self, Basis, Header, JournalError, Journalled, Line, Stored, Word};
pub use super::said::Sought;
use super::said::{Facts, Said, was};
use crate::oracle::{Limits, Run};
use crate::program::Hash;
use crate::reduce::{Decision, Memory, Recalled, Restored, Resume, VerdictStore};

/// A version, as the journal has it.
#[derive(Clone, Debug)]
pub struct Saved {
    /// Its number; the original is 0.
    pub number: u64,
    /// The version that it was made of; none for the original.
    pub parent: Option<u64>,
    /// The decision that found it.
    pub decision: Decision,
    /// The pass that asked.
    pub pass: String,
    /// What was done, as a sentence.
    pub why: String,
    /// Its tokens, if they are known.
    pub tokens: Option<u32>,
    /// How many bytes it has.
    pub bytes: u32,
    /// Whether it is inside of an excursion.
    pub away: bool,
    /// Whether it was left because it does not hold.
    pub fails: bool,
    /// So long after the start.
    pub at: Duration,
    hash: String,
    text: Vec<Stored>,
}

/// All versions of a session, and where it stands.
#[derive(Clone, Debug)]
pub struct Versions {
    saved: BTreeMap<u64, Saved>,
    /// The version where one stands.
    pub stands: u64,
    /// The version that belongs on the disk.
    pub kept: u64,
}

impl Versions {
    fn new(header: &Header) -> Versions {
        let texts = header.files.iter().map(|file| file.bytes.bytes());
        let texts: Vec<Vec<u8>> = texts.map(Option::unwrap_or_default).collect();
        let original = Saved {
            number: 0,
            parent: None,
            decision: 0,
            pass: String::new(),
            why: "the original".into(),
            tokens: header.tokens,
            bytes: texts.iter().map(Vec::len).sum::<usize>() as u32,
            away: false,
            fails: false,
            at: Duration::ZERO,
            hash: journal::hash_of(texts.iter().map(|text| &text[..])).to_string(),
            text: texts.iter().map(|text| Stored::whole(text)).collect(),
        };
        Versions {
            saved: BTreeMap::from([(0, original)]),
            stands: 0,
            kept: 0,
        }
    }

    /// What a line says of versions.
    fn hear(&mut self, line: &Line) {
        match line {
            Line::Take {
                take,
                version,
                parent,
                pass,
                why,
                away,
                hash,
                tokens,
                bytes,
                text,
                ms,
            } => {
                self.stands = *version;
                if !away {
                    self.kept = *version;
                }
                self.saved.entry(*version).or_insert_with(|| Saved {
                    number: *version,
                    parent: Some(*parent),
                    decision: *take,
                    pass: pass.clone(),
                    why: why.clone(),
                    tokens: Some(*tokens),
                    bytes: *bytes,
                    away: *away,
                    fails: false,
                    at: Duration::from_millis(*ms),
                    hash: hash.clone(),
                    text: text.clone(),
                });
            }
            Line::Stands { stands, kept, .. } => (self.stands, self.kept) = (*stands, *kept),
            Line::Command { command, .. } if command == "undo fails" => {
                if let Some(left) = self.saved.get_mut(&self.stands) {
                    left.fails = true;
                }
            }
            _ => {}
        }
    }

    /// All of them, by their numbers.
    pub fn all(&self) -> impl Iterator<Item = &Saved> {
        self.saved.values()
    }

    /// The version of that number.
    pub fn get(&self, number: u64) -> Option<&Saved> {
        self.saved.get(&number)
    }

    /// The texts of a version's documents; none if it is not there, or is not what it was.
    pub fn texts(&self, number: u64) -> Option<Vec<Vec<u8>>> {
        let mut way = vec![self.get(number)?];
        while way
            .last()?
            .text
            .iter()
            .any(|text| matches!(text, Stored::Cuts(_)))
        {
            let last = way.last()?;
            // A parent is older: so this ends.
            way.push(self.get(last.parent.filter(|parent| *parent < last.number)?)?);
        }
        let mut texts: Vec<Vec<u8>> = Vec::new();
        for saved in way.into_iter().rev() {
            let made = saved.text.iter().enumerate();
            let made = made.map(|(at, text)| text.bytes(texts.get(at).map(|text| &text[..])));
            texts = made.collect::<Option<_>>()?;
        }
        let hash = journal::hash_of(texts.iter().map(|text| &text[..]));
        (hash.to_string() == self.get(number)?.hash).then_some(texts)
    }

    /// Whether one of them has this text.
    pub fn have(&self, text: &[u8]) -> bool {
        let hash = journal::hash_of(std::iter::once(text)).to_string();
        self.all().any(|saved| saved.hash == hash)
    }

    /// The text of a version of one document.
    pub fn text(&self, number: u64) -> Option<Vec<u8>> {
        self.texts(number)?.into_iter().next()
    }
}

/// A session that was read.
pub struct Story {
    /// What it started from.
    pub header: Header,
    /// Its versions.
    pub versions: Arc<Versions>,
    /// All that is in the journal.
    pub journal: Journalled,
    /// Its last word, if it has one: complete, stopped or failed.
    pub end: Option<String>,
    /// What was proven at its end.
    pub certificate: Option<String>,
    /// How many questions were decided.
    pub decisions: u64,
}

impl Story {
    /// Reads a session's journal.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(path: &Path) -> Result<Story, JournalError> {
        journal::read(path).map(Story::of)
    }

    /// What a journal that was read tells.
    pub(super) fn of(journal: Journalled) -> Story {
        let mut versions = Versions::new(&journal.header);
        let (mut end, mut certificate, mut decisions) = (None, None, 0);
        for line in &journal.lines {
            versions.hear(line);
            match line {
                Line::Finished {
                    finished,
                    certificate: proven,
                    ..
                } => {
                    (end, certificate) = (Some(finished.clone()), Some(proven.clone()));
                }
                Line::Resumed { .. } => (end, certificate) = (None, None),
                Line::Decision { decision, .. } => decisions = *decision,
                _ => {}
            }
        }
        Story {
            header: journal.header.clone(),
            versions: Arc::new(versions),
            journal,
            end,
            certificate,
            decisions,
        }
    }

    /// How many tests ran.
    pub fn tests(&self) -> usize {
        let tests = self.journal.lines.iter().map(|line| match line {
            Line::Fact {
                recalled: false,
                runs,
                ..
            } => runs.map_or(1, |(_, runs)| runs as usize),
            _ => 0,
        });
        tests.sum()
    }

    /// Whether it was once gone on with in another way than it would have gone by itself, by a lop that did not say how.
    pub fn went_unknown_ways(&self) -> bool {
        let mut lines = self.journal.lines.iter();
        lines.any(|line| {
            matches!(line, Line::Resumed { exactly: false, held, basis, .. } if held.is_none() || basis.is_none())
        })
    }

    /// With which lop, and with what, the run made its last beginning.
    pub fn basis(&self) -> (&str, Basis) {
        let newest = self.journal.lines.iter().rev().find_map(|line| match line {
            Line::Resumed {
                resumed,
                exactly: false,
                basis,
                ..
            } => Some((&resumed[..], basis.clone().unwrap_or_default())),
            _ => None,
        });
        newest.unwrap_or_else(|| (&self.header.lop, self.header.basis()))
    }

    /// All that the run did, to be done again. `differs` says why it cannot be, if that is known.
    pub fn resume(&self, differs: Option<String>) -> Resume {
        let first = self.header.basis();
        let facts = self.facts(&first);
        let mut things = VecDeque::new();
        let mut restored = Vec::new();
        for line in &self.journal.lines {
            things.extend(was(line, &facts));
            if let Line::Resumed {
                held: Some(held), ..
            } = line
            {
                restored.push(Restored {
                    held: *held,
                    upto: things.len(),
                });
            }
        }
        let versions = self.versions.clone();
        Resume {
            was: things,
            restored,
            text: Arc::new(move |number| {
                let texts = versions.texts(number)?;
                Some(texts.into_iter().map(Arc::from).collect())
            }),
            differs,
            lasted: self.journal.lasted(),
            seen: None,
        }
    }

    /// What the last test said of what is looked for now, for questions that may be asked again. One that was too slow is asked again
    /// all the same.
    pub fn verdicts(&self) -> Memory {
        self.verdicts_of(&self.basis().1)
    }

    /// The same of the test that this is.
    pub fn verdicts_of(&self, test: &Basis) -> Memory {
        let now = self.sought().changes;
        self.said_by(|fact| fact.is_of(test) && fact.changes == now)
    }

    /// What tests said that were another one than this, or looked for something else.
    pub fn hints(&self, test: &Basis) -> Memory {
        let now = self.sought().changes;
        self.said_by(|fact| !fact.is_of(test) || fact.changes != now)
    }

    fn said_by(&self, is_meant: impl Fn(&Said<'_>) -> bool) -> Memory {
        let memory = Memory::default();
        for (hash, facts) in self.facts(&self.header.basis()) {
            let facts = facts.iter().filter(|fact| is_meant(fact));
            let (Some(fact), Some(hash)) = (facts.last(), Hash::read(hash)) else {
                continue;
            };
            if fact.ending != Word::TimedOut {
                let Run {
                    exit, time, cpu, ..
                } = fact.run();
                let limits = Limits {
                    wall: fact.limit(),
                    cpu: None,
                };
                let ending = fact.ending.into();
                memory.put(
                    hash,
                    Recalled {
                        ending,
                        time,
                        exit,
                        cpu,
                        limits,
                    },
                );
            }
        }
        memory
    }

    /// All facts, by their candidates. `first` is the header's basis.
    fn facts<'a>(&'a self, first: &'a Basis) -> Facts<'a> {
        let mut facts = Facts::default();
        let mut basis = first;
        let mut sought = Sought::new(&self.header);
        for line in &self.journal.lines {
            if let Line::Resumed {
                basis: Some(other), ..
            } = line
            {
                basis = other;
            }
            sought.hear(line);
            let said = Said::of(line, Some(basis), sought.changes);
            if let Some((candidate, said)) = said.filter(|(_, said)| !said.crowded) {
                facts.entry(candidate).or_default().push(said);
            }
        }
        facts
    }

    /// What is looked for at the end, and within which limit.
    pub fn sought(&self) -> Sought {
        let mut sought = Sought::new(&self.header);
        self.journal.lines.iter().for_each(|line| sought.hear(line));
        sought
    }

    /// The commands of the script that had not come to their moment: those that are not among the ones that were obeyed.
    pub fn script_left(&self) -> Vec<String> {
        let mut obeyed: Vec<&str> = Vec::new();
        for line in &self.journal.lines {
            if let Line::Command { command, .. } = line {
                obeyed.push(command);
            }
        }
        let mut left = Vec::new();
        for line in &self.header.script {
            let command = line.split_once(": ").filter(|_| line.starts_with("at "));
            let command = command.map_or(&line[..], |(_, command)| command);
            match obeyed.iter().position(|done| *done == command) {
                Some(at) => {
                    obeyed.remove(at);
                }
                None => left.push(line.clone()),
            }
        }
        left
    }
}
