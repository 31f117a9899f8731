//! The rule that sets the time limits of tests.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The limit for the original, whose time is not known yet.
const ORIGINAL_LIMIT: Duration = Duration::from_secs(60);
/// The wall limit, as a multiple of the time of an interesting test.
const WALL_FACTOR: u32 = 10;
/// The smallest wall limit, so that a busy machine does not decide.
const MIN_LIMIT: Duration = Duration::from_secs(2);
/// The largest wall limit, before it is rounded up.
const MAX_LIMIT: Duration = Duration::from_secs(300);
/// The processor limit, as a multiple of the processor time of an interesting test.
const CPU_FACTOR: u32 = 4;
/// What is added to the processor limit.
const CPU_MARGIN: Duration = Duration::from_secs(1);

/// The time limits of one test; `None` for no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TimeLimits {
    /// Wall time from start to end.
    pub wall: Option<Duration>,
    /// User and system time of all its processes. Not enforced where the system does not measure it.
    pub cpu: Option<Duration>,
}

impl TimeLimits {
    /// A limit of wall time only.
    pub fn wall_only(limit: Duration) -> TimeLimits {
        TimeLimits {
            wall: Some(limit),
            cpu: None,
        }
    }

    /// The limits that remain after a part of the test that used this time.
    pub(super) fn remaining_after(self, time: Duration, cpu: Option<Duration>) -> TimeLimits {
        TimeLimits {
            wall: self.wall.map(|limit| limit.saturating_sub(time)),
            cpu: self
                .cpu
                .map(|limit| limit.saturating_sub(cpu.unwrap_or_default())),
        }
    }
}

/// The rule for the limits.
///
/// Wall time: the user's number, or 60 s for the original and then ten times the slowest interesting test, at least 2 s and at most
/// 300 s, rounded up to a power of two of seconds. Processor time, unless the user gave a number: 1 s more than four times the largest
/// time of an interesting test. The first sets it exactly, then it is doubled when necessary.
///
/// So small differences between two runs give the same limits, and the journal records few changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitPolicy {
    rule: LimitRule,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LimitRule {
    Fixed(Option<Duration>),
    Hang(Duration),
    UntilFirst,
    Adapted(TimeLimits),
}

impl LimitPolicy {
    /// Limits that follow the times of the tests.
    pub fn adaptive() -> LimitPolicy {
        LimitPolicy {
            rule: LimitRule::UntilFirst,
        }
    }

    /// The user's limit of wall time only; zero for no limit.
    pub fn fixed(limit: Duration) -> LimitPolicy {
        LimitPolicy {
            rule: LimitRule::Fixed(Some(limit).filter(|limit| !limit.is_zero())),
        }
    }

    /// The same for a failure that is a hang: the limit applies to processor time, which does not depend on other tests on the machine.
    /// The wall limit is ten times that, for a test that waits and does not compute.
    pub fn for_hang(self) -> LimitPolicy {
        match self.rule {
            LimitRule::Fixed(Some(limit)) => LimitPolicy {
                rule: LimitRule::Hang(limit),
            },
            _ => self,
        }
    }

    /// The processor time after which a test counts as a hang, if the failure is a hang.
    pub fn hang_limit(&self) -> Option<Duration> {
        match self.rule {
            LimitRule::Hang(limit) => Some(limit),
            LimitRule::Fixed(_) | LimitRule::UntilFirst | LimitRule::Adapted(_) => None,
        }
    }

    /// The limits for the next test.
    pub fn current_limits(&self) -> TimeLimits {
        match self.rule {
            LimitRule::Fixed(wall) => TimeLimits { wall, cpu: None },
            LimitRule::Hang(cpu) => TimeLimits {
                wall: Some(cpu.saturating_mul(WALL_FACTOR)),
                cpu: Some(cpu),
            },
            LimitRule::UntilFirst => TimeLimits::wall_only(ORIGINAL_LIMIT),
            LimitRule::Adapted(limits) => limits,
        }
    }

