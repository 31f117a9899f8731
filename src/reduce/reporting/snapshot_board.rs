//! Where the newest snapshot of a run is, for all readers.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};

use super::snapshot::RunSnapshot;
use crate::reduce::decision::Decision;

/// The newest snapshot, and a bell for each subscriber. A reader locks it only to copy a pointer; how long publishing waited for that
/// is counted.
#[derive(Debug, Default)]
pub struct SnapshotBoard {
    newest: Mutex<Option<Arc<RunSnapshot>>>,
    /// Decisions that were replayed, and how many there are to be.
    replay_progress: Mutex<Option<(Decision, Decision)>>,
    subscribers: Mutex<Vec<Sender<()>>>,
    publish_wait: AtomicU64,
}

impl SnapshotBoard {
    /// The newest snapshot; none before the run has begun.
    pub fn newest_snapshot(&self) -> Option<Arc<RunSnapshot>> {
        self.newest
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// A bell that rings after each new snapshot. Rings that nobody received are one.
    pub fn subscribe_updates(&self) -> Receiver<()> {
        let (sender, receiver) = bounded(1);
        self.add_subscriber(sender);
        receiver
    }

    /// Has this bell ring too after each new snapshot. Several boards can share one.
    pub fn add_subscriber(&self, bell: Sender<()>) {
        self.subscribers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(bell);
    }

    /// How long publishing has waited for readers, in all.
    pub fn publish_wait(&self) -> Duration {
        Duration::from_nanos(self.publish_wait.load(Ordering::Relaxed))
    }

    /// Replaces the snapshot. Returns the one that was there.
    pub fn publish_snapshot(&self, snapshot: RunSnapshot) -> Option<Arc<RunSnapshot>> {
        let snapshot = Some(Arc::new(snapshot));
        let mut place = match self.newest.try_lock() {
            Ok(place) => place,
            Err(_) => {
                let since = Instant::now();
                let place = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
                self.publish_wait
                    .fetch_add(since.elapsed().as_nanos() as u64, Ordering::Relaxed);
                place
            }
        };
        let last = std::mem::replace(&mut *place, snapshot);
        drop(place);
        self.notify_subscribers();
        last
    }

    /// Before the first snapshot of a resumed run: how many decisions were replayed, and of how many.
    pub fn replay_progress(&self) -> Option<(Decision, Decision)> {
        *self
            .replay_progress
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets how many decisions were replayed.
    pub fn set_replay_progress(&self, again: Option<(Decision, Decision)>) {
        *self
            .replay_progress
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = again;
        self.notify_subscribers();
    }

    fn notify_subscribers(&self) {
        let mut bells = self
            .subscribers
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        bells.retain(|bell| !matches!(bell.try_send(()), Err(TrySendError::Disconnected(()))));
    }
}

/// Sees each moment of a replay: the state after a number of decisions. Of two with the same number the later one counts.
pub type ReplayObserver = Box<dyn FnMut(RunSnapshot) + Send>;
