//! The thread that keeps the file on disk at the newest version.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, select, unbounded};

use super::journal::JournalSyncHandle;
use super::result_place::ResultPlace;
use crate::display::EscapeHidden;
use crate::program::FileText;
use crate::reduce::{RunSnapshot, RunState, SnapshotBoard};

/// Between two writes while the run is not paused.
const APART: Duration = Duration::from_millis(200);
/// Between two tries when a write failed.
const RETRY: Duration = Duration::from_secs(1);

/// Listens to a run and writes its newest version: at once at a pause and at the end, otherwise at most every 200 ms. The run never
/// waits for it.
pub struct OutputWriter {
    last: Sender<Arc<RunSnapshot>>,
    messages: Receiver<String>,
    thread: JoinHandle<Result<(), OutputWriteError>>,
}

/// The result could not be written where it should be.
#[derive(Debug, thiserror::Error)]
#[error("the result cannot be written to {}: {source}{}", path.escape_hidden(), describe_fallback(.elsewhere.as_ref()))]
pub struct OutputWriteError {
    /// Where it should be.
    pub path: PathBuf,
    /// Where it is instead, if anywhere.
    pub elsewhere: Option<PathBuf>,
    /// The system's message.
    pub source: io::Error,
}

fn describe_fallback(elsewhere: Option<&PathBuf>) -> String {
    elsewhere
        .map(|path| format!("\nIt is in {} instead.", path.escape_hidden()))
        .unwrap_or_default()
}

impl OutputWriter {
    /// Starts to listen. The output holds the version `written`; the original is 0. What is needed to resume from a version is on the disk
    /// before the version itself is.
    pub fn start(
        output: Box<dyn ResultPlace>,
        board: Arc<SnapshotBoard>,
        written: u64,
        journal: Option<JournalSyncHandle>,
    ) -> io::Result<OutputWriter> {
        let (last, ended) = bounded(1);
        let (tell, troubles) = unbounded();
        // Before the thread begins, so that no ring is missed.
        let bell = board.subscribe_updates();
        let mut desk = OutputWriterState {
            output,
            journal,
            written,
            failed: false,
            messages: tell,
            next_write: Instant::now(),
            smallest: SmallestVersionFile::default(),
        };
        let thread = thread::Builder::new()
            .name("keeper".into())
            .spawn(move || desk.run_loop(&board, &bell, &ended))?;
        Ok(OutputWriter {
            last,
            messages: troubles,
            thread,
        })
    }

    /// Messages about writes that failed, and about the first that succeeded again; those of the end come with [`OutputWriter::finish`].
    pub fn status_messages(&self) -> &Receiver<String> {
        &self.messages
    }

    /// Writes the run's last version, and releases the output. Returns the messages that were not received yet.
    pub fn finish(self, last: Arc<RunSnapshot>) -> (Result<(), OutputWriteError>, Vec<String>) {
        // If the thread had panicked, joining it would report that.
        let _ = self.last.send(last);
        let written = self
            .thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (written, self.messages.try_iter().collect())
    }
}

/// The state of the thread.
struct OutputWriterState {
    output: Box<dyn ResultPlace>,
    journal: Option<JournalSyncHandle>,
    /// The number of the version on disk.
    written: u64,
    /// Whether the last try failed.
    failed: bool,
    messages: Sender<String>,
    /// Not before this moment.
    next_write: Instant,
    smallest: SmallestVersionFile,
}

/// The file of the smallest version, while that lies on another branch.
#[derive(Default)]
struct SmallestVersionFile {
    path: Option<PathBuf>,
    version: u64,
    /// After a failure, not before this moment.
    retry_at: Option<Instant>,
}

impl SmallestVersionFile {
    /// Writes the smallest version of all branches, if it is not the current result, or removes its file when it is no longer wanted.
    /// Reports if it cannot be kept. `written` is the version on the disk.
    fn update_file(
        &mut self,
        output: &dyn ResultPlace,
        snapshot: &RunSnapshot,
        written: u64,
    ) -> Option<String> {
        if snapshot.smaller_version().is_some() {
            self.adopt(output, snapshot);
        }
        match (snapshot.smaller_version(), &self.path) {
            (Some(past), path) if path.is_none() || self.version != past.number => {
                let texts = past.version.render_texts();
                let number = past.number;
                if self.retry_at.is_some_and(|due| Instant::now() < due) {
                    return None;
                }
                match output.write_beside(path.as_deref(), &texts) {
                    Ok(path) => {
                        (self.version, self.retry_at, self.path) = (number, None, Some(path));
                        None
                    }
                    Err(error) => {
                        let first = self.retry_at.replace(Instant::now() + RETRY).is_none();
                        first.then(|| {
                            format!("version {number}, which is smaller, cannot be kept: {error}")
                        })
                    }
                }
            }
            (None, Some(path)) if written == snapshot.kept_version().0 => {
                output.remove_beside(path);
                self.path = None;
                None
            }
            _ => None,
        }
    }

