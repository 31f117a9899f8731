//! The subcommands, and the arguments of each.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};

use super::common_args::{CommonArgs, TestRunArgs};
use super::isolate_args::IsolateArgs;
use super::learn_args::LearnArgs;
use super::pair_args::{PairArgs, PairTestArgs};
use super::property_args::PropertyArgs;
use super::propose_args::ProposeArgs;
use super::race_args::RaceArgs;
use super::remote_args::RemoteArgs;
use super::screen_settings::ScreenSettings;
use super::strategy_names::{
    NamedStrategy, PairStrategyChoice, parse_pair_strategy, parse_strategy,
};
use super::value_parsers::{effort_names, parse_jobs, parse_number};
use crate::contrast;
use crate::tui::parse_speed;

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum CliSubcommand {
    /// Reduce a program that comes with lop, on the screen
    Demo(DemoArgs),
    /// Learn how reduction works: lessons that are played on real runs, and told step by step
    Learn(LearnArgs),
    /// Resume a run that was stopped or cut off, or open one at its end
    Resume {
        /// The session, by its name or directory [default: the unfinished one whose file lies in this directory]
        session: Option<String>,
        /// Run and write what the session names without asking, even if somebody else may have written it
        #[arg(long)]
        trust: bool,
        /// Go on with this effort, also where the session has come to its end and there is no screen
        #[arg(long, value_name = "EFFORT", value_parser = effort_names())]
        effort: Option<String>,
        #[command(flatten)]
        common: CommonArgs,
        #[command(flatten)]
        remote: RemoteArgs,
        #[command(flatten)]
        propose: ProposeArgs,
    },
    /// Open the screen on a run that goes on in another process: one of --plain, in CI, in tmux; q leaves it going
    #[command(
        after_help = "Exit status: 0 if the screen was left and the run goes on, else that of the run; 1 if no run goes on, 2 usage, 3 the connection was lost."
    )]
    Attach {
        /// The session, by its name or directory [default: the one that runs about a file in this directory, else the only one that runs]
        session: Option<String>,
        #[command(flatten)]
        settings: ScreenSettings,
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
    /// Write a bug report from a session: result, test, output, versions, a page that plays the run; without paths of this machine
    Report(ReportArgs),
    /// Print the manual page, for man
    Man,
    /// Watch a run again, without its test: forwards, backwards, at any speed
    Replay(ReplayArgs),
    /// List the commands that steer a run: on the screen after `:`, in scripts, and with --command
    Commands,
    /// List the strategies, the passes they are made of, and the list minimisers, each with where it comes from
    Passes,
    /// Reduce one file with several strategies, and show the tests and the time of each
    Compare(Box<CompareArgs>),
    /// Run several strategies side by side on one file, on the screen: step by step, or in real time
    Race(Box<RaceArgs>),
    /// Explain a result: what its nearest neighbours do, and what each token is for
    Contrast(ContrastArgs),
    /// Reduce a program that works and one that fails together, to what makes the difference
    Pair(Box<PairArgs>),
    /// Bring a program that works and one that fails closer, until a minimal difference is left (dd)
    Isolate(Box<IsolateArgs>),
    /// Change a program at random until its test says yes: the variant of a pair
    Mutate(MutateArgs),
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
        /// The language; or a grammar: a file in BNF, a dictionary in JSON or Python, or the directory of one for tree-sitter
        language: Option<String>,
        /// A rule of its grammar, or a kind of node
        #[arg(requires = "language")]
        rule: Option<String>,
        /// Every step from a grammar in BNF to its normal form
        #[arg(long, requires = "language", conflicts_with = "rule")]
        steps: bool,
        /// The derivation tree of FILE by a grammar in BNF, as JSON for --tree
        #[arg(long, value_name = "FILE", requires = "language", conflicts_with_all = ["rule", "steps"])]
        parse: Option<PathBuf>,
    },
    /// List the rules with holes of a language, and what they gained in the last runs
    #[command(
        after_help = "A file with [[rules]] adds rules to a run: lop bug.c ./test.sh --rules FILE. The command rule adds one to a run that goes on."
    )]
    Rules {
        /// The language [default: all that have rules]
        language: Option<String>,
    },
    /// List the languages that lop reads, or check that it reads them well
    Languages {
        #[command(subcommand)]
        verb: Option<LanguagesSubcommand>,
    },
}

