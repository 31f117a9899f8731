//! Writing a journal.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::super::files;
use super::super::names;
use super::super::write::{FileWriter, Rights};
use super::seal::{self, Sum};
use super::text::Stored;
use super::{Basis, Header, JournalError, Journalled, Line, delta, nanoseconds};
use crate::display::{Out, Shown};
use crate::program::Version;
use crate::reduce::{
    Claim, Command, CommandPlace, Counts, Fact, Finish, Journal, JournalDecided, PassLine, Past,
    Quorum, Taken,
};

/// After so long a line is handed to the system at once; lines that come faster wait for each other.
const APART: Duration = Duration::from_millis(100);
/// No more than so many bytes wait.
const WAITING: usize = 1 << 16;
/// The text of every so many versions is stored whole.
const WHOLE: u64 = 32;
/// What a session's may be read by.
const MODE: u32 = 0o600;
/// How a journal begins.
const BEGINS: &[u8] = b"{\"lop\":";

fn is_journal(start: &[u8]) -> bool {
    start.is_empty() || start.starts_with(BEGINS)
}

/// Writes a journal. A take is handed to the system before anyone sees it; facts and decisions when the run waits, and at most 100 ms after
/// they came while it does not.
pub struct JournalFile {
    path: PathBuf,
    file: Arc<File>,
    /// Bytes that the file holds.
    written: u64,
    /// Lines that it does not hold yet.
    waiting: Vec<u8>,
    sum: Sum,
    flushed: Instant,
    started: Instant,
    /// How long the run had lasted before.
    lasted: Duration,
    /// What happens is in the file already, but for versions after this one.
    muted: Option<u64>,
    failed: Option<io::Error>,
    /// The file is not where it was made any more; and whether that was said.
    lost: Option<bool>,
    /// Whether it did, for the one who writes the output.
    behind: Arc<AtomicBool>,
    last: Option<Last>,
    basis: Option<Basis>,
    /// What is to be said of the beginning that was made.
    held: Option<usize>,
}

/// The version that was stored last.
struct Last {
    number: u64,
    texts: Vec<Vec<u8>>,
    /// The size of the last that was stored whole.
    whole: u32,
}

/// What makes a journal outlive a power failure.
#[derive(Clone, Debug)]
pub struct Synced {
    path: PathBuf,
    file: Arc<File>,
    behind: Arc<AtomicBool>,
}

impl Synced {
    /// Waits until all that was handed to the system is on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// Whether the journal is where it was made: somebody may have removed it meanwhile.
    pub fn is_there(&self) -> bool {
        files::is_at(&self.file, &self.path)
    }

    /// Whether the system did not take the last of it: the disk may be full. What it has not written nobody should see.
    pub fn is_behind(&self) -> bool {
        self.behind.load(Ordering::Acquire)
    }
}

impl JournalFile {
    /// Begins a journal in a new file, or over an old one.
    ///
    /// # Errors
    /// When the file cannot be made, or holds something else than a journal.
    pub fn create(path: &Path, header: &Header) -> Result<JournalFile, JournalError> {
        let file = files::open_own(path, is_journal, MODE).map_err(JournalError::io(path))?;
        file.set_len(0).map_err(JournalError::io(path))?;
        let mut journal = JournalFile::new(path, file, 0, seal::START, Duration::ZERO);
        journal.line(header);
        journal.flush();
        match journal.failed.take() {
            Some(source) => {
                // The refusal says all: there is nothing that could be incomplete.
                journal.waiting.clear();
                Err(JournalError::io(path)(source))
            }
            None => Ok(journal),
        }
    }

