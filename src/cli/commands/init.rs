//! `lop init`: writes a test as a script, for users who want to change more than the parts of the property.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use crate::cli::args::InitArgs;
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE};
use crate::cli::launch::failure_place::find_failure_place;
use crate::cli::launch::language_choice::choose_languages;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::script_words::WRITTEN;
use crate::cli::launch::test_spec::TestSpec;
use crate::display::sanitize_line;
use crate::oracle::shell::quote_path;
use crate::oracle::{
    CANDIDATE, FATAL_ERRORS, FailureProperty, InterestingnessTest, MISSING_TOOL_ENDINGS,
    PropertyCriterion, PropertyPart, QuoteContext, StageCommand, StageRole, TestStage, is_similar,
    normalize_message, shell,
};
use crate::plain::{ConsoleWriter, quote_path_for_display};
use crate::session::{self, RunInput};

/// Finds out how the command fails and writes the test; the exit status.
pub fn run_init(init: &InitArgs) -> Result<u8, CommandFailure> {
    if init.file.is_dir() {
        let named = quote_path_for_display(&init.file);
        let what = format!(
            "{named} is a directory, and lop init writes a test for one file alone; for a project give the command to the run: lop {named} -- COMMAND"
        );
        return Err(CommandFailure::new(USAGE, what));
    }
    let input = PreparedRun::read_input(&init.file)?;
    let Some((test_spec, notes)) = TestSpec::from_args(&init.property, None, &input)? else {
        return Err(CommandFailure::new(
            USAGE,
            "type lop init FILE -- COMMAND, or lop init FILE --differs RIGHT WRONG",
        ));
    };
    let TestSpec::Commands(_, wanted) = &test_spec else {
        return Err(CommandFailure::new(
            USAGE,
            "lop init writes a test from commands, and a script is a test already",
        ));
    };
    if init.output.symlink_metadata().is_ok() {
        let taken = quote_path_for_display(&init.output);
        return Err(CommandFailure::new(
            USAGE,
            format!("{taken} exists; choose another place with --output"),
        ));
    }
    let (scratch, isolation) = (init.test_run.scratch.as_deref(), &init.test_run.isolation);
    let mut prepared =
        PreparedRun::from_input(RunInput::Program(input), &test_spec, scratch, isolation, 1)?;
    let limit = init.test_run.limit_policy();
    let found = prepared.identify_property(wanted, limit)?;
    let ends_early = prepared.limit_errors(&found.run, found.limit.current_limits())?;
    let mut out = ConsoleWriter::stdout();
    notes
        .iter()
        .for_each(|note| out.write_line(&format!("lop: {}", sanitize_line(note))));
    let text = test_script(&prepared.test, limit.current_limits().wall);
    write_script(&init.output, &text)?;
    if let Some(property) = prepared.test.property() {
        out.write_line(&format!(
            "lop: the property is: {}",
            sanitize_line(&property.to_string())
        ));
        if let Some(note) = describe_grep_difference(property) {
            out.write_line(&format!("lop: {}", sanitize_line(&note)));
        }
    }
    if ends_early {
        out.write_line(&format!(
            "lop: the command has {FATAL_ERRORS} now: a candidate that does not compile costs less, and {} is as interesting as before",
            quote_path_for_display(&init.file)
        ));
    }
    out.write_line(&format!(
        "lop: the test is in {}; its comments say what it needs",
        quote_path_for_display(&init.output)
    ));
    let path = match init.output.is_relative() && init.output.components().count() == 1 {
        true => Path::new(".").join(&init.output),
        false => init.output.clone(),
    };
    let language = choose_languages(&prepared.input, None, None)?;
    let language = language.first().copied().flatten();
    let place = find_failure_place(&prepared, language, &found.run.output);
    let place = place.map_or_else(String::new, |place| format!(" --place {place}"));
    out.write_line(&format!(
        "    lop {} {}{place}",
        quote_path_for_display(&init.file),
        quote_path_for_display(&path)
    ));
    Ok(0)
}

/// Whether standard input differs from the message in a file by at most this percentage; the exit status.
pub fn compare_message(percent: u8, file: &Path) -> Result<u8, CommandFailure> {
    let text = fs::read_to_string(file).or_fail(USAGE)?;
    let mut printed = Vec::new();
    io::stdin().read_to_end(&mut printed).or_fail(FAILED)?;
    let printed = normalize_message(&String::from_utf8_lossy(&printed));
    Ok(if is_similar(&text, &printed, percent) {
        0
    } else {
        NOTHING_TO_DO
    })
}

/// Writes a test to a new file.
pub fn write_script(place: &Path, text: &str) -> Result<(), CommandFailure> {
    session::create_executable(place, text).map_err(|error| {
        let place = quote_path_for_display(place);
        let what = format!(
            "the test cannot be written to {place}: {error}; choose another place with --output"
        );
        CommandFailure::new(USAGE, what)
    })
}