/// The subcommands of `lop languages`; without one it lists.
#[derive(Clone, Debug, Subcommand)]
pub enum LanguagesSubcommand {
    /// Check that the grammar derives each node of a text, and that all candidates that lop would try on it parse again
    #[command(after_help = "Exit status: 0 if all checks pass, 1 if one fails, 2 usage.")]
    Check {
        /// The language; or a grammar, as a file or directory; or --all
        #[arg(required_unless_present = "all")]
        language: Option<String>,
        /// All languages, each by the sample it comes with
        #[arg(long, conflicts_with_all = ["language", "files"])]
        all: bool,
        /// The texts [default: the sample that comes with the language]
        files: Vec<PathBuf>,
    },
}

/// The subcommands of `lop sessions`; without one it lists.
#[derive(Clone, Debug, Subcommand)]
pub enum SessionsSubcommand {
    /// Remove the sessions of finished runs
    Prune {
        /// Do not ask; needed where nobody can answer
        #[arg(long)]
        yes: bool,
        /// Also remove those of unfinished runs
        #[arg(long)]
        all: bool,
        /// Only those that were last written at least N days ago
        #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_number)]
        days: u64,
        /// Only those about files in this directory
        #[arg(long)]
        here: bool,
    },
}

/// `lop replay`.
#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Exit status: 0; with --check 1 if the journal is damaged or a decision is another one; 2 usage; 3 the system failed."
)]
pub struct ReplayArgs {
    /// The session, by its name or directory, or a file that --journal wrote [default: the newest about a file in this directory, else the newest]
    pub session: Option<String>,
    /// Show nothing, but make every decision again from the recorded verdicts, and compare
    #[arg(long, conflicts_with_all = ["plain", "speed"])]
    pub check: bool,
    /// Print a line for each decision instead of showing the screen; the default without a terminal
    #[arg(long)]
    pub plain: bool,
    /// Speed of the replay: how many times as fast as the run
    #[arg(long, value_name = "TIMES", default_value = "1", value_parser = parse_speed)]
    pub speed: f64,
    #[command(flatten)]
    pub settings: ScreenSettings,
}

/// `lop export`.
#[derive(Clone, Debug, Args)]
#[command(
    group = ArgGroup::new("as").required(true).multiple(true).args(["jsonl", "html"]),
    override_usage = "lop export [SESSION] --jsonl\n       lop export [SESSION] --html FILE")]
pub struct ExportArgs {
    /// The session, by its name or directory [default: the newest about a file in this directory, else the newest]
    pub session: Option<String>,
    /// Print one JSON object a version: step, elapsed_s, tokens, content
    #[arg(long)]
    pub jsonl: bool,
    /// Write one page that plays the run, for any browser; it needs no other file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// `lop report`.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 the report was written; 1 the result does not show the bug any more; 2 usage; 3 the test or the system failed."
)]
pub struct ReportArgs {
    /// The session, by its name or directory [default: the newest about a file in this directory, else the newest]
    pub session: Option<String>,
    /// Write the report to this new directory [default: report-SESSION]
    #[arg(long, value_name = "DIR", conflicts_with = "markdown")]
    pub output: Option<PathBuf>,
    /// Print one page in Markdown, and write no directory
    #[arg(long)]
    pub markdown: bool,
    /// Add why the result is interesting, as lop contrast finds it. This runs tests
    #[arg(long)]
    pub contrast: bool,
    /// Leave home directories and the names of the user and the machine in the program, the names of its files and the test
    #[arg(long)]
    pub keep_names: bool,
    /// Run neither the test nor --version of its tools: the report has no output and no versions
    #[arg(long)]
    pub no_run: bool,
    #[command(flatten)]
    pub test_run: TestRunArgs,
}

