//! The thread that keeps the file on disk at the newest version.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, select, unbounded};

use super::Output;
use crate::reduce::{Board, Snapshot, State};

/// Between two writes while the run goes on.
const APART: Duration = Duration::from_millis(200);
/// Between two tries when a write failed.
const RETRY: Duration = Duration::from_secs(1);

/// Listens to a run and writes its newest version: at once at a pause and at the end, otherwise at most every 200 ms. The run never
/// waits for it.
pub struct Keeper {
    last: Sender<Arc<Snapshot>>,
    troubles: Receiver<String>,
    thread: JoinHandle<Result<(), Lost>>,
}

/// The result could not be written where it should be.
#[derive(Debug, thiserror::Error)]
#[error("the result cannot be written to {}: {source}{}", path.display(), instead(.elsewhere.as_ref()))]
pub struct Lost {
    /// Where it should be.
    pub path: PathBuf,
    /// Where it is instead, if anywhere.
    pub elsewhere: Option<PathBuf>,
    /// The system's words.
    pub source: io::Error,
}

fn instead(elsewhere: Option<&PathBuf>) -> String {
    elsewhere
        .map(|path| format!("\nIt is in {} instead.", path.display()))
        .unwrap_or_default()
}

impl Keeper {
    /// Starts to listen. The output holds the original, which is version 0.
    pub fn start(output: Output, board: Arc<Board>) -> io::Result<Keeper> {
        let (last, ended) = bounded(1);
        let (tell, troubles) = unbounded();
        let mut desk = Desk {
            output,
            written: 0,
            failed: false,
            tell,
            due: Instant::now(),
        };
        let thread = thread::Builder::new()
            .name("keeper".into())
            .spawn(move || desk.keep(&board, &ended))?;
        Ok(Keeper {
            last,
            troubles,
            thread,
        })
    }

    /// Sentences about writes that failed, and about the first that did not fail again.
    pub fn troubles(&self) -> &Receiver<String> {
        &self.troubles
    }

    /// Writes the run's last version, and lets go of the output.
    pub fn finish(self, last: Arc<Snapshot>) -> Result<(), Lost> {
        // Were the thread gone, joining it would say so.
        let _ = self.last.send(last);
        self.thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

/// What the thread knows.
struct Desk {
    output: Output,
    /// The number of the version on disk.
    written: u64,
    /// Whether the last try failed.
    failed: bool,
    tell: Sender<String>,
    /// Not before this moment.
    due: Instant,
}

impl Desk {
    fn keep(&mut self, board: &Board, ended: &Receiver<Arc<Snapshot>>) -> Result<(), Lost> {
        let bell = board.bell();
        // Whether a version waits for its moment.
        let mut waiting = false;
        loop {
            let alarm = if waiting {
                crossbeam_channel::at(self.due)
            } else {
                crossbeam_channel::never()
            };
            select! {
                recv(ended) -> last => return match last {
                    Ok(last) => self.close(&last),
                    Err(_) => Ok(()),
                },
                recv(bell) -> _ => {}
                recv(alarm) -> _ => {}
            }
            let Some(snapshot) = board.newest() else {
                continue;
            };
            let stale = snapshot.number != self.written;
            let still = snapshot.state != State::Running && !self.failed;
            waiting = stale && !still && Instant::now() < self.due;
            if stale && !waiting {
                waiting = self.write(&snapshot).is_err();
            }
        }
    }

    /// Writes a version, and says what changed: that it failed, or that it did no longer.
    fn write(&mut self, snapshot: &Snapshot) -> io::Result<()> {
        let done = self.output.write(&bytes(snapshot));
        let path = self.output.named().display();
        match &done {
            Ok(()) => {
                self.written = snapshot.number;
                if self.failed {
                    let _ = self.tell.send(format!("{path} could be written again"));
                }
            }
            Err(error) if !self.failed => {
                let _ = self.tell.send(format!(
                    "{path} cannot be written: {error}; lop goes on and keeps trying"
                ));
            }
            Err(_) => {}
        }
        self.failed = done.is_err();
        self.due = Instant::now() + if self.failed { RETRY } else { APART };
        done
    }

    fn close(&mut self, last: &Snapshot) -> Result<(), Lost> {
        if last.number == self.written {
            return Ok(());
        }
        self.write(last).map_err(|source| Lost {
            path: self.output.named().to_path_buf(),
            elsewhere: self.output.write_elsewhere(&bytes(last)).ok(),
            source,
        })
    }
}

/// The text of the version; a run has one document.
fn bytes(snapshot: &Snapshot) -> Vec<u8> {
    snapshot
        .version
        .files()
        .into_iter()
        .next()
        .map(|(_, bytes)| bytes)
        .unwrap_or_default()
}
