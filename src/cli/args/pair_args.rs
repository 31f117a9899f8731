//! The arguments of `lop pair`, and those that say the test of a pair.

use std::path::PathBuf;

use clap::Args;

use super::property_args::PropertyArgs;
use super::run_args::RunArgs;
use super::value_parsers::{
    pair_feature_names, parse_other_status, schedule_names, strategy_names,
};
use crate::pass::PAIR_STRATEGIES;
use crate::session::OutputChoice;

/// The arguments that stand in place of two scripts.
const NO_SCRIPTS: [&str; 3] = ["both", "line", "differs"];

/// The test of a pair: two scripts, one that sees both programs, or commands.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = None::<&'static str>)]
pub struct PairTestArgs {
    /// The test of the seed: exits with 0 if the seed in its working directory works
    #[arg(required_unless_present_any = NO_SCRIPTS, conflicts_with_all = NO_SCRIPTS)]
    pub seed_test: Option<PathBuf>,
    /// The test of the variant: exits with 0 if the variant in its working directory shows the bug
    #[arg(required_unless_present_any = NO_SCRIPTS, conflicts_with_all = NO_SCRIPTS)]
    pub variant_test: Option<PathBuf>,
    /// One test that sees both programs: the seed is its first argument, the variant its second
    #[arg(long, value_name = "TEST", conflicts_with_all = ["line", "differs"])]
    pub both: Option<PathBuf>,
    #[command(flatten)]
    pub property: PropertyArgs,
}

/// `lop pair`.
#[derive(Debug, Args)]
#[command(
    override_usage = "lop pair [OPTIONS] SEED VARIANT SEED_TEST VARIANT_TEST\n       lop pair [OPTIONS] SEED VARIANT --both TEST\n       lop pair [OPTIONS] SEED VARIANT -- COMMAND [ARGUMENT]...\n       lop pair [OPTIONS] SEED VARIANT --differs RIGHT WRONG",
    after_help = "The result is a directory, variant.lop beside variant.c: both programs, and difference.diff. It is exchanged as a whole, and \
                  every version of it passes both tests. First the difference becomes small, then what both programs have in common.\n\n\
                  A command in place of the tests runs on each program alone. On the variant it fails, and lop finds out how; on the seed it succeeds, \
                  and does not show the same. With --differs, the two commands differ on the variant, and agree on the seed.\n\n\
                  Exit status: as for lop FILE TEST."
)]
pub struct PairArgs {
    /// The program that does not show the bug
    pub seed: PathBuf,
    /// The program that shows it, made from the seed
    pub variant: PathBuf,
    /// The directory of the result [default: variant.lop beside variant.c]
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Which passes run; lop passes lists the names
    #[arg(long, value_name = "NAME", default_value = PAIR_STRATEGIES[0].name, value_parser = strategy_names(PAIR_STRATEGIES))]
    pub strategy: String,
    /// What a pass that runs again asks about: everything, or first what shares a name with what was removed (smart) [default: the
    /// strategy's, which is plain unless its name says smart]
    #[arg(long, value_name = "NAME", value_parser = schedule_names())]
    pub schedule: Option<String>,
    /// Turn off parts of the strategy, to see what each is worth: tdiff, ldiff and common are those of a round; the others are parts of
    /// common
    #[arg(long, value_name = "PART", value_delimiter = ',', value_parser = pair_feature_names())]
    pub without: Vec<String>,
    /// After the list difference, undo hunks of the difference in the seed too
    #[arg(long)]
    pub mirror: bool,
    /// Keep the smallest pair of each other failure in variant.lop.also, with both programs: those on which one of the tests exits with
    /// CODE (rustc exits with 101 when it crashes)
    #[arg(long, value_name = "CODE", value_parser = parse_other_status)]
    pub also_interesting: Option<i32>,
    #[command(flatten)]
    pub test: PairTestArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

impl PairArgs {
    /// Where the result goes.
    pub fn output_choice(&self) -> OutputChoice {
        OutputChoice::from_path(self.output.as_deref())
    }
}
