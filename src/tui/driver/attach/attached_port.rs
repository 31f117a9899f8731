//! The terminal of an attached process, as the screen in the run's process sees it.

use std::cell::RefCell;
use std::io::{self, Write};
use std::mem;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, Sender, bounded, select};
use crossterm::event::Event;
use crossterm::queue;
use crossterm::terminal::{Clear, ClearType};
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

use super::super::editor::EditorEnd;
use super::super::terminal::{FrameCanvas, draw_whole_frame};
use super::super::terminal_port::{FrameDelivery, TerminalPort, TerminalReply};
use super::messages::{LONGEST_REPLY, ScreenMessage, TerminalMessage, read_message};

/// The most columns and rows that are drawn; the rest of a larger terminal stays empty.
const LARGEST: (u16, u16) = (1000, 500);
/// How many events wait until the screen handles them. Then the attached process waits.
const EVENT_ROOM: usize = 1024;

/// Where the bytes of a frame are collected.
#[derive(Clone, Default)]
struct FrameBytes(Rc<RefCell<Vec<u8>>>);

impl Write for FrameBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What the reader of the connection knows of the terminal.
#[derive(Debug)]
struct TerminalFacts {
    size: (u16, u16),
    /// Whether it shows nothing of the last frame.
    is_empty: bool,
}

/// A canvas of a given size. The system is not asked for one, as it would name that of another terminal.
struct AttachedCanvas {
    canvas: FrameCanvas<FrameBytes>,
    bytes: FrameBytes,
    size: (u16, u16),
}

impl AttachedCanvas {
    fn new(size: (u16, u16)) -> io::Result<AttachedCanvas> {
        let bytes = FrameBytes::default();
        let area = Rect::new(0, 0, size.0.min(LARGEST.0), size.1.min(LARGEST.1));
        let options = TerminalOptions {
            viewport: Viewport::Fixed(area),
        };
        let mut canvas = Terminal::with_options(CrosstermBackend::new(bytes.clone()), options)?;
        queue!(canvas.backend_mut(), Clear(ClearType::All))?;
        Ok(AttachedCanvas {
            canvas,
            bytes,
            size,
        })
    }
}

/// The terminal of an attached process.
pub struct AttachedPort {
    canvas: AttachedCanvas,
    facts: Arc<Mutex<TerminalFacts>>,
    outgoing: Sender<ScreenMessage>,
    events: Receiver<io::Result<Event>>,
    replies: Receiver<TerminalReply>,
    edited: Receiver<EditorEnd>,
}

impl AttachedPort {
    /// The terminal of this size at the other end of the stream, which gets the messages that are sent to `outgoing`. Returns the work of its
    /// reader, for a thread of its own.
    ///
    /// # Errors
    /// When it has no canvas.
    pub fn new(
        stream: UnixStream,
        size: (u16, u16),
        outgoing: Sender<ScreenMessage>,
    ) -> io::Result<(AttachedPort, impl FnOnce() + Send + 'static)> {
        let facts = Arc::new(Mutex::new(TerminalFacts {
            size,
            is_empty: true,
        }));
        let (event_sender, events) = bounded(EVENT_ROOM);
        let (reply_sender, replies) = bounded(EVENT_ROOM);
        let (edit_sender, edited) = bounded(1);
        let reader = TerminalReader {
            stream,
            facts: facts.clone(),
            events: event_sender,
            replies: reply_sender,
            edited: edit_sender,
        };
        let terminal = AttachedPort {
            canvas: AttachedCanvas::new(size)?,
            facts,
            outgoing,
            events,
            replies,
            edited,
        };
        Ok((terminal, move || reader.read_messages()))
    }

