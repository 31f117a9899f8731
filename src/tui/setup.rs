//! The user's configuration as keys, theme and layout. The driver reads it: see `driver/setup_files.rs`.

use std::collections::BTreeMap;

use super::panes::layout::{self, LayoutScope, PaneLayout};
use super::theme::palette::TerminalPalette;
use super::theme::{ResolvedTheme, ThemeCatalog};
use crate::config::{Config, ConfigError, ConfigSources, ConfigValue, SettingOrigin};
use crate::tui::commands::bindings::KeyBindings;

/// The setup of the screen.
#[derive(Clone, Debug)]
pub struct ScreenSetup {
    /// Where the configuration is read from, and read again when it changes.
    pub sources: ConfigSources,
    /// The configuration.
    pub config: Config,
    /// The known themes.
    pub themes: ThemeCatalog,
    /// What the terminal can show.
    pub palette: TerminalPalette,
    /// The key bindings.
    pub keys: KeyBindings,
    /// The configured theme.
    pub theme: ResolvedTheme,
    /// The configured layout.
    pub layout: &'static PaneLayout,
    /// The environment variables that describe the terminal.
    pub(in crate::tui) terminal: BTreeMap<&'static str, String>,
}

impl ScreenSetup {
    /// The layout that a run on this begins with, or a lesson.
    pub(in crate::tui) fn initial_layout(
        &self,
        scope: LayoutScope,
        is_lesson: bool,
    ) -> &'static PaneLayout {
        let by_default = self.config.layout_name().from == SettingOrigin::Default;
        layout::initial_layout(self.layout, by_default, scope, is_lesson)
    }

    /// Loads another theme for this terminal.
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
