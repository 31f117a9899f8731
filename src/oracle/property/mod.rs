//! The failure property: the criteria by which a failure is recognised, as plain data.
//!
//! A property is a list of parts, each with a criterion. A candidate is interesting if every part that counts holds. Wherever possible a
//! criterion is a regular expression that `grep -E` reads too: the user can read and change it, and a script can check the same.
//!
//! `identify.rs` derives the parts from several runs on the original, with the table of `signatures/`. `matcher.rs` ([`PropertyMatcher`])
//! checks them, and `lop init` writes them as a script. `reduce/engine/property.rs` changes the property during a run.

mod change;
mod identify;
mod log;
mod matcher;
mod pattern;
mod similarity;

use std::fmt;

use serde::{Deserialize, Serialize};

use super::verdict::TestExit;
use crate::display::EscapeHidden;

pub use change::PropertyChange;
pub use identify::{IdentifyError, RequestedCriteria, identify_difference, identify_failure};
pub use log::LogMatcher;
pub use matcher::{MISSING_TOOL_ENDINGS, StageRun, reports_missing_tool};
pub(super) use matcher::{PropertyMatcher, StageDecision, decide_stage};
pub use pattern::MessagePattern;
use pattern::escape_regex;
pub(super) use pattern::{PatternOptions, generalize_message};
pub use similarity::{is_similar, normalize_message};

/// The criteria by which a failure is recognised.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailureProperty {
    /// Its parts. All that count must hold.
    pub parts: Vec<PropertyPart>,
}

/// A part of a property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyPart {
    /// Whether it counts.
    pub on: bool,
    /// What must hold.
    #[serde(rename = "clue")]
    pub criterion: PropertyCriterion,
}

/// What a part requires of the command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PropertyCriterion {
    /// The command ends with this status.
    Exit(i32),
    /// The command ends by this signal.
    Signal(i32),
    /// The command does not end within its limit.
    Hang,
    /// A line of its output matches.
    Line(MessagePattern),
    /// A function is in a stack trace of its output.
    Frame(MessagePattern),
    /// No line of its output matches.
    NoLine(MessagePattern),
    /// A line matches the user's regular expression.
    Grep(String),
    /// No line matches the user's regular expression.
    NotGrep(String),
    /// Its output differs from this text by at most this percentage.
    Like {
        /// The normalised text, see [`normalize_message`].
        text: String,
        /// The percentage of both texts that may differ.
        percent: u8,
    },
    /// The reference ends with this status.
    Reference(i32),
    /// The command's stdout or exit differs from the reference's.
    Differs,
}

/// Why a property is invalid.
#[derive(Debug, thiserror::Error)]
pub enum PropertyError {
    /// A regular expression has a syntax error.
    #[error(
        "`{text}` is not a regular expression: {reason}; a literal special character needs a \\ before it, as in \\["
    )]
    Expression {
        /// The expression.
        text: String,
        /// What is wrong.
        reason: String,
    },
    /// No positive criterion counts: such a property would hold for almost any program.
    #[error(
        "the failure property would be empty: at least one part other than `not-grep` and `no-line` must be on; switch one on first"
    )]
    Nothing,
    /// There is no such part.
    #[error("there is no part `{}`; there are {all}", name.escape_hidden())]
    NoPart {
        /// The name that was given.
        name: String,
        /// The names that exist.
        all: String,
    },
    /// The test is a script, so there is no property.
    #[error("the test is a script, which alone decides what is interesting; change the script")]
    Script,
}

impl PropertyPart {
    /// A line of the output contains this text.
    pub fn of_text(text: &str) -> PropertyPart {
        PropertyPart {
            on: true,
            criterion: PropertyCriterion::Grep(escape_regex(text)),
        }
    }
}

impl PropertyCriterion {
    /// The word for its kind.
    fn kind_name(&self) -> &'static str {
        match self {
            PropertyCriterion::Exit(_) => "exit",
            PropertyCriterion::Signal(_) => "signal",
            PropertyCriterion::Hang => "hang",
            PropertyCriterion::Line(_) => "line",
            PropertyCriterion::Frame(_) => "frame",
            PropertyCriterion::NoLine(_) => "no-line",
            PropertyCriterion::Grep(_) => "grep",
            PropertyCriterion::NotGrep(_) => "not-grep",
            PropertyCriterion::Like { .. } => "like",
            PropertyCriterion::Reference(_) => "reference",
            PropertyCriterion::Differs => "differs",
        }
    }

    /// Whether a property may have several of this kind. Their names have numbers.
    fn can_repeat(&self) -> bool {
        matches!(
            self,
            PropertyCriterion::Line(_)
                | PropertyCriterion::Frame(_)
                | PropertyCriterion::NoLine(_)
                | PropertyCriterion::Grep(_)
                | PropertyCriterion::NotGrep(_)
        )
    }
}

