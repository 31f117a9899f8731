//! The speed of the run. The time in which it is paused does not count.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::reduce::{RunSnapshot, RunState};

/// What was counted so far.
#[derive(Clone, Copy, Debug)]
struct RunTotals {
    tests: u64,
    questions: u64,
}

impl RunTotals {
    fn of_snapshot(snapshot: &RunSnapshot) -> RunTotals {
        RunTotals {
            tests: snapshot.counts.tests,
            questions: snapshot.counts.decisions,
        }
    }
}

/// Measures tests per second and the working time.
#[derive(Debug, Default)]
pub struct ThroughputMeter {
    /// The numbers of tests and of questions at several times of the last seconds.
    samples: VecDeque<(Instant, RunTotals)>,
    /// How long the run was paused, up to the newest snapshot.
    paused_time: Duration,
}

impl ThroughputMeter {
    const WINDOW: Duration = Duration::from_secs(4);

    /// A meter for a run that was paused this long before.
    pub fn new(paused_time: Duration) -> ThroughputMeter {
        ThroughputMeter {
            paused_time,
            ..ThroughputMeter::default()
        }
    }

    /// Takes the times and counts of a new snapshot.
    pub fn on_snapshot(&mut self, old: Option<&RunSnapshot>, new: &RunSnapshot) {
        if new.replay.is_some() {
            // The time of a recording is that of its run.
            return;
        }
        let stands = |old: &&RunSnapshot| {
            old.state.is_suspended() || matches!(old.state, RunState::Finished(_))
        };
        if let Some(old) = old.filter(stands) {
            self.paused_time += idle_time(old, new);
            self.samples.clear();
        }
        let now = new.now;
        let ago = |then: &Instant| now.saturating_duration_since(*then);
        let last = self.samples.back();
        if last.is_none_or(|(last, _)| ago(last) >= Self::WINDOW / 16) {
            self.samples.push_back((now, RunTotals::of_snapshot(new)));
        }
        let next = |seen: &VecDeque<(Instant, RunTotals)>| seen.get(1).copied();
        while next(&self.samples).is_some_and(|(next, _)| ago(&next) >= Self::WINDOW) {
            self.samples.pop_front();
        }
    }

    /// How long the run was paused, up to the newest snapshot.
    pub fn paused_time(&self) -> Duration {
        self.paused_time
    }

    /// The time since the start without the pauses.
    pub fn working_time(&self, snapshot: &RunSnapshot) -> Duration {
        let all = snapshot.now.saturating_duration_since(snapshot.started);
        all.saturating_sub(self.paused_time)
    }

    /// Tests per second: over the last seconds, or over the whole working time if that is short or the run has ended. None in a pause.
    pub fn tests_per_second(&self, snapshot: &RunSnapshot) -> Option<f64> {
        self.rate(snapshot, |totals| totals.tests)
    }

    /// The same of questions, those that needed no test too.
    pub fn questions_per_second(&self, snapshot: &RunSnapshot) -> Option<f64> {
        self.rate(snapshot, |totals| totals.questions)
    }

    fn rate(&self, snapshot: &RunSnapshot, count: impl Fn(&RunTotals) -> u64) -> Option<f64> {
        let tests = count(&RunTotals::of_snapshot(snapshot));
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
                    (time, tests.saturating_sub(count(then)))
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

/// How long nothing was tested between two snapshots of a run that was suspended at the first: a step tests in a pause.
fn idle_time(old: &RunSnapshot, new: &RunSnapshot) -> Duration {
    if matches!(old.state, RunState::Paused(_)) && old.current_test.is_some() {
        return Duration::ZERO;
    }
    let tested = |of: &RunSnapshot| of.passes.iter().map(|pass| pass.time).sum::<Duration>();
    let tested = tested(new).saturating_sub(tested(old));
    let all = new.now.saturating_duration_since(old.now);
    all.saturating_sub(tested)
}
