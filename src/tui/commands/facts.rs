//! What decides which commands apply, and which of them can be done: a small value, made of the screen's state.

use crate::tui::pages::kind::PageKind;
use crate::tui::panes::layout::PaneKind;

/// What the run does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunPhase {
    /// It goes on.
    Running,
    /// The user told it to pause.
    Paused,
    /// It cannot go on.
    Stalled,
    /// It has ended.
    Finished,
}

/// The facts that commands depend on.
#[derive(Clone, Copy, Debug)]
pub struct ScreenFacts {
    /// Whether a prompt is open: then keys are letters.
    pub prompt: bool,
    /// The page on top, if any.
    pub page: Option<PageKind>,
    /// The page on top, the help aside.
    pub page_below_help: Option<PageKind>,
    /// The pane that has the keys where no page is.
    pub focus: PaneKind,
    /// Whether this is the recording of a run.
    pub replay: bool,
    /// What the run does; none before there is a snapshot.
    pub phase: Option<RunPhase>,
    /// Whether the selection follows the run.
    pub follows: bool,
    /// Whether the version is another than the original.
    pub has_accepted: bool,
    /// Whether there are versions.
    pub has_versions: bool,
    /// Whether it is known, part by part, what the test looks for.
    pub has_property: bool,
    /// Whether a verdict is shown.
    pub has_verdict: bool,
    /// Whether a candidate is shown.
    pub has_candidate: bool,
    /// Whether something was searched for.
    pub has_search: bool,
}

impl ScreenFacts {
    /// Whether the run has ended.
    pub fn is_finished(&self) -> bool {
        self.phase == Some(RunPhase::Finished)
    }
}
