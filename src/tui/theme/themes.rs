//! Which themes there are: the built-in ones, and the user's own in `themes/` beside the configuration.

use std::io;
use std::path::{Path, PathBuf};

use super::ColourTheme;
use crate::config::{ConfigError, ConfigValue, SettingOrigin};

/// The built-in themes; the first is used unless another is asked for.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("dark", include_str!("../../../themes/dark.toml")),
    ("light", include_str!("../../../themes/light.toml")),
    (
        "high-contrast",
        include_str!("../../../themes/high-contrast.toml"),
    ),
    (
        "colour-blind",
        include_str!("../../../themes/colour-blind.toml"),
    ),
    (
        "monochrome",
        include_str!("../../../themes/monochrome.toml"),
    ),
];

/// How deep themes may build on each other.
const DEPTH: usize = 8;

/// The themes that there are.
#[derive(Clone, Debug, Default)]
pub struct ThemeCatalog {
    /// Where the user's own are, a file `NAME.toml` each.
    pub directory: Option<PathBuf>,
}

impl ThemeCatalog {
    /// Their names: the built-in ones, then the user's in the order of the alphabet.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = BUILT_IN.iter().map(|(name, _)| (*name).into()).collect();
        let entries = self
            .directory
            .iter()
            .filter_map(|path| path.read_dir().ok());
        let mut own: Vec<String> = entries
            .flatten()
            .filter_map(|entry| theme_name(&entry.ok()?.path()))
            .filter(|name| !names.contains(name))
            .collect();
        own.sort();
        names.append(&mut own);
        names
    }

    /// The theme of this name. A user's own goes before a built-in one. `auto` is dark or light: `variable` looks up what the
    /// environment says of the terminal.
    ///
    /// # Errors
    /// When there is none, or its file cannot be read.
    pub fn find_theme(
        &self,
        named: &ConfigValue<String>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<ColourTheme, ConfigError> {
        let name = match named.value.as_str() {
            "auto" if is_light(variable("COLORFGBG").as_deref()) => "light",
            "auto" => "dark",
            name => name,
        };
        self.read_theme(name, DEPTH).unwrap_or_else(|| {
            let what = format!(
                "there is no theme `{name}`; there are auto, {}",
                self.names().join(", ")
            );
            Err(ConfigError::new(&named.from, what))
        })
    }

    fn read_theme(&self, name: &str, depth: usize) -> Option<Result<ColourTheme, ConfigError>> {
        let others = |other: &str| {
            let deeper = depth.checked_sub(1)?;
            // A theme of the user's may build on the built-in one whose name it has.
            let found = match other == name {
                true => self.read_built_in(other, deeper),
                false => self.read_theme(other, deeper),
            };
            found?.ok()
        };
        let own = self.directory.as_ref().filter(|_| !name.contains('/'));
        if let Some(path) = own.map(|own| own.join(format!("{name}.toml"))) {
            match std::fs::read_to_string(&path) {
                Ok(text) => return Some(ColourTheme::parse(&path, &text, &others)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    let what = format!("it cannot be read: {error}");
                    return Some(Err(ConfigError::new(
                        &SettingOrigin::File(path.into(), 0),
                        what,
                    )));
                }
            }
        }
        self.read_built_in(name, depth)
    }

    fn read_built_in(&self, name: &str, depth: usize) -> Option<Result<ColourTheme, ConfigError>> {
        let (_, text) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
        let others = |other: &str| self.read_built_in(other, depth.checked_sub(1)?)?.ok();
        Some(ColourTheme::parse(Path::new(name), text, &others))
    }
}

/// The name of the theme in a file.
fn theme_name(path: &Path) -> Option<String> {
    let is_theme = path
        .extension()
        .is_some_and(|extension| extension == "toml");
    let name = path.file_stem()?.to_str()?;
    is_theme.then(|| name.to_owned())
}

/// Whether the terminal says that its background is light: the last number of `COLORFGBG` is that of its colour.
fn is_light(colours: Option<&str>) -> bool {
    let paper = colours.and_then(|colours| colours.rsplit(';').next()?.parse().ok());
    matches!(paper, Some(7u8 | 9..=15))
}
