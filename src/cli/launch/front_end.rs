//! Who reports on a run: the screen, lines, or JSON.

use std::env;
use std::io::{self, IsTerminal};

use crate::cli::args::{CommonArgs, ScreenSettings};
use crate::config::{ConfigErrors, ConfigSources};
use crate::display::{OutputStream, is_terminal};
use crate::plain::{ConsoleWriter, JsonReporter, LineReporter, RunReporter};
use crate::tui::palette::TerminalPalette;
use crate::tui::setup::ScreenSetup;

fn is_at_terminal() -> bool {
    is_terminal(OutputStream::Output) && io::stdin().is_terminal()
}

/// Whether the environment says that the terminal only shows lines.
fn is_term_dumb() -> bool {
    env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Who reports on the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrontEnd {
    Screen,
    /// Progress lines.
    Lines,
    /// Progress lines, and a line for each decision.
    Decisions,
    Json,
}

impl FrontEnd {
    /// The one that the user wants, or else the one that fits the terminal.
    pub fn from_args(common: &CommonArgs) -> FrontEnd {
        match (common.json, common.verbose) {
            (true, _) => FrontEnd::Json,
            (false, true) => FrontEnd::Decisions,
            (false, false) => FrontEnd::from_plain_flag(common.plain),
        }
    }

    /// Who reports the events of a run in lines; none on the screen, which shows snapshots.
    pub fn line_reporter(self) -> Option<Box<dyn RunReporter>> {
        let out = ConsoleWriter::stdout();
        Some(match self {
            FrontEnd::Screen => return None,
            FrontEnd::Lines => Box::new(LineReporter::new(out)),
            FrontEnd::Decisions => Box::new(LineReporter::new(out).with_decisions()),
            FrontEnd::Json => Box::new(JsonReporter::new(out)),
        })
    }

    /// The screen, if there is a terminal and the user does not want lines.
    pub fn from_plain_flag(plain: bool) -> FrontEnd {
        match !plain && is_at_terminal() && !is_term_dumb() {
            true => FrontEnd::Screen,
            false => FrontEnd::Lines,
        }
    }

    /// Whether there is a terminal that could have the screen, if the environment did not say that it is a dumb one.
    pub fn is_terminal_dumb() -> bool {
        is_at_terminal() && is_term_dumb()
    }

    /// Why a run that wants the screen has lines at a terminal, if so.
    pub fn describe_dumb_terminal(common: &CommonArgs) -> Option<String> {
        let wants_screen = !common.json && !common.verbose && !common.plain;
        let note = "TERM is dumb, so there is no screen: progress lines; Ctrl-C stops the run";
        (wants_screen && FrontEnd::is_terminal_dumb()).then(|| note.to_owned())
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
