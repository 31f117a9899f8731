//! Lessons: a program, a test of lop's own, a strategy, and a script of steps that tells what the run does. A lesson is data.
//!
//! ```text
//!   lessons/NAME.toml ──read──▶ Lesson ──▶ LessonPlayer: which step is shown, which command the run gets next
//!                                      ──▶ RacePlayer:   which step is shown, whether the lanes get another test each
//! ```
//!
//! `lesson_file.rs` reads a file, `lesson_test.rs` makes a script of its conditions, `shipped.rs` is the table of those that come with lop. Both
//! players have a place in the steps (`place.rs`), and know no screen and no clock. `docs/LESSONS.md` says how a lesson is written.

mod lesson_file;
mod lesson_test;
mod place;
mod player;
mod race_player;
mod shipped;

use crate::reduce::EngineCommand;

pub use lesson_file::LessonError;
pub use lesson_test::{ConditionSubject, LessonCondition};
pub use place::{LessonMove, LessonPlace};
pub use player::LessonPlayer;
pub use race_player::RacePlayer;
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
    /// The strategy, or those of a race, in the order of their lanes.
    pub strategies: Vec<LessonName>,
    /// The layout that it begins with, unless the user has chosen one.
    pub layout: Option<LessonName>,
    /// The steps, at least one.
    pub steps: Vec<LessonStep>,
}

/// A name that a lesson uses and other rooms know: of a strategy, of a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LessonName {
    /// The name.
    pub name: String,
    /// The line of the file that has it.
    pub line: usize,
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
    pub commands: Vec<LessonCommand>,
    /// How many tests each lane of a race gets: when the step begins, or with the answer if it asks.
    pub rounds: RaceRounds,
    /// A question to the audience. If the last command leads to one question of the run, such as `step`, its verdict stays hidden until the
    /// next key.
    pub question: Option<String>,
    /// Whether the question is what the test says, so that yes and no are guesses.
    pub takes_guess: bool,
    /// What is told with the answer.
    pub answer: Option<String>,
}

/// A command of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct LessonCommand {
    /// What the run is told.
    pub command: EngineCommand,
    /// The line of the lesson's file that has it.
    pub line: usize,
}

/// How many tests each lane of a race gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaceRounds {
    /// So many.
    Number(u64),
    /// As many as it takes until nothing is left to try.
    ToEnd,
}

impl Lesson {
    /// Whether it tells a race.
    pub fn is_race(&self) -> bool {
        self.strategies.len() > 1
    }
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
