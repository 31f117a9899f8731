//! Suggestions for a command line that is refused: a misspelt command, or a command after its options.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::command_line;
use crate::cli::program_path::find_program;
use crate::display::EscapeHidden;
use crate::language::suggest_names;
use crate::oracle::shell;
use crate::plain::quote_path_for_display;

/// Options of other reducers, the argument of lop that they mean, and what to type. The hint is given where lop's command has that
/// argument.
const HABITS: &[(&[&str], &str, &str)] = &[
    (
        &[
            "--threads",
            "--n",
            "-n",
            "--cores",
            "--parallel",
            "--parallelism",
        ],
        "jobs",
        "the number of tests at a time is --jobs, or -j, as in  -j 4",
    ),
    (
        &["--test", "-t", "--test-script", "--interestingness-test"],
        "test",
        "the file and the test are arguments without options: lop FILE TEST",
    ),
    (
        &["--time-limit", "--max-time"],
        "command",
        "to end a whole run, use timeout, as in\n    timeout 60 lop FILE TEST\n\
         The best version is kept, and `lop resume` resumes the run. On the screen `until time 60` pauses it. --timeout is for each test",
    ),
];

/// The line to type instead of these words, which lack the program's name; none without a good guess. If a file of that name exists,
/// the file is meant.
pub fn suggest_command(words: &[OsString]) -> Option<String> {
    let commands: Vec<String> = command_line()
        .get_subcommands()
        .map(|command| command.get_name().to_owned())
        .chain(["help".to_owned()])
        .collect();
    let first = words.first()?;
    if is_option(first) {
        let is_command = |word: &&OsString| commands.iter().any(|name| **word == **name);
        let late = words.iter().find(is_command)?;
        let rest = words.iter().filter(|word| *word != late);
        let meant = format_command_line([late].into_iter().chain(rest));
        return (!Path::new(late).exists())
            .then(|| format!("a command comes before its options; type\n    {meant}"));
    }
    let name = first.to_str()?;
    if ["verify", "doctor"].contains(&name) && words.iter().any(|word| word == "--") {
        return Some(format!(
            "{name} needs a test: `lop init FILE -- COMMAND` writes one, ./test.sh; then type\n    lop {name} FILE ./test.sh"
        ));
    }
    let plain = !name.contains(['.', '/']) && !Path::new(name).exists();
    let known = commands.iter().map(String::as_str);
    if !plain {
        return None;
    }
    let near = suggest_names(name, known);
    let meant = near.first()?;
    if meant == name {
        return None;
    }
    let meant = format_command_line([&OsString::from(meant)].into_iter().chain(&words[1..]));
    Some(format!(
        "there is no file {}; did you mean\n    {meant}",
        name.escape_hidden()
    ))
}

/// A hint that is added to clap's refusal of a line.
pub fn error_hint(words: &[OsString], error: &clap::Error) -> Option<String> {
    if is_missing_only_test(error) {
        let or_command = match has_argument(words, "line") {
            true => ", or -- and a command that shows the bug, as in  lop FILE -- cc -c {}",
            false => "",
        };
        return Some(format!(
            "type the path of a test after the file{or_command}"
        ));
    }
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    if let Some(line) = suggest_dashes(words) {
        return Some(format!("a command follows --, as in\n    {line}"));
    }
    if let Some(habit) = foreign_option_hint(words, error) {
        return Some(habit);
    }
    if words.first().is_some_and(|word| word == "demo") {
        return Some(
            "the demo has a program, a test and a result of its own, in a new directory; its options are --jobs, --scratch, --plain and --json"
                .into(),
        );
    }
    let is_file = |word: &&OsString| is_option(word) && Path::new(word).exists();
    let file = words
        .iter()
        .take_while(|word| *word != "--")
        .find(is_file)?;
    let file = quote_path_for_display(&Path::new(".").join(file));
    Some(format!("a file with such a name is given as {file}"))
}

/// The line to type instead of `lop FILE COMMAND ARGUMENT...`; none if the second word is no program in `PATH`, or is a file.
fn suggest_dashes(words: &[OsString]) -> Option<String> {
    let [file, program, arguments @ ..] = words else {
        return None;
    };
    let is_program = !Path::new(program).exists() && find_program(program.to_str()?).is_some();
    let has_file = !is_option(file) && command_line().find_subcommand(file).is_none();
    if !has_file || !is_program || words.iter().any(|word| word == "--") {
        return None;
    }
    let line = format_command_line([file, &"--".into(), program].into_iter());
    Some(
        arguments
            .iter()
            .fold(line, |line, word| match word == file {
                true => format!("{line} {{}}"),
                false => format!("{line} {}", shell::quote_for_display(word)),
            }),
    )
}

/// Whether only the test is missing.
fn is_missing_only_test(error: &clap::Error) -> bool {
    error.kind() == ErrorKind::MissingRequiredArgument
        && matches!(error.get(ContextKind::InvalidArg), Some(ContextValue::Strings(lacking)) if lacking[..] == ["<TEST>"])
}

/// Whether the subcommand that these words begin with has an argument of this name.
fn has_argument(words: &[OsString], name: &str) -> bool {
    let cli = command_line();
    let said = words.first().and_then(|word| cli.find_subcommand(word));
    let mut arguments = said.unwrap_or(&cli).get_arguments();
    arguments.any(|argument| argument.get_id() == name)
}

/// The hint for an option of another reducer.
fn foreign_option_hint(words: &[OsString], error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let means = |(options, argument, _): &&(&[&str], &str, &str)| {
        options.contains(&&**unknown) && has_argument(words, argument)
    };
    let (.., says) = HABITS.iter().find(means)?;
    Some((*says).to_owned())
}

fn is_option(word: &OsStr) -> bool {
    word.as_encoded_bytes().starts_with(b"-")
}

fn format_command_line<'a>(words: impl Iterator<Item = &'a OsString>) -> String {
    words.fold("lop".into(), |line, word| {
        // An option needs no quotes.
        let word = match word.to_str() {
            Some(option) if option.starts_with('-') && !option.contains(' ') => option.to_owned(),
            _ => shell::quote_for_display(word),
        };
        format!("{line} {word}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_or_late_command_is_understood() {
        let meant = |text: &str| {
            let words: Vec<OsString> = text.split_whitespace().map(OsString::from).collect();
            suggest_command(&words)
                .map(|said| said.lines().last().unwrap_or_default().trim().to_owned())
        };
        let line = |text: &str| Some(text.to_owned());
        assert_eq!(meant("grammer"), line("lop grammar"));
        assert_eq!(
            meant("grammer c if_statement"),
            line("lop grammar c if_statement")
        );
        assert_eq!(meant("dmeo --plain"), line("lop demo --plain"));
        assert_eq!(meant("--jobs 2 demo"), line("lop demo --jobs 2"));
        assert_eq!(meant("demo.c test.sh"), None);
        assert_eq!(meant("./dem test.sh"), None);
        assert_eq!(meant("bug.c"), None);
        assert_eq!(meant("src demo"), None);
        assert_eq!(meant("demo"), None);
        assert_eq!(meant(""), None);
    }
}
