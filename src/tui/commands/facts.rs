//! The facts that decide which commands are active and enabled: a small value, made from the screen's state.

use crate::tui::pages::kind::PageKind;
use crate::tui::panes::layout::PaneKind;

/// The state of the run, without its reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunPhase {
    /// The run is testing candidates.
    Running,
    /// The user has paused it.
    Paused,
    /// It cannot continue, for example because the test is broken.
    Stalled,
    /// It has ended.
    Finished,
}

/// The facts that commands depend on.
#[derive(Clone, Copy, Debug)]
pub struct ScreenFacts {
    /// Whether a prompt is open; then keys are letters.
    pub prompt: bool,
    /// The page on top, if any.
    pub page: Option<PageKind>,
    /// The topmost page that is not the help.
    pub page_below_help: Option<PageKind>,
    /// The focused pane.
    pub focus: PaneKind,
    /// Whether this is the recording of a run.
    pub replay: bool,
    /// Whether the run is on a pair.
    pub is_pair: bool,
    /// Whether the run reduces several files of a program.
    pub is_project: bool,
    /// The state of the run; none before the first snapshot.
    pub phase: Option<RunPhase>,
    /// Whether the selection follows the run.
    pub follows: bool,
    /// Whether the current version differs from the original.
    pub has_accepted: bool,
    /// Whether there are versions.
    pub has_versions: bool,
    /// Whether the property is known part by part.
    pub has_property: bool,
    /// Whether a verdict is shown.
    pub has_verdict: bool,
    /// Whether a candidate is shown.
    pub has_candidate: bool,
    /// Whether anything is in force.
    pub is_steered: bool,
    /// Whether a lesson is played that has more to tell.
    pub is_lesson: bool,
    /// Whether a candidate is shown whose verdict is hidden.
    pub can_guess: bool,
    /// Whether something was searched for.
    pub has_search: bool,
    /// Whether the result can be compared with its neighbours.
    pub can_contrast: bool,
    /// Whether the run is at its end, and goes on from there when the user commands something.
    pub can_go_on: bool,
    /// Whether it can do so with more effort.
    pub can_ask_more: bool,
}

impl ScreenFacts {
    /// Whether the run has ended.
    pub fn is_finished(&self) -> bool {
        self.phase == Some(RunPhase::Finished)
    }
}
