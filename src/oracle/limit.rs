//! How long a test may take.

use std::time::Duration;

/// For the original, of which nothing is known yet.
const ORIGINAL: Duration = Duration::from_secs(60);
/// How many times as long as an interesting test another may take.
const FACTOR: u32 = 10;
/// What every test gets, so that a busy machine does not decide.
const LEAST: Duration = Duration::from_secs(2);
/// What no test gets.
const MOST: Duration = Duration::from_secs(300);

/// The rule for the time limit: the user's number, or 60 s for the original and then ten times the slowest interesting test, at
/// least 2 s and at most 300 s.
///
/// The original sets the limit exactly; later it grows in steps of two, when an interesting test took more than a tenth of it. So
/// small differences of time between two runs give the same limits, and the journal has few changes to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    rule: Rule,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Fixed(Option<Duration>),
    Original,
    Adapted(Duration),
}

impl Limit {
    /// The limit that follows the tests.
    pub fn adaptive() -> Limit {
        Limit {
            rule: Rule::Original,
        }
    }

    /// The user's limit; zero for none.
    pub fn fixed(limit: Duration) -> Limit {
        Limit {
            rule: Rule::Fixed(Some(limit).filter(|limit| !limit.is_zero())),
        }
    }

    /// The limit for the next test; `None` for none.
    pub fn current(&self) -> Option<Duration> {
        match self.rule {
            Rule::Fixed(limit) => limit,
            Rule::Original => Some(ORIGINAL),
            Rule::Adapted(limit) => Some(limit),
        }
    }

    /// An interesting test took so long; the first one is the original. Says whether the limit changed.
    pub fn interesting(&mut self, time: Duration) -> bool {
        let before = self.current();
        let needed = time.saturating_mul(FACTOR).clamp(LEAST, MOST);
        match &mut self.rule {
            Rule::Fixed(_) => {}
            Rule::Original => self.rule = Rule::Adapted(needed),
            Rule::Adapted(limit) => {
                while *limit < needed {
                    *limit = (*limit * 2).min(MOST);
                }
            }
        }
        self.current() != before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(times: &[f64]) -> f64 {
        let mut limit = Limit::adaptive();
        for time in times {
            limit.interesting(Duration::from_secs_f64(*time));
        }
        limit
            .current()
            .expect("the adaptive limit is never none")
            .as_secs_f64()
    }

    #[test]
    fn the_limit_follows_the_slowest_interesting_test() {
        assert_eq!(after(&[]), 60.0, "the original");
        assert_eq!(after(&[0.01]), 2.0, "never below 2 s");
        assert_eq!(after(&[1.5]), 15.0, "ten times the original");
        assert_eq!(after(&[45.0]), 300.0, "never above 300 s");
        assert_eq!(
            after(&[1.5, 0.2, 1.4]),
            15.0,
            "a faster test changes nothing"
        );
        assert_eq!(after(&[1.5, 1.6]), 30.0, "a slower one doubles it");
        assert_eq!(after(&[1.0, 5.0]), 80.0, "as often as needed");
        assert_eq!(after(&[20.0, 21.0]), 300.0, "up to 300 s");
    }

    #[test]
    fn a_change_is_announced() {
        let mut limit = Limit::adaptive();
        assert!(limit.interesting(Duration::from_secs(1)));
        assert!(!limit.interesting(Duration::from_secs(1)));
        assert!(limit.interesting(Duration::from_secs(2)));
    }

    #[test]
    fn the_users_limit_stays() {
        let mut limit = Limit::fixed(Duration::from_secs(7));
        assert!(!limit.interesting(Duration::from_secs(100)));
        assert_eq!(limit.current(), Some(Duration::from_secs(7)));
        assert_eq!(
            Limit::fixed(Duration::ZERO).current(),
            None,
            "zero is no limit"
        );
    }
}
