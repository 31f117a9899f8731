//! Progress lines, for people and logs.

use std::time::Duration;

use super::words::{count, percent, seconds, tokens};
use super::{About, Out, Totals, Voice};
use crate::display::tamed;
use crate::reduce::{Ending, Event};

/// Between two lines of the same pass while something happens.
const APART: Duration = Duration::from_millis(500);
/// Between two lines while one test runs on and on.
const PATIENCE: Duration = Duration::from_secs(10);

/// Tells a run in lines of plain text.
///
/// ```text
///   12.3 s      163 tokens    2.6 %      402 tests  perses, round 2
/// ```
pub struct Lines {
    out: Out,
    original: u32,
    tokens: u32,
    tests: u64,
    timed_out: u64,
    pass: String,
    /// When the last line was written; none before the first.
    told: Option<Duration>,
    /// Whether something happened since.
    news: bool,
}

impl Lines {
    /// Lines on this place.
    pub fn new(out: Out) -> Lines {
        Lines {
            out,
            original: 0,
            tokens: 0,
            tests: 0,
            timed_out: 0,
            pass: "starting".into(),
            told: None,
            news: false,
        }
    }

    fn progress(&mut self, time: Duration) {
        let timed_out = match self.timed_out {
            0 => String::new(),
            more => format!("; {} timed out", count(more, "test")),
        };
        let line = format!(
            "{:>12}  {:>16}  {:>7}  {:>13}  {}{timed_out}",
            seconds(time),
            tokens(self.tokens),
            percent(self.tokens, self.original),
            count(self.tests, "test"),
            self.pass
        );
        self.out.line(&line);
        self.told = Some(time);
        self.news = false;
    }

    /// Something happened, which is worth a line if the last one is old enough.
    fn news(&mut self, time: Duration) {
        self.news = true;
        if self.told.is_none_or(|told| time >= told + APART) {
            self.progress(time);
        }
    }
}

impl Voice for Lines {
    fn begin(&mut self, about: &About) {
        for line in about.lines() {
            self.out.line(&format!("lop: {}", tamed(&line)));
        }
    }

    fn event(&mut self, event: &Event, time: Duration) {
        match event {
            Event::Started { tokens, .. } => (self.original, self.tokens) = (*tokens, *tokens),
            Event::PassStarted { pass, round } => {
                self.pass = if *round > 1 {
                    format!("{pass}, round {round}")
                } else {
                    (*pass).to_string()
                };
                self.progress(time);
            }
            Event::Decided(decided) => {
                let tested = decided.time.is_some();
                self.tests += u64::from(tested);
                self.timed_out += u64::from(tested && decided.ending == Ending::TimedOut);
                self.news(time);
            }
            Event::Taken { tokens, .. } => {
                self.tokens = *tokens;
                self.news(time);
            }
            Event::Paused { reason, .. } => {
                let reason = reason
                    .as_ref()
                    .map(|reason| format!(": {}", tamed(reason)))
                    .unwrap_or_default();
                self.out.line(&format!(
                    "lop: paused{reason}; a pause needs a screen, and nobody can let the run go on here"
                ));
            }
            Event::Obeyed {
                before,
                command,
                outcome,
            } => {
                let says = match outcome {
                    Ok(None) => String::new(),
                    Ok(Some(says)) => format!(" ({says})"),
                    Err(problem) => format!(" cannot be: {problem}"),
                };
                let command = text_of(command);
                let command = tamed(&command);
                self.out.line(&format!(
                    "lop: {command}{}, before question {before}",
                    tamed(&says)
                ));
            }
            Event::Moved {
                version, tokens, ..
            } => {
                self.tokens = *tokens;
                self.out.line(&format!("lop: at version {version} now"));
            }
            Event::Resumed { .. } => self.out.line("lop: going on"),
            Event::Note(text) => self.note(text, time),
            // The last line of progress is exact.
            Event::Finished(_) if self.news => self.progress(time),
            Event::Finished(_) => {}
        }
    }

    fn note(&mut self, text: &str, _: Duration) {
        self.out.line(&format!("lop: {}", tamed(text)));
    }

    fn quiet(&mut self, time: Duration) {
        if self.news || self.told.is_none_or(|told| time >= told + PATIENCE) {
            self.progress(time);
        }
    }

    fn end(&mut self, totals: &Totals) {
        for line in totals.lines() {
            self.out.line(&format!("lop: {line}"));
        }
    }
}

/// A command in a line: the text of an edit is left out.
fn text_of(command: &str) -> String {
    match command.split_once('"') {
        Some((verb, _)) if command.starts_with("edit") => verb.trim().to_owned(),
        _ => command.to_owned(),
    }
}
