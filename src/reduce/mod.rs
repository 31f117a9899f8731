//! The engine: it drives the dialogue, and owns all state of a run that changes.

mod command;
mod event;
mod snapshot;

pub use command::Command;
pub use event::{Decided, Decision, Ending, Event, Finish};
pub use snapshot::{Board, Counts, PassLine, PassState, Point, REMEMBERED, Snapshot, State, Trying};

use std::sync::Arc;
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender};

use crate::oracle::{Limit, Runner};
use crate::program::Version;

/// What a run starts from.
pub struct Setup {
    /// The original, read and parsed; the test is known to find it interesting.
    pub version: Version,
    /// Who runs the test.
    pub runner: Box<dyn Runner>,
    /// The limit of a test, which has heard of the original's.
    pub limit: Limit,
    /// Begin paused.
    pub paused: bool,
}

/// A run on its own thread, from outside.
pub struct Run {
    /// Takes commands.
    pub commands: Sender<Command>,
    /// Tells what happens, in order, ending with `Finished`. May be dropped by who only wants snapshots.
    pub events: Receiver<Event>,
    /// Holds the newest snapshot.
    pub board: Arc<Board>,
    thread: JoinHandle<()>,
}

/// Starts a run on a thread of its own.
pub fn start(setup: Setup) -> Run {
    todo!()
}

impl Run {
    /// Waits until the run has ended, and gives its last snapshot.
    pub fn finish(self) -> Arc<Snapshot> {
        todo!()
    }
}
