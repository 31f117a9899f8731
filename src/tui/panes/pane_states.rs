//! The states of all panes.

use super::candidate::CandidatePane;
use super::history::HistoryPane;
use super::passes::PassesPane;
use super::program::ProgramPane;
use super::progress::ProgressPane;
use super::tree::TreePane;
use super::verdicts::VerdictsPane;

/// The states of the panes. The pane of the current candidate has none.
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
