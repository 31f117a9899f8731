//! The loop: hears keys, snapshots, signals and the clock, and draws when something changed, at most so often.
//!
//! ```text
//!   input ──┐
//!   bell  ──┤            ┌─▶ key, take ─▶ dirty ─▶ draw, when the frame's time has come
//!   signals ┼─▶ select! ─┤
//!   clock ──┘            └─▶ commands to the run
//! ```

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, after, never, select};
use crossterm::event::{Event, MouseButton, MouseEventKind};

use super::app::{App, Effect};
use super::commands::Action;
use super::input::{Ends, Input};
use super::keys::Key;
use super::terminal::Screen;
use super::{Leave, Left, TuiError};
use crate::reduce::{Board, Command, State};

/// The time between frames after a key.
const QUICK: Duration = Duration::from_micros(16_667);
/// The time between frames when only the run changed.
const CALM: Duration = Duration::from_millis(50);
/// How often the clock on the screen moves while nothing else does.
const CLOCK: Duration = Duration::from_millis(500);
/// How long the run may take to stop.
const STOPPING: Duration = Duration::from_secs(2);

/// The loop and what it needs.
pub struct Driver<'a> {
    app: App,
    screen: Screen,
    board: &'a Board,
    commands: &'a Sender<Command>,
    drawn: Instant,
    /// When the next frame is due, if anything changed.
    due: Option<Instant>,
    /// The user leaves: why, and until when the run is waited for.
    leaving: Option<(Leave, Instant)>,
    /// Why the run stood still then.
    trouble: Option<String>,
}

impl<'a> Driver<'a> {
    /// A loop that draws on `screen`.
    pub fn new(
        app: App,
        screen: Screen,
        board: &'a Board,
        commands: &'a Sender<Command>,
    ) -> Driver<'a> {
        let now = Instant::now();
        Driver {
            app,
            screen,
            board,
            commands,
            drawn: now,
            due: Some(now),
            leaving: None,
            trouble: None,
        }
    }

    /// Runs until the user leaves, or it is over.
    ///
    /// # Errors
    /// When the terminal is gone, or a panic took it away.
    pub fn run(
        mut self,
        input: &Input,
        ends: &Ends,
        over: &Receiver<()>,
    ) -> Result<Left, TuiError> {
        let (bell, silence) = (self.board.bell(), never());
        loop {
            if !self.screen.is_ours() {
                return Err(TuiError::Panicked);
            }
            if self.due.is_some_and(|due| due <= Instant::now()) {
                self.draw()?;
            }
            if let Some((leave, until)) = self.leaving
                && (self.app.finished() || until <= Instant::now())
            {
                let trouble = self.trouble.take();
                return Ok(Left { leave, trouble });
            }
            let clock = self.clock();
            // With a frame due there is nothing more to hear from the board: it is looked at when the frame is drawn. So a fast
            // run wakes the screen as often as it is drawn, not as often as it tests.
            let bell = if self.due.is_some() { &silence } else { &bell };
            select! {
                recv(input.events) -> event => match event {
                    Ok(event) => {
                        self.hear(event.map_err(TuiError::Terminal)?)?;
                        while let Ok(event) = input.events.try_recv() {
                            self.hear(event.map_err(TuiError::Terminal)?)?;
                        }
                    }
                    Err(_) => return Err(TuiError::Panicked),
                },
                recv(bell) -> _ => self.dirty(CALM),
                recv(ends.signals) -> signal => self.leave(Leave::Signal(signal.unwrap_or_default())),
                recv(over) -> _ => {
                    let (leave, trouble) = (Leave::Over, None);
                    return Ok(Left { leave, trouble });
                }
                recv(clock) -> _ => self.wait_for_test(),
            }
        }
    }

    fn draw(&mut self) -> Result<(), TuiError> {
        self.look_at_board();
        let app = &mut self.app;
        self.screen
            .draw(|buffer| app.draw(buffer, Instant::now()))
            .map_err(TuiError::Terminal)?;
        self.drawn = Instant::now();
        self.due = None;
        Ok(())
    }

    /// Something changed: the next frame is due when the last one is old enough.
    fn dirty(&mut self, apart: Duration) {
        let due = self.drawn + apart;
        self.due = Some(self.due.map_or(due, |already| already.min(due)));
    }

    /// Rings when there is something to do though nothing happened; and now and then, to see whether the terminal is ours still.
    fn clock(&self) -> Receiver<Instant> {
        let until = self.leaving.map(|(_, until)| until);
        let next = [self.due, until].into_iter().flatten().min();
        after(next.map_or(CLOCK, |next| {
            next.saturating_duration_since(Instant::now()).min(CLOCK)
        }))
    }

    /// The clock rang: the time that a long test or a long thought takes moves.
    fn wait_for_test(&mut self) {
        let snapshot = self.app.snapshot.as_ref();
        let waiting = snapshot
            .is_some_and(|snapshot| snapshot.trying.is_some() || snapshot.state == State::Running);
        if waiting && self.due.is_none() && self.drawn.elapsed() >= CLOCK {
            self.dirty(CALM);
        }
    }

    fn look_at_board(&mut self) {
        if let Some(newest) = self.board.newest()
            && !self
                .app
                .snapshot
                .as_ref()
                .is_some_and(|known| Arc::ptr_eq(known, &newest))
        {
            self.app.take(newest);
        }
    }

    fn hear(&mut self, event: Event) -> Result<(), TuiError> {
        let changed = match event {
            Event::Key(event) => match Key::of(&event) {
                Some(key) => self.obey(key)?,
                None => false,
            },
            Event::Mouse(event) => match event.kind {
                MouseEventKind::Down(MouseButton::Left) => self.app.click(event.column, event.row),
                MouseEventKind::ScrollUp => self.app.wheel(event.column, event.row, Action::Up),
                MouseEventKind::ScrollDown => self.app.wheel(event.column, event.row, Action::Down),
                _ => false,
            },
            Event::Resize(..) => true,
            _ => false,
        };
        if changed {
            self.dirty(QUICK);
        }
        Ok(())
    }

    fn obey(&mut self, key: Key) -> Result<bool, TuiError> {
        match self.app.key(key) {
            Effect::Nothing => return Ok(false),
            Effect::Draw => {}
            // The run takes commands until it ends; after that there is nothing to tell it.
            Effect::Send(command) => {
                let _ = self.commands.try_send(command);
            }
            Effect::Suspend => self.screen.suspend().map_err(TuiError::Terminal)?,
            Effect::Leave => self.leave(Leave::User),
        }
        Ok(true)
    }

    /// Stops the run and leaves when it has stopped.
    fn leave(&mut self, leave: Leave) {
        if self.leaving.is_some() {
            // Asked twice: at once.
            self.leaving = Some((leave, Instant::now()));
            return;
        }
        self.trouble = self.app.trouble().map(str::to_owned);
        self.leaving = Some((leave, Instant::now() + STOPPING));
        if !self.app.finished() {
            self.app.pending = Some((Command::Stop, 0));
            if self.commands.try_send(Command::Stop).is_err() {
                // There is no run that could be waited for.
                self.leaving = Some((leave, Instant::now()));
            }
            self.dirty(QUICK);
        }
    }
}
