//! Changing what is in force.

use crate::tui::app::App;
use crate::tui::program_view::steering::{SteeringItem, list_steering};

impl App {
    /// The item that is selected on the page of what is in force.
    fn selected_steering(&self) -> Option<SteeringItem> {
        let snapshot = self.view.snapshot.as_ref()?;
        let items = list_steering(snapshot, &self.view.theme.glyphs);
        let at = self.pages.selected_row().min(items.len().checked_sub(1)?);
        items.into_iter().nth(at)
    }

    /// The line that removes the selected item.
    pub(in crate::tui) fn removal_line(&self) -> Result<String, String> {
        let snapshot = self.view.snapshot.as_ref();
        let item = self.selected_steering().zip(snapshot);
        let (item, snapshot) = item.ok_or("nothing is in force")?;
        Ok(item.removal_line(&snapshot.version))
    }

    /// Opens the prompt with the line of the selected item, to type it again with a change.
    pub(in crate::tui) fn retype_steering(&mut self) {
        if let Some(item) = self.selected_steering() {
            self.open_prompt(&item.line);
        }
    }
}