    /// Adapts the limits to the wall time and, if known, the processor time of an interesting test. The first one is the original.
    /// Returns whether a limit changed.
    pub fn on_interesting(&mut self, time: Duration, cpu: Option<Duration>) -> bool {
        let known = match self.rule {
            LimitRule::Fixed(_) | LimitRule::Hang(_) => return false,
            LimitRule::UntilFirst => TimeLimits::default(),
            LimitRule::Adapted(limits) => limits,
        };
        let before = self.current_limits();
        let wall = round_up_seconds(time.saturating_mul(WALL_FACTOR).clamp(MIN_LIMIT, MAX_LIMIT));
        let cpu = cpu.map(|cpu| cpu.saturating_mul(CPU_FACTOR).saturating_add(CPU_MARGIN));
        self.rule = LimitRule::Adapted(TimeLimits {
            wall: Some(double_until(known.wall, wall)),
            cpu: cpu.map(|cpu| double_until(known.cpu, cpu)).or(known.cpu),
        });
        self.current_limits() != before
    }
}

/// The limit, doubled until it is at least `needed`. The first limit is `needed` itself.
fn double_until(limit: Option<Duration>, needed: Duration) -> Duration {
    let mut limit = limit.unwrap_or(needed);
    while limit < needed {
        limit = limit.saturating_mul(2);
    }
    limit
}

/// Rounds up to a power of two of seconds.
fn round_up_seconds(time: Duration) -> Duration {
    let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
    Duration::from_secs(seconds.next_power_of_two())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    fn after(times: &[f64]) -> f64 {
        let mut limit = LimitPolicy::adaptive();
        for time in times {
            limit.on_interesting(seconds(*time), None);
        }
        let wall = limit.current_limits().wall;
        wall.expect("the adaptive limit is never none")
            .as_secs_f64()
    }

    #[test]
    fn the_limit_follows_the_slowest_interesting_test() {
        assert_eq!(after(&[]), 60.0, "the original");
        assert_eq!(after(&[0.01]), 2.0, "never below 2 s");
        assert_eq!(after(&[1.5]), 16.0, "ten times the original, rounded up");
        assert_eq!(after(&[1.6]), 16.0, "as it is");
        assert_eq!(after(&[45.0]), 512.0, "300 s, rounded up");
        assert_eq!(
            after(&[1.5, 0.2, 1.4]),
            16.0,
            "a faster test changes nothing"
        );
        assert_eq!(after(&[1.5, 1.7]), 32.0, "a slower one doubles it");
        assert_eq!(after(&[1.0, 5.0]), 64.0, "as often as needed");
        assert_eq!(after(&[20.0, 60.0]), 512.0, "up to the most");
    }

    #[test]
    fn the_limit_of_processor_time_follows_too() {
        let mut limit = LimitPolicy::adaptive();
        let mut after = |cpu: f64| {
            limit.on_interesting(seconds(0.1), Some(seconds(cpu)));
            limit.current_limits().cpu.map(|limit| limit.as_secs_f64())
        };
        assert_eq!(after(0.5), Some(3.0), "four times, and a second");
        assert_eq!(after(0.3), Some(3.0), "less changes nothing");
        assert_eq!(after(0.51), Some(6.0), "more doubles it");
        assert_eq!(after(4.0), Some(24.0), "as often as needed");
        limit.on_interesting(seconds(0.1), None);
        assert_eq!(limit.current_limits().cpu, Some(seconds(24.0)), "unknown");
        assert_eq!(
            LimitPolicy::adaptive().current_limits().cpu,
            None,
            "the original"
        );
    }

    #[test]
    fn a_change_is_announced() {
        let mut limit = LimitPolicy::adaptive();
        assert!(limit.on_interesting(seconds(1.0), None));
        assert!(!limit.on_interesting(seconds(1.0), None));
        assert!(limit.on_interesting(seconds(2.0), None));
        assert!(limit.on_interesting(seconds(2.0), Some(seconds(2.0))));
    }

    #[test]
    fn the_users_limit_stays_and_is_the_only_one() {
        let mut limit = LimitPolicy::fixed(Duration::from_secs(7));
        assert!(!limit.on_interesting(seconds(100.0), Some(seconds(100.0))));
        assert_eq!(
            limit.current_limits(),
            TimeLimits::wall_only(Duration::from_secs(7))
        );
        assert_eq!(
            LimitPolicy::fixed(Duration::ZERO).current_limits(),
            TimeLimits::default(),
            "zero means no limit"
        );
    }
}
