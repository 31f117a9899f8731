//! How fast frames may follow each other on a slow line.
//!
//! A terminal behind a network shows a frame later than it was written. If frames are written faster than the line carries them, they wait in
//! buffers between, and keys seem dead. So behind a network lop asks the terminal now and then where its cursor is: the answer comes
//! when all before it was shown. While the line owes an answer, what the run did waits; what a key did waits only if the answer is late.
//! Frames of the run are as far apart as two of the last round trips. A terminal that does not answer within two seconds has a frame of the
//! run each second, and is asked again a little later; one that has never answered is asked three times. One that has answered, and then does
//! not for a minute, is behind a dead line. tmux and screen answer themselves, whatever the line does: they are not asked, and have few frames of
//! the run.

use std::time::{Duration, Instant};

/// The least time between two questions.
const QUESTION_INTERVAL: Duration = Duration::from_secs(1);
/// The same after one that was not answered.
const RETRY_INTERVAL: Duration = Duration::from_secs(5);
/// How many questions a terminal may leave unanswered that has never answered.
const MOST_QUESTIONS: u32 = 3;
/// How long a terminal that has answered before may stay without a word until its line counts as dead.
const DEAD: Duration = Duration::from_secs(60);
/// An answer that took longer is late: the line carries more than it can.
const LATE: Duration = Duration::from_millis(300);
/// The time between two frames of a run where the terminal did not answer: the line may be slower than anyone waits.
const SILENT: Duration = Duration::from_secs(1);
/// The longest time between two frames of a run.
const SLOWEST: Duration = Duration::from_secs(4);
/// The longest wait for an answer that the terminal owes.
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// The time between two frames of a run behind a network, where a multiplexer hides the line.
const HIDDEN: Duration = Duration::from_millis(500);

/// Whose frame is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameCause {
    /// A key or a click.
    Key,
    /// The run, or the clock.
    Run,
}

/// What is between lop and the terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineKind {
    /// Nothing.
    #[default]
    Local,
    /// A network.
    Network,
    /// A network behind tmux or screen.
    Multiplexer,
}

impl LineKind {
    /// What the environment says: a login by SSH, and a multiplexer in it.
    pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> LineKind {
        // Each is looked up: what is asked for here is what an attached terminal tells.
        let [connection, tty, tmux, screen] = ["SSH_CONNECTION", "SSH_TTY", "TMUX", "STY"]
            .map(|name| variable(name).is_some_and(|value| !value.is_empty()));
        match (connection || tty, tmux || screen) {
            (false, _) => LineKind::Local,
            (true, false) => LineKind::Network,
            (true, true) => LineKind::Multiplexer,
        }
    }
}

/// The pace of the frames on one line.
#[derive(Clone, Debug, Default)]
pub struct LinePace {
    kind: LineKind,
    /// Since when it owes an answer.
    asked: Option<Instant>,
    /// When it was asked last.
    last_asked: Option<Instant>,
    /// How long the last answer took.
    round_trip: Duration,
    /// Whether it has ever answered.
    has_answered: bool,
    /// How many questions were not answered since the last answer.
    unanswered: u32,
    /// When the first of them was asked, or something was typed after it.
    unheard_since: Option<Instant>,
}

impl LinePace {
    /// The pace of a line of this kind.
    pub fn new(kind: LineKind) -> LinePace {
        LinePace {
            kind,
            ..LinePace::default()
        }
    }

    /// A frame was written. Whether the terminal is to be asked now.
    pub fn on_frame(&mut self, now: Instant) -> bool {
        let interval = match self.unanswered {
            0 => QUESTION_INTERVAL,
            _ => RETRY_INTERVAL,
        };
        let is_recent = self.last_asked.is_some_and(|asked| now < asked + interval);
        let is_mute = !self.has_answered && self.unanswered >= MOST_QUESTIONS;
        if self.kind != LineKind::Network
            || self.asked.is_some()
            || is_recent
            || is_mute
            || self.is_dead(now)
        {
            return false;
        }
        (self.asked, self.last_asked) = (Some(now), Some(now));
        true
    }

    /// The terminal has answered after this time, or not.
    pub fn on_answer(&mut self, round_trip: Option<Duration>) {
        let asked = self.asked.take();
        match round_trip {
            Some(round_trip) => {
                (self.round_trip, self.has_answered) = (round_trip, true);
                (self.unanswered, self.unheard_since) = (0, None);
            }
            None => {
                self.round_trip = SILENT / 2;
                self.unanswered += 1;
                self.unheard_since = self.unheard_since.or(asked);
            }
        }
    }

    /// Something was typed: the line is not dead.
    pub fn on_event(&mut self, now: Instant) {
        self.unheard_since = self.unheard_since.map(|_| now);
    }

    /// Whether a terminal that has answered has not said a word for so long that its line seems dead. It is not asked any more.
    pub fn is_dead(&self, now: Instant) -> bool {
        let is_long = self.unheard_since.is_some_and(|since| now >= since + DEAD);
        self.has_answered && is_long
    }

    /// Whether the terminal was asked and has not answered.
    pub fn owes_answer(&self) -> bool {
        self.asked.is_some()
    }

