//! The commands, one file each.

mod attach;
mod compare;
mod contrast;
pub mod demo;
mod doctor;
mod export;
mod grammar;
mod init;
mod isolate;
mod languages;
mod learn;
pub mod manual;
mod minimality_check;
mod mutate;
mod pair;
mod passes;
mod project;
mod reduce;
mod replay;
mod replay_check;
mod report;
mod resume;
mod rules;
mod serve_reducer;
mod sessions;
mod start;
mod steering;
mod verify;
mod verify_pair;
mod versions;

use std::ffi::OsString;

use self::resume::ResumeChoice;
use crate::cli::args::{CliArgs, CliSubcommand, LanguagesSubcommand};
use crate::cli::failure::CommandFailure;
use crate::display::{ConsoleWriter, spell_page};

/// Prints a page of lop's own.
fn print_page(page: String) {
    let page = spell_page(page, |name| std::env::var(name).ok());
    ConsoleWriter::stdout().write_page(&page);
}

/// Runs the subcommand of the command line; the exit status.
pub fn execute_subcommand(cli: CliArgs, line: &[OsString]) -> Result<u8, CommandFailure> {
    match &cli.command {
        None => {}
        Some(CliSubcommand::Demo(demo)) => return demo::run_demo(demo),
        Some(CliSubcommand::Learn(learn)) => return learn::run_learn(learn),
        Some(CliSubcommand::Resume {
            session,
            trust,
            effort,
            common,
            remote,
            propose,
        }) => {
            let choice = ResumeChoice::from_args(*trust, effort.as_deref(), remote, propose);
            return resume::run_resume(session.as_deref(), common, choice);
        }
        Some(CliSubcommand::Attach { session, settings }) => {
            return attach::run_attach(session.as_deref(), settings);
        }
        Some(CliSubcommand::Sessions { verb }) => return sessions::run_sessions(verb.as_ref()),
        Some(CliSubcommand::History { session }) => {
            return versions::run_history(session.as_deref());
        }
        Some(CliSubcommand::Show { version, session }) => {
            return versions::run_show(*version, session.as_deref());
        }
        Some(CliSubcommand::Diff { a, b, session }) => {
            return versions::run_diff(*a, *b, session.as_deref());
        }
        Some(CliSubcommand::Export(export)) => return export::run_export(export),
        Some(CliSubcommand::Report(report)) => return report::run_report(report),
        Some(CliSubcommand::Replay(replay)) => return replay::run_replay(replay),
        Some(CliSubcommand::Man) => return manual::print_manual(),
        Some(CliSubcommand::Commands) => {
            print_page(steering::commands_page());
            return Ok(0);
        }
        Some(CliSubcommand::Passes) => {
            print_page(passes::passes_page());
            return Ok(0);
        }
        Some(CliSubcommand::Compare(compare)) => return compare::run_compare(compare),
        Some(CliSubcommand::Race(race)) => return compare::run_race(race),
        Some(CliSubcommand::Contrast(contrast)) => return contrast::run_contrast(contrast),
        Some(CliSubcommand::Pair(pair)) => return pair::run_pair(pair),
        Some(CliSubcommand::Isolate(isolate)) => return isolate::run_isolate(isolate),
        Some(CliSubcommand::Mutate(mutate)) => return mutate::run_mutate(mutate),
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
            parse,
        }) => {
            return match (language, parse) {
                (Some(language), Some(file)) => grammar::print_derivation(language, file),
                _ => grammar::run_grammar(language.as_deref(), rule.as_deref(), *steps),
            };
        }
        Some(CliSubcommand::Rules { language }) => return rules::print_rules(language.as_deref()),
        Some(CliSubcommand::Languages { verb: None }) => return Ok(languages::print_languages()),
        Some(CliSubcommand::Languages { verb: Some(verb) }) => {
            let LanguagesSubcommand::Check {
                language, files, ..
            } = verb;
            return languages::check_languages(language.as_deref(), files);
        }
    }
    if cli.reduce.serve_reducer {
        return serve_reducer::run_serve_reducer(&cli.reduce);
    }
    reduce::run_reduce(cli.reduce, line)
}