/// As a part of a sentence.
impl fmt::Display for PropertyCriterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PropertyCriterion::Exit(status) => write!(f, "exit {status}"),
            PropertyCriterion::Signal(signal) => match signal_name(*signal) {
                Some(name) => write!(f, "signal {signal} ({name})"),
                None => write!(f, "signal {signal}"),
            },
            PropertyCriterion::Hang => f.write_str("it does not end within its limit"),
            PropertyCriterion::Line(pattern) => f.write_str(&pattern.shown),
            PropertyCriterion::Frame(pattern) => write!(f, "in {}", pattern.shown),
            PropertyCriterion::NoLine(pattern) => write!(f, "no {}", pattern.shown),
            PropertyCriterion::Grep(expression) => write!(f, "/{expression}/"),
            PropertyCriterion::NotGrep(expression) => write!(f, "not /{expression}/"),
            PropertyCriterion::Like { text, percent } => {
                let first = text.lines().find(|line| !line.trim().is_empty());
                let first = first.unwrap_or_default();
                write!(f, "at most {percent} % other than \"{first}\"")
            }
            PropertyCriterion::Reference(status) => {
                write!(f, "the first command ends with exit {status}")
            }
            PropertyCriterion::Differs => f.write_str("the two print or end differently"),
        }
    }
}

/// The names of the signals that a failing program dies of.
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

impl FailureProperty {
    /// The parts with their names: `exit`, `line 2`.
    pub fn named_parts(&self) -> impl Iterator<Item = (String, &PropertyPart)> {
        self.parts.iter().enumerate().map(|(at, part)| {
            let kind = part.criterion.kind_name();
            let before = &self.parts[..at];
            let same = before
                .iter()
                .filter(|other| other.criterion.kind_name() == kind);
            let name = match part.criterion.can_repeat() {
                true => format!("{kind} {}", same.count() + 1),
                false => kind.to_owned(),
            };
            (name, part)
        })
    }

    /// The criteria that count.
    fn active_criteria(&self) -> impl Iterator<Item = &PropertyCriterion> {
        let parts = self.parts.iter().filter(|part| part.on);
        parts.map(|part| &part.criterion)
    }

    /// Whether the failure is a hang.
    pub fn expects_hang(&self) -> bool {
        self.active_criteria()
            .any(|criterion| *criterion == PropertyCriterion::Hang)
    }

    /// Whether nothing but the difference of two commands can be missing where the wrong one ends so.
    pub fn lacks_difference(&self, exit: TestExit) -> bool {
        let is_differs = |criterion: &PropertyCriterion| *criterion == PropertyCriterion::Differs;
        let has_rest = |criterion: &PropertyCriterion| match criterion {
            PropertyCriterion::Differs | PropertyCriterion::Reference(_) => true,
            PropertyCriterion::Exit(status) => exit == TestExit::Code(*status),
            PropertyCriterion::Signal(signal) => exit == TestExit::Signal(*signal),
            _ => false,
        };
        self.active_criteria().any(is_differs) && self.active_criteria().all(has_rest)
    }

    /// Whether almost any failure has it: nothing that counts says more than that the command ends with an error of its own. A program of
    /// nonsense, which the command rejects, has such a property too.
    pub fn fits_any_failure(&self) -> bool {
        self.active_criteria().all(|criterion| match criterion {
            // A higher status is that of a crash.
            PropertyCriterion::Exit(status) => (0..=2).contains(status),
            PropertyCriterion::Reference(_)
            | PropertyCriterion::NoLine(_)
            | PropertyCriterion::NotGrep(_) => true,
            _ => false,
        })
    }

    /// Checks that a criterion that counts is positive: a property without one would hold for almost any program.
    ///
    /// # Errors
    /// When none is.
    pub fn check_positive(&self) -> Result<(), PropertyError> {
        let is_positive = |criterion: &PropertyCriterion| {
            !matches!(
                criterion,
                PropertyCriterion::NotGrep(_)
                    | PropertyCriterion::NoLine(_)
                    | PropertyCriterion::Reference(_)
            )
        };
        match self.active_criteria().any(is_positive) {
            true => Ok(()),
            false => Err(PropertyError::Nothing),
        }
    }

    /// What counts but the exit, in one line; the exit if nothing else does.
    pub fn describe_message(&self) -> String {
        let is_end = |part: &&PropertyPart| {
            matches!(
                part.criterion,
                PropertyCriterion::Exit(_) | PropertyCriterion::Signal(_)
            )
        };
        let parts = self.parts.iter().filter(|part| !is_end(part)).cloned();
        let message = FailureProperty {
            parts: parts.collect(),
        };
        match message.active_criteria().next() {
            Some(_) => message.to_string(),
            None => self.to_string(),
        }
    }

    /// Adds a part.
    fn add_part(&mut self, on: bool, criterion: PropertyCriterion) {
        self.parts.push(PropertyPart { on, criterion });
    }
}

/// The criteria that count in one line, the exit last.
impl fmt::Display for FailureProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_end = |criterion: &&PropertyCriterion| {
            matches!(
                criterion,
                PropertyCriterion::Exit(_) | PropertyCriterion::Signal(_)
            )
        };
        let criteria = self
            .active_criteria()
            .filter(|criterion| !is_end(criterion));
        let is_reference =
            |part: &PropertyPart| matches!(part.criterion, PropertyCriterion::Reference(_));
        // Where there are two commands it is the end of the second.
        let whose = match self.parts.iter().any(is_reference) {
            true => "the second with ",
            false => "",
        };
        let ends = self.active_criteria().filter(is_end);
        let criteria: Vec<String> = criteria
            .map(PropertyCriterion::to_string)
            .chain(ends.map(|end| format!("{whose}{end}")))
            .collect();
        f.write_str(&criteria.join("; "))
    }
}
