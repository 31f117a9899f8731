//! The values of options: names from tables, numbers, limits and commands.

use std::ffi::OsStr;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::strategy_names::parse_strategy;
use crate::language;
use crate::minimize;
use crate::oracle::LimitPolicy;
use crate::pass::{self, STRATEGIES, Strategy};
use crate::reduce::EngineCommand;

pub(super) fn minimizer_names() -> PossibleValuesParser {
    PossibleValuesParser::new(minimize::MINIMIZERS.iter().map(|kind| kind.name))
}

/// The parts of a run on one program.
pub(super) fn feature_names() -> PossibleValuesParser {
    PossibleValuesParser::new(
        pass::FEATURES
            .iter()
            .chain(pass::STRATEGY_FEATURES)
            .chain(pass::REDUKTOR_FEATURES)
            .map(|(name, ..)| *name)
            .chain(pass::default_part_names())
            .map(joined_by_hyphens),
    )
}

/// A name with hyphens in the place of blanks, so that it needs no quotes; with blanks it means the same. A name lives as long as the process.
fn joined_by_hyphens(name: &'static str) -> PossibleValue {
    match name.contains(' ') {
        false => PossibleValue::new(name),
        true => PossibleValue::new(&*name.replace(' ', "-").leak()).alias(name),
    }
}

/// How much a run asks.
pub(super) fn effort_names() -> PossibleValuesParser {
    PossibleValuesParser::new(pass::EFFORTS.iter().map(|(name, ..)| *name))
}

/// What is off unless it is asked for: passes, and on the screen the stratum of shorter texts.
pub(super) fn optional_pass_names() -> PossibleValuesParser {
    let passes = pass::OPTIONAL_PASSES.iter().map(|(name, ..)| *name);
    PossibleValuesParser::new(passes.chain([pass::BYTES.name]))
}

/// The parts of a run on a pair: those of a round, then those of a run on one program.
pub(super) fn pair_feature_names() -> PossibleValuesParser {
    let features = pass::PAIR_FEATURES.iter().chain(pass::FEATURES);
    PossibleValuesParser::new(features.map(|(name, ..)| *name))
}

pub(super) fn language_names() -> PossibleValuesParser {
    let names = language::all_languages()
        .iter()
        .map(|language| language.name);
    PossibleValuesParser::new(names.chain(["text"]))
}

pub(super) fn schedule_names() -> PossibleValuesParser {
    PossibleValuesParser::new(pass::SCHEDULES.iter().map(|(name, ..)| *name))
}

/// The names of the strategies of a table.
pub(super) fn strategy_names(table: &'static [Strategy]) -> PossibleValuesParser {
    PossibleValuesParser::new(table.iter().map(|strategy| strategy.name))
}

/// The strategies for one program by all names that `lop compare` knows too: with a list minimiser or a schedule, or a list minimiser alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct StrategyNameParser;

impl StrategyNameParser {
    /// The plain names.
    fn plain_names() -> PossibleValuesParser {
        let strategies = STRATEGIES.iter().map(|strategy| strategy.name);
        PossibleValuesParser::new(
            strategies.chain(minimize::MINIMIZERS.iter().map(|kind| kind.name)),
        )
    }
}

impl TypedValueParser for StrategyNameParser {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        // Parts that a strategy does without have an option of their own.
        let name = value.to_str().filter(|name| !name.contains('~'));
        match name.filter(|name| parse_strategy(name).is_ok()) {
            Some(name) => Ok(name.to_owned()),
            None => Self::plain_names().parse_ref(command, arg, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names: Vec<PossibleValue> = Self::plain_names().possible_values()?.collect();
        Some(Box::new(names.into_iter()))
    }
}

/// Parses a value as the argument of this command.
pub(super) fn command_value_parser(
    verb: &'static str,
) -> impl Fn(&str) -> Result<EngineCommand, String> + Clone {
    move |value| EngineCommand::parse_line(&format!("{verb} {value}"))
}

/// A pin for the comments that match.
pub(super) fn parse_kept_comments(expression: &str) -> Result<EngineCommand, String> {
    let about_pins = |problem: String| problem.trim_start_matches("pin PLACE: ").to_owned();
    EngineCommand::parse_line(&format!("pin /{expression}/")).map_err(about_pins)
}

/// An exit status that has no meaning yet.
pub(super) fn parse_other_status(text: &str) -> Result<i32, String> {
    match text.parse() {
        Ok(status @ 1..=124 | status @ 128..=255) => Ok(status),
        Ok(status @ 0..=127) => Err(format!(
            "exit {status} has a meaning already: 0 is interesting, 125 invalid, 126 and 127 that the test failed"
        )),
        _ => Err("an exit status, from 1 to 255".into()),
    }
}

/// A number of tests at a time.
pub(super) fn parse_jobs(text: &str) -> Result<u16, String> {
    let many = text.parse().ok().filter(|&many: &u16| many > 0);
    many.ok_or_else(|| format!("a number from 1 to {}", u16::MAX))
}

/// A whole number.
pub(super) fn parse_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "a number, such as 12".to_owned())
}

/// A limit in seconds.
pub(super) fn parse_limit(text: &str) -> Result<LimitPolicy, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "a number of seconds, such as 0.5 or 60".to_owned())?;
    let limit = Duration::try_from_secs_f64(seconds)
        .map_err(|_| "a number of seconds, 0 or more".to_owned())?;
    Ok(LimitPolicy::fixed(limit))
}

/// A command line of the shell.
pub(super) fn parse_command_line(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("it names no command; such as 'python3 ideas.py'".into()),
        text => Ok(text.to_owned()),
    }
}

/// How long a program is waited for, in seconds.
pub(super) fn parse_patience(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no number of seconds; such as 10, or 0.5");
    let seconds: f64 = text.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}
