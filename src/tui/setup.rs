//! What the screen begins with: the configuration, made into keys, colours and panes.

use std::collections::BTreeMap;

use super::commands::KeyBindings;
use super::theme::{ResolvedTheme, ThemeCatalog};
use crate::config::{Config, ConfigError, ConfigErrors, ConfigSources, ConfigValue, SettingOrigin};
use crate::tui::panes::layout::{LAYOUTS, PaneLayout};
use crate::tui::theme::palette::TerminalPalette;

/// What the screen begins with.
#[derive(Clone, Debug)]
pub struct ScreenSetup {
    /// Where the configuration is read from, and read again when it changes.
    pub sources: ConfigSources,
    /// The configuration.
    pub config: Config,
    /// Which themes there are.
    pub themes: ThemeCatalog,
    /// What the terminal shows.
    pub palette: TerminalPalette,
    /// Which keys do what.
    pub keys: KeyBindings,
    /// How things look.
    pub theme: ResolvedTheme,
    /// Which panes.
    pub layout: &'static PaneLayout,
    /// What the environment said of the terminal.
    terminal: BTreeMap<&'static str, String>,
}

/// The variables that say what the terminal can show.
const TERMINAL: [&str; 6] = [
    "TERM",
    "COLORTERM",
    "COLORFGBG",
    "LC_ALL",
    "LC_CTYPE",
    "LANG",
];

impl ScreenSetup {
    /// Reads the configuration; `variable` looks up what the environment says of the terminal.
    ///
    /// # Errors
    /// When something in it is not allowed.
    pub fn new(
        sources: ConfigSources,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<ScreenSetup, ConfigErrors> {
        let known = TERMINAL.map(|name| Some((name, variable(name)?)));
        ScreenSetup::read_config(sources, known.into_iter().flatten().collect())
    }

    /// Everything as usual, on this terminal.
    pub fn with_defaults(palette: TerminalPalette) -> ScreenSetup {
        ScreenSetup {
            sources: ConfigSources::default(),
            config: Config::default(),
            themes: ThemeCatalog::default(),
            palette,
            keys: KeyBindings::default(),
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

    fn read_config(
        sources: ConfigSources,
        terminal: BTreeMap<&'static str, String>,
    ) -> Result<ScreenSetup, ConfigErrors> {
        // All that is wrong is told at once.
        let mut faults = Vec::new();
        let config = sources.load_lenient(&mut faults)?;
        let themes = ThemeCatalog {
            directory: sources.config_directory().map(|path| path.join("themes")),
        };
        let variable = |name: &str| terminal.get(name).cloned();
        let palette = TerminalPalette::detect_terminal(variable)
            .with_config(config.colour_depth(), config.glyph_set());
        let theme = themes.find_theme(config.theme_name(), variable);
        let keys = KeyBindings::new(config.key_bindings());
        let layout = find_layout(config.layout_name());
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

    /// The look of another theme.
    ///
    /// # Errors
    /// When there is no such theme, or it is not one.
    pub fn load_theme(&self, theme: &str) -> Result<ResolvedTheme, ConfigError> {
        let named = ConfigValue {
            value: theme.to_owned(),
            from: SettingOrigin::Typed,
        };
        let theme = self
            .themes
            .find_theme(&named, |name| self.terminal.get(name).cloned())?;
        Ok(ResolvedTheme::new(&theme, self.palette))
    }
}

/// The layout of this name.
///
/// # Errors
/// When there is none.
pub fn find_layout(named: &ConfigValue<String>) -> Result<&'static PaneLayout, ConfigError> {
    let found = LAYOUTS.iter().find(|layout| layout.name == named.value);
    found.ok_or_else(|| {
        let names: Vec<&str> = LAYOUTS.iter().map(|layout| layout.name).collect();
        let what = format!(
            "there is no layout `{}`; there are {}",
            named.value,
            names.join(", ")
        );
        ConfigError::new(&named.from, what)
    })
}
