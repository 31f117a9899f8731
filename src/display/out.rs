//! Standard output and standard error, which may go away.

use std::io::{self, IsTerminal, Write};

use super::{escaped_json, shown_page, tamed_page};

/// One of the two places to which a process writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

/// Whether it is a terminal.
pub fn is_terminal(stream: Stream) -> bool {
    match stream {
        Stream::Output => io::stdout().is_terminal(),
        Stream::Error => io::stderr().is_terminal(),
    }
}

/// A place for lines. When who reads them has gone (`lop … | head -1`), the rest is dropped in silence: the run matters more.
///
/// Nothing that is written here steers a terminal, wherever it comes from, but for [`Out::data`] where there is none.
pub struct Out {
    to: Option<Box<dyn Write>>,
    terminal: bool,
}

impl Out {
    /// Standard output.
    pub fn stdout() -> Out {
        Out {
            to: Some(Box::new(io::stdout())),
            terminal: is_terminal(Stream::Output),
        }
    }

    /// Standard error.
    pub fn stderr() -> Out {
        Out {
            to: Some(Box::new(io::stderr())),
            terminal: is_terminal(Stream::Error),
        }
    }

    /// Writes a line, and sees to it that it can be read at once. A message may have several.
    pub fn line(&mut self, line: &str) {
        self.raw(format!("{}\n", tamed_page(line)).as_bytes());
    }

    /// Writes a text that ends where it ends: a page, or a question.
    pub fn page(&mut self, page: &str) {
        self.raw(tamed_page(page).as_bytes());
    }

    /// Writes a line of JSON.
    pub fn json(&mut self, json: &str) {
        self.raw(format!("{}\n", escaped_json(json)).as_bytes());
    }

    /// Writes a text of others for whoever wants its bytes: they are as they were, unless it is a terminal that gets them.
    pub fn data(&mut self, text: &[u8]) {
        match self.terminal {
            true => self.raw(shown_page(text).as_bytes()),
            false => self.raw(text),
        }
    }

    fn raw(&mut self, bytes: &[u8]) {
        let Some(to) = &mut self.to else { return };
        if to.write_all(bytes).and_then(|()| to.flush()).is_err() {
            self.to = None;
        }
    }
}
