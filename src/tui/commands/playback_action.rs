//! Actions in a recording.

/// An action in a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaybackAction {
    /// Back by one decision.
    Back,
    /// Play in the other direction.
    Reverse,
    /// Play faster.
    Faster,
    /// Play slower.
    Slower,
    /// Play at a given speed.
    Speed,
    /// To the beginning.
    First,
    /// To the end.
    Last,
    /// To a decision, a version or a percentage.
    GoTo,
    /// Forward to the next event of a kind.
    Seek,
    /// Back to the previous event of a kind.
    SeekBack,
}
