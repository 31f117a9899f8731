//! Standard output and standard error, which may go away.

use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{escape_json, escape_page, sanitize_line, sanitize_page};

/// One of the two places to which a process writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputStream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

/// How a piece of text is shown where styles are possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextStyle {
    /// As usual.
    Plain,
    /// It stands out.
    Strong,
    /// It stands back.
    Dim,
}

impl TextStyle {
    /// What begins it on a terminal; nothing for the usual.
    fn escape_code(self) -> &'static str {
        match self {
            TextStyle::Plain => "",
            TextStyle::Strong => "\x1b[1;7m",
            TextStyle::Dim => "\x1b[2m",
        }
    }
}

/// What ends a style.
const STYLE_END: &str = "\x1b[0m";

/// Whether a terminal shows styles: not a dumb one, and not where a non-empty `NO_COLOR` is in the environment.
fn shows_styles() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Whether it is a terminal.
pub fn is_terminal(stream: OutputStream) -> bool {
    match stream {
        OutputStream::Output => io::stdout().is_terminal(),
        OutputStream::Error => io::stderr().is_terminal(),
    }
}

/// How a message of lop's own begins.
const MESSAGE_SIGN: &str = "lop: ";

/// The columns of a terminal; none of what is none, or does not know them.
fn count_columns(stream: impl AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(stream).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 2 * MESSAGE_SIGN.len())
}

/// A message on lines of at most so many columns. A word that is longer, such as a path, stays whole.
fn wrap_message(message: &str, columns: usize) -> String {
    let (mut wrapped, mut column) = (String::new(), 0);
    for word in message.split(' ') {
        let width = word.width();
        if column > 0 && column + 1 + width > columns {
            let indent = MESSAGE_SIGN.len();
            wrapped.push('\n');
            wrapped.push_str(&" ".repeat(indent));
            column = indent;
        } else if !wrapped.is_empty() {
            wrapped.push(' ');
            column += 1;
        }
        wrapped.push_str(word);
        column += width;
    }
    wrapped
}

/// What ends a line that was cut.
const CUT: &str = "...";

/// A line of at most so many columns.
fn cut_line(line: &str, columns: usize) -> String {
    if line.width() <= columns {
        return line.to_owned();
    }
    let mut column = CUT.len();
    let fits = |letter: &char| {
        column += letter.width().unwrap_or_default();
        column <= columns
    };
    let mut cut: String = line.chars().take_while(fits).collect();
    cut.push_str(CUT);
    cut
}

/// Whether it was said that standard output takes nothing.
static OUTPUT_FAILED: AtomicBool = AtomicBool::new(false);

/// A place for lines. When who reads them has gone (`lop … | head -1`), the rest is dropped in silence: the run matters more.
///
/// Nothing of others that is written here steers a terminal. Styles are lop's own ([`ConsoleWriter::write_styled`]), and
/// [`ConsoleWriter::write_data`] writes bytes as they are where there is no terminal.
pub struct ConsoleWriter {
    sink: Option<Box<dyn Write>>,
    stream: OutputStream,
    terminal: bool,
    /// The columns of the terminal, if it is one that knows them.
    columns: Option<usize>,
}

impl ConsoleWriter {
    /// Standard output.
    pub fn stdout() -> ConsoleWriter {
        ConsoleWriter {
            sink: Some(Box::new(io::stdout())),
            stream: OutputStream::Output,
            terminal: is_terminal(OutputStream::Output),
            columns: count_columns(io::stdout()),
        }
    }

    /// Standard error.
    pub fn stderr() -> ConsoleWriter {
        ConsoleWriter {
            sink: Some(Box::new(io::stderr())),
            stream: OutputStream::Error,
            terminal: is_terminal(OutputStream::Error),
            columns: count_columns(io::stderr()),
        }
    }

    /// Writes a line, and sees to it that it can be read at once. A message may have several. A message of lop's own goes on below between
    /// two words, where the terminal would cut one.
    pub fn write_line(&mut self, line: &str) {
        let lines = self.wrap_lines(line);
        self.write_raw(format!("{lines}\n").as_bytes());
    }

    /// Writes a question of lop's own, which is answered behind it.
    pub fn write_question(&mut self, question: &str) {
        let lines = self.wrap_lines(question);
        self.write_raw(format!("{lines} ").as_bytes());
    }

    fn wrap_lines(&self, text: &str) -> String {
        let text = sanitize_page(text);
        let lines = text.split('\n').map(|line| match self.columns {
            Some(columns) if line.starts_with(MESSAGE_SIGN) => wrap_message(line, columns),
            _ => line.to_owned(),
        });
        lines.collect::<Vec<String>>().join("\n")
    }

    /// Writes a row of a table. A terminal gets as much of it as has room on a line.
    pub fn write_cut_line(&mut self, line: &str) {
        let line = sanitize_line(line);
        let line = match self.columns {
            Some(columns) => cut_line(&line, columns),
            None => line.into_owned(),
        };
        self.write_raw(format!("{line}\n").as_bytes());
    }

    /// Writes a text that ends where it ends: a page, or a question.
    pub fn write_page(&mut self, page: &str) {
        self.write_raw(sanitize_page(page).as_bytes());
    }

    /// Writes a line of pieces, with their styles where it goes to a terminal that shows any.
    pub fn write_styled(&mut self, pieces: &[(TextStyle, String)]) {
        let styles = self.terminal && shows_styles();
        let mut line = String::new();
        for (style, text) in pieces {
            let text = sanitize_line(text);
            match style.escape_code() {
                code if styles && !code.is_empty() => {
                    line.extend([code, &text, STYLE_END]);
                }
                _ => line.push_str(&text),
            }
        }
        self.write_raw(format!("{line}\n").as_bytes());
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
        let Err(error) = to.write_all(bytes).and_then(|()| to.flush()) else {
            return;
        };
        self.sink = None;
        // Who reads may go. A device that is full is another matter.
        if self.stream == OutputStream::Output
            && error.kind() != io::ErrorKind::BrokenPipe
            && !OUTPUT_FAILED.swap(true, Ordering::SeqCst)
        {
            let what = format!(
                "{MESSAGE_SIGN}standard output cannot be written: {error}; nothing more is told there"
            );
            ConsoleWriter::stderr().write_line(&what);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_cut_between_words_and_a_path_stays_whole() {
        let message = "lop: tests are contained by control groups";
        let wrapped = "lop: tests are contained by\n     control groups";
        assert_eq!(wrap_message(message, 32), wrapped);
        assert_eq!(wrap_message(message, 80), message);
        let path = "lop: see /a/path/that/is/longer/than/the/line";
        assert_eq!(
            wrap_message(path, 20),
            "lop: see\n     /a/path/that/is/longer/than/the/line"
        );
    }

    #[test]
    fn a_row_is_cut_to_the_columns_that_there_are() {
        assert_eq!(cut_line("a row of a table", 16), "a row of a table");
        assert_eq!(cut_line("a row of a table", 12), "a row of ...");
        assert_eq!(cut_line("wide 漢字漢字", 10), "wide 漢...");
    }
}
