//! Messages and questions to the user outside of the screen.

use std::io;
use std::thread;

use crossbeam_channel::{Receiver, bounded, select};

use crate::display::ConsoleWriter;

/// Writes a sentence to standard error, if that is open.
pub fn report_message(message: &str) {
    ConsoleWriter::stderr().write_line(&format!("lop: {message}"));
}

/// The answer of the user.
pub enum PromptAnswer {
    /// A line, without the blanks around it.
    Line(String),
    /// The end of the input.
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
    ConsoleWriter::stderr().write_question(question);
    let (send, answer) = bounded(1);
    // A signal does not interrupt the read, so the thread is abandoned then.
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
