//! Playing a recorded run: where one is in it, which way it goes and how fast. No clock, no thread and no screen: time is what
//! [`Player::pass`] is told.

use std::sync::Arc;
use std::time::Duration;

use super::reel::Reel;
use super::seek::{Event, seek};
use crate::reduce::{Command, Decision, Halt, Replay, Stride};

/// The speeds of the keys, in times of the run's own.
const SPEEDS: [f64; 14] = [
    0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 10_000.0,
];
/// The run's own time between two moments counts as no more than this: nobody waits for a long test again.
const LONGEST: Duration = Duration::from_secs(2);
/// Between two states that are shown.
const FRAME: Duration = Duration::from_millis(20);

/// A way through the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// As it happened.
    Forwards,
    /// To the beginning.
    Backwards,
}

/// A place in the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// Where it begins.
    Start,
    /// Where it ends.
    End,
    /// After so many decisions.
    Decision(Decision),
    /// Where this version was first.
    Version(u64),
    /// So many hundredths of it.
    Share(u8),
}

/// What the user wants of the player.
#[derive(Clone, Debug, PartialEq)]
pub enum Move {
    /// Play on, or stand still.
    Play(bool),
    /// The other way, and play.
    Turn,
    /// The next faster speed.
    Faster,
    /// The next slower one.
    Slower,
    /// So many times as fast as it was.
    Speed(f64),
    /// One moment, version, node or pass, and stand still.
    Step(Way, Stride),
    /// To the next moment on this way at which that happened, and stand still.
    Seek(Way, Halt),
    /// There, and stand still.
    To(Spot),
}

impl Move {
    /// What a command to a run means to its recording.
    ///
    /// # Errors
    /// Why it means nothing.
    pub fn of(command: &Command) -> Result<Move, &'static str> {
        Ok(match command {
            Command::Pause => Move::Play(false),
            Command::Resume => Move::Play(true),
            Command::Step(stride) => Move::Step(Way::Forwards, *stride),
            Command::Until(halt) => Move::Seek(Way::Forwards, halt.clone()),
            Command::Undo(_) => Move::Step(Way::Backwards, Stride::Commit),
            Command::Redo => Move::Step(Way::Forwards, Stride::Commit),
            Command::Goto(version) => Move::To(Spot::Version(*version)),
            Command::Break(_) => return Err("in a replay `seek` and `seek-back` look for it"),
            _ => return Err("this is a replay: nothing is asked any more"),
        })
    }
}

/// Where one is, and how it goes on.
#[derive(Clone, Debug)]
pub struct Player {
    /// How many decisions the recording has, as far as that is known before it is read.
    decisions: Decision,
    at: usize,
    /// A place that is not yet read.
    wish: Option<Spot>,
    playing: bool,
    backwards: bool,
    speed: f64,
    /// The run's own time that has passed since the moment began.
    passed: Duration,
    said: (u64, Arc<str>),
}

impl Player {
    /// At the beginning of a recording of so many decisions, at this speed; with something to say of the recording, if there is.
    pub fn new(decisions: Decision, speed: f64, note: Option<String>) -> Player {
        Player {
            decisions,
            at: 0,
            wish: None,
            playing: true,
            backwards: false,
            speed,
            passed: Duration::ZERO,
            said: note.map_or((0, "".into()), |note| (1, note.into())),
        }
    }

    /// The moment where one is.
    pub fn at(&self) -> usize {
        self.at
    }

    /// What is to be shown of it.
    pub fn shown(&self, reel: &Reel, reading: bool) -> Replay {
        Replay {
            decisions: self.decisions.max(reel.decisions(reel.len())),
            reading,
            last: !reading && self.at + 1 >= reel.len(),
            playing: self.playing,
            backwards: self.backwards,
            speed: self.speed,
            said: self.said.clone(),
        }
    }

    /// Does what the user wants; `reading` says whether there is more to come.
    pub fn obey(&mut self, wanted: Move, reel: &Reel, reading: bool) {
        self.wish = None;
        match wanted {
            Move::Play(play) => self.play(play, reel, reading),
            Move::Turn => {
                self.backwards = !self.backwards;
                self.playing = true;
                self.passed = Duration::ZERO;
            }
            Move::Faster => {
                let faster = SPEEDS.iter().find(|speed| **speed > self.speed);
                self.speed = faster.copied().unwrap_or(self.speed);
            }
            Move::Slower => {
                let slower = SPEEDS.iter().rev().find(|speed| **speed < self.speed);
                self.speed = slower.copied().unwrap_or(self.speed);
            }
            Move::Speed(speed) => self.speed = speed,
            Move::Step(way, stride) => self.find(way, &Event::Step(stride), reel, reading),
            Move::Seek(way, halt) => self.find(way, &Event::Halt(halt), reel, reading),
            Move::To(spot) => self.go(spot, reel, reading),
        }
    }

