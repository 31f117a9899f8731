//! What panes, pages and recordings do each in their own way.

/// A move in a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaybackAction {
    /// Back by one decision.
    Back,
    /// The other way.
    Reverse,
    /// Faster.
    Faster,
    /// Slower.
    Slower,
    /// As fast as is said.
    Speed,
    /// To the beginning.
    First,
    /// To the end.
    Last,
    /// To a place.
    GoTo,
    /// On to where something happens.
    Seek,
    /// Back to where something happened.
    SeekBack,
}

/// A move in the pane or on the page that has the keys.
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
    /// Hide what is below the node, or go to what it lies in.
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
    /// Text to the left.
    Left,
    /// Text to the right.
    Right,
}
