//! What the screen itself can do.

/// A move in a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// Back by one decision.
    Back,
    /// The other way.
    Turn,
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
    At,
    /// On to where something happens.
    Seek,
    /// Back to where something happened.
    SeekBack,
}

/// Something that the screen does, without the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Follow what is being tried.
    Follow,
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
    /// What the tree's colours say of the nodes.
    Heat,
    /// The node around the selected one.
    Outer,
    /// The first node in the selected one.
    Inner,
    /// Text to the left.
    Left,
    /// Text to the right.
    Right,
    /// What is known of a verdict.
    Details,
    /// Which verdicts are shown.
    Filter,
    /// Back by one version, in one of several ways.
    Undo,
    /// A move in a recording.
    Replay(Play),
    /// Compare with the selected version.
    MarkVersion,
    /// What differs between versions.
    Compare,
    /// What led to a version.
    Origin,
    /// The candidate as a diff.
    Candidate,
    /// The user's editor on the program.
    Edit,
    /// All that is known of a node.
    Inspect,
    /// Why the run stands still.
    Trouble,
    /// What the test looks for.
    Property,
    /// Look for a kind or a text.
    Search,
    /// The next that was found.
    SearchNext,
    /// The one before.
    SearchPrevious,
    /// Remember the selected node under a letter.
    Mark,
    /// To the node of a letter.
    GoToMark,
    /// The next pane.
    NextPane,
    /// The pane before.
    PreviousPane,
    /// The pane with the keys alone, or all.
    Zoom,
    /// Other panes.
    Layout,
    /// The left column narrower.
    Narrower,
    /// The left column wider.
    Wider,
    /// The pane higher.
    Higher,
    /// The pane lower.
    Lower,
    /// The curve over tests or over time.
    Axis,
    /// Other colours.
    Theme,
    /// Type a command.
    Prompt,
    /// Do what was typed.
    Accept,
    /// Do nothing of what was typed.
    Cancel,
    /// Complete what was typed.
    Complete,
    /// The next proposal.
    NextProposal,
    /// The proposal before.
    PreviousProposal,
    /// The page with the result.
    Result,
    /// The keys.
    Help,
    /// Close what lies on top.
    Close,
    /// To the shell, for a while.
    Suspend,
    /// Leave.
    Quit,
}