    /// Finds the file that the run kept before it was interrupted: one that holds a version of the run.
    fn adopt(&mut self, output: &dyn ResultPlace, snapshot: &RunSnapshot) {
        if self.path.is_some() {
            return;
        }
        for (path, texts) in output.versions_beside() {
            let mut all = snapshot.history.iter().skip(1);
            if let Some(past) = all.find(|past| past.version.render_texts() == texts) {
                (self.version, self.path) = (past.number, Some(path));
                return;
            }
        }
    }

    /// Where the smallest version is at the end, if it is not the result. Before the end that is not known.
    fn describe_location(&self, last: &RunSnapshot) -> Option<String> {
        let past = last.smaller_version()?;
        let path = self.path.as_ref().filter(|_| self.version == past.number)?;
        Some(format!(
            "version {} on another branch is smaller ({} tokens); it is in {}",
            past.number,
            past.version.token_count(),
            path.escape_hidden()
        ))
    }
}

impl OutputWriterState {
    fn run_loop(
        &mut self,
        board: &SnapshotBoard,
        bell: &Receiver<()>,
        ended: &Receiver<Arc<RunSnapshot>>,
    ) -> Result<(), OutputWriteError> {
        loop {
            let alarm = match self.write_if_due(board) {
                true => crossbeam_channel::at(self.next_write),
                false => crossbeam_channel::never(),
            };
            select! {
                recv(ended) -> last => return match last {
                    Ok(last) => self.write_last(&last),
                    Err(_) => Ok(()),
                },
                recv(bell) -> _ => {}
                recv(alarm) -> _ => {}
            }
        }
    }

    /// Writes the newest version if it is another one and it is time. Returns whether it waits for that.
    fn write_if_due(&mut self, board: &SnapshotBoard) -> bool {
        let Some(snapshot) = board.newest_snapshot() else {
            return false;
        };
        if let Some(said) = self
            .smallest
            .update_file(&*self.output, &snapshot, self.written)
        {
            let _ = self.messages.send(said);
        }
        let stale = snapshot.kept_version().0 != self.written;
        if stale
            && self
                .journal
                .as_ref()
                .is_some_and(JournalSyncHandle::is_behind)
        {
            // The run waits as well, and reports it.
            self.next_write = Instant::now() + RETRY;
            return true;
        }
        // While the run is paused the user may be looking at the file.
        let at_once = snapshot.state != RunState::Running && !self.failed;
        let due = at_once || Instant::now() >= self.next_write;
        stale && (!due || self.write_version(&snapshot).is_err())
    }

    /// Writes a version. Reports the first failure, and the first success after it.
    fn write_version(&mut self, snapshot: &RunSnapshot) -> io::Result<()> {
        // The run itself reports if the journal cannot be synced.
        let _ = self.journal.as_ref().map(JournalSyncHandle::sync);
        let done = self.output.replace_texts(&kept_texts(snapshot));
        let path = self.output.named_path().escape_hidden();
        match &done {
            Ok(()) => {
                self.written = snapshot.kept_version().0;
                if self.failed {
                    let _ = self.messages.send(format!("{path} could be written again"));
                }
            }
            Err(error) if !self.failed => {
                let _ = self.messages.send(format!(
                    "{path} cannot be written: {error}; lop continues and keeps trying"
                ));
            }
            Err(_) => {}
        }
        self.failed = done.is_err();
        self.next_write = Instant::now() + if self.failed { RETRY } else { APART };
        done
    }

    fn write_last(&mut self, last: &RunSnapshot) -> Result<(), OutputWriteError> {
        let written = match last.kept_version().0 == self.written {
            true => Ok(()),
            false => self.write_version(last),
        };
        self.smallest.retry_at = None;
        self.smallest.adopt(&*self.output, last);
        let failed = self.smallest.update_file(&*self.output, last, self.written);
        for said in failed
            .into_iter()
            .chain(self.smallest.describe_location(last))
        {
            let _ = self.messages.send(said);
        }
        written.map_err(|source| OutputWriteError {
            path: self.output.named_path().to_path_buf(),
            elsewhere: self.output.write_fallback(&kept_texts(last)).ok(),
            source,
        })
    }
}

