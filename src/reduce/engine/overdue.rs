//! Tests that may time out (`speculation/timeout_risk.rs`): beside others they are stopped, and run alone when their turn comes.

use std::time::Instant;

use super::ReductionEngine;
use super::testing_state::InFlightTest;
use crate::program::ContentHash;

impl ReductionEngine {
    /// Whether the root's candidate waits until no other test runs: it may time out, and beside others that would not count.
    pub(super) fn awaits_others(&mut self) -> bool {
        let Some(asked) = self.stopped_root() else {
            return false;
        };
        self.root_state.alone = true;
        self.testing.in_flight.keys().any(|&hash| hash != asked)
    }

    /// The root's candidate, if its test was stopped.
    fn stopped_root(&self) -> Option<ContentHash> {
        let asked = self.root_node().proposed_candidate()?.hash;
        self.testing.timeouts.was_stopped(asked).then_some(asked)
    }

    /// When the test is stopped, if it has not ended before: one that may time out, and one that the root's candidate waits for.
    fn overdue_time(&self, flight: &InFlightTest) -> Option<Instant> {
        if self.pool.may_hold_jobs() {
            return None;
        }
        let timeouts = &self.testing.timeouts;
        let patience = match self.stopped_root() {
            Some(_) => timeouts.longest_time(),
            None => timeouts.patience_for(flight.kind),
        };
        flight
            .since
            .checked_add(patience.filter(|_| flight.concurrent)?)
    }

    /// When the next test is stopped.
    pub(super) fn next_overdue(&self) -> Option<Instant> {
        let flights = self.testing.in_flight.values();
        flights.filter_map(|flight| self.overdue_time(flight)).min()
    }

    /// Stops the tests that have run beside others for too long.
    pub(super) fn stop_overdue_tests(&mut self) {
        let now = Instant::now();
        let flights = self.testing.in_flight.iter();
        let overdue = flights.filter(|(_, flight)| {
            let time = self.overdue_time(flight);
            time.is_some_and(|time| time <= now)
        });
        let overdue: Vec<_> = overdue.map(|(hash, flight)| (*hash, flight.kind)).collect();
        for &(hash, kind) in &overdue {
            // One that only stood in the way may be tested ahead again.
            if self.testing.timeouts.patience_for(kind).is_some() {
                self.testing.timeouts.record_stop(hash);
            }
        }
        self.cancel_tests(overdue.into_iter().map(|(hash, _)| hash).collect());
    }
}
