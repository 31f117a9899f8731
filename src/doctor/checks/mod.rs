//! What the doctor looks at: one file a subject, one row a check.

mod content;
mod environment;
mod names;
mod outside;
mod parallel;
mod placed;
mod processes;
mod steady;
mod steps;
mod tools;

use super::case::{Case, Halt};
use super::finding::Finding;
pub(super) use placed::refused;

/// One thing to look at.
pub(super) struct Check {
    /// What it looks at, for whoever waits.
    pub looks_at: &'static str,
    /// Whether it means something only where the test says the same about the original each time.
    pub needs_steady: bool,
    /// Looks.
    pub run: fn(&mut Case<'_>) -> Result<Vec<Finding>, Halt>,
}

const fn row(
    looks_at: &'static str,
    needs_steady: bool,
    run: fn(&mut Case<'_>) -> Result<Vec<Finding>, Halt>,
) -> Check {
    Check {
        looks_at,
        needs_steady,
        run,
    }
}

/// All checks, in order of what they cost. `steps` knows more than `content` about the same thing, so it goes first.
pub(super) const CHECKS: &[Check] = &[
    row("whether it says the same each time", false, steady::check),
    row("whether it stops at a step that fails", true, steps::check),
    row(
        "whether it says no to files without the bug",
        true,
        content::check,
    ),
    row("whether the file's name matters", true, names::check),
    row(
        "whether it notices that its tools are missing",
        true,
        tools::check,
    ),
    row("what it needs of the environment", true, environment::check),
    row("whether it leaves processes", false, processes::check),
    row(
        "what it writes outside of its directory",
        false,
        outside::check,
    ),
    row(
        "whether copies of it disturb one another",
        true,
        parallel::check,
    ),
];
