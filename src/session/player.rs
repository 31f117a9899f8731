//! Playing a recorded run: the current moment, the direction and the speed. No clock, no thread and no screen: time passes by
//! [`ReplayPlayer::advance_time`].

use std::sync::Arc;
use std::time::Duration;

use super::seek::{PlayDirection, SeekEvent, seek_frame};
use super::timeline::ReplayTimeline;
use crate::reduce::{BreakCondition, Decision, EngineCommand, ReplayStatus, StepUnit};

/// The speeds of the keys, in times of the run's own.
const SPEEDS: [f64; 14] = [
    0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 10_000.0,
];
/// The run's own time between two moments counts as no more than this, and nobody waits longer for the next one: a long test, or a pause of whoever watched, is not
/// waited for again.
const LONGEST: Duration = Duration::from_secs(2);
/// Between two states that are shown.
const FRAME: Duration = Duration::from_millis(20);

/// A place in the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayPosition {
    /// Where it begins.
    Start,
    /// Where it ends.
    End,
    /// After this number of decisions.
    Decision(Decision),
    /// The first moment of this version.
    Version(u64),
    /// This percentage of it.
    Percent(u8),
}

/// A command to the player.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerCommand {
    /// Play, or pause.
    Play(bool),
    /// Reverse the direction, and play.
    Reverse,
    /// The next faster speed.
    Faster,
    /// The next slower one.
    Slower,
    /// This multiple of the run's own speed.
    Speed(f64),
    /// One moment, version, node or pass, and pause.
    Step(PlayDirection, StepUnit),
    /// To the next moment in this direction at which that happened, and pause.
    Seek(PlayDirection, BreakCondition),
    /// To this place, and pause.
    JumpTo(PlayPosition),
}

impl PlayerCommand {
    /// What a command to a run means to its recording.
    ///
    /// # Errors
    /// Why it means nothing.
    pub fn from_command(command: &EngineCommand) -> Result<PlayerCommand, &'static str> {
        Ok(match command {
            EngineCommand::Pause => PlayerCommand::Play(false),
            EngineCommand::Resume => PlayerCommand::Play(true),
            EngineCommand::Step(stride) => PlayerCommand::Step(PlayDirection::Forwards, *stride),
            EngineCommand::Until(halt) => {
                PlayerCommand::Seek(PlayDirection::Forwards, halt.clone())
            }
            EngineCommand::Undo(..) => {
                PlayerCommand::Step(PlayDirection::Backwards, StepUnit::Commit)
            }
            EngineCommand::Redo => PlayerCommand::Step(PlayDirection::Forwards, StepUnit::Commit),
            EngineCommand::Goto(version) => PlayerCommand::JumpTo(PlayPosition::Version(*version)),
            EngineCommand::Break(_) => {
                return Err("in a replay `seek` and `seek-back` look for it");
            }
            _ => return Err("this is a replay: nothing is asked any more"),
        })
    }
}

/// The current moment, and how it is played.
#[derive(Clone, Debug)]
pub struct ReplayPlayer {
    /// How many decisions the recording has, as far as that is known before it is read.
    decisions: Decision,
    frame: usize,
    /// A place that was not read yet.
    pending_position: Option<PlayPosition>,
    playing: bool,
    backwards: bool,
    speed: f64,
    /// The run's own time that has passed since the moment began.
    elapsed_in_frame: Duration,
    message: (u64, Arc<str>),
}

impl ReplayPlayer {
    /// At the beginning of a recording of this number of decisions, at this speed; with a message about the recording, if there is one.
    pub fn new(decisions: Decision, speed: f64, note: Option<String>) -> ReplayPlayer {
        ReplayPlayer {
            decisions,
            frame: 0,
            pending_position: None,
            playing: true,
            backwards: false,
            speed,
            elapsed_in_frame: Duration::ZERO,
            message: note.map_or((0, "".into()), |note| (1, note.into())),
        }
    }

    /// The same, with the first moment standing still.
    pub fn paused(self) -> ReplayPlayer {
        ReplayPlayer {
            playing: false,
            ..self
        }
    }

    /// The current moment.
    pub fn frame_index(&self) -> usize {
        self.frame
    }

    /// The player's status, for the screen.
    pub fn replay_state(&self, timeline: &ReplayTimeline, reading: bool) -> ReplayStatus {
        ReplayStatus {
            decisions: self.decisions.max(timeline.decision_count(timeline.len())),
            reading,
            last: !reading && self.frame + 1 >= timeline.len(),
            playing: self.playing,
            backwards: self.backwards,
            speed: self.speed,
            last_message: self.message.clone(),
        }
    }

    /// Applies a command; `reading` says whether there is more to come.
    pub fn apply_command(
        &mut self,
        wanted: PlayerCommand,
        timeline: &ReplayTimeline,
        reading: bool,
    ) {
        self.pending_position = None;
        match wanted {
            PlayerCommand::Play(play) => self.set_playing(play, timeline, reading),
            PlayerCommand::Reverse => {
                self.backwards = !self.backwards;
                self.playing = true;
                self.elapsed_in_frame = Duration::ZERO;
            }
            PlayerCommand::Faster => {
                let faster = SPEEDS.iter().find(|speed| **speed > self.speed);
                self.speed = faster.copied().unwrap_or(self.speed);
            }
            PlayerCommand::Slower => {
                let slower = SPEEDS.iter().rev().find(|speed| **speed < self.speed);
                self.speed = slower.copied().unwrap_or(self.speed);
            }
            PlayerCommand::Speed(speed) => self.speed = speed,
            PlayerCommand::Step(way, stride) => {
                self.seek_event(way, &SeekEvent::Step(stride), timeline, reading)
            }
            PlayerCommand::Seek(way, halt) => {
                self.seek_event(way, &SeekEvent::Halt(halt), timeline, reading)
            }
            PlayerCommand::JumpTo(spot) => self.jump_to(spot, timeline, reading),
        }
    }