    /// Sends a message. Who does not read does not make anybody wait, and has no room for ever: what is sent besides frames is little.
    fn send_message(&self, message: ScreenMessage) -> io::Result<()> {
        let sent = self.outgoing.try_send(message);
        sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

impl TerminalPort for AttachedPort {
    fn events(&self) -> &Receiver<io::Result<Event>> {
        &self.events
    }

    fn replies(&self) -> &Receiver<TerminalReply> {
        &self.replies
    }

    fn is_ours(&self) -> bool {
        true
    }

    fn draw_frame(&mut self, frame: &mut dyn FnMut(&mut Buffer)) -> io::Result<FrameDelivery> {
        let (size, is_empty) = {
            let mut facts = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
            (facts.size, mem::take(&mut facts.is_empty))
        };
        if is_empty || size != self.canvas.size {
            self.canvas = AttachedCanvas::new(size)?;
        }
        draw_whole_frame(&mut self.canvas.canvas, frame)?;
        let bytes = self.canvas.bytes.0.take();
        self.send_message(ScreenMessage::Frame(bytes))?;
        Ok(FrameDelivery::OnItsWay)
    }

    fn send_sequence(&mut self, sequence: &str) -> io::Result<()> {
        match sequence.is_empty() {
            true => Ok(()),
            false => self.send_message(ScreenMessage::Sequence(sequence.to_owned())),
        }
    }

    fn set_mouse_capture(&mut self, mouse: bool) -> io::Result<()> {
        self.send_message(ScreenMessage::Mouse(mouse))
    }

    fn ask_position(&mut self) -> io::Result<()> {
        self.send_message(ScreenMessage::AskPosition)
    }

    /// The attached process does that itself before others read its keys.
    fn await_answer(&mut self) {}

    fn stop_reading(&mut self) {}

    fn suspend_process(&mut self) -> io::Result<()> {
        self.send_message(ScreenMessage::Suspend)
    }

    fn run_editor(&mut self, path: &Path) -> io::Result<EditorEnd> {
        let path = path.as_os_str().as_bytes().to_vec();
        self.send_message(ScreenMessage::Edit(path))?;
        loop {
            // The reader ends with the connection, which the end of the run closes.
            select! {
                recv(self.edited) -> ended => return ended.map_err(|_| io::ErrorKind::BrokenPipe.into()),
                // The reader must come to the end of the editor: what was typed ahead of it is dropped. The size is known without its event.
                recv(self.events) -> event => drop(event.map_err(|_| io::ErrorKind::BrokenPipe)??),
            }
        }
    }
}

/// Reads what the attached process says.
struct TerminalReader {
    stream: UnixStream,
    facts: Arc<Mutex<TerminalFacts>>,
    events: Sender<io::Result<Event>>,
    replies: Sender<TerminalReply>,
    edited: Sender<EditorEnd>,
}

impl TerminalReader {
    /// Reads until the connection ends, or the screen does.
    fn read_messages(self) {
        loop {
            let handled = match read_message(&self.stream, LONGEST_REPLY) {
                Ok(message) => self.handle_message(message),
                Err(error) => {
                    // The screen may be gone.
                    let _ = self.events.send(Err(error));
                    break;
                }
            };
            if handled.is_none() {
                break;
            }
        }
    }

    /// Hands a message on; none if nobody hears it.
    fn handle_message(&self, message: TerminalMessage) -> Option<()> {
        match message {
            TerminalMessage::Event(event) => self.hand_on_event(event, false),
            TerminalMessage::Redraw((width, height)) => {
                self.hand_on_event(Event::Resize(width, height), true)
            }
            TerminalMessage::Shown => self.replies.send(TerminalReply::Shown).ok(),
            TerminalMessage::Answered(round_trip) => {
                let reply = TerminalReply::Answered(round_trip);
                self.replies.send(reply).ok()
            }
            // One that nobody asked for is dropped.
            TerminalMessage::Edited(ended) => {
                let _ = self.edited.try_send(ended);
                Some(())
            }
        }
    }

    fn hand_on_event(&self, event: Event, is_empty: bool) -> Option<()> {
        if let Event::Resize(width, height) = event {
            let mut facts = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
            facts.size = (width, height);
            facts.is_empty |= is_empty;
        }
        self.events.send(Ok(event)).ok()
    }
}

#[cfg(test)]
mod tests {
    use crate::oracle::write_message;
    use std::thread;

    use super::*;

    #[test]
    fn what_is_typed_ahead_of_the_editor_does_not_hide_its_end() {
        let (ours, theirs) = UnixStream::pair().expect("a connection");
        let (outgoing, messages) = bounded(1);
        let (mut terminal, read) = AttachedPort::new(ours, (80, 24), outgoing).expect("a canvas");
        thread::spawn(read);
        let edit = thread::spawn(move || {
            let asked = messages.recv().expect("a message");
            assert!(matches!(asked, ScreenMessage::Edit(path) if path == b"bug.c"));
            for _ in 0..2 * EVENT_ROOM {
                let typed = TerminalMessage::Event(Event::FocusGained);
                write_message(&theirs, &typed).expect("it is read");
            }
            let edited = TerminalMessage::Edited(Err("no editor".into()));
            write_message(&theirs, &edited).expect("it is read");
            theirs
        });
        let ended = terminal.run_editor(Path::new("bug.c")).expect("an end");
        assert_eq!(ended, Err("no editor".into()));
        drop(edit.join().expect("no panic"));
        assert!(
            terminal.run_editor(Path::new("bug.c")).is_err(),
            "it is gone"
        );
    }
}
