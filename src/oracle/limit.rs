//! How long a test may take.

use std::time::Duration;

/// For the original, of which nothing is known yet.
const ORIGINAL: Duration = Duration::from_secs(60);
/// How many times as long as an interesting test another may take.
const FACTOR: u32 = 10;
/// What every test gets, so that a busy machine does not decide.
const LEAST: Duration = Duration::from_secs(2);
/// What no test gets, before it is rounded up.
const MOST: Duration = Duration::from_secs(300);
/// How many times the processor time of an interesting test another may use.
const CPU_FACTOR: u32 = 4;
/// What every test may use on top of that.
const CPU_MORE: Duration = Duration::from_secs(1);

/// What one test may take; `None` for as much as it likes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// From start to end.
    pub wall: Option<Duration>,
    /// User and system time of all its processes. Not kept where the system cannot tell it.
    pub cpu: Option<Duration>,
}

impl Limits {
    /// A limit of wall time, and no other.
    pub fn wall(limit: Duration) -> Limits {
        Limits {
            wall: Some(limit),
            cpu: None,
        }
    }

    /// What is left of them after a part of the test took so long.
    pub(super) fn after(self, time: Duration, cpu: Option<Duration>) -> Limits {
        Limits {
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
/// 300 s, rounded up to a power of two of seconds. Processor time, unless the user gave a number: 1 s more than four times the most
/// that an interesting test used; the first sets it exactly, then it grows in steps of two.
///
/// So small differences between two runs give the same limits, and the journal has few changes to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    rule: Rule,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Fixed(Option<Duration>),
    Hang(Duration),
    Original,
    Adapted(Limits),
}

impl Limit {
    /// The limits that follow the tests.
    pub fn adaptive() -> Limit {
        Limit {
            rule: Rule::Original,
        }
    }

    /// The user's limit of wall time, and no other; zero for none.
    pub fn fixed(limit: Duration) -> Limit {
        Limit {
            rule: Rule::Fixed(Some(limit).filter(|limit| !limit.is_zero())),
        }
    }

    /// The same where not to end is what is looked for: so much processor time, which no other test on the machine takes away; and ten
    /// times that by the clock, for what waits and does not compute.
    pub fn of_a_hang(self) -> Limit {
        match self.rule {
            Rule::Fixed(Some(limit)) => Limit {
                rule: Rule::Hang(limit),
            },
            _ => self,
        }
    }

    /// After how much processor time a test is one that does not end, if that is what is looked for.
    pub fn hang(&self) -> Option<Duration> {
        match self.rule {
            Rule::Hang(limit) => Some(limit),
            Rule::Fixed(_) | Rule::Original | Rule::Adapted(_) => None,
        }
    }

    /// The limits for the next test.
    pub fn current(&self) -> Limits {
        match self.rule {
            Rule::Fixed(wall) => Limits { wall, cpu: None },
            Rule::Hang(cpu) => Limits {
                wall: Some(cpu.saturating_mul(FACTOR)),
                cpu: Some(cpu),
            },
            Rule::Original => Limits::wall(ORIGINAL),
            Rule::Adapted(limits) => limits,
        }
    }

    /// An interesting test took so long, and used so much processor time if that is known; the first one is the original. Says
    /// whether a limit changed.
    pub fn interesting(&mut self, time: Duration, cpu: Option<Duration>) -> bool {
        let known = match self.rule {
            Rule::Fixed(_) | Rule::Hang(_) => return false,
            Rule::Original => Limits::default(),
            Rule::Adapted(limits) => limits,
        };
        let before = self.current();
        let wall = rounded_up(time.saturating_mul(FACTOR).clamp(LEAST, MOST));
        let cpu = cpu.map(|cpu| cpu.saturating_mul(CPU_FACTOR).saturating_add(CPU_MORE));
        self.rule = Rule::Adapted(Limits {
            wall: Some(grown(known.wall, wall)),
            cpu: cpu.map(|cpu| grown(known.cpu, cpu)).or(known.cpu),
        });
        self.current() != before
    }
}

/// The limit, doubled until it is what is needed; the first is what is needed.
fn grown(limit: Option<Duration>, needed: Duration) -> Duration {
    let mut limit = limit.unwrap_or(needed);
    while limit < needed {
        limit = limit.saturating_mul(2);
    }
    limit
}

/// To a power of two of seconds.
fn rounded_up(time: Duration) -> Duration {
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
        let mut limit = Limit::adaptive();
        for time in times {
            limit.interesting(seconds(*time), None);
        }
        let wall = limit.current().wall;
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
        let mut limit = Limit::adaptive();
        let mut after = |cpu: f64| {
            limit.interesting(seconds(0.1), Some(seconds(cpu)));
            limit.current().cpu.map(|limit| limit.as_secs_f64())
        };
        assert_eq!(after(0.5), Some(3.0), "four times, and a second");
        assert_eq!(after(0.3), Some(3.0), "less changes nothing");
        assert_eq!(after(0.51), Some(6.0), "more doubles it");
        assert_eq!(after(4.0), Some(24.0), "as often as needed");
        limit.interesting(seconds(0.1), None);
        assert_eq!(limit.current().cpu, Some(seconds(24.0)), "unknown");
        assert_eq!(Limit::adaptive().current().cpu, None, "the original");
    }

    #[test]
    fn a_change_is_announced() {
        let mut limit = Limit::adaptive();
        assert!(limit.interesting(seconds(1.0), None));
        assert!(!limit.interesting(seconds(1.0), None));
        assert!(limit.interesting(seconds(2.0), None));
        assert!(limit.interesting(seconds(2.0), Some(seconds(2.0))));
    }

    #[test]
    fn the_users_limit_stays_and_is_the_only_one() {
        let mut limit = Limit::fixed(Duration::from_secs(7));
        assert!(!limit.interesting(seconds(100.0), Some(seconds(100.0))));
        assert_eq!(limit.current(), Limits::wall(Duration::from_secs(7)));
        assert_eq!(
            Limit::fixed(Duration::ZERO).current(),
            Limits::default(),
            "zero is no limit"
        );
    }
}
