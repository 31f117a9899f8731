//! `lop isolate`: a program that passes and one that fails are brought closer, until a minimal difference is left (Zeller and Hildebrandt,
//! "Simplifying and Isolating Failure-Inducing Input", TSE 2002).
//!
//! It is a run on a pair with a strategy of its own.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use super::resume::typed_options::TypedOptions;
use super::resume::{ResumeChoice, offer};
use crate::cli::args::{IsolateArgs, RemoteArgs};
use crate::cli::failure::{CommandFailure, USAGE};
use crate::cli::launch::plan::RunPlan;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::run_plan;
use crate::cli::launch::test_spec::TestSpec;
use crate::pass::ISOLATE_STRATEGIES;
use crate::session::{InputError, InputFile, RunInput};

/// Isolates what makes a program fail; the exit status.
pub fn run_isolate(isolate: &IsolateArgs) -> Result<u8, CommandFailure> {
    let failing = PreparedRun::read_input(&isolate.program)?;
    let passing = match &isolate.from {
        Some(seed) => read_seed(seed)?,
        None => empty_file(&failing, isolate.both.is_some()),
    };
    let test_spec = match (&isolate.both, &isolate.passes, &isolate.fails) {
        (Some(_), ..) if passing.file_name() == failing.file_name() => {
            let what = "--both needs programs of different names, because its test sees both in one directory";
            return Err(CommandFailure::new(USAGE, what));
        }
        (Some(both), ..) => TestSpec::from_script(both),
        (None, Some(passes), Some(fails)) => {
            TestSpec::PairScripts([passes.clone(), fails.clone()], Vec::new())
        }
        _ => {
            let what = "lop isolate needs a test of the program that passes and one of the program that fails, or --both TEST";
            return Err(CommandFailure::new(USAGE, what));
        }
    };
    let input = RunInput::Pair([passing, failing]);
    let (run, typed) = (&isolate.run, TypedOptions::of_run(&isolate.run));
    let known = offer::offer_resume(
        &input,
        &test_spec,
        ISOLATE_STRATEGIES,
        run,
        &typed,
        ResumeChoice::from_new_run(&RemoteArgs::default(), &run.propose),
    )?;
    if let Some(status) = known {
        return Ok(status);
    }
    let mut plan = RunPlan::for_pair(input, test_spec, isolate.strategy(), &isolate.run)?;
    plan.output_choice = isolate.output_choice();
    Ok(run_plan(plan)?.status)
}

/// The seed. It may be empty.
fn read_seed(seed: &Path) -> Result<InputFile, CommandFailure> {
    match InputFile::read_from(seed) {
        Err(InputError::Empty(_)) => {
            let nothing = Arc::from(&[][..]);
            Ok(InputFile::from_recorded(seed, seed, nothing, 0o644))
        }
        _ => PreparedRun::read_input(seed),
    }
}

/// The empty program, under the name of the one that fails; under another one if a test sees both.
fn empty_file(failing: &InputFile, is_beside: bool) -> InputFile {
    let mut name = OsString::from(if is_beside { "seed-" } else { "" });
    name.push(failing.file_name());
    let nothing = Arc::from(&[][..]);
    InputFile::from_recorded(&failing.named, Path::new(&name), nothing, failing.mode)
}
