//! What the user may tell a run.

/// A command. It is applied between two decisions; an event says before which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Ask nothing more until told to. A test that runs is let end and counts.
    Pause,
    /// Go on.
    Resume,
    /// While paused: ask exactly one question (of the kind that a test or the cache answers), and take what follows from it.
    Step,
    /// End the run now: a test that runs is killed. The newest version stands.
    Stop,
}
