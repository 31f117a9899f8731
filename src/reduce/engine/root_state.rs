//! How things stand: the question at the root, what tests have said, and what is on its way.

use std::time::Instant;

use crossbeam_channel::{Receiver, never};

/// How things stand with the question at the root.
pub(in crate::reduce) struct RootState {
    /// Questions that may still be asked while paused.
    pub steps: u32,
    /// It may be asked: the run is not paused, or a step was given for it.
    pub permitted: bool,
    /// Nothing is tested beside it.
    pub alone: bool,
    pub failures: u32,
    pub waits: u32,
    /// Rings when the system may have recovered.
    pub alarm: Receiver<Instant>,
    pub waiting: bool,
}

impl Default for RootState {
    fn default() -> RootState {
        RootState {
            steps: 0,
            permitted: false,
            alone: false,
            failures: 0,
            waits: 0,
            alarm: never(),
            waiting: false,
        }
    }
}
