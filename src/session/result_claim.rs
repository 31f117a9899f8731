//! The place of a result is claimed for one run: a file, or for a pair or a project a directory.

use std::path::Path;

use super::directory_layout::{DirectoryLayout, TextDifference};
use super::output::OutputFile;
use super::output_choice::OutputChoice;
use super::output_directory::OutputDirectory;
use super::output_error::OutputError;
use super::output_sequence::OutputSequence;
use super::result_place::ResultPlace;
use super::run_input::RunInput;
use crate::oracle::ProgramMaker;

/// Looks whether the result can go there, and takes the place for this run. Writes nothing that stays. `test` is the user's test, if it is a
/// file, which must not be overwritten; `difference` writes the difference of a pair, and `maker` makes the program of a sequence of choices.
pub fn claim_result_place(
    choice: &OutputChoice,
    input: &RunInput,
    test: Option<&Path>,
    difference: TextDifference,
    maker: Option<ProgramMaker>,
) -> Result<Box<dyn ResultPlace>, OutputError> {
    Ok(match (input, maker) {
        (RunInput::Program(file), None) => Box::new(OutputFile::claim_path(choice, file, test)?),
        (RunInput::Program(file), Some(maker)) => {
            Box::new(OutputSequence::claim_paths(choice, file, test, maker)?)
        }
        (RunInput::Pair(_) | RunInput::Project(_), _) => {
            let layout = |path: &Path| DirectoryLayout::for_input(input, path, difference);
            Box::new(OutputDirectory::claim_path(choice, input, layout)?)
        }
    })
}
