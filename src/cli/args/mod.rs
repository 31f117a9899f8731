//! The command line: its grammar, and how a line is parsed.

pub mod argument_order;
mod common_args;
pub mod did_you_mean;
mod generator_args;
mod isolate_args;
mod isolation_args;
mod learn_args;
mod pair_args;
mod property_args;
mod propose_args;
mod race_args;
mod record_args;
mod reduce_args;
mod remote_args;
mod run_args;
pub mod screen_settings;
mod serve_args;
pub mod strategy_names;
mod subcommands;
mod usage_error;
mod value_parsers;

use std::ffi::OsString;
use std::process;

use clap::error::ContextKind;
use clap::{Command, CommandFactory, Parser};

use crate::cli::failure::USAGE;
use crate::cli::messages::report_message;
use crate::display::ConsoleWriter;

pub use common_args::{CommonArgs, TestRunArgs, job_count};
pub use isolate_args::IsolateArgs;
pub use isolation_args::IsolationArgs;
pub use learn_args::LearnArgs;
pub use pair_args::{PairArgs, PairTestArgs};
pub use property_args::PropertyArgs;
pub use propose_args::ProposeArgs;
pub use race_args::RaceArgs;
pub use reduce_args::ReduceArgs;
pub use remote_args::RemoteArgs;
pub use run_args::RunArgs;
pub use screen_settings::ScreenSettings;
pub use subcommands::{
    CliSubcommand, CompareArgs, ComparePairArgs, CompareProgramArgs, CompareSubcommand,
    ContrastArgs, DemoArgs, DoctorArgs, DoctorPairArgs, DoctorSubcommand, ExportArgs, InitArgs,
    LanguagesSubcommand, MutateArgs, ReplayArgs, ReportArgs, SessionsSubcommand, VerifyArgs,
    VerifyPairArgs, VerifySubcommand,
};

/// Cuts a program down to the few tokens that still show a bug, while you watch.
#[derive(Debug, Parser)]
#[command(
    name = "lop",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    arg_required_else_help = true,
    subcommand_help_heading = "Other commands",
    override_usage = "lop [OPTIONS] FILE TEST\n       lop [OPTIONS] FILE FILE... TEST\n       lop [OPTIONS] DIRECTORY TEST\n       lop [OPTIONS] FILE -- COMMAND [ARGUMENT]...\n       lop [OPTIONS] FILE --differs RIGHT WRONG\n       lop [OPTIONS] FILE --serve COMMAND\n       lop [OPTIONS] --serve-reducer\n       lop COMMAND",
    after_help = "The exit status of the test says whether a smaller FILE still shows the bug: 0 if it does, anything else if not.\n\
                  A file with the name of a command can be given as ./demo.\n\n\
                  Exit status: 0 a result that passes the test; 1 the original does not pass, or there is nothing to do; 2 usage; \
                  3 the test or the system failed; 129, 130, 143 stopped by a signal, 130 also by `q` or a command: the best version is kept."
)]
pub struct CliArgs {
    #[command(subcommand)]
    pub command: Option<CliSubcommand>,
    #[command(flatten)]
    pub reduce: ReduceArgs,
}

/// What `lop` alone says: where to begin, on one screen.
const FIRST_STEPS: &str = "\
lop: nothing to do: type one of these to cut a program down to the few tokens that show a bug

  lop demo                      a program that comes with lop
  lop learn                     lessons on how reduction works
  lop bug.c                     your own: it asks how to see the bug
  lop bug.c -- gcc -O2 -c {}    a command that fails; {} is the file
  lop bug.c ./test.sh           a test that exits with 0 if the file shows the bug
  lop resume                    a run that was stopped or killed
  lop --help                    all options and commands
";

/// The words of the line; those of `lop help` without a second request for help.
fn without_repeated_help(line: &[OsString]) -> impl Iterator<Item = &OsString> {
    let helps = line.get(1).is_some_and(|word| word == "help");
    line.iter()
        .filter(move |word| !helps || !(*word == "--help" || *word == "-h"))
}

/// The command line with all its commands and options, for the generated files.
pub fn command_line() -> Command {
    CliArgs::command()
}

/// Reads the command line, or says what is wrong with it and ends the process.
pub fn parse_args(line: &[OsString]) -> CliArgs {
    if line.len() <= 1 {
        ConsoleWriter::stderr().write_page(FIRST_STEPS);
        process::exit(USAGE.into());
    }
    // The words of all commands take most of the time of a start, and this needs none of them.
    if let [_, only] = line
        && (only == "--version" || only == "-V")
    {
        ConsoleWriter::stdout().write_line(concat!("lop ", env!("CARGO_PKG_VERSION")));
        process::exit(0);
    }
    CliArgs::try_parse_from(without_repeated_help(line)).unwrap_or_else(|mut error| {
        let words = line.get(1..).unwrap_or_default();
        if error.use_stderr()
            && let Some(command) = did_you_mean::suggest_command(words)
        {
            report_message(&command);
            process::exit(USAGE.into());
        }
        // clap's advice about `--` does not fit: in lop a command follows `--`.
        error.remove(ContextKind::Suggested);
        let addition = did_you_mean::error_hint(words, &error);
        if addition.is_some() {
            error.remove(ContextKind::SuggestedArg);
        }
        let asked: Vec<OsString> = without_repeated_help(line).cloned().collect();
        usage_error::print_usage_error(&asked, &error);
        if let Some(addition) = addition {
            report_message(&addition);
        }
        process::exit(error.exit_code());
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<CliArgs, String> {
        CliArgs::try_parse_from(line.split(' ')).map_err(|error| error.to_string())
    }

    #[test]
    fn the_commands_are_consistent() {
        command_line().debug_assert();
    }

    #[test]
    fn a_file_and_a_test_need_no_command() {
        let cli = parsed("lop bug.c ./test.sh --timeout 0").expect("a command line");
        assert_eq!(
            (cli.reduce.file, cli.reduce.test),
            (Some("bug.c".into()), Some("./test.sh".into()))
        );
        assert_eq!(
            cli.reduce
                .run
                .timeout
                .map(|limit| limit.current_limits().wall),
            Some(None)
        );
        assert!(cli.command.is_none());
    }

    #[test]
    fn demo_is_a_command_and_dot_slash_demo_a_file() {
        assert!(matches!(
            parsed("lop demo --plain --jobs 2")
                .expect("a command line")
                .command,
            Some(CliSubcommand::Demo(_))
        ));
        let cli = parsed("lop ./demo t.sh").expect("a command line");
        assert_eq!(cli.reduce.file, Some("./demo".into()));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for line in [
            "lop a b --timeout -1",
            "lop a b --timeout x",
            "lop a b --jobs 0",
            "lop a b --memory much",
            "lop a b --disk -1",
            "lop a b --json --plain",
            "lop a b --in-place --output c",
            "lop a b --minimizer best",
            "lop a b --strategy best",
            "lop a b --strategy pair",
            "lop pair a b c d --strategy lop",
            "lop pair a b c d --in-place",
            "lop pair a b c d --objective bytes",
            "lop pair a b c",
            "lop pair a b c d --both e",
            "lop compare a b --strategies perses,best",
            "lop verify a",
        ] {
            assert!(parsed(line).is_err(), "{line}");
        }
    }
}
