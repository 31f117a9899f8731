//! A lesson as a file: TOML, read with the line of each mistake.

use std::fmt::Display;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use super::lesson_test::ConditionRow;
use super::{Lesson, LessonProgram, LessonStep, LessonText, one_line};
use crate::display::EscapeHidden;
use crate::reduce::EngineCommand;

/// Why a lesson cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct LessonError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

/// The file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LessonFile {
    title: String,
    teaches: String,
    #[serde(default)]
    source: String,
    minutes: u32,
    strategy: Spanned<String>,
    program: Option<Spanned<ProgramTable>>,
    seed: Option<Spanned<ProgramTable>>,
    variant: Option<Spanned<ProgramTable>>,
    #[serde(default)]
    test: Vec<Spanned<ConditionRow>>,
    #[serde(default)]
    steps: Vec<Spanned<StepTable>>,
}

/// A program: its text, or the file beside the lesson that has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgramTable {
    file: String,
    text: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepTable {
    text: Spanned<String>,
    #[serde(default)]
    run: Vec<Spanned<String>>,
    ask: Option<String>,
    guess: Option<Spanned<bool>>,
    answer: Option<Spanned<String>>,
}

/// The text of a file, to name its lines.
struct FileLines<'a>(&'a str);

impl FileLines<'_> {
    /// A mistake at this place, in bytes.
    fn error_at(&self, at: usize, problem: impl Display) -> LessonError {
        LessonError {
            line: self.line_of(at),
            problem: problem.to_string(),
        }
    }

    fn line_of(&self, at: usize) -> usize {
        self.0[..at.min(self.0.len())].matches('\n').count() + 1
    }
}

impl Lesson {
    /// The lesson of this text. `directory` is where its program may lie; none if it must be in the text.
    ///
    /// # Errors
    /// The first mistake, with its line.
    pub fn from_text(
        name: &str,
        text: &str,
        directory: Option<&Path>,
    ) -> Result<Lesson, LessonError> {
        let lines = FileLines(text);
        let file: LessonFile = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            lines.error_at(at, error.message())
        })?;
        let read = |table| read_program(table, directory, &lines);
        let program = match (file.program, file.seed, file.variant) {
            (Some(program), None, None) => LessonProgram::Single(read(program)?),
            (None, Some(seed), Some(variant)) => LessonProgram::Pair([read(seed)?, read(variant)?]),
            _ => {
                return Err(lines.error_at(
                    0,
                    "a lesson has either a table [program], or the tables [seed] and [variant]",
                ));
            }
        };
        if let LessonProgram::Pair([seed, variant]) = &program
            && seed.file == variant.file
        {
            let problem = "the seed and the variant need different names: change `file` of one";
            return Err(lines.error_at(0, problem));
        }
        if file.test.is_empty() {
            let problem = "a lesson needs a test: add a table [[test]] with has = \"a text\"";
            return Err(lines.error_at(0, problem));
        }
        if file.steps.is_empty() {
            let problem = "a lesson needs steps: add a table [[steps]] with text = \"a sentence\"";
            return Err(lines.error_at(0, problem));
        }
        let is_pair = matches!(program, LessonProgram::Pair(_));
        let conditions = file.test.into_iter().map(|row| {
            let at = row.span().start;
            let condition = row.into_inner().into_condition(is_pair);
            condition.map_err(|problem| lines.error_at(at, problem))
        });
        let conditions = conditions.collect::<Result<_, _>>()?;
        let steps = file.steps.into_iter();
        let steps = steps.map(|step| read_step(step.into_inner(), &lines));
        Ok(Lesson {
            name: name.to_owned(),
            title: file.title,
            teaches: one_line(&file.teaches),
            source: file.source,
            minutes: file.minutes,
            program,
            conditions,
            strategy_line: lines.line_of(file.strategy.span().start),
            strategy: file.strategy.into_inner(),
            steps: steps.collect::<Result<_, _>>()?,
        })
    }
}

