//! The data that all panes read besides their own states.

use std::time::Instant;

use super::layout::PaneKind;
use crate::tui::program_view::bookmarks::NodeBookmarks;
use crate::tui::program_view::search::NodeSearch;
use crate::tui::run_view::RunView;

/// The data that a pane reads besides its own state.
#[derive(Clone, Copy)]
pub struct PaneContext<'a> {
    /// The run.
    pub view: &'a RunView,
    /// The current search.
    pub search: Option<&'a NodeSearch>,
    /// The user's bookmarks.
    pub bookmarks: &'a NodeBookmarks,
    /// The focused pane.
    pub focus: PaneKind,
    /// The time of this frame.
    pub now: Instant,
}
