//! Standard output and standard error, which may go away.

use std::io::{self, IsTerminal, Write};

use super::{escape_json, escape_page, sanitize_page};

/// One of the two places to which a process writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputStream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

/// Whether it is a terminal.
pub fn is_terminal(stream: OutputStream) -> bool {
    match stream {
        OutputStream::Output => io::stdout().is_terminal(),
        OutputStream::Error => io::stderr().is_terminal(),
    }
}

/// A place for lines. When who reads them has gone (`lop … | head -1`), the rest is dropped in silence: the run matters more.
///
/// Nothing that is written here steers a terminal, wherever it comes from, but for [`ConsoleWriter::write_data`] where there is none.
pub struct ConsoleWriter {
    sink: Option<Box<dyn Write>>,
    terminal: bool,
}

impl ConsoleWriter {
    /// Standard output.
    pub fn stdout() -> ConsoleWriter {
        ConsoleWriter {
            sink: Some(Box::new(io::stdout())),
            terminal: is_terminal(OutputStream::Output),
        }
    }

    /// Standard error.
    pub fn stderr() -> ConsoleWriter {
        ConsoleWriter {
            sink: Some(Box::new(io::stderr())),
            terminal: is_terminal(OutputStream::Error),
        }
    }

    /// Writes a line, and sees to it that it can be read at once. A message may have several.
    pub fn write_line(&mut self, line: &str) {
        self.write_raw(format!("{}\n", sanitize_page(line)).as_bytes());
    }

    /// Writes a text that ends where it ends: a page, or a question.
    pub fn write_page(&mut self, page: &str) {
        self.write_raw(sanitize_page(page).as_bytes());
    }

    /// Writes a line of JSON.
    pub fn write_json(&mut self, json: &str) {
        self.write_raw(format!("{}\n", escape_json(json)).as_bytes());
    }

    /// Writes a text of others for whoever wants its bytes: they are as they were, unless it is a terminal that gets them.
    pub fn write_data(&mut self, text: &[u8]) {
        match self.terminal {
            true => self.write_raw(escape_page(text).as_bytes()),
            false => self.write_raw(text),
        }
    }

    fn write_raw(&mut self, bytes: &[u8]) {
        let Some(to) = &mut self.sink else { return };
        if to.write_all(bytes).and_then(|()| to.flush()).is_err() {
            self.sink = None;
        }
    }
}
