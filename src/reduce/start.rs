//! How a run starts, and the handle that its owner holds.

use std::sync::Arc;
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::commands::EngineCommand;
use super::engine::ReductionEngine;
use super::history::VersionHistory;
use super::reporting::{RunEvent, RunRecord, RunSnapshot, SnapshotBoard};
use super::setup::{RunSetup, StartError};
use crate::pass;
use crate::program::{Version, View};

/// A run on its own thread, from outside.
pub struct RunHandle {
    /// Sends commands to the run.
    pub commands: Sender<EngineCommand>,
    /// Receives what happens, in order, ending with `Finished`. May be dropped by a caller who only wants snapshots.
    pub events: Receiver<RunEvent>,
    /// Holds the newest snapshot.
    pub board: Arc<SnapshotBoard>,
    thread: JoinHandle<()>,
}

/// Starts a run on a thread of its own.
///
/// # Errors
/// When the system gives no thread.
pub fn start_run(setup: RunSetup) -> Result<RunHandle, StartError> {
    let (commands, commands_in) = unbounded();
    let (events_out, events) = unbounded();
    let board = Arc::new(SnapshotBoard::default());
    let engine = ReductionEngine::new(setup, commands_in, events_out, board.clone())?;
    let thread = std::thread::Builder::new()
        .name("lop-engine".into())
        .spawn(move || engine.run())?;
    Ok(RunHandle {
        commands,
        events,
        board,
        thread,
    })
}

/// A board that shows a version without a run.
pub fn static_board(version: &Version, options: pass::PassOptions) -> Arc<SnapshotBoard> {
    let (events, _) = unbounded();
    let board = Arc::new(SnapshotBoard::default());
    let options = options.for_version(version);
    let mut record = RunRecord::new(version, options, None, false, 0, events, board.clone());
    let view = View::new(version.clone());
    record.publish_snapshot(&view, &VersionHistory::new(version.clone()), None);
    board
}

impl RunHandle {
    /// Waits until the run has ended, and returns its last snapshot; none if the engine died before its first.
    pub fn wait_for_end(self) -> Option<Arc<RunSnapshot>> {
        // The hook has reported a panic; the board still holds the last snapshot.
        let _ = self.thread.join();
        self.board.newest_snapshot()
    }
}
