//! `lop init`: a test as a script, for whoever wants to change more of it than its parts.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

use super::args;
use super::failure::{FAILED, Failure, NOTHING_TO_DO, OrFail, USAGE};
use super::given::Given;
use super::ready::Ready;
use crate::display::tamed;
use crate::oracle::shell::path_word;
use crate::oracle::{
    CANDIDATE, Clue, Limit, Line, MISSING, Part, Property, Quotes, Role, Stage, Test, is_like,
    likened, shell,
};
use crate::plain::{Out, quoted};
use crate::session;

/// Finds out what the command fails with and writes the test; the exit status.
pub(super) fn run(init: &args::Init) -> Result<u8, Failure> {
    let input = Ready::input(&init.file)?;
    let Some((given, notes)) = Given::of(&init.sought, None, &input)? else {
        return Err(Failure::new(
            USAGE,
            "type lop init FILE -- COMMAND, or lop init FILE --differs RIGHT WRONG",
        ));
    };
    let Given::Commands(_, wanted) = &given else {
        return Err(Failure::new(
            USAGE,
            "lop init makes a test of commands, and a script is a test already",
        ));
    };
    if init.output.symlink_metadata().is_ok() {
        let taken = quoted(&init.output);
        return Err(Failure::new(
            USAGE,
            format!("{taken} is there already; name another place with --output"),
        ));
    }
    let (scratch, care) = (init.place.scratch.as_deref(), &init.place.care);
    let mut ready = Ready::of(input, &given, scratch, care, 1)?;
    let limit = init.place.timeout.unwrap_or_else(Limit::adaptive);
    ready.identify(wanted, limit)?;
    let mut out = Out::stdout();
    notes
        .iter()
        .for_each(|note| out.line(&format!("lop: {}", tamed(note))));
    let text = script(&ready.test, limit.current().wall);
    let file = session::create_new(&init.output, 0o755);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| {
            let place = quoted(&init.output);
            let what = format!(
                "the test cannot be written to {place}: {error}; name another place with --output"
            );
            Failure::new(USAGE, what)
        })?;
    if let Some(property) = ready.test.property() {
        out.line(&format!(
            "lop: looked for is: {}",
            tamed(&property.to_string())
        ));
        if let Some(note) = differs_in_grep(property) {
            out.line(&format!("lop: {}", tamed(&note)));
        }
    }
    out.line(&format!(
        "lop: the test is in {}; what it needs is in its comments",
        quoted(&init.output)
    ));
    let path = match init.output.is_relative() && init.output.components().count() == 1 {
        true => Path::new(".").join(&init.output),
        false => init.output.clone(),
    };
    out.line(&format!("    lop {} {}", quoted(&init.file), quoted(&path)));
    Ok(0)
}

/// Whether standard input is the message of a file, but for so many percent; the exit status.
pub(super) fn like(percent: u8, file: &Path) -> Result<u8, Failure> {
    let text = fs::read_to_string(file).or_fail(USAGE)?;
    let mut printed = Vec::new();
    io::stdin().read_to_end(&mut printed).or_fail(FAILED)?;
    let printed = likened(&String::from_utf8_lossy(&printed));
    Ok(if is_like(&text, &printed, percent) {
        0
    } else {
        NOTHING_TO_DO
    })
}

/// The script that says what the test says.
fn script(test: &Test, limit: Option<Duration>) -> String {
    let none = Property::default();
    let property = test.property().unwrap_or(&none);
    let mut text = format!(
        "#!/bin/sh\n\
         # Written by lop init. Looked for is:\n#   {}\n\
         # It runs in an empty directory with a copy of the file, whose path is $1. It ends with 0 if the file still shows the\n\
         # bug, 125 if it says nothing, 126 or 127 if a tool is missing, and anything else if not.\n\
         f=${{1##*/}}\n\
         case $f in -*) f=./$f;; esac\n",
        comment(&property.to_string())
    );
    for stage in test.stages() {
        text.push('\n');
        text.push_str(&match stage.role {
            Role::Check => check(&stage.line),
            Role::Reference => reference(&stage.line, property),
            Role::Differs => differs(&stage.line, property),
            Role::Agrees => agrees(&stage.line),
            Role::Subject | Role::Says => subject(stage, property, limit),
        });
    }
    text.push_str("\nexit 0\n");
    text
}

fn comment(text: &str) -> String {
    tamed(text).into_owned()
}

/// The candidate, in a shell's quotes.
fn variable(quotes: Quotes) -> String {
    match quotes {
        Quotes::No => "\"$f\"",
        Quotes::Single => "'\"$f\"'",
        Quotes::Double => "$f",
    }
    .into()
}

/// A command, the candidate as `$f`.
fn command(line: &Line) -> String {
    match line {
        Line::Words(words) => {
            let word = |word: &String| {
                let pieces = word.split(CANDIDATE).map(|piece| match piece {
                    "" => String::new(),
                    piece => shell::word(piece),
                });
                match pieces.collect::<Vec<_>>().join("\"$f\"") {
                    empty if empty.is_empty() => "''".into(),
                    word => word,
                }
            };
            words.iter().map(word).collect::<Vec<_>>().join(" ")
        }
        Line::Shell(line) => format!("( {}\n)", shell::filled(line, variable)),
        Line::Script(script) => format!("{} \"$1\"", path_word(script.path())),
    }
}

/// Goes on if the last line of what was printed says that a tool is missing.
fn missing(status: &str, errors: &str) -> String {
    let said = MISSING.join("|");
    format!(
        "case ${status} in 126|127) LC_ALL=C grep -a . {errors} | tail -n 1 | grep -a -q -E '({said})[[:space:]]*$' &&\n    \
         {{ cat {errors} >&2; exit ${status}; }};; esac\n"
    )
}

