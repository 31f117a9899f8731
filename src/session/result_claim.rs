//! The place of a result is claimed for one run: a file, or for a pair a directory.

use std::path::Path;

use super::output::OutputFile;
use super::output_choice::OutputChoice;
use super::output_directory::{OutputDirectory, TextDifference};
use super::output_error::OutputError;
use super::result_place::ResultPlace;
use super::run_input::RunInput;

/// Looks whether the result can go there, and takes the place for this run. Writes nothing that stays. `test` is the user's test, if it is a
/// file, which must not be overwritten; `difference` writes the difference of a pair.
pub fn claim_result_place(
    choice: &OutputChoice,
    input: &RunInput,
    test: Option<&Path>,
    difference: TextDifference,
) -> Result<Box<dyn ResultPlace>, OutputError> {
    Ok(match input {
        RunInput::Program(file) => Box::new(OutputFile::claim_path(choice, file, test)?),
        RunInput::Pair(pair) => Box::new(OutputDirectory::claim_path(choice, pair, difference)?),
    })
}
