//! Moves in a recording.

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
