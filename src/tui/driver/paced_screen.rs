//! What all loops of the driver have in common: the terminal with its input, and when the next frame may be written.
//!
//! ```text
//!   a change ─▶ request_frame ─▶ next_frame: when ─▶ draw_frame ──asks, on a slow line──▶ the terminal ──answers──▶ on_answer
//! ```

use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;

use super::TuiError;
use super::input::InputReader;
use super::line_pace::{FrameCause, LinePace};
use super::terminal::TerminalScreen;

/// The least time between frames after a key.
const KEY_FRAME_INTERVAL: Duration = Duration::from_micros(16_667);
/// The least time between frames when only the run changed.
const RUN_FRAME_INTERVAL: Duration = Duration::from_millis(50);
/// The time between frames when only the shown times change.
pub const CLOCK_INTERVAL: Duration = Duration::from_millis(500);

/// The terminal, its input, and the pace of its frames.
pub struct PacedScreen {
    /// The first field: the terminal is restored before its input is dropped.
    pub terminal: TerminalScreen,
    /// What is typed, and how fast the terminal answers.
    pub input: InputReader,
    pace: LinePace,
    last_drawn: Instant,
    /// What changed since, if anything.
    wanted_frame: Option<FrameCause>,
}

impl PacedScreen {
    /// Sets up the terminal, with or without the mouse. A first frame is due at once.
    ///
    /// # Errors
    /// When there is no terminal, or its input cannot be read.
    pub fn open(mouse: bool) -> Result<PacedScreen, TuiError> {
        let variable = |name: &str| std::env::var(name).ok();
        Ok(PacedScreen {
            terminal: TerminalScreen::open(mouse).map_err(TuiError::Terminal)?,
            input: InputReader::start_reading().map_err(TuiError::Terminal)?,
            pace: LinePace::new(LinePace::is_remote_login(variable)),
            last_drawn: Instant::now(),
            wanted_frame: Some(FrameCause::Key),
        })
    }

    /// Fails if the terminal is no longer ours: a thread has panicked.
    ///
    /// # Errors
    /// Then.
    pub fn ensure_owned(&self) -> Result<(), TuiError> {
        match self.terminal.owns_terminal() {
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

    /// When the next frame is due, if anything changed.
    pub fn next_frame(&self) -> Option<Instant> {
        let cause = self.wanted_frame?;
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
    pub fn draw_frame(&mut self, frame: impl FnOnce(&mut Buffer)) -> Result<(), TuiError> {
        self.terminal
            .draw_frame(frame)
            .map_err(TuiError::Terminal)?;
        (self.last_drawn, self.wanted_frame) = (Instant::now(), None);
        if self.pace.on_frame(self.last_drawn) {
            self.input.ask_terminal();
        }
        Ok(())
    }

    /// The terminal has answered.
    pub fn on_answer(&mut self, round_trip: Option<Duration>) {
        self.pace.on_answer(round_trip);
    }

    /// Waits for the answer that the terminal owes, before something else reads the keys.
    pub fn settle_line(&self) {
        if self.pace.owes_answer() {
            self.input.await_answer();
        }
    }

    /// Suspends the process, as Ctrl-Z does in a shell.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn suspend_process(&mut self) -> Result<(), TuiError> {
        self.settle_line();
        self.terminal.suspend_process().map_err(TuiError::Terminal)
    }

    /// Restores the terminal, and reads no keys, while `other` runs.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn release_while<T>(&mut self, other: impl FnOnce() -> T) -> Result<T, TuiError> {
        let (terminal, input) = (&mut self.terminal, &self.input);
        input
            .pause_while(|| terminal.release_while(other))
            .map_err(TuiError::Terminal)
    }
}
