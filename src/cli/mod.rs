//! Arguments and subcommands: what is typed becomes a run, and its end an exit status.

mod args;
mod ask;
mod cache;
mod care;
mod compare;
mod demo;
mod doctor;
mod empty;
mod export;
mod failure;
mod front;
mod generate;
mod given;
mod glance;
mod golden;
mod grammar;
mod guard;
mod header;
mod identify;
mod init;
mod languages;
mod manual;
mod meant;
mod names;
mod offer;
mod order;
mod original;
mod passes;
mod playback;
mod reading;
mod ready;
mod reduction;
mod refusal;
mod replay;
mod resume;
mod screenshot;
mod sessions;
mod settings;
mod signals;
mod sought;
mod steered;
mod steering;
mod studio;
mod tongue;
mod trust;
mod verify;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use args::{Cli, LanguagesVerb, Sub};
use failure::{Failure, OrFail, USAGE};
use given::Given;
use ready::Ready;
use reduction::Plan;

use crate::display::{Out, Stream, guard_panics, is_terminal};
use crate::oracle;
use crate::plain::Json;

/// How wide a line of a list may be on a terminal.
const LINE: usize = 120;

/// Does what the command line says; the exit status.
pub fn run(line: impl IntoIterator<Item = OsString>) -> u8 {
    guard_panics();
    let line: Vec<OsString> = line.into_iter().collect();
    let cli = args::parse(&line);
    let json = match &cli {
        Cli {
            command: Some(Sub::Demo(demo)),
            ..
        } => demo.common.json,
        Cli {
            command: Some(Sub::Resume { common, .. }),
            ..
        } => common.json,
        Cli {
            command: Some(Sub::Doctor(doctor)),
            ..
        } => doctor.json,
        Cli { reduce, .. } => reduce.common.json,
    };
    let status = obey(cli, &line).unwrap_or_else(|Failure { status, error }| {
        let message = told(&error);
        if json {
            Json::new(Out::stdout()).error(&message, status);
        }
        complain(&message);
        status
    });
    // What a run has not told at its end.
    oracle::left_behind().iter().for_each(|left| complain(left));
    status
}

fn obey(cli: Cli, line: &[OsString]) -> Result<u8, Failure> {
    match &cli.command {
        None => {}
        Some(Sub::Demo(demo)) => return demo::run(demo),
        Some(Sub::Resume {
            session,
            trust,
            common,
        }) => return resume::run(session.as_deref(), common, *trust),
        Some(Sub::Sessions { verb }) => return sessions::run(verb.as_ref()),
        Some(Sub::History { session }) => return sessions::history(session.as_deref()),
        Some(Sub::Show { version, session }) => {
            return sessions::show(*version, session.as_deref());
        }
        Some(Sub::Diff { a, b, session }) => return sessions::diff(*a, *b, session.as_deref()),
        Some(Sub::Export(export)) => return export::run(export),
        Some(Sub::Replay(replay)) => return playback::run(replay),
        Some(Sub::Man) => return manual::page(),
        Some(Sub::Generate { to }) => return generate::run(to),
        Some(Sub::Screenshot { to }) => return screenshot::run(to),
        Some(Sub::Commands) => {
            Out::stdout().page(&steering::page());
            return Ok(0);
        }
        Some(Sub::Passes) => {
            Out::stdout().page(&passes::page());
            return Ok(0);
        }
        Some(Sub::Compare(compare)) => return compare::run(compare),
        Some(Sub::Doctor(doctor)) => return doctor::run(doctor),
        Some(Sub::Init(init)) => return init::run(init),
        Some(Sub::Like { percent, file }) => return init::like(*percent, file),
        Some(Sub::Verify(verify)) => return verify::run(verify),
        Some(Sub::Grammar {
            language,
            rule,
            steps,
        }) => return show_grammar(language.as_deref(), rule.as_deref(), *steps),
        Some(Sub::Languages { verb: None }) => return Ok(languages::list()),
        Some(Sub::Languages { verb: Some(verb) }) => {
            let LanguagesVerb::Check {
                language, files, ..
            } = verb;
            return languages::check(language.as_deref(), files);
        }
    }
    reduce(&cli.reduce, line)
}

/// `lop FILE TEST`, and `lop FILE -- COMMAND`.
fn reduce(reduce: &args::Reduce, line: &[OsString]) -> Result<u8, Failure> {
    let Some(file) = &reduce.file else {
        return Err(Failure::new(USAGE, "type lop FILE TEST, or lop --help"));
    };
    let mistaken = || meant::command(line.get(1..)?).filter(|_| !file.exists());
    let swapped = reduce
        .test
        .as_ref()
        .and_then(|test| order::swapped(file, test));
    if let Some(message) = swapped.or_else(mistaken) {
        return Err(Failure::new(USAGE, message));
    }
    let input = Ready::input(file)?;
    let Some((given, notes)) = Given::of(&reduce.sought, reduce.test.as_deref(), &input)? else {
        return Err(Failure::new(
            USAGE,
            "type lop FILE TEST, or lop FILE -- COMMAND, or lop --help",
        ));
    };
    match offer::offer(&input, &given, reduce)? {
        Some(status) => Ok(status),
        None => {
            let mut plan = Plan::of(file, given, reduce)?;
            plan.notes.extend(notes);
            plan.run()
        }
    }
}

/// An error and its causes, each cause only if what is said already does not tell it.
fn told(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |said, cause| {
        let cause = cause.to_string();
        match said.as_str() {
            "" => cause,
            said if said.contains(&cause) => said.to_owned(),
            said => format!("{said}: {cause}"),
        }
    })
}

fn show_grammar(language: Option<&str>, rule: Option<&str>, steps: bool) -> Result<u8, Failure> {
    let mut text = Vec::new();
    let width = is_terminal(Stream::Output).then_some(LINE);
    match language
        .map(Path::new)
        .filter(|file| tongue::is_grammar(file))
    {
        Some(file) if steps => text.extend(tongue::stages(file)?.into_bytes()),
        Some(file) => {
            let language = tongue::loaded(file, None)?;
            grammar::rules(language, rule, width, &mut text).or_fail(USAGE)?;
        }
        None if steps => {
            let what = "--steps is for a grammar in a file, as in  lop grammar FILE.bnf --steps";
            return Err(Failure::new(USAGE, what));
        }
        None => grammar::grammar(language, rule, width, &mut text).or_fail(USAGE)?,
    }
    Out::stdout().page(&String::from_utf8_lossy(&text));
    Ok(0)
}

/// The program that is a helper for tests when it is told to: this one.
fn helper() -> Option<PathBuf> {
    std::env::current_exe().ok()
}

/// Says a sentence on standard error, if anyone is there to read it.
fn complain(message: &str) {
    Out::stderr().line(&format!("lop: {message}"));
}
