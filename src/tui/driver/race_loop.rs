//! The loop of a race: it receives keys, the news of all lanes, signals and clock ticks, and draws a frame when something changed.

use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::{Receiver, after, never, select};
use crossterm::event::Event;

use super::input::SignalListener;
use super::line_pace::FrameCause;
use super::paced_screen::PacedScreen;
use super::{ExitReason, TuiError, is_hangup};
use crate::oracle::{MultiRunner, RunnerPace};
use crate::reduce::SnapshotBoard;
use crate::tui::commands::keys::KeyPress;
use crate::tui::race::{RaceDrive, RaceEffect, RaceScreen};

/// What a race is shown of.
pub struct RaceSource<'a> {
    /// The newest snapshot of each lane.
    pub boards: &'a [Arc<SnapshotBoard>],
    /// Runs the tests of all lanes.
    pub runner: &'a MultiRunner,
    /// Rings when there may be news of a lane.
    pub bell: Receiver<()>,
}

/// Shows a race on the terminal until the user leaves, or `ends` hears a signal. Then the terminal is restored; the lanes still run.
///
/// # Errors
/// When the terminal cannot be used, or a thread panicked.
pub fn run_race_screen(
    race: RaceScreen,
    source: &RaceSource,
    ends: &SignalListener,
) -> Result<ExitReason, TuiError> {
    let mut race_loop = RaceLoop {
        screen: PacedScreen::open(false)?,
        race,
        source,
        next_tick: None,
    };
    race_loop.steer_lanes();
    match race_loop.run(ends) {
        Err(error) if is_hangup(&error) => Ok(ExitReason::Signal(libc::SIGHUP)),
        left => left,
    }
}

/// The loop and its state.
struct RaceLoop<'a> {
    /// The first field: the terminal is restored before anything large is dropped.
    screen: PacedScreen,
    race: RaceScreen,
    source: &'a RaceSource<'a>,
    /// When the next round is due, if rounds have a tempo.
    next_tick: Option<Instant>,
}

impl RaceLoop<'_> {
    fn run(mut self, ends: &SignalListener) -> Result<ExitReason, TuiError> {
        let silence = never();
        let (events, replies) = (self.screen.events(), self.screen.replies());
        let left = loop {
            self.screen.ensure_owned()?;
            if self.screen.is_frame_due() {
                self.draw_frame()?;
            }
            if self.next_tick.is_some_and(|due| due <= Instant::now()) {
                self.begin_round();
            }
            // While a frame is due the bell says nothing new.
            let bell = match self.screen.wants_frame() {
                true => &silence,
                false => &self.source.bell,
            };
            select! {
                recv(events) -> event => {
                    let event = event.map_err(|_| TuiError::Panicked)?;
                    let event = event.map_err(TuiError::Terminal)?;
                    if self.handle_event(&event)? {
                        break ExitReason::User;
                    }
                }
                recv(bell) -> _ => self.screen.request_frame(FrameCause::Run),
                recv(replies) -> reply => if let Ok(reply) = reply {
                    self.screen.on_reply(reply);
                },
                recv(ends.signals) -> signal => break ExitReason::Signal(signal.unwrap_or_default()),
                recv(after(self.screen.wait_for(&[self.next_tick]))) -> _ => if self.race.is_at_work() {
                    self.screen.request_clock_frame();
                },
            }
        };
        self.screen.settle_line();
        Ok(left)
    }

    /// Lets the lanes run as the screen says.
    fn steer_lanes(&mut self) {
        let runner = self.source.runner;
        self.next_tick = None;
        match self.race.drive() {
            RaceDrive::Wait => runner.set_open(false),
            RaceDrive::Go(pace) => {
                runner.set_pace(pace);
                runner.set_open(true);
            }
            RaceDrive::Tick(_) => {
                runner.set_pace(RunnerPace::Rounds);
                runner.set_open(false);
                self.next_tick = Some(Instant::now());
            }
        }
    }

    /// Lets a round begin, unless the last one has not begun yet.
    fn begin_round(&mut self) {
        let RaceDrive::Tick(interval) = self.race.drive() else {
            self.next_tick = None;
            return;
        };
        let runner = self.source.runner;
        if runner.permitted_rounds() == 0 {
            runner.permit_round();
            self.race.note_round();
        }
        let is_over = self.race.is_over();
        self.next_tick = (!is_over).then(|| Instant::now() + interval);
    }

    /// Shows the screen where the lanes are now.
    fn apply_news(&mut self) {
        for (lane, board) in self.source.boards.iter().enumerate() {
            self.race.apply_snapshot(lane, board.newest_snapshot());
        }
        self.race
            .apply_client_states(&self.source.runner.client_states());
    }

    fn draw_frame(&mut self) -> Result<(), TuiError> {
        self.apply_news();
        let race = &mut self.race;
        self.screen
            .draw_frame(|buffer| race.draw_frame(buffer, Instant::now()))
    }

    /// Handles an event. Returns whether the user leaves.
    fn handle_event(&mut self, event: &Event) -> Result<bool, TuiError> {
        self.apply_news();
        let effect = match event {
            Event::Key(event) => match KeyPress::from_event(event) {
                Some(key) => self.race.handle_key(key),
                None => RaceEffect::Nothing,
            },
            Event::Resize(..) => RaceEffect::Redraw,
            _ => RaceEffect::Nothing,
        };
        let runner = self.source.runner;
        match effect {
            RaceEffect::Nothing => return Ok(false),
            RaceEffect::Quit => return Ok(true),
            RaceEffect::Redraw => {}
            RaceEffect::Steer => self.steer_lanes(),
            RaceEffect::Step => runner.permit_round(),
            RaceEffect::Suspend => self.screen.suspend_process()?,
        }
        self.screen.request_frame(FrameCause::Key);
        Ok(false)
    }
}
