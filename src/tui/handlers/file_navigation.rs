//! Going from file to file of a project.

use crate::display::EscapeHidden;
use crate::program::{NodeTarget, Version};
use crate::tui::app::App;
use crate::tui::program_view::file_folds::FileRow;

impl App {
    /// The paths of the files that are there, for completion.
    pub(in crate::tui) fn file_paths(&self) -> Vec<String> {
        let version = self
            .view
            .snapshot
            .as_ref()
            .map(|snapshot| &snapshot.version);
        let documents = version.filter(|version| version.is_project());
        let documents = documents.map_or(&[][..], Version::documents).iter();
        let there = documents.filter(|document| !document.is_gone);
        there
            .map(|document| document.path.to_string_lossy().into_owned())
            .collect()
    }

    /// Goes to a file by its path, or by the end of it.
    pub(in crate::tui) fn open_file(&mut self, path: Option<&str>) {
        let Some(snapshot) = self.view.snapshot.clone() else {
            return;
        };
        let Some(path) = path else {
            self.open_prompt("open ");
            return;
        };
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

    /// The place that the selected row stands for, as a command names it: a directory or a file by its path, else the node.
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
        let entry = match self.selection.file_row {
            Some(FileRow::Entry(at)) if tree.documents_in(at).any(is_there) => Some(at),
            Some(_) => return Err("it is gone already".into()),
            None => {
                let file = self.selection.selected_file(version);
                file.map(|number| tree.entry_of(number))
            }
        };
        let path = entry.and_then(|at| tree.entries()[at].path.to_str());
        Ok(match path {
            Some(path) => NodeTarget::Name(path.into()),
            None => NodeTarget::Node(node),
        })
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
