//! A lesson as a page: the run of the lesson, with what each step tells and asks.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::lesson_race::export_race;
use super::lesson_run::{SESSION, new_directory, plan_lesson, report_missed};
use super::status_of;
use crate::cli::args::LearnArgs;
use crate::cli::failure::{CommandFailure, FAILED, OrFail, USAGE};
use crate::cli::launch::run_plan;
use crate::cli::launch::told_lesson::LessonMark;
use crate::display::{ConsoleWriter, EscapeHidden, sanitize_line};
use crate::lesson::{Lesson, SHIPPED, find_lesson};
use crate::oracle::Verdict;
use crate::plain::quote_path_for_display;
use crate::reduce::DecisionDetails;
use crate::session::export::{self, PageDecision, PageLesson, PageStep, PageTarget};
use crate::session::history::SessionHistory;
use crate::session::session_directory::SessionDirectory;

/// Writes the page of a lesson, or of all: into a directory, else as this file. The exit status.
pub(super) fn export_lessons(
    path: &Path,
    lesson: Option<Lesson>,
    learn: &LearnArgs,
) -> Result<u8, CommandFailure> {
    let is_page = path
        .extension()
        .is_some_and(|end| end == "html" || end == "htm");
    let lessons = match lesson {
        Some(lesson) => vec![lesson],
        None if is_page => {
            let what = format!(
                "{} is one page, and there are {} lessons; name one, or a directory for all",
                path.escape_hidden(),
                SHIPPED.len()
            );
            return Err(CommandFailure::new(USAGE, what));
        }
        None => SHIPPED
            .iter()
            .filter_map(|(name, _)| find_lesson(name))
            .collect(),
    };
    if !is_page {
        fs::create_dir_all(path).map_err(|error| cannot_write(path, &error))?;
    }
    for lesson in lessons {
        let place = match is_page {
            true => path.to_path_buf(),
            false => path.join(format!("{}.html", lesson.name)),
        };
        write_lesson(lesson, place, learn)?;
    }
    Ok(0)
}

fn cannot_write(path: &Path, error: &std::io::Error) -> CommandFailure {
    let path = path.escape_hidden();
    CommandFailure::new(
        FAILED,
        format!("{path} cannot be written: {error}; name another place with --export"),
    )
}

/// Writes the page of a lesson.
fn write_lesson(lesson: Lesson, place: PathBuf, learn: &LearnArgs) -> Result<(), CommandFailure> {
    let lesson = Arc::new(lesson);
    let page = match lesson.is_race() {
        true => export_race(&lesson, learn)?,
        false => export_run(&lesson, learn)?,
    };
    let written =
        export::write_page(&place, &page).map_err(|error| cannot_write(&place, &error))?;
    if written == PageTarget::Occupied {
        let what = format!(
            "{} exists and is not a page of lop; choose another place with --export",
            quote_path_for_display(&place)
        );
        return Err(CommandFailure::new(USAGE, what));
    }
    let shown = place.escape_hidden();
    ConsoleWriter::stdout().write_line(&format!("{shown} is the lesson {}", lesson.name));
    Ok(())
}

/// The page of a lesson about one run, which is played without a word.
fn export_run(lesson: &Arc<Lesson>, learn: &LearnArgs) -> Result<String, CommandFailure> {
    let directory = new_directory()?;
    let end = run_plan(plan_lesson(lesson, directory.path(), learn)?)?;
    let told = end.lesson.unwrap_or_default();
    report_missed(&told.missed);
    status_of(told.refused.as_deref(), 0)?;
    let session = SessionDirectory::from_path(&directory.path().join(SESSION));
    let history = SessionHistory::read_from(&session.journal_path()).or_fail(FAILED)?;
    let page = page_lesson(lesson, &told.marks);
    Ok(export::render_lesson_page(&history, page))
}

/// What the page tells of the lesson.
fn page_lesson(lesson: &Lesson, marks: &[LessonMark]) -> PageLesson {
    let steps = lesson.steps.iter().zip(marks);
    let steps = steps.map(|(step, mark)| PageStep {
        text: step.text.clone(),
        commands: step
            .commands
            .iter()
            .map(|told| told.command.to_string())
            .collect(),
        question: step.question.clone(),
        answer: step.answer.clone(),
        version: mark.version,
        candidate: mark.candidate.clone(),
        decisions: mark.decisions.iter().map(page_decision).collect(),
    });
    PageLesson {
        title: lesson.title.clone(),
        teaches: lesson.teaches.clone(),
        source: lesson.source.clone(),
        test: lesson.describe_test(),
        steps: steps.collect(),
    }
}

fn page_decision(decided: &Arc<DecisionDetails>) -> PageDecision {
    PageDecision {
        number: decided.decision,
        sentence: sanitize_line(&decided.sentence.to_string()).into_owned(),
        taken: decided.verdict == Verdict::Interesting,
    }
}
