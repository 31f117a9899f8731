//! Moves in a pair: from hunk to hunk, and from one program to the other.

use crate::tui::app::{App, PaneKind};
use crate::tui::pages::file::FilePage;
use crate::tui::pages::hunk::HunkPage;
use crate::tui::pages::inspection::InspectionPage;
use crate::tui::pages::words::WordsPage;
use crate::tui::program_view::pair_alignment::{SEED, VARIANT};

impl App {
    /// Goes to the next hunk of the difference, or to the previous one.
    pub(in crate::tui) fn go_to_hunk(&mut self, forward: bool) {
        self.view.update_derived();
        let Some((pair, snapshot)) = self.view.pair.as_ref().zip(self.view.snapshot.clone()) else {
            return;
        };
        let (version, aligned) = (&snapshot.version, &pair.alignment);
        let here = self.selection.shown_document(version).min(VARIANT);
        let row = aligned.row_of_line(here, self.selection.line);
        let Some(at) = aligned.next_hunk(row, self.selection.hunk_token, forward) else {
            let where_to = if forward { "after" } else { "before" };
            self.status_message = Some(format!("there is no hunk {where_to} this line"));
            return;
        };
        let hunk = &aligned.hunks()[at];
        // The program that the user is in, if the hunk has a token there.
        let document = match aligned.hunk_tokens(hunk, here) {
            [] => SEED + VARIANT - here,
            _ => here,
        };
        let Some(token) = aligned.hunk_tokens(hunk, document).first() else {
            return;
        };
        self.selection.go_to_node(version, token.node);
        self.selection.hunk_token = Some(token.node);
        for pane in [PaneKind::Pair, PaneKind::Difference] {
            let pane = self.panes.pair_pane(pane);
            pane.show_token(document, token.line, token.node);
        }
        let count = aligned.hunks().len();
        self.status_message = Some(format!("hunk {} of {count}", at + 1));
    }

    /// Selects the twin of the selected node in this program; where there is none, the line beside the selected one.
    pub(in crate::tui) fn select_twin(&mut self, document: usize) {
        self.view.update_derived();
        let Some((pair, snapshot)) = self.view.pair.as_ref().zip(self.view.snapshot.clone()) else {
            return;
        };
        let (version, aligned) = (&snapshot.version, &pair.alignment);
        let here = self.selection.shown_document(version).min(VARIANT);
        if here == document {
            return;
        }
        self.selection.stop_following(version);
        let row = aligned.row_of_line(here, self.selection.line);
        let found = self.selection.select_twin_node(version, document);
        let mut rows = aligned.rows()[..=row]
            .iter()
            .rev()
            .chain(&aligned.rows()[row..]);
        let beside = rows.find_map(|row| row.lines[document]).unwrap_or(0);
        if !found {
            self.selection
                .select_document_line(version, document, beside);
        }
    }

    /// Opens the page of the hunks on the selected line of a pair; elsewhere, that of the selected node.
    pub(in crate::tui) fn inspect_selection(&mut self) {
        self.view.update_derived();
        let in_text = self.arrangement.focused_pane().is_text();
        let known = self.view.pair.as_ref().zip(self.view.snapshot.as_ref());
        let page = known.filter(|_| in_text).and_then(|(pair, snapshot)| {
            let version = &snapshot.version;
            let here = self.selection.shown_document(version).min(VARIANT);
            let row = pair.alignment.row_of_line(here, self.selection.line);
            let hunks = pair.alignment.hunks_on_row(row);
            (!hunks.is_empty()).then(|| HunkPage::new(&self.view, version, pair, &hunks))
        });
        let snapshot = self.view.snapshot.as_ref();
        let entry = snapshot.and_then(|snapshot| self.inspected_entry(&snapshot.version));
        let files = entry.zip(self.selection.folds.files());
        match (page, files) {
            (Some(page), _) => self.open_page(page),
            (None, Some((entry, files))) => {
                let page = FilePage::new(files.tree().clone(), entry);
                self.open_page(page);
            }
            (None, None) => self.open_page(InspectionPage::default()),
        }
    }

    /// Opens the page of the words of the selected line.
    pub(in crate::tui) fn show_words(&mut self) {
        self.view.update_derived();
        let known = self.view.pair.as_ref().zip(self.view.snapshot.as_ref());
        let page = known.and_then(|(pair, snapshot)| {
            let here = self
                .selection
                .shown_document(&snapshot.version)
                .min(VARIANT);
            let row = pair.alignment.row_of_line(here, self.selection.line);
            let row = pair.alignment.rows().get(row)?;
            Some(WordsPage::new(&snapshot.version, *row))
        });
        if let Some(page) = page {
            self.open_page(page);
        }
    }
}
