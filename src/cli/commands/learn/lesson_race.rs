//! Races on the program of a lesson: its test needs no compiler.

use std::sync::Arc;

use super::lesson_run::{cannot_write, name_failure, new_directory, write_files};
use crate::cli::args::strategy_names::{NamedStrategy, parse_strategy};
use crate::cli::args::{IsolationArgs, LearnArgs, TestRunArgs};
use crate::cli::commands::compare::{
    RaceListener, RaceStart, check_race, play_race_lesson, race_on_program,
};
use crate::cli::failure::{CommandFailure, USAGE};
use crate::cli::launch::front_end::FrontEnd;
use crate::lesson::{Lesson, LessonName, LessonProgram, LessonStep};
use crate::oracle::RunnerPace;
use crate::pass::Effort;
use crate::reduce::RunSnapshot;
use crate::session::race_page::{RaceLessonPage, RacePageStep, render_race_page};

/// Has the strategies of the command line race on the program of a lesson; the exit status.
pub(super) fn race_on_lesson(lesson: &Lesson, learn: &LearnArgs) -> Result<u8, CommandFailure> {
    with_race(lesson, &learn.race, learn, race_on_program)
}

/// Plays a lesson about a race; the exit status.
pub(super) fn play_race(lesson: Lesson, learn: &LearnArgs) -> Result<u8, CommandFailure> {
    let strategies = lesson_strategies(&lesson)?;
    let lesson = Arc::new(lesson);
    with_race(&lesson, &strategies, learn, |start| {
        race_on_program(RaceStart {
            lesson: Some(lesson.clone()),
            ..start
        })
    })
}

/// The page of a lesson about a race, which is played without a word.
pub(super) fn export_race(
    lesson: &Arc<Lesson>,
    learn: &LearnArgs,
) -> Result<String, CommandFailure> {
    let mut recorder = RaceRecorder::default();
    with_race(lesson, &lesson_strategies(lesson)?, learn, |start| {
        play_race_lesson(&start, lesson, &mut recorder)
    })?;
    let page = RaceLessonPage {
        title: lesson.title.clone(),
        teaches: lesson.teaches.clone(),
        source: lesson.source.clone(),
        test: lesson.describe_test(),
        strategies: lesson
            .strategies
            .iter()
            .map(|named| named.name.clone())
            .collect(),
        steps: recorder.steps,
    };
    Ok(render_race_page(page, &lesson.program.texts()[0].text))
}

/// Keeps where the lanes are at the end of each step.
#[derive(Default)]
struct RaceRecorder {
    steps: Vec<RacePageStep>,
}

impl RaceListener for RaceRecorder {
    fn hear_step(&mut self, _: (usize, usize), _: &LessonStep) {}

    fn hear_lanes(&mut self, step: &LessonStep, lanes: &[Arc<RunSnapshot>]) {
        self.steps.push(RacePageStep {
            text: step.text.clone(),
            question: step.question.clone(),
            answer: step.answer.clone(),
            lanes: lanes.to_vec(),
        });
    }
}

/// The strategies that a lesson names.
fn lesson_strategies(lesson: &Lesson) -> Result<Vec<NamedStrategy>, CommandFailure> {
    let named = lesson.strategies.iter().map(|LessonName { name, line }| {
        parse_strategy(name).map_err(|problem| name_failure(lesson, *line, &problem))
    });
    named.collect()
}

/// Does something with a race of strategies in a new directory, which goes with the race. It begins paused, as a lesson does.
fn with_race<T>(
    lesson: &Lesson,
    strategies: &[NamedStrategy],
    learn: &LearnArgs,
    run: impl FnOnce(RaceStart) -> Result<T, CommandFailure>,
) -> Result<T, CommandFailure> {
    check_race(strategies, &learn.settings)?;
    let LessonProgram::Single(program) = &lesson.program else {
        let what = format!(
            "the lesson {} has a seed and a variant, and a race is on one program; name another lesson",
            lesson.name
        );
        return Err(CommandFailure::new(USAGE, what));
    };
    let directory = new_directory()?;
    let scripts = write_files(lesson, directory.path()).map_err(|error| cannot_write(&error))?;
    let strategies = strategies.iter().cloned().map(|mut named| {
        // As in the lesson.
        named.options.effort = Effort::Quick;
        named
    });
    run(RaceStart {
        file: &directory.path().join(&program.file),
        test: &scripts[0],
        looked_for: Some(lesson.describe_property()),
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
        lesson: None,
    })
}
