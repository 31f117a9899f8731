//! A lesson as a file: TOML, read with the line of each mistake.

use std::fmt::Display;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use super::lesson_test::ConditionRow;
use super::{
    Lesson, LessonCommand, LessonName, LessonProgram, LessonStep, LessonText, RaceRounds, one_line,
};
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
    strategy: Option<Spanned<String>>,
    race: Option<Spanned<Vec<Spanned<String>>>>,
    layout: Option<Spanned<String>>,
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
    tests: Option<Spanned<TestsRow>>,
    ask: Option<String>,
    guess: Option<Spanned<bool>>,
    answer: Option<Spanned<String>>,
}

/// How many tests each lane of a race gets: a number, or the word `all`.
#[derive(Deserialize)]
#[serde(untagged)]
enum TestsRow {
    Number(u64),
    Word(String),
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

    fn name_at(&self, name: Spanned<String>) -> LessonName {
        LessonName {
            line: self.line_of(name.span().start),
            name: name.into_inner(),
        }
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
            lines.error_at(at, in_plain_words(error.message()))
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
        let strategies = read_strategies(file.strategy, file.race, is_pair, &lines)?;
        let is_race = strategies.len() > 1;
        let layout = file.layout.map(|layout| lines.name_at(layout));
        if let Some(layout) = layout.as_ref().filter(|_| is_race) {
            return Err(LessonError {
                line: layout.line,
                problem: "a race has a screen of its own: leave out `layout`".to_owned(),
            });
        }
        let conditions = file.test.into_iter().map(|row| {
            let at = row.span().start;
            let condition = row.into_inner().into_condition(is_pair);
            let condition = condition.map_err(|problem| lines.error_at(at, problem))?;
            match condition.broken_by(&program) {
                None => Ok(condition),
                Some(file) => Err(lines.error_at(
                    at,
                    format!(
                        "{} breaks this condition of the test: it {condition}; change one of them",
                        file.escape_hidden()
                    ),
                )),
            }
        });
        let conditions = conditions.collect::<Result<_, _>>()?;
        let steps = file.steps.into_iter();
        let steps = steps.map(|step| read_step(step.into_inner(), is_race, &lines));
        Ok(Lesson {
            name: name.to_owned(),
            title: file.title,
            teaches: one_line(&file.teaches),
            source: file.source,
            minutes: file.minutes,
            program,
            conditions,
            strategies,
            layout,
            steps: steps.collect::<Result<_, _>>()?,
        })
    }
}

/// The strategy of the lesson, or those of its race.
fn read_strategies(
    strategy: Option<Spanned<String>>,
    race: Option<Spanned<Vec<Spanned<String>>>>,
    is_pair: bool,
    lines: &FileLines,
) -> Result<Vec<LessonName>, LessonError> {
    let race = match (strategy, race) {
        (Some(strategy), None) => return Ok(vec![lines.name_at(strategy)]),
        (None, Some(race)) => race,
        _ => {
            let problem = "a lesson has either a strategy = \"a name\", or a race = [\"a name\", \"another\"]";
            return Err(lines.error_at(0, problem));
        }
    };
    let at = race.span().start;
    let race = race.into_inner();
    match race.len() {
        0 | 1 => Err(lines.error_at(at, "a race needs two strategies or more: add a name")),
        _ if is_pair => {
            let problem = "a race is on one program: give the lesson a table [program]";
            Err(lines.error_at(at, problem))
        }
        _ => Ok(race.into_iter().map(|name| lines.name_at(name)).collect()),
    }
}

