//! The options of the screen as flags: made of the same table as the configuration file.

use std::env;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use super::front::Front;
use crate::config::{Allowed, Error, Errors, Layer, OPTIONS, Opt, Origin, Sources};
use crate::tui::layout::LAYOUTS;
use crate::tui::palette::Palette;
use crate::tui::setup::Setup;
use crate::tui::theme::BUILT_IN;

/// What the command line says of the screen.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    file: Option<PathBuf>,
    flags: Layer,
}

impl Settings {
    /// The screen's setup: what the file, the environment and the command line say together. Without a screen nobody looks at them.
    pub fn setup_for(&self, front: Front) -> Result<Setup, Errors> {
        if front != Front::Screen {
            return Ok(Setup::usual(Palette::FULL));
        }
        let variable = |name: &str| env::var(name).ok();
        let sources = Sources::new(self.file.clone(), self.flags.clone(), variable)?;
        Setup::new(sources, variable)
    }
}

/// What an option does, with the names that only the screen knows: its themes and layouts.
pub(super) fn what(option: &Opt) -> String {
    let names: Vec<&str> = match option.name {
        "theme" => BUILT_IN.iter().map(|(name, _)| *name).collect(),
        "layout" => LAYOUTS.iter().map(|layout| layout.name).collect(),
        _ => return option.what.to_owned(),
    };
    format!("{}: {}", option.what, names.join(", "))
}

/// The flag of an option.
fn flag(option: &'static Opt) -> Arg {
    let arg = Arg::new(option.name)
        .long(option.name)
        .value_name("NAME")
        .help_heading("The screen")
        .help(format!("{} [default: {}]", what(option), option.default));
    let arg = match option.name {
        "colour" => arg.alias("color"),
        _ => arg,
    };
    match option.allowed {
        Allowed::Words(words) => arg.value_parser(PossibleValuesParser::new(words)),
        Allowed::Name => arg,
    }
}

impl Args for Settings {
    fn augment_args(command: Command) -> Command {
        let file = Arg::new("config")
            .long("config")
            .value_name("FILE")
            .value_parser(clap::value_parser!(PathBuf))
            .help_heading("The screen")
            .help("The configuration file [default: config.toml in lop/ in XDG_CONFIG_HOME or ~/.config]");
        command.arg(file).args(OPTIONS.iter().map(flag))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Settings::augment_args(command)
    }
}

impl FromArgMatches for Settings {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Settings, clap::Error> {
        let mut settings = Settings::default();
        settings.update_from_arg_matches(matches)?;
        Ok(settings)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.file = matches.get_one::<PathBuf>("config").cloned();
        for option in OPTIONS {
            if let Some(value) = matches.get_one::<String>(option.name) {
                let set = self.flags.set(option, value, Origin::Flag(option.flag()));
                let refused = |error: Error| {
                    clap::Error::raw(clap::error::ErrorKind::InvalidValue, error.to_string())
                };
                set.map_err(refused)?;
            }
        }
        Ok(())
    }
}
