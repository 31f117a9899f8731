//! The run of a lesson: its program and its test in a directory of their own.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::status_of;
use crate::cli::args::LearnArgs;
use crate::cli::args::strategy_names::{PairStrategyChoice, parse_pair_strategy, parse_strategy};
use crate::cli::failure::{CommandFailure, FAILED, USAGE};
use crate::cli::launch::fresh_directory::create_directory;
use crate::cli::launch::front_end::FrontEnd;
use crate::cli::launch::plan::{LessonPlan, RunPlan, SessionChoice};
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::run_plan;
use crate::cli::launch::test_spec::TestSpec;
use crate::cli::messages::report_message;
use crate::config::{ConfigValue, SettingOrigin};
use crate::display::{ConsoleWriter, sanitize_line};
use crate::lesson::{Lesson, LessonName, LessonProgram};
use crate::pass::{Effort, PassOptions};
use crate::plain::quote_path_for_display;
use crate::program::Objective;
use crate::session::{RunInput, create_executable};
use crate::tui::layout::{LayoutScope, find_suitable_layout};

/// The session of the run, in the directory of the lesson.
pub(super) const SESSION: &str = "session";

/// Plays a lesson in a new directory. After the screen it stays: the session in it can be resumed.
pub(super) fn play_in_directory(lesson: Lesson, learn: &LearnArgs) -> Result<u8, CommandFailure> {
    let directory = new_directory()?;
    let place = directory.path().to_path_buf();
    let plan = plan_lesson(&Arc::new(lesson), &place, learn)?;
    let front = plan.front_end;
    let is_shown = front == FrontEnd::Screen;
    // What is only told is removed at its end.
    let _told = match is_shown {
        true => {
            let _ = directory.keep();
            None
        }
        false => Some(directory),
    };
    let end = run_plan(plan)?;
    if is_shown {
        ConsoleWriter::stdout().write_line(&format!(
            "lop: the lesson's program, test and session stay in {0}; to remove them:\n    rm -r {0}",
            quote_path_for_display(&place)
        ));
    }
    let told = end.lesson.unwrap_or_default();
    report_missed(&told.missed);
    status_of(told.refused.as_deref(), end.status)
}

/// Says what the run of a lesson was to go on until, and never was.
pub(super) fn report_missed(missed: &[String]) {
    for missed in missed {
        report_message(&sanitize_line(missed));
    }
}

/// A new directory for a lesson.
pub(super) fn new_directory() -> Result<tempfile::TempDir, CommandFailure> {
    create_directory("lop-learn-").map_err(|error| cannot_write(&error))
}

pub(super) fn cannot_write(error: &io::Error) -> CommandFailure {
    let what = format!(
        "the lesson cannot be written to a temporary directory: {error}; make room there, or set TMPDIR to another one"
    );
    CommandFailure::new(FAILED, what)
}

/// The plan of the lesson's run. Its program and its test are written to the directory.
pub(super) fn plan_lesson(
    lesson: &Arc<Lesson>,
    directory: &Path,
    learn: &LearnArgs,
) -> Result<RunPlan, CommandFailure> {
    let options = strategy_options(lesson)?;
    check_layout(lesson)?;
    let scripts = write_files(lesson, directory).map_err(|error| cannot_write(&error))?;
    let texts = lesson.program.texts().iter();
    let files = texts.map(|text| PreparedRun::read_input(&directory.join(&text.file)));
    let mut files = files.collect::<Result<Vec<_>, _>>()?;
    let (input, test, objective) = match (files.pop(), files.pop()) {
        (Some(variant), Some(seed)) => {
            let scripts = [scripts[0].clone(), scripts[1].clone()];
            let test = TestSpec::PairScripts(scripts, Vec::new());
            (RunInput::Pair([seed, variant]), test, Objective::Pair)
        }
        (Some(program), None) => (
            RunInput::Program(program),
            TestSpec::from_script(&scripts[0]),
            Objective::default(),
        ),
        (None, _) => unreachable!("a lesson has a program"),
    };
    let mut plan = RunPlan::new(input, test, &learn.common_args());
    plan.options = options;
    plan.objective = objective;
    plan.start_paused = true;
    if let Some(layout) = &lesson.layout {
        // What the user says on the command line counts first.
        let flags = &mut plan.settings.flags.options;
        flags.entry("layout").or_insert_with(|| ConfigValue {
            value: layout.name.clone(),
            from: SettingOrigin::Flag(format!("the lesson {}", lesson.name)),
        });
    }
    plan.session = SessionChoice::At(directory.join(SESSION));
    plan.lesson = Some(LessonPlan {
        lesson: lesson.clone(),
        is_told: learn.export.is_none(),
    });
    Ok(plan)
}

/// The options of the lesson's strategy.
fn strategy_options(lesson: &Lesson) -> Result<PassOptions, CommandFailure> {
    let LessonName { name, line } = &lesson.strategies[0];
    let options = match &lesson.program {
        LessonProgram::Single(_) => parse_strategy(name).map(|named| named.options),
        LessonProgram::Pair(_) => match parse_pair_strategy(name) {
            Ok(PairStrategyChoice::Strategy(named)) => Ok(named.options),
            Ok(PairStrategyChoice::VariantAlone) => {
                Err("alone reduces one program; name a strategy for pairs".to_owned())
            }
            Err(problem) => Err(problem),
        },
    };
    let mut options = options.map_err(|problem| name_failure(lesson, *line, &problem))?;
    // A lesson is about what goes, and not about the last byte.
    options.effort = Effort::Quick;
    Ok(options)
}

/// Fails if there is no layout of the name that the lesson has, or if it is not for the lesson's run.
fn check_layout(lesson: &Lesson) -> Result<(), CommandFailure> {
    let Some(LessonName { name, line }) = &lesson.layout else {
        return Ok(());
    };
    let scope = match lesson.program {
        LessonProgram::Single(_) => LayoutScope::Program,
        LessonProgram::Pair(_) => LayoutScope::Pair,
    };
    let found = find_suitable_layout(name, Some(scope));
    found
        .map(|_| ())
        .map_err(|problem| name_failure(lesson, *line, &problem))
}

/// A name in the lesson's file that cannot be used.
pub(super) fn name_failure(lesson: &Lesson, line: usize, problem: &str) -> CommandFailure {
    let what = format!("the lesson {}.toml, line {line}: {problem}", lesson.name);
    CommandFailure::new(USAGE, what)
}

/// Writes the programs and the scripts; the paths of the scripts.
pub(super) fn write_files(lesson: &Lesson, directory: &Path) -> io::Result<Vec<PathBuf>> {
    for text in lesson.program.texts() {
        fs::write(directory.join(&text.file), &text.text)?;
    }
    let scripts = lesson.test_scripts().into_iter();
    let scripts = scripts.map(|(name, text)| {
        let path = directory.join(name);
        create_executable(&path, &text)?;
        Ok(path)
    });
    scripts.collect()
}
