//! The failure property, where the user gives commands instead of a test.

use clap::Args;

use crate::oracle::RequestedCriteria;

/// The use of the options that describe the failure of a command.
const FOR_A_COMMAND: &str = "is for a command in place of the test: lop FILE -- COMMAND";
/// The use of the option for a pair of commands.
const FOR_A_PAIR: &str =
    "is for two compilers that disagree: lop FILE --differs RIGHT WRONG --ub-guard";

/// Commands, and the criteria of their failure.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "In place of a test")]
pub struct PropertyArgs {
    /// Two shell commands that should do the same with the file but differ in stdout or exit status; the first is right. {} is the
    /// file
    #[arg(long, num_args = 2, value_names = ["RIGHT", "WRONG"], conflicts_with = "line")]
    pub differs: Vec<String>,
    /// With --differs, for C and C++: accept a candidate only if no compiler warns of undefined behaviour, sanitizers are silent and a
    /// compiler of neither command agrees. FLAGS are for these compilers
    #[arg(long, value_name = "FLAGS", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub ub_guard: Option<String>,
    /// A shell command that must succeed before the test runs; a candidate on which it fails is invalid. {} is the file. May be given
    /// several times
    #[arg(long, value_name = "COMMAND")]
    pub check: Vec<String>,
    /// A line of the output matches this regular expression, whatever else the command does
    #[arg(long, value_name = "RE")]
    pub grep: Vec<String>,
    /// No line of the output matches this regular expression
    #[arg(long, value_name = "RE")]
    pub not_grep: Vec<String>,
    /// The command exits with this status, whatever else it does
    #[arg(long, value_name = "N", requires = "line")]
    pub exit: Option<i32>,
    /// The output differs from that on the original by at most PERCENT
    #[arg(long, value_name = "PERCENT", requires = "line", value_parser = clap::value_parser!(u8).range(0..=100))]
    pub like: Option<u8>,
    /// The command that fails. {} is the file; without {}, the word equal to FILE, or else an added last argument. lop finds out how it
    /// fails
    #[arg(last = true, value_name = "COMMAND")]
    pub line: Vec<String>,
}

impl PropertyArgs {
    /// Whether commands are given instead of a test.
    pub fn has_commands(&self) -> bool {
        !self.line.is_empty() || !self.differs.is_empty()
    }

    /// The first given option that has no meaning for this test, with its use.
    pub fn unusable_option(&self) -> Option<String> {
        let (is_command, is_pair) = (!self.line.is_empty(), !self.differs.is_empty());
        let given = [
            ("--grep", !self.grep.is_empty(), is_command, FOR_A_COMMAND),
            (
                "--not-grep",
                !self.not_grep.is_empty(),
                is_command,
                FOR_A_COMMAND,
            ),
            ("--exit", self.exit.is_some(), is_command, FOR_A_COMMAND),
            ("--like", self.like.is_some(), is_command, FOR_A_COMMAND),
            ("--ub-guard", self.ub_guard.is_some(), is_pair, FOR_A_PAIR),
        ];
        let mut given = given.into_iter();
        given
            .find(|(_, given, usable, _)| *given && !usable)
            .map(|(option, _, _, what)| format!("{option} {what}"))
    }

    /// The criteria that the user requests.
    pub fn wanted_property(&self) -> RequestedCriteria {
        RequestedCriteria {
            grep: self.grep.clone(),
            not_grep: self.not_grep.clone(),
            exit: self.exit,
            like: self.like,
        }
    }
}
