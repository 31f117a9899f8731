//! Choosing a theme, with a preview of the selected completion.

use crate::tui::app::App;

impl App {
    /// Whether the user is typing the name of a theme.
    pub(in crate::tui) fn is_choosing_theme(&self) -> bool {
        let prompt = self.prompt.as_ref();
        prompt.is_some_and(|prompt| prompt.line.trim_start().starts_with("theme"))
    }

    /// Switches to the theme with this name; without a name, opens a prompt to choose one.
    pub(in crate::tui) fn select_theme(&mut self, name: Option<&str>) {
        let Some(name) = name else {
            self.open_prompt("theme ");
            self.preview_theme();
            return;
        };
        match self.view.setup.load_theme(name) {
            Ok(theme) => {
                self.view.setup.theme = theme;
                self.apply_theme();
            }
            Err(error) => self.status_message = Some(error.to_string()),
        }
    }

    /// Shows the configured theme again, after a preview.
    pub(in crate::tui) fn apply_theme(&mut self) {
        let configured = &self.view.setup.theme;
        if self.view.theme.name() != configured.name() {
            self.show_theme(configured.clone());
        }
    }

    /// Shows the theme of the selected completion.
    pub(in crate::tui) fn preview_theme(&mut self) {
        let proposed = self
            .selected_completion()
            .filter(|line| line.starts_with("theme "));
        let name = proposed.as_deref().and_then(|line| line.split_once(' '));
        let theme = name.and_then(|(_, name)| self.view.setup.load_theme(name).ok());
        match theme {
            Some(theme) => self.show_theme(theme),
            None => self.apply_theme(),
        }
    }
}
