//! What the user has settled once for all: the configuration file, and what goes before it.
//!
//! ```text
//!   defaults  <  config.toml  <  environment  <  flags
//! ```
//!
//! Every option is a row of [`OPTIONS`], of which the file, the environment, the command line and the manual are made. A value that
//! cannot be used is an [`Error`] that names where it was written and what is allowed there. Names that only others know (themes,
//! layouts, commands) are handed on with the place where they were written, so that whoever knows them can complain as well.

mod file;
mod options;
mod place;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::display::tamed;
pub use options::{Allowed, OPTIONS, Opt, option};
pub use place::{Origin, Placed, directory};

/// Why the configuration cannot be used, with the place.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("{from}: {what}")]
pub struct Error {
    /// Where it was written.
    pub from: Origin,
    /// What is wrong with it, and what is allowed.
    pub what: String,
}

impl Error {
    /// This is wrong with what was written there.
    pub fn new(from: &Origin, what: impl Into<String>) -> Error {
        Error {
            from: from.clone(),
            // A name that the user quoted may have anything in it.
            what: tamed(&what.into()).into_owned(),
        }
    }
}

/// All that is wrong with it, at least one thing.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("{}", .0.iter().map(Error::to_string).collect::<Vec<_>>().join("\n"))]
pub struct Errors(Vec<Error>);

impl From<Error> for Errors {
    fn from(error: Error) -> Errors {
        Errors(vec![error])
    }
}

impl Errors {
    /// Nothing, if nothing is wrong.
    ///
    /// # Errors
    /// If something is.
    pub fn none(mut faults: Vec<Error>) -> Result<(), Errors> {
        // As one reads them there.
        faults.sort_by_key(|fault| fault.from.line());
        match faults.is_empty() {
            true => Ok(()),
            false => Err(Errors(faults)),
        }
    }

    /// What is wrong, one by one.
    pub fn into_all(self) -> Vec<Error> {
        self.0
    }
}

/// What one of the layers says: options by their names, and the keys of commands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// The value of each option that it mentions. All are allowed there.
    pub options: BTreeMap<&'static str, Placed<String>>,
    /// The keys of each command that it mentions. Neither the commands nor the keys have been looked at.
    pub keys: BTreeMap<String, Placed<Vec<String>>>,
}

impl Layer {
    /// Sets an option.
    ///
    /// # Errors
    /// When the value is not allowed.
    pub fn set(&mut self, option: &'static Opt, value: &str, from: Origin) -> Result<(), Error> {
        let value = option.read(value).map_err(|what| Error::new(&from, what))?;
        self.options.insert(option.name, Placed { value, from });
        Ok(())
    }

    /// What the environment says; `variable` looks one up. An empty variable says nothing.
    ///
    /// # Errors
    /// When a value is not allowed.
    pub fn environment(variable: impl Fn(&str) -> Option<String>) -> Result<Layer, Error> {
        let get = |name: &str| variable(name).filter(|value| !value.is_empty());
        let mut layer = Layer::default();
        if get("NO_COLOR").is_some()
            && let Some(colour) = option("colour")
        {
            layer.set(colour, "none", Origin::Variable("NO_COLOR".into()))?;
        }
        for option in OPTIONS {
            let name = option.variable();
            if let Some(value) = get(&name) {
                layer.set(option, &value, Origin::Variable(name))?;
            }
        }
        Ok(layer)
    }

    /// This layer with `upper` on top of it.
    fn under(mut self, upper: Layer) -> Layer {
        self.options.extend(upper.options);
        self.keys.extend(upper.keys);
        self
    }
}

/// Where the layers come from. Reading them again shows what changed in the file.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The configuration file, if there is a place for one.
    pub file: Option<PathBuf>,
    /// Whether the user named the file: then it must exist.
    pub named: bool,
    /// What the environment says.
    pub environment: Layer,
    /// What the command line says.
    pub flags: Layer,
}

impl Sources {
    /// The user's file at its usual place, or `file`; with the environment and the flags over it.
    ///
    /// # Errors
    /// When the environment has a value that is not allowed.
    pub fn new(
        file: Option<PathBuf>,
        flags: Layer,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Sources, Error> {
        let usual = || directory(&variable).map(|directory| directory.join("config.toml"));
        Ok(Sources {
            named: file.is_some(),
            file: file.or_else(usual),
            environment: Layer::environment(&variable)?,
            flags,
        })
    }

    /// The directory of the file, in which the user's themes are too.
    pub fn directory(&self) -> Option<&Path> {
        self.file.as_deref().and_then(Path::parent)
    }

    /// The configuration as it is now. A file that does not exist says nothing, unless the user named it.
    ///
    /// # Errors
    /// When the file cannot be read, or something in it is not allowed.
    pub fn read(&self) -> Result<Config, Errors> {
        let mut faults = Vec::new();
        let config = self.look(&mut faults)?;
        Errors::none(faults)?;
        Ok(config)
    }

    /// The same, but without what is not allowed, which is added to `faults`.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn look(&self, faults: &mut Vec<Error>) -> Result<Config, Error> {
        let mut layer = Layer::default();
        for option in OPTIONS {
            layer.set(option, option.default, Origin::Default)?;
        }
        if let Some(path) = &self.file {
            layer = layer.under(file::read(path, self.named, faults)?);
        }
        let layer = layer.under(self.environment.clone());
        Ok(Config(layer.under(self.flags.clone())))
    }
}

