//! The port to a terminal: that of this process, or that of a process which is attached to the run.

use std::io;
use std::path::Path;
use std::time::Duration;

use crossbeam_channel::Receiver;
use crossterm::event::Event;
use ratatui::buffer::Buffer;

use super::editor::EditorEnd;

/// What a terminal says of its own accord, besides keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TerminalReply {
    /// A frame that was on its way has been written.
    Shown,
    /// It has answered a question after this time; none if it did not.
    Answered(Option<Duration>),
}

/// Where a frame is that was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameDelivery {
    /// It was written.
    Written,
    /// It is on its way. [`TerminalReply::Shown`] follows, and no frame is drawn before that.
    OnItsWay,
}

/// A terminal that is set up for a screen. Dropping it gives it back.
pub trait TerminalPort {
    /// Keys, clicks and resizes, in order. An error is the last.
    fn events(&self) -> &Receiver<io::Result<Event>>;

    /// What else it says.
    fn replies(&self) -> &Receiver<TerminalReply>;

    /// Whether it is still ours: a panic gives back the terminal of this process.
    fn is_ours(&self) -> bool;

    /// Draws a frame, as one update.
    ///
    /// # Errors
    /// When the terminal is gone.
    fn draw_frame(&mut self, frame: &mut dyn FnMut(&mut Buffer)) -> io::Result<FrameDelivery>;

    /// Sends it what shows nothing in a frame: a title, a bell, a notification.
    ///
    /// # Errors
    /// When the terminal is gone.
    fn send_sequence(&mut self, sequence: &str) -> io::Result<()>;

    /// Captures the mouse, or no longer.
    ///
    /// # Errors
    /// When the terminal is gone.
    fn set_mouse_capture(&mut self, mouse: bool) -> io::Result<()>;

    /// Asks it where its cursor is. It answers when it has shown all that was written before.
    ///
    /// # Errors
    /// When the terminal is gone.
    fn ask_position(&mut self) -> io::Result<()>;

    /// Waits for the answer that it owes, at most a few seconds: whoever reads the keys next would take it for keys.
    fn await_answer(&mut self);

    /// Stops reading keys for good: what is typed next is for others.
    fn stop_reading(&mut self);

    /// Suspends the process at the terminal, as Ctrl-Z does in a shell.
    ///
    /// # Errors
    /// When the terminal is gone.
    fn suspend_process(&mut self) -> io::Result<()>;

    /// Gives the terminal to the user's editor for this file, and takes it back.
    ///
    /// # Errors
    /// When the terminal is gone.
    fn run_editor(&mut self, path: &Path) -> io::Result<EditorEnd>;
}
