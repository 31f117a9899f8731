//! The arguments of `lop FILE TEST`, and of `lop FILE -- COMMAND`.

use std::path::PathBuf;

use clap::Args;

use super::common_args::CommonArgs;
use super::property_args::PropertyArgs;
use super::value_parsers::{
    command_value_parser, feature_names, language_names, minimizer_names, parse_kept_comments,
    parse_limit, parse_other_status, strategy_names,
};
use crate::oracle::LimitPolicy;
use crate::pass::STRATEGIES;
use crate::reduce::{EngineCommand, Quorum};
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
    /// Time limit of a test in seconds; 0 for none [default: 60 for the original, then ten times the slowest interesting test, at
    /// least 2 and at most 300, rounded up to a power of two]
    #[arg(long, value_name = "S", value_parser = parse_limit, allow_negative_numbers = true)]
    pub timeout: Option<LimitPolicy>,
    /// Also write the journal (test results, decisions, accepted candidates, commands) to this file, as JSON lines
    #[arg(long, value_name = "PATH")]
    pub journal: Option<PathBuf>,
    /// The directory of this run's session, for lop resume, history and replay [default: a new one in $XDG_STATE_HOME/lop/sessions,
    /// or ~/.local/state/lop/sessions]
    #[arg(long, value_name = "DIR", conflicts_with = "no_session")]
    pub session: Option<PathBuf>,
    /// Keep no session: the run cannot be resumed
    #[arg(long)]
    pub no_session: bool,
    /// The list minimiser [default: the strategy's own]
    #[arg(long, value_name = "NAME", value_parser = minimizer_names())]
    pub minimizer: Option<String>,
    /// What to make smaller: tokens, bytes, lines, nodes, or count(QUERY), the matches of a tree-sitter query. Among equals, tokens and
    /// then bytes decide
    #[arg(long, value_name = "WHAT", default_value = "tokens")]
    pub objective: String,
    /// Turn off parts of the default strategy, to see what each is worth
    #[arg(long, value_name = "PART", value_delimiter = ',', value_parser = feature_names())]
    pub without: Vec<String>,
    /// The language of FILE; `text` means lines and tokens, without a grammar [default: from the extension]
    #[arg(long, value_name = "NAME", value_parser = language_names())]
    pub language: Option<String>,
    /// Parse FILE by a grammar of your own: a file in BNF, or the directory of a tree-sitter grammar (docs/GRAMMARS.md)
    #[arg(long, value_name = "GRAMMAR", conflicts_with = "language")]
    pub grammar: Option<PathBuf>,
    /// Which passes run; lop passes lists the names
    #[arg(long, value_name = "NAME", default_value = STRATEGIES[0].name, value_parser = strategy_names())]
    pub strategy: String,
    /// Keep every token of a place: a name (main), lines (12-20), or the matches of a tree-sitter query (its captures named @keep, or all)
    #[arg(long, value_name = "PLACE", value_parser = command_value_parser("pin"))]
    pub pin: Vec<EngineCommand>,
    /// Keep at least one match of this tree-sitter query
    #[arg(long, value_name = "QUERY", value_parser = command_value_parser("require"))]
    pub require: Vec<EngineCommand>,
    /// Keep comments that match this regular expression, such as `RUN:` or `dg-`
    #[arg(long, value_name = "RE", value_parser = parse_kept_comments)]
    pub keep_comments: Vec<EngineCommand>,
    /// Delete the lop-keep comments themselves
    #[arg(long)]
    pub strip_markers: bool,
    /// Run a command at the start, such as `focus main` or `doubt 12-40`; lop commands lists them
    #[arg(long, value_name = "COMMAND", value_parser = EngineCommand::parse_line)]
    pub command: Vec<EngineCommand>,
    /// Run a script of commands, with lines such as `COMMAND` or `at decision 100: COMMAND`
    #[arg(long, value_name = "PATH")]
    pub commands: Option<PathBuf>,
    /// Accept a candidate only if the test passes in K of N runs, with no more runs than needed [default: 1/1; 3/3 once the test has
    /// given two verdicts on the same bytes]
    #[arg(long, value_name = "K/N")]
    pub confirm: Option<Quorum>,
    /// Keep the smallest candidate of each other failure in bug.lop.also: those on which the test exits with CODE (rustc exits with
    /// 101 when it crashes)
    #[arg(long, value_name = "CODE", value_parser = parse_other_status)]
    pub also_interesting: Option<i32>,
    /// Reduce also when the test finds an empty file interesting
    #[arg(long)]
    pub allow_empty: bool,
    #[command(flatten)]
    pub property: PropertyArgs,
    #[command(flatten)]
    pub common: CommonArgs,
}

impl ReduceArgs {
    /// Where the result goes.
    pub fn output_choice(&self) -> OutputChoice {
        match &self.output {
            _ if self.in_place => OutputChoice::InPlace,
            Some(path) => OutputChoice::At(path.clone()),
            None => OutputChoice::Beside,
        }
    }
}
