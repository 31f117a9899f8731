//! Where a test runs: on this machine or on the farm, by the time that each took lately.

use std::time::Duration;

/// What is known when a test waits for its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaceQuery {
    /// The time of a test on this machine; none before the first.
    pub local_time: Option<Duration>,
    /// The time from a question to the farm to its answer; none before the first.
    pub farm_time: Option<Duration>,
    /// Whether this machine has a free slot.
    pub is_local_free: bool,
    /// Whether the farm has one.
    pub is_farm_free: bool,
    /// How many tests wait for this machine before this one.
    pub ahead: usize,
    /// How many tests this machine runs at a time.
    pub local_slots: usize,
}

/// Where a test begins now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TestPlace {
    Here,
    Farm,
    /// Nowhere yet: this machine will be done sooner than the farm, or neither has a slot.
    Wait,
}

impl PlaceQuery {
    /// Where the test is likely to end first. What is not known yet is tried.
    pub fn choose_place(&self) -> TestPlace {
        match (self.is_local_free, self.is_farm_free) {
            (false, false) => TestPlace::Wait,
            (true, false) => TestPlace::Here,
            (true, true) => match (self.local_time, self.farm_time) {
                (Some(here), Some(there)) if there < here => TestPlace::Farm,
                _ => TestPlace::Here,
            },
            (false, true) => match (self.estimate_local_end(), self.farm_time) {
                (Some(here), Some(there)) if here <= there => TestPlace::Wait,
                _ => TestPlace::Farm,
            },
        }
    }

    /// When this machine would be done with a test that waits for those that run and those ahead.
    fn estimate_local_end(&self) -> Option<Duration> {
        let rounds = 2 + self.ahead / self.local_slots.max(1);
        let rounds = u32::try_from(rounds).unwrap_or(u32::MAX);
        Some(self.local_time?.saturating_mul(rounds))
    }
}

/// The mean of the latest times: each new one counts for an eighth.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RecentTime {
    mean: Option<Duration>,
}

impl RecentTime {
    /// Begins with a time that was measured before.
    pub fn from_first(time: Option<Duration>) -> RecentTime {
        RecentTime { mean: time }
    }

    /// Notes a time.
    pub fn note_time(&mut self, time: Duration) {
        self.mean = Some(match self.mean {
            Some(mean) => (mean * 7 + time) / 8,
            None => time,
        });
    }

    /// The mean; none before the first time.
    pub fn mean(self) -> Option<Duration> {
        self.mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(local: u64, farm: u64, free: (bool, bool), ahead: usize) -> TestPlace {
        let query = PlaceQuery {
            local_time: Some(Duration::from_millis(local)),
            farm_time: Some(Duration::from_millis(farm)),
            is_local_free: free.0,
            is_farm_free: free.1,
            ahead,
            local_slots: 2,
        };
        query.choose_place()
    }

    #[test]
    fn a_short_test_stays_here_and_waits_for_it() {
        assert_eq!(place(20, 200, (true, true), 0), TestPlace::Here);
        assert_eq!(place(20, 200, (false, true), 0), TestPlace::Wait);
        assert_eq!(place(20, 200, (false, true), 15), TestPlace::Wait);
        assert_eq!(
            place(20, 200, (false, true), 18),
            TestPlace::Farm,
            "a long queue"
        );
    }

    #[test]
    fn a_long_test_goes_out_while_this_machine_is_busy() {
        assert_eq!(place(5000, 5200, (true, true), 0), TestPlace::Here);
        assert_eq!(place(5000, 5200, (false, true), 0), TestPlace::Farm);
        assert_eq!(
            place(5000, 2000, (true, true), 0),
            TestPlace::Farm,
            "a faster worker"
        );
    }

    #[test]
    fn who_has_a_slot_gets_the_test_when_the_other_has_none() {
        assert_eq!(place(5000, 200, (true, false), 0), TestPlace::Here);
        assert_eq!(place(20, 200, (false, false), 0), TestPlace::Wait);
    }

    #[test]
    fn what_was_never_measured_is_tried() {
        let query = PlaceQuery {
            local_time: Some(Duration::from_millis(1)),
            farm_time: None,
            is_local_free: false,
            is_farm_free: true,
            ahead: 0,
            local_slots: 1,
        };
        assert_eq!(query.choose_place(), TestPlace::Farm);
    }

    #[test]
    fn the_mean_follows_slowly() {
        let mut time = RecentTime::from_first(Some(Duration::from_millis(80)));
        time.note_time(Duration::from_millis(160));
        assert_eq!(time.mean(), Some(Duration::from_millis(90)));
    }
}
