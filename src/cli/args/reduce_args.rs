//! The arguments of `lop FILE TEST`, and of `lop FILE -- COMMAND`.

use std::path::PathBuf;

use clap::Args;

use super::generator_args::GeneratorArgs;
use super::property_args::PropertyArgs;
use super::record_args::RecordArgs;
use super::remote_args::RemoteArgs;
use super::run_args::RunArgs;
use super::serve_args::ServeArgs;
use super::value_parsers::{
    StrategyNameParser, effort_names, feature_names, optional_pass_names, parse_other_status,
    schedule_names,
};
use crate::pass::STRATEGIES;
use crate::session::{OutputChoice, ProjectScope};

/// `lop FILE TEST`. Without a test a command stands in its place, or a page asks for one.
#[derive(Debug, Args)]
pub struct ReduceArgs {
    /// The file to reduce, or the directory of a project
    #[arg(required_unless_present = "serve_reducer")]
    pub file: Option<PathBuf>,
    /// The interestingness test: the path of an executable that exits with 0 if the file in its working directory shows the bug; at a
    /// terminal lop FILE alone asks for it
    pub test: Option<PathBuf>,
    /// With several files to reduce: the others, and then the test
    #[arg(value_name = "MORE")]
    pub more: Vec<PathBuf>,
    /// Of several files, change only those that match a pattern as in .gitignore, such as '**/*.kt'; others may go as a whole
    #[arg(long, value_name = "PATTERN")]
    pub only: Vec<String>,
    /// Of several files, leave those as they are that match a pattern
    #[arg(long, value_name = "PATTERN")]
    pub keep: Vec<String>,
    /// The derivation tree of FILE by the grammar in BNF, as JSON: nothing is parsed to read FILE (docs/GRAMMARS.md)
    #[arg(long, value_name = "TREE", conflicts_with = "generator")]
    pub tree: Option<PathBuf>,
    /// Where the result goes [default: bug.lop.c beside bug.c]
    #[arg(long, short, value_name = "PATH", conflicts_with = "in_place")]
    pub output: Option<PathBuf>,
    /// Put the result in FILE itself; the original is kept as bug.c.orig. The files of a directory change at the end of the run; src.orig
    /// holds the originals
    #[arg(long)]
    pub in_place: bool,
    /// What to make smaller: tokens, bytes, lines, nodes, or count(QUERY), the matches of a tree-sitter query (for a tree-sitter grammar). Among
    /// equals, tokens and then bytes decide
    #[arg(long, value_name = "WHAT", default_value = "tokens")]
    pub objective: String,
    /// Write all programs in one form, for languages that have one: laid out alike, without comments. The original is written so before
    /// its test
    #[arg(long, conflicts_with = "tree")]
    pub canonical: bool,
    /// Which passes run; lop passes lists the names. As in lop compare, perses+ddmin is a strategy with another list minimiser, and a
    /// list minimiser alone, such as ddmin, works on lines
    #[arg(long, value_name = "NAME", default_value = STRATEGIES[0].name, value_parser = StrategyNameParser)]
    pub strategy: String,
    /// The last step of the strategy reduktor [default: hdd-star]
    #[arg(long, value_name = "NAME", value_parser = ["hdd-star", "pardis"])]
    pub finish: Option<String>,
    /// How much is asked: deletions alone (quick), rewrites and shorter texts as long as they are likely to pay (normal), or all of
    /// these (hard) [default: normal]
    #[arg(long, value_name = "EFFORT", value_parser = effort_names())]
    pub effort: Option<String>,
    /// What a pass that runs again asks about: everything, or first what shares a name with what was removed (smart) [default: the
    /// strategy's, which is plain unless its name says smart]
    #[arg(long, value_name = "NAME", value_parser = schedule_names())]
    pub schedule: Option<String>,
    /// Turn off parts of the default strategy, such as a pass or a stratum, to see what each is worth
    #[arg(long, value_name = "PART", value_delimiter = ',', value_parser = feature_names())]
    pub without: Vec<String>,
    /// Leave the names as they are: --without names, for readers who know the program
    #[arg(long)]
    pub keep_names: bool,
    /// Run passes of the strategy that are off otherwise; lop passes lists them. On the screen `bytes` is off: shorter names, literals
    /// and white space
    #[arg(long, value_name = "PASS", value_delimiter = ',', value_parser = optional_pass_names())]
    pub with: Vec<String>,
    /// Keep the smallest candidate of each other failure in bug.lop.also: those on which the test exits with CODE (rustc exits with
    /// 101 when it crashes)
    #[arg(long, value_name = "CODE", value_parser = parse_other_status)]
    pub also_interesting: Option<i32>,
    /// Propose candidates to another reducer, which says on standard input which are interesting, in lines of JSON (docs/PROPOSALS.md)
    #[arg(long, conflicts_with_all = ["file", "output", "in_place"])]
    pub serve_reducer: bool,
    #[command(flatten)]
    pub record: RecordArgs,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub generator: GeneratorArgs,
    #[command(flatten)]
    pub property: PropertyArgs,
    #[command(flatten)]
    pub server: ServeArgs,
    #[command(flatten)]
    pub remote: RemoteArgs,
}

impl ReduceArgs {
    /// Whether a command or a server is given instead of a test.
    pub fn has_commands(&self) -> bool {
        self.property.has_commands() || self.server.serve.is_some()
    }

    /// Whether nothing says which files are interesting.
    pub fn lacks_test(&self) -> bool {
        self.test.is_none() && !self.has_commands() && !self.record.offline
    }

    /// The files to reduce, and the test, which is the last word unless there is a command.
    pub fn files_and_test(&self) -> (Vec<&PathBuf>, Option<&PathBuf>) {
        let words = self.file.iter().chain(&self.test).chain(&self.more);
        let mut words: Vec<&PathBuf> = words.collect();
        let has_command = self.has_commands();
        let test = words.pop_if(|_| !has_command && self.test.is_some());
        (words, test)
    }

    /// Which files of a project may change.
    pub fn project_scope(&self) -> ProjectScope {
        ProjectScope {
            only: self.only.clone(),
            keep: self.keep.clone(),
        }
    }

    /// Where the result goes.
    pub fn output_choice(&self) -> OutputChoice {
        match self.in_place {
            true => OutputChoice::InPlace,
            false => OutputChoice::from_path(self.output.as_deref()),
        }
    }
}
