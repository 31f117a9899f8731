//! The versions on the screen: which is selected, which is compared with which.

use std::sync::Arc;

use super::navigation::step_index;
use crate::reduce::{RunSnapshot, VersionRecord};
use crate::tui::app::{App, OverlayPage};
use crate::tui::commands::PaneAction;
use crate::tui::pages::verdict::VerdictPage;
use crate::tui::panes::scroll::ScrollState;
use crate::tui::program_view::diff::{self, DiffLine};

/// Versions of more tokens than this together are not compared: that would look at every one.
const COMPARED: u32 = 100_000;

/// What the user has selected of the versions.
#[derive(Debug, Default)]
pub struct VersionSelection {
    /// Where they are scrolled to.
    pub scroll: ScrollState,
    /// The version that the user is on; none is where the run stands.
    pub chosen: Option<u64>,
    /// The version that others are compared with; none is the one that each was made of.
    pub marked: Option<u64>,
    /// The page with what differs.
    pub difference: Option<VersionComparison>,
}

/// How a program became another.
#[derive(Debug)]
pub struct VersionComparison {
    /// The version before.
    pub old: Arc<VersionRecord>,
    /// The version after.
    pub new: Arc<VersionRecord>,
    /// The lines that differ, with those around them; none where that is too much to look at.
    pub lines: Option<Vec<DiffLine>>,
}

impl VersionSelection {
    /// The number of the version that the user is on.
    pub fn selected_number(&self, snapshot: &RunSnapshot) -> u64 {
        let last = snapshot.history.len().saturating_sub(1) as u64;
        self.chosen.unwrap_or(snapshot.number).min(last)
    }

    /// The version that the user is on.
    fn selected_version<'a>(&self, snapshot: &'a RunSnapshot) -> Option<&'a Arc<VersionRecord>> {
        snapshot
            .history
            .get(self.selected_number(snapshot) as usize)
    }

    /// Goes to the version on a row of the list, the newest first. Who is where the run stands goes on with it.
    pub fn select_row(&mut self, snapshot: &RunSnapshot, row: usize) {
        let last = snapshot.history.len().saturating_sub(1);
        let number = last.saturating_sub(row) as u64;
        self.chosen = (number != snapshot.number).then_some(number);
    }

    /// The row of the version that the user is on.
    pub fn selected_row(&self, snapshot: &RunSnapshot) -> usize {
        let last = snapshot.history.len().saturating_sub(1);
        last.saturating_sub(self.selected_number(snapshot) as usize)
    }

    fn compare_selected(&self, snapshot: &RunSnapshot) -> Result<VersionComparison, &'static str> {
        let new = self
            .selected_version(snapshot)
            .ok_or("there is no version yet")?;
        let old = self.marked.or(new.parent);
        let old = old.ok_or("it is the original: mark another version to compare with")?;
        let old = snapshot.history.get(old as usize);
        let old = old.ok_or("the marked version is not there")?;
        if old.number == new.number {
            return Err("it is the marked version itself");
        }
        let step = new.edit.as_ref().filter(|_| new.parent == Some(old.number));
        let near = step.and_then(|edit| diff::diff_edit(&old.version, edit));
        let small = old.version.token_count() + new.version.token_count() <= COMPARED;
        let whole = || small.then(|| diff::diff_versions(&old.version, &new.version));
        Ok(VersionComparison {
            lines: near.filter(|lines| !lines.is_empty()).or_else(whole),
            old: old.clone(),
            new: new.clone(),
        })
    }
}

impl App {
    /// Moves among the versions.
    pub(in crate::tui) fn navigate_versions(&mut self, snapshot: &RunSnapshot, action: PaneAction) {
        let page = self.versions.scroll.height.saturating_sub(1).max(1);
        let row = step_index(self.versions.selected_row(snapshot), action, page);
        self.versions.select_row(snapshot, row);
    }

    /// The selected version is the one to compare with, or no longer.
    pub(in crate::tui) fn toggle_base_version(&mut self) {
        let Some(snapshot) = self.snapshot.clone() else {
            return;
        };
        let at = self.versions.selected_number(&snapshot);
        self.versions.marked = (self.versions.marked != Some(at)).then_some(at);
        self.status_message = Some(match self.versions.marked {
            Some(at) => format!("c on another version compares it with version {at}"),
            None => "c compares a version with the one it was made of".into(),
        });
    }

    /// Opens the page of the question that led to the selected version.
    pub(in crate::tui) fn show_origin(&mut self) {
        let snapshot = self.snapshot.clone();
        let past = snapshot
            .as_ref()
            .and_then(|snapshot| self.versions.selected_version(snapshot));
        match past.and_then(|past| past.decided.clone()) {
            Some(decided) => {
                self.verdict_page = Some(VerdictPage::new(decided));
                self.layers.push(OverlayPage::Verdict(0));
            }
            None => {
                let original = past.is_none_or(|past| past.parent.is_none());
                let why = match original {
                    true => "it is the original",
                    false => "the run before has kept the version only",
                };
                self.status_message = Some(format!("origin: {why}"));
            }
        }
    }

    /// Opens the page that compares the selected version with the marked one.
    pub(in crate::tui) fn show_comparison(&mut self) {
        let Some(snapshot) = self.snapshot.clone() else {
            return;
        };
        match self.versions.compare_selected(&snapshot) {
            Ok(difference) => {
                self.versions.difference = Some(difference);
                self.layers.push(OverlayPage::Difference(0));
            }
            Err(reason) => self.status_message = Some(format!("compare: {reason}")),
        }
    }
}
