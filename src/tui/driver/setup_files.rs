//! Reading the configuration and the themes for the screen.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::config::{Config, ConfigError, ConfigErrors, ConfigSources, ConfigValue, SettingOrigin};
use crate::tui::commands::keymap;
use crate::tui::panes::layout::{LAYOUTS, find_layout};
use crate::tui::setup::ScreenSetup;
use crate::tui::theme::palette::TerminalPalette;
use crate::tui::theme::{ResolvedTheme, ThemeCatalog, ThemeText};

/// The environment variables that describe the terminal.
const TERMINAL_VARIABLES: [&str; 6] = [
    "TERM",
    "COLORTERM",
    "COLORFGBG",
    "LC_ALL",
    "LC_CTYPE",
    "LANG",
];

impl ScreenSetup {
    /// Reads the configuration; `variable` looks up an environment variable.
    ///
    /// # Errors
    /// When something in it is not allowed.
    pub fn new(
        sources: ConfigSources,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<ScreenSetup, ConfigErrors> {
        let known = TERMINAL_VARIABLES.map(|name| Some((name, variable(name)?)));
        ScreenSetup::read_config(sources, known.into_iter().flatten().collect())
    }

    /// The defaults, on this terminal.
    pub fn with_defaults(palette: TerminalPalette) -> ScreenSetup {
        ScreenSetup {
            sources: ConfigSources::default(),
            config: Config::default(),
            themes: ThemeCatalog::default(),
            palette,
            keys: keymap::default_bindings(),
            theme: ResolvedTheme::built_in(palette),
            layout: &LAYOUTS[0],
            terminal: BTreeMap::new(),
        }
    }

    /// Reads the configuration again.
    ///
    /// # Errors
    /// When something in it is not allowed.
    pub fn reload_config(&self) -> Result<ScreenSetup, ConfigErrors> {
        ScreenSetup::read_config(self.sources.clone(), self.terminal.clone())
    }

    /// Reads the themes again.
    pub(super) fn reload_themes(&mut self) {
        self.themes = read_themes(self.themes.directory.take());
    }

    fn read_config(
        sources: ConfigSources,
        terminal: BTreeMap<&'static str, String>,
    ) -> Result<ScreenSetup, ConfigErrors> {
        // All faults are reported together.
        let mut faults = Vec::new();
        let config = sources.load_lenient(&mut faults)?;
        let themes = read_themes(sources.config_directory().map(|path| path.join("themes")));
        let variable = |name: &str| terminal.get(name).cloned();
        let palette = TerminalPalette::detect_terminal(variable)
            .with_config(config.colour_depth(), config.glyph_set());
        let layout = find_layout(config.layout_name());
        let with_layout = layout.as_ref().ok().and_then(|layout| layout.theme);
        let with_layout = with_layout.map(|name| ConfigValue {
            value: name.to_owned(),
            from: SettingOrigin::Default,
        });
        let chosen = config.theme_name();
        let by_default = chosen.from == SettingOrigin::Default;
        let named = with_layout
            .as_ref()
            .filter(|_| by_default)
            .unwrap_or(chosen);
        let theme = themes.find_theme(named, variable);
        let keys = keymap::bind_keys(config.key_bindings());
        faults.extend(theme.as_ref().err().cloned());
        faults.extend(layout.as_ref().err().cloned());
        faults.extend(
            keys.as_ref()
                .err()
                .into_iter()
                .flat_map(|errors| errors.clone().into_vec()),
        );
        ConfigErrors::fail_if_any(faults)?;
        Ok(ScreenSetup {
            keys: keys?,
            theme: ResolvedTheme::new(&theme?, palette),
            layout: layout?,
            sources,
            config,
            themes,
            palette,
            terminal,
        })
    }
}

/// The built-in themes, and those of the files `NAME.toml` in a directory.
pub(in crate::tui) fn read_themes(directory: Option<PathBuf>) -> ThemeCatalog {
    let entries = directory.iter().filter_map(|path| path.read_dir().ok());
    let paths = entries
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()));
    let themes = paths.filter_map(|path| Some((theme_name(&path)?, read_theme_text(path))));
    ThemeCatalog::new(themes.collect(), directory)
}

/// The name of the theme in a file.
fn theme_name(path: &Path) -> Option<String> {
    let is_theme = path
        .extension()
        .is_some_and(|extension| extension == "toml");
    let name = path.file_stem()?.to_str()?;
    is_theme.then(|| name.to_owned())
}

fn read_theme_text(path: PathBuf) -> ThemeText {
    let is_file = std::fs::metadata(&path).map(|about| about.is_file());
    let text = match is_file {
        // Reading a pipe might never end.
        Ok(false) => Err(io::Error::other("it is not a regular file")),
        Ok(true) => std::fs::read_to_string(&path),
        Err(error) => Err(error),
    };
    let text = text.map_err(|error| {
        let what = format!("it cannot be read: {error}");
        ConfigError::new(&SettingOrigin::File(path.as_path().into(), 0), what)
    });
    ThemeText { path, text }
}
