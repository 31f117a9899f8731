//! The user's configuration: the configuration file, and what overrides it.
//!
//! ```text
//!   defaults  <  config.toml  <  environment  <  flags
//! ```
//!
//! Every option is a row of [`OPTIONS`], of which the file, the environment, the command line and the manual are made. A value that
//! cannot be used is a [`ConfigError`] that names where it was written and what is allowed there. This room knows no themes, layouts or
//! commands: it hands on their names with the place where each was written, so that the rooms that know them can complain as well.

mod file;
mod options;
mod origin;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::display::sanitize_line;
pub use options::{AllowedValues, ConfigOption, OPTIONS, find_option};
pub use origin::{ConfigValue, SettingOrigin, user_config_directory};

/// Why the configuration cannot be used, with the place.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("{from}: {what}")]
pub struct ConfigError {
    /// Where it was written.
    pub from: SettingOrigin,
    /// What is wrong with it, and what is allowed.
    pub what: String,
}

impl ConfigError {
    /// This is wrong with what was written there.
    pub fn new(from: &SettingOrigin, what: impl Into<String>) -> ConfigError {
        ConfigError {
            from: from.clone(),
            // A name that the user quoted may have anything in it.
            what: sanitize_line(&what.into()).into_owned(),
        }
    }
}

/// All that is wrong with it, at least one thing.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("{}", .0.iter().map(ConfigError::to_string).collect::<Vec<_>>().join("\n"))]
pub struct ConfigErrors(Vec<ConfigError>);

impl From<ConfigError> for ConfigErrors {
    fn from(error: ConfigError) -> ConfigErrors {
        ConfigErrors(vec![error])
    }
}

impl ConfigErrors {
    /// Nothing, if nothing is wrong.
    ///
    /// # Errors
    /// If something is.
    pub fn fail_if_any(mut faults: Vec<ConfigError>) -> Result<(), ConfigErrors> {
        // As one reads them there.
        faults.sort_by_key(|fault| fault.from.line_number());
        match faults.is_empty() {
            true => Ok(()),
            false => Err(ConfigErrors(faults)),
        }
    }

    /// What is wrong, one by one.
    pub fn into_vec(self) -> Vec<ConfigError> {
        self.0
    }
}

/// What one of the layers says: options by their names, and the keys of commands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfigLayer {
    /// The value of each option that it mentions. All are allowed there.
    pub options: BTreeMap<&'static str, ConfigValue<String>>,
    /// The keys of each command that it mentions. Neither the commands nor the keys have been looked at.
    pub keys: BTreeMap<String, ConfigValue<Vec<String>>>,
}

impl ConfigLayer {
    /// Sets an option.
    ///
    /// # Errors
    /// When the value is not allowed.
    pub fn set_option(
        &mut self,
        option: &'static ConfigOption,
        value: &str,
        from: SettingOrigin,
    ) -> Result<(), ConfigError> {
        let value = option
            .parse_value(value)
            .map_err(|what| ConfigError::new(&from, what))?;
        self.options
            .insert(option.name, ConfigValue { value, from });
        Ok(())
    }

