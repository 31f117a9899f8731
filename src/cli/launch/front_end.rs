//! Who reports on a run: the screen, lines, or JSON.

use std::env;
use std::io::{self, IsTerminal};

use crate::cli::args::{CommonArgs, ScreenSettings};
use crate::config::{ConfigErrors, ConfigSources};
use crate::display::{OutputStream, is_terminal};
use crate::tui::palette::TerminalPalette;
use crate::tui::setup::ScreenSetup;

/// Who reports on the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrontEnd {
    Screen,
    Lines,
    Json,
}

impl FrontEnd {
    /// The one that the user wants, or else the one that fits the terminal.
    pub fn from_args(common: &CommonArgs) -> FrontEnd {
        match common.json {
            true => FrontEnd::Json,
            false => FrontEnd::from_plain_flag(common.plain),
        }
    }

    /// The screen, if there is a terminal and the user does not want lines.
    pub fn from_plain_flag(plain: bool) -> FrontEnd {
        let terminal = || {
            is_terminal(OutputStream::Output)
                && io::stdin().is_terminal()
                && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        };
        match !plain && terminal() {
            true => FrontEnd::Screen,
            false => FrontEnd::Lines,
        }
    }

    /// The screen's setup from the configuration file, the environment and the command line. Without a screen these are not read.
    pub fn screen_setup(self, settings: &ScreenSettings) -> Result<ScreenSetup, ConfigErrors> {
        if self != FrontEnd::Screen {
            return Ok(ScreenSetup::with_defaults(TerminalPalette::FULL));
        }
        let variable = |name: &str| env::var(name).ok();
        let sources = ConfigSources::new(settings.file.clone(), settings.flags.clone(), variable)?;
        ScreenSetup::new(sources, variable)
    }
}
