//! The states of all panes.

use super::algorithm::AlgorithmPane;
use super::candidate::CandidatePane;
use super::graph::GraphPane;
use super::history::HistoryPane;
use super::layout::PaneKind;
use super::log::LogPane;
use super::pair::{PairForm, PairPane};
use super::passes::PassesPane;
use super::program::ProgramPane;
use super::progress::ProgressPane;
use super::tree::TreePane;

/// The states of the panes. The pane of the current candidate has none.
#[derive(Debug)]
pub struct PaneStates {
    /// The tree.
    pub tree: TreePane,
    /// The program.
    pub program: ProgramPane,
    /// The two programs of a pair beside each other.
    pub pair: PairPane,
    /// The two programs of a pair as one text.
    pub difference: PairPane,
    /// The candidate as a diff.
    pub candidate: CandidatePane,
    /// The curve and the counters.
    pub progress: ProgressPane,
    /// The questions and versions.
    pub log: LogPane,
    /// The passes.
    pub passes: PassesPane,
    /// The versions.
    pub history: HistoryPane,
    /// The files of a project by what they need.
    pub graph: GraphPane,
    /// The state of the algorithm.
    pub algorithm: AlgorithmPane,
}

impl PaneStates {
    /// The pane of this kind that shows both programs of a pair.
    pub fn pair_pane(&mut self, pane: PaneKind) -> &mut PairPane {
        match pane {
            PaneKind::Difference => &mut self.difference,
            _ => &mut self.pair,
        }
    }
}

impl Default for PaneStates {
    fn default() -> PaneStates {
        PaneStates {
            tree: TreePane::default(),
            program: ProgramPane::default(),
            pair: PairPane::new(PairForm::Columns),
            difference: PairPane::new(PairForm::Unified),
            candidate: CandidatePane::default(),
            progress: ProgressPane::default(),
            log: LogPane::default(),
            passes: PassesPane::default(),
            history: HistoryPane::default(),
            graph: GraphPane::default(),
            algorithm: AlgorithmPane::default(),
        }
    }
}
