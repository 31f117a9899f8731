//! In the place of `farm.rs` without the feature `remote`: there is no client of a farm.

use super::chosen_runner::{ChosenRunner, OriginalTest};
use super::plan::RunPlan;
use super::prepared_run::PreparedRun;
use crate::cli::failure::{CommandFailure, USAGE};
use crate::oracle::LocalRunner;

/// Refuses.
pub fn join_farm(
    _address: &str,
    _plan: &RunPlan,
    _prepared: &PreparedRun,
    _local: LocalRunner,
    _original: OriginalTest,
) -> Result<ChosenRunner, CommandFailure> {
    let what =
        "this lop was built without farms; leave out --remote, or build it with the feature remote";
    Err(CommandFailure::new(USAGE, what))
}
