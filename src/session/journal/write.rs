//! Writing a journal.
//!
//! An accepted version is handed to the system before anyone sees it; results and decisions when the run waits, and at most 100 ms after they came.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::super::file_names;
use super::super::file_writer::{FilePermissions, FileWriter};
use super::super::own_files;
use super::checksum::{self, LineChecksum};
use super::stored_text::StoredDocument;
use super::{
    FORMAT, JournalContents, JournalError, JournalHeader, JournalLine, RunFingerprint, delta,
    to_nanoseconds,
};
use crate::display::{ConsoleWriter, EscapeHidden, UnixTime};
use crate::program::{FileText, Version};
use crate::reduce::{
    AcceptedVersion, CommandPosition, EngineCommand, FinishReason, Journal, JournalDecision,
    JournalResult, MinimalityClaim, PassLine, RunCounts, VersionRecord,
};

/// After this time a line is handed to the system at once; lines that come faster wait for each other.
const APART: Duration = Duration::from_millis(100);
/// How many bytes may wait.
const WAITING: usize = 1 << 16;
/// How often the text of a version is stored whole.
const WHOLE: u64 = 32;
/// Who may read the files of a session.
const MODE: u32 = 0o600;
/// How a journal begins.
const BEGINS: &[u8] = b"{\"lop\":";

fn is_journal_start(start: &[u8]) -> bool {
    start.is_empty() || start.starts_with(BEGINS)
}

/// Returns the hash of the test as it is now: see [`super::HeaderInvocation::test_hash`].
pub type TestHasher = Arc<dyn Fn() -> String + Send + Sync>;

/// Writes a journal. An accepted version is handed to the system before anyone sees it; results and decisions when the run waits, and at
/// most 100 ms after they came.
pub struct JournalFile {
    path: PathBuf,
    file: Arc<File>,
    /// Bytes that the file holds.
    written: u64,
    /// Lines that it does not hold yet.
    buffer: Vec<u8>,
    sum: LineChecksum,
    flushed: Instant,
    started: Instant,
    /// How long the run had lasted before.
    earlier_duration: Duration,
    /// Whether events are in the file already, up to this version: a replay is under way.
    replayed_version: Option<u64>,
    failed: Option<io::Error>,
    /// Whether the file is not where it was made any more; and whether that was reported.
    lost: Option<bool>,
    /// Whether the last write failed, for the writer of the output.
    behind: Arc<AtomicBool>,
    last_stored: Option<LastStoredVersion>,
    fingerprint: Option<RunFingerprint>,
    hash_test: Option<TestHasher>,
    /// What is written about the restart.
    held: Option<usize>,
}

/// The version that was stored last.
struct LastStoredVersion {
    number: u64,
    texts: Vec<FileText>,
    /// The size of the last that was stored whole.
    last_whole_size: u32,
}

/// What makes a journal outlive a power failure.
#[derive(Clone, Debug)]
pub struct JournalSyncHandle {
    path: PathBuf,
    file: Arc<File>,
    behind: Arc<AtomicBool>,
}

impl JournalSyncHandle {
    /// Waits until all that was handed to the system is on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// Whether the journal is where it was made: it may have been removed.
    pub fn is_in_place(&self) -> bool {
        own_files::is_same_file(&self.file, &self.path)
    }

    /// Whether the system refused the last lines: the disk may be full. What is not written must not be seen.
    pub fn is_behind(&self) -> bool {
        self.behind.load(Ordering::Acquire)
    }
}

impl JournalFile {
    /// Begins a journal in a new file, or over an old one.
    ///
    /// # Errors
    /// When the file cannot be made, or holds something else than a journal.
    pub fn create(path: &Path, header: &JournalHeader) -> Result<JournalFile, JournalError> {
        let file = own_files::open_or_create_own(path, is_journal_start, MODE)
            .map_err(JournalError::io_error(path))?;
        file.set_len(0).map_err(JournalError::io_error(path))?;
        let mut journal = JournalFile::new(path, file, 0, checksum::START, Duration::ZERO);
        journal.write_line(header);
        journal.flush();
        match journal.failed.take() {
            Some(source) => {
                // The refusal is complete: nothing was written.
                journal.buffer.clear();
                Err(JournalError::io_error(path)(source))
            }
            None => Ok(journal),
        }
    }

