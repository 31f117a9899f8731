//! The panes together: the state of each, and what all of them draw from.

use std::time::Instant;

use super::candidate::CandidatePane;
use super::history::HistoryPane;
use super::layout::PaneKind;
use super::passes::PassesPane;
use super::program::ProgramPane;
use super::progress::ProgressPane;
use super::tree::TreePane;
use super::verdicts::VerdictsPane;
use crate::tui::program_view::bookmarks::NodeBookmarks;
use crate::tui::program_view::search::NodeSearch;
use crate::tui::run_view::RunView;

/// The states of the panes. The pane of the current test has none.
#[derive(Debug, Default)]
pub struct PaneStates {
    /// The tree.
    pub tree: TreePane,
    /// The program.
    pub program: ProgramPane,
    /// The candidate as a diff.
    pub candidate: CandidatePane,
    /// The curve and the counters.
    pub progress: ProgressPane,
    /// The last verdicts.
    pub verdicts: VerdictsPane,
    /// The passes.
    pub passes: PassesPane,
    /// The versions.
    pub history: HistoryPane,
}

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