/// The texts of the version that belongs on the disk.
fn kept_texts(snapshot: &RunSnapshot) -> Vec<FileText> {
    snapshot.kept_version().1.render_texts()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{self, Version};
    use crate::reduce::{FinishReason, RunCounts};
    use crate::session::{InputFile, OutputChoice, OutputFile, RunInput};
    use std::fs;
    use std::path::Path;

    fn version(text: &str) -> Version {
        program::read_program(vec![(Path::new("notes").into(), text.as_bytes().into())])
            .expect("a program")
    }

    fn snapshot(number: u64, text: &str, state: RunState) -> RunSnapshot {
        let now = Instant::now();
        RunSnapshot {
            more_effort: None,
            workers: (1, 1),
            farm: None,
            time_saved: Duration::ZERO,
            history: imbl::Vector::new(),
            active_property: None,
            smallest: None,
            detour_base: None,
            constraints: Arc::default(),
            breakpoints: Default::default(),
            switched_off: Default::default(),
            reordered: None,
            last_command: (0, None),
            log: Default::default(),
            number,
            version: version(text),
            original: (3, 6),
            state,
            current_test: None,
            planning: None,
            counts: RunCounts::default(),
            passes: Arc::new([]),
            curve: imbl::Vector::new(),
            decided: imbl::Vector::new(),
            notes: imbl::Vector::new(),
            claim: None,
            property: None,
            quorum: crate::reduce::Quorum::ONCE,
            version_tally: crate::reduce::RunTally::default(),
            other_failures: Arc::default(),
            unrecorded: None,
            limit: None,
            started: now,
            now,
            replay: None,
        }
    }

    /// For what happens in a moment, on a machine that is busy.
    const PATIENCE: Duration = Duration::from_secs(30);

    /// A directory with an input, the output for it, and a keeper that listens.
    struct Desk {
        dir: tempfile::TempDir,
        board: Arc<SnapshotBoard>,
        keeper: OutputWriter,
    }

    impl Desk {
        fn new() -> Desk {
            let dir = tempfile::tempdir().expect("a directory");
            fs::create_dir(dir.path().join("out")).expect("a directory");
            fs::write(dir.path().join("notes"), "a b c\n").expect("an input");
            let input = InputFile::read_from(&dir.path().join("notes")).expect("an input");
            let to = OutputChoice::At(dir.path().join("out/small"));
            let output = OutputFile::claim_path(&to, &input, None).expect("an output");
            let program = RunInput::Program(input);
            output.write_original(&program).expect("written");
            let board = Arc::new(SnapshotBoard::default());
            let keeper =
                OutputWriter::start(Box::new(output), board.clone(), 0, None).expect("a thread");
            Desk { dir, board, keeper }
        }

        fn result(&self) -> Option<String> {
            fs::read_to_string(self.dir.path().join("out/small")).ok()
        }

        /// Waits until the file holds this text.
        fn wait_for(&self, text: &str) {
            let patience = Instant::now() + PATIENCE;
            while self.result().as_deref() != Some(text) {
                assert!(Instant::now() < patience, "{:?} stays", self.result());
                thread::yield_now();
            }
        }
    }

    #[test]
    fn versions_are_written_as_they_come_and_the_last_one_always() {
        let desk = Desk::new();
        assert_eq!(
            desk.result().as_deref(),
            Some("a b c\n"),
            "the original is there at once"
        );
        desk.board
            .publish_snapshot(snapshot(1, "a b\n", RunState::Running));
        desk.wait_for("a b\n");
        desk.board
            .publish_snapshot(snapshot(2, "b\n", RunState::Paused(None)));
        desk.wait_for("b\n");
        // Back to an older version: what counts is that it is another one.
        desk.board
            .publish_snapshot(snapshot(1, "a b\n", RunState::Running));
        desk.wait_for("a b\n");
        let last = Arc::new(snapshot(
            3,
            "c\n",
            RunState::Finished(FinishReason::Complete),
        ));
        let (dir, keeper) = (desk.dir, desk.keeper);
        keeper.finish(last).0.expect("written");
        assert_eq!(
            fs::read_to_string(dir.path().join("out/small")).expect("a result"),
            "c\n"
        );
        assert_eq!(
            fs::read_dir(dir.path().join("out"))
                .expect("a directory")
                .count(),
            1,
            "nothing else stays"
        );
    }

    #[test]
    fn a_write_that_fails_is_told_and_tried_again() {
        let desk = Desk::new();
        let (out, away) = (desk.dir.path().join("out"), desk.dir.path().join("away"));
        fs::rename(&out, &away).expect("the directory is gone");
        desk.board
            .publish_snapshot(snapshot(1, "a b\n", RunState::Running));
        let told = desk
            .keeper
            .status_messages()
            .recv_timeout(PATIENCE)
            .expect("a sentence");
        assert!(told.contains("cannot be written"), "{told}");
        fs::rename(&away, &out).expect("the directory is back");
        let told = desk
            .keeper
            .status_messages()
            .recv_timeout(PATIENCE)
            .expect("a sentence");
        assert!(told.contains("could be written again"), "{told}");
        assert_eq!(desk.result().as_deref(), Some("a b\n"));
    }

    #[test]
    fn a_last_write_that_fails_says_where_the_result_is() {
        let desk = Desk::new();
        fs::remove_dir_all(desk.dir.path().join("out")).expect("the directory is gone");
        let lost = desk
            .keeper
            .finish(Arc::new(snapshot(1, "a\n", RunState::Running)))
            .0
            .expect_err("lost");
        let elsewhere = lost.elsewhere.clone().expect("another place");
        assert!(
            lost.to_string().contains(&*elsewhere.to_string_lossy()),
            "{lost}"
        );
        assert_eq!(fs::read_to_string(&elsewhere).expect("the result"), "a\n");
        fs::remove_dir_all(elsewhere.parent().expect("a directory")).expect("tidy");
    }
}