    /// Continues a journal that was read. It writes nothing until the engine has resumed. What was read of it stays, and
    /// the damaged rest is cut off; if that is more than an unfinished line, a copy of all is kept beside it.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn open_to_append(
        path: &Path,
        read: &JournalContents,
    ) -> Result<JournalFile, JournalError> {
        let failed = || JournalError::io_error(path);
        let file = own_files::open_existing_own(path, is_journal_start).map_err(failed())?;
        if read.is_damaged() {
            copy_damaged(path).map_err(failed())?;
        }
        let mut journal = match read.header.format {
            FORMAT => {
                file.set_len(read.length).map_err(failed())?;
                JournalFile::new(path, file, read.length, read.sum, read.run_duration())
            }
            _ => rewrite_in_this_format(path, read).map_err(failed())?,
        };
        journal.replayed_version = Some(read.newest_version());
        Ok(journal)
    }

    fn new(
        path: &Path,
        file: File,
        written: u64,
        sum: LineChecksum,
        lasted: Duration,
    ) -> JournalFile {
        JournalFile {
            path: path.to_path_buf(),
            file: Arc::new(file),
            written,
            buffer: Vec::new(),
            sum,
            flushed: Instant::now(),
            started: Instant::now(),
            earlier_duration: lasted,
            replayed_version: None,
            failed: None,
            lost: None,
            behind: Arc::default(),
            last_stored: None,
            fingerprint: None,
            hash_test: None,
            held: None,
        }
    }

    /// Sets what the run is resumed with, in case that it is not a replay.
    pub fn with_fingerprint(mut self, basis: RunFingerprint) -> JournalFile {
        self.fingerprint = Some(basis);
        self
    }

    /// Sets what returns the hash of the test as it is at that moment, in case that it changes during the run.
    pub fn set_test_hash(&mut self, hash_test: TestHasher) {
        self.hash_test = Some(hash_test);
    }

    /// The hash of the test from here on, if the command says that it is another one.
    fn identify_new_test(&self, command: &EngineCommand) -> Option<String> {
        let hash_test = self.hash_test.as_ref();
        let hash_test = hash_test.filter(|_| *command == EngineCommand::NewTest(true));
        hash_test.map(|hash_test| hash_test())
    }

    /// A handle that syncs the file to the disk.
    pub fn sync_handle(&self) -> JournalSyncHandle {
        JournalSyncHandle {
            path: self.path.clone(),
            file: self.file.clone(),
            behind: self.behind.clone(),
        }
    }

    fn elapsed_ms(&self) -> u64 {
        (self.earlier_duration + self.started.elapsed()).as_millis() as u64
    }

    fn write_line(&mut self, line: &impl Serialize) {
        if self.replayed_version.is_none() {
            self.append_line(line);
        }
    }

    fn append_line(&mut self, line: &impl Serialize) {
        if let Err(error) = encode_line(line, &mut self.sum, &mut self.buffer) {
            self.failed = Some(error);
        }
        if self.buffer.len() > WAITING || self.flushed.elapsed() > APART {
            self.flush();
        }
    }

    /// Hands all lines to the system. If it refuses them, they wait, and the file ends with a whole line. A file that was moved or
    /// removed is not waited for: it still takes lines, because it is open.
    fn flush(&mut self) {
        self.flushed = Instant::now();
        if self.buffer.is_empty() {
            return;
        }
        let done = (&*self.file).write_all(&self.buffer);
        if !own_files::is_same_file(&self.file, &self.path) {
            self.lost.get_or_insert(false);
        }
        match done {
            Ok(()) => {
                self.written += self.buffer.len() as u64;
                self.buffer.clear();
                // The header is as long as the program.
                self.buffer.shrink_to(WAITING);
                self.failed = None;
            }
            Err(_) if self.lost.is_some() => {
                self.buffer.clear();
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
    fn encode_documents(
        &mut self,
        number: u64,
        parent: u64,
        version: &Version,
    ) -> Vec<StoredDocument> {
        let texts = version.render_texts();
        let whole = self
            .last_stored
            .as_ref()
            .map_or(u32::MAX, |last| last.last_whole_size);
        let base = self.last_stored.take().filter(|last| {
            let halved = version.byte_count() <= whole / 2;
            last.number == parent && !number.is_multiple_of(WHOLE) && !halved
        });
        let stored = match &base {
            Some(base) => {
                let pairs = base.texts.iter().zip(&texts);
                let changes = pairs.map(|(old, new)| match (old, new) {
                    (Some(old), Some(new)) => StoredDocument::Cuts(delta::compute_cuts(old, new)),
                    (_, new) => StoredDocument::from_text(new),
                });
                changes.collect()
            }
            None => texts.iter().map(StoredDocument::from_text).collect(),
        };
        self.last_stored = Some(LastStoredVersion {
            number,
            texts,
            last_whole_size: base.map_or(version.byte_count(), |base| base.last_whole_size),
        });
        stored
    }
}

/// Appends a line and its checksum to these bytes. Only a path that is not UTF-8 cannot be written as JSON.
fn encode_line(
    line: &impl Serialize,
    sum: &mut LineChecksum,
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    let mut object = serde_json::to_vec(line)?;
    *sum = checksum::append_checksum(&mut object, *sum);
    bytes.append(&mut object);
    Ok(())
}

/// Replaces a file beside a journal, or the journal itself, as a whole. The caller holds the lock of the session.
fn replace_whole_file(journal: &Path, file: &Path, bytes: &[u8]) -> io::Result<()> {
    let rights = FilePermissions {
        mode: Some(MODE),
        owner: None,
    };
    let writer = FileWriter::for_path(journal);
    writer.remove_leftovers(file_names::parent_directory(journal));
    writer.replace_file(file, bytes, rights)
}

/// Replaces a journal of an older format by the same lines in this format, and opens it.
fn rewrite_in_this_format(path: &Path, read: &JournalContents) -> io::Result<JournalFile> {
    let header = JournalHeader {
        format: FORMAT,
        ..read.header.clone()
    };
    let (mut bytes, mut sum) = (Vec::new(), checksum::START);
    encode_line(&header, &mut sum, &mut bytes)?;
    for line in &read.lines {
        encode_line(line, &mut sum, &mut bytes)?;
    }
    replace_whole_file(path, path, &bytes)?;
    let file = own_files::open_existing_own(path, is_journal_start)?;
    let (length, lasted) = (bytes.len() as u64, read.run_duration());
    Ok(JournalFile::new(path, file, length, sum, lasted))
}

/// Keeps a copy of a damaged journal beside it. A copy of an earlier damage is replaced: its good part is in this one.
fn copy_damaged(path: &Path) -> io::Result<()> {
    let aside = path.with_extension("damaged");
    match own_files::open_existing_own(&aside, is_journal_start) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        there => drop(there?),
    }
    replace_whole_file(path, &aside, &own_files::read_own_file(path)?)
}

impl Drop for JournalFile {
    fn drop(&mut self) {
        self.flush();
        if let Some(error) = &self.failed {
            let path = self.path.escape_hidden();
            ConsoleWriter::stderr().write_line(&format!(
                "lop: the journal {path} is incomplete: {error}; what came last cannot be resumed or replayed"
            ));
        }
    }
}

impl Journal for JournalFile {
    fn record_result(&mut self, result: &JournalResult) {
        self.write_line(&JournalLine::from_result(result));
    }

    fn record_decision(&mut self, decided: &JournalDecision) {
        self.write_line(&JournalLine::from_decision(decided, self.elapsed_ms()));
    }

    fn record_accept(&mut self, taken: &AcceptedVersion, past: &VersionRecord) {
        // Its decision may have been written, and it not.
        if self
            .replayed_version
            .is_some_and(|newest| taken.version <= newest)
        {
            return;
        }
        let parent = past.parent.unwrap_or_default();
        let text = self.encode_documents(taken.version, parent, &past.version);
        self.append_line(&JournalLine::Accept {
            accept: taken.decision,
            version: taken.version,
            parent,
            pass: past.pass.to_owned(),
            why: past.sentence.to_string(),
            detour: past.in_detour,
            hash: taken.hash.to_string(),
            tokens: taken.tokens,
            difference: past.version.twins().map(|_| taken.size.primary()),
            bytes: taken.bytes,
            text,
            ms: self.elapsed_ms(),
        });
        self.flush();
    }

    fn record_switch(&mut self, version: u64, kept: u64) {
        self.write_line(&JournalLine::Moved {
            current: version,
            kept,
            ms: self.elapsed_ms(),
        });
        self.flush();
    }

    fn record_command(&mut self, place: CommandPosition, command: &EngineCommand) {
        self.write_line(&JournalLine::Command {
            command: command.to_string(),
            before: place.before,
            rejected: place.rejected,
            work_steps: place.work_steps,
            test_hash: self.identify_new_test(command),
            ms: self.elapsed_ms(),
        });
        self.flush();
    }

    fn record_pass(&mut self, line: &PassLine) {
        self.write_line(&JournalLine::Pass {
            pass: line.name.to_owned(),
            tried: line.tried,
            accepted: line.accepted,
            tokens: line.tokens,
            time_ns: to_nanoseconds(line.time),
        });
    }

    fn on_idle(&mut self) {
        self.flush();
    }

    fn record_restore(&mut self, held: usize) {
        self.held = Some(held);
    }

    fn record_resume(&mut self, exactly: bool) {
        self.replayed_version = None;
        self.started = Instant::now();
        let line = JournalLine::Resumed {
            resumed: env!("CARGO_PKG_VERSION").to_owned(),
            exactly,
            began: Some(UnixTime::now().since_1970().as_secs()),
            held: self.held.take(),
            basis: self.fingerprint.clone().filter(|_| !exactly),
        };
        self.write_line(&line);
        self.flush();
    }

    fn record_finish(
        &mut self,
        finish: &FinishReason,
        counts: &RunCounts,
        claim: &MinimalityClaim,
    ) {
        let finished = match finish {
            FinishReason::Complete => "complete".to_owned(),
            FinishReason::Stopped => "stopped".to_owned(),
            FinishReason::Failed(reason) => format!("failed: {reason}"),
        };
        self.write_line(&JournalLine::Finished {
            finished,
            counts: counts.into(),
            certificate: claim.to_string(),
            ms: self.elapsed_ms(),
        });
        self.flush();
    }

    fn retry_failed_write(&mut self) -> Option<String> {
        self.failed.is_some().then(|| self.flush());
        let error = self.failed.as_ref()?;
        Some(format!(
            "{} cannot be written: {error}",
            self.path.escape_hidden()
        ))
    }

    fn take_loss_notice(&mut self) -> Option<String> {
        let first = !std::mem::replace(self.lost.as_mut()?, true);
        first.then(|| {
            format!(
                "the journal {} was removed during the run, or is another file now; the run continues and its result is kept, but \
                 it cannot be resumed from that journal",
                self.path.escape_hidden()
            )
        })
    }
}

/// Several journals of one run.
#[derive(Default)]
pub struct JournalSet(pub Vec<JournalFile>);

impl Journal for JournalSet {
    fn record_result(&mut self, fact: &JournalResult) {
        self.0
            .iter_mut()
            .for_each(|journal| journal.record_result(fact));
    }

    fn record_decision(&mut self, decided: &JournalDecision) {
        self.0
            .iter_mut()
            .for_each(|journal| journal.record_decision(decided));
    }

    fn record_accept(&mut self, taken: &AcceptedVersion, past: &VersionRecord) {
        self.0
            .iter_mut()
            .for_each(|journal| journal.record_accept(taken, past));
    }

    fn record_switch(&mut self, version: u64, kept: u64) {
        self.0
            .iter_mut()
            .for_each(|journal| journal.record_switch(version, kept));
    }

    fn record_command(&mut self, place: CommandPosition, command: &EngineCommand) {
        let journals = self.0.iter_mut();
        journals.for_each(|journal| journal.record_command(place, command));
    }

    fn record_pass(&mut self, line: &PassLine) {
        self.0
            .iter_mut()
            .for_each(|journal| journal.record_pass(line));
    }

    fn on_idle(&mut self) {
        self.0.iter_mut().for_each(JournalFile::on_idle);
    }

    fn record_restore(&mut self, held: usize) {
        let journals = self.0.iter_mut();
        journals.for_each(|journal| journal.record_restore(held));
    }

    fn record_resume(&mut self, exactly: bool) {
        self.0
            .iter_mut()
            .for_each(|journal| journal.record_resume(exactly));
    }

    fn record_finish(
        &mut self,
        finish: &FinishReason,
        counts: &RunCounts,
        claim: &MinimalityClaim,
    ) {
        let journals = self.0.iter_mut();
        journals.for_each(|journal| journal.record_finish(finish, counts, claim));
    }

    fn retry_failed_write(&mut self) -> Option<String> {
        let mut troubles = self
            .0
            .iter_mut()
            .filter_map(JournalFile::retry_failed_write);
        troubles.next()
    }

    fn take_loss_notice(&mut self) -> Option<String> {
        self.0.iter_mut().find_map(JournalFile::take_loss_notice)
    }
}
