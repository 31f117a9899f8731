//! Arguments and subcommands: what is typed becomes a run, and its end an exit status.

mod args;
mod argument_order;
mod baseline_runs;
mod cache;
mod compare;
mod demo;
mod demo_animation;
mod demo_run;
mod did_you_mean;
mod doctor;
mod empty_file;
mod export;
mod failure;
mod front_end;
mod generate;
mod grammar;
mod header;
mod identify;
mod init;
mod initial_commands;
mod isolation_args;
mod language_choice;
mod languages;
mod manual;
mod passes;
mod playback;
mod preflight;
mod prepared_run;
mod prompt;
mod property_args;
mod reading;
mod reduction;
mod replay_check;
mod resume;
mod resume_offer;
mod sanity_checks;
mod screenshot;
mod sessions;
mod settings;
mod signals;
mod strategy_names;
mod test_spec;
mod trust;
mod ub_guard;
mod usage_error;
mod verify;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use args::{CliArgs, CliSubcommand, LanguagesSubcommand};
use failure::{CommandFailure, OrFail, USAGE};
use prepared_run::PreparedRun;
use reduction::ReductionPlan;
use test_spec::TestSpec;

use crate::display::{ConsoleWriter, OutputStream, guard_panics, is_terminal};
use crate::oracle;
use crate::plain::JsonReporter;

/// How wide a line of a list may be on a terminal.
const LINE: usize = 120;

/// Does what the command line says; the exit status.
pub fn run(line: impl IntoIterator<Item = OsString>) -> u8 {
    guard_panics();
    let line: Vec<OsString> = line.into_iter().collect();
    let cli = args::parse_args(&line);
    let json = match &cli {
        CliArgs {
            command: Some(CliSubcommand::Demo(demo)),
            ..
        } => demo.common.json,
        CliArgs {
            command: Some(CliSubcommand::Resume { common, .. }),
            ..
        } => common.json,
        CliArgs {
            command: Some(CliSubcommand::Doctor(doctor)),
            ..
        } => doctor.json,
        CliArgs { reduce, .. } => reduce.common.json,
    };
    let status =
        execute_subcommand(cli, &line).unwrap_or_else(|CommandFailure { status, error }| {
            let message = format_error(&error);
            if json {
                JsonReporter::new(ConsoleWriter::stdout()).report_error(&message, status);
            }
            report_message(&message);
            status
        });
    // What a run has not told at its end.
    oracle::take_leftover_notices()
        .iter()
        .for_each(|left| report_message(left));
    status
}

fn execute_subcommand(cli: CliArgs, line: &[OsString]) -> Result<u8, CommandFailure> {
    match &cli.command {
        None => {}
        Some(CliSubcommand::Demo(demo)) => return demo::run_demo(demo),
        Some(CliSubcommand::Resume {
            session,
            trust,
            common,
        }) => return resume::run_resume(session.as_deref(), common, *trust),
        Some(CliSubcommand::Sessions { verb }) => return sessions::run_sessions(verb.as_ref()),
        Some(CliSubcommand::History { session }) => {
            return sessions::run_history(session.as_deref());
        }
        Some(CliSubcommand::Show { version, session }) => {
            return sessions::run_show(*version, session.as_deref());
        }
        Some(CliSubcommand::Diff { a, b, session }) => {
            return sessions::run_diff(*a, *b, session.as_deref());
        }
        Some(CliSubcommand::Export(export)) => return export::run_export(export),
        Some(CliSubcommand::Replay(replay)) => return playback::run_replay(replay),
        Some(CliSubcommand::Man) => return manual::print_manual(),
        Some(CliSubcommand::Generate { to }) => return generate::run_generate(to),
        Some(CliSubcommand::Screenshot { to }) => return screenshot::run_screenshot(to),
        Some(CliSubcommand::Commands) => {
            ConsoleWriter::stdout().write_page(&initial_commands::commands_page());
            return Ok(0);
        }
        Some(CliSubcommand::Passes) => {
            ConsoleWriter::stdout().write_page(&passes::passes_page());
            return Ok(0);
        }
        Some(CliSubcommand::Compare(compare)) => return compare::run_compare(compare),
        Some(CliSubcommand::Doctor(doctor)) => return doctor::run_doctor(doctor),
        Some(CliSubcommand::Init(init)) => return init::run_init(init),
        Some(CliSubcommand::Like { percent, file }) => {
            return init::compare_message(*percent, file);
        }
        Some(CliSubcommand::Verify(verify)) => return verify::run_verify(verify),
        Some(CliSubcommand::Grammar {
            language,
            rule,
            steps,
        }) => return show_grammar(language.as_deref(), rule.as_deref(), *steps),
        Some(CliSubcommand::Languages { verb: None }) => return Ok(languages::print_languages()),
        Some(CliSubcommand::Languages { verb: Some(verb) }) => {
            let LanguagesSubcommand::Check {
                language, files, ..
            } = verb;
            return languages::check_languages(language.as_deref(), files);
        }
    }
    run_reduce(&cli.reduce, line)
}

