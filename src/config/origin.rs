//! Where something was written, so that a complaint can name it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::display::EscapeHidden;

/// Where a setting comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingOrigin {
    /// Nobody said anything else.
    Default,
    /// A file, and the line in it, counted from 1; 0 for the file as a whole.
    File(Arc<Path>, usize),
    /// A variable of the environment.
    Variable(String),
    /// A flag of the command line.
    Flag(String),
    /// Someone typed it while the run was on.
    Typed,
}

impl SettingOrigin {
    /// The line in its file; 0 for what has none.
    pub fn line_number(&self) -> usize {
        match self {
            SettingOrigin::File(_, line) => *line,
            _ => 0,
        }
    }
}

impl fmt::Display for SettingOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingOrigin::Default => f.write_str("the default"),
            SettingOrigin::File(path, 0) => write!(f, "{}", path.escape_hidden()),
            SettingOrigin::File(path, line) => write!(f, "{}:{line}", path.escape_hidden()),
            SettingOrigin::Variable(name) | SettingOrigin::Flag(name) => f.write_str(name),
            SettingOrigin::Typed => f.write_str("what was typed"),
        }
    }
}

/// A value and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigValue<T> {
    /// The value.
    pub value: T,
    /// Where it was written.
    pub from: SettingOrigin,
}

/// The directory of the user's configuration: `lop` in `XDG_CONFIG_HOME`, else in `~/.config`. None where there is neither. `variable`
/// looks up one of the environment. (XDG Base Directory Specification: a path that is not absolute is ignored.)
pub fn user_config_directory(variable: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let absolute = |name: &str| {
        variable(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let base = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")));
    base.map(|base| base.join("lop"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_is_where_xdg_says() {
        let of = |set: &[(&str, &str)]| {
            user_config_directory(|name| {
                let found = set.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(of(&[("HOME", "/h")]), Some("/h/.config/lop".into()));
        let both = [("HOME", "/h"), ("XDG_CONFIG_HOME", "/c")];
        assert_eq!(of(&both), Some("/c/lop".into()));
        let relative = [("HOME", "/h"), ("XDG_CONFIG_HOME", "c")];
        assert_eq!(of(&relative), Some("/h/.config/lop".into()));
        assert_eq!(of(&[]), None);
    }
}
