//! Arguments and subcommands: a command line becomes a run, and its end an exit status.

mod args;
mod commands;
mod failure;
mod launch;
mod messages;
mod program_path;
mod session_lookup;

use std::ffi::OsString;

pub use args::command_line;
pub use commands::demo::{DEMO_PROGRAM, demo_next_step};
pub use commands::manual::manual_page;

use args::{CliArgs, CliSubcommand, DoctorSubcommand};
use failure::CommandFailure;
use messages::report_message;

use crate::display::{ConsoleWriter, guard_panics};
use crate::oracle;
use crate::plain::{JsonReporter, start_cpu_clock};

/// Runs a command line; the exit status.
pub fn run(line: impl IntoIterator<Item = OsString>) -> u8 {
    start_cpu_clock();
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
        } => match &doctor.pair {
            Some(DoctorSubcommand::Pair(pair)) => pair.json,
            None => doctor.json,
        },
        CliArgs {
            command: Some(CliSubcommand::Pair(pair)),
            ..
        } => pair.run.common.json,
        CliArgs { reduce, .. } => reduce.run.common.json,
    };
    let status = commands::execute_subcommand(cli, &line).unwrap_or_else(
        |CommandFailure { status, error }| {
            let message = format_error(&error);
            if json {
                JsonReporter::new(ConsoleWriter::stdout()).report_error(&message, status);
            }
            report_message(&message);
            status
        },
    );
    // Notices that no run has reported.
    oracle::take_leftover_notices()
        .iter()
        .for_each(|left| report_message(left));
    status
}

/// An error and its causes, without causes whose text is already there.
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
