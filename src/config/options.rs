//! The options: one table, of which the file, the environment, the flags and the manual are made.

/// What an option may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllowedValues {
    /// One of these words.
    Words(&'static [&'static str]),
    /// A name that others know.
    Name,
}

/// An option.
#[derive(Debug, PartialEq, Eq)]
pub struct ConfigOption {
    /// Its name in the file.
    pub name: &'static str,
    /// What it does, in a few words.
    pub what: &'static str,
    /// What it may be.
    pub allowed: AllowedValues,
    /// What it is when nobody says anything.
    pub default: &'static str,
}

/// All options.
pub const OPTIONS: &[ConfigOption] = &[
    ConfigOption {
        name: "theme",
        what: "the colours of the screen: auto for dark or light as the terminal is, a file NAME.toml in themes/ beside config.toml, \
               or one of those that come with lop",
        allowed: AllowedValues::Name,
        default: "auto",
    },
    ConfigOption {
        name: "layout",
        what: "which panes the screen shows at first",
        allowed: AllowedValues::Name,
        default: "all",
    },
    ConfigOption {
        name: "glyphs",
        what: "which characters the screen may use",
        allowed: AllowedValues::Words(&["auto", "ascii", "unicode"]),
        default: "auto",
    },
    ConfigOption {
        name: "colour",
        what: "how many colours the screen may use; a NO_COLOR in the environment that is not empty means none",
        allowed: AllowedValues::Words(&["auto", "truecolor", "256", "16", "none"]),
        default: "auto",
    },
    ConfigOption {
        name: "mouse",
        what: "whether the screen hears the mouse",
        allowed: AllowedValues::Words(&["on", "off"]),
        default: "on",
    },
];

/// The option of this name.
pub fn find_option(name: &str) -> Option<&'static ConfigOption> {
    OPTIONS.iter().find(|option| option.name == name)
}

impl ConfigOption {
    /// Its variable in the environment.
    pub fn environment_variable(&self) -> String {
        format!("LOP_{}", self.name.to_uppercase())
    }

    /// Its flag on the command line.
    pub fn flag_name(&self) -> String {
        format!("--{}", self.name)
    }

    /// The value, if it is allowed; else what is.
    pub(super) fn parse_value(&self, value: &str) -> Result<String, String> {
        match self.allowed {
            AllowedValues::Words(words) if !words.contains(&value) => Err(format!(
                "`{value}` is no {}: {}",
                self.name,
                join_alternatives(words)
            )),
            _ => Ok(value.to_owned()),
        }
    }
}

/// Words to choose from, as a sentence has them.
pub(super) fn join_alternatives(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}
