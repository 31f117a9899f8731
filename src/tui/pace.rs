//! How fast the run is. The time in which it stands still counts for nothing.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::app::App;
use crate::reduce::{Snapshot, State};

impl App {
    /// Tests a second: of the last seconds while it runs, of the whole run at its end, nothing while it stands still. In a recording,
    /// of the run until then.
    pub fn tests_a_second(&self) -> Option<f64> {
        self.pace.rate(self.snapshot.as_deref()?)
    }

    /// How long the run has been at work: the time since it began, without the time in which it stood still.
    pub fn worked(&self) -> Duration {
        let snapshot = self.snapshot.as_deref();
        snapshot.map_or(Duration::ZERO, |snapshot| self.pace.worked(snapshot))
    }
}

/// What was seen of the clock.
#[derive(Debug, Default)]
pub struct Pace {
    /// How many tests there were, at points of the last seconds.
    seen: VecDeque<(Instant, u64)>,
    /// How long the run stood still, up to the newest snapshot.
    rested: Duration,
}

impl Pace {
    const WINDOW: Duration = Duration::from_secs(4);

    /// Of a run that has stood still for so long before.
    pub fn new(rested: Duration) -> Pace {
        Pace {
            rested,
            ..Pace::default()
        }
    }

    /// A snapshot follows another.
    pub fn hear(&mut self, old: Option<&Snapshot>, new: &Snapshot) {
        if new.replay.is_some() {
            // Its time is that of the run.
            return;
        }
        if let Some(old) = old.filter(|old| old.state.stands()) {
            self.rested += new.now.saturating_duration_since(old.now);
            self.seen.clear();
        }
        let now = new.now;
        let ago = |then: &Instant| now.saturating_duration_since(*then);
        let last = self.seen.back();
        if last.is_none_or(|(last, _)| ago(last) >= Self::WINDOW / 16) {
            self.seen.push_back((now, new.counts.tests));
        }
        let next = |seen: &VecDeque<(Instant, u64)>| seen.get(1).copied();
        while next(&self.seen).is_some_and(|(next, _)| ago(&next) >= Self::WINDOW) {
            self.seen.pop_front();
        }
    }

    /// How long the run stood still, up to the newest snapshot.
    pub fn rested(&self) -> Duration {
        self.rested
    }

    /// How long the run has been at work.
    pub fn worked(&self, snapshot: &Snapshot) -> Duration {
        let all = snapshot.now.saturating_duration_since(snapshot.started);
        all.saturating_sub(self.rested)
    }

    /// Tests a second, while there is such a thing: of the last seconds, or of all the time at work when that was short or is over.
    pub fn rate(&self, snapshot: &Snapshot) -> Option<f64> {
        let tests = snapshot.counts.tests;
        let all = (self.worked(snapshot), tests);
        let (time, tests) = match snapshot.state {
            _ if snapshot.replay.is_some() => all,
            State::Paused(_) | State::Stuck(_) => return None,
            State::Finished(_) => all,
            State::Running => self
                .seen
                .front()
                .map(|(first, then)| {
                    let time = snapshot.now.saturating_duration_since(*first);
                    (time, tests.saturating_sub(*then))
                })
                .filter(|(time, _)| *time >= Self::WINDOW / 8)
                .unwrap_or(all),
        };
        let seconds = time.as_secs_f64();
        Some(if seconds > 0.0 {
            tests as f64 / seconds
        } else {
            0.0
        })
    }
}