    /// Goes on with a journal that was read. It writes nothing until the engine says that it has resumed. What was read of it stays, and
    /// what could not be is cut off; if that is more than a torn line, a copy of all is kept beside it.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append(path: &Path, read: &Journalled) -> Result<JournalFile, JournalError> {
        let failed = || JournalError::io(path);
        let file = files::open_old(path, is_journal).map_err(failed())?;
        if read.damaged() {
            keep_damaged(path).map_err(failed())?;
        }
        file.set_len(read.length).map_err(failed())?;
        let mut journal = JournalFile::new(path, file, read.length, read.sum, read.lasted());
        journal.muted = Some(read.newest());
        Ok(journal)
    }

    fn new(path: &Path, file: File, written: u64, sum: Sum, lasted: Duration) -> JournalFile {
        JournalFile {
            path: path.to_path_buf(),
            file: Arc::new(file),
            written,
            waiting: Vec::new(),
            sum,
            flushed: Instant::now(),
            started: Instant::now(),
            lasted,
            muted: None,
            failed: None,
            lost: None,
            behind: Arc::default(),
            last: None,
            basis: None,
            held: None,
        }
    }

    /// Says what the run goes on with, in case that it goes on in another way.
    pub fn with(mut self, basis: Basis) -> JournalFile {
        self.basis = Some(basis);
        self
    }

    /// For whoever must know that it is on the disk.
    pub fn synced(&self) -> Synced {
        Synced {
            path: self.path.clone(),
            file: self.file.clone(),
            behind: self.behind.clone(),
        }
    }

    fn ms(&self) -> u64 {
        (self.lasted + self.started.elapsed()).as_millis() as u64
    }

    fn line(&mut self, line: &impl Serialize) {
        if self.muted.is_none() {
            self.add(line);
        }
    }

    fn add(&mut self, line: &impl Serialize) {
        // Nothing of what is written fails to be JSON but a path that is not UTF-8.
        match serde_json::to_vec(line) {
            Ok(mut object) => {
                self.sum = seal::close(&mut object, self.sum);
                self.waiting.append(&mut object);
            }
            Err(error) => self.failed = Some(error.into()),
        }
        if self.waiting.len() > WAITING || self.flushed.elapsed() > APART {
            self.flush();
        }
    }

    /// Hands all lines to the system. If it does not take them, they wait, and the file ends with a whole line. A file that is not where
    /// it was is not waited for: it takes what comes for who has it open still.
    fn flush(&mut self) {
        self.flushed = Instant::now();
        if self.waiting.is_empty() {
            return;
        }
        let done = (&*self.file).write_all(&self.waiting);
        if !files::is_at(&self.file, &self.path) {
            self.lost.get_or_insert(false);
        }
        match done {
            Ok(()) => {
                self.written += self.waiting.len() as u64;
                self.waiting.clear();
                self.failed = None;
            }
            Err(_) if self.lost.is_some() => {
                self.waiting.clear();
                self.failed = None;
            }
            Err(error) => {
                // If that fails too, reading drops the torn line.
                let _ = self.file.set_len(self.written);
                self.failed = Some(error);
            }
        }
        self.behind.store(self.failed.is_some(), Ordering::Release);
    }

    /// A version's documents as they are stored: whole, or as what differs from the version that it was made of.
    fn stored(&mut self, number: u64, parent: u64, version: &Version) -> Vec<Stored> {
        let texts: Vec<Vec<u8>> = version.files().into_iter().map(|(_, text)| text).collect();
        let whole = self.last.as_ref().map_or(u32::MAX, |last| last.whole);
        let base = self.last.take().filter(|last| {
            let halved = version.bytes() <= whole / 2;
            last.number == parent && !number.is_multiple_of(WHOLE) && !halved
        });
        let stored = match &base {
            Some(base) => {
                let pairs = base.texts.iter().zip(&texts);
                pairs
                    .map(|(old, new)| Stored::Cuts(delta::cuts(old, new)))
                    .collect()
            }
            None => texts.iter().map(|text| Stored::whole(text)).collect(),
        };
        self.last = Some(Last {
            number,
            texts,
            whole: base.map_or(version.bytes(), |base| base.whole),
        });
        stored
    }
}

/// Keeps a copy of a damaged journal beside it. One of an earlier damage goes: what was believed of it is in this one.
fn keep_damaged(path: &Path) -> io::Result<()> {
    let aside = path.with_extension("damaged");
    match files::open_old(&aside, is_journal) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        there => drop(there?),
    }
    let rights = Rights {
        mode: Some(MODE),
        owner: None,
    };
    let writer = FileWriter::of(path);
    // Who goes on with a journal has its session.
    writer.sweep(names::directory(path));
    writer.replace(&aside, &files::read_own(path)?, rights)
}

impl Drop for JournalFile {
    fn drop(&mut self) {
        self.flush();
        if let Some(error) = &self.failed {
            let path = self.path.shown();
            Out::stderr().line(&format!(
                "lop: the journal {path} is incomplete: {error}; what came last cannot be gone on with or played"
            ));
        }
    }
}

impl Journal for JournalFile {
    fn fact(&mut self, fact: &Fact) {
        self.line(&Line::Fact {
            fact: fact.hash.to_string(),
            ending: fact.ending.into(),
            time_ns: nanoseconds(fact.time),
            cpu_ns: fact.cpu.map(nanoseconds),
            limit_ns: fact.limit.map(nanoseconds),
            bound: fact.bound.map(|bound| bound.word().to_owned()),
            crowded: fact.crowded,
            recalled: fact.recalled,
            runs: (fact.tally.runs > 1).then_some((fact.tally.yes, fact.tally.runs)),
            confirm: (fact.quorum != Quorum::ONCE).then(|| fact.quorum.to_string()),
            check: fact.check,
        });
    }

    fn decided(&mut self, decided: &JournalDecided) {
        self.line(&Line::decision(decided, self.ms()));
    }

