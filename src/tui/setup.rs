//! The user's configuration, made into keys, colours and panes. The driver reads it: see `driver/setup_files.rs`.

use std::collections::BTreeMap;

use super::panes::layout::PaneLayout;
use super::theme::palette::TerminalPalette;
use super::theme::{ResolvedTheme, ThemeCatalog};
use crate::config::{Config, ConfigError, ConfigSources, ConfigValue, SettingOrigin};
use crate::tui::commands::bindings::KeyBindings;

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
    pub(in crate::tui) terminal: BTreeMap<&'static str, String>,
}

impl ScreenSetup {
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
