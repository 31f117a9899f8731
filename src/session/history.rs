//! A session as its journal records it: its versions, and all that is needed to resume it.
//!
//! `journal_decoder.rs` makes recorded events of the lines (`reduce::RecordedEvent`: decisions, accepted versions, moves, commands), and this makes
//! a sequence of them. The engine, which is at the same question, does the next of them instead of asking. Each decision and command says how many
//! questions were refused since the last decision, so the parser need not see any of them.

use std::collections::{BTreeMap, VecDeque};
use std::iter;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::journal::{
    self, JournalContents, JournalError, JournalHeader, JournalLine, RunFingerprint, StoredDocument,
};
pub use super::journal_decoder::RecordedProperty;
use super::journal_decoder::{RecordedClock, RecordedResult, ResultsByCandidate, decode_event};
use crate::display::EscapeHidden;
use crate::oracle::Verdict;
use crate::program::{ContentHash, FileText, text_bytes};
use crate::protocol::read_choices;
use crate::reduce::{Decision, MemoryStore, RestorePoint, ResumePlan, VerdictStore};

/// A version, as the journal has it.
#[derive(Clone, Debug)]
pub struct SavedVersion {
    /// Its number; the original is 0.
    pub number: u64,
    /// The version that it was made of; none for the original.
    pub parent: Option<u64>,
    /// The decision that found it.
    pub decision: Decision,
    /// The pass that proposed it.
    pub pass: String,
    /// What was done, as a sentence.
    pub why: String,
    /// Its tokens, if they are known; of a pair, those of both programs.
    pub tokens: Option<u32>,
    /// Tokens of the difference of a pair.
    pub difference: Option<u32>,
    /// How many bytes it has.
    pub bytes: u32,
    /// Whether it is inside a detour.
    pub in_detour: bool,
    /// The version that a detour left which ended with this one; none if none did.
    pub ended_detour: Option<u64>,
    /// Whether it was left because the test is flaky on it.
    pub fails: bool,
    /// Whether the test changed while it was current.
    pub test_changed: bool,
    /// The time since the start.
    pub elapsed: Duration,
    hash: String,
    text: Vec<StoredDocument>,
}

/// All versions of a session, and which of them is current.
#[derive(Clone, Debug)]
pub struct SessionVersions {
    saved: BTreeMap<u64, SavedVersion>,
    /// The current version.
    pub current: u64,
    /// The version that belongs on the disk.
    pub kept: u64,
}

impl SessionVersions {
    fn new(header: &JournalHeader) -> SessionVersions {
        let texts = header.files.iter().map(|file| file.bytes.decode_bytes());
        let texts = texts.map(|bytes| Some(bytes.unwrap_or_default().into()));
        let texts: Vec<FileText> = texts.collect();
        let original = SavedVersion {
            number: 0,
            parent: None,
            decision: 0,
            pass: String::new(),
            why: "the original".into(),
            tokens: header.tokens,
            difference: header.difference,
            bytes: match header.tokens.filter(|_| header.is_choices()) {
                Some(choices) => choices,
                None => texts.iter().flatten().map(|text| text.len()).sum::<usize>() as u32,
            },
            in_detour: false,
            ended_detour: None,
            fails: false,
            test_changed: false,
            elapsed: Duration::ZERO,
            hash: journal::hash_texts(&texts).to_string(),
            text: texts.iter().map(StoredDocument::from_text).collect(),
        };
        SessionVersions {
            saved: BTreeMap::from([(0, original)]),
            current: 0,
            kept: 0,
        }
    }

