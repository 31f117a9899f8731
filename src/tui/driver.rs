//! The loop: hears keys, snapshots, signals and the clock, and draws when something changed, at most so often.
//!
//! ```text
//!   input ──┐
//!   bell  ──┤            ┌─▶ key, take ─▶ dirty ─▶ draw, when the frame's time has come
//!   signals ┼─▶ select! ─┤
//!   watch ──┤            └─▶ commands to the run
//!   clock ──┘
//! ```

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, after, never, select};
use crossterm::event::{Event, MouseButton, MouseEventKind};

use super::app::{App, Effect};
use super::commands::Action;
use super::editor::{Desk, Edited};
use super::input::{Ends, Input};
use super::keys::Key;
use super::terminal::Screen;
use super::theme::Role;
use super::{Behind, Leave, Left, TuiError};
use crate::reduce::{Board, Command, State};
use crate::session::watch::{Change, Unsettled, Watch};

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
    behind: Behind<'a>,
    drawn: Instant,
    /// When the next frame is due, if anything changed.
    due: Option<Instant>,
    /// Files that changed.
    unsettled: Unsettled,
    /// Where the user edits the program, once that was done.
    desk: Option<Desk>,
    /// The user leaves: why, and until when the run is waited for.
    leaving: Option<(Leave, Instant)>,
    /// Why the run stood still then.
    trouble: Option<String>,
}

