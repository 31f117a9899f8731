//! The arguments of `lop learn`.

use std::path::PathBuf;

use clap::Args;

use super::common_args::CommonArgs;
use super::isolation_args::IsolationArgs;
use super::screen_settings::ScreenSettings;
use super::strategy_names::{NamedStrategy, parse_strategy};

/// `lop learn`.
#[derive(Debug, Args)]
#[command(
    override_usage = "lop learn\n       lop learn [OPTIONS] LESSON\n       lop learn LESSON --race NAMES\n       lop learn --export PATH [LESSON]",
    after_help = "On the screen, space goes on and b goes back. With --plain the lesson is told in lines, to its end.\n\n\
                  Exit status: 0; 1 if the run refused a command of the lesson; 2 usage; 3 the system failed."
)]
pub struct LearnArgs {
    /// The lesson: its name, or a file NAME.toml of your own (docs/LESSONS.md) [default: list the lessons]
    pub lesson: Option<String>,
    /// Write the lesson as one page for any browser, which needs no other file; into a directory, all lessons or the one named
    #[arg(long, value_name = "PATH", conflicts_with = "plain")]
    pub export: Option<PathBuf>,
    /// Run these strategies side by side on the program of the lesson, as lop race does, instead of playing it; two or more, with commas
    /// between them
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = parse_strategy, requires = "lesson", conflicts_with = "export")]
    pub race: Vec<NamedStrategy>,
    /// Tell the lesson in lines instead of showing the screen; the default without a terminal
    #[arg(long)]
    pub plain: bool,
    #[command(flatten)]
    pub settings: ScreenSettings,
}

impl LearnArgs {
    /// The arguments that a lesson's run has in common with others: one test at a time, so that the screen shows all that is tested.
    pub fn common_args(&self) -> CommonArgs {
        CommonArgs {
            jobs: Some(1),
            scratch: None,
            cache: None,
            plain: self.plain || self.export.is_some(),
            json: false,
            verbose: false,
            isolation: IsolationArgs::default(),
            settings: self.settings.clone(),
        }
    }
}
