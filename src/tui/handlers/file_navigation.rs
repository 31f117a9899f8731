//! Going from file to file of a project.

use crate::display::EscapeHidden;
use crate::program::{NodeTarget, Version};
use crate::tui::app::App;

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
