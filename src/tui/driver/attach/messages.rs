//! What the two processes say to each other: a line with the version, then messages, each with its length before it.

use std::io::{self, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::time::Duration;

use crossterm::event::Event;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::super::editor::EditorEnd;

use crate::oracle::decode_message;

/// The version of lop, and of the messages where two versions of lop have the same number.
const GREETING: &str = concat!("lop-attach 1 ", env!("CARGO_PKG_VERSION"));
/// The longest line with a version.
const LONGEST_GREETING: u64 = 100;
/// The longest message of an attached terminal, in bytes.
pub const LONGEST_REPLY: u32 = 64 * 1024;
/// The longest message of a screen, in bytes.
pub const LONGEST_FRAME: u32 = 64 * 1024 * 1024;

/// What an attached process says first: its terminal, and what its user wants of a screen.
#[derive(Debug, Serialize, Deserialize)]
pub struct TerminalHello {
    /// Columns and rows.
    pub size: (u16, u16),
    /// The environment, as far as the configuration and the colours depend on it.
    pub variables: Vec<(String, String)>,
    /// The configuration file that the user named.
    pub config: Option<PathBuf>,
    /// The options of the screen on the command line, by their names.
    pub flags: Vec<(String, String)>,
    /// Whether the user guesses before each verdict of a single step.
    pub guess: bool,
}

/// What an attached terminal says.
#[derive(Debug, Serialize, Deserialize)]
pub enum TerminalMessage {
    /// A key, a click, or a new size.
    Event(Event),
    /// The terminal, which has this size, shows nothing of the last frame.
    Redraw((u16, u16)),
    /// The last frame was written.
    Shown,
    /// The terminal has answered after this time; none if it did not.
    Answered(Option<Duration>),
    /// The editor has ended.
    Edited(EditorEnd),
}

/// What a screen says to the terminal that it is shown on.
#[derive(Debug, Serialize, Deserialize)]
pub enum ScreenMessage {
    /// The screen is open. It wants the mouse, or does not.
    Welcome(bool),
    /// The screen cannot be opened, for this reason.
    Refused(String),
    /// The bytes of a frame. [`TerminalMessage::Shown`] answers it.
    Frame(Vec<u8>),
    /// A title, a bell, or a notification.
    Sequence(String),
    /// Whether the mouse is wanted from now on.
    Mouse(bool),
    /// The terminal is to be asked where its cursor is.
    AskPosition,
    /// The process at the terminal is to be suspended.
    Suspend,
    /// The user's editor is to be run for the file with this path, in bytes. [`TerminalMessage::Edited`] answers it.
    Edit(Vec<u8>),
    /// The user has left the screen; what becomes of the run, as a sentence.
    Left(String),
    /// The run has ended.
    Ended(RunEnding),
    /// The screen has failed; the run goes on.
    Failed(String),
}

impl ScreenMessage {
    /// Whether nothing follows it.
    pub fn is_last(&self) -> bool {
        matches!(
            self,
            ScreenMessage::Ended(_)
                | ScreenMessage::Left(_)
                | ScreenMessage::Failed(_)
                | ScreenMessage::Refused(_)
        )
    }
}

/// How a run ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunEnding {
    /// The exit status of its process.
    pub status: u8,
    /// What the process says in the end, line by line.
    pub lines: Vec<String>,
}

/// Why two processes cannot talk.
#[derive(Debug, thiserror::Error)]
pub enum GreetingError {
    /// The other is another lop; what it calls itself.
    #[error("it is {0}, and this is lop {version}", version = env!("CARGO_PKG_VERSION"))]
    OtherVersion(String),
    /// It says something else, or nothing.
    #[error("what answers there is no lop")]
    NotLop,
    /// It has closed the connection.
    #[error("it has closed the connection")]
    Closed,
    /// It did not answer in time.
    #[error("it does not answer")]
    Silent,
    /// The system's message.
    #[error(transparent)]
    Io(io::Error),
}

impl From<io::Error> for GreetingError {
    fn from(error: io::Error) -> GreetingError {
        match error.kind() {
            // A time limit of a socket is the first on Linux, and the second elsewhere.
            ErrorKind::WouldBlock | ErrorKind::TimedOut => GreetingError::Silent,
            ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => {
                GreetingError::Closed
            }
            _ => GreetingError::Io(error),
        }
    }
}

/// Says the version, and hears that of the other process.
///
/// # Errors
/// When the other one has another version, or is no lop.
pub fn exchange_greetings(stream: &mut (impl Read + Write)) -> Result<(), GreetingError> {
    stream.write_all(format!("{GREETING}\n").as_bytes())?;
    let mut line = Vec::new();
    let mut byte = [0];
    while line.len() < LONGEST_GREETING as usize {
        stream.read_exact(&mut byte)?;
        match byte[0] {
            b'\n' => return check_greeting(&line),
            other => line.push(other),
        }
    }
    Err(GreetingError::NotLop)
}

