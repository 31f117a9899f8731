//! Going to nodes: by bookmarks, by a search, and by following the run.

use crossterm::event::KeyCode;

use crate::program::{NodeId, Version};
use crate::tui::app::{App, KeyEffect};
use crate::tui::commands::keys::{KeyPress, char_key};
use crate::tui::program_view::bookmarks::BookmarkAction;
use crate::tui::program_view::file_folds::FileRow;
use crate::tui::program_view::folds::RowTarget;
use crate::tui::program_view::search::{NodeSearch, SearchQuery};
use crate::tui::prompt::line::{PromptKind, PromptLine};

impl App {
    pub(in crate::tui) fn start_following(&mut self) {
        self.selection.start_following();
        self.panes.program.column_offset = 0;
        self.panes.log.follow_newest();
        if let Some(snapshot) = self.view.snapshot.clone() {
            self.apply_snapshot(snapshot);
        }
    }

    /// Selects the row of a node and scrolls to it.
    pub(in crate::tui) fn go_to_node(&mut self, version: &Version, node: NodeId) {
        let new = version.path_to(node).map(|path| path.document);
        self.leave_for(version, new);
        self.select_on_trail(version, node);
    }

    /// Selects the row of a directory or a file of a project.
    pub(in crate::tui) fn go_to_entry(&mut self, version: &Version, at: usize) {
        let files = self.selection.folds.files();
        let document = files.and_then(|files| files.tree().entries()[at].document);
        self.leave_for(version, document);
        self.panes.program.column_offset = 0;
        self.selection.go_to_entry(version, at);
    }

    /// Remembers the place in the present file, if the user leaves it for another one.
    fn leave_for(&mut self, version: &Version, new: Option<usize>) {
        let old = self.selection.selected_path(version);
        let old = old.map(|path| path.document);
        if old.is_some() && new.is_some() && old != new {
            let place = self.selection.node.into_iter();
            place.for_each(|place| self.trail.record_leave(place));
        }
    }

    /// The same for a place where the user was before.
    pub(in crate::tui) fn select_on_trail(&mut self, version: &Version, node: NodeId) {
        self.panes.program.column_offset = 0;
        self.selection.go_to_node(version, node);
    }

    pub(in crate::tui) fn await_bookmark_letter(
        &mut self,
        awaited: BookmarkAction,
        arg: Option<&str>,
    ) -> KeyEffect {
        match arg.map(|word| (word.chars().next(), word.chars().count())) {
            Some((Some(letter), 1)) => self.handle_bookmark_letter(awaited, char_key(letter)),
            Some(_) => {
                self.status_message = Some("one letter".into());
                KeyEffect::Redraw
            }
            None => {
                self.bookmarks.pending = Some(awaited);
                KeyEffect::Redraw
            }
        }
    }

    /// Handles the letter of a bookmark.
    pub(in crate::tui) fn handle_bookmark_letter(
        &mut self,
        action: BookmarkAction,
        key: KeyPress,
    ) -> KeyEffect {
        let KeyCode::Char(letter) = key.code else {
            return KeyEffect::Redraw;
        };
        let (Some(snapshot), Some(selected)) = (self.view.snapshot.clone(), self.selection.node)
        else {
            return KeyEffect::Redraw;
        };
        match (action, self.bookmarks.marked_node(letter)) {
            (BookmarkAction::Set, _) if self.focused_file_row().is_some() => {
                self.show_status("files and nodes have marks, directories have none".into())
            }
            (BookmarkAction::Set, _) => {
                self.bookmarks.set_mark(letter, selected);
                self.show_status(format!(
                    "this node is marked {letter}: '{letter} goes to it"
                ))
            }
            (BookmarkAction::Jump, None) => self.show_status(format!("there is no mark {letter}")),
            (BookmarkAction::Jump, Some(node)) => match snapshot.version.path_to(node) {
                Some(_) => {
                    self.go_to_node(&snapshot.version, node);
                    KeyEffect::Redraw
                }
                None => self.show_status(format!("the node of {letter} is gone")),
            },
        }
    }

    /// Selects what a row stands for. Nothing leads to files that are gone.
    pub(in crate::tui) fn go_to_target(&mut self, version: &Version, target: RowTarget) {
        match target {
            RowTarget::Node(node) => self.go_to_node(version, node),
            RowTarget::File(FileRow::Entry(at)) => self.go_to_entry(version, at),
            RowTarget::File(FileRow::Gone(_)) => {}
        }
    }

    pub(in crate::tui) fn open_search(&mut self, text: Option<&str>) {
        match text {
            None => self.prompt = Some(PromptLine::new(PromptKind::Search, "")),
            Some(text) => self.start_search(text),
        }
    }

    pub(in crate::tui) fn start_search(&mut self, typed: &str) {
        let query = SearchQuery::new(typed);
        let Some(snapshot) = self.view.snapshot.clone().filter(|_| !query.is_empty()) else {
            self.search = None;
            return;
        };
        let files = self.selection.folds.files();
        let files = files.map(|files| files.tree().clone());
        self.search = Some(NodeSearch::new(&snapshot.version, query, files));
    }

    pub(in crate::tui) fn go_to_next_hit(&mut self, forward: bool) {
        if let Some(search) = &mut self.search {
            search.wanted_direction = Some(forward);
        }
        if let Some(snapshot) = self.view.snapshot.clone() {
            self.go_to_pending_hit(&snapshot.version);
        }
    }

    /// Goes to the next hit that the user waits for, as soon as the search has determined it.
    pub(in crate::tui) fn go_to_pending_hit(&mut self, version: &Version) {
        let selected = self.selection.target();
        let Some(search) = self.search.as_mut() else {
            return;
        };
        let is_determined = |forward| forward && search.has_next_hit(version, selected);
        let wanted = search.wanted_direction;
        let Some(forward) = wanted.filter(|forward| search.is_done() || is_determined(*forward))
        else {
            return;
        };
        search.wanted_direction = None;
        match search.next_hit(version, selected, forward) {
            None => self.status_message = Some("nothing was found".into()),
            Some(hit) => {
                self.go_to_target(version, hit);
                if let (Some(search), Some(selected)) = (&mut self.search, self.selection.target())
                {
                    search.select_hit(selected);
                }
            }
        }
    }
}