    /// What a line records about versions.
    fn apply_line(&mut self, line: &JournalLine) {
        match line {
            JournalLine::Accept {
                accept,
                version,
                parent,
                pass,
                why,
                detour,
                hash,
                tokens,
                difference,
                bytes,
                text,
                ms,
            } => {
                self.current = *version;
                if !detour {
                    self.kept = *version;
                }
                self.saved.entry(*version).or_insert_with(|| SavedVersion {
                    number: *version,
                    parent: Some(*parent),
                    decision: *accept,
                    pass: pass.clone(),
                    why: why.clone(),
                    tokens: Some(*tokens),
                    difference: *difference,
                    bytes: *bytes,
                    in_detour: *detour,
                    ended_detour: None,
                    fails: false,
                    test_changed: false,
                    elapsed: Duration::from_millis(*ms),
                    hash: hash.clone(),
                    text: text.clone(),
                });
            }
            JournalLine::Moved { current, kept, .. } => {
                (self.current, self.kept) = (*current, *kept);
                if current == kept {
                    self.join_run(*current);
                }
            }
            JournalLine::Command { command, .. } => {
                if let Some(current) = self.saved.get_mut(&self.current) {
                    current.fails |= command == "undo fails";
                    current.test_changed |= command == "new-test!";
                }
            }
            _ => {}
        }
    }

    /// This version and those before it in its detour join the run: the detour ended smaller than it began.
    fn join_run(&mut self, last: u64) {
        let mut at = Some(last);
        while let Some(saved) = at.and_then(|number| self.saved.get_mut(&number))
            && saved.in_detour
        {
            saved.in_detour = false;
            at = saved.parent;
        }
        if at != Some(last)
            && let Some(saved) = self.saved.get_mut(&last)
        {
            saved.ended_detour = at;
        }
    }

    /// All of them, by their numbers.
    pub fn all_versions(&self) -> impl Iterator<Item = &SavedVersion> {
        self.saved.values()
    }

    /// The version of that number.
    pub fn get(&self, number: u64) -> Option<&SavedVersion> {
        self.saved.get(&number)
    }

    /// The texts of a version's documents; none if it is missing or damaged.
    pub fn document_texts(&self, number: u64) -> Option<Vec<FileText>> {
        let mut way = vec![self.get(number)?];
        while way
            .last()?
            .text
            .iter()
            .any(|text| matches!(text, StoredDocument::Cuts(_)))
        {
            let last = way.last()?;
            // A parent is older: so this ends.
            way.push(self.get(last.parent.filter(|parent| *parent < last.number)?)?);
        }
        let mut texts: Vec<FileText> = Vec::new();
        for saved in way.into_iter().rev() {
            let made = saved.text.iter().enumerate();
            let made =
                made.map(|(at, text)| text.decode_text(texts.get(at).and_then(Option::as_deref)));
            texts = made.collect::<Option<_>>()?;
        }
        let hash = journal::hash_texts(&texts);
        (hash.to_string() == self.get(number)?.hash).then_some(texts)
    }

    /// Whether one of them has these texts.
    pub fn contains_texts(&self, texts: &[FileText]) -> bool {
        let hash = journal::hash_texts(texts).to_string();
        self.all_versions().any(|saved| saved.hash == hash)
    }
}

/// A session that was read.
pub struct SessionHistory {
    /// What it started from.
    pub header: JournalHeader,
    /// Its versions.
    pub versions: Arc<SessionVersions>,
    /// All that is in the journal.
    pub journal: JournalContents,
    /// How it ended, if it did: complete, stopped or failed.
    pub end: Option<String>,
    /// What was proven at its end.
    pub certificate: Option<String>,
    /// How many candidates were decided.
    pub decisions: u64,
}

