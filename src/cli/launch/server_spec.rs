//! The server that the user gives: a test that stays alive.

use super::generator_spec::absolute_program;
use super::test_spec::{TestSpec, check_stages};
use crate::cli::args::PropertyArgs;
use crate::cli::failure::{CommandFailure, USAGE};
use crate::oracle::{CANDIDATE, StageCommand, StageRole, TestStage};
use crate::session::{InputFile, ProjectInput};

/// The server of the command line for this input.
pub fn server_for_program(
    line: &str,
    property: &PropertyArgs,
    input: &InputFile,
) -> Result<TestSpec, CommandFailure> {
    let server = server_stage(line, property)?;
    let checks = check_stages(property, &input.file_name().to_string_lossy())?;
    Ok(TestSpec::Server([checks, vec![server]].concat()))
}

/// The same for several files.
pub fn server_for_project(
    line: &str,
    property: &PropertyArgs,
    project: &ProjectInput,
) -> Result<TestSpec, CommandFailure> {
    let server = server_stage(line, property)?;
    let checks = property.check.iter();
    let checks =
        checks.map(|line| TestStage::new(StageRole::Check, StageCommand::Shell(line.clone())));
    let stages = checks.chain([server]);
    let stages = stages.map(|stage| match project.is_directory() {
        true => stage.seeing_directory(),
        false => stage,
    });
    Ok(TestSpec::Server(stages.collect()))
}

/// The stage of the server, whose status is the verdict.
fn server_stage(line: &str, property: &PropertyArgs) -> Result<TestStage, CommandFailure> {
    if let Some(useless) = property.unusable_option() {
        return Err(CommandFailure::new(USAGE, useless));
    }
    if line.trim().is_empty() {
        let what = "--serve names no command; write one, such as './server.sh'";
        return Err(CommandFailure::new(USAGE, what));
    }
    if line.contains(CANDIDATE) {
        let what = "--serve has {} in its command, and nothing goes there: a server reads the directory of a candidate from its input; leave {} out";
        return Err(CommandFailure::new(USAGE, what));
    }
    let line = absolute_program(line).into_owned();
    Ok(TestStage::new(StageRole::Says, StageCommand::Serve(line)))
}
