//! Arguments and subcommands: what is typed becomes a run, and its end an exit status.

mod args;
mod demo;
mod empty;
mod failure;
mod front;
mod grammar;
mod order;
mod original;
mod reduction;
mod replay;
mod screenshot;
mod signals;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;

use args::{Cli, Sub};
use failure::{Failure, OrFail, USAGE};
use reduction::Plan;

use crate::plain::{Json, Out};

/// Does what the command line says; the exit status.
pub fn run(line: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = args::parse(line);
    let json = match &cli {
        Cli {
            command: Some(Sub::Demo(demo)),
            ..
        } => demo.common.json,
        Cli { reduce, .. } => reduce.common.json,
    };
    obey(cli).unwrap_or_else(|Failure { status, error }| {
        let message = format!("{error:#}");
        if json {
            Json::new(Out::stdout()).error(&message, status);
        }
        complain(&message);
        status
    })
}

fn obey(cli: Cli) -> Result<u8, Failure> {
    match &cli.command {
        None => {}
        Some(Sub::Demo(demo)) => return demo::run(demo),
        Some(Sub::Replay { journal, .. }) => return replay::check(journal),
        Some(Sub::Screenshot { to }) => return screenshot::run(to),
        Some(Sub::Grammar { language, rule }) => {
            return show_grammar(language.as_deref(), rule.as_deref());
        }
    }
    let (Some(file), Some(test)) = (&cli.reduce.file, &cli.reduce.test) else {
        return Err(Failure::new(USAGE, "type lop FILE TEST, or lop --help"));
    };
    match order::swapped(file, test) {
        Some(message) => Err(Failure::new(USAGE, message)),
        None => Plan::of(file, test, &cli.reduce).run(),
    }
}

fn show_grammar(language: Option<&str>, rule: Option<&str>) -> Result<u8, Failure> {
    let mut text = Vec::new();
    grammar::grammar(language, rule, &mut text).or_fail(USAGE)?;
    Out::stdout().raw(&text);
    Ok(0)
}

/// The program that is a helper for tests when it is told to: this one.
fn helper() -> Option<PathBuf> {
    std::env::current_exe().ok()
}

/// Says a sentence on standard error, if anyone is there to read it.
fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "lop: {message}");
}
