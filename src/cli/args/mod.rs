//! What can be typed.

pub mod argument_order;
pub mod did_you_mean;
mod isolation_args;
mod property_args;
pub mod screen_settings;
pub mod strategy_names;
mod subcommands;
mod usage_error;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::error::ContextKind;
use clap::{Args, Command, CommandFactory, Parser, Subcommand};

use crate::cli::failure::USAGE;
use crate::cli::messages::report_message;
use crate::language;
use crate::minimize;
use crate::oracle::LimitPolicy;
use crate::pass::{self, STRATEGIES};
use crate::reduce::{EngineCommand, Quorum};
use crate::session::OutputChoice;

pub use isolation_args::IsolationArgs;
pub use property_args::{FOR_A_PAIR, PropertyArgs};
pub use screen_settings::ScreenSettings;
pub use subcommands::{
    CompareArgs, DemoArgs, DoctorArgs, ExportArgs, InitArgs, LanguagesSubcommand, ReplayArgs,
    SessionsSubcommand, VerifyArgs,
};

/// Cuts a program down to the few tokens that still show a bug, while you watch.
#[derive(Debug, Parser)]
#[command(
    name = "lop",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    arg_required_else_help = true,
    subcommand_help_heading = "Other commands",
    override_usage = "lop [OPTIONS] FILE TEST\n       lop [OPTIONS] FILE -- COMMAND [ARGUMENT]...\n       lop [OPTIONS] FILE --differs RIGHT WRONG\n       lop COMMAND",
    after_help = "The exit status of the test says whether a smaller FILE still shows the bug: 0 if it does, anything else if not.\n\
                  A file with the name of a command can be given as ./demo.\n\n\
                  Exit status: 0 a result that passes the test; 1 the original does not pass, or there is nothing to do; 2 usage; \
                  3 the test or the system failed; 129, 130, 143 stopped by a signal, 130 also by `q` or a command: the best version is kept."
)]
pub struct CliArgs {
    #[command(subcommand)]
    pub command: Option<CliSubcommand>,
    #[command(flatten)]
    pub reduce: ReduceArgs,
}

/// The commands that have a name.
#[derive(Debug, Subcommand)]
pub enum CliSubcommand {
    /// Reduce a program that comes with lop, on the screen
    Demo(DemoArgs),
    /// Resume a run that was stopped or cut off
    Resume {
        /// The session, by its name or directory [default: the unfinished one whose file lies in this directory]
        session: Option<String>,
        /// Run and write what the session names without asking, even if somebody else may have written it
        #[arg(long)]
        trust: bool,
        #[command(flatten)]
        common: CommonArgs,
    },
    /// List the sessions, or remove those that are finished
    Sessions {
        #[command(subcommand)]
        verb: Option<SessionsSubcommand>,
    },
    /// List the versions of a session
    History {
        /// The session, by its name or directory [default: the newest about a file in this directory, else the newest]
        session: Option<String>,
    },
    /// Print a version of a session
    Show {
        /// Its number; 0 is the original
        #[arg(value_parser = parse_number)]
        version: u64,
        /// The session, by its name or directory [default: the newest about a file in this directory, else the newest]
        session: Option<String>,
    },
    /// Print the differences between two versions of a session
    #[command(after_help = "Exit status: 0 if they are the same, 1 if not, 2 usage.")]
    Diff {
        /// The number of the first
        #[arg(value_parser = parse_number)]
        a: u64,
        /// The number of the second
        #[arg(value_parser = parse_number)]
        b: u64,
        /// The session, by its name or directory [default: the newest about a file in this directory, else the newest]
        session: Option<String>,
    },
    /// Export a session: a page that plays it, or a trace
    Export(ExportArgs),
    /// Print the manual page, for man
    Man,
    /// Watch a run again, without its test: forwards, backwards, at any speed
    Replay(ReplayArgs),
    /// List the commands that steer a run: on the screen after `:`, in scripts, and with --command
    Commands,
    /// List the strategies, the passes they are made of, and the list minimisers, each with where it comes from
    Passes,
    /// Reduce one file with several strategies, and show the tests and the time of each
    Compare(CompareArgs),
    /// Examine a test before the first reduction with it, or when it says no: what is wrong, and which line to add
    Doctor(DoctorArgs),
    /// Find out how a command fails, and write a test for it that you can change
    Init(InitArgs),
    /// Called by a test of lop init: whether standard input is the message of FILE
    #[command(name = "__like", hide = true)]
    Like {
        /// How many percent may differ
        percent: u8,
        /// The message
        file: PathBuf,
    },
    /// Check that a result is minimal: delete each token, delete and replace each part of the syntax tree
    Verify(VerifyArgs),
    /// Show the grammar that guides a reduction: the languages, the rules of one, or one rule in full
    Grammar {
        /// The language; or a grammar: a file in BNF, or the directory of one for tree-sitter
        language: Option<String>,
        /// A rule of its grammar, or a kind of node
        #[arg(requires = "language")]
        rule: Option<String>,
        /// Every step from a grammar in BNF to its normal form
        #[arg(long, requires = "language", conflicts_with = "rule")]
        steps: bool,
    },
    /// List the languages that lop reads, or check that it reads them well
    Languages {
        #[command(subcommand)]
        verb: Option<LanguagesSubcommand>,
    },
}

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
    /// Parse FILE by a grammar of your own: a file in BNF, or the directory of a tree-sitter grammar
    #[arg(long, value_name = "GRAMMAR")]
    pub grammar: Option<PathBuf>,
    #[command(flatten)]
    pub isolation: IsolationArgs,
}

