//! A race on the program of a lesson: its test needs no compiler.

use super::lesson_run::{cannot_write, new_directory, write_files};
use crate::cli::args::strategy_names::NamedStrategy;
use crate::cli::args::{IsolationArgs, LearnArgs, TestRunArgs};
use crate::cli::commands::compare::{RaceStart, check_race, race_on_program};
use crate::cli::failure::{CommandFailure, USAGE};
use crate::cli::launch::front_end::FrontEnd;
use crate::lesson::{Lesson, LessonProgram};
use crate::oracle::RunnerPace;
use crate::pass::Effort;

/// Has strategies race in a new directory, which goes with the race. It begins paused, as a lesson does; the exit status.
pub(super) fn race_in_directory(lesson: &Lesson, learn: &LearnArgs) -> Result<u8, CommandFailure> {
    check_race(&learn.race, &learn.settings)?;
    let LessonProgram::Single(program) = &lesson.program else {
        let what = format!(
            "the lesson {} has a seed and a variant, and a race is on one program; name another lesson",
            lesson.name
        );
        return Err(CommandFailure::new(USAGE, what));
    };
    let directory = new_directory()?;
    let scripts = write_files(lesson, directory.path()).map_err(|error| cannot_write(&error))?;
    let strategies = learn.race.iter().cloned().map(|mut named: NamedStrategy| {
        // As in the lesson.
        named.options.effort = Effort::Quick;
        named
    });
    race_on_program(RaceStart {
        file: &directory.path().join(&program.file),
        test: &scripts[0],
        looked_for: Some(lesson.describe_test()),
        strategies: &strategies.collect::<Vec<_>>(),
        test_run: &TestRunArgs {
            timeout: None,
            scratch: None,
            grammar: None,
            isolation: IsolationArgs::default(),
        },
        front_end: FrontEnd::from_plain_flag(learn.plain),
        settings: &learn.settings,
        pace: RunnerPace::Rounds,
        is_running: false,
    })
}