/// `lop demo`.
#[derive(Debug, Args)]
pub struct DemoArgs {
    #[command(flatten)]
    pub common: CommonArgs,
}

/// `lop init`.
#[derive(Debug, Args)]
#[command(
    override_usage = "lop init [OPTIONS] FILE -- COMMAND [ARGUMENT]...\n       lop init [OPTIONS] FILE --differs RIGHT WRONG",
    after_help = "Exit status: 0 the test was written; 1 the command does not fail; 2 usage; 3 the command or the system failed."
)]
pub struct InitArgs {
    /// The file on which the command fails
    pub file: PathBuf,
    /// Where the test goes; an existing file is not overwritten
    #[arg(long, short, value_name = "PATH", default_value = "test.sh")]
    pub output: PathBuf,
    #[command(flatten)]
    pub property: PropertyArgs,
    #[command(flatten)]
    pub test_run: TestRunArgs,
}

/// `lop compare`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    override_usage = "lop compare [OPTIONS] FILE TEST\n       lop compare pair [OPTIONS] SEED VARIANT SEED_TEST VARIANT_TEST",
    after_help = "All strategies share the verdicts of the test, so that no candidate is tested twice. The tests and the time in the table are \
                  those of each strategy as if it had run alone. Only the table is written.\n\n\
                  Exit status: as for lop FILE TEST."
)]
pub struct CompareArgs {
    #[command(subcommand)]
    pub subject: Option<CompareSubcommand>,
    #[command(flatten)]
    pub program: CompareProgramArgs,
}

/// What strategies are compared on; without one, on a program.
#[derive(Debug, Subcommand)]
pub enum CompareSubcommand {
    /// Compare strategies for pairs
    Pair(ComparePairArgs),
}

/// `lop compare FILE TEST`. Both are there unless a subcommand is.
#[derive(Debug, Args)]
pub struct CompareProgramArgs {
    /// The file to reduce
    #[arg(required = true)]
    pub file: Option<PathBuf>,
    /// The interestingness test
    #[arg(required = true)]
    pub test: Option<PathBuf>,
    /// The strategies, with commas between them. Each is STRATEGY, STRATEGY+MINIMIZER (perses+ddmin), or MINIMIZER alone, which means
    /// lines+MINIMIZER, the classic delta debugging. lop passes lists the names
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = parse_strategy, default_value = "lop,perses,pardis,hdd,ddmin")]
    pub strategies: Vec<NamedStrategy>,
    /// Print the curves as comma-separated values instead of the table: strategy, tests, seconds, tokens
    #[arg(long)]
    pub csv: bool,
    /// On a terminal, run them side by side on the screen of lop race, in real time; the table comes at its end
    #[arg(long, conflicts_with = "csv")]
    pub screen: bool,
    #[command(flatten)]
    pub test_run: TestRunArgs,
}

/// `lop compare pair`.
#[derive(Debug, Args)]
#[command(
    override_usage = "lop compare pair [OPTIONS] SEED VARIANT SEED_TEST VARIANT_TEST\n       lop compare pair [OPTIONS] SEED VARIANT --both TEST\n       lop compare pair [OPTIONS] SEED VARIANT -- COMMAND [ARGUMENT]...\n       lop compare pair [OPTIONS] SEED VARIANT --differs RIGHT WRONG",
    after_help = "Each strategy asks for itself, one test at a time, so the tests of the seed and of the variant can be compared. Only the table is \
                  written.\n\n\
                  Exit status: as for lop FILE TEST."
)]
pub struct ComparePairArgs {
    /// The program that does not show the bug
    pub seed: PathBuf,
    /// The program that shows it, made from the seed
    pub variant: PathBuf,
    /// The strategies, with commas between them. Each is a strategy for pairs, STRATEGY~PART without a part (pair~tdiff), or `alone`: the
    /// variant is reduced alone, by the default strategy. lop passes lists the names [default: pair,pair-once,isolate-elements, and alone,
    /// if the variant has a test of its own]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = parse_pair_strategy)]
    pub strategies: Vec<PairStrategyChoice>,
    /// Stop each strategy after this time; its row says so
    #[arg(long, value_name = "N", value_parser = parse_number)]
    pub minutes: Option<u64>,
    /// Print the table in Markdown
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// Print one JSON object a strategy (docs/JSON.md)
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub test: PairTestArgs,
    #[command(flatten)]
    pub test_run: TestRunArgs,
}

