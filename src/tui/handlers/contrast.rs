//! The comparison of the result with its neighbours: it is started, followed, and cancelled.

use crate::tui::app::{App, KeyEffect, PageKind};
use crate::tui::contrast::{ContrastState, ContrastUpdate};
use crate::tui::pages::contrast::ContrastPage;

impl App {
    /// Opens the page of the comparison. Starts it, unless it has already found something.
    pub(in crate::tui) fn show_contrast(&mut self) -> KeyEffect {
        self.open_page(ContrastPage::default());
        match self.view.contrast {
            ContrastState::Running(_) | ContrastState::Found(_) => KeyEffect::Redraw,
            ContrastState::Idle | ContrastState::Failed(_) => {
                self.view.contrast = ContrastState::Running(None);
                KeyEffect::Contrast
            }
        }
    }

    /// Applies news of the comparison.
    pub fn apply_contrast_update(&mut self, update: ContrastUpdate) {
        self.view.contrast.apply_update(update);
    }

    /// Cancels a comparison whose page was closed before its end.
    pub(super) fn cancel_unseen_contrast(&mut self) {
        let is_shown = self.pages.kinds().any(|kind| kind == PageKind::Contrast);
        if self.view.contrast.is_running() && !is_shown {
            self.view.contrast = ContrastState::Idle;
            self.status_message = Some("the comparison was cancelled".into());
        }
    }
}