/// What the reader of TOML says of a value of another type, in words for who writes a lesson.
fn in_plain_words(message: &str) -> String {
    const WORDS: [(&str, &str); 4] = [
        ("expected u32", "expected a whole number, such as 10"),
        ("expected a sequence", "expected a list, such as [\"step\"]"),
        ("expected a boolean", "expected true or false"),
        ("expected a string", "expected a text in quotes"),
    ];
    let words = WORDS.into_iter();
    words.fold(message.to_owned(), |message, (from, to)| {
        message.replace(from, to)
    })
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

fn read_step(step: StepTable, is_race: bool, lines: &FileLines) -> Result<LessonStep, LessonError> {
    let text = one_line(step.text.get_ref());
    if text.is_empty() {
        return Err(lines.error_at(step.text.span().start, "the step tells nothing"));
    }
    if let Some(line) = step.run.first().filter(|_| is_race) {
        let problem = "a race has no commands: say tests = 10, or tests = \"all\"";
        return Err(lines.error_at(line.span().start, problem));
    }
    let rounds = read_rounds(step.tests, is_race, lines)?;
    let commands = step.run.iter().map(|line| {
        let at = line.span().start;
        let command = EngineCommand::parse_line(line.get_ref());
        match command.map_err(|problem| lines.error_at(at, problem))? {
            EngineCommand::Resume => Err(lines.error_at(
                at,
                "`resume` has no end; say until what: `until size N`, `until pass NAME`, or `step pass`",
            )),
            EngineCommand::Stop => Err(lines.error_at(at, "`stop` ends the run, and the lesson with it")),
            command => Ok(LessonCommand {
                command,
                line: lines.line_of(at),
            }),
        }
    });
    let commands = commands.collect::<Result<_, _>>()?;
    if let (Some(answer), None) = (&step.answer, &step.ask) {
        let problem = "an answer without a question: add ask = \"a question\"";
        return Err(lines.error_at(answer.span().start, problem));
    }
    if let (Some(_), None) = (&step.ask, &step.answer) {
        let problem = "a question without an answer: add answer = \"a sentence\"";
        return Err(lines.error_at(step.text.span().start, problem));
    }
    if let (Some(guess), None) = (&step.guess, &step.ask) {
        let problem = "a guess without a question: add ask = \"a question\"";
        return Err(lines.error_at(guess.span().start, problem));
    }
    Ok(LessonStep {
        text,
        commands,
        takes_guess: step.guess.is_none_or(Spanned::into_inner),
        rounds,
        question: step.ask.as_deref().map(one_line),
        answer: step.answer.map(|answer| one_line(answer.get_ref())),
    })
}

/// How many tests each lane gets in a step.
fn read_rounds(
    tests: Option<Spanned<TestsRow>>,
    is_race: bool,
    lines: &FileLines,
) -> Result<RaceRounds, LessonError> {
    let Some(tests) = tests else {
        return Ok(RaceRounds::Number(0));
    };
    let at = tests.span().start;
    match tests.into_inner() {
        _ if !is_race => {
            let problem = "`tests` is for a race; tell the run what to do with run = [\"step\"]";
            Err(lines.error_at(at, problem))
        }
        TestsRow::Number(number) => Ok(RaceRounds::Number(number)),
        TestsRow::Word(word) if word == "all" => Ok(RaceRounds::ToEnd),
        TestsRow::Word(_) => Err(lines.error_at(at, "tests is a number, or \"all\"")),
    }
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
        assert_eq!(lesson.strategies[0].line, 4);
        assert!(lesson.layout.is_none() && !lesson.is_race());
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
            (
                "minutes = 1",
                "minutes = \"one\"",
                "expected a whole number",
            ),
            (
                "[\"step\"]",
                "\"step\"",
                "line 12: invalid type: string \"step\", expected a list",
            ),
            (
                "has = \"x\"",
                "has = \"y\"",
                "line 8: a.c breaks this condition of the test: it has `y`",
            ),
            (
                "run = [\"step\"]",
                "ask = \"Why?\"",
                "line 11: a question without an answer",
            ),
            ("file = \"a.c\"", "file = \"/a.c\"", "`/a.c` is no name"),
            ("text = \"int x;\"", "", "the program has no text"),
            ("has = \"x\"", "", "line 8: "),
            ("one\\n  two", "", "line 11: the step tells nothing"),
            ("[program]", "[seed]", "line 1: a lesson has either"),
            (
                "run = [\"step\"]",
                "tests = 3",
                "line 12: `tests` is for a race",
            ),
            (
                "strategy = \"perses\"",
                "",
                "line 1: a lesson has either a strategy",
            ),
            (
                "strategy = \"perses\"",
                "race = [\"perses\"]",
                "line 4: a race needs two",
            ),
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

    const RACE: &str = "race = [\"perses\",\n  \"ddmin\"]";

    /// The small lesson with a race.
    fn race(tests: &str) -> String {
        SMALL
            .replacen("strategy = \"perses\"", RACE, 1)
            .replacen("run = [\"step\"]", tests, 1)
    }

    #[test]
    fn a_race_is_read_with_the_tests_of_its_steps() {
        for (tests, rounds) in [
            ("", RaceRounds::Number(0)),
            ("tests = 10", RaceRounds::Number(10)),
            ("tests = \"all\"", RaceRounds::ToEnd),
        ] {
            let lesson = Lesson::from_text("a", &race(tests), None).expect("a lesson");
            assert!(lesson.is_race());
            assert_eq!(lesson.strategies[1].line, 5);
            assert_eq!(lesson.steps[0].rounds, rounds);
        }
        for (tests, said) in [
            ("run = [\"step\"]", "line 13: a race has no commands"),
            ("tests = \"most\"", "line 13: tests is a number"),
        ] {
            let error = Lesson::from_text("a", &race(tests), None).expect_err(tests);
            assert!(error.to_string().contains(said), "{error}");
        }
        let with_layout = format!("layout = \"beamer\"\n{}", race(""));
        let error = Lesson::from_text("a", &with_layout, None).expect_err("no layout");
        assert!(
            error
                .to_string()
                .contains("line 1: a race has a screen of its own"),
            "{error}"
        );
    }
}