    fn taken(&mut self, taken: &Taken, past: &Past) {
        // Its decision may have been written, and it not.
        if self.muted.is_some_and(|newest| taken.version <= newest) {
            return;
        }
        let parent = past.parent.unwrap_or_default();
        let text = self.stored(taken.version, parent, &past.version);
        self.add(&Line::Take {
            take: taken.decision,
            version: taken.version,
            parent,
            pass: past.pass.to_owned(),
            why: past.sentence.clone(),
            away: past.away,
            hash: taken.hash.to_string(),
            tokens: taken.tokens,
            bytes: taken.bytes,
            text,
            ms: self.ms(),
        });
        self.flush();
    }

    fn moved(&mut self, version: u64, kept: u64) {
        self.line(&Line::Stands {
            stands: version,
            kept,
            ms: self.ms(),
        });
        self.flush();
    }

    fn command(&mut self, place: CommandPlace, command: &Command) {
        self.line(&Line::Command {
            command: command.to_string(),
            before: place.before,
            refused: place.refused,
            works: place.works,
            ms: self.ms(),
        });
        self.flush();
    }

    fn passed(&mut self, line: &PassLine) {
        self.line(&Line::Pass {
            pass: line.name.to_owned(),
            tried: line.tried,
            taken: line.taken,
            tokens: line.tokens,
            time_ns: nanoseconds(line.time),
        });
    }

    fn rest(&mut self) {
        self.flush();
    }

    fn restored(&mut self, held: usize) {
        self.held = Some(held);
    }

    fn resumed(&mut self, exactly: bool) {
        self.muted = None;
        self.started = Instant::now();
        let line = Line::Resumed {
            resumed: env!("CARGO_PKG_VERSION").to_owned(),
            exactly,
            held: self.held.take(),
            basis: self.basis.clone().filter(|_| !exactly),
        };
        self.line(&line);
        self.flush();
    }

    fn finished(&mut self, finish: &Finish, counts: &Counts, claim: &Claim) {
        let finished = match finish {
            Finish::Complete => "complete".to_owned(),
            Finish::Stopped => "stopped".to_owned(),
            Finish::Failed(reason) => format!("failed: {reason}"),
        };
        self.line(&Line::Finished {
            finished,
            counts: counts.into(),
            certificate: claim.to_string(),
            ms: self.ms(),
        });
        self.flush();
    }

    fn trouble(&mut self) -> Option<String> {
        self.failed.is_some().then(|| self.flush());
        let error = self.failed.as_ref()?;
        Some(format!("{} cannot be written: {error}", self.path.shown()))
    }

    fn loss(&mut self) -> Option<String> {
        let first = !std::mem::replace(self.lost.as_mut()?, true);
        first.then(|| {
            format!(
                "the journal {} was removed while the run went on, or is another file now; the run goes on and its result is kept, but \
                 nothing can go on with it from that journal",
                self.path.shown()
            )
        })
    }
}

/// Several journals of one run.
#[derive(Default)]
pub struct Journals(pub Vec<JournalFile>);

impl Journal for Journals {
    fn fact(&mut self, fact: &Fact) {
        self.0.iter_mut().for_each(|journal| journal.fact(fact));
    }

    fn decided(&mut self, decided: &JournalDecided) {
        self.0
            .iter_mut()
            .for_each(|journal| journal.decided(decided));
    }

    fn taken(&mut self, taken: &Taken, past: &Past) {
        self.0
            .iter_mut()
            .for_each(|journal| journal.taken(taken, past));
    }

    fn moved(&mut self, version: u64, kept: u64) {
        self.0
            .iter_mut()
            .for_each(|journal| journal.moved(version, kept));
    }

    fn command(&mut self, place: CommandPlace, command: &Command) {
        let journals = self.0.iter_mut();
        journals.for_each(|journal| journal.command(place, command));
    }

    fn passed(&mut self, line: &PassLine) {
        self.0.iter_mut().for_each(|journal| journal.passed(line));
    }

    fn rest(&mut self) {
        self.0.iter_mut().for_each(JournalFile::rest);
    }

    fn restored(&mut self, held: usize) {
        let journals = self.0.iter_mut();
        journals.for_each(|journal| journal.restored(held));
    }

    fn resumed(&mut self, exactly: bool) {
        self.0
            .iter_mut()
            .for_each(|journal| journal.resumed(exactly));
    }

    fn finished(&mut self, finish: &Finish, counts: &Counts, claim: &Claim) {
        let journals = self.0.iter_mut();
        journals.for_each(|journal| journal.finished(finish, counts, claim));
    }

    fn trouble(&mut self) -> Option<String> {
        let mut troubles = self.0.iter_mut().filter_map(JournalFile::trouble);
        troubles.next()
    }

    fn loss(&mut self) -> Option<String> {
        self.0.iter_mut().find_map(JournalFile::loss)
    }
}