impl<'a> Driver<'a> {
    /// A loop that draws on `screen`.
    pub fn new(app: App, screen: Screen, board: &'a Board, behind: Behind<'a>) -> Driver<'a> {
        let now = Instant::now();
        Driver {
            app,
            screen,
            board,
            behind,
            drawn: now,
            due: Some(now),
            unsettled: Unsettled::default(),
            desk: None,
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
        watch: &Watch,
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
                return Ok(self.left(leave));
            }
            let changes = self.unsettled.settled();
            if !changes.is_empty() {
                self.settle(&changes)?;
            }
            let clock = if self.app.work() {
                // There is more to do: only what has happened already is heard first.
                self.dirty(CALM);
                after(Duration::ZERO)
            } else {
                self.clock()
            };
            // With a frame due there is nothing more to hear from the board: it is looked at when the frame is drawn. So a fast
            // run wakes the screen as often as it is drawn, not as often as it tests.
            let bell = if self.due.is_some() { &silence } else { &bell };
            select! {
                recv(input.events) -> event => match event {
                    Ok(event) => {
                        self.hear(event.map_err(TuiError::Terminal)?, input)?;
                        while let Ok(event) = input.events.try_recv() {
                            self.hear(event.map_err(TuiError::Terminal)?, input)?;
                        }
                    }
                    Err(_) => return Err(TuiError::Panicked),
                },
                recv(bell) -> _ => self.dirty(CALM),
                recv(ends.signals) -> signal => self.leave(Leave::Signal(signal.unwrap_or_default())),
                recv(watch.changes) -> change => if let Ok(change) = change {
                    self.unsettled.hear(change);
                },
                recv(over) -> _ => {
                    self.trouble = None;
                    return Ok(self.left(Leave::Over));
                }
                recv(clock) -> _ => self.wait_for_test(),
            }
        }
    }

    fn left(&mut self, leave: Leave) -> Left {
        Left {
            leave,
            trouble: self.trouble.take(),
            rested: self.app.pace.rested(),
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
        let next = [self.due, until, self.unsettled.until]
            .into_iter()
            .flatten()
            .min();
        after(next.map_or(CLOCK, |next| {
            next.saturating_duration_since(Instant::now()).min(CLOCK)
        }))
    }

    /// The clock rang: the time that a long test or a long thought takes moves.
    fn wait_for_test(&mut self) {
        let snapshot = self.app.snapshot.as_ref();
        let waiting = snapshot
            .is_some_and(|snapshot| snapshot.trying.is_some() || snapshot.state == State::Running);
        let waiting = waiting || !self.app.toasts.is_empty();
        if waiting && self.due.is_none() && self.drawn.elapsed() >= CLOCK {
            self.dirty(CALM);
        }
    }

    /// Files have changed, and nobody writes to them any more.
    fn settle(&mut self, changes: &[Change]) -> Result<(), TuiError> {
        if changes.contains(&Change::Settings) {
            match self.app.setup.again() {
                Ok(setup) => {
                    let mouse = setup.config.mouse();
                    self.screen.hear_mouse(mouse).map_err(TuiError::Terminal)?;
                    self.app.settle(setup);
                    self.app.toasts.mended();
                    self.app
                        .toasts
                        .tell("the configuration was read again", Role::Note);
                }
                Err(error) => {
                    let text = error.to_string().replace('\n', "; ");
                    let text = format!("{text}; the configuration stays as it was");
                    self.app.toasts.tell(text, Role::Failed);
                }
            }
        }
        for notice in changes.iter().filter_map(|change| change.notice()) {
            self.app.notice(notice);
        }
        self.dirty(QUICK);
        Ok(())
    }

    fn look_at_board(&mut self) {
        self.app.again = self.board.again();
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

    fn hear(&mut self, event: Event, input: &Input) -> Result<(), TuiError> {
        let changed = match event {
            Event::Key(event) => match Key::of(&event) {
                Some(key) => self.obey(key, input)?,
                None => false,
            },
            Event::Mouse(event) => match event.kind {
                MouseEventKind::Down(MouseButton::Left) => self.app.press(event.column, event.row),
                MouseEventKind::Drag(MouseButton::Left) => self.app.pull(event.column, event.row),
                MouseEventKind::Up(MouseButton::Left) => {
                    self.app.release();
                    false
                }
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

    fn obey(&mut self, key: Key, input: &Input) -> Result<bool, TuiError> {
        match self.app.key(key) {
            Effect::Nothing => return Ok(false),
            Effect::Draw => {}
            Effect::Send(command) => {
                self.send(command);
            }
            Effect::Play(wanted) => {
                if let Behind::Replay(moves) = self.behind {
                    // The player listens as long as there is a screen.
                    let _ = moves.try_send(wanted);
                }
            }
            Effect::Edit => self.edit(input)?,
            Effect::Suspend => self.screen.suspend().map_err(TuiError::Terminal)?,
            Effect::Leave => self.leave(Leave::User),
        }
        Ok(true)
    }

    /// Has the program edited, and the run try what comes back.
    fn edit(&mut self, input: &Input) -> Result<(), TuiError> {
        let snapshot = self.app.snapshot.clone();
        let documents = snapshot
            .as_ref()
            .map(|snapshot| snapshot.version.documents());
        let Some(document) = documents.and_then(|documents| documents.first()) else {
            return Ok(());
        };
        let desk = match self.desk.take().map_or_else(Desk::new, Ok) {
            Ok(desk) => self.desk.insert(desk),
            Err(error) => {
                self.app.toasts.tell(error.to_string(), Role::Failed);
                return Ok(());
            }
        };
        let screen = &mut self.screen;
        let edited = input.lend(|| screen.lend(|| desk.edit(document)));
        match edited.map_err(TuiError::Terminal)? {
            Edited::Same => self.app.said = Some("nothing was edited".into()),
            Edited::Failed(reason) => self.app.toasts.tell(reason, Role::Failed),
            Edited::Text(text) => {
                let command = Command::Edit {
                    text: text.into(),
                    larger: false,
                };
                let line = format!("edit {}", desk.path(document).to_string_lossy());
                self.app.send(command.clone(), line);
                self.send(command);
            }
        }
        Ok(())
    }

    /// Tells the run something, if there is one that listens: it takes commands until it ends.
    fn send(&self, command: Command) -> bool {
        match self.behind {
            Behind::Run(commands) => commands.try_send(command).is_ok(),
            Behind::Replay(_) => false,
        }
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
            self.app
                .await_command(Command::Stop, Command::Stop.to_string());
            if !self.send(Command::Stop) {
                // There is no run that could be waited for.
                self.leaving = Some((leave, Instant::now()));
            }
            self.dirty(QUICK);
        }
    }
}
