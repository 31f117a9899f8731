//! The commands of a replay: they move in the recording.

use crate::reduce::{BreakCondition, EngineCommand, StepUnit};
use crate::session::player::{PlayPosition, PlayerCommand};
use crate::session::seek::PlayDirection;
use crate::tui::app::{App, KeyEffect};
use crate::tui::commands::playback_action::PlaybackAction;
use crate::tui::prompt::line::{PromptKind, PromptLine};

/// The speeds that are allowed.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.001..=1e6;

impl App {
    /// Translates a command for a run into one for the player of its recording.
    pub(in crate::tui) fn replay_command(&mut self, command: &EngineCommand) -> KeyEffect {
        match PlayerCommand::from_command(command) {
            Ok(wanted) => KeyEffect::Play(wanted),
            Err(reason) => {
                let line = command.to_string();
                let name = line.split(' ').next().unwrap_or_default();
                self.show_status(format!("{name}: {reason}"))
            }
        }
    }

    /// Moves in the recording. An action without its argument opens a prompt for it.
    pub(in crate::tui) fn run_playback_action(
        &mut self,
        play: PlaybackAction,
        arg: Option<&str>,
    ) -> KeyEffect {
        let ask = |app: &mut App, name: &str| {
            app.prompt = Some(PromptLine::new(PromptKind::Command, &format!("{name} ")));
            KeyEffect::Redraw
        };
        let wanted = match (play, arg) {
            (PlaybackAction::Back, _) => Ok(PlayerCommand::Step(
                PlayDirection::Backwards,
                StepUnit::Question,
            )),
            (PlaybackAction::Reverse, _) => Ok(PlayerCommand::Reverse),
            (PlaybackAction::Faster, _) => Ok(PlayerCommand::Faster),
            (PlaybackAction::Slower, _) => Ok(PlayerCommand::Slower),
            (PlaybackAction::First, _) => Ok(PlayerCommand::JumpTo(PlayPosition::Start)),
            (PlaybackAction::Last, _) => Ok(PlayerCommand::JumpTo(PlayPosition::End)),
            (PlaybackAction::Speed, None) => Ok(PlayerCommand::Speed(1.0)),
            (PlaybackAction::Speed, Some(times)) => parse_speed(times).map(PlayerCommand::Speed),
            (PlaybackAction::GoTo, None) => return ask(self, "at"),
            (PlaybackAction::GoTo, Some(place)) => parse_position(place).map(PlayerCommand::JumpTo),
            (PlaybackAction::Seek, None) => return ask(self, "seek"),
            (PlaybackAction::Seek, Some(what)) => parse_seek_target(what)
                .map(|halt| PlayerCommand::Seek(PlayDirection::Forwards, halt)),
            (PlaybackAction::SeekBack, None) => return ask(self, "seek-back"),
            (PlaybackAction::SeekBack, Some(what)) => parse_seek_target(what)
                .map(|halt| PlayerCommand::Seek(PlayDirection::Backwards, halt)),
        };
        match wanted {
            Ok(wanted) => KeyEffect::Play(wanted),
            Err(problem) => self.show_status(problem),
        }
    }
}

/// Parses a speed.
pub fn parse_speed(typed: &str) -> Result<f64, String> {
    let times = typed.trim_end_matches('x').parse().ok();
    times
        .filter(|times| SPEEDS.contains(times))
        .ok_or_else(|| format!("`{typed}` is not a speed: a factor such as 0.5 or 20"))
}

/// Parses a position in a recording.
fn parse_position(typed: &str) -> Result<PlayPosition, String> {
    let wrong = || {
        format!(
            "`{typed}` is not a position: a decision (1200), a version (v12), or a percentage (50%)"
        )
    };
    let number = |digits: &str| digits.parse::<u64>().ok();
    let spot = match typed {
        "start" => Some(PlayPosition::Start),
        "end" => Some(PlayPosition::End),
        _ => match (typed.strip_prefix('v'), typed.strip_suffix('%')) {
            (Some(version), _) => number(version).map(PlayPosition::Version),
            (_, Some(share)) => number(share)
                .and_then(|share| u8::try_from(share).ok())
                .filter(|share| *share <= 100)
                .map(PlayPosition::Percent),
            _ => number(typed).map(PlayPosition::Decision),
        },
    };
    spot.ok_or_else(wrong)
}

/// Parses an event to search for.
fn parse_seek_target(typed: &str) -> Result<BreakCondition, String> {
    match EngineCommand::parse_line(&format!("break {typed}")) {
        Ok(EngineCommand::Break(halt)) => Ok(halt),
        Ok(_) => Err(format!("`{typed}` is not an event to search for")),
        Err(problem) => Err(problem.replacen("break", "seek", 1)),
    }
}
