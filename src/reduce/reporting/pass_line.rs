//! A pass, as the list of passes shows it.

use std::time::Duration;

/// A pass, as the list of passes shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassLine {
    /// Its name.
    pub name: &'static str,
    /// One line on what it does.
    pub what: &'static str,
    /// Where it stands.
    pub state: PassState,
    /// Decisions it asked for.
    pub tried: u64,
    /// Edits accepted of it.
    pub accepted: u64,
    /// Questions that a gate refused, since it began the last time.
    pub rejected: u64,
    /// Tests that were cut short at their limit, since it began the last time.
    pub timed_out: u64,
    /// Tokens that those took away.
    pub tokens: u64,
    /// Time its tests took.
    pub time: Duration,
}

/// Where a pass stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassState {
    /// Its turn has not come.
    Waiting,
    /// It is asking; in this round.
    Running(u32),
    /// It has nothing left to ask.
    Done,
    /// The user cut it short.
    Skipped,
    /// The user disabled it.
    Disabled,
}
