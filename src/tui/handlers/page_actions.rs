//! Opening and closing pages.

use crate::tui::app::{App, PageKind};
use crate::tui::pages::difference::DifferencePage;
use crate::tui::pages::help::HelpPage;
use crate::tui::pages::pass::PassPage;
use crate::tui::pages::verdict::VerdictPage;

impl App {
    pub(in crate::tui) fn close_page(&mut self) {
        self.pages.close_top();
        self.cancel_unseen_contrast();
    }

    /// Opens the help, or closes it.
    pub(in crate::tui) fn toggle_help(&mut self) {
        let is_open = self.pages.kinds().any(|kind| kind == PageKind::Help);
        match is_open {
            true => self.pages.close_kind(PageKind::Help),
            false => self.open_page(HelpPage::default()),
        }
    }

    /// Opens the page of the selected verdict.
    pub(in crate::tui) fn show_verdict(&mut self) {
        let snapshot = self.view.snapshot.as_ref();
        let selected = snapshot.and_then(|snapshot| self.panes.verdicts.selected_verdict(snapshot));
        if let Some((_, decided)) = selected {
            self.open_page(VerdictPage::new(decided));
        }
    }

    /// Opens the page of the selected pass, and stays on it.
    pub(in crate::tui) fn show_pass(&mut self) {
        let passes = &mut self.panes.passes;
        let Some(snapshot) = &self.view.snapshot else {
            return;
        };
        let pass = passes.selected_pass(snapshot);
        passes.select_pass(snapshot, pass);
        self.open_page(PassPage::new(pass));
    }

    /// Marks the selected version as the one to compare with, or removes the mark.
    pub(in crate::tui) fn toggle_base_version(&mut self) {
        let Some(snapshot) = &self.view.snapshot else {
            return;
        };
        self.status_message = Some(match self.panes.history.toggle_base_version(snapshot) {
            Some(at) => format!("c on another version compares it with version {at}"),
            None => "c compares a version with the one it was made of".into(),
        });
    }

    /// Opens the page of the candidate that became the selected version.
    pub(in crate::tui) fn show_origin(&mut self) {
        let snapshot = self.view.snapshot.as_ref();
        let past = snapshot.and_then(|snapshot| self.panes.history.selected_version(snapshot));
        match past.and_then(|past| past.decided.clone()) {
            Some(decided) => self.open_page(VerdictPage::new(decided)),
            None => {
                let original = past.is_none_or(|past| past.parent.is_none());
                let why = match original {
                    true => "it is the original",
                    false => "the session has kept only the version",
                };
                self.status_message = Some(format!("origin: {why}"));
            }
        }
    }

    /// Opens the page that compares the selected version with the marked one.
    pub(in crate::tui) fn show_comparison(&mut self) {
        let Some(snapshot) = &self.view.snapshot else {
            return;
        };
        match self.panes.history.compare_selected(snapshot) {
            Ok(comparison) => self.open_page(DifferencePage::new(comparison)),
            Err(reason) => self.status_message = Some(format!("compare: {reason}")),
        }
    }
}
