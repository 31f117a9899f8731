//! The options: one table for the file, the environment, the flags and the manual.

/// The values that an option may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllowedValues {
    /// One of these words.
    Words(&'static [&'static str]),
    /// A name that another room checks.
    Name,
}

/// An option.
#[derive(Debug, PartialEq, Eq)]
pub struct ConfigOption {
    /// Its name in the file.
    pub name: &'static str,
    /// What it does, in a few words.
    pub what: &'static str,
    /// The values that it may have.
    pub allowed: AllowedValues,
    /// Its value if nothing sets it.
    pub default: &'static str,
}

/// All options.
pub const OPTIONS: &[ConfigOption] = &[
    ConfigOption {
        name: "theme",
        what: "the theme of the screen: auto for dark or light like the terminal, a file NAME.toml in themes/ beside config.toml, \
               or one that comes with lop",
        allowed: AllowedValues::Name,
        default: "auto",
    },
    ConfigOption {
        name: "layout",
        what: "the panes that the screen shows at the start",
        allowed: AllowedValues::Name,
        default: "all",
    },
    ConfigOption {
        name: "glyphs",
        what: "the characters that the screen uses",
        allowed: AllowedValues::Words(&["auto", "ascii", "unicode"]),
        default: "auto",
    },
    ConfigOption {
        name: "colour",
        what: "the number of colours that the screen uses; a non-empty NO_COLOR in the environment means none",
        allowed: AllowedValues::Words(&["auto", "truecolor", "256", "16", "none"]),
        default: "auto",
    },
    ConfigOption {
        name: "mouse",
        what: "whether the screen uses the mouse",
        allowed: AllowedValues::Words(&["on", "off"]),
        default: "on",
    },
    ConfigOption {
        name: "notify",
        what: "how the terminal calls you when a run ends, stops at a breakpoint or needs an answer: its title, its bell, or a notification \
               of the desktop by OSC 9 (iTerm2, kitty, WezTerm, Windows Terminal) or OSC 777 (foot, Ghostty, rxvt)",
        allowed: AllowedValues::Words(&["title", "bell", "osc9", "osc777", "off"]),
        default: "title",
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

    /// The value, if it is allowed; else a message with the allowed values.
    pub(super) fn parse_value(&self, value: &str) -> Result<String, String> {
        match self.allowed {
            AllowedValues::Words(words) if !words.contains(&value) => Err(format!(
                "`{value}` is not a value of {}: {}",
                self.name,
                join_alternatives(words)
            )),
            _ => Ok(value.to_owned()),
        }
    }
}

/// Alternatives as part of a sentence: `a, b or c`.
pub(super) fn join_alternatives(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}
