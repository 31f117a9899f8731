//! How fast frames may follow each other on a slow line.
//!
//! A terminal behind a network shows a frame later than it was written. If frames are written faster than the line carries them, they wait in
//! buffers between, and keys seem dead. So behind a network lop asks the terminal now and then where its cursor is: the answer comes
//! when all before it was shown. While the line owes an answer, what the run did waits; what a key did waits only if the answer is late.
//! Frames of the run are as far apart as two of the last round trips. A terminal that does not answer within two seconds is not asked again,
//! and has a frame of the run each second.

use std::time::{Duration, Instant};

/// The least time between two questions.
const QUESTION_INTERVAL: Duration = Duration::from_secs(1);
/// An answer that took longer is late: the line carries more than it can.
const LATE: Duration = Duration::from_millis(300);
/// The time between two frames of a run where the terminal did not answer at all: the line may be slower than anyone waits.
const SILENT: Duration = Duration::from_secs(1);
/// The longest time between two frames of a run.
const SLOWEST: Duration = Duration::from_secs(2);

/// Whose frame is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameCause {
    /// A key or a click.
    Key,
    /// The run, or the clock.
    Run,
}

/// The pace of the frames on one line.
#[derive(Clone, Debug, Default)]
pub struct LinePace {
    /// Whether the terminal is asked.
    is_asked: bool,
    /// Since when it owes an answer.
    asked: Option<Instant>,
    /// When it was asked last.
    last_asked: Option<Instant>,
    /// How long the last answer took.
    round_trip: Duration,
}

impl LinePace {
    /// The pace of a line; `is_remote` says whether there is a network between.
    pub fn new(is_remote: bool) -> LinePace {
        LinePace {
            is_asked: is_remote,
            ..LinePace::default()
        }
    }

    /// Whether the environment says that the terminal is behind a network: a login by SSH, in a multiplexer too.
    pub fn is_remote_login(variable: impl Fn(&str) -> Option<String>) -> bool {
        ["SSH_CONNECTION", "SSH_TTY"]
            .iter()
            .any(|name| variable(name).is_some_and(|value| !value.is_empty()))
    }

    /// A frame was written. Whether the terminal is to be asked now.
    pub fn on_frame(&mut self, now: Instant) -> bool {
        let is_recent = self
            .last_asked
            .is_some_and(|asked| now < asked + QUESTION_INTERVAL);
        if !self.is_asked || self.asked.is_some() || is_recent {
            return false;
        }
        (self.asked, self.last_asked) = (Some(now), Some(now));
        true
    }

    /// The terminal has answered after this time. Without an answer it is not asked again.
    pub fn on_answer(&mut self, round_trip: Option<Duration>) {
        self.asked = None;
        self.is_asked &= round_trip.is_some();
        self.round_trip = round_trip.unwrap_or(SILENT / 2);
    }

    /// Whether the terminal was asked and has not answered.
    pub fn owes_answer(&self) -> bool {
        self.asked.is_some()
    }

    /// The first moment at which a frame for this cause may be written: not before `due`, which is `least` after the one at `last`.
    pub fn next_frame(&self, cause: FrameCause, last: Instant, least: Duration) -> Instant {
        let due = last + least;
        match (cause, self.asked) {
            (FrameCause::Key, None) => due,
            (FrameCause::Run, None) => last + least.max((self.round_trip * 2).min(SLOWEST)),
            (FrameCause::Key, Some(_)) if self.round_trip < LATE => due,
            // The answer brings it forward.
            (_, Some(asked)) => due.max(asked + SLOWEST),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAST: Duration = Duration::from_millis(50);

    fn milliseconds(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    #[test]
    fn a_terminal_of_this_machine_is_never_asked() {
        let (mut pace, now) = (LinePace::new(false), Instant::now());
        assert!(!pace.on_frame(now));
        let next = pace.next_frame(FrameCause::Run, now, LEAST);
        assert_eq!(next, now + LEAST);
    }

    #[test]
    fn behind_a_network_the_next_frame_of_the_run_waits_for_the_answer() {
        let (mut pace, now) = (LinePace::new(true), Instant::now());
        assert!(pace.on_frame(now));
        let next = |pace: &LinePace, cause| pace.next_frame(cause, now, LEAST);
        assert_eq!(next(&pace, FrameCause::Run), now + SLOWEST);
        assert_eq!(next(&pace, FrameCause::Key), now + LEAST);
        // A fast line changes nothing.
        pace.on_answer(Some(milliseconds(5)));
        assert_eq!(next(&pace, FrameCause::Run), now + LEAST);
        assert!(
            !pace.on_frame(now + milliseconds(500)),
            "asked once a second"
        );
        assert!(pace.on_frame(now + QUESTION_INTERVAL));
    }

    #[test]
    fn a_slow_line_has_few_frames_and_keys_wait_for_what_is_on_its_way() {
        let (mut pace, now) = (LinePace::new(true), Instant::now());
        pace.on_frame(now);
        pace.on_answer(Some(milliseconds(400)));
        let next = |pace: &LinePace, cause| pace.next_frame(cause, now, LEAST);
        assert_eq!(next(&pace, FrameCause::Run), now + milliseconds(800));
        assert_eq!(next(&pace, FrameCause::Key), now + LEAST);
        pace.on_frame(now + QUESTION_INTERVAL);
        let late = now + QUESTION_INTERVAL + SLOWEST;
        assert_eq!(next(&pace, FrameCause::Key), late);
        pace.on_answer(Some(milliseconds(9000)));
        assert_eq!(next(&pace, FrameCause::Run), now + SLOWEST);
    }

    #[test]
    fn a_terminal_that_does_not_answer_is_not_asked_again_and_has_few_frames() {
        let (mut pace, now) = (LinePace::new(true), Instant::now());
        pace.on_frame(now);
        pace.on_answer(None);
        assert!(!pace.on_frame(now + milliseconds(60_000)));
        let next = pace.next_frame(FrameCause::Run, now, LEAST);
        assert_eq!(next, now + SILENT);
        let next = pace.next_frame(FrameCause::Key, now, LEAST);
        assert_eq!(next, now + LEAST);
    }

    #[test]
    fn a_login_by_ssh_is_behind_a_network() {
        let with = |name: &'static str, value: &'static str| {
            LinePace::is_remote_login(move |asked| (asked == name).then(|| value.to_owned()))
        };
        assert!(with("SSH_TTY", "/dev/pts/3"));
        assert!(with("SSH_CONNECTION", "10.0.0.1 1 10.0.0.2 22"));
        assert!(!with("SSH_TTY", ""));
        assert!(!with("TERM", "xterm"));
    }
}
