//! The arguments of `lop race`.

use std::path::PathBuf;

use clap::Args;

use super::common_args::TestRunArgs;
use super::screen_settings::ScreenSettings;
use super::strategy_names::{NamedStrategy, parse_strategy};

/// `lop race`.
#[derive(Debug, Args)]
#[command(
    after_help = "All strategies run on one store of verdicts: no candidate is tested twice, and each counts its tests as if it were alone. By tests, each has \
                  one test at a time, and no one is ahead of the others; in real time each runs as fast as it can. On the screen t switches between the \
                  two, space pauses, . gives each one test, Enter shows one program large, and ? has all keys. No result is written; the table of lop \
                  compare comes at the end, and without a terminal it is all that is printed.\n\n\
                  Exit status: 0; 1 the original does not pass, or there is nothing to do; 2 usage; 3 the test or the system failed; 129, 130, 143 \
                  stopped by a signal, 130 also by `q`.",
    // A race has a screen of its own.
    mut_arg("layout", |arg| arg.hide(true))
)]
pub struct RaceArgs {
    /// The file to reduce
    pub file: PathBuf,
    /// The interestingness test
    pub test: PathBuf,
    /// The strategies, at least two, with commas between them. Each is STRATEGY, STRATEGY+MINIMIZER (perses+ddmin), or MINIMIZER alone,
    /// which means lines+MINIMIZER, the classic delta debugging. lop passes lists the names
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = parse_strategy, default_value = "ddmin,perses,lop")]
    pub strategies: Vec<NamedStrategy>,
    /// Begin paused, with the first question of each strategy
    #[arg(long, conflicts_with = "plain")]
    pub step: bool,
    /// Begin in real time, and not by tests
    #[arg(long)]
    pub real_time: bool,
    /// Print the table instead of showing the screen; the default without a terminal
    #[arg(long)]
    pub plain: bool,
    #[command(flatten)]
    pub test_run: TestRunArgs,
    #[command(flatten)]
    pub settings: ScreenSettings,
}