    fn play(&mut self, play: bool, reel: &Reel, reading: bool) {
        self.playing = play;
        self.passed = Duration::ZERO;
        // Whoever plays on at the end wants to see it again.
        let last = !reading && self.at + 1 >= reel.len();
        if play && last && !self.backwards {
            self.at = 0;
        }
        // And whoever does at the beginning, forwards.
        self.backwards &= self.at > 0;
    }

    fn find(&mut self, way: Way, event: &Event, reel: &Reel, reading: bool) {
        self.playing = false;
        match seek(reel, self.at, way, event) {
            Ok(Some(at)) => self.land(at),
            Ok(None) => {
                let where_to = match (way, reading) {
                    (Way::Forwards, true) => "not in what was read so far",
                    (Way::Forwards, false) => "not from here to the end",
                    (Way::Backwards, _) => "not from here to the beginning",
                };
                self.say(format!("{event}: {where_to}"));
            }
            Err(problem) => self.say(format!("{event}: {problem}")),
        }
    }

    fn go(&mut self, spot: Spot, reel: &Reel, reading: bool) {
        self.playing = false;
        match (place(spot, reel, reading), reading) {
            (Some(at), _) => self.land(at),
            (None, true) => {
                self.wish = Some(spot);
                self.land(reel.len().saturating_sub(1));
            }
            (None, false) => self.say(match spot {
                Spot::Version(number) => format!("there is no version {number}"),
                _ => format!("there are {} decisions", reel.decisions(reel.len())),
            }),
        }
    }

    fn land(&mut self, at: usize) {
        self.at = at;
        self.passed = Duration::ZERO;
    }

    fn say(&mut self, what: String) {
        self.said = (self.said.0 + 1, what.into());
    }

    /// More was read, or all: goes where the user wants to be, as far as that is known now. Whether one is somewhere else.
    pub fn hear(&mut self, reel: &Reel, reading: bool) -> bool {
        let Some(spot) = self.wish.take() else {
            return false;
        };
        let before = (self.at, self.said.0);
        self.go(spot, reel, reading);
        before != (self.at, self.said.0)
    }

    /// So much time of whoever looks has passed. Whether one is at another moment, or stands still now.
    pub fn pass(&mut self, time: Duration, reel: &Reel, reading: bool) -> bool {
        if !self.playing {
            return false;
        }
        self.passed += time.mul_f64(self.speed);
        let before = self.at;
        while let Some(next) = self.next(reel) {
            let wait = wait(reel, self.at, next);
            if self.passed < wait {
                return self.at != before;
            }
            self.passed -= wait;
            self.at = next;
        }
        self.passed = Duration::ZERO;
        // There may be more to see soon.
        self.playing = reading && !self.backwards;
        self.at != before || !self.playing
    }

    /// In how much time there is something else to see, if it goes on by itself.
    pub fn due(&self, reel: &Reel) -> Option<Duration> {
        let next = self.next(reel).filter(|_| self.playing)?;
        let left = wait(reel, self.at, next).saturating_sub(self.passed);
        Some(left.div_f64(self.speed).max(FRAME))
    }

    fn next(&self, reel: &Reel) -> Option<usize> {
        match self.backwards {
            true => self.at.checked_sub(1),
            false => Some(self.at + 1).filter(|next| *next < reel.len()),
        }
    }
}

/// How long one stays at a moment before the next to it.
fn wait(reel: &Reel, at: usize, next: usize) -> Duration {
    reel.time(next).abs_diff(reel.time(at)).min(LONGEST)
}

/// The moment of a place; none if it is not there, or not known yet.
fn place(spot: Spot, reel: &Reel, reading: bool) -> Option<usize> {
    let last = reel.len().checked_sub(1)?;
    let whole = (!reading).then_some(last);
    match spot {
        Spot::Start => Some(0),
        Spot::End => whole,
        Spot::Share(share) => Some(whole? * usize::from(share.min(100)) / 100),
        Spot::Decision(decision) => reel.of_decision(decision),
        Spot::Version(number) => reel.of_version(number),
    }
}
