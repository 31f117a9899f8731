//! What is told to the user, and asked, outside of the screen.

use std::io;
use std::thread;

use crossbeam_channel::{Receiver, bounded, select};

use crate::display::ConsoleWriter;

/// Says a sentence on standard error, if anyone is there to read it.
pub fn report_message(message: &str) {
    ConsoleWriter::stderr().write_line(&format!("lop: {message}"));
}

/// What the user answered.
pub enum PromptAnswer {
    /// A line, without the blanks around it.
    Line(String),
    /// The end of the input: nobody answers.
    EndOfInput,
    /// This signal.
    Signal(i32),
}

impl PromptAnswer {
    /// Whether it is a clear yes.
    pub fn is_yes(&self) -> bool {
        matches!(self, PromptAnswer::Line(line) if ["y", "Y", "yes", "Yes"].contains(&&**line))
    }
}

/// Asks on standard error, and waits for a line or a signal.
pub fn prompt_user(question: &str, signals: &Receiver<i32>) -> PromptAnswer {
    ConsoleWriter::stderr().write_page(&format!("{question} "));
    let (send, answer) = bounded(1);
    // It waits in a read that a signal does not end, so it is left behind then.
    thread::spawn(move || {
        let mut line = String::new();
        let read = io::stdin().read_line(&mut line);
        let _ = send.send(read.ok().filter(|length| *length > 0).map(|_| line));
    });
    select! {
        recv(answer) -> line => match line.ok().flatten() {
            Some(line) => PromptAnswer::Line(line.trim().to_owned()),
            None => PromptAnswer::EndOfInput,
        },
        recv(signals) -> signal => PromptAnswer::Signal(signal.unwrap_or_default()),
    }
}
