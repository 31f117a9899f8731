//! Opening and closing pages.

use crate::reduce::{Decision, RunSnapshot};
use crate::tui::app::{App, KeyEffect, PageKind, PaneKind};
use crate::tui::drawing::text::{format_count, format_number};
use crate::tui::pages::difference::DifferencePage;
use crate::tui::pages::help::HelpPage;
use crate::tui::pages::pass::PassPage;
use crate::tui::pages::verdict::VerdictPage;
use crate::tui::panes::history::VersionComparison;
use crate::tui::panes::log::version_made_by;

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

    /// Opens the page of the selected decision.
    pub(in crate::tui) fn show_verdict(&mut self) {
        let Some(snapshot) = self.view.snapshot.clone() else {
            return;
        };
        if let Some(logged) = self.panes.log.selected_decision(&snapshot) {
            self.open_page(VerdictPage::from_log(&snapshot, logged.clone()));
        }
    }

    /// Selects a candidate of the run by its number in the log. Where the log and the program are not shown together, its page opens.
    pub(in crate::tui) fn show_candidate(&mut self, number: Option<&str>) -> KeyEffect {
        let Some(number) = number else {
            self.open_prompt("show ");
            return KeyEffect::Redraw;
        };
        let Some(snapshot) = self.view.snapshot.clone() else {
            return KeyEffect::Nothing;
        };
        let Ok(number) = number.replace(',', "").parse() else {
            return self.show_status("show: type the number of a question, such as 120".into());
        };
        let Some(logged) = snapshot.log.find_decision(number).cloned() else {
            return match compare_made_version(&snapshot, number) {
                Some(comparison) => {
                    self.open_page(DifferencePage::new(comparison));
                    KeyEffect::Redraw
                }
                None => self.show_status(format!("show: {}", explain_unknown(&snapshot, number))),
            };
        };
        self.panes.log.select_decision(&snapshot, logged.decision);
        let areas = &self.arrangement.areas;
        let is_shown = |pane| !areas.pane_area(pane).is_empty();
        match is_shown(PaneKind::Log) && is_shown(PaneKind::Program) {
            true => self.arrangement.focus_pane(PaneKind::Log),
            false => self.open_page(VerdictPage::from_log(&snapshot, logged)),
        }
        KeyEffect::Redraw
    }

    /// Gives the keys to the candidate of the selected row, which stands in the place of the program, or back to the rows. Where the program is not
    /// shown, the page of the candidate opens.
    pub(in crate::tui) fn scroll_candidate(&mut self, to_candidate: bool) {
        let Some(snapshot) = self.view.snapshot.clone() else {
            return;
        };
        let is_shown = !self
            .arrangement
            .areas
            .pane_area(PaneKind::Program)
            .is_empty();
        match is_shown || !to_candidate {
            true => self.panes.log.give_keys(&snapshot, to_candidate),
            false => self.show_verdict(),
        }
    }

    /// The version that is selected in the history, or that the selected candidate of the log made.
    pub(in crate::tui) fn chosen_version(
        &self,
        snapshot: &RunSnapshot,
    ) -> Result<u64, &'static str> {
        if self.focused_pane() != PaneKind::Log {
            return Ok(self.panes.history.selected_number(snapshot));
        }
        let logged = self.panes.log.selected_decision(snapshot);
        let made = logged.and_then(|logged| version_made_by(snapshot, logged));
        made.ok_or("it made no version: select a row with one")
    }

    /// Selects in the history what is selected in the log. Returns whether that is a version.
    fn select_chosen_version(&mut self, snapshot: &RunSnapshot, command: &str) -> bool {
        match self.chosen_version(snapshot) {
            Ok(number) => {
                self.panes.history.select_version(snapshot, number);
                true
            }
            Err(reason) => {
                self.status_message = Some(format!("{command}: {reason}"));
                false
            }
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
        let Some(snapshot) = self.view.snapshot.clone() else {
            return;
        };
        if !self.select_chosen_version(&snapshot, "compare-from") {
            return;
        }
        self.status_message = Some(match self.panes.history.toggle_base_version(&snapshot) {
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
        let Some(snapshot) = self.view.snapshot.clone() else {
            return;
        };
        if !self.select_chosen_version(&snapshot, "compare") {
            return;
        }
        match self.panes.history.compare_selected(&snapshot) {
            Ok(comparison) => self.open_page(DifferencePage::new(comparison)),
            Err(reason) => self.status_message = Some(format!("compare: {reason}")),
        }
    }
}

/// What the version changed that a decision made which is not in the log.
fn compare_made_version(snapshot: &RunSnapshot, number: Decision) -> Option<VersionComparison> {
    let history = &snapshot.history;
    let at = history.binary_search_by(|past| past.decision.cmp(&number));
    let new = history.get(at.ok()?)?;
    let old = history.get(new.parent? as usize)?;
    Some(VersionComparison::between(old, new))
}

/// Why there is no candidate of this number.
fn explain_unknown(snapshot: &RunSnapshot, number: Decision) -> String {
    let asked = snapshot.counts.decisions;
    let name = format!("question {}", format_number(number));
    match &snapshot.replay {
        _ if number == 0 => "questions are counted from 1".into(),
        _ if number <= asked => format!(
            "{name} was asked before the run went on from its versions alone: of those before, only what made a version is known"
        ),
        Some(replay) if number <= replay.decisions => {
            format!("{name} comes later in this recording: `at {number}` goes there")
        }
        Some(replay) => format!(
            "there is no {name}: the recording has {}",
            format_count(replay.decisions, "question")
        ),
        None => format!(
            "there is no {name}: the run has asked {}",
            format_count(asked, "question")
        ),
    }
}