/// A program of the lesson.
fn read_program(
    table: Spanned<ProgramTable>,
    directory: Option<&Path>,
    lines: &FileLines,
) -> Result<LessonText, LessonError> {
    let at = table.span().start;
    let ProgramTable { file, text } = table.into_inner();
    let is_name = !file.is_empty() && !file.contains(['/', '\0']) && !file.starts_with(['.', '-']);
    if !is_name || file == super::lesson_test::SCRIPT {
        let file = file.escape_hidden();
        let problem = format!("`{file}` is no name for the program; take one such as bug.c");
        return Err(lines.error_at(at, problem));
    }
    let text = match (text, directory) {
        (Some(text), _) => text,
        (None, None) => {
            return Err(lines.error_at(at, "the program has no text: add text = '''…'''"));
        }
        (None, Some(directory)) => {
            let path = directory.join(&file);
            fs::read_to_string(&path).map_err(|error| {
                let path = path.escape_hidden();
                let problem = format!(
                    "{path} cannot be read: {error}; put it beside the lesson, or add text = '''…'''"
                );
                lines.error_at(at, problem)
            })?
        }
    };
    Ok(LessonText { file, text })
}

fn read_step(step: StepTable, lines: &FileLines) -> Result<LessonStep, LessonError> {
    let text = one_line(step.text.get_ref());
    if text.is_empty() {
        return Err(lines.error_at(step.text.span().start, "the step tells nothing"));
    }
    let commands = step.run.iter().map(|line| {
        let at = line.span().start;
        let command = EngineCommand::parse_line(line.get_ref());
        match command.map_err(|problem| lines.error_at(at, problem))? {
            EngineCommand::Resume => Err(lines.error_at(
                at,
                "`resume` has no end; say until what: `until size N`, `until pass NAME`, or `step pass`",
            )),
            EngineCommand::Stop => Err(lines.error_at(at, "`stop` ends the run, and the lesson with it")),
            command => Ok(command),
        }
    });
    let commands = commands.collect::<Result<_, _>>()?;
    if let (Some(answer), None) = (&step.answer, &step.ask) {
        let problem = "an answer without a question: add ask = \"a question\"";
        return Err(lines.error_at(answer.span().start, problem));
    }
    if let (Some(guess), None) = (&step.guess, &step.ask) {
        let problem = "a guess without a question: add ask = \"a question\"";
        return Err(lines.error_at(guess.span().start, problem));
    }
    Ok(LessonStep {
        text,
        commands,
        takes_guess: step.guess.is_none_or(Spanned::into_inner),
        question: step.ask.as_deref().map(one_line),
        answer: step.answer.map(|answer| one_line(answer.get_ref())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "title = \"A\"\nteaches = \"b\"\nminutes = 1\nstrategy = \"perses\"\n\
        [program]\nfile = \"a.c\"\ntext = \"int x;\"\n\
        [[test]]\nhas = \"x\"\n\
        [[steps]]\ntext = \"one\\n  two\"\nrun = [\"step\"]\n";

    #[test]
    fn a_lesson_is_read() {
        let lesson = Lesson::from_text("a", SMALL, None).expect("a lesson");
        assert_eq!(lesson.steps[0].text, "one two");
        assert_eq!(lesson.steps[0].commands.len(), 1);
        assert_eq!(lesson.strategy_line, 4);
    }

    #[test]
    fn a_mistake_is_told_with_its_line() {
        for (from, to, said) in [
            ("minutes = 1", "minutes = one", "line 3: "),
            ("title", "titel", "line 1: unknown field `titel`"),
            (
                "[\"step\"]",
                "[\"stp\"]",
                "line 12: there is no command `stp`; near it: step",
            ),
            ("[\"step\"]", "[\"resume\"]", "line 12: `resume` has no end"),
            ("[\"step\"]", "[\"stop\"]", "line 12: `stop` ends the run"),
            ("file = \"a.c\"", "file = \"/a.c\"", "`/a.c` is no name"),
            ("text = \"int x;\"", "", "the program has no text"),
            ("has = \"x\"", "", "line 8: "),
            ("one\\n  two", "", "line 11: the step tells nothing"),
            ("[program]", "[seed]", "line 1: a lesson has either"),
            (
                "run = [\"step\"]",
                "answer = \"yes\"",
                "line 12: an answer without a question",
            ),
            (
                "run = [\"step\"]",
                "guess = false",
                "line 12: a guess without a question",
            ),
        ] {
            let text = SMALL.replacen(from, to, 1);
            let error = Lesson::from_text("a", &text, None).expect_err(from);
            assert!(error.to_string().contains(said), "{from}: {error}");
        }
    }
}
