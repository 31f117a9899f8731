//! `lop FILE TEST`, and `lop FILE -- COMMAND`.

use std::ffi::OsString;

use super::resume_offer;
use crate::cli::args::{ReduceArgs, argument_order, did_you_mean};
use crate::cli::failure::{CommandFailure, USAGE};
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::reduction::ReductionPlan;
use crate::cli::launch::test_spec::TestSpec;

/// Reduces the file; the exit status.
pub fn run_reduce(reduce: &ReduceArgs, line: &[OsString]) -> Result<u8, CommandFailure> {
    let Some(file) = &reduce.file else {
        return Err(CommandFailure::new(
            USAGE,
            "type lop FILE TEST, or lop --help",
        ));
    };
    let mistaken = || did_you_mean::suggest_command(line.get(1..)?).filter(|_| !file.exists());
    let swapped = reduce
        .test
        .as_ref()
        .and_then(|test| argument_order::suggest_order(file, test));
    if let Some(message) = swapped.or_else(mistaken) {
        return Err(CommandFailure::new(USAGE, message));
    }
    let input = PreparedRun::read_input(file)?;
    let Some((given, notes)) =
        TestSpec::from_args(&reduce.property, reduce.test.as_deref(), &input)?
    else {
        return Err(CommandFailure::new(
            USAGE,
            "type lop FILE TEST, or lop FILE -- COMMAND, or lop --help",
        ));
    };
    match resume_offer::offer_resume(&input, &given, reduce)? {
        Some(status) => Ok(status),
        None => {
            let mut plan = ReductionPlan::from_args(file, given, reduce)?;
            plan.notes.extend(notes);
            plan.run()
        }
    }
}