/// How many colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// As many as the terminal seems to have.
    Auto,
    /// All.
    True,
    /// 256.
    Many,
    /// Sixteen.
    Few,
    /// None.
    None,
}

/// Which characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyphs {
    /// Those that the terminal seems to have.
    Auto,
    /// ASCII only.
    Ascii,
    /// All.
    Unicode,
}

/// The configuration: what all layers say together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config(Layer);

impl Config {
    fn get(&self, name: &str) -> &Placed<String> {
        self.0
            .options
            .get(name)
            .expect("every option has a default")
    }

    /// The name of the theme, or `auto`.
    pub fn theme(&self) -> &Placed<String> {
        self.get("theme")
    }

    /// The name of the layout.
    pub fn layout(&self) -> &Placed<String> {
        self.get("layout")
    }

    /// How many colours.
    pub fn colour(&self) -> Colour {
        match self.get("colour").value.as_str() {
            "truecolor" => Colour::True,
            "256" => Colour::Many,
            "16" => Colour::Few,
            "none" => Colour::None,
            _ => Colour::Auto,
        }
    }

    /// Which characters.
    pub fn glyphs(&self) -> Glyphs {
        match self.get("glyphs").value.as_str() {
            "ascii" => Glyphs::Ascii,
            "unicode" => Glyphs::Unicode,
            _ => Glyphs::Auto,
        }
    }

    /// Whether the mouse is heard.
    pub fn mouse(&self) -> bool {
        self.get("mouse").value == "on"
    }

    /// The keys of commands that are not the usual ones.
    pub fn keys(&self) -> &BTreeMap<String, Placed<Vec<String>>> {
        &self.0.keys
    }
}

impl Default for Config {
    /// Nothing but the defaults.
    fn default() -> Config {
        Sources::default().read().expect("the defaults are allowed")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(file: &str, variables: &[(&str, &str)], flags: Layer) -> Result<Config, Errors> {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("config.toml");
        std::fs::write(&path, file).expect("written");
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        Sources::new(Some(path), flags, variable)?.read()
    }

    fn flag(name: &str, value: &str) -> Layer {
        let mut layer = Layer::default();
        let option = option(name).expect("an option");
        layer
            .set(option, value, Origin::Flag(option.flag()))
            .expect("allowed");
        layer
    }

    #[test]
    fn what_is_nearer_goes_first() {
        let file = "theme = 'light'\ncolour = '256'\nmouse = false";
        let config = sources(file, &[], Layer::default()).expect("a configuration");
        assert_eq!(config.theme().value, "light");
        assert!(!config.mouse());
        let over = sources(file, &[("LOP_THEME", "dark")], Layer::default()).expect("one");
        assert_eq!(over.theme().value, "dark");
        assert_eq!(over.theme().from, Origin::Variable("LOP_THEME".into()));
        let both = sources(
            file,
            &[("LOP_THEME", "dark"), ("NO_COLOR", "1")],
            flag("theme", "mono"),
        );
        let both = both.expect("one");
        assert_eq!(both.theme().value, "mono");
        assert_eq!(both.colour(), Colour::None, "NO_COLOR goes before the file");
        let asked = sources(file, &[("NO_COLOR", "1")], flag("colour", "16")).expect("one");
        assert_eq!(asked.colour(), Colour::Few, "and a flag before NO_COLOR");
    }

    #[test]
    fn without_a_file_there_are_the_defaults() {
        let sources = Sources {
            file: Some("/no/such/config.toml".into()),
            ..Sources::default()
        };
        assert_eq!(sources.read(), Ok(Config::default()));
        let named = Sources {
            named: true,
            ..sources
        };
        let message = named.read().expect_err("it was named").to_string();
        assert!(message.starts_with("/no/such/config.toml: "), "{message}");
    }

    #[test]
    fn a_mistake_names_its_line_and_what_is_allowed() {
        for (file, said) in [
            (
                "\ncolour = 'blue'",
                "config.toml:2: `blue` is no colour: auto, truecolor, 256, 16 or none",
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
            let message = sources(file, &[], Layer::default())
                .expect_err("a mistake")
                .to_string();
            assert!(message.contains(said), "{file}: {message}");
            assert_eq!(message.lines().count(), 1, "{message}");
        }
        let wrong = sources("", &[("LOP_MOUSE", "maybe")], Layer::default());
        let message = wrong.expect_err("a mistake").to_string();
        assert_eq!(message, "LOP_MOUSE: `maybe` is no mouse: on or off");
    }

    #[test]
    fn all_mistakes_are_told_at_once_in_the_order_of_their_lines() {
        let file = "mouse = 3\nthme = 'dark'\n[keys]\npause = 7";
        let errors = sources(file, &[], Layer::default()).expect_err("three mistakes");
        let lines = errors.into_all().into_iter().map(|error| error.from.line());
        assert_eq!(lines.collect::<Vec<_>>(), [1, 2, 4]);
    }

    #[test]
    fn keys_are_handed_on_with_their_places() {
        let file = "[keys]\npause = 'p'\nquit = ['q', 'ctrl-c']\nhelp = []\n";
        let config = sources(file, &[], Layer::default()).expect("a configuration");
        assert_eq!(config.keys()["quit"].value, ["q", "ctrl-c"]);
        assert!(
            config.keys()["quit"]
                .from
                .to_string()
                .ends_with("config.toml:3")
        );
        assert!(config.keys()["help"].value.is_empty());
    }
}
