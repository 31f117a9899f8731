//! The screen of a race: several strategies side by side on one program, a lane for each, and their curves in one picture.
//!
//! ```text
//!   snapshots, states of the runner's clients ─▶ RaceScreen ─▶ frame
//!                                         keys ─▶           ─▶ RaceEffect: what the driver does
//! ```
//!
//! | file | subject |
//! | --- | --- |
//! | `lane_view.rs` | a lane: the run of a strategy, as the screen knows it |
//! | `race_keys.rs` | the table of keys |
//! | `race_lesson.rs` | the lesson that tells the race |
//! | `standings.rs` | who is ahead, in words |
//! | `race_frame.rs`, `lane_drawing.rs`, `race_curves.rs` | the frame, a lane in it, and the common picture |
//!
//! Only the driver (`driver/race_loop.rs`) knows the terminal and the clock.

mod lane_drawing;
mod lane_view;
mod race_curves;
mod race_frame;
mod race_keys;
mod race_lesson;
mod standings;

use std::sync::Arc;
use std::time::Duration;

use self::lane_view::LaneView;
use self::race_keys::RaceAction;
use super::commands::keys::KeyPress;
use super::setup::ScreenSetup;
use super::theme::ResolvedTheme;
use crate::lesson::{Lesson, RacePlayer};
use crate::oracle::{ClientState, RunnerPace};
use crate::reduce::RunSnapshot;

pub use race_keys::render_race_keys;
pub use standings::{LaneStanding, describe_standings};

/// What a race is about.
#[derive(Clone, Debug, Default)]
pub struct RaceContext {
    /// The name of the file.
    pub title: String,
    /// The test, as the user wrote it.
    pub test: String,
    /// The strategies, in the order of their lanes.
    pub strategies: Vec<String>,
    /// How the lanes run at the start.
    pub pace: RunnerPace,
    /// Whether they run at the start, or wait for the user.
    pub is_running: bool,
    /// The lesson that tells the race.
    pub lesson: Option<Arc<Lesson>>,
}

/// What the driver must do after a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaceEffect {
    /// Nothing; the frame is still valid.
    Nothing,
    /// Draw a new frame.
    Redraw,
    /// Let the lanes run as [`RaceScreen::drive`] says.
    Steer,
    /// Let each lane have one test.
    Step,
    /// Suspend the process, as Ctrl-Z does.
    Suspend,
    /// Leave the screen.
    Quit,
}

/// How the lanes are to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaceDrive {
    /// They wait.
    Wait,
    /// Without waiting.
    Go(RunnerPace),
    /// A round each time that this time has passed, or later if a test takes longer.
    Tick(Duration),
}

/// Rounds a second, from the slowest; none for as many as there can be.
const TEMPOS: [Option<u32>; 6] = [Some(1), Some(2), Some(5), Some(10), Some(30), None];
/// Rounds a second in a lesson without a tempo.
const MOST_ROUNDS: u32 = 200;
/// The tempo at the start: somebody can follow it.
const USUAL_TEMPO: usize = 3;

/// The state of the screen.
#[derive(Debug)]
pub struct RaceScreen {
    title: String,
    test: String,
    pace: RunnerPace,
    /// The place in `TEMPOS`.
    tempo: usize,
    is_running: bool,
    /// Whether the axis of tests is logarithmic.
    has_log_axis: bool,
    lanes: Vec<LaneView>,
    chosen: usize,
    /// Whether the chosen lane has the whole screen.
    is_zoomed: bool,
    shows_help: bool,
    /// The lesson that tells the race.
    lesson: Option<RacePlayer>,
    setup: ScreenSetup,
    theme: ResolvedTheme,
}

impl RaceScreen {
    /// A screen whose lanes have not begun.
    pub fn new(context: RaceContext, setup: ScreenSetup) -> RaceScreen {
        let lanes = context.strategies.into_iter();
        RaceScreen {
            title: context.title,
            test: context.test,
            pace: context.pace,
            tempo: USUAL_TEMPO,
            is_running: context.is_running,
            has_log_axis: false,
            lanes: lanes.map(|name| LaneView::new(name, &setup)).collect(),
            chosen: 0,
            is_zoomed: false,
            shows_help: false,
            lesson: context.lesson.map(RacePlayer::new),
            theme: setup.theme.clone(),
            setup,
        }
    }

    /// Applies the newest snapshot of a lane, if there is one that is not known.
    pub fn apply_snapshot(&mut self, lane: usize, newest: Option<Arc<RunSnapshot>>) {
        if let (Some(lane), Some(newest)) = (self.lanes.get_mut(lane), newest) {
            lane.apply_snapshot(newest);
        }
    }

