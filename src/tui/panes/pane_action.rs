//! Moves that each pane and each page implements in its own way.

/// A move in the focused pane or in the page on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaneAction {
    /// One row or line up.
    Up,
    /// One row or line down.
    Down,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// To the beginning.
    Top,
    /// To the end.
    Bottom,
    /// Show what is below the node, or go there.
    Unfold,
    /// Hide what is below the node, or go to the node around it.
    Fold,
    /// Show or hide what is below the node.
    Toggle,
    /// Show everything.
    UnfoldAll,
    /// Show the top level only.
    FoldAll,
    /// The heaviest node in the selected one.
    Heaviest,
    /// The node around the selected one.
    Outer,
    /// The first node in the selected one.
    Inner,
    /// The next change of a diff.
    NextChange,
    /// The change of a diff before.
    PreviousChange,
    /// Text to the left.
    Left,
    /// Text to the right.
    Right,
}

impl PaneAction {
    /// Whether it goes up or down a list of rows or lines.
    pub fn moves_by_rows(self) -> bool {
        use PaneAction::{Bottom, Down, PageDown, PageUp, Top, Up};
        matches!(self, Up | Down | PageUp | PageDown | Top | Bottom)
    }
}

/// The index in a list after a move. The caller limits it to the length of the list.
pub fn step_index(at: usize, action: PaneAction, page: usize) -> usize {
    match action {
        PaneAction::Up => at.saturating_sub(1),
        PaneAction::Down => at + 1,
        PaneAction::PageUp => at.saturating_sub(page),
        PaneAction::PageDown => at + page,
        PaneAction::Top => 0,
        PaneAction::Bottom => usize::MAX / 2,
        _ => at,
    }
}
