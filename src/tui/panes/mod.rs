//! The panes, one file each: each draws the newest snapshot on its part of the screen.

pub mod passes;
pub mod program;
pub mod progress;
pub mod status;
pub mod tree;
pub mod trying;
pub mod verdicts;

use super::palette::Glyphs;
use super::theme::Role;
use crate::reduce::Ending;

/// The mark and the role of a verdict.
pub fn verdict(ending: Ending, glyphs: &Glyphs) -> (&'static str, Role) {
    match ending {
        Ending::Interesting => (glyphs.interesting, Role::Interesting),
        Ending::Boring => (glyphs.boring, Role::Boring),
        Ending::Invalid => (glyphs.invalid, Role::Invalid),
        Ending::TimedOut => (glyphs.timed_out, Role::TimedOut),
    }
}
