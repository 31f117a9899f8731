//! The options of every reduction, of one program or of a pair.

use std::path::PathBuf;

use clap::Args;

use super::common_args::CommonArgs;
use super::propose_args::ProposeArgs;
use super::value_parsers::{
    command_value_parser, language_names, minimizer_names, parse_kept_comments, parse_limit,
};
use crate::oracle::{FilePlace, LimitPolicy};
use crate::reduce::{EngineCommand, Quorum};

/// How programs are reduced.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Time limit of a test in seconds; 0 for none [default: 60 for the original, then ten times the slowest interesting test, at
    /// least 2 and at most 300, rounded up to a power of two]. Of a command that never ends, S is processor time, and ten times S elapsed time
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
    /// The language of the program; `text` means lines and tokens, without a grammar [default: from the extension]
    #[arg(long, value_name = "NAME", value_parser = language_names())]
    pub language: Option<String>,
    /// Parse the program by a grammar of your own: a file in BNF, a dictionary in JSON or Python, or the directory of a tree-sitter grammar (docs/GRAMMARS.md)
    #[arg(long, value_name = "GRAMMAR", conflicts_with = "language")]
    pub grammar: Option<PathBuf>,
    /// Keep every token of a place: a name (main), lines (12-20), or the matches of a tree-sitter query (its captures named @keep, or all)
    #[arg(long, value_name = "PLACE", value_parser = command_value_parser("pin"))]
    pub pin: Vec<EngineCommand>,
    /// Keep at least one match of this tree-sitter query (for a tree-sitter grammar)
    #[arg(long, value_name = "QUERY", value_parser = command_value_parser("require"))]
    pub require: Vec<EngineCommand>,
    /// Where it fails: first ask whether all can go but what this place needs. A line of the program (bug.c:12 or 12), or of a file that
    /// its line markers name [default: with -- COMMAND, what its message names]
    #[arg(long, value_name = "FILE:LINE")]
    pub place: Option<FilePlace>,
    /// The same, and first ask whether all can go but the backward slice of this line: the statements, functions and classes that it needs
    #[arg(long, value_name = "FILE:LINE", conflicts_with = "place")]
    pub slice: Option<FilePlace>,
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
    /// Also use the rules with holes in this file: TOML with tables named rules (lop rules lists those of a language, as an example)
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// Accept a candidate only if the test passes in K of N runs, with no more runs than needed [default: 1/1; 3/3 once the test has
    /// given two verdicts on the same bytes]
    #[arg(long, value_name = "K/N")]
    pub confirm: Option<Quorum>,
    #[command(flatten)]
    pub propose: ProposeArgs,
    /// Reduce also when the test finds an empty file interesting
    #[arg(long)]
    pub allow_empty: bool,
    #[command(flatten)]
    pub common: CommonArgs,
}
