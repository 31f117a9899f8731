//! What the command line says of recorded verdicts: `--verdicts`, `--offline`, `--save-candidates`, and what contradicts them.

use std::path::{Path, PathBuf};

use super::server_spec::{server_for_program, server_for_project};
use super::test_spec::TestSpec;
use crate::cli::args::{PropertyArgs, ReduceArgs};
use crate::cli::failure::{CommandFailure, USAGE};
use crate::session::journal::HeaderVerdicts;
use crate::session::{InputFile, ProjectInput};

/// The recorded verdicts of the command line.
pub fn chosen_verdicts(reduce: &ReduceArgs) -> Option<HeaderVerdicts> {
    let directory = reduce.record.verdicts.as_deref()?;
    let directory = std::path::absolute(directory).unwrap_or_else(|_| directory.to_path_buf());
    Some(HeaderVerdicts {
        directory,
        grep: reduce.property.grep.clone(),
        not_grep: reduce.property.not_grep.clone(),
    })
}

/// The test of the command line, with notes; [`TestSpec::Recorded`] if there is none and none is needed.
pub fn choose_test(
    reduce: &ReduceArgs,
    input: &InputFile,
) -> Result<(TestSpec, Vec<String>), CommandFailure> {
    let property = checked_property(reduce)?;
    if let Some(line) = &reduce.server.serve {
        return Ok((server_for_program(line, &property, input)?, Vec::new()));
    }
    let found = TestSpec::from_args(&property, reduce.test.as_deref(), input)?;
    found.map_or_else(|| without_test(reduce), Ok)
}

/// The same for several files.
pub fn choose_project_test(
    reduce: &ReduceArgs,
    test: Option<&Path>,
    project: &ProjectInput,
) -> Result<(TestSpec, Vec<String>), CommandFailure> {
    let property = checked_property(reduce)?;
    if let Some(line) = &reduce.server.serve {
        return Ok((server_for_project(line, &property, project)?, Vec::new()));
    }
    let found = TestSpec::for_project(&property, test, project)?;
    found.map_or_else(|| without_test(reduce), Ok)
}

/// The options of the property; fails where options contradict each other.
fn checked_property(reduce: &ReduceArgs) -> Result<PropertyArgs, CommandFailure> {
    if let Some((_, what)) = contradictions(reduce).iter().find(|(holds, _)| *holds) {
        return Err(CommandFailure::new(USAGE, what));
    }
    let mut property = reduce.property.clone();
    if reduce.record.verdicts.is_some() && !property.has_commands() {
        // They are about the logs, and a script decides by itself.
        (property.grep, property.not_grep) = (Vec::new(), Vec::new());
    }
    Ok(property)
}

/// A line without a test: right only where all verdicts are recorded.
fn without_test(reduce: &ReduceArgs) -> Result<(TestSpec, Vec<String>), CommandFailure> {
    match reduce.record.offline {
        true => Ok((TestSpec::Recorded, Vec::new())),
        false => Err(CommandFailure::new(
            USAGE,
            "type lop FILE TEST, or lop FILE -- COMMAND, or lop --help",
        )),
    }
}

/// What goes wrong with options about recorded verdicts: whether it does, and the message.
fn contradictions(reduce: &ReduceArgs) -> [(bool, &'static str); 13] {
    let PropertyArgs {
        grep,
        not_grep,
        exit,
        like,
        ..
    } = &reduce.property;
    let has_verdicts = reduce.record.verdicts.is_some();
    let (offline, run) = (reduce.record.offline, &reduce.run);
    let (has_cache, has_test) = (run.common.cache.is_some(), reduce.test.is_some());
    [
        (
            offline && !run.propose.propose.is_empty(),
            "--propose has candidates tested, and --offline tests nothing; leave out one of them",
        ),
        (
            has_verdicts && !reduce.property.differs.is_empty(),
            "--verdicts reads the log of one test, and --differs compares two commands; leave one of them out",
        ),
        (
            has_verdicts && grep.is_empty() && !not_grep.is_empty(),
            "--not-grep alone would hold for an empty log; add --grep RE: what the log of an interesting program has",
        ),
        (
            has_verdicts && (exit.is_some() || like.is_some()),
            "--verdicts reads logs, which have neither an exit status nor the output on the original; leave out --exit and --like",
        ),
        (
            offline && !has_verdicts && !has_cache,
            "--offline needs verdicts; add --verdicts DIR, or --cache DIR",
        ),
        (
            offline && reduce.property.has_commands(),
            "--offline runs no command, so it cannot find out how it fails; leave the command out, or --offline",
        ),
        (
            offline && has_cache && !has_test,
            "--cache keeps the verdicts of one test, and none is named; add its path after FILE, or leave out --cache",
        ),
        (
            offline && !has_test && !reduce.property.check.is_empty(),
            "--offline runs no check; leave out --check, or --offline",
        ),
        (
            offline && run.confirm.is_some(),
            "--offline runs no test, so --confirm has nothing to repeat; leave out one of them",
        ),
        (
            offline && reduce.also_interesting.is_some(),
            "--offline runs no test, so --also-interesting has no exit status to look at; leave out one of them",
        ),
        (
            offline && reduce.record.save_candidates.is_some(),
            "--offline tests no candidate, so --save-candidates has nothing to keep; leave out one of them",
        ),
        (
            reduce.record.save_candidates.is_some() && has_extension(reduce, "log"),
            "--save-candidates keeps what a test prints in files of the extension log, which FILE has; give FILE another name",
        ),
        (
            offline && run.timeout.is_some(),
            "--offline runs no test, so --timeout has nothing to limit; leave out one of them",
        ),
    ]
}

fn has_extension(reduce: &ReduceArgs, extension: &str) -> bool {
    let extension_of = |file: &PathBuf| file.extension().is_some_and(|own| own == extension);
    reduce.file.as_ref().is_some_and(extension_of)
}
