//! `lop FILE TEST`, and `lop FILE -- COMMAND`.

use std::ffi::OsString;

use super::resume::offer;
use crate::cli::args::{ReduceArgs, argument_order, did_you_mean};
use crate::cli::failure::{CommandFailure, USAGE};
use crate::cli::launch::plan::RunPlan;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::run_plan;
use crate::cli::launch::test_spec::TestSpec;
use crate::pass::STRATEGIES;
use crate::session::RunInput;

/// Reduces the file; the exit status.
pub fn run_reduce(reduce: &ReduceArgs, line: &[OsString]) -> Result<u8, CommandFailure> {
    let Some(file) = &reduce.file else {
        return Err(CommandFailure::new(
            USAGE,
            "type lop FILE TEST, or lop --help",
        ));
    };
    let suggested_command =
        || did_you_mean::suggest_command(line.get(1..)?).filter(|_| !file.exists());
    let suggested_order = reduce
        .test
        .as_ref()
        .and_then(|test| argument_order::suggest_order(file, test));
    if let Some(message) = suggested_order.or_else(suggested_command) {
        return Err(CommandFailure::new(USAGE, message));
    }
    let input = PreparedRun::read_input(file)?;
    let Some((test_spec, notes)) =
        TestSpec::from_args(&reduce.property, reduce.test.as_deref(), &input)?
    else {
        return Err(CommandFailure::new(
            USAGE,
            "type lop FILE TEST, or lop FILE -- COMMAND, or lop --help",
        ));
    };
    let input = RunInput::Program(input);
    match offer::offer_resume(&input, &test_spec, STRATEGIES, &reduce.run)? {
        Some(status) => Ok(status),
        None => {
            let mut plan = RunPlan::from_args(input, test_spec, reduce)?;
            plan.notes.extend(notes);
            run_plan(plan)
        }
    }
}
