//! Scripts of commands: a line each, with the moment at which it holds.
//!
//! ```text
//! # what follows is a comment
//! pin main
//! at decision 100: undo ban
//! at commit 3: disable bodies
//! at size 50: stop
//! ```

use super::command::EngineCommand;
use crate::reduce::decision::Decision;

/// When a command of a script holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptTrigger {
    /// Before the first question.
    Start,
    /// Before this decision.
    Decision(Decision),
    /// After this number of accepted edits.
    Commit(u64),
    /// When the program has at most this number of tokens.
    Size(u32),
    /// At this place of the dialogue: as a journal says.
    Exactly(CommandPosition),
}

/// Where in the dialogue a command holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandPosition {
    /// Before this decision.
    pub before: Decision,
    /// After this number of refusals since the decision before that.
    pub rejected: u64,
    /// After this number of pieces of work since then, where the next question was still being planned. None at a question or at the end.
    pub work_steps: Option<u64>,
}

/// Why a script cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ScriptError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

/// The commands of a script, in their order.
///
/// # Errors
/// When a line is no command, or says no moment.
pub fn parse_script(text: &str) -> Result<Vec<(ScriptTrigger, EngineCommand)>, ScriptError> {
    parse_script_with(text, EngineCommand::parse_line)
}

/// The same of a script that a journal holds: see [`EngineCommand::parse_recorded`].
///
/// # Errors
/// As [`parse_script`].
pub fn parse_recorded_script(
    text: &str,
) -> Result<Vec<(ScriptTrigger, EngineCommand)>, ScriptError> {
    parse_script_with(text, EngineCommand::parse_recorded)
}

type CommandParser = fn(&str) -> Result<EngineCommand, String>;

fn parse_script_with(
    text: &str,
    command: CommandParser,
) -> Result<Vec<(ScriptTrigger, EngineCommand)>, ScriptError> {
    let lines = text.lines().map(str::trim).enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(at, line)| {
            parse_script_line(line, command).map_err(|problem| ScriptError {
                line: at + 1,
                problem,
            })
        })
        .collect()
}

/// A command and its moment, as a line of a script.
pub fn script_line(when: ScriptTrigger, command: &EngineCommand) -> String {
    match when {
        ScriptTrigger::Start => command.to_string(),
        ScriptTrigger::Decision(number) => format!("at decision {number}: {command}"),
        ScriptTrigger::Exactly(place) => format!("at decision {}: {command}", place.before),
        ScriptTrigger::Commit(number) => format!("at commit {number}: {command}"),
        ScriptTrigger::Size(size) => format!("at size {size}: {command}"),
    }
}

fn parse_script_line(
    line: &str,
    reader: CommandParser,
) -> Result<(ScriptTrigger, EngineCommand), String> {
    let Some(rest) = line.strip_prefix("at ") else {
        return Ok((ScriptTrigger::Start, reader(line)?));
    };
    let wrong = || {
        "that is no moment; there are `at start: …`, `at decision N: …`, `at commit N: …` and `at size N: …`".to_owned()
    };
    let (moment, command) = rest.split_once(':').ok_or_else(wrong)?;
    let (kind, number) = moment.split_once(' ').unwrap_or((moment, ""));
    let number = || number.trim().parse::<u32>().map_err(|_| wrong());
    let when = match kind {
        "start" => ScriptTrigger::Start,
        "decision" => ScriptTrigger::Decision(number()?.into()),
        "commit" => ScriptTrigger::Commit(number()?.into()),
        "size" => ScriptTrigger::Size(number()?),
        _ => return Err(wrong()),
    };
    Ok((when, reader(command)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_command_and_its_moment() {
        let read =
            parse_script("# hints\npin main\n\n  at decision 12: step commit\nat size 50: stop\n")
                .expect("a script");
        let lines: Vec<_> = read
            .iter()
            .map(|(when, command)| (*when, command.to_string()))
            .collect();
        for (when, command) in &read {
            let again = parse_script(&script_line(*when, command)).expect("a script");
            assert_eq!(again, [(*when, command.clone())]);
        }
        assert_eq!(
            lines,
            [
                (ScriptTrigger::Start, "pin main".to_owned()),
                (ScriptTrigger::Decision(12), "step commit".to_owned()),
                (ScriptTrigger::Size(50), "stop".to_owned()),
            ]
        );
    }

    #[test]
    fn what_is_no_line_is_told_with_its_number() {
        let said = |text| parse_script(text).expect_err("no script").to_string();
        assert!(
            said("pin main\n\nat noon: stop")
                .starts_with("line 3: that is no moment; there are `at start: …`")
        );
        assert!(said("fly").starts_with("line 1: there is no command `fly`"));
    }
}