    fn set_playing(&mut self, play: bool, timeline: &ReplayTimeline, reading: bool) {
        self.playing = play;
        self.elapsed_in_frame = Duration::ZERO;
        // Playing at the end starts from the beginning.
        let last = !reading && self.frame + 1 >= timeline.len();
        if play && last && !self.backwards {
            self.frame = 0;
        }
        // And at the beginning it plays forwards.
        self.backwards &= self.frame > 0;
    }

    fn seek_event(
        &mut self,
        way: PlayDirection,
        event: &SeekEvent,
        timeline: &ReplayTimeline,
        reading: bool,
    ) {
        self.playing = false;
        match seek_frame(timeline, self.frame, way, event) {
            Ok(Some(at)) => self.move_to_frame(at),
            Ok(None) => {
                let where_to = match (way, reading) {
                    (PlayDirection::Forwards, true) => "not in what was read so far",
                    (PlayDirection::Forwards, false) => "not from here to the end",
                    (PlayDirection::Backwards, _) => "not from here to the beginning",
                };
                self.set_message(format!("{event}: {where_to}"));
            }
            Err(problem) => self.set_message(format!("{event}: {problem}")),
        }
    }

    fn jump_to(&mut self, spot: PlayPosition, timeline: &ReplayTimeline, reading: bool) {
        self.playing = false;
        match (resolve_position(spot, timeline, reading), reading) {
            (Some(at), _) => self.move_to_frame(at),
            (None, true) => {
                self.pending_position = Some(spot);
                self.move_to_frame(timeline.len().saturating_sub(1));
            }
            (None, false) => self.set_message(match spot {
                PlayPosition::Version(number) => format!("there is no version {number}"),
                _ => format!(
                    "there are {} decisions",
                    timeline.decision_count(timeline.len())
                ),
            }),
        }
    }

    fn move_to_frame(&mut self, at: usize) {
        self.frame = at;
        self.elapsed_in_frame = Duration::ZERO;
    }

    fn set_message(&mut self, what: String) {
        self.message = (self.message.0 + 1, what.into());
    }

    /// More of the recording was read: moves to the pending position, as far as that is known now. Returns whether the moment or the
    /// message changed.
    pub fn on_timeline_grown(&mut self, timeline: &ReplayTimeline, reading: bool) -> bool {
        let Some(spot) = self.pending_position.take() else {
            return false;
        };
        let before = (self.frame, self.message.0);
        self.jump_to(spot, timeline, reading);
        before != (self.frame, self.message.0)
    }

    /// Advances the clock of the viewer. Returns whether the moment changed, or the player paused.
    pub fn advance_time(
        &mut self,
        time: Duration,
        timeline: &ReplayTimeline,
        reading: bool,
    ) -> bool {
        if !self.playing {
            return false;
        }
        self.elapsed_in_frame += time.mul_f64(self.speed);
        let before = self.frame;
        while let Some(next) = self.next_frame(timeline) {
            let wait = self.frame_duration(timeline, next);
            if self.elapsed_in_frame < wait {
                return self.frame != before;
            }
            self.elapsed_in_frame -= wait;
            self.frame = next;
        }
        self.elapsed_in_frame = Duration::ZERO;
        // More of the recording may be read soon.
        self.playing = reading && !self.backwards;
        self.frame != before || !self.playing
    }

    /// The time until the next moment, if it plays by itself.
    pub fn time_to_next_frame(&self, timeline: &ReplayTimeline) -> Option<Duration> {
        let next = self.next_frame(timeline).filter(|_| self.playing)?;
        let left = self
            .frame_duration(timeline, next)
            .saturating_sub(self.elapsed_in_frame);
        Some(left.div_f64(self.speed).max(FRAME))
    }

    fn next_frame(&self, timeline: &ReplayTimeline) -> Option<usize> {
        match self.backwards {
            true => self.frame.checked_sub(1),
            false => Some(self.frame + 1).filter(|next| *next < timeline.len()),
        }
    }

    /// How much of the run's own time this moment is shown before the next.
    fn frame_duration(&self, timeline: &ReplayTimeline, next: usize) -> Duration {
        timeline
            .elapsed_at(next)
            .abs_diff(timeline.elapsed_at(self.frame))
            .min(LONGEST.mul_f64(self.speed.min(1.0)))
    }
}

/// The moment of a place; none if it is missing, or not read yet.
fn resolve_position(spot: PlayPosition, timeline: &ReplayTimeline, reading: bool) -> Option<usize> {
    let last = timeline.len().checked_sub(1)?;
    let whole = (!reading).then_some(last);
    match spot {
        PlayPosition::Start => Some(0),
        PlayPosition::End => whole,
        PlayPosition::Percent(share) => Some(whole? * usize::from(share.min(100)) / 100),
        PlayPosition::Decision(decision) => timeline.frame_of_decision(decision),
        PlayPosition::Version(number) => timeline.frame_of_version(number),
    }
}
