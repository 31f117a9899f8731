//! Changing what is in force.

use crate::tui::app::{App, KeyEffect};
use crate::tui::program_view::steering::{SteeringItem, list_steering};
use crate::tui::prompt::line::PromptSubject;
use crate::tui::prompt::steering_change::SteeringChange;

impl App {
    /// The item that is selected on the page of what is in force.
    fn selected_steering(&self) -> Option<SteeringItem> {
        let snapshot = self.view.snapshot.as_ref()?;
        let items = list_steering(snapshot, &self.view.theme.glyphs);
        let at = self.pages.selected_row().min(items.len().checked_sub(1)?);
        items.into_iter().nth(at)
    }

    /// Removes the selected item.
    pub(in crate::tui) fn remove_steering(&mut self) -> KeyEffect {
        let snapshot = self.view.snapshot.clone();
        match self.selected_steering().zip(snapshot) {
            Some((item, snapshot)) => self
                .send_lines(&item.removal_lines(&snapshot), "remove")
                .unwrap_or_else(|mistake| self.show_status(mistake)),
            None => self.show_status("remove: nothing is in force".into()),
        }
    }

    /// Opens the prompt with the line of the selected item; what is accepted there stands in its place.
    pub(in crate::tui) fn retype_steering(&mut self) -> KeyEffect {
        let snapshot = self.view.snapshot.clone();
        let Some((item, snapshot)) = self.selected_steering().zip(snapshot) else {
            return self.show_status("retype: nothing is in force".into());
        };
        let Some(change) = SteeringChange::of_item(item, &snapshot) else {
            return self.show_status("retype: what is skipped can only be removed".into());
        };
        self.open_prompt(&change.line);
        if let Some(prompt) = &mut self.prompt {
            prompt.subject = PromptSubject::Steering(change);
        }
        KeyEffect::Redraw
    }

    /// Puts what a line makes in the place of an item.
    pub(in crate::tui) fn replace_steering(
        &mut self,
        change: &SteeringChange,
        line: &str,
    ) -> Result<KeyEffect, String> {
        let Some(snapshot) = self.view.snapshot.clone() else {
            return Ok(KeyEffect::Redraw);
        };
        let lines = change.replacing_lines(line, &snapshot)?;
        self.send_lines(&lines, "retype")
    }
}
