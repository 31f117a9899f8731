//! How fast the run is. The time in which it stands still counts for nothing.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::reduce::{RunSnapshot, RunState};

/// What was seen of the clock.
#[derive(Debug, Default)]
pub struct ThroughputMeter {
    /// How many tests there were, at points of the last seconds.
    samples: VecDeque<(Instant, u64)>,
    /// How long the run stood still, up to the newest snapshot.
    paused_time: Duration,
}

impl ThroughputMeter {
    const WINDOW: Duration = Duration::from_secs(4);

    /// Of a run that has stood still for so long before.
    pub fn new(rested: Duration) -> ThroughputMeter {
        ThroughputMeter {
            paused_time: rested,
            ..ThroughputMeter::default()
        }
    }

    /// A snapshot follows another.
    pub fn on_snapshot(&mut self, old: Option<&RunSnapshot>, new: &RunSnapshot) {
        if new.replay.is_some() {
            // Its time is that of the run.
            return;
        }
        if let Some(old) = old.filter(|old| old.state.is_suspended()) {
            self.paused_time += new.now.saturating_duration_since(old.now);
            self.samples.clear();
        }
        let now = new.now;
        let ago = |then: &Instant| now.saturating_duration_since(*then);
        let last = self.samples.back();
        if last.is_none_or(|(last, _)| ago(last) >= Self::WINDOW / 16) {
            self.samples.push_back((now, new.counts.tests));
        }
        let next = |seen: &VecDeque<(Instant, u64)>| seen.get(1).copied();
        while next(&self.samples).is_some_and(|(next, _)| ago(&next) >= Self::WINDOW) {
            self.samples.pop_front();
        }
    }

    /// How long the run stood still, up to the newest snapshot.
    pub fn paused_time(&self) -> Duration {
        self.paused_time
    }

    /// How long the run has been at work.
    pub fn working_time(&self, snapshot: &RunSnapshot) -> Duration {
        let all = snapshot.now.saturating_duration_since(snapshot.started);
        all.saturating_sub(self.paused_time)
    }

    /// Tests a second, while there is such a thing: of the last seconds, or of all the time at work when that was short or is over.
    pub fn tests_per_second(&self, snapshot: &RunSnapshot) -> Option<f64> {
        let tests = snapshot.counts.tests;
        let all = (self.working_time(snapshot), tests);
        let (time, tests) = match snapshot.state {
            _ if snapshot.replay.is_some() => all,
            RunState::Paused(_) | RunState::Stalled(_) => return None,
            RunState::Finished(_) => all,
            RunState::Running => self
                .samples
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
