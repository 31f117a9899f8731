//! Arguments that several commands share: where tests run, how many at a time, and who reports on the run.

use std::path::PathBuf;

use clap::Args;

use super::isolation_args::IsolationArgs;
use super::screen_settings::ScreenSettings;
use super::value_parsers::{parse_jobs, parse_limit};
use crate::oracle::LimitPolicy;

/// How and where a test runs.
#[derive(Debug, Args)]
#[command(next_help_heading = None::<&'static str>)]
pub struct TestRunArgs {
    /// Time limit of a test in seconds; 0 for none [default: as for lop FILE TEST]
    #[arg(long, value_name = "S", value_parser = parse_limit, allow_negative_numbers = true)]
    pub timeout: Option<LimitPolicy>,
    /// An existing directory for the tests' scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]
    #[arg(long, value_name = "DIR")]
    pub scratch: Option<PathBuf>,
    /// Parse FILE by a grammar of your own: a file in BNF, a dictionary in JSON or Python, or the directory of a tree-sitter grammar
    #[arg(long, value_name = "GRAMMAR")]
    pub grammar: Option<PathBuf>,
    #[command(flatten)]
    pub isolation: IsolationArgs,
}

impl TestRunArgs {
    /// The limit of a test: what the user says, or one that follows from the tests.
    pub fn limit_policy(&self) -> LimitPolicy {
        self.timeout.unwrap_or_else(LimitPolicy::adaptive)
    }
}

/// How many tests run at a time: what `--jobs` says, or as many as there are processors.
pub fn job_count(asked: Option<u16>) -> usize {
    match asked {
        Some(jobs) => jobs.into(),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    }
}

/// Arguments of all runs.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = None::<&'static str>)]
pub struct CommonArgs {
    /// Number of tests that run at a time; the result does not depend on it [default: the number of processors]
    #[arg(long, short, value_name = "N", value_parser = parse_jobs)]
    pub jobs: Option<u16>,
    /// An existing directory for the tests' scratch directories [default: memory (/dev/shm), else TMPDIR, else /tmp]
    #[arg(long, value_name = "DIR")]
    pub scratch: Option<PathBuf>,
    /// A directory that keeps verdicts for later runs with the same test, file name and environment; only accepted candidates are
    /// tested again
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Print progress lines instead of showing the screen; the default without a terminal
    #[arg(long)]
    pub plain: bool,
    /// Print one JSON object a line instead of showing the screen (docs/JSON.md)
    #[arg(long, conflicts_with_all = ["plain", "verbose"])]
    pub json: bool,
    /// As --plain, in words that can be read aloud, with a line for each decision: its number, what was tried, the answer, and the time of the test or `known`
    #[arg(long)]
    pub verbose: bool,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub settings: ScreenSettings,
}