/// `lop contrast`.
#[derive(Debug, Args)]
#[command(
    override_usage = "lop contrast [OPTIONS] FILE TEST\n       lop contrast [OPTIONS] FILE TEST -- COMMAND [ARGUMENT]...\n       lop contrast [OPTIONS] FILE -- COMMAND [ARGUMENT]...",
    after_help = "A neighbour is FILE with one token or one part of its tree deleted or replaced. It works if it is valid and the test does not find it \
                  interesting. Valid is what the checks accept; else that on which COMMAND succeeds; else, beside a test, what a usual command of \
                  the language accepts, such as cc -fsyntax-only.\n\n\
                  Exit status: 0 the report is complete; 1 FILE does not pass the test; 2 usage; 3 the test or the system failed."
)]
pub struct ContrastArgs {
    /// The file to explain: the result of a reduction, of at most 1,000 tokens
    pub file: PathBuf,
    /// The interestingness test
    #[arg(conflicts_with = "differs")]
    pub test: Option<PathBuf>,
    /// The most tests; the verdicts of the session that made FILE do not count
    #[arg(long, value_name = "N", default_value_t = contrast::USUAL_TESTS, value_parser = parse_number)]
    pub tests: u64,
    /// Number of tests that run at a time; the report does not depend on it [default: the number of processors]
    #[arg(long, short, value_name = "N", value_parser = parse_jobs)]
    pub jobs: Option<u16>,
    /// Print a section for a bug report
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// Print one JSON object (docs/JSON.md)
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub property: PropertyArgs,
    #[command(flatten)]
    pub test_run: TestRunArgs,
}

/// `lop mutate`.
#[derive(Debug, Args)]
#[command(
    after_help = "A change deletes a part of the syntax tree, inserts a copy of another element into a list, or replaces a node by another one of its \
                  kind. Programs with new syntax errors are not tested. The same FILE, numbers and verdicts give the same program.\n\n\
                  To find the seed of a program that shows a bug, let TEST say yes to programs that work.\n\n\
                  Exit status: 0 the program was written; 1 the test says yes to FILE as it is, or to no changed program; 2 usage; \
                  3 the test or the system failed."
)]
pub struct MutateArgs {
    /// The program to change
    pub file: PathBuf,
    /// The test: exits with 0 if the changed program in its working directory, under the name of the output, is what you look for
    pub test: PathBuf,
    /// Where the changed program goes; an existing file is not overwritten [default: variant.c beside seed.c]
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Another number gives other programs
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_number)]
    pub random_seed: u64,
    /// The most tests
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = parse_number)]
    pub tests: u64,
    /// The most changes of one program
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = parse_jobs)]
    pub changes: u16,
    #[command(flatten)]
    pub test_run: TestRunArgs,
}

/// `lop verify`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    override_usage = "lop verify [OPTIONS] FILE TEST\n       lop verify pair [OPTIONS] SEED VARIANT SEED_TEST VARIANT_TEST\n       lop verify pair [OPTIONS] DIR SEED_TEST VARIANT_TEST",
    after_help = "Exit status: 0 FILE is minimal: no single edit of its tree leaves it interesting (the deletion of a token that is not such an \
                  edit may, and is reported); 1 it is not minimal, or does not pass the test; 2 usage; 3 the test or the system failed."
)]
pub struct VerifyArgs {
    /// The file to check
    #[arg(required = true)]
    pub file: Option<PathBuf>,
    /// The interestingness test
    #[arg(required = true)]
    pub test: Option<PathBuf>,
    /// Check FILE as text too, whatever its tree is: no token, no 2 to 4 tokens in a row, no pair of brackets and nothing between `;`, `{` and
    /// `}` can go. Where one can, FILE is not minimal
    #[arg(long)]
    pub text: bool,
    #[command(flatten)]
    pub test_run: TestRunArgs,
    #[command(subcommand)]
    pub pair: Option<VerifySubcommand>,
}

