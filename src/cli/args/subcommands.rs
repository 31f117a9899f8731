//! What can be typed behind the name of a command.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};

use super::property_args::PropertyArgs;
use super::screen_settings::ScreenSettings;
use super::strategy_names::{NamedStrategy, parse_strategy};
use super::{CommonArgs, TestRunArgs, parse_jobs, parse_number};
use crate::tui::parse_speed;

/// What `lop languages` does besides listing.
#[derive(Clone, Debug, Subcommand)]
pub enum LanguagesSubcommand {
    /// Check that each node of a text is derived by the grammar, and that whatever lop would try on it parses again
    #[command(
        after_help = "Exit status: 0 if all is as it should be, 1 if something is not, 2 usage."
    )]
    Check {
        /// The language; or a grammar, as a file or directory; or --all
        #[arg(required_unless_present = "all")]
        language: Option<String>,
        /// All languages, each by the sample it comes with
        #[arg(long, conflicts_with_all = ["language", "files"])]
        all: bool,
        /// The texts [default: the sample that comes with the language]
        files: Vec<PathBuf>,
    },
}

/// What `lop sessions` does besides listing.
#[derive(Clone, Debug, Subcommand)]
pub enum SessionsSubcommand {
    /// Remove the sessions of runs that came to their end
    Prune {
        /// Do not ask, as where there is nobody to answer
        #[arg(long)]
        yes: bool,
        /// Also those of runs that did not
        #[arg(long)]
        all: bool,
        /// Only those that nothing was written to for so many days
        #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_number)]
        days: u64,
        /// Only those about files in this directory
        #[arg(long)]
        here: bool,
    },
}

/// `lop replay`.
#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Exit status: 0; with --check 1 if the journal is damaged or a decision is another one; 2 usage; 3 the system failed."
)]
pub struct ReplayArgs {
    /// The session, by its name or directory, or a file that --journal wrote [default: the newest about a file in this directory, else the newest]
    pub session: Option<String>,
    /// Watch nothing, but make every decision again from what the test said, and compare
    #[arg(long, conflicts_with_all = ["plain", "speed"])]
    pub check: bool,
    /// Print a line a decision in place of the screen; so it is without a terminal
    #[arg(long)]
    pub plain: bool,
    /// How many times as fast as the run was
    #[arg(long, value_name = "TIMES", default_value = "1", value_parser = parse_speed)]
    pub speed: f64,
    #[command(flatten)]
    pub settings: ScreenSettings,
}

/// `lop export`.
#[derive(Clone, Debug, Args)]
#[command(
    group = ArgGroup::new("as").required(true).multiple(true).args(["jsonl", "html"]),
    override_usage = "lop export [SESSION] --jsonl\n       lop export [SESSION] --html FILE")]
pub struct ExportArgs {
    /// The session, by its name or directory [default: the newest about a file in this directory, else the newest]
    pub session: Option<String>,
    /// Print one JSON object a version: step, elapsed_s, tokens, content
    #[arg(long)]
    pub jsonl: bool,
    /// Write one page that plays the run, for any browser; it needs no other file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// `lop demo`.
#[derive(Debug, Args)]
pub struct DemoArgs {
    #[command(flatten)]
    pub common: CommonArgs,
}

/// `lop init`.
#[derive(Debug, Args)]
#[command(
    override_usage = "lop init [OPTIONS] FILE -- COMMAND [ARGUMENT]...\n       lop init [OPTIONS] FILE --differs RIGHT WRONG",
    after_help = "Exit status: 0 the test was written; 1 the command does not fail; 2 usage; 3 the command or the system failed."
)]
pub struct InitArgs {
    /// The file on which the command fails
    pub file: PathBuf,
    /// Where the test goes; what is there is not overwritten
    #[arg(long, short, value_name = "PATH", default_value = "test.sh")]
    pub output: PathBuf,
    #[command(flatten)]
    pub property: PropertyArgs,
    #[command(flatten)]
    pub test_run: TestRunArgs,
}

/// `lop compare`.
#[derive(Debug, Args)]
#[command(
    after_help = "All strategies share the verdicts of the test, so that nothing is tested twice. The tests and the time in the table are \
                  those of each strategy as if it had run alone. Nothing is written but the table.\n\n\
                  Exit status: as for lop FILE TEST."
)]
pub struct CompareArgs {
    /// The file to reduce
    pub file: PathBuf,
    /// The interestingness test
    pub test: PathBuf,
    /// The strategies, with commas between them. Each is STRATEGY, STRATEGY+MINIMIZER (perses+ddmin), or MINIMIZER alone, which means
    /// lines+MINIMIZER: delta debugging as it is best known. lop passes lists the names
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = parse_strategy, default_value = "lop,perses,pardis,hdd,ddmin")]
    pub strategies: Vec<NamedStrategy>,
    /// The curves as comma-separated values in place of the table: strategy, tests, seconds, tokens
    #[arg(long)]
    pub csv: bool,
    #[command(flatten)]
    pub test_run: TestRunArgs,
}

/// `lop verify`.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 FILE is minimal: no single edit of its tree leaves it interesting, though the deletion of a token may that is no such \
                  edit, and is told; 1 it is not minimal, or does not pass the test; 2 usage; 3 the test or the system failed."
)]
pub struct VerifyArgs {
    /// The file to check
    pub file: PathBuf,
    /// The interestingness test
    pub test: PathBuf,
    #[command(flatten)]
    pub test_run: TestRunArgs,
}

/// `lop doctor`.
#[derive(Debug, Args)]
#[command(
    after_help = "Runs the test some forty times: on FILE, on files that should not be interesting, in another environment, several at a time. \
                  Writes nothing but what the test writes.\n\n\
                  Exit status: 0 nothing was found that hurts; 1 something hurts, or FILE does not pass the test; 2 usage; \
                  3 the test or the system failed."
)]
pub struct DoctorArgs {
    /// The file that the test is about
    pub file: PathBuf,
    /// The interestingness test
    pub test: PathBuf,
    /// How many tests would run at a time [default: the number of processors]
    #[arg(long, short, value_name = "N", value_parser = parse_jobs)]
    pub jobs: Option<u16>,
    /// One JSON object a finding; docs/JSON.md tells what they hold
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub test_run: TestRunArgs,
}
