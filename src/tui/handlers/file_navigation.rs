//! Going from file to file of a project.

use std::path::Path;
use std::time::Instant;

use crate::display::EscapeHidden;
use crate::program::{NodeTarget, Version};
use crate::tui::app::{App, PaneKind};
use crate::tui::program_view::file_folds::FileRow;
use crate::tui::program_view::file_graph::{FileGraph, GraphTurn};

impl App {
    /// The paths of the directories and files that are there, for completion.
    pub(in crate::tui) fn file_paths(&self) -> Vec<String> {
        let Some(files) = self.selection.folds.files() else {
            return Vec::new();
        };
        let entries = files.tree().entries().iter().enumerate();
        let there = entries.filter(|(at, _)| files.totals_at(*at).files > 0);
        there
            .map(|(_, entry)| entry.path.to_string_lossy().into_owned())
            .collect()
    }

    /// Goes to a directory or a file by its path, or to a file by the end of that.
    pub(in crate::tui) fn open_file(&mut self, path: Option<&str>) {
        let Some(snapshot) = self.view.snapshot.clone() else {
            return;
        };
        let Some(path) = path else {
            self.open_prompt("open ");
            return;
        };
        let files = self.selection.folds.files();
        let entry = files.and_then(|files| {
            let mut entries = files.tree().entries().iter();
            let at = entries.position(|entry| entry.path == Path::new(path.trim_end_matches('/')));
            at.filter(|at| files.totals_at(*at).files > 0)
        });
        if let Some(entry) = entry {
            self.go_to_entry(&snapshot.version, entry);
            return;
        }
        let found = match snapshot.version.is_project() {
            true => NodeTarget::Name(path.into()).find_nodes(&snapshot.version),
            false => {
                self.status_message = Some("this run has one program".into());
                return;
            }
        };
        match found.ok().and_then(|nodes| nodes.first().cloned()) {
            Some(node) => self.go_to_node(&snapshot.version, node.id),
            None => {
                self.status_message = Some(format!("there is no file {}", path.escape_hidden()));
            }
        }
    }

    /// The selected row of a directory, or of files that are gone, if keys are about it: in the tree. In other panes they are about what these show.
    pub(in crate::tui) fn focused_file_row(&self) -> Option<FileRow> {
        let in_tree = self.arrangement.focused_pane() == PaneKind::Tree;
        self.selection.file_row.filter(|_| in_tree)
    }

    /// The directory or file that `inspect` is about: in the tree that of the selected row; in the graph the file with the selection; elsewhere the file
    /// of which all is selected.
    pub(in crate::tui) fn inspected_entry(&self, version: &Version) -> Option<usize> {
        let tree = self.selection.folds.files()?.tree();
        if self.arrangement.focused_pane() == PaneKind::Graph {
            return Some(tree.entry_of(self.selection.shown_document(version)));
        }
        match self.focused_file_row() {
            Some(FileRow::Entry(at)) => Some(at),
            Some(FileRow::Gone(_)) => None,
            None => {
                let file = self.selection.selected_file(version);
                file.map(|number| tree.entry_of(number))
            }
        }
    }

    /// The place that keys are about, as a command names it: a directory or a file by its path, else the node.
    pub(in crate::tui) fn selected_place(&self) -> Result<NodeTarget, String> {
        let snapshot = self.view.snapshot.as_ref();
        let selected = self.selection.node.zip(snapshot);
        let (node, snapshot) = selected.ok_or("nothing is selected")?;
        let version = &snapshot.version;
        let Some(files) = self.selection.folds.files() else {
            return Ok(NodeTarget::Node(node));
        };
        let tree = files.tree();
        let is_there = |number: usize| !version.documents()[number].is_gone;
        let entry = self.inspected_entry(version);
        let is_gone = |at: usize| !tree.documents_in(at).any(is_there);
        let is_group = || matches!(self.focused_file_row(), Some(FileRow::Gone(_)));
        if entry.map_or_else(is_group, is_gone) {
            return Err("it is gone already".into());
        }
        let path = entry.and_then(|at| tree.entries()[at].path.to_str());
        Ok(match path {
            Some(path) => NodeTarget::Name(path.into()),
            None => NodeTarget::Node(node),
        })
    }

    /// The version of which the screen wants to know which file needs which, if it shows files. [`App::finish_file_graph`] takes the answer. It is for
    /// another thread, because all files are read for it.
    ///
    /// # Errors
    /// When there is none now: the time at which to ask again, if only that has to come.
    pub fn begin_file_graph(&mut self, now: Instant) -> Result<Version, Option<Instant>> {
        let is_shown = |pane| !self.arrangement.areas.pane_area(pane).is_empty();
        let is_wanted = is_shown(PaneKind::Tree) || is_shown(PaneKind::Graph);
        let snapshot = self.view.snapshot.as_ref().filter(|_| is_wanted);
        let snapshot = snapshot.filter(|snapshot| snapshot.version.is_project());
        let snapshot = snapshot.ok_or(None)?;
        match self.view.files.begin(snapshot.number, now) {
            GraphTurn::Now => Ok(snapshot.version.clone()),
            GraphTurn::At(due) => Err(Some(due)),
            GraphTurn::Unneeded => Err(None),
        }
    }

    /// Takes which file needs which; none if that could not be found out.
    pub fn finish_file_graph(&mut self, graph: Option<FileGraph>) {
        self.view.files.finish(graph);
    }

    /// Goes back to where the user was in another file, or forth again.
    pub(in crate::tui) fn go_along_trail(&mut self, back: bool) {
        let Some(snapshot) = self.view.snapshot.clone() else {
            return;
        };
        let present = self.selection.node;
        match self.trail.step(&snapshot.version, present, back) {
            Some(place) => self.select_on_trail(&snapshot.version, place),
            None => self.status_message = Some("no other file was visited".into()),
        }
    }
}
