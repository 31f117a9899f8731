//! The attached process: it sends what is typed, and writes what it is sent to its terminal.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, at, bounded, never, select};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use crossterm::terminal;

use super::super::editor;
use super::super::input::{InputReader, SignalListener};
use super::super::line_pace::LineKind;
use super::super::terminal::OwnedTerminal;
use super::super::terminal_port::TerminalReply;
use super::messages::{
    GreetingError, LONGEST_FRAME, RunEnding, ScreenMessage, TerminalHello, TerminalMessage,
    exchange_greetings, read_message,
};
use crate::config::{ConfigErrors, ConfigLayer, ConfigSources};
use crate::oracle::write_message;
use crate::tui::setup::ScreenSetup;

/// How long the run's process may take to answer, or to take a key.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a Ctrl-C may stay without any answer.
const LAST_PATIENCE: Duration = Duration::from_secs(2);
/// How many messages are read ahead of the terminal.
const MESSAGE_ROOM: usize = 4;

/// What a user wants of an attached screen.
#[derive(Debug)]
pub struct AttachRequest {
    hello: TerminalHello,
}

impl AttachRequest {
    /// A screen by this configuration file, or the usual one, and these options, over the environment. `variable` looks up an environment
    /// variable.
    ///
    /// # Errors
    /// When something in the configuration is not allowed.
    pub fn new(
        config: Option<PathBuf>,
        flags: &ConfigLayer,
        guess: bool,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<AttachRequest, ConfigErrors> {
        // What is asked for here is what the other process will ask for.
        let asked = RefCell::new(BTreeMap::new());
        let look_up = |name: &str| {
            let value = variable(name);
            let known = value.clone();
            asked
                .borrow_mut()
                .extend(known.map(|value| (name.to_owned(), value)));
            value
        };
        let sources = ConfigSources::new(config.clone(), flags.clone(), look_up)?;
        ScreenSetup::new(sources, look_up)?;
        LineKind::of_environment(look_up);
        let flags = flags.options.iter();
        let hello = TerminalHello {
            size: (0, 0),
            variables: asked.into_inner().into_iter().collect(),
            config,
            flags: flags
                .map(|(name, value)| ((*name).to_owned(), value.value.clone()))
                .collect(),
            guess,
        };
        Ok(AttachRequest { hello })
    }
}

/// How an attached screen was left.
#[derive(Debug)]
pub enum AttachEnd {
    /// By its user; what becomes of the run, as a sentence.
    Left(String),
    /// The run has ended.
    Ended(RunEnding),
    /// This signal was received, or the terminal was closed.
    Signal(i32),
    /// The run's process is gone.
    Lost,
    /// The run's process does not answer.
    Silent,
}

/// Why there is no attached screen any more.
#[derive(Debug, thiserror::Error)]
pub enum AttachError {
    /// The run's process is another lop, or none.
    #[error(transparent)]
    Greeting(#[from] GreetingError),
    /// It refuses the terminal.
    #[error("{0}")]
    Refused(String),
    /// Its screen has failed.
    #[error("{0}")]
    Failed(String),
    /// The terminal cannot be used.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[source] io::Error),
}

/// Shows the run at the other end of the stream on the terminal of this process, until the user leaves it, the run ends, or `ends` hears a signal. Then
/// the terminal is restored.
///
/// # Errors
/// When the run cannot be shown, or there is no terminal.
pub fn run_attached_terminal(
    stream: UnixStream,
    request: AttachRequest,
    ends: &SignalListener,
) -> Result<AttachEnd, AttachError> {
    let mouse = request_screen(&stream, request)?;
    let owned = OwnedTerminal::open(mouse).map_err(AttachError::Terminal)?;
    let input = InputReader::start_reading().map_err(AttachError::Terminal)?;
    let messages = start_reader(&stream).map_err(AttachError::Terminal)?;
    let mut attached = AttachedTerminal {
        owned,
        input,
        stream,
        owes_answer: false,
        unanswered: None,
    };
    let end = attached.pass_on(&messages, ends);
    if attached.owes_answer {
        attached.input.await_answer();
    }
    match end {
        // The terminal was closed: the error of writing to it may come before the signal.
        Err(AttachError::Terminal(error)) if error.raw_os_error() == Some(libc::EIO) => {
            Ok(AttachEnd::Signal(libc::SIGHUP))
        }
        end => end,
    }
}

/// Greets the run's process, and has it open a screen. Returns whether that wants the mouse.
fn request_screen(mut stream: &UnixStream, request: AttachRequest) -> Result<bool, AttachError> {
    let limit = |stream: &UnixStream| {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))
    };
    limit(stream).map_err(GreetingError::from)?;
    exchange_greetings(&mut stream)?;
    let hello = TerminalHello {
        size: terminal::size().map_err(AttachError::Terminal)?,
        ..request.hello
    };
    write_message(stream, &hello).map_err(GreetingError::from)?;
    let opened = read_message(stream, LONGEST_FRAME).map_err(GreetingError::from)?;
    match opened {
        ScreenMessage::Welcome(mouse) => {
            stream.set_read_timeout(None).map_err(GreetingError::from)?;
            Ok(mouse)
        }
        ScreenMessage::Refused(reason) => Err(AttachError::Refused(reason)),
        _ => Err(GreetingError::NotLop.into()),
    }
}

