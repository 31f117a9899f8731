//! The kinds of pages.

/// A page that lies over the panes. The topmost gets the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageKind {
    /// The keys and the marks.
    Help,
    /// The result of the run.
    Result,
    /// Why the result is interesting: its neighbours.
    Contrast,
    /// Why the run is paused.
    Stall,
    /// One verdict with all that is known about it.
    Verdict,
    /// The candidate as a diff.
    Candidate,
    /// The words of a line of a pair.
    Words,
    /// All that is known about the selected node, or about the hunks of the selected line of a pair.
    Inspection,
    /// The difference between two versions.
    Difference,
    /// What a pass does.
    Pass,
    /// The property, part by part.
    Property,
    /// What is in force.
    Steering,
}
