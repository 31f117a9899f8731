//! The terminal of this process, and what is typed at it.

use std::io;
use std::path::Path;

use crossbeam_channel::Receiver;
use crossterm::event::Event;
use ratatui::buffer::Buffer;

use super::editor::{self, EditorEnd};
use super::input::InputReader;
use super::terminal::TerminalScreen;
use super::terminal_port::{FrameDelivery, TerminalPort, TerminalReply};

/// The terminal of this process.
pub struct LocalTerminal {
    /// The first field: the terminal is restored before its input is dropped.
    screen: TerminalScreen,
    input: InputReader,
}

impl LocalTerminal {
    /// Sets it up, with or without the mouse.
    ///
    /// # Errors
    /// When there is no terminal, or its input cannot be read.
    pub fn open(mouse: bool) -> io::Result<LocalTerminal> {
        Ok(LocalTerminal {
            screen: TerminalScreen::open(mouse)?,
            input: InputReader::start_reading()?,
        })
    }
}

impl TerminalPort for LocalTerminal {
    fn events(&self) -> &Receiver<io::Result<Event>> {
        &self.input.events
    }

    fn replies(&self) -> &Receiver<TerminalReply> {
        &self.input.replies
    }

    fn is_ours(&self) -> bool {
        self.screen.owned.owns_terminal()
    }

    fn draw_frame(&mut self, frame: &mut dyn FnMut(&mut Buffer)) -> io::Result<FrameDelivery> {
        self.screen.draw_frame(frame)?;
        Ok(FrameDelivery::Written)
    }

    fn send_sequence(&mut self, sequence: &str) -> io::Result<()> {
        self.screen.owned.send_sequence(sequence)
    }

    fn set_mouse_capture(&mut self, mouse: bool) -> io::Result<()> {
        self.screen.owned.set_mouse_capture(mouse)
    }

    fn ask_position(&mut self) -> io::Result<()> {
        self.input.ask_terminal();
        Ok(())
    }

    fn await_answer(&mut self) {
        self.input.await_answer();
    }

    fn stop_reading(&mut self) {
        self.input.finish();
    }

    fn suspend_process(&mut self) -> io::Result<()> {
        self.screen.owned.suspend_process()?;
        self.screen.forget_frame()
    }

    fn run_editor(&mut self, path: &Path) -> io::Result<EditorEnd> {
        let owned = &mut self.screen.owned;
        let edit = || owned.release_while(|| editor::run_editor(path));
        let ended = self.input.pause_while(edit)?;
        self.screen.forget_frame()?;
        Ok(ended)
    }
}