    /// Applies what each lane waits for.
    pub fn apply_client_states(&mut self, states: &[ClientState]) {
        for (lane, state) in self.lanes.iter_mut().zip(states) {
            lane.client = *state;
        }
    }

    /// Whether all lanes have ended.
    pub fn is_over(&self) -> bool {
        self.lanes.iter().all(LaneView::is_over)
    }

    /// Whether a lane has a test under way, or works out its next question.
    pub fn is_at_work(&self) -> bool {
        let works = |lane: &LaneView| match lane.client {
            ClientState::Held | ClientState::Gone => false,
            ClientState::Idle | ClientState::Testing(_) => !lane.is_over(),
        };
        self.lanes.iter().any(works)
    }

    /// How the lanes are to run now.
    pub fn drive(&self) -> RaceDrive {
        if self.is_lesson_at_work() {
            let rounds = TEMPOS[self.tempo].unwrap_or(MOST_ROUNDS);
            return RaceDrive::Tick(Duration::from_secs(1) / rounds);
        }
        match (self.is_running, self.pace, TEMPOS[self.tempo]) {
            (false, ..) => RaceDrive::Wait,
            (true, RunnerPace::Rounds, Some(rounds)) => {
                RaceDrive::Tick(Duration::from_secs(1) / rounds)
            }
            (true, pace, _) => RaceDrive::Go(pace),
        }
    }

    /// What a key does.
    pub fn handle_key(&mut self, key: KeyPress) -> RaceEffect {
        let action = race_keys::find_action(&self.setup.keys, key, self.is_in_lesson());
        // Any key closes the help.
        if std::mem::take(&mut self.shows_help) && action != Some(RaceAction::Quit) {
            return RaceEffect::Redraw;
        }
        let Some(action) = action else {
            return RaceEffect::Nothing;
        };
        match action {
            RaceAction::LessonNext => return self.go_forth_in_lesson(),
            RaceAction::LessonBack => return self.go_back_in_lesson(),
            RaceAction::Pause => {
                self.is_running = !self.is_running;
                return RaceEffect::Steer;
            }
            RaceAction::Step if self.is_running => {
                self.is_running = false;
                return RaceEffect::Steer;
            }
            RaceAction::Step => return RaceEffect::Step,
            RaceAction::Faster => {
                self.tempo = (self.tempo + 1).min(TEMPOS.len() - 1);
                return RaceEffect::Steer;
            }
            RaceAction::Slower => {
                self.tempo = self.tempo.saturating_sub(1);
                return RaceEffect::Steer;
            }
            RaceAction::SwitchPace => {
                self.pace = match self.pace {
                    RunnerPace::Rounds => RunnerPace::Free,
                    RunnerPace::Free => RunnerPace::Rounds,
                };
                return RaceEffect::Steer;
            }
            RaceAction::ChooseLane(lane) if lane >= self.lanes.len() => return RaceEffect::Nothing,
            RaceAction::ChooseLane(lane) => self.chosen = lane,
            RaceAction::NextLane => self.chosen = (self.chosen + 1) % self.lanes.len().max(1),
            RaceAction::PreviousLane => {
                let lanes = self.lanes.len().max(1);
                self.chosen = (self.chosen + lanes - 1) % lanes;
            }
            RaceAction::SwitchAxis => self.has_log_axis = !self.has_log_axis,
            RaceAction::Zoom => self.is_zoomed = !self.is_zoomed,
            RaceAction::Unzoom if !self.is_zoomed => return RaceEffect::Nothing,
            RaceAction::Unzoom => self.is_zoomed = false,
            RaceAction::Help => self.shows_help = true,
            RaceAction::Suspend => return RaceEffect::Suspend,
            RaceAction::Quit => return RaceEffect::Quit,
        }
        RaceEffect::Redraw
    }

    /// How the lanes run, in words.
    fn pace_text(&self) -> String {
        match (self.pace, TEMPOS[self.tempo]) {
            (RunnerPace::Free, _) => "in real time".into(),
            (RunnerPace::Rounds, None) => "by tests, no pause".into(),
            (RunnerPace::Rounds, Some(rounds)) => format!("by tests, {rounds}/s"),
        }
    }

    /// How far each lane is.
    fn standings(&self) -> Vec<LaneStanding> {
        let standing = |lane: &LaneView| {
            let snapshot = lane.view.snapshot.as_ref()?;
            Some(LaneStanding::of_snapshot(&lane.name, snapshot))
        };
        self.lanes.iter().filter_map(standing).collect()
    }
}