    /// What the environment says; `variable` looks one up. An empty variable says nothing.
    ///
    /// # Errors
    /// When a value is not allowed.
    pub fn from_environment(
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<ConfigLayer, ConfigError> {
        let get = |name: &str| variable(name).filter(|value| !value.is_empty());
        let mut layer = ConfigLayer::default();
        if get("NO_COLOR").is_some()
            && let Some(colour) = find_option("colour")
        {
            layer.set_option(colour, "none", SettingOrigin::Variable("NO_COLOR".into()))?;
        }
        for option in OPTIONS {
            let name = option.environment_variable();
            if let Some(value) = get(&name) {
                layer.set_option(option, &value, SettingOrigin::Variable(name))?;
            }
        }
        Ok(layer)
    }

    /// This layer with `upper` on top of it.
    fn override_with(mut self, upper: ConfigLayer) -> ConfigLayer {
        self.options.extend(upper.options);
        self.keys.extend(upper.keys);
        self
    }
}

/// Where the layers come from. Reading them again shows what changed in the file.
#[derive(Clone, Debug, Default)]
pub struct ConfigSources {
    /// The configuration file, if there is a place for one.
    pub file: Option<PathBuf>,
    /// Whether the user named the file: then it must exist.
    pub named: bool,
    /// What the environment says.
    pub environment: ConfigLayer,
    /// What the command line says.
    pub flags: ConfigLayer,
}

impl ConfigSources {
    /// The user's file at its usual place, or `file`; with the environment and the flags over it.
    ///
    /// # Errors
    /// When the environment has a value that is not allowed.
    pub fn new(
        file: Option<PathBuf>,
        flags: ConfigLayer,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<ConfigSources, ConfigError> {
        let usual =
            || user_config_directory(&variable).map(|directory| directory.join("config.toml"));
        Ok(ConfigSources {
            named: file.is_some(),
            file: file.or_else(usual),
            environment: ConfigLayer::from_environment(&variable)?,
            flags,
        })
    }

    /// The directory of the file, in which the user's themes are too.
    pub fn config_directory(&self) -> Option<&Path> {
        self.file.as_deref().and_then(Path::parent)
    }

    /// The configuration as it is now. A file that does not exist says nothing, unless the user named it.
    ///
    /// # Errors
    /// When the file cannot be read, or something in it is not allowed.
    pub fn load_config(&self) -> Result<Config, ConfigErrors> {
        let mut faults = Vec::new();
        let config = self.load_lenient(&mut faults)?;
        ConfigErrors::fail_if_any(faults)?;
        Ok(config)
    }

    /// The same, but without what is not allowed, which is added to `faults`.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn load_lenient(&self, faults: &mut Vec<ConfigError>) -> Result<Config, ConfigError> {
        let mut layer = ConfigLayer::default();
        for option in OPTIONS {
            layer.set_option(option, option.default, SettingOrigin::Default)?;
        }
        if let Some(path) = &self.file {
            layer = layer.override_with(file::read_config_file(path, self.named, faults)?);
        }
        let layer = layer.override_with(self.environment.clone());
        Ok(Config(layer.override_with(self.flags.clone())))
    }
}

/// How many colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColourDepth {
    /// As many as the terminal seems to have.
    Auto,
    /// All.
    TrueColour,
    /// 256.
    Ansi256,
    /// Sixteen.
    Ansi16,
    /// None.
    None,
}

/// Which characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlyphSet {
    /// Those that the terminal seems to have.
    Auto,
    /// ASCII only.
    Ascii,
    /// All.
    Unicode,
}

/// The configuration: what all layers say together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config(ConfigLayer);

impl Config {
    fn option_value(&self, name: &str) -> &ConfigValue<String> {
        self.0
            .options
            .get(name)
            .expect("every option has a default")
    }

    /// The name of the theme, or `auto`.
    pub fn theme_name(&self) -> &ConfigValue<String> {
        self.option_value("theme")
    }

    /// The name of the layout.
    pub fn layout_name(&self) -> &ConfigValue<String> {
        self.option_value("layout")
    }

    /// How many colours.
    pub fn colour_depth(&self) -> ColourDepth {
        match self.option_value("colour").value.as_str() {
            "truecolor" => ColourDepth::TrueColour,
            "256" => ColourDepth::Ansi256,
            "16" => ColourDepth::Ansi16,
            "none" => ColourDepth::None,
            _ => ColourDepth::Auto,
        }
    }

    /// Which characters.
    pub fn glyph_set(&self) -> GlyphSet {
        match self.option_value("glyphs").value.as_str() {
            "ascii" => GlyphSet::Ascii,
            "unicode" => GlyphSet::Unicode,
            _ => GlyphSet::Auto,
        }
    }

    /// Whether the mouse is heard.
    pub fn is_mouse_enabled(&self) -> bool {
        self.option_value("mouse").value == "on"
    }

    /// How the terminal calls the user, as the option says it.
    pub fn notify_word(&self) -> &str {
        &self.option_value("notify").value
    }

    /// The keys of commands that are not the usual ones.
    pub fn key_bindings(&self) -> &BTreeMap<String, ConfigValue<Vec<String>>> {
        &self.0.keys
    }
}

