//! The screen of a recorded run: its keys move in the recording, and its header says where one is.

use super::app::{App, Effect};
use super::commands::Play;
use super::prompt::{Kind, Prompt};
use super::text;
use super::theme::Role;
use crate::reduce::{Command, Halt, Replay, Snapshot, Stride};
use crate::session::player::{Move, Spot, Way};

/// The speeds that can be typed.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.001..=1e6;

impl App {
    /// How the recording is played, if it is one.
    pub fn replay(&self) -> Option<&Replay> {
        self.snapshot.as_deref()?.replay.as_ref()
    }

    /// What a command to a run means to its recording.
    pub(super) fn play_as(&mut self, command: &Command) -> Effect {
        match Move::of(command) {
            Ok(wanted) => Effect::Play(wanted),
            Err(reason) => {
                let line = command.to_string();
                let name = line.split(' ').next().unwrap_or_default();
                self.say(format!("{name}: {reason}"))
            }
        }
    }

    /// Moves in the recording; what takes a word and has none asks for it.
    pub(super) fn play(&mut self, play: Play, arg: Option<&str>) -> Effect {
        let ask = |app: &mut App, name: &str| {
            app.prompt = Some(Prompt::new(Kind::Command, &format!("{name} ")));
            Effect::Draw
        };
        let wanted = match (play, arg) {
            (Play::Back, _) => Ok(Move::Step(Way::Backwards, Stride::Question)),
            (Play::Turn, _) => Ok(Move::Turn),
            (Play::Faster, _) => Ok(Move::Faster),
            (Play::Slower, _) => Ok(Move::Slower),
            (Play::First, _) => Ok(Move::To(Spot::Start)),
            (Play::Last, _) => Ok(Move::To(Spot::End)),
            (Play::Speed, None) => Ok(Move::Speed(1.0)),
            (Play::Speed, Some(times)) => speed(times).map(Move::Speed),
            (Play::At, None) => return ask(self, "at"),
            (Play::At, Some(place)) => spot(place).map(Move::To),
            (Play::Seek, None) => return ask(self, "seek"),
            (Play::Seek, Some(what)) => halt(what).map(|halt| Move::Seek(Way::Forwards, halt)),
            (Play::SeekBack, None) => return ask(self, "seek-back"),
            (Play::SeekBack, Some(what)) => halt(what).map(|halt| Move::Seek(Way::Backwards, halt)),
        };
        match wanted {
            Ok(wanted) => Effect::Play(wanted),
            Err(problem) => self.say(problem),
        }
    }

    /// What the player says is told once.
    pub(super) fn hear_player(&mut self, new: &Snapshot) {
        let Some(replay) = &new.replay else {
            return;
        };
        let before = self.replay().map_or(0, |replay| replay.said.0);
        if replay.said.0 != before {
            self.toasts.tell(&*replay.said.1, Role::Note);
        }
    }

    fn way(&self, replay: &Replay) -> (&'static str, Role) {
        let glyphs = &self.look.glyphs;
        match (replay.playing, replay.backwards) {
            (false, _) => (glyphs.paused, Role::Paused),
            (true, false) => (glyphs.forwards, Role::Running),
            (true, true) => (glyphs.backwards, Role::Running),
        }
    }

    /// Where one is in the recording, where there is little room.
    pub(super) fn short_position(&self, snapshot: &Snapshot, replay: &Replay) -> String {
        let (mark, _) = self.way(replay);
        let (at, of) = (snapshot.counts.decisions, replay.decisions);
        format!("{mark} {}/{}", text::number(at), text::number(of))
    }

    /// Where one is in the recording, and how it is played: for the header.
    pub(super) fn position(&self, snapshot: &Snapshot, replay: &Replay) -> (String, Role) {
        let (mark, role) = self.way(replay);
        let more = if replay.reading { ", reading" } else { "" };
        let position = format!(
            "{mark} replay {}x  {} of {}{more}  version {}",
            replay.speed,
            text::number(snapshot.counts.decisions),
            text::count(replay.decisions, "decision"),
            snapshot.number
        );
        (position, role)
    }
}

/// A speed as it is typed.
pub fn speed(typed: &str) -> Result<f64, String> {
    let times = typed.trim_end_matches('x').parse().ok();
    times
        .filter(|times| SPEEDS.contains(times))
        .ok_or_else(|| format!("`{typed}` is no speed: how many times as fast, as 0.5 or 20"))
}

/// A place in a recording as it is typed.
fn spot(typed: &str) -> Result<Spot, String> {
    let wrong =
        || format!("`{typed}` is no place: a decision (1200), a version (v12), or a share (50%)");
    let number = |digits: &str| digits.parse::<u64>().ok();
    let spot = match typed {
        "start" => Some(Spot::Start),
        "end" => Some(Spot::End),
        _ => match (typed.strip_prefix('v'), typed.strip_suffix('%')) {
            (Some(version), _) => number(version).map(Spot::Version),
            (_, Some(share)) => number(share)
                .and_then(|share| u8::try_from(share).ok())
                .filter(|share| *share <= 100)
                .map(Spot::Share),
            _ => number(typed).map(Spot::Decision),
        },
    };
    spot.ok_or_else(wrong)
}

/// What is looked for, as it is typed.
fn halt(typed: &str) -> Result<Halt, String> {
    match Command::read(&format!("break {typed}")) {
        Ok(Command::Break(halt)) => Ok(halt),
        Ok(_) => Err(format!("`{typed}` is nothing to look for")),
        Err(problem) => Err(problem.replacen("break", "seek", 1)),
    }
}
