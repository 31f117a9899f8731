//! The arguments of `lop FILE TEST`, and of `lop FILE -- COMMAND`.

use std::path::PathBuf;

use clap::Args;

use super::property_args::PropertyArgs;
use super::run_args::RunArgs;
use super::value_parsers::{feature_names, parse_other_status, strategy_names};
use crate::pass::STRATEGIES;
use crate::session::OutputChoice;

/// `lop FILE TEST`. Both are required unless a command stands in their place.
#[derive(Debug, Args)]
pub struct ReduceArgs {
    /// The file to reduce
    #[arg(required = true)]
    pub file: Option<PathBuf>,
    /// The interestingness test: the path of an executable that exits with 0 if the file in its working directory shows the bug
    #[arg(required_unless_present_any = ["line", "differs"], conflicts_with_all = ["line", "differs"])]
    pub test: Option<PathBuf>,
    /// Where the result goes [default: bug.lop.c beside bug.c]
    #[arg(long, short, value_name = "PATH", conflicts_with = "in_place")]
    pub output: Option<PathBuf>,
    /// Put the result in FILE itself; the original is kept as bug.c.orig
    #[arg(long)]
    pub in_place: bool,
    /// What to make smaller: tokens, bytes, lines, nodes, or count(QUERY), the matches of a tree-sitter query. Among equals, tokens and
    /// then bytes decide
    #[arg(long, value_name = "WHAT", default_value = "tokens")]
    pub objective: String,
    /// Which passes run; lop passes lists the names
    #[arg(long, value_name = "NAME", default_value = STRATEGIES[0].name, value_parser = strategy_names(STRATEGIES))]
    pub strategy: String,
    /// Turn off parts of the default strategy, to see what each is worth
    #[arg(long, value_name = "PART", value_delimiter = ',', value_parser = feature_names())]
    pub without: Vec<String>,
    /// Keep the smallest candidate of each other failure in bug.lop.also: those on which the test exits with CODE (rustc exits with
    /// 101 when it crashes)
    #[arg(long, value_name = "CODE", value_parser = parse_other_status)]
    pub also_interesting: Option<i32>,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub property: PropertyArgs,
}

impl ReduceArgs {
    /// Where the result goes.
    pub fn output_choice(&self) -> OutputChoice {
        match self.in_place {
            true => OutputChoice::InPlace,
            false => OutputChoice::from_path(self.output.as_deref()),
        }
    }
}
