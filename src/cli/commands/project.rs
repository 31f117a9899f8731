//! `lop DIRECTORY TEST`, and `lop FILE FILE... TEST`: several files of one program.

use std::path::{Path, PathBuf};

use crate::cli::args::ReduceArgs;
use crate::cli::failure::{CommandFailure, OrFail, USAGE};
use crate::cli::launch::record_options;
use crate::cli::launch::test_spec::TestSpec;
use crate::session::{ProjectInput, RunInput};

/// The files as one input; their test; what to say first.
pub fn read_project(
    reduce: &ReduceArgs,
    files: &[&PathBuf],
    test: Option<&Path>,
) -> Result<(RunInput, TestSpec, Vec<String>), CommandFailure> {
    if let Some(what) = find_contradiction(reduce) {
        return Err(CommandFailure::new(USAGE, what));
    }
    let scope = reduce.project_scope();
    let project = match files {
        [directory] => ProjectInput::read_directory(directory, &scope),
        files => {
            let named: Vec<PathBuf> = files.iter().map(|file| file.to_path_buf()).collect();
            ProjectInput::read_files(&named, &scope)
        }
    };
    let mut project = project.or_fail(USAGE)?;
    let (test_spec, mut notes) = record_options::choose_project_test(reduce, test, &project)?;
    notes.append(&mut project.notes);
    let input = RunInput::Project(Box::new(project));
    Ok((input, test_spec, notes))
}

/// What options say that are for one file.
fn find_contradiction(reduce: &ReduceArgs) -> Option<&'static str> {
    let contradictions = [
        (
            reduce.tree.is_some(),
            "--tree is for one file; leave it out, or name one",
        ),
        (
            reduce.generator.generator.is_some(),
            "--generator is for one sequence of choices; name one file",
        ),
        (
            reduce.canonical,
            "--canonical is for one program; leave it out, or name one file",
        ),
        (
            reduce.record.verdicts.is_some(),
            "--verdicts knows the verdicts of one program; leave it out, or name one file",
        ),
        (
            reduce.record.save_candidates.is_some(),
            "--save-candidates keeps one file for each test; leave it out, or name one file",
        ),
    ];
    let found = contradictions.iter().find(|(holds, _)| *holds);
    found.map(|(_, what)| *what)
}
