//! The property of a program that its failure is known by, as plain data.
//!
//! A property is a list of parts, each with a criterion. A candidate is interesting if every part that counts holds. The criteria are regular
//! expressions wherever they can be, of a kind that `grep -E` reads too, so the user can read and change them and a script can
//! look for the very same.
//!
//! `identify.rs` finds the parts in several runs on the original, by the table of `signatures/`. `matcher.rs` ([`PropertyMatcher`]) looks for
//! them, and `lop init` writes them as a script. A change of the property during a run is the business of `reduce/engine/property.rs`.

mod change;
mod identify;
mod matcher;
mod pattern;
mod similarity;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::display::EscapeHidden;

pub use change::PropertyChange;
pub use identify::{IdentifyError, RequestedCriteria, identify_difference, identify_failure};
pub use matcher::{MISSING, StageRun};
pub(super) use matcher::{PropertyMatcher, StageDecision, decide_stage};
pub use pattern::MessagePattern;
pub(super) use pattern::{PatternOptions, generalize_message};
pub use similarity::{is_similar, normalize_message};

/// What a failure is known by.
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
    /// What it looks for.
    #[serde(rename = "clue")]
    pub criterion: PropertyCriterion,
}

/// What a part looks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PropertyCriterion {
    /// The command ends with this status.
    Exit(i32),
    /// The command ends by this signal.
    Signal(i32),
    /// The command does not end within its limit.
    Hang,
    /// A line of what it prints.
    Line(MessagePattern),
    /// A function in a stack that it prints.
    Frame(MessagePattern),
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
    #[error("there is no part `{}`; there are {all}", name.escape_hidden())]
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

impl PropertyCriterion {
    /// The word for its kind.
    fn kind_name(&self) -> &'static str {
        match self {
            PropertyCriterion::Exit(_) => "exit",
            PropertyCriterion::Signal(_) => "signal",
            PropertyCriterion::Hang => "hang",
            PropertyCriterion::Line(_) => "line",
            PropertyCriterion::Frame(_) => "frame",
            PropertyCriterion::Grep(_) => "grep",
            PropertyCriterion::NotGrep(_) => "not-grep",
            PropertyCriterion::Like { .. } => "like",
            PropertyCriterion::Reference(_) => "reference",
            PropertyCriterion::Differs => "differs",
        }
    }

    /// Whether there may be several of its kind, so that they have numbers.
    fn can_repeat(&self) -> bool {
        matches!(
            self,
            PropertyCriterion::Line(_)
                | PropertyCriterion::Frame(_)
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

    /// Whether not to end is what is looked for.
    pub fn expects_hang(&self) -> bool {
        self.active_criteria()
            .any(|criterion| *criterion == PropertyCriterion::Hang)
    }

    /// Adds a part.
    fn add_part(&mut self, on: bool, criterion: PropertyCriterion) {
        self.parts.push(PropertyPart { on, criterion });
    }
}

/// One sentence: what is looked for, the most telling first.
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
        let criteria: Vec<String> = criteria
            .chain(self.active_criteria().filter(is_end))
            .map(PropertyCriterion::to_string)
            .collect();
        f.write_str(&criteria.join("; "))
    }
}