impl Default for Config {
    /// Nothing but the defaults.
    fn default() -> Config {
        ConfigSources::default()
            .load_config()
            .expect("the defaults are allowed")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(
        file: &str,
        variables: &[(&str, &str)],
        flags: ConfigLayer,
    ) -> Result<Config, ConfigErrors> {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("config.toml");
        std::fs::write(&path, file).expect("written");
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        ConfigSources::new(Some(path), flags, variable)?.load_config()
    }

    fn flag(name: &str, value: &str) -> ConfigLayer {
        let mut layer = ConfigLayer::default();
        let option = find_option(name).expect("an option");
        layer
            .set_option(option, value, SettingOrigin::Flag(option.flag_name()))
            .expect("allowed");
        layer
    }

    #[test]
    fn what_is_nearer_goes_first() {
        let file = "theme = 'light'\ncolour = '256'\nmouse = false";
        let config = sources(file, &[], ConfigLayer::default()).expect("a configuration");
        assert_eq!(config.theme_name().value, "light");
        assert!(!config.is_mouse_enabled());
        let over = sources(file, &[("LOP_THEME", "dark")], ConfigLayer::default()).expect("one");
        assert_eq!(over.theme_name().value, "dark");
        assert_eq!(
            over.theme_name().from,
            SettingOrigin::Variable("LOP_THEME".into())
        );
        let both = sources(
            file,
            &[("LOP_THEME", "dark"), ("NO_COLOR", "1")],
            flag("theme", "mono"),
        );
        let both = both.expect("one");
        assert_eq!(both.theme_name().value, "mono");
        assert_eq!(
            both.colour_depth(),
            ColourDepth::None,
            "NO_COLOR goes before the file"
        );
        let asked = sources(file, &[("NO_COLOR", "1")], flag("colour", "16")).expect("one");
        assert_eq!(
            asked.colour_depth(),
            ColourDepth::Ansi16,
            "and a flag before NO_COLOR"
        );
    }

    #[test]
    fn without_a_file_there_are_the_defaults() {
        let sources = ConfigSources {
            file: Some("/no/such/config.toml".into()),
            ..ConfigSources::default()
        };
        assert_eq!(sources.load_config(), Ok(Config::default()));
        let named = ConfigSources {
            named: true,
            ..sources
        };
        let message = named.load_config().expect_err("it was named").to_string();
        assert!(message.starts_with("/no/such/config.toml: "), "{message}");
    }

    #[test]
    fn a_mistake_names_its_line_and_what_is_allowed() {
        for (file, said) in [
            (
                "\ncolour = 'blue'",
                "config.toml:2: `blue` is not a value of colour: auto, truecolor, 256, 16 or none",
            ),
            ("mouse = 3", "config.toml:1: mouse must be"),
            (
                "thme = 'dark'",
                "config.toml:1: there is no option `thme`; did you mean `theme`?",
            ),
            ("theme = 'dark", "config.toml:1: "),
            (
                "[keys]\npause = 7",
                "config.toml:2: the keys of `pause` must be",
            ),
            (
                "[keys]\npause = ['p', 7]",
                "config.toml:2: the keys of `pause` must be",
            ),
            ("keys = 3", "config.toml:1: keys must be a table"),
            (
                "\"a\\nb\" = 3",
                "config.toml:1: there is no option `a<U+000A>b`",
            ),
            ("theme = 'a'\ntheme = 'b'", "config.toml:2: "),
        ] {
            let message = sources(file, &[], ConfigLayer::default())
                .expect_err("a mistake")
                .to_string();
            assert!(message.contains(said), "{file}: {message}");
            assert_eq!(message.lines().count(), 1, "{message}");
        }
        let wrong = sources("", &[("LOP_MOUSE", "maybe")], ConfigLayer::default());
        let message = wrong.expect_err("a mistake").to_string();
        assert_eq!(
            message,
            "LOP_MOUSE: `maybe` is not a value of mouse: on or off"
        );
    }

    #[test]
    fn all_mistakes_are_told_at_once_in_the_order_of_their_lines() {
        let file = "mouse = 3\nthme = 'dark'\n[keys]\npause = 7";
        let errors = sources(file, &[], ConfigLayer::default()).expect_err("three mistakes");
        let lines = errors
            .into_vec()
            .into_iter()
            .map(|error| error.from.line_number());
        assert_eq!(lines.collect::<Vec<_>>(), [1, 2, 4]);
    }

    #[test]
    fn keys_are_handed_on_with_their_places() {
        let file = "[keys]\npause = 'p'\nquit = ['q', 'ctrl-c']\nhelp = []\n";
        let config = sources(file, &[], ConfigLayer::default()).expect("a configuration");
        assert_eq!(config.key_bindings()["quit"].value, ["q", "ctrl-c"]);
        assert!(
            config.key_bindings()["quit"]
                .from
                .to_string()
                .ends_with("config.toml:3")
        );
        assert!(config.key_bindings()["help"].value.is_empty());
    }
}
