//! Lessons: a program, a test of lop's own, a strategy, and a script of steps that tells what the run does. A lesson is data.
//!
//! ```text
//!   lessons/NAME.toml ──read──▶ Lesson ──▶ LessonPlayer: which step is shown, which command the run gets next
//! ```
//!
//! `lesson_file.rs` reads a file, `lesson_test.rs` makes a script of its conditions, `shipped.rs` is the table of those that come with lop. The
//! player knows no screen and no clock: it sees snapshots. `docs/LESSONS.md` says how a lesson is written.

mod lesson_file;
mod lesson_test;
mod player;
mod shipped;

use crate::reduce::EngineCommand;

pub use lesson_file::LessonError;
pub use lesson_test::{ConditionSubject, LessonCondition};
pub use player::{LessonMove, LessonPlayer};
pub use shipped::{SHIPPED, find_lesson};

/// A lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// The name of its file, without the end.
    pub name: String,
    /// Its title, a few words.
    pub title: String,
    /// What somebody knows after it, a sentence or two.
    pub teaches: String,
    /// Where the algorithm comes from; empty if it is lop's own.
    pub source: String,
    /// How long it takes.
    pub minutes: u32,
    /// What is reduced.
    pub program: LessonProgram,
    /// What the test looks for.
    pub conditions: Vec<LessonCondition>,
    /// The strategy, by its name.
    pub strategy: String,
    /// The line of the file that names it.
    pub strategy_line: usize,
    /// The steps, at least one.
    pub steps: Vec<LessonStep>,
}

/// What a lesson reduces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LessonProgram {
    /// A program, with the name of its file.
    Single(LessonText),
    /// A seed and a variant.
    Pair([LessonText; 2]),
}

/// A file of a lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LessonText {
    /// Its name, whose end says the language.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// A step of a lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct LessonStep {
    /// What is told.
    pub text: String,
    /// What the run is told to do when the step begins, in this order: each after the one before has come to its end.
    pub commands: Vec<EngineCommand>,
    /// A question to the audience. If the last command leads to one question of the run, such as `step`, its verdict stays hidden until the
    /// next key.
    pub question: Option<String>,
    /// Whether the question is what the test says, so that yes and no are guesses.
    pub takes_guess: bool,
    /// What is told with the answer.
    pub answer: Option<String>,
}

impl LessonProgram {
    /// Its files: the program, or the seed and the variant.
    pub fn texts(&self) -> &[LessonText] {
        match self {
            LessonProgram::Single(text) => std::slice::from_ref(text),
            LessonProgram::Pair(texts) => texts,
        }
    }
}

/// A text without line ends: each stretch of white space is one blank.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
