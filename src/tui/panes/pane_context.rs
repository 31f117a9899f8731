//! What panes draw besides their own states.

use std::time::Instant;

use super::layout::PaneKind;
use crate::tui::program_view::bookmarks::NodeBookmarks;
use crate::tui::program_view::search::NodeSearch;
use crate::tui::run_view::RunView;

/// What a pane draws besides its own state.
#[derive(Clone, Copy)]
pub struct PaneContext<'a> {
    /// The run.
    pub view: &'a RunView,
    /// What the user searched for.
    pub search: Option<&'a NodeSearch>,
    /// The user's marks.
    pub bookmarks: &'a NodeBookmarks,
    /// The pane that has the keys.
    pub focus: PaneKind,
    /// The time of this frame.
    pub now: Instant,
}
