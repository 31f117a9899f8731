//! The loop of a race: it receives keys, the news of all lanes, signals and clock ticks, and draws a frame when something changed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, after, never, select};
use crossterm::event::Event;

use super::input::{InputReader, SignalListener};
use super::terminal::TerminalScreen;
use super::{ExitReason, TuiError, is_hangup};
use crate::oracle::{MultiRunner, RunnerPace};
use crate::reduce::SnapshotBoard;
use crate::tui::commands::keys::KeyPress;
use crate::tui::race::{RaceDrive, RaceEffect, RaceScreen};

/// The least time between frames.
const FRAME_INTERVAL: Duration = Duration::from_millis(33);
/// The time between frames when only the shown times change.
const CLOCK_INTERVAL: Duration = Duration::from_millis(500);

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
    let screen = TerminalScreen::open(false).map_err(TuiError::Terminal)?;
    let input = InputReader::start_reading().map_err(TuiError::Terminal)?;
    let mut race_loop = RaceLoop {
        screen,
        race,
        source,
        last_drawn: Instant::now(),
        next_frame: Some(Instant::now()),
        next_tick: None,
    };
    race_loop.steer_lanes();
    match race_loop.run(&input, ends) {
        Err(error) if is_hangup(&error) => Ok(ExitReason::Signal(libc::SIGHUP)),
        left => left,
    }
}

/// The loop and its state.
struct RaceLoop<'a> {
    /// The first field: the terminal is restored before anything large is dropped.
    screen: TerminalScreen,
    race: RaceScreen,
    source: &'a RaceSource<'a>,
    last_drawn: Instant,
    /// When the next frame is due, if anything changed.
    next_frame: Option<Instant>,
    /// When the next round is due, if rounds have a tempo.
    next_tick: Option<Instant>,
}

impl RaceLoop<'_> {
    fn run(mut self, input: &InputReader, ends: &SignalListener) -> Result<ExitReason, TuiError> {
        let silence = never();
        loop {
            if !self.screen.owns_terminal() {
                return Err(TuiError::Panicked);
            }
            if self.next_frame.is_some_and(|due| due <= Instant::now()) {
                self.draw_frame()?;
            }
            if self.next_tick.is_some_and(|due| due <= Instant::now()) {
                self.begin_round();
            }
            // While a frame is due the bell says nothing new.
            let bell = match self.next_frame {
                Some(_) => &silence,
                None => &self.source.bell,
            };
            let deadlines = [self.next_frame, self.next_tick].into_iter().flatten();
            let wait = deadlines.min().map_or(CLOCK_INTERVAL, |due| {
                due.saturating_duration_since(Instant::now())
            });
            select! {
                recv(input.events) -> event => {
                    let event = event.map_err(|_| TuiError::Panicked)?;
                    let event = event.map_err(TuiError::Terminal)?;
                    if self.handle_event(&event)? {
                        return Ok(ExitReason::User);
                    }
                }
                recv(bell) -> _ => self.request_frame(FRAME_INTERVAL),
                recv(ends.signals) -> signal => {
                    return Ok(ExitReason::Signal(signal.unwrap_or_default()));
                }
                recv(after(wait)) -> _ => {
                    if self.next_frame.is_none() && self.race.is_at_work() {
                        self.request_frame(FRAME_INTERVAL);
                    }
                }
            }
        }
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
        }
        let is_over = self.race.is_over();
        self.next_tick = (!is_over).then(|| Instant::now() + interval);
    }

    /// Requests a frame, at least `apart` after the last one.
    fn request_frame(&mut self, apart: Duration) {
        let due = self.last_drawn + apart;
        self.next_frame = Some(self.next_frame.map_or(due, |already| already.min(due)));
    }

    fn draw_frame(&mut self) -> Result<(), TuiError> {
        for (lane, board) in self.source.boards.iter().enumerate() {
            self.race.apply_snapshot(lane, board.newest_snapshot());
        }
        self.race
            .apply_client_states(&self.source.runner.client_states());
        let race = &mut self.race;
        self.screen
            .draw_frame(|buffer| race.draw_frame(buffer, Instant::now()))
            .map_err(TuiError::Terminal)?;
        (self.last_drawn, self.next_frame) = (Instant::now(), None);
        Ok(())
    }

    /// Handles an event. Returns whether the user leaves.
    fn handle_event(&mut self, event: &Event) -> Result<bool, TuiError> {
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
            RaceEffect::Suspend => self.screen.suspend_process().map_err(TuiError::Terminal)?,
        }
        self.request_frame(Duration::ZERO);
        Ok(false)
    }
}
