//! A lesson about a race, played without a screen: told in lines.

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, never, select};

use super::race_lanes::{RaceEnd, StartedRace};
use crate::cli::failure::CommandFailure;
use crate::cli::launch::signals::TerminationSignals;
use crate::lesson::{Lesson, LessonMove, LessonStep, RacePlayer};
use crate::oracle::{ClientState, RunnerPace};
use crate::plain::{ConsoleWriter, LessonLines, LessonListener};
use crate::reduce::RunSnapshot;

/// Lanes that stand still for so long have nothing more to tell, also if a test of theirs failed.
const STILL: Duration = Duration::from_secs(1);

/// Who hears a lesson about a race that is played without a screen.
pub trait RaceListener {
    /// A step begins; its number, from 1, and how many there are.
    fn hear_step(&mut self, number: (usize, usize), step: &LessonStep);
    /// The lanes have done the tests of the step, and stand still in these states.
    fn hear_lanes(&mut self, step: &LessonStep, lanes: &[Arc<RunSnapshot>]);
}

/// Tells a lesson about a race in lines.
pub(super) struct RaceLines {
    lines: LessonLines,
    strategies: Vec<String>,
}

impl RaceLines {
    /// Tells what the lesson is about.
    pub(super) fn new(lesson: &Lesson, strategies: Vec<String>) -> RaceLines {
        let mut lines = LessonLines::new(ConsoleWriter::stdout());
        lines.tell_title(lesson);
        RaceLines { lines, strategies }
    }
}

impl RaceListener for RaceLines {
    fn hear_step(&mut self, number: (usize, usize), step: &LessonStep) {
        self.lines.hear_step(number, step);
    }

    fn hear_lanes(&mut self, step: &LessonStep, lanes: &[Arc<RunSnapshot>]) {
        for (name, lane) in self.strategies.iter().zip(lanes) {
            self.lines.tell_lane(name, lane);
        }
        self.lines.tell_answer(step);
    }
}

impl StartedRace {
    /// Plays a lesson to its end, and stops the lanes that still run.
    pub(super) fn tell_lesson(
        self,
        lesson: &Arc<Lesson>,
        listener: &mut dyn RaceListener,
        signals: &TerminationSignals,
    ) -> Result<RaceEnd, CommandFailure> {
        self.runner.set_pace(RunnerPace::Rounds);
        let mut player = RacePlayer::new(lesson.clone());
        let (mut tests, mut heard) = (0, None);
        tell_step(&player, listener);
        while heard.is_none() {
            while player.has_rounds() && heard.is_none() && !self.is_over() {
                self.runner.permit_round();
                player.note_round();
                tests += 1;
                heard = self.wait_for_round(tests, &signals.received);
            }
            player.note_end();
            if player.place().is_newest_answered() {
                heard = heard.or_else(|| self.wait_for_round(tests, &signals.received));
                listener.hear_lanes(player.place().newest_step(), &self.newest_snapshots());
            }
            match player.go_forth(false) {
                LessonMove::Over => break,
                LessonMove::Began => tell_step(&player, listener),
                _ => {}
            }
        }
        self.stop_lanes();
        self.wait_for_lanes(heard)
    }

    /// Waits until each lane has had so many tests and asks for the next, or has ended. Returns the signal that came meanwhile.
    fn wait_for_round(&self, tests: u64, signals: &Receiver<i32>) -> Option<i32> {
        let mut signals = signals.clone();
        while !self.stands_still(tests) {
            select! {
                recv(self.bell) -> _ => {}
                recv(signals) -> signal => match signal {
                    Ok(signal) => return Some(signal),
                    Err(_) => signals = never(),
                },
                default(STILL) => if self.stands_still(0) {
                    return None;
                },
            }
        }
        None
    }

    /// Whether each lane has had so many tests and asks for the next, or has ended.
    fn stands_still(&self, tests: u64) -> bool {
        let states = self.runner.client_states();
        let mut lanes = self.runs.iter().zip(states);
        lanes.all(|(run, state)| {
            let newest = run.board.newest_snapshot();
            newest.is_some_and(|newest| match state {
                ClientState::Held => newest.counts.tests >= tests && has_question(&newest),
                ClientState::Gone => newest.state.is_finished(),
                ClientState::Idle | ClientState::Testing(_) => false,
            })
        })
    }

    fn is_over(&self) -> bool {
        let lanes = self.newest_snapshots();
        lanes.iter().all(|lane| lane.state.is_finished())
    }

    fn newest_snapshots(&self) -> Vec<Arc<RunSnapshot>> {
        let runs = self.runs.iter();
        runs.filter_map(|run| run.board.newest_snapshot()).collect()
    }
}

/// Whether the snapshot shows the candidate that waits for its test.
fn has_question(snapshot: &RunSnapshot) -> bool {
    let asked = snapshot.current_test.as_ref();
    asked.is_some_and(|asked| asked.decision == snapshot.counts.decisions + 1)
}

fn tell_step(player: &RacePlayer, listener: &mut dyn RaceListener) {
    let place = player.place();
    let all = place.lesson().steps.len();
    if let Some((number, step)) = place.shown_step() {
        listener.hear_step((number, all), step);
    }
}