/// Reads what the screen says on a thread of its own, until the connection ends.
fn start_reader(stream: &UnixStream) -> io::Result<Receiver<ScreenMessage>> {
    let (sender, messages) = bounded(MESSAGE_ROOM);
    let stream = stream.try_clone()?;
    let read = move || {
        while let Ok(message) = read_message(&stream, LONGEST_FRAME) {
            if sender.send(message).is_err() {
                break;
            }
        }
    };
    let thread = thread::Builder::new().name("attached".into());
    thread.spawn(read).map(|_| messages)
}

/// The terminal of this process, as long as it is attached.
struct AttachedTerminal {
    /// The first field: the terminal is restored before its input is dropped.
    owned: OwnedTerminal,
    input: InputReader,
    stream: UnixStream,
    /// Whether the terminal was asked where its cursor is, and has not answered.
    owes_answer: bool,
    /// When a Ctrl-C leaves without any answer to it.
    unanswered: Option<Instant>,
}

impl AttachedTerminal {
    /// Passes on what both sides say.
    fn pass_on(
        &mut self,
        messages: &Receiver<ScreenMessage>,
        ends: &SignalListener,
    ) -> Result<AttachEnd, AttachError> {
        let (events, replies) = (self.input.events.clone(), self.input.replies.clone());
        loop {
            let unanswered = self.unanswered.map_or_else(never, at);
            let sent = select! {
                recv(events) -> event => match event {
                    Ok(Ok(event)) => self.send_event(event),
                    // The terminal was closed: so may the error of reading it.
                    _ => return Ok(AttachEnd::Signal(libc::SIGHUP)),
                },
                recv(replies) -> reply => match reply {
                    Ok(TerminalReply::Answered(round_trip)) => {
                        self.owes_answer = false;
                        self.send(&TerminalMessage::Answered(round_trip))
                    }
                    _ => Ok(()),
                },
                recv(messages) -> message => {
                    let Ok(message) = message else {
                        return Ok(AttachEnd::Lost);
                    };
                    self.unanswered = None;
                    match self.on_message(message)? {
                        None => Ok(()),
                        Some(end) => return Ok(end),
                    }
                },
                recv(ends.signals) -> signal => return Ok(AttachEnd::Signal(signal.unwrap_or_default())),
                recv(unanswered) -> _ => return Ok(AttachEnd::Silent),
            };
            // The last words of a process that has closed its end may still be there.
            if sent.is_err() {
                return self.hear_last_words(messages);
            }
        }
    }

    /// The connection is closed for what is typed: takes what was said before.
    fn hear_last_words(
        &mut self,
        messages: &Receiver<ScreenMessage>,
    ) -> Result<AttachEnd, AttachError> {
        let until = Instant::now() + LAST_PATIENCE;
        loop {
            match messages.recv_deadline(until) {
                Ok(message) if message.is_last() => {
                    if let Some(end) = self.on_message(message)? {
                        return Ok(end);
                    }
                }
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(AttachEnd::Lost),
                Err(RecvTimeoutError::Timeout) => return Ok(AttachEnd::Silent),
            }
        }
    }

