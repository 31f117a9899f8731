//! What the doctor checks: one file a subject, one row a check ([`CHECKS`] is their order). Each makes experiments and compares answers.
//!
//! | experiment | what it shows |
//! | --- | --- |
//! | with `-e`, no to a file that was interesting; the failing command replaced by one that does nothing, still yes | a step has no say |
//! | an empty file, a line of nonsense | the test does not check what matters |
//! | the original with what lies beside it, or under another name | why the original is not interesting |
//! | without the session's variables, by halves | which one the test needs |
//! | the second half, and the same with a compiler that ends at the first error | what errors cost |
//! | copies side by side, on the original and on nonsense | what they share |
//!
//! A file elsewhere counts as written by the test only if it changed in each of three runs, and never while no test ran (`outside_writes.rs`).

mod content;
mod determinism;
mod environment;
mod error_limit;
mod failing_steps;
mod file_name;
mod missing_tools;
mod outside_writes;
mod parallel;
mod processes;
mod working_dir;

use super::examination::{ExaminationError, TestExamination};
use super::finding::DoctorFinding;
pub(super) use working_dir::explain_uninteresting;

/// A check of a test.
pub(super) struct DoctorCheck {
    /// What it checks, shown while it runs.
    pub description: &'static str,
    /// Whether it needs a test with the same verdict on the original each time.
    pub needs_determinism: bool,
    /// Runs the check.
    pub run: fn(&mut TestExamination<'_>) -> Result<Vec<DoctorFinding>, ExaminationError>,
}

const fn check_row(
    looks_at: &'static str,
    needs_steady: bool,
    run: fn(&mut TestExamination<'_>) -> Result<Vec<DoctorFinding>, ExaminationError>,
) -> DoctorCheck {
    DoctorCheck {
        description: looks_at,
        needs_determinism: needs_steady,
        run,
    }
}

/// All checks, the cheapest first. `failing_steps` explains more than `content` about the same fault, so it runs first.
pub(super) const CHECKS: &[DoctorCheck] = &[
    check_row(
        "whether it says the same each time",
        false,
        determinism::check_determinism,
    ),
    check_row(
        "whether it stops at a step that fails",
        true,
        failing_steps::check_failing_steps,
    ),
    check_row(
        "whether it says no to files without the bug",
        true,
        content::check_content,
    ),
    check_row(
        "whether the file's name matters",
        true,
        file_name::check_file_name,
    ),
    check_row(
        "whether it notices that its tools are missing",
        true,
        missing_tools::check_missing_tools,
    ),
    check_row(
        "what a program with errors costs",
        true,
        error_limit::check_error_limit,
    ),
    check_row(
        "what it needs of the environment",
        true,
        environment::check_environment,
    ),
    check_row(
        "whether it leaves processes",
        false,
        processes::check_processes,
    ),
    check_row(
        "what it writes outside of its directory",
        false,
        outside_writes::check_outside_writes,
    ),
    check_row(
        "whether copies of it disturb one another",
        true,
        parallel::check_parallel,
    ),
];