/// Whether the other process says the same.
fn check_greeting(line: &[u8]) -> Result<(), GreetingError> {
    if line == GREETING.as_bytes() {
        return Ok(());
    }
    let words = std::str::from_utf8(line).ok();
    let words = words.and_then(|line| line.strip_prefix("lop-attach "));
    let version = words.and_then(|words| Some(words.split_once(' ')?.1));
    let is_plain = |version: &&str| {
        let mut bytes = version.bytes();
        bytes.all(|byte| byte.is_ascii_graphic())
    };
    Err(match version.filter(is_plain) {
        Some(version) if version == env!("CARGO_PKG_VERSION") => {
            GreetingError::OtherVersion(format!("another build of lop {version}"))
        }
        Some(version) => GreetingError::OtherVersion(format!("lop {version}")),
        None => GreetingError::NotLop,
    })
}

/// Reads a message of at most so many bytes.
///
/// # Errors
/// At the end, and when it is none.
pub fn read_message<Message: DeserializeOwned>(
    mut stream: impl Read,
    longest: u32,
) -> io::Result<Message> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if length > longest {
        let what = "a message is too long";
        return Err(io::Error::new(ErrorKind::InvalidData, what));
    }
    // What is announced may not come: no more is reserved than has come.
    let mut bytes = Vec::new();
    stream.take(length.into()).read_to_end(&mut bytes)?;
    if bytes.len() < length as usize {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    decode_message(&bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::os::unix::net::UnixStream;

    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    use super::*;
    use crate::oracle::write_message;

    /// What two processes make of it that one of them greets so.
    fn greeted(line: &str) -> String {
        let (mut ours, mut theirs) = UnixStream::pair().expect("a pair");
        theirs.write_all(line.as_bytes()).expect("written");
        theirs.shutdown(std::net::Shutdown::Write).expect("closed");
        match exchange_greetings(&mut ours) {
            Ok(()) => "welcome".into(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn another_version_and_what_is_no_lop_are_told_apart() {
        let own = env!("CARGO_PKG_VERSION");
        for (line, said) in [
            (format!("{GREETING}\n"), "welcome".to_owned()),
            (
                "lop-attach 1 9.9.9\n".into(),
                format!("it is lop 9.9.9, and this is lop {own}"),
            ),
            (
                format!("lop-attach 7 {own}\n"),
                format!("it is another build of lop {own}, and this is lop {own}"),
            ),
            (
                "lop-attach 1 \x1b[2J\n".into(),
                "what answers there is no lop".into(),
            ),
            ("lop".into(), "it has closed the connection".into()),
            (
                "GET / HTTP/1.1\r\n".into(),
                "what answers there is no lop".into(),
            ),
            ("x".repeat(200), "what answers there is no lop".into()),
            (String::new(), "it has closed the connection".into()),
        ] {
            assert_eq!(greeted(&line), said, "{line:?}");
        }
    }

    #[test]
    fn a_message_comes_back_as_it_was() {
        let key = KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE);
        let mut bytes = Vec::new();
        write_message(&mut bytes, &TerminalMessage::Event(Event::Key(key))).expect("written");
        write_message(&mut bytes, &TerminalMessage::Redraw((80, 24))).expect("written");
        let mut stream = Cursor::new(bytes);
        let first = read_message(&mut stream, LONGEST_REPLY).expect("a message");
        assert!(matches!(first, TerminalMessage::Event(Event::Key(read)) if read == key));
        let second = read_message(&mut stream, LONGEST_REPLY).expect("a message");
        assert!(matches!(second, TerminalMessage::Redraw((80, 24))));
        assert!(read_message::<TerminalMessage>(&mut stream, LONGEST_REPLY).is_err());
    }

    #[test]
    fn what_is_no_message_is_refused_and_reserves_nothing() {
        let cut = |length: u32, rest: &[u8]| [&length.to_le_bytes(), rest].concat();
        for bytes in [
            cut(u32::MAX, b"\0"),
            cut(LONGEST_REPLY, b"\0"),
            cut(1, b"\xff"),
            cut(3, b"\x02\0\0"),
            cut(0, b""),
            b"\x01".to_vec(),
        ] {
            let read = read_message::<TerminalMessage>(Cursor::new(&bytes), LONGEST_REPLY);
            assert!(read.is_err(), "{bytes:?}: {read:?}");
        }
    }
}
