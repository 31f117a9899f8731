//! What is known of a farm while a run uses it, for whoever reports on the run.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;

/// So many workers are told apart, by so many characters of their names: a farm may make a name for each action.
#[cfg(any(feature = "remote", test))]
const MOST_WORKERS: usize = 10_000;
#[cfg(any(feature = "remote", test))]
const LONGEST_NAME: usize = 200;

/// Whether a farm is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FarmState {
    /// It answers, as far as is known.
    #[default]
    Up,
    /// It did not answer lately: it is asked again after a pause.
    Away,
    /// Its answers contradict those of this machine, or it refuses to work: it is not asked any more.
    Dropped,
}

/// What is known of a farm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FarmStatus {
    /// Whether it is asked.
    pub state: FarmState,
    /// How many workers have answered, by the names that the farm gives them; at most 10,000.
    pub workers: usize,
    /// How many tests it has now.
    pub in_flight: usize,
    /// How many tests it may have at a time.
    pub slots: usize,
    /// The time from a question to its answer, lately; none before the first answer.
    pub latency: Option<Duration>,
    /// The time of a test on this machine, lately; none before the first.
    pub local_time: Option<Duration>,
    /// How many verdicts came from it.
    pub verdicts: u64,
    /// How many of them came from its action cache.
    pub cached: u64,
    /// How many tests ran on this machine, with those that confirm an answer of the farm.
    pub local_tests: u64,
    /// How many answers were no verdict, so that the question was asked again or here.
    pub failures: u64,
    /// How many interesting candidates of the farm this machine does not find interesting.
    pub disputes: u64,
    /// The time that its workers have spent, together: what it costs.
    pub worker_time: Duration,
}

/// What it does now: `12/16, 0.52 s each, 61 s of 4 workers`.
impl fmt::Display for FarmStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.state {
            FarmState::Away => return f.write_str("away"),
            FarmState::Dropped => return f.write_str("not used any more"),
            FarmState::Up => write!(f, "{}/{}", self.in_flight, self.slots)?,
        }
        if let Some(latency) = self.latency {
            write!(f, ", {:.2} s each", latency.as_secs_f64())?;
        }
        write!(f, ", {}", self.describe_cost())
    }
}

impl FarmStatus {
    /// The time of the workers, and how many they are, where the farm names them.
    pub fn describe_cost(&self) -> String {
        let time = self.worker_time.as_secs();
        match self.workers {
            0 => format!("{time} s of workers"),
            1 => format!("{time} s of 1 worker"),
            many => format!("{time} s of {many} workers"),
        }
    }
}

/// The status of a farm, shared by who changes it and who reports it.
#[derive(Clone, Debug, Default)]
pub struct FarmMonitor {
    shared: Arc<Mutex<MonitoredFarm>>,
}

#[derive(Debug, Default)]
struct MonitoredFarm {
    status: FarmStatus,
    workers: BTreeSet<String>,
}

impl FarmMonitor {
    /// The status now.
    pub fn current_status(&self) -> FarmStatus {
        let farm = self.lock_farm();
        FarmStatus {
            workers: farm.workers.len(),
            ..farm.status
        }
    }

    /// Changes the status.
    #[cfg(any(feature = "remote", test))]
    pub(super) fn update_status(&self, change: impl FnOnce(&mut FarmStatus)) {
        change(&mut self.lock_farm().status);
    }

    /// Notes a worker that has answered.
    #[cfg(any(feature = "remote", test))]
    pub(super) fn note_worker(&self, name: &str) {
        let mut farm = self.lock_farm();
        let end = name.char_indices().nth(LONGEST_NAME);
        let name = end.map_or(name, |(end, _)| &name[..end]);
        let is_new = !name.is_empty() && !farm.workers.contains(name);
        if is_new && farm.workers.len() < MOST_WORKERS {
            farm.workers.insert(name.to_owned());
        }
    }

    /// Whole after every statement under the lock.
    fn lock_farm(&self) -> MutexGuard<'_, MonitoredFarm> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_farm_says_what_it_does_and_what_it_costs() {
        let monitor = FarmMonitor::default();
        monitor.update_status(|farm| {
            (farm.in_flight, farm.slots) = (12, 16);
            farm.latency = Some(Duration::from_millis(520));
            farm.worker_time = Duration::from_secs(61);
        });
        let said = || monitor.current_status().to_string();
        assert_eq!(said(), "12/16, 0.52 s each, 61 s of workers");
        for name in ["a", "b", "a", ""] {
            monitor.note_worker(name);
        }
        assert_eq!(said(), "12/16, 0.52 s each, 61 s of 2 workers");
        monitor.update_status(|farm| farm.state = FarmState::Away);
        assert_eq!(said(), "away");
    }

    #[test]
    fn a_farm_that_names_a_worker_for_each_action_fills_no_memory() {
        let monitor = FarmMonitor::default();
        (0..MOST_WORKERS + 5).for_each(|number| monitor.note_worker(&number.to_string()));
        monitor.note_worker(&"a".repeat(LONGEST_NAME + 1));
        assert_eq!(monitor.current_status().workers, MOST_WORKERS);
        let monitor = FarmMonitor::default();
        for end in ["b", "c"] {
            monitor.note_worker(&("a".repeat(LONGEST_NAME) + end));
        }
        assert_eq!(monitor.current_status().workers, 1);
    }
}
