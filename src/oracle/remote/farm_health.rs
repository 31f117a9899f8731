//! Whether a farm is asked: not for a while after it gave no answer, and never again after it refused or was contradicted too often in a short while.

use std::time::{Duration, Instant};

use crate::oracle::FarmState;

/// The first pause after the farm gave no answer; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// After so many contradictions that are not forgiven the farm is not asked any more.
const MOST_DISPUTES: u32 = 3;
/// So many answers forgive one contradiction.
const FORGIVING_ANSWERS: u32 = 50;

/// What is known of the farm's health.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FarmHealth {
    /// How many pauses there were since its last answer.
    pauses: u32,
    away_until: Option<Instant>,
    disputes: u64,
    /// Those that count still, and how many answers there were since the last one that came or was forgiven.
    open_disputes: u32,
    answers: u32,
    is_dropped: bool,
}

impl FarmHealth {
    /// How many tests it may have at a time, of so many. After a pause it gets one, until it answers.
    pub fn limit_slots(&self, slots: usize, now: Instant) -> usize {
        match self.state(now) {
            FarmState::Up if self.pauses > 0 => slots.min(1),
            FarmState::Up => slots,
            FarmState::Away | FarmState::Dropped => 0,
        }
    }

    /// Whether it is asked.
    pub fn state(&self, now: Instant) -> FarmState {
        match self.away_until {
            _ if self.is_dropped => FarmState::Dropped,
            Some(until) if now < until => FarmState::Away,
            _ => FarmState::Up,
        }
    }

    /// Whether it gave no answer lately, and is asked one question.
    pub fn is_on_trial(&self) -> bool {
        self.pauses > 0
    }

    /// How often this machine contradicted it.
    pub fn disputes(&self) -> u64 {
        self.disputes
    }

    /// It gave an answer. The sentence is for the user.
    pub fn note_answer(&mut self) -> Option<String> {
        let was_away = std::mem::take(&mut self.pauses) > 0;
        self.away_until = None;
        self.answers += 1;
        if self.answers >= FORGIVING_ANSWERS {
            self.answers = 0;
            self.open_disputes = self.open_disputes.saturating_sub(1);
        }
        was_away.then(|| "the farm answers again".to_owned())
    }

    /// It gave no answer, for this reason. The sentence is for the user.
    pub fn note_failure(&mut self, reason: &str, refuses: bool, now: Instant) -> Option<String> {
        match self.state(now) {
            FarmState::Dropped | FarmState::Away => return None,
            FarmState::Up => {}
        }
        if refuses {
            self.is_dropped = true;
            return Some(format!(
                "the farm refuses to work, and all tests run on this machine: {reason}"
            ));
        }
        let factor = 2_u32.saturating_pow(self.pauses);
        let pause = FIRST_PAUSE.saturating_mul(factor).min(LONGEST_PAUSE);
        self.away_until = now.checked_add(pause);
        self.pauses += 1;
        (self.pauses == 1).then(|| {
            format!(
                "the farm gives no answer, and tests run on this machine until it does: {reason}"
            )
        })
    }

    /// This machine says something else than it did. The sentence is for the user.
    pub fn note_dispute(&mut self, what: &str) -> Option<String> {
        self.disputes += 1;
        self.open_disputes += 1;
        self.answers = 0;
        if self.open_disputes >= MOST_DISPUTES && !self.is_dropped {
            self.is_dropped = true;
            return Some(format!(
                "{what}, for the third time within few answers: all tests run on this machine from now on"
            ));
        }
        (self.disputes == 1).then(|| format!("{what}; what this machine says counts"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_farm_that_is_away_is_asked_again_after_longer_and_longer_pauses() {
        let mut health = FarmHealth::default();
        let mut now = Instant::now();
        for pause in [1, 2, 4, 8, 16, 30, 30] {
            assert_eq!(health.state(now), FarmState::Up);
            health.note_failure("refused", false, now);
            assert_eq!(
                health.note_failure("refused", false, now),
                None,
                "the same outage"
            );
            assert_eq!(health.limit_slots(8, now), 0);
            now += Duration::from_millis(pause * 1000 - 1);
            assert_eq!(health.state(now), FarmState::Away, "after {pause} s");
            now += Duration::from_millis(1);
            assert_eq!(
                health.limit_slots(8, now),
                1,
                "one question shows whether it is back"
            );
        }
        assert_eq!(
            health.note_answer().as_deref(),
            Some("the farm answers again")
        );
        assert_eq!(health.limit_slots(8, now), 8);
    }

    #[test]
    fn a_farm_that_is_contradicted_three_times_is_dropped() {
        let mut health = FarmHealth::default();
        assert!(health.note_dispute("it lies").is_some());
        assert!(health.note_dispute("it lies").is_none());
        assert_eq!(health.state(Instant::now()), FarmState::Up);
        assert!(health.note_dispute("it lies").is_some());
        assert_eq!(health.state(Instant::now()), FarmState::Dropped);
    }

    #[test]
    fn what_is_contradicted_now_and_then_is_asked_on() {
        let mut health = FarmHealth::default();
        for _ in 0..10 {
            health.note_dispute("it is flaky");
            (0..FORGIVING_ANSWERS).for_each(|_| drop(health.note_answer()));
        }
        assert_eq!(health.disputes(), 10);
        assert_eq!(health.state(Instant::now()), FarmState::Up);
    }

    #[test]
    fn a_farm_that_refuses_is_dropped_at_once() {
        let mut health = FarmHealth::default();
        let said = health.note_failure("no token", true, Instant::now());
        assert!(said.is_some_and(|said| said.ends_with("no token")));
        assert_eq!(health.limit_slots(8, Instant::now()), 0);
    }
}
