//! What all loops of the driver have in common: the terminal, and when the next frame may be written.
//!
//! ```text
//!   a change ─▶ request_frame ─▶ next_frame: when ─▶ draw_frame ──asks, on a slow line──▶ the terminal ──answers──▶ on_reply
//! ```

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use crossterm::event::Event;
use ratatui::buffer::Buffer;

use super::TuiError;
use super::editor::EditorEnd;
use super::line_pace::{FrameCause, LineKind, LinePace};
use super::local_terminal::LocalTerminal;
use super::terminal_port::{FrameDelivery, TerminalPort, TerminalReply};

/// The least time between frames after a key.
const KEY_FRAME_INTERVAL: Duration = Duration::from_micros(16_667);
/// The least time between frames when only the run changed.
const RUN_FRAME_INTERVAL: Duration = Duration::from_millis(50);
/// The time between frames when only the shown times change.
pub const CLOCK_INTERVAL: Duration = Duration::from_millis(500);
/// How long a terminal that is there takes to write a frame at most.
const SILENCE: Duration = Duration::from_secs(5);

/// A terminal, and the pace of its frames.
pub struct PacedScreen {
    terminal: Box<dyn TerminalPort>,
    pace: LinePace,
    last_drawn: Instant,
    /// What changed since, if anything.
    wanted_frame: Option<FrameCause>,
    /// Whether the last frame is still on its way.
    is_on_its_way: bool,
}

impl PacedScreen {
    /// Sets up the terminal of this process, with or without the mouse. A first frame is due at once.
    ///
    /// # Errors
    /// When there is no terminal, or its input cannot be read.
    pub fn open(mouse: bool) -> Result<PacedScreen, TuiError> {
        let terminal = LocalTerminal::open(mouse).map_err(TuiError::Terminal)?;
        let line = LineKind::of_environment(|name| std::env::var(name).ok());
        Ok(PacedScreen::on_terminal(Box::new(terminal), line))
    }

    /// The same on this terminal, behind a line of this kind.
    pub fn on_terminal(terminal: Box<dyn TerminalPort>, line: LineKind) -> PacedScreen {
        PacedScreen {
            terminal,
            pace: LinePace::new(line),
            last_drawn: Instant::now(),
            wanted_frame: Some(FrameCause::Key),
            is_on_its_way: false,
        }
    }

    /// What is typed, in order.
    pub fn events(&self) -> Receiver<io::Result<Event>> {
        self.terminal.events().clone()
    }

    /// What else the terminal says.
    pub fn replies(&self) -> Receiver<TerminalReply> {
        self.terminal.replies().clone()
    }

    /// Fails if the terminal is no longer ours: a thread has panicked.
    ///
    /// # Errors
    /// Then.
    pub fn ensure_owned(&self) -> Result<(), TuiError> {
        match self.terminal.is_ours() {
            true => Ok(()),
            false => Err(TuiError::Panicked),
        }
    }

    /// Requests a frame. That for a key comes before that of the run.
    pub fn request_frame(&mut self, cause: FrameCause) {
        if self.wanted_frame != Some(FrameCause::Key) {
            self.wanted_frame = Some(cause);
        }
    }

    /// Whether the last frame has been on its way for so long that nobody seems to be there, or the line seems dead.
    pub fn is_silent(&self) -> bool {
        let is_stuck = self.is_on_its_way && self.last_drawn.elapsed() >= SILENCE;
        is_stuck || self.pace.is_dead(Instant::now())
    }

    /// Something was typed.
    pub fn on_event(&mut self) {
        self.pace.on_event(Instant::now());
    }

    /// Requests a frame of the clock, if the last one is long ago and none is wanted.
    pub fn request_clock_frame(&mut self) {
        if self.wanted_frame.is_none() && self.last_drawn.elapsed() >= CLOCK_INTERVAL {
            self.request_frame(FrameCause::Run);
        }
    }

    /// Whether a frame is wanted.
    pub fn wants_frame(&self) -> bool {
        self.wanted_frame.is_some()
    }

    /// When the next frame is due, if anything changed. None is while the last one is on its way.
    pub fn next_frame(&self) -> Option<Instant> {
        let cause = self.wanted_frame.filter(|_| !self.is_on_its_way)?;
        let least = match cause {
            FrameCause::Key => KEY_FRAME_INTERVAL,
            FrameCause::Run => RUN_FRAME_INTERVAL,
        };
        Some(self.pace.next_frame(cause, self.last_drawn, least))
    }

    /// Whether the next frame is due now.
    pub fn is_frame_due(&self) -> bool {
        self.next_frame().is_some_and(|due| due <= Instant::now())
    }

    /// How long a loop may wait for the earliest of these moments, or for the next frame. It wakes regularly to check that the terminal
    /// is still ours.
    pub fn wait_for(&self, deadlines: &[Option<Instant>]) -> Duration {
        let deadlines = deadlines.iter().copied().chain([self.next_frame()]);
        let next = deadlines.flatten().min();
        next.map_or(CLOCK_INTERVAL, |next| {
            next.saturating_duration_since(Instant::now())
                .min(CLOCK_INTERVAL)
        })
    }

    /// Draws a frame, and asks the terminal when it has shown it, if it is to be asked.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn draw_frame(&mut self, mut frame: impl FnMut(&mut Buffer)) -> Result<(), TuiError> {
        let drawn = self.terminal.draw_frame(&mut frame);
        let delivery = drawn.map_err(TuiError::Terminal)?;
        (self.last_drawn, self.wanted_frame) = (Instant::now(), None);
        self.is_on_its_way = delivery == FrameDelivery::OnItsWay;
        match self.pace.on_frame(self.last_drawn) {
            true => self.terminal.ask_position().map_err(TuiError::Terminal),
            false => Ok(()),
        }
    }

    /// The terminal has said something.
    pub fn on_reply(&mut self, reply: TerminalReply) {
        match reply {
            TerminalReply::Shown => self.is_on_its_way = false,
            TerminalReply::Answered(round_trip) => self.pace.on_answer(round_trip),
        }
    }

    /// Sends the terminal what shows nothing in a frame.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn send_sequence(&mut self, sequence: &str) -> Result<(), TuiError> {
        let sent = self.terminal.send_sequence(sequence);
        sent.map_err(TuiError::Terminal)
    }

    /// Captures the mouse, or no longer.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn set_mouse_capture(&mut self, mouse: bool) -> Result<(), TuiError> {
        let set = self.terminal.set_mouse_capture(mouse);
        set.map_err(TuiError::Terminal)
    }

    /// Waits for the answer that the terminal owes, before something else reads the keys.
    pub fn settle_line(&mut self) {
        if self.pace.owes_answer() {
            self.terminal.await_answer();
        }
    }

    /// Stops reading keys for good, after the answer that the terminal owes.
    pub fn stop_reading(&mut self) {
        self.settle_line();
        self.terminal.stop_reading();
    }

    /// Suspends the process at the terminal, as Ctrl-Z does in a shell.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn suspend_process(&mut self) -> Result<(), TuiError> {
        self.settle_line();
        self.terminal.suspend_process().map_err(TuiError::Terminal)
    }

    /// Gives the terminal to the user's editor for this file, and takes it back.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn run_editor(&mut self, path: &Path) -> Result<EditorEnd, TuiError> {
        self.terminal.run_editor(path).map_err(TuiError::Terminal)
    }
}
