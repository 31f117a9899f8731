//! Programs that propose candidates.

use std::time::Duration;

use clap::Args;

use super::value_parsers::{parse_command_line, parse_patience};
use crate::external::ProposerSettings;

/// Which programs propose candidates, and how long they are waited for.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = None::<&'static str>)]
pub struct ProposeArgs {
    /// Also test what a program proposes: it receives versions and verdicts, and proposes candidates, in lines of JSON (docs/PROPOSALS.md). May
    /// be given several times. lop --serve-reducer is such a program
    #[arg(long, value_name = "COMMAND", value_parser = parse_command_line)]
    pub propose: Vec<String>,
    /// How many seconds the end of the run waits for a program of --propose that says nothing
    #[arg(long, value_name = "S", value_parser = parse_patience, default_value = "10")]
    pub propose_patience: Duration,
}

impl ProposeArgs {
    /// The programs, and how they are treated.
    pub fn to_settings(&self) -> ProposerSettings {
        ProposerSettings {
            commands: self.propose.clone(),
            patience: self.propose_patience,
        }
    }
}