/// `lop FILE TEST`, and `lop FILE -- COMMAND`.
fn run_reduce(reduce: &args::ReduceArgs, line: &[OsString]) -> Result<u8, CommandFailure> {
    let Some(file) = &reduce.file else {
        return Err(CommandFailure::new(
            USAGE,
            "type lop FILE TEST, or lop --help",
        ));
    };
    let mistaken = || did_you_mean::suggest_command(line.get(1..)?).filter(|_| !file.exists());
    let swapped = reduce
        .test
        .as_ref()
        .and_then(|test| argument_order::suggest_order(file, test));
    if let Some(message) = swapped.or_else(mistaken) {
        return Err(CommandFailure::new(USAGE, message));
    }
    let input = PreparedRun::read_input(file)?;
    let Some((given, notes)) =
        TestSpec::from_args(&reduce.property, reduce.test.as_deref(), &input)?
    else {
        return Err(CommandFailure::new(
            USAGE,
            "type lop FILE TEST, or lop FILE -- COMMAND, or lop --help",
        ));
    };
    match resume_offer::offer_resume(&input, &given, reduce)? {
        Some(status) => Ok(status),
        None => {
            let mut plan = ReductionPlan::from_args(file, given, reduce)?;
            plan.notes.extend(notes);
            plan.run()
        }
    }
}

/// An error and its causes, each cause only if what is said already does not tell it.
fn format_error(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |said, cause| {
        let cause = cause.to_string();
        match said.as_str() {
            "" => cause,
            said if said.contains(&cause) => said.to_owned(),
            said => format!("{said}: {cause}"),
        }
    })
}

fn show_grammar(
    language: Option<&str>,
    rule: Option<&str>,
    steps: bool,
) -> Result<u8, CommandFailure> {
    let mut text = Vec::new();
    let width = is_terminal(OutputStream::Output).then_some(LINE);
    match language
        .map(Path::new)
        .filter(|file| language_choice::is_grammar_path(file))
    {
        Some(file) if steps => {
            text.extend(language_choice::normalization_stages(file)?.into_bytes())
        }
        Some(file) => {
            let language = language_choice::load_grammar(file, None)?;
            grammar::write_rules(language, rule, width, &mut text).or_fail(USAGE)?;
        }
        None if steps => {
            let what = "--steps is for a grammar in a file, as in  lop grammar FILE.bnf --steps";
            return Err(CommandFailure::new(USAGE, what));
        }
        None => grammar::write_grammar(language, rule, width, &mut text).or_fail(USAGE)?,
    }
    ConsoleWriter::stdout().write_page(&String::from_utf8_lossy(&text));
    Ok(0)
}

/// The program that is a helper for tests when it is told to: this one.
fn helper_program() -> Option<PathBuf> {
    std::env::current_exe().ok()
}

/// Says a sentence on standard error, if anyone is there to read it.
fn report_message(message: &str) {
    ConsoleWriter::stderr().write_line(&format!("lop: {message}"));
}
