//! The options of the screen as flags: made of the same table as the configuration file.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use crate::config::{
    AllowedValues, ConfigError, ConfigLayer, ConfigOption, OPTIONS, SettingOrigin,
};
use crate::tui::layout::LAYOUTS;
use crate::tui::theme::BUILT_IN;

/// The settings of the screen on the command line.
#[derive(Clone, Debug, Default)]
pub struct ScreenSettings {
    /// The configuration file, if it is not the usual one.
    pub file: Option<PathBuf>,
    pub flags: ConfigLayer,
    /// Whether the user guesses before each verdict of a single step.
    pub guess: bool,
}

/// The description of an option, with names that only the screen knows: themes and layouts.
pub fn option_help(option: &ConfigOption) -> String {
    let names: Vec<&str> = match option.name {
        "theme" => BUILT_IN.iter().map(|(name, _)| *name).collect(),
        "layout" => LAYOUTS.iter().map(|layout| layout.name).collect(),
        _ => return option.what.to_owned(),
    };
    format!("{}: {}", option.what, names.join(", "))
}

/// The flag of an option.
fn option_flag(option: &'static ConfigOption) -> Arg {
    let arg = Arg::new(option.name)
        .long(option.name)
        .value_name("NAME")
        .help_heading("The screen")
        .help(format!(
            "{} [default: {}]",
            option_help(option),
            option.default
        ));
    let arg = match option.name {
        "colour" => arg.alias("color"),
        _ => arg,
    };
    match option.allowed {
        AllowedValues::Words(words) => arg.value_parser(PossibleValuesParser::new(words)),
        AllowedValues::Name => arg,
    }
}

impl Args for ScreenSettings {
    fn augment_args(command: Command) -> Command {
        let file = Arg::new("config")
            .long("config")
            .value_name("FILE")
            .value_parser(clap::value_parser!(PathBuf))
            .help_heading("The screen")
            .help("The configuration file [default: config.toml in lop/ in XDG_CONFIG_HOME or ~/.config]");
        let guess = Arg::new("guess")
            .long("guess")
            .action(ArgAction::SetTrue)
            .help_heading("The screen")
            .help("Guess before each verdict: a step shows the candidate, the next one what the test says");
        let options = OPTIONS.iter().map(option_flag);
        command.arg(file).arg(guess).args(options)
    }

    fn augment_args_for_update(command: Command) -> Command {
        ScreenSettings::augment_args(command)
    }
}

impl FromArgMatches for ScreenSettings {
    fn from_arg_matches(matches: &ArgMatches) -> Result<ScreenSettings, clap::Error> {
        let mut settings = ScreenSettings::default();
        settings.update_from_arg_matches(matches)?;
        Ok(settings)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.file = matches.get_one::<PathBuf>("config").cloned();
        self.guess = matches.get_flag("guess");
        for option in OPTIONS {
            if let Some(value) = matches.get_one::<String>(option.name) {
                let set =
                    self.flags
                        .set_option(option, value, SettingOrigin::Flag(option.flag_name()));
                let refused = |error: ConfigError| {
                    clap::Error::raw(clap::error::ErrorKind::InvalidValue, error.to_string())
                };
                set.map_err(refused)?;
            }
        }
        Ok(())
    }
}
