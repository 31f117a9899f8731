//! Which themes there are: the built-in ones, and the user's own in `themes/` beside the configuration.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::ColourTheme;
use crate::config::{ConfigError, ConfigValue};

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

/// A theme file of the user's.
#[derive(Clone, Debug)]
pub struct ThemeText {
    /// The file.
    pub path: PathBuf,
    /// Its text, or why it cannot be read.
    pub text: Result<String, ConfigError>,
}

/// The themes that there are.
#[derive(Clone, Debug, Default)]
pub struct ThemeCatalog {
    /// The user's own, by their names.
    own: BTreeMap<String, Result<ColourTheme, ConfigError>>,
    /// Where the user's own are.
    pub directory: Option<PathBuf>,
}

impl ThemeCatalog {
    /// The built-in themes, and the user's own from a directory.
    pub fn new(texts: BTreeMap<String, ThemeText>, directory: Option<PathBuf>) -> ThemeCatalog {
        let parsed = |name: &String| Some((name.clone(), parse_theme(&texts, name, DEPTH)?));
        ThemeCatalog {
            own: texts.keys().filter_map(parsed).collect(),
            directory,
        }
    }

    /// Their names: the built-in ones, then the user's in the order of the alphabet.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = BUILT_IN.iter().map(|(name, _)| (*name).into()).collect();
        let own = self.own.keys().filter(|name| !names.contains(name));
        let mut own: Vec<String> = own.cloned().collect();
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
        let own = self.own.get(name).cloned();
        let found = own.or_else(|| parse_built_in(name, DEPTH));
        found.unwrap_or_else(|| {
            let what = format!(
                "there is no theme `{name}`; there are auto, {}",
                self.names().join(", ")
            );
            Err(ConfigError::new(&named.from, what))
        })
    }
}

type ThemeTexts = BTreeMap<String, ThemeText>;

fn parse_theme(
    own: &ThemeTexts,
    name: &str,
    depth: usize,
) -> Option<Result<ColourTheme, ConfigError>> {
    let others = |other: &str| {
        let deeper = depth.checked_sub(1)?;
        // A theme of the user's may build on the built-in one whose name it has.
        let found = match other == name {
            true => parse_built_in(other, deeper),
            false => parse_theme(own, other, deeper),
        };
        found?.ok()
    };
    match own.get(name) {
        Some(ThemeText { path, text }) => Some(match text {
            Ok(text) => ColourTheme::parse(path, text, &others),
            Err(error) => Err(error.clone()),
        }),
        None => parse_built_in(name, depth),
    }
}

fn parse_built_in(name: &str, depth: usize) -> Option<Result<ColourTheme, ConfigError>> {
    let (_, text) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
    let others = |other: &str| parse_built_in(other, depth.checked_sub(1)?)?.ok();
    Some(ColourTheme::parse(Path::new(name), text, &others))
}

/// Whether the terminal says that its background is light: the last number of `COLORFGBG` is that of its colour.
fn is_light(colours: Option<&str>) -> bool {
    let paper = colours.and_then(|colours| colours.rsplit(';').next()?.parse().ok());
    matches!(paper, Some(7u8 | 9..=15))
}
