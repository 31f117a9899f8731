//! What a run publishes: events in order, and the newest snapshot. A replay publishes neither, or shows each snapshot to its observer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use super::event::RunEvent;
use super::snapshot::RunSnapshot;
use super::snapshot_board::{ReplayObserver, SnapshotBoard};
use crate::display::UnixTime;
use crate::reduce::decision::Decision;

/// The listeners of a run, and its clock.
pub struct RunPublisher {
    events: Sender<RunEvent>,
    board: Arc<SnapshotBoard>,
    /// A replay is under way: nothing new happens.
    silent: bool,
    /// Sees each moment of a replay.
    observer: Option<ReplayObserver>,
    /// The recorded time since the start, while a recording is observed.
    clock: Option<Duration>,
    /// The recorded time of day, during a replay.
    recorded_time: Option<UnixTime>,
    started: Instant,
}

impl RunPublisher {
    /// A publisher of a run that starts now.
    pub fn new(events: Sender<RunEvent>, board: Arc<SnapshotBoard>) -> RunPublisher {
        RunPublisher {
            events,
            board,
            silent: false,
            observer: None,
            clock: None,
            recorded_time: None,
            started: Instant::now(),
        }
    }

    /// Publishes nothing until the replay ends. An observer sees its snapshots.
    pub fn begin_replay(&mut self, observer: Option<ReplayObserver>) {
        self.silent = true;
        // The first moment of a recording is its beginning.
        self.clock = observer.as_ref().map(|_| Duration::ZERO);
        self.observer = observer;
    }

    /// Publishes again. The run has lasted this long until now.
    pub fn end_replay(&mut self, lasted: Duration) {
        (self.silent, self.clock, self.recorded_time) = (false, None, None);
        let now = Instant::now();
        self.started = now.checked_sub(lasted).unwrap_or(now);
    }

    /// Whether this is a recording that is only observed.
    pub fn is_observed(&self) -> bool {
        self.observer.is_some()
    }

    /// Sets the recorded time since the start, and that of the day if it is known.
    pub fn set_clock(&mut self, at: Duration, time: Option<UnixTime>) {
        (self.clock, self.recorded_time) = (Some(at), time);
    }

    /// The date and the time of day; during a replay that of the recording, if it says so.
    pub fn wall_time(&self) -> Option<UnixTime> {
        match self.silent {
            true => self.recorded_time,
            false => Some(UnixTime::now()),
        }
    }

    /// When the run started.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.clock.unwrap_or_else(|| self.started.elapsed())
    }

    /// The present moment, in the recording's time while one is observed.
    pub fn now(&self) -> Instant {
        match self.clock {
            Some(at) => self.started + at,
            None => Instant::now(),
        }
    }

    /// Sends an event, except during a replay.
    pub fn emit_event(&self, event: RunEvent) {
        if !self.silent {
            self.emit_always(event);
        }
    }

    /// Sends an event, also during a replay.
    pub fn emit_always(&self, event: RunEvent) {
        // A run does not need a listener.
        let _ = self.events.send(event);
    }

    /// Whether a snapshot would reach anyone.
    pub fn wants_snapshot(&self) -> bool {
        !self.silent || self.is_observed()
    }

    /// Shows a snapshot to the observer, or puts it on the board. Returns the one that was there.
    pub fn publish_snapshot(&mut self, snapshot: RunSnapshot) -> Option<Arc<RunSnapshot>> {
        match &mut self.observer {
            Some(observer) => {
                observer(snapshot);
                None
            }
            None => self.board.publish_snapshot(snapshot),
        }
    }

    /// Shows how many decisions were replayed, and of how many.
    pub fn show_replay_progress(&self, progress: Option<(Decision, Decision)>) {
        self.board.set_replay_progress(progress);
    }
}
