//! Which pages there are.

/// A page that lies over the panes. The topmost has the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageKind {
    /// The keys and the marks.
    Help,
    /// The result of the run.
    Result,
    /// Why the run stands still.
    Stall,
    /// One verdict with all that is known of it.
    Verdict,
    /// The candidate as a diff.
    Candidate,
    /// All that is known of the selected node.
    Inspection,
    /// What differs between two versions.
    Difference,
    /// What a pass does.
    Pass,
    /// What the test looks for.
    Property,
}
