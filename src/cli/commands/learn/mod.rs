//! `lop learn`: lessons on reduction. Each is played on a real run.

mod lesson_page;
mod lesson_race;
mod lesson_run;

use std::fs;
use std::path::Path;

use self::lesson_page::export_lessons;
use self::lesson_race::{play_race, race_on_lesson};
use self::lesson_run::play_in_directory;
use crate::cli::args::LearnArgs;
use crate::cli::failure::{CommandFailure, NOTHING_TO_DO, USAGE};
use crate::display::{ConsoleWriter, EscapeHidden, sanitize_line};
use crate::language::suggest_names;
use crate::lesson::{Lesson, SHIPPED, find_lesson};

/// Lists the lessons, plays one, has strategies race on one, or writes pages; the exit status.
pub fn run_learn(learn: &LearnArgs) -> Result<u8, CommandFailure> {
    let lesson = learn.lesson.as_deref().map(choose_lesson).transpose()?;
    match (&learn.export, lesson) {
        (Some(path), lesson) => export_lessons(path, lesson, learn),
        (None, Some(lesson)) if !learn.race.is_empty() => race_on_lesson(&lesson, learn),
        (None, Some(lesson)) if lesson.is_race() => play_race(lesson, learn),
        (None, Some(lesson)) => play_in_directory(lesson, learn),
        (None, None) => {
            ConsoleWriter::stdout().write_page(&list_lessons());
            Ok(0)
        }
    }
}

/// The shipped lessons, a line each.
fn list_lessons() -> String {
    let lessons = SHIPPED.iter().filter_map(|(name, _)| find_lesson(name));
    let line = |lesson: Lesson| {
        let Lesson {
            name,
            title,
            minutes,
            ..
        } = lesson;
        format!("{name:<10} {minutes:>2} min  {title}\n")
    };
    let lines: String = lessons.map(line).collect();
    format!(
        "{lines}\nlop learn NAME plays one; docs/LESSONS.md says how to write your own\nlop learn NAME --race ddmin,hdd,perses runs strategies side by side on its program\n"
    )
}

/// The lesson of this name, or of this file.
fn choose_lesson(name: &str) -> Result<Lesson, CommandFailure> {
    if let Some(lesson) = find_lesson(name) {
        return Ok(lesson);
    }
    let path = Path::new(name);
    if path.extension().is_none_or(|end| end != "toml") {
        let near = suggest_names(name, SHIPPED.iter().map(|(known, _)| *known));
        let near = match &near[..] {
            [] => "`lop learn` lists them, and a file of your own ends in .toml".to_owned(),
            near => format!("did you mean {}?", near.join(" or ")),
        };
        let what = format!("there is no lesson `{}`; {near}", name.escape_hidden());
        return Err(CommandFailure::new(USAGE, what));
    }
    let shown = path.escape_hidden();
    let text = fs::read_to_string(path).map_err(|error| {
        let what = format!("the lesson {shown} cannot be read: {error}; name a file in TOML");
        CommandFailure::new(USAGE, what)
    })?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    Lesson::from_text(&stem, &text, path.parent())
        .map_err(|error| CommandFailure::new(USAGE, format!("the lesson {shown}, {error}")))
}

/// The exit status of a lesson that was played, and a message if the run refused one of its commands.
fn status_of(refused: Option<&str>, status: u8) -> Result<u8, CommandFailure> {
    match refused {
        None => Ok(status),
        Some(refused) => Err(CommandFailure::new(
            NOTHING_TO_DO,
            format!(
                "the run refused a command of the lesson: {}; correct that step of its file",
                sanitize_line(refused)
            ),
        )),
    }
}