fn check(line: &Line) -> String {
    format!(
        "# A file on which this fails says nothing.\n{} >lop.check 2>&1\nstatus=$?\n{}test $status -eq 0 || exit 125\n",
        command(line),
        missing("status", "lop.check")
    )
}

fn reference(line: &Line, property: &Property) -> String {
    let expected = property.parts.iter().find_map(|part| match part.clue {
        Clue::Reference(status) if part.on => Some(status),
        _ => None,
    });
    let works = expected.map(|status| format!("test $right -eq {status} || exit 125\n"));
    format!(
        "# What this does is right.\n{} >lop.right 2>lop.errors\nright=$?\n{}{}",
        command(line),
        missing("right", "lop.errors"),
        works.unwrap_or_default()
    )
}

fn differs(line: &Line, property: &Property) -> String {
    let mut text = format!(
        "# This should do the same, and does not.\n{} >lop.out 2>lop.errors\nstatus=$?\n{}",
        command(line),
        missing("status", "lop.errors")
    );
    property
        .named()
        .for_each(|(name, part)| text.push_str(&counted(&name, part, "lop.out lop.errors")));
    text
}

fn agrees(line: &Line) -> String {
    format!(
        "# This must do the same, or the file has undefined behaviour.\n{} >lop.agrees 2>lop.errors\nagrees=$?\n{}\
         test $agrees -eq $right && cmp -s lop.right lop.agrees || exit 125\n",
        command(line),
        missing("agrees", "lop.errors")
    )
}

fn subject(stage: &Stage, property: &Property, limit: Option<Duration>) -> String {
    let exits = property
        .parts
        .iter()
        .any(|part| part.on && matches!(part.clue, Clue::Exit(126 | 127)));
    let mut text = String::from("# The command that fails.\n");
    let hang = limit.filter(|_| property.is_about_a_hang());
    let line = command(&stage.line);
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
        text.push_str(&missing("status", "lop.out"));
    }
    property
        .named()
        .for_each(|(name, part)| text.push_str(&counted(&name, part, "lop.out")));
    text
}

/// A part of the property, of what was printed into these files; as a comment if it does not count.
fn counted(name: &str, part: &Part, printed: &str) -> String {
    let Some(looks) = looks(&part.clue, printed, part.on) else {
        return String::new();
    };
    let head = format!("# {name}: {}\n", comment(&part.clue.to_string()));
    match part.on {
        true => head + &looks,
        false => {
            let off: String = looks.lines().map(|line| format!("# {line}\n")).collect();
            format!("{head}# (does not count)\n{off}")
        }
    }
}

/// This program, which the script needs to compare messages: by its path where it is called, as it may not be in PATH.
fn lop(called: bool) -> String {
    let path = std::env::current_exe().ok().filter(|_| called);
    path_word(&path.unwrap_or_else(|| "lop".into()))
}

/// Whether there is something in an expression that `grep -E` does not know.
fn is_perls(regex: &str) -> bool {
    let escapes = escapes(regex).any(|c| c.is_ascii_alphanumeric() && !"wWsSbB".contains(c));
    escapes
        || ["(?", "*?", "+?", "??", "}?"]
            .iter()
            .any(|own| regex.contains(own))
}

/// What is behind the backslashes of an expression.
fn escapes(regex: &str) -> impl Iterator<Item = char> {
    let mut all = regex.chars();
    std::iter::from_fn(move || {
        all.find(|c| *c == '\\')?;
        all.next()
    })
}

/// What is looked for in another way by `grep` than by lop: there are no bytes in its C locale that are more than one character.
fn differs_in_grep(property: &Property) -> Option<String> {
    let parts = property.parts.iter().filter(|part| part.on);
    let mut expressions = parts.filter_map(|part| match &part.clue {
        Clue::Grep(text) | Clue::NotGrep(text) => Some(text),
        _ => None,
    });
    let own = |text: &&String| escapes(text).any(|c| "pPuUzx".contains(c)) || text.contains("(?u");
    let text = expressions.find(own)?;
    Some(format!(
        "grep may read /{text}/ otherwise than lop does: look at it in the script"
    ))
}

fn looks(clue: &Clue, printed: &str, counts: bool) -> Option<String> {
    let grep = |regex: &str| {
        let kind = if is_perls(regex) { "-P" } else { "-E" };
        format!(
            "LC_ALL=C grep -a -q {kind} -e {} {printed}",
            shell::word(regex)
        )
    };
    Some(match clue {
        Clue::Exit(status) => format!("test $status -eq {status} || exit 1\n"),
        Clue::Signal(signal) => format!("test $status -eq {} || exit 1\n", 128 + signal),
        // SIGKILL, or SIGXCPU.
        Clue::Hang => "test $status -eq 137 || test $status -eq 152 || exit 1\n".into(),
        Clue::Line(pattern) | Clue::Frame(pattern) => {
            format!("{} || exit 1\n", grep(&pattern.regex))
        }
        Clue::Grep(regex) => format!("{} || exit 1\n", grep(regex)),
        Clue::NotGrep(regex) => format!("{} && exit 1\n", grep(regex)),
        Clue::Like { text, percent } => format!(
            "cat >lop.message <<'LOP_MESSAGE'\n{text}LOP_MESSAGE\n{} __like {percent} lop.message <lop.out || exit 1\n",
            lop(counts)
        ),
        Clue::Differs => "test $right -eq $status && cmp -s lop.right lop.out && exit 1\n".into(),
        Clue::Reference(_) => return None,
    })
}