impl SessionHistory {
    /// Reads a session's journal.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read_from(path: &Path) -> Result<SessionHistory, JournalError> {
        journal::read_journal(path).map(SessionHistory::from_journal)
    }

    /// What a journal contains.
    pub(super) fn from_journal(journal: JournalContents) -> SessionHistory {
        let mut versions = SessionVersions::new(&journal.header);
        let (mut end, mut certificate, mut decisions) = (None, None, 0);
        for line in &journal.lines {
            versions.apply_line(line);
            match line {
                JournalLine::Finished {
                    finished,
                    certificate: proven,
                    ..
                } => {
                    (end, certificate) = (Some(finished.clone()), Some(proven.clone()));
                }
                // It goes on from its end.
                JournalLine::Resumed { .. } | JournalLine::Command { .. } => {
                    (end, certificate) = (None, None)
                }
                JournalLine::Decision { decision, .. } => decisions = *decision,
                _ => {}
            }
        }
        SessionHistory {
            header: journal.header.clone(),
            versions: Arc::new(versions),
            journal,
            end,
            certificate,
            decisions,
        }
    }

    /// A version for people to read: its text, or of several files each text below a line with its name.
    pub fn version_page(&self, number: u64) -> Option<Vec<u8>> {
        Some(self.texts_page(&self.versions.document_texts(number)?))
    }

    /// The same of texts that may be no version, one for each document.
    pub fn texts_page(&self, texts: &[FileText]) -> Vec<u8> {
        if let [only] = texts {
            return text_bytes(only).to_vec();
        }
        let mut page = Vec::new();
        let files = self.document_names().into_iter().zip(texts);
        for (name, text) in files.filter_map(|(name, text)| Some((name, text.as_ref()?))) {
            page.extend(format!("==> {name} <==\n").bytes());
            page.extend_from_slice(text);
            if !text.ends_with(b"\n") {
                page.push(b'\n');
            }
        }
        page
    }

    /// The bytes of a sequence of choices; none if the program is another, or the version cannot be made.
    pub fn version_choices(&self, number: u64) -> Option<Vec<u8>> {
        let texts = self.versions.document_texts(number)?;
        let listing = texts.first().filter(|_| self.header.is_choices())?;
        read_choices(text_bytes(listing))
    }

    /// The names of the documents, for people; of a pair with what each is.
    pub fn document_names(&self) -> Vec<String> {
        let roles = match self.header.is_pair() {
            true => ["the seed ", "the variant "],
            false => ["", ""],
        };
        let files = self
            .header
            .files
            .iter()
            .zip(roles.into_iter().chain(iter::repeat("")));
        files
            .map(|(file, role)| format!("{role}{}", file.path.escape_hidden()))
            .collect()
    }

    /// How many tests decided something, as the page of the result counts them; of a run that is not at its end, how many ran.
    pub fn decisive_test_count(&self) -> u64 {
        let ends = self.journal.lines.iter().rev();
        let counted = ends
            .filter(|_| self.end.is_some())
            .find_map(|line| match line {
                JournalLine::Finished { counts, .. } => Some(counts.tests),
                _ => None,
            });
        counted.unwrap_or(self.test_count() as u64)
    }

    /// How many tests ran.
    pub fn test_count(&self) -> usize {
        let tests = self.journal.lines.iter().map(|line| match line {
            JournalLine::Result {
                recalled: false,
                runs,
                ..
            } => runs.map_or(1, |(_, runs)| runs as usize),
            _ => 0,
        });
        tests.sum()
    }

    /// Whether an earlier lop resumed it without the replay, and did not say how.
    pub fn has_unknown_resume(&self) -> bool {
        let mut lines = self.journal.lines.iter();
        lines.any(|line| {
            matches!(line, JournalLine::Resumed { exactly: false, held, basis, .. } if held.is_none() || basis.is_none())
        })
    }

    /// With which lop, and with what, the run was started or restored last.
    pub fn last_fingerprint(&self) -> (&str, RunFingerprint) {
        let newest = self.journal.lines.iter().rev().find_map(|line| match line {
            JournalLine::Resumed {
                resumed,
                exactly: false,
                ..
            } => Some(&resumed[..]),
            _ => None,
        });
        let last = self.run_fingerprints().pop();
        (newest.unwrap_or(&self.header.lop), last.unwrap_or_default())
    }

    /// With what the run was started, and after that each other thing with which it went on.
    fn run_fingerprints(&self) -> Vec<RunFingerprint> {
        let mut all = vec![self.header.run_fingerprint()];
        for line in &self.journal.lines {
            let now = all.last().and_then(|last| next_fingerprint(line, last));
            all.extend(now);
        }
        all
    }

    /// The plan to replay all that the run did. `differs` says why that is not possible, if it is known.
    pub fn build_resume(&self, differs: Option<String>) -> ResumePlan {
        let bases = self.run_fingerprints();
        let facts = self.results_by_candidate(&bases);
        let mut things = VecDeque::new();
        let mut restored = Vec::new();
        let mut clock = RecordedClock::new(&self.header);
        for line in &self.journal.lines {
            clock.apply_line(line);
            things.extend(decode_event(line, &facts, &clock));
            if let JournalLine::Resumed {
                held: Some(held), ..
            } = line
            {
                restored.push(RestorePoint {
                    replayed: *held,
                    until: things.len(),
                });
            }
        }
        let versions = self.versions.clone();
        ResumePlan {
            events: things,
            restored,
            texts: Arc::new(move |number| versions.document_texts(number)),
            divergence: differs,
            elapsed: self.journal.run_duration(),
            observer: None,
        }
    }

    /// The last verdicts of the test on the current property, for candidates that may be proposed again. One that timed out is tested
    /// again all the same.
    pub fn current_verdicts(&self) -> MemoryStore {
        self.verdicts_of_test(&self.last_fingerprint().1)
    }

    /// The same, for a given test.
    pub fn verdicts_of_test(&self, test: &RunFingerprint) -> MemoryStore {
        let now = self.recorded_property().changes;
        self.collect_verdicts(|fact| fact.is_from_test(test) && fact.changes == now)
    }

    /// Verdicts of another test than this, or of another property.
    pub fn verdict_hints(&self, test: &RunFingerprint) -> MemoryStore {
        let now = self.recorded_property().changes;
        self.collect_verdicts(|fact| !fact.is_from_test(test) || fact.changes != now)
    }

    fn collect_verdicts(&self, is_meant: impl Fn(&RecordedResult<'_>) -> bool) -> MemoryStore {
        let memory = MemoryStore::default();
        for (hash, facts) in self.results_by_candidate(&self.run_fingerprints()) {
            let facts = facts.iter().filter(|fact| is_meant(fact));
            let (Some(fact), Some(hash)) = (facts.last(), ContentHash::parse_hex(hash)) else {
                continue;
            };
            if fact.result.verdict != Verdict::TimedOut {
                memory.store_result(hash, fact.result);
            }
        }
        memory
    }

    /// All results, by their candidates. `bases` are those of [`SessionHistory::run_fingerprints`].
    fn results_by_candidate<'a>(&'a self, bases: &'a [RunFingerprint]) -> ResultsByCandidate<'a> {
        let mut facts = ResultsByCandidate::default();
        let mut at = 0;
        let mut sought = RecordedProperty::new(&self.header);
        for line in &self.journal.lines {
            let basis = bases.get(at);
            at += usize::from(basis.is_some_and(|basis| next_fingerprint(line, basis).is_some()));
            sought.apply_line(line);
            let said = RecordedResult::from_line(line, bases.get(at), sought.changes);
            if let Some((candidate, said)) = said.filter(|(_, said)| !said.result.concurrent) {
                facts.entry(candidate).or_default().push(said);
            }
        }
        facts
    }

    /// The property at the end, and its time limit.
    pub fn recorded_property(&self) -> RecordedProperty {
        let mut sought = RecordedProperty::new(&self.header);
        self.journal
            .lines
            .iter()
            .for_each(|line| sought.apply_line(line));
        sought
    }

    /// The commands of the script that were not reached: those that were not executed.
    pub fn remaining_script(&self) -> Vec<String> {
        let mut obeyed: Vec<&str> = Vec::new();
        for line in &self.journal.lines {
            if let JournalLine::Command { command, .. } = line {
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

/// With what the run goes on from this line, if that is something else than before.
fn next_fingerprint(line: &JournalLine, before: &RunFingerprint) -> Option<RunFingerprint> {
    match line {
        JournalLine::Resumed {
            exactly: false,
            basis,
            ..
        } => Some(basis.clone().unwrap_or_default()),
        JournalLine::Command {
            test_hash: Some(hash),
            ..
        } => Some(RunFingerprint {
            test_hash: hash.clone(),
            ..before.clone()
        }),
        _ => None,
    }
}
