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
    /// Check that the grammar derives each node of a text, and that all candidates that lop would try on it parse again
    #[command(after_help = "Exit status: 0 if all checks pass, 1 if one fails, 2 usage.")]
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
    /// Remove the sessions of finished runs
    Prune {
        /// Do not ask; needed where nobody can answer
        #[arg(long)]
        yes: bool,
        /// Also remove those of unfinished runs
        #[arg(long)]
        all: bool,
        /// Only those that were last written at least N days ago
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
    /// Show nothing, but make every decision again from the recorded verdicts, and compare
    #[arg(long, conflicts_with_all = ["plain", "speed"])]
    pub check: bool,
    /// Print a line for each decision instead of showing the screen; the default without a terminal
    #[arg(long)]
    pub plain: bool,
    /// Speed of the replay: how many times as fast as the run
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
    /// Where the test goes; an existing file is not overwritten
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
    after_help = "All strategies share the verdicts of the test, so that no candidate is tested twice. The tests and the time in the table are \
                  those of each strategy as if it had run alone. Only the table is written.\n\n\
                  Exit status: as for lop FILE TEST."
)]
pub struct CompareArgs {
    /// The file to reduce
    pub file: PathBuf,
    /// The interestingness test
    pub test: PathBuf,
    /// The strategies, with commas between them. Each is STRATEGY, STRATEGY+MINIMIZER (perses+ddmin), or MINIMIZER alone, which means
    /// lines+MINIMIZER, the classic delta debugging. lop passes lists the names
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = parse_strategy, default_value = "lop,perses,pardis,hdd,ddmin")]
    pub strategies: Vec<NamedStrategy>,
    /// Print the curves as comma-separated values instead of the table: strategy, tests, seconds, tokens
    #[arg(long)]
    pub csv: bool,
    #[command(flatten)]
    pub test_run: TestRunArgs,
}

/// `lop verify`.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 FILE is minimal: no single edit of its tree leaves it interesting (the deletion of a token that is not such an \
                  edit may, and is reported); 1 it is not minimal, or does not pass the test; 2 usage; 3 the test or the system failed."
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
    after_help = "Runs the test about forty times: on FILE, on files that should not be interesting, in another environment, several at a time. \
                  Only the test itself writes files.\n\n\
                  Exit status: 0 no harmful finding; 1 a harmful finding, or FILE does not pass the test; 2 usage; \
                  3 the test or the system failed."
)]
pub struct DoctorArgs {
    /// The file that the test is for
    pub file: PathBuf,
    /// The interestingness test
    pub test: PathBuf,
    /// Number of tests that a run would have at a time [default: the number of processors]
    #[arg(long, short, value_name = "N", value_parser = parse_jobs)]
    pub jobs: Option<u16>,
    /// Print one JSON object for each finding (docs/JSON.md)
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub test_run: TestRunArgs,
}
