//! Verdicts of programs that were tested before, in place of tests.

use std::path::PathBuf;

use clap::Args;

/// Where verdicts come from besides the test.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = None::<&'static str>)]
pub struct RecordArgs {
    /// Use the verdicts on programs that were tested before: each X.c below DIR whose test printed what is in X.log. --grep and
    /// --not-grep say what the log of an interesting program has [default: lop's own last line in it]
    #[arg(long, value_name = "DIR")]
    pub verdicts: Option<PathBuf>,
    /// Start no test: all verdicts are those of --verdicts or --cache. A candidate without one ends the run with exit status 3, and is
    /// kept beside the output as missing-in-action.c
    #[arg(long)]
    pub offline: bool,
    /// Keep each tested candidate, and what its test printed, in a new directory DIR/DATE, as reduced.N.c and reduced.N.log; N is the number
    /// of the decision. --verdicts reads them
    #[arg(long, value_name = "DIR")]
    pub save_candidates: Option<PathBuf>,
}