/// The script with the same verdicts as the test.
pub fn test_script(test: &InterestingnessTest, limit: Option<Duration>) -> String {
    let none = FailureProperty::default();
    let property = test.property().unwrap_or(&none);
    let mut text = format!(
        "#!/bin/sh\n\
         {WRITTEN}\n#   {}\n\
         # It runs in an empty directory with a copy of the file, whose path is $1. It exits with 0 if the file still shows the\n\
         # bug, 125 if the file is invalid, 126 or 127 if a tool is missing, and anything else if not.\n\
         f=${{1##*/}}\n\
         case $f in -*) f=./$f;; esac\n",
        comment_text(&property.to_string())
    );
    for tool in called_tools(test) {
        text.push_str(&format!(
            "command -v {} >/dev/null || exit 127\n",
            shell::quote_word(tool)
        ));
    }
    for stage in test.stages() {
        text.push('\n');
        text.push_str(&match stage.role {
            StageRole::Check | StageRole::Succeeds => check_section(&stage.line),
            StageRole::Reference => reference_section(&stage.line, property),
            StageRole::Differs => differs_section(&stage.line, property),
            StageRole::Agrees => agrees_section(&stage.line),
            StageRole::Subject | StageRole::Says => subject_section(stage, property, limit),
        });
    }
    text.push_str("\nexit 0\n");
    text
}

/// The programs with which its commands begin, each once. What a line for a shell calls, only the shell knows.
fn called_tools(test: &InterestingnessTest) -> Vec<&str> {
    let mut tools: Vec<&str> = Vec::new();
    for stage in test.stages() {
        if let StageCommand::Words(words) = &stage.line
            && let Some(tool) = words.first().filter(|word| !word.contains(CANDIDATE))
            && !tools.contains(&tool.as_str())
        {
            tools.push(tool);
        }
    }
    tools
}

fn comment_text(text: &str) -> String {
    sanitize_line(text).into_owned()
}

/// The candidate, in a shell's quotes.
fn quote_candidate(quotes: QuoteContext) -> String {
    match quotes {
        QuoteContext::Unquoted => "\"$f\"",
        QuoteContext::Single => "'\"$f\"'",
        QuoteContext::Double => "$f",
    }
    .into()
}

/// A command with the candidate as `$f`.
fn shell_command(line: &StageCommand) -> String {
    match line {
        StageCommand::Words(words) => {
            let word = |word: &String| {
                let pieces = word.split(CANDIDATE).map(|piece| match piece {
                    "" => String::new(),
                    piece => shell::quote_word(piece),
                });
                match pieces.collect::<Vec<_>>().join("\"$f\"") {
                    empty if empty.is_empty() => "''".into(),
                    word => word,
                }
            };
            words.iter().map(word).collect::<Vec<_>>().join(" ")
        }
        StageCommand::Shell(line) | StageCommand::Serve(line) => {
            format!("( {}\n)", shell::fill_placeholders(line, quote_candidate))
        }
        StageCommand::Script(script) => format!("{} \"$1\"", quote_path(script.path())),
    }
}

/// Lines that pass on status 126 or 127 if the last printed line says that a tool is missing.
fn missing_tool_check(status: &str, errors: &str) -> String {
    let said = MISSING_TOOL_ENDINGS.join("|");
    format!(
        "case ${status} in 126|127) LC_ALL=C grep -a . {errors} | tail -n 1 | grep -a -q -E '({said})[[:space:]]*$' &&\n    \
         {{ cat {errors} >&2; exit ${status}; }};; esac\n"
    )
}

fn check_section(line: &StageCommand) -> String {
    format!(
        "# A file on which this fails is invalid.\n{} >lop.check 2>&1\nstatus=$?\n{}test $status -eq 0 || exit 125\n",
        shell_command(line),
        missing_tool_check("status", "lop.check")
    )
}

fn reference_section(line: &StageCommand, property: &FailureProperty) -> String {
    let expected = property.parts.iter().find_map(|part| match part.criterion {
        PropertyCriterion::Reference(status) if part.on => Some(status),
        _ => None,
    });
    let works = expected.map(|status| format!("test $right -eq {status} || exit 125\n"));
    format!(
        "# What this does is right.\n{} >lop.right 2>lop.errors\nright=$?\n{}{}",
        shell_command(line),
        missing_tool_check("right", "lop.errors"),
        works.unwrap_or_default()
    )
}

fn differs_section(line: &StageCommand, property: &FailureProperty) -> String {
    let mut text = format!(
        "# This should do the same, and does not.\n{} >lop.out 2>lop.errors\nstatus=$?\n{}",
        shell_command(line),
        missing_tool_check("status", "lop.errors")
    );
    property
        .named_parts()
        .for_each(|(name, part)| text.push_str(&part_section(&name, part, "lop.out lop.errors")));
    text
}

fn agrees_section(line: &StageCommand) -> String {
    format!(
        "# This must do the same, or the file has undefined behaviour.\n{} >lop.agrees 2>lop.errors\nagrees=$?\n{}\
         test $agrees -eq $right && cmp -s lop.right lop.agrees || exit 125\n",
        shell_command(line),
        missing_tool_check("agrees", "lop.errors")
    )
}