    /// Sends a message. A process that takes none for a while is as good as gone.
    fn send(&self, message: &TerminalMessage) -> io::Result<()> {
        write_message(&self.stream, message)
    }

    fn send_event(&mut self, event: Event) -> io::Result<()> {
        if is_ctrl_c(&event) && self.unanswered.is_none() {
            self.unanswered = Some(Instant::now() + LAST_PATIENCE);
        }
        self.send(&TerminalMessage::Event(event))
    }

    /// Does what the screen says; how it ends, if it does. An error of the connection shows when the next message is sent.
    fn on_message(&mut self, message: ScreenMessage) -> Result<Option<AttachEnd>, AttachError> {
        match message {
            ScreenMessage::Frame(bytes) => {
                self.owned
                    .write_frame(&bytes)
                    .map_err(AttachError::Terminal)?;
                let _ = self.send(&TerminalMessage::Shown);
            }
            ScreenMessage::Sequence(sequence) => self
                .owned
                .send_sequence(&sequence)
                .map_err(AttachError::Terminal)?,
            ScreenMessage::Mouse(mouse) => self
                .owned
                .set_mouse_capture(mouse)
                .map_err(AttachError::Terminal)?,
            ScreenMessage::AskPosition => {
                self.owes_answer = true;
                self.input.ask_terminal();
            }
            ScreenMessage::Suspend => {
                if self.owes_answer {
                    self.input.await_answer();
                }
                self.owned
                    .suspend_process()
                    .map_err(AttachError::Terminal)?;
                self.ask_for_all()?;
            }
            ScreenMessage::Edit(path) => {
                let path = Path::new(OsStr::from_bytes(&path));
                let owned = &mut self.owned;
                let edit = || owned.release_while(|| editor::run_editor(path));
                let edited = self.input.pause_while(edit);
                self.ask_for_all()?;
                let edited = edited.map_err(AttachError::Terminal)?;
                let _ = self.send(&TerminalMessage::Edited(edited));
            }
            ScreenMessage::Left(said) => return Ok(Some(AttachEnd::Left(said))),
            ScreenMessage::Ended(ending) => return Ok(Some(AttachEnd::Ended(ending))),
            ScreenMessage::Refused(reason) => return Err(AttachError::Refused(reason)),
            ScreenMessage::Failed(reason) => return Err(AttachError::Failed(reason)),
            ScreenMessage::Welcome(_) => {}
        }
        Ok(None)
    }

    /// Asks for every cell: the terminal shows nothing of the last frame, and may have another size.
    fn ask_for_all(&self) -> Result<(), AttachError> {
        let size = terminal::size().map_err(AttachError::Terminal)?;
        let _ = self.send(&TerminalMessage::Redraw(size));
        Ok(())
    }
}

fn is_ctrl_c(event: &Event) -> bool {
    matches!(
        event,
        Event::Key(KeyEvent {
            code: KeyCode::Char('c'),
            modifiers: KeyModifiers::CONTROL,
            ..
        })
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_what_the_screen_will_ask_for_and_no_more() {
        let variable = |name: &str| match name {
            "TERM" => Some("xterm-256color".to_owned()),
            "SSH_TTY" => Some("/dev/pts/3".into()),
            "TMUX" => Some("/tmp/tmux-0/default,1,0".into()),
            "LOP_THEME" => Some("light".into()),
            _ => None,
        };
        let request = AttachRequest::new(None, &ConfigLayer::default(), false, variable);
        let hello = request.expect("allowed").hello;
        let named = |(name, _): &(String, String)| name.clone();
        let names: Vec<String> = hello.variables.iter().map(named).collect();
        assert_eq!(names, ["LOP_THEME", "SSH_TTY", "TERM", "TMUX"]);
        let wrong = |name: &str| (name == "LOP_THEME").then(|| "none-such".to_owned());
        let refused = AttachRequest::new(None, &ConfigLayer::default(), false, wrong);
        assert!(refused.is_err());
    }
}
