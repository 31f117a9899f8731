//! What is looked for: the property of a program that the failure is known by, as plain data.
//!
//! A property is a list of parts, each with a clue. A candidate is interesting if every part that counts holds. The clues are regular
//! expressions wherever they can be, of a kind that `grep -E` reads too, so that the user can read and change them and a script can
//! look for the very same.

mod change;
mod identify;
mod judge;
mod likeness;
mod pattern;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::display::Shown;

pub use change::Change;
pub use identify::{Unfit, Wanted, differing, identify};
pub(super) use judge::{Judge, Ruling, rule};
pub use judge::{MISSING, StageRun};
pub use likeness::{is_like, likened};
pub use pattern::Pattern;
pub(super) use pattern::{Manner, generalised};

/// What a failure is known by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Property {
    /// Its parts. All that count must hold.
    pub parts: Vec<Part>,
}

/// A part of a property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Whether it counts.
    pub on: bool,
    /// What it looks for.
    pub clue: Clue,
}

/// What a part looks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Clue {
    /// The command ends with this status.
    Exit(i32),
    /// The command ends by this signal.
    Signal(i32),
    /// The command does not end within its limit.
    Hang,
    /// A line of what it prints.
    Line(Pattern),
    /// A function in a stack that it prints.
    Frame(Pattern),
    /// A line that the user's regular expression finds.
    Grep(String),
    /// No line is found by the user's regular expression.
    NotGrep(String),
    /// What it prints is like this text, but for so many percent.
    Like {
        /// The text, with all that may vary made the same.
        text: String,
        /// How much of both may differ.
        percent: u8,
    },
    /// The reference ends with this status.
    Reference(i32),
    /// The command prints to stdout, or ends, otherwise than the reference.
    Differs,
}

/// Why a property cannot be looked for.
#[derive(Debug, thiserror::Error)]
pub enum PropertyError {
    /// A regular expression cannot be read.
    #[error(
        "`{text}` is no regular expression: {reason}; what stands for itself needs a \\ before it, as \\["
    )]
    Expression {
        /// The expression.
        text: String,
        /// What is wrong.
        reason: String,
    },
    /// Nothing positive is left.
    #[error(
        "nothing would be looked for: at least one part but `not-grep` must count; switch another one on first"
    )]
    Nothing,
    /// There is no such part.
    #[error("there is no part `{}`; there are {all}", name.shown())]
    NoPart {
        /// What was named.
        name: String,
        /// What could have been.
        all: String,
    },
    /// The test is a script: what it looks for it alone knows.
    #[error("the test is a script: what it looks for is for it alone to say; change the script")]
    Script,
}

impl Clue {
    /// The word for its kind.
    fn kind(&self) -> &'static str {
        match self {
            Clue::Exit(_) => "exit",
            Clue::Signal(_) => "signal",
            Clue::Hang => "hang",
            Clue::Line(_) => "line",
            Clue::Frame(_) => "frame",
            Clue::Grep(_) => "grep",
            Clue::NotGrep(_) => "not-grep",
            Clue::Like { .. } => "like",
            Clue::Reference(_) => "reference",
            Clue::Differs => "differs",
        }
    }

    /// Whether there may be several of its kind, so that they have numbers.
    fn is_one_of_many(&self) -> bool {
        matches!(
            self,
            Clue::Line(_) | Clue::Frame(_) | Clue::Grep(_) | Clue::NotGrep(_)
        )
    }
}

/// As a part of a sentence.
impl fmt::Display for Clue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Clue::Exit(status) => write!(f, "exit {status}"),
            Clue::Signal(signal) => match signal_name(*signal) {
                Some(name) => write!(f, "signal {signal} ({name})"),
                None => write!(f, "signal {signal}"),
            },
            Clue::Hang => f.write_str("it does not end within its limit"),
            Clue::Line(pattern) => f.write_str(&pattern.shown),
            Clue::Frame(pattern) => write!(f, "in {}", pattern.shown),
            Clue::Grep(expression) => write!(f, "/{expression}/"),
            Clue::NotGrep(expression) => write!(f, "not /{expression}/"),
            Clue::Like { text, percent } => {
                let first = text.lines().find(|line| !line.trim().is_empty());
                let first = first.unwrap_or_default();
                write!(f, "at most {percent} % other than \"{first}\"")
            }
            Clue::Reference(status) => write!(f, "the first command ends with exit {status}"),
            Clue::Differs => f.write_str("the two print or end differently"),
        }
    }
}

/// The names of signals by which programs die of their own faults.
fn signal_name(signal: i32) -> Option<&'static str> {
    const NAMES: &[(i32, &str)] = &[
        (4, "illegal instruction"),
        (5, "trap"),
        (6, "abort"),
        (7, "bus error"),
        (8, "arithmetic error"),
        (9, "kill"),
        (11, "segmentation fault"),
        (15, "termination"),
        (24, "processor time used up"),
        (31, "bad system call"),
    ];
    let found = NAMES.iter().find(|(number, _)| *number == signal);
    found.map(|(_, name)| *name)
}

impl Property {
    /// The parts with their names: `exit`, `line 2`.
    pub fn named(&self) -> impl Iterator<Item = (String, &Part)> {
        self.parts.iter().enumerate().map(|(at, part)| {
            let kind = part.clue.kind();
            let before = &self.parts[..at];
            let same = before.iter().filter(|other| other.clue.kind() == kind);
            let name = match part.clue.is_one_of_many() {
                true => format!("{kind} {}", same.count() + 1),
                false => kind.to_owned(),
            };
            (name, part)
        })
    }

    /// The clues that count.
    fn clues(&self) -> impl Iterator<Item = &Clue> {
        let parts = self.parts.iter().filter(|part| part.on);
        parts.map(|part| &part.clue)
    }

    /// Whether not to end is what is looked for.
    pub fn is_about_a_hang(&self) -> bool {
        self.clues().any(|clue| *clue == Clue::Hang)
    }

    /// Adds a part.
    fn add(&mut self, on: bool, clue: Clue) {
        self.parts.push(Part { on, clue });
    }
}

/// One sentence: what is looked for, the most telling first.
impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_end = |clue: &&Clue| matches!(clue, Clue::Exit(_) | Clue::Signal(_));
        let clues = self.clues().filter(|clue| !is_end(clue));
        let clues: Vec<String> = clues
            .chain(self.clues().filter(is_end))
            .map(Clue::to_string)
            .collect();
        f.write_str(&clues.join("; "))
    }
}