/// What `lop verify` can check besides a program.
#[derive(Debug, Subcommand)]
#[command(disable_help_subcommand = true)]
pub enum VerifySubcommand {
    /// Check whether a result of lop pair is minimal
    Pair(VerifyPairArgs),
}

/// `lop verify pair`.
#[derive(Debug, Args)]
#[command(
    override_usage = "lop verify pair [OPTIONS] SEED VARIANT SEED_TEST VARIANT_TEST\n       lop verify pair [OPTIONS] DIR SEED_TEST VARIANT_TEST\n       lop verify pair [OPTIONS] DIR --both TEST",
    after_help = "Takes each token that both programs have out of both, undoes each hunk of the difference, and each token of a hunk. DIR is the directory \
                  of a result of lop pair.\n\n\
                  Exit status: 0 the pair is minimal; 1 it is not minimal, or does not pass the tests; 2 usage; 3 a test or the system failed."
)]
pub struct VerifyPairArgs {
    /// The seed and the variant, or the directory with both; then, without --both, the test of the seed and that of the variant
    #[arg(required = true, num_args = 1..=4, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// One test that sees both programs: the seed is its first argument, the variant its second
    #[arg(long, value_name = "TEST")]
    pub both: Option<PathBuf>,
    #[command(flatten)]
    pub test_run: TestRunArgs,
}

/// `lop doctor`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    override_usage = "lop doctor [OPTIONS] FILE TEST\n       lop doctor pair [OPTIONS] SEED VARIANT SEED_TEST VARIANT_TEST",
    after_help = "Runs the test about forty times: on FILE, on files that should not be interesting, in another environment, several at a time. \
                  Only the test itself writes files.\n\n\
                  Exit status: 0 no harmful finding; 1 a harmful finding, or FILE does not pass the test; 2 usage; \
                  3 the test or the system failed."
)]
pub struct DoctorArgs {
    /// The file that the test is for
    #[arg(required = true)]
    pub file: Option<PathBuf>,
    /// The interestingness test
    #[arg(required = true)]
    pub test: Option<PathBuf>,
    /// Number of tests that a run would have at a time [default: the number of processors]
    #[arg(long, short, value_name = "N", value_parser = parse_jobs)]
    pub jobs: Option<u16>,
    /// Print one JSON object for each finding (docs/JSON.md)
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub test_run: TestRunArgs,
    #[command(subcommand)]
    pub pair: Option<DoctorSubcommand>,
}

/// What `lop doctor` can examine besides a test of one program.
#[derive(Debug, Subcommand)]
#[command(disable_help_subcommand = true)]
pub enum DoctorSubcommand {
    /// Examine the two tests of a pair
    Pair(DoctorPairArgs),
}

/// `lop doctor pair`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examines each test on its own program, as lop doctor does, and then runs each on the other program: a test that holds on both does not \
                  tell them apart.\n\n\
                  Exit status: as for lop doctor FILE TEST."
)]
pub struct DoctorPairArgs {
    /// The program that does not show the bug
    pub seed: PathBuf,
    /// The program that shows it
    pub variant: PathBuf,
    /// The test of the seed
    pub seed_test: PathBuf,
    /// The test of the variant
    pub variant_test: PathBuf,
    /// Number of tests that a run would have at a time [default: the number of processors]
    #[arg(long, short, value_name = "N", value_parser = parse_jobs)]
    pub jobs: Option<u16>,
    /// Print one JSON object for each finding (docs/JSON.md)
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub test_run: TestRunArgs,
}
