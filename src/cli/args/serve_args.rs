//! A server in place of a test.

use clap::Args;

/// The server.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "In place of a test")]
pub struct ServeArgs {
    /// A test that stays alive: a shell command that reads the directory of a candidate in each line of its input, and answers with the
    /// status of a test in a line, such as a compiler whose start takes long (docs/TESTS.md)
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["line", "differs", "offline"])]
    pub serve: Option<String>,
}
