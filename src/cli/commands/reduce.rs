//! `lop FILE TEST`, and `lop FILE -- COMMAND`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::project;
use super::resume::typed_options::TypedOptions;
use super::resume::{ResumeChoice, offer};
use super::start::{self, StartOutcome};
use crate::cli::args::{ReduceArgs, argument_order, did_you_mean};
use crate::cli::failure::{CommandFailure, USAGE};
use crate::cli::launch::derivation::read_tree_file;
use crate::cli::launch::generator_spec::GeneratorSpec;
use crate::cli::launch::plan::RunPlan;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::record_options;
use crate::cli::launch::run_plan;
use crate::cli::launch::test_spec::TestSpec;
use crate::display::EscapeHidden;
use crate::pass::STRATEGIES;
use crate::session::RunInput;

/// Reduces the file; the exit status.
pub fn run_reduce(mut reduce: ReduceArgs, line: &[OsString]) -> Result<u8, CommandFailure> {
    let Some(file) = reduce.file.clone() else {
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
        .and_then(|test| argument_order::suggest_order(&file, test));
    if let Some(message) = suggested_order.or_else(suggested_command) {
        return Err(CommandFailure::new(USAGE, message));
    }
    // The page has offered to resume a session.
    let is_asked = reduce.lacks_test();
    if is_asked {
        match start::ask_for_test(&reduce, &file)? {
            StartOutcome::Test(path, place) => {
                reduce.test = Some(path);
                if reduce.run.slice.is_none() {
                    reduce.run.place = reduce.run.place.take().or(place);
                }
            }
            StartOutcome::Resumed(status) => return Ok(status),
        }
    }
    let reduce = &reduce;
    let (files, test) = reduce.files_and_test();
    if let [.., last] = &files[..]
        && files.len() > 1
        && reduce.has_commands()
        && argument_order::looks_like_test(last)
    {
        let what = format!(
            "{} looks like a test, and the line has a command in the place of a test; leave out one of them",
            last.escape_hidden()
        );
        return Err(CommandFailure::new(USAGE, what));
    }
    let (input, test_spec, notes) = if files.len() > 1 || file.is_dir() {
        project::read_project(reduce, &files, test.map(PathBuf::as_path))?
    } else {
        read_program(reduce, &file)?
    };
    let typed = TypedOptions::of_reduce(reduce, line);
    let resumed = match is_asked {
        true => None,
        false => {
            let choice = ResumeChoice::from_new_run(&reduce.remote, &reduce.run.propose);
            offer::offer_resume(&input, &test_spec, STRATEGIES, &reduce.run, &typed, choice)?
        }
    };
    match resumed {
        Some(status) => Ok(status),
        None => {
            let mut plan = RunPlan::from_args(input, test_spec, reduce)?;
            plan.notes.extend(notes);
            Ok(run_plan(plan)?.status)
        }
    }
}

/// The one program, or the choices of its generator; its test; what to say first.
fn read_program(
    reduce: &ReduceArgs,
    file: &Path,
) -> Result<(RunInput, TestSpec, Vec<String>), CommandFailure> {
    if !reduce.only.is_empty() || !reduce.keep.is_empty() {
        return Err(CommandFailure::new(
            USAGE,
            "--only and --keep are for several files; leave them out, or see --pin",
        ));
    }
    let input = PreparedRun::read_input(file)?;
    let (input, test_spec, notes) = match GeneratorSpec::from_args(reduce, &input)? {
        None => {
            let (test_spec, notes) = record_options::choose_test(reduce, &input)?;
            (input, test_spec, notes)
        }
        Some(generator) => {
            let program = generator.program_of(&input);
            let (test_spec, notes) = record_options::choose_test(reduce, &program)?;
            let test_spec = test_spec.with_generator(generator.to_stage());
            (input.into_choice_listing(), test_spec, notes)
        }
    };
    let tree = reduce.tree.as_deref().map(read_tree_file).transpose()?;
    let input = RunInput::Program(input.with_tree(tree));
    Ok((input, test_spec, notes))
}