    /// The first moment at which a frame for this cause may be written: not before `due`, which is `least` after the one at `last`.
    pub fn next_frame(&self, cause: FrameCause, last: Instant, least: Duration) -> Instant {
        let due = last + least;
        if self.kind == LineKind::Multiplexer && cause == FrameCause::Run {
            return last + least.max(HIDDEN);
        }
        match (cause, self.asked) {
            (FrameCause::Key, None) => due,
            (FrameCause::Run, None) => last + least.max((self.round_trip * 2).min(SLOWEST)),
            (FrameCause::Key, Some(_)) if self.round_trip < LATE => due,
            // The answer brings it forward.
            (_, Some(asked)) => due.max(asked + LONGEST_WAIT),
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
        let (mut pace, now) = (LinePace::new(LineKind::Local), Instant::now());
        assert!(!pace.on_frame(now));
        let next = pace.next_frame(FrameCause::Run, now, LEAST);
        assert_eq!(next, now + LEAST);
    }

    #[test]
    fn behind_a_network_the_next_frame_of_the_run_waits_for_the_answer() {
        let (mut pace, now) = (LinePace::new(LineKind::Network), Instant::now());
        assert!(pace.on_frame(now));
        let next = |pace: &LinePace, cause| pace.next_frame(cause, now, LEAST);
        assert_eq!(next(&pace, FrameCause::Run), now + LONGEST_WAIT);
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
        let (mut pace, now) = (LinePace::new(LineKind::Network), Instant::now());
        pace.on_frame(now);
        pace.on_answer(Some(milliseconds(400)));
        let next = |pace: &LinePace, cause| pace.next_frame(cause, now, LEAST);
        assert_eq!(next(&pace, FrameCause::Run), now + milliseconds(800));
        assert_eq!(next(&pace, FrameCause::Key), now + LEAST);
        pace.on_frame(now + QUESTION_INTERVAL);
        let late = now + QUESTION_INTERVAL + LONGEST_WAIT;
        assert_eq!(next(&pace, FrameCause::Key), late);
        pace.on_answer(Some(milliseconds(9000)));
        assert_eq!(next(&pace, FrameCause::Run), now + SLOWEST);
    }

    #[test]
    fn a_terminal_that_never_answers_is_asked_three_times_and_has_few_frames() {
        let (mut pace, mut now) = (LinePace::new(LineKind::Network), Instant::now());
        for _ in 0..MOST_QUESTIONS {
            assert!(pace.on_frame(now));
            pace.on_answer(None);
            assert!(!pace.on_frame(now + QUESTION_INTERVAL), "not so soon");
            now += RETRY_INTERVAL;
        }
        assert!(!pace.on_frame(now + DEAD));
        assert!(!pace.is_dead(now + DEAD), "it may be unable to answer");
        let next = pace.next_frame(FrameCause::Run, now, LEAST);
        assert_eq!(next, now + SILENT);
        let next = pace.next_frame(FrameCause::Key, now, LEAST);
        assert_eq!(next, now + LEAST);
    }

    #[test]
    fn a_line_is_dead_a_minute_after_the_last_word_of_a_terminal_that_has_answered() {
        let (mut pace, begin) = (LinePace::new(LineKind::Network), Instant::now());
        pace.on_frame(begin);
        pace.on_answer(Some(milliseconds(5)));
        let asked = begin + QUESTION_INTERVAL;
        assert!(pace.on_frame(asked));
        pace.on_answer(None);
        assert!(!pace.is_dead(asked + DEAD - LEAST));
        assert!(pace.is_dead(asked + DEAD));
        assert!(!pace.on_frame(asked + DEAD), "nothing is asked of it");
        // Who comes back types something.
        pace.on_event(asked + DEAD);
        assert!(!pace.is_dead(asked + DEAD));
        assert!(pace.on_frame(asked + DEAD));
        pace.on_answer(Some(milliseconds(5)));
        assert!(!pace.is_dead(asked + DEAD * 3));
    }

    #[test]
    fn a_multiplexer_behind_a_network_is_not_asked_and_has_two_frames_of_the_run_a_second() {
        let (mut pace, now) = (LinePace::new(LineKind::Multiplexer), Instant::now());
        assert!(!pace.on_frame(now));
        let next = pace.next_frame(FrameCause::Run, now, LEAST);
        assert_eq!(next, now + HIDDEN);
        let next = pace.next_frame(FrameCause::Key, now, LEAST);
        assert_eq!(next, now + LEAST);
    }

    #[test]
    fn a_login_by_ssh_is_behind_a_network_in_a_multiplexer_too() {
        let with = |set: &'static [(&'static str, &'static str)]| {
            LineKind::of_environment(move |asked| {
                let found = set.iter().find(|(name, _)| *name == asked);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(with(&[("SSH_TTY", "/dev/pts/3")]), LineKind::Network);
        assert_eq!(
            with(&[("SSH_CONNECTION", "10.0.0.1 1 10.0.0.2 22")]),
            LineKind::Network
        );
        assert_eq!(with(&[("SSH_TTY", "")]), LineKind::Local);
        assert_eq!(with(&[("TERM", "xterm")]), LineKind::Local);
        assert_eq!(with(&[("TMUX", "/tmp/t,1,0")]), LineKind::Local);
        assert_eq!(
            with(&[("SSH_TTY", "/dev/pts/3"), ("STY", "1.pts")]),
            LineKind::Multiplexer
        );
    }
}
