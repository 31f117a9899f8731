//! The arguments of `lop isolate`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::run_args::RunArgs;
use crate::pass::{ISOLATE_STRATEGIES, Strategy};
use crate::session::OutputChoice;

/// How the names of strategies for `lop isolate` begin.
const PREFIX: &str = "isolate-";

/// `lop isolate`.
#[derive(Debug, Args)]
#[command(
    override_usage = "lop isolate [OPTIONS] PROGRAM PASSES FAILS\n       lop isolate [OPTIONS] PROGRAM --both TEST",
    after_help = "Delta debugging (dd, Zeller and Hildebrandt, TSE 2002) begins with a program that passes, the empty one or --from SEED, and with PROGRAM, \
                  which fails. It brings the two closer until no token of their difference can be moved. Both stay as large as they are: lop pair makes \
                  them small.\n\n\
                  The result is a directory, bug.lop beside bug.c: the program that passes, the one that fails, and difference.diff.\n\n\
                  Exit status: as for lop FILE TEST."
)]
pub struct IsolateArgs {
    /// The program that fails
    pub program: PathBuf,
    /// The test of the program that passes: exits with 0 if it works. That program has the name of PROGRAM, or of SEED
    #[arg(required_unless_present = "both", conflicts_with = "both")]
    pub passes: Option<PathBuf>,
    /// The test of the program that fails: exits with 0 if it shows the bug
    #[arg(required_unless_present = "both", conflicts_with = "both")]
    pub fails: Option<PathBuf>,
    /// One test that sees both programs: the one that passes is its first argument, the one that fails its second
    #[arg(long, value_name = "TEST")]
    pub both: Option<PathBuf>,
    /// A program that passes [default: an empty one]
    #[arg(long, value_name = "SEED")]
    pub from: Option<PathBuf>,
    /// What is moved at first: elements of lists, the outermost first, lines, or tokens; at the end, tokens
    #[arg(long, value_name = "WHAT", default_value = default_element(), value_parser = element_names())]
    pub by: String,
    /// The directory of the result [default: bug.lop beside bug.c]
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub run: RunArgs,
}

impl IsolateArgs {
    /// The strategy that moves what the user wants. The command line allows no unknown name.
    pub fn strategy(&self) -> &'static Strategy {
        let mut all = ISOLATE_STRATEGIES.iter();
        let wanted = all.find(|strategy| element_of(strategy) == self.by);
        wanted.unwrap_or(&ISOLATE_STRATEGIES[0])
    }

    /// Where the result goes.
    pub fn output_choice(&self) -> OutputChoice {
        OutputChoice::from_path(self.output.as_deref())
    }
}

/// What a strategy moves at first.
fn element_of(strategy: &'static Strategy) -> &'static str {
    strategy.name.strip_prefix(PREFIX).unwrap_or(strategy.name)
}

fn default_element() -> &'static str {
    element_of(&ISOLATE_STRATEGIES[0])
}

fn element_names() -> PossibleValuesParser {
    PossibleValuesParser::new(ISOLATE_STRATEGIES.iter().map(element_of))
}