/// What all runs know.
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
    #[arg(long, conflicts_with = "plain")]
    pub json: bool,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub settings: ScreenSettings,
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

fn minimizer_names() -> PossibleValuesParser {
    PossibleValuesParser::new(minimize::MINIMIZERS.iter().map(|kind| kind.name))
}

fn feature_names() -> PossibleValuesParser {
    PossibleValuesParser::new(pass::FEATURES.iter().map(|(name, ..)| *name))
}

fn language_names() -> PossibleValuesParser {
    let names = language::all_languages()
        .iter()
        .map(|language| language.name);
    PossibleValuesParser::new(names.chain(["text"]))
}

fn strategy_names() -> PossibleValuesParser {
    PossibleValuesParser::new(STRATEGIES.iter().map(|strategy| strategy.name))
}

/// A command that is about what the value names.
fn command_value_parser(
    verb: &'static str,
) -> impl Fn(&str) -> Result<EngineCommand, String> + Clone {
    move |value| EngineCommand::parse_line(&format!("{verb} {value}"))
}

/// The comments that match stay.
fn parse_kept_comments(expression: &str) -> Result<EngineCommand, String> {
    let about_pins = |problem: String| problem.trim_start_matches("pin PLACE: ").to_owned();
    EngineCommand::parse_line(&format!("pin /{expression}/")).map_err(about_pins)
}

/// A status that says nothing yet.
fn parse_other_status(text: &str) -> Result<i32, String> {
    match text.parse() {
        Ok(status @ 1..=124 | status @ 128..=255) => Ok(status),
        Ok(status @ 0..=127) => Err(format!(
            "exit {status} has a meaning already: 0 is interesting, 125 invalid, 126 and 127 that the test failed"
        )),
        _ => Err("an exit status, from 1 to 255".into()),
    }
}

/// How many tests run at a time.
fn parse_jobs(text: &str) -> Result<u16, String> {
    let many = text.parse().ok().filter(|&many: &u16| many > 0);
    many.ok_or_else(|| format!("a number from 1 to {}", u16::MAX))
}

/// A number that counts something.
fn parse_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "a number, such as 12".to_owned())
}

/// Seconds as a limit.
fn parse_limit(text: &str) -> Result<LimitPolicy, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "a number of seconds, such as 0.5 or 60".to_owned())?;
    let limit = Duration::try_from_secs_f64(seconds)
        .map_err(|_| "a number of seconds, 0 or more".to_owned())?;
    Ok(LimitPolicy::fixed(limit))
}

/// The words, but who asks `lop help` for help asks once.
fn without_repeated_help(line: &[OsString]) -> impl Iterator<Item = &OsString> {
    let helps = line.get(1).is_some_and(|word| word == "help");
    line.iter()
        .filter(move |word| !helps || !(*word == "--help" || *word == "-h"))
}

/// The command line with all its commands and options, for what is generated of it.
pub fn command_line() -> Command {
    CliArgs::command()
}

/// Reads the command line, or says what is wrong with it and ends the process.
pub fn parse_args(line: &[OsString]) -> CliArgs {
    CliArgs::try_parse_from(without_repeated_help(line)).unwrap_or_else(|mut error| {
        let words = line.get(1..).unwrap_or_default();
        if error.use_stderr()
            && let Some(command) = did_you_mean::suggest_command(words)
        {
            report_message(&command);
            process::exit(USAGE.into());
        }
        // It says what `--` is for elsewhere: here a command follows that.
        error.remove(ContextKind::Suggested);
        let addition = did_you_mean::error_hint(words, &error);
        if addition.is_some() {
            error.remove(ContextKind::SuggestedArg);
        }
        let asked: Vec<OsString> = without_repeated_help(line).cloned().collect();
        usage_error::print_usage_error(&asked, &error);
        if let Some(addition) = addition {
            report_message(&addition);
        }
        process::exit(error.exit_code());
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<CliArgs, String> {
        CliArgs::try_parse_from(line.split(' ')).map_err(|error| error.to_string())
    }

    #[test]
    fn the_commands_are_consistent() {
        command_line().debug_assert();
    }

    #[test]
    fn a_file_and_a_test_need_no_command() {
        let cli = parsed("lop bug.c ./test.sh --timeout 0").expect("a command line");
        assert_eq!(
            (cli.reduce.file, cli.reduce.test),
            (Some("bug.c".into()), Some("./test.sh".into()))
        );
        assert_eq!(
            cli.reduce.timeout.map(|limit| limit.current_limits().wall),
            Some(None)
        );
        assert!(cli.command.is_none());
    }

    #[test]
    fn demo_is_a_command_and_dot_slash_demo_a_file() {
        assert!(matches!(
            parsed("lop demo --plain --jobs 2")
                .expect("a command line")
                .command,
            Some(CliSubcommand::Demo(_))
        ));
        let cli = parsed("lop ./demo t.sh").expect("a command line");
        assert_eq!(cli.reduce.file, Some("./demo".into()));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for line in [
            "lop bug.c",
            "lop a b --timeout -1",
            "lop a b --timeout x",
            "lop a b --jobs 0",
            "lop a b --memory much",
            "lop a b --disk -1",
            "lop a b --json --plain",
            "lop a b --in-place --output c",
            "lop a b --minimizer best",
            "lop a b --strategy best",
            "lop compare a b --strategies perses,best",
            "lop verify a",
        ] {
            assert!(parsed(line).is_err(), "{line}");
        }
    }
}