fn subject_section(
    stage: &TestStage,
    property: &FailureProperty,
    limit: Option<Duration>,
) -> String {
    let exits = property
        .parts
        .iter()
        .any(|part| part.on && matches!(part.criterion, PropertyCriterion::Exit(126 | 127)));
    let mut text = String::from("# The command that fails.\n");
    let hang = limit.filter(|_| property.expects_hang());
    let line = shell_command(&stage.line);
    text.push_str(&match hang {
        Some(limit) => {
            let seconds = limit.as_secs().max(1);
            format!(
                "( ulimit -t {seconds}; exec timeout -s KILL {} {line} ) >lop.out 2>&1\nstatus=$?\n",
                seconds * 10
            )
        }
        None => format!("{line} >lop.out 2>&1\nstatus=$?\n"),
    });
    if !exits {
        text.push_str(&missing_tool_check("status", "lop.out"));
    }
    property
        .named_parts()
        .for_each(|(name, part)| text.push_str(&part_section(&name, part, "lop.out")));
    text
}

/// The lines for a part of the property, for output in these files; as a comment if the part is off.
fn part_section(name: &str, part: &PropertyPart, printed: &str) -> String {
    let Some(looks) = criterion_command(&part.criterion, printed, part.on) else {
        return String::new();
    };
    let head = format!("# {name}: {}\n", comment_text(&part.criterion.to_string()));
    match part.on {
        true => head + &looks,
        false => {
            let off: String = looks.lines().map(|line| format!("# {line}\n")).collect();
            format!("{head}# (does not count)\n{off}")
        }
    }
}

/// This program, which the script calls to compare messages. A called one is named by its path, because PATH may lack it.
fn lop_path(called: bool) -> String {
    let path = std::env::current_exe().ok().filter(|_| called);
    quote_path(&path.unwrap_or_else(|| "lop".into()))
}

/// Whether an expression has syntax that `grep -E` lacks.
fn needs_perl_regex(regex: &str) -> bool {
    let escapes = escaped_chars(regex).any(|c| c.is_ascii_alphanumeric() && !"wWsSbB".contains(c));
    escapes
        || ["(?", "*?", "+?", "??", "}?"]
            .iter()
            .any(|own| regex.contains(own))
}

/// The characters after the backslashes of an expression.
fn escaped_chars(regex: &str) -> impl Iterator<Item = char> {
    let mut all = regex.chars();
    std::iter::from_fn(move || {
        all.find(|c| *c == '\\')?;
        all.next()
    })
}

/// A note on an expression that `grep` may read differently: in the C locale every character is one byte.
fn describe_grep_difference(property: &FailureProperty) -> Option<String> {
    let parts = property.parts.iter().filter(|part| part.on);
    let mut expressions = parts.filter_map(|part| match &part.criterion {
        PropertyCriterion::Grep(text) | PropertyCriterion::NotGrep(text) => Some(text),
        _ => None,
    });
    let own =
        |text: &&String| escaped_chars(text).any(|c| "pPuUzx".contains(c)) || text.contains("(?u");
    let text = expressions.find(own)?;
    Some(format!(
        "grep may read /{text}/ differently from lop: check it in the script"
    ))
}

fn criterion_command(criterion: &PropertyCriterion, printed: &str, counts: bool) -> Option<String> {
    let grep = |regex: &str| {
        let kind = if needs_perl_regex(regex) { "-P" } else { "-E" };
        format!(
            "LC_ALL=C grep -a -q {kind} -e {} {printed}",
            shell::quote_word(regex)
        )
    };
    Some(match criterion {
        PropertyCriterion::Exit(status) => format!("test $status -eq {status} || exit 1\n"),
        PropertyCriterion::Signal(signal) => {
            format!("test $status -eq {} || exit 1\n", 128 + signal)
        }
        // SIGKILL, or SIGXCPU.
        PropertyCriterion::Hang => {
            "test $status -eq 137 || test $status -eq 152 || exit 1\n".into()
        }
        PropertyCriterion::Line(pattern) | PropertyCriterion::Frame(pattern) => {
            format!("{} || exit 1\n", grep(&pattern.regex))
        }
        PropertyCriterion::NoLine(pattern) => format!("{} && exit 1\n", grep(&pattern.regex)),
        PropertyCriterion::Grep(regex) => format!("{} || exit 1\n", grep(regex)),
        PropertyCriterion::NotGrep(regex) => format!("{} && exit 1\n", grep(regex)),
        PropertyCriterion::Like { text, percent } => format!(
            "cat >lop.message <<'LOP_MESSAGE'\n{text}LOP_MESSAGE\n{} __like {percent} lop.message <lop.out || exit 1\n",
            lop_path(counts)
        ),
        PropertyCriterion::Differs => {
            "test $right -eq $status && cmp -s lop.right lop.out && exit 1\n".into()
        }
        PropertyCriterion::Reference(_) => return None,
    })
}
