//! The place of a result that is a sequence of choices: its bytes in one file, and in a second one beside it the program that the generator
//! makes of them. Both pass the test. They are replaced one after the other, the program first.
//!
//! The texts of versions are listings of the choices (`protocol/choice_listing.rs`).

use std::io;
use std::path::{Path, PathBuf};

use super::file_names;
use super::input::InputFile;
use super::output::{OutputFile, only_text};
use super::output_choice::OutputChoice;
use super::output_error::OutputError;
use super::own_files;
use super::result_place::ResultPlace;
use super::run_input::RunInput;
use crate::oracle::ProgramMaker;
use crate::program::{FileText, text_bytes};
use crate::protocol::{list_choices, read_choices};

/// The two files, claimed for this run alone until this is dropped.
pub struct OutputSequence {
    sequence: OutputFile,
    program: OutputFile,
    maker: ProgramMaker,
}

impl OutputSequence {
    /// Looks whether both can go there, and takes the places for this run. Writes nothing that stays.
    pub fn claim_paths(
        choice: &OutputChoice,
        input: &InputFile,
        test: Option<&Path>,
        maker: ProgramMaker,
    ) -> Result<OutputSequence, OutputError> {
        let sequence = OutputFile::claim_path(choice, input, test)?;
        let named = sequence.named_path();
        let beside = file_names::with_infix(&named.with_file_name(maker.program_name()), "lop");
        if OutputFile::resolve_target(&beside).ok() == OutputFile::resolve_target(named).ok() {
            return Err(OutputError::IsProgram(beside));
        }
        let program = OutputFile::claim_path(&OutputChoice::Program(beside), input, test)?;
        Ok(OutputSequence {
            sequence,
            program,
            maker,
        })
    }

    /// The program of a listing; the error names its file.
    fn make_or_explain(&self, listing: &[u8]) -> Result<Vec<u8>, OutputError> {
        let made = self.maker.make_program(listing);
        let made = made.map_err(|source| OutputError::Unwritable {
            path: self.program.named_path().to_path_buf(),
            source,
        })?;
        Ok(made.to_vec())
    }

    /// Whether the program that is there is the one of this sequence.
    fn holds_program_of(&self, listing: &[u8], there: &[FileText]) -> bool {
        let made = self.maker.make_program(listing);
        made.is_ok_and(|made| *only_text(there) == *made)
    }
}

impl ResultPlace for OutputSequence {
    fn named_path(&self) -> &Path {
        self.sequence.named_path()
    }

    fn program_path(&self) -> Option<&Path> {
        Some(self.program.named_path())
    }

    fn link_target(&self) -> Option<PathBuf> {
        self.sequence.link_target()
    }

    fn record_session(&self, session: &str) {
        self.sequence.record_session(session);
        self.program.record_session(session);
    }

    fn write_original(&self, input: &RunInput) -> Result<Vec<String>, OutputError> {
        let file = input.main_file();
        let with_bytes = |bytes: Vec<u8>| {
            RunInput::Program(InputFile {
                bytes: bytes.into(),
                ..file.clone()
            })
        };
        let program = with_bytes(self.make_or_explain(&file.bytes)?);
        let mut said = self.program.write_original(&program)?;
        said.extend(
            self.sequence
                .write_original(&with_bytes(to_bytes(&file.bytes)))?,
        );
        Ok(said)
    }

    fn write_resumed(
        &self,
        kept: &[FileText],
        is_its_own: &dyn Fn(&[FileText]) -> bool,
    ) -> Result<Vec<String>, OutputError> {
        let there = own_files::read_own_file(self.sequence.named_path());
        let there = Some(list_choices(&there.unwrap_or_default()).into());
        let is_own_program = |texts: &[FileText]| {
            is_its_own(std::slice::from_ref(&there))
                && self.holds_program_of(text_bytes(&there), texts)
        };
        let program = self.make_or_explain(only_text(kept))?;
        let mut said = self
            .program
            .write_resumed(&[Some(program.into())], &is_own_program)?;
        let is_own_sequence = |texts: &[FileText]| is_its_own(&to_listings(texts));
        said.extend(
            self.sequence
                .write_resumed(&all_to_bytes(kept), &is_own_sequence)?,
        );
        Ok(said)
    }

    fn replace_texts(&self, texts: &[FileText]) -> io::Result<()> {
        let program = self.maker.make_program(only_text(texts))?;
        self.program
            .replace_texts(&[Some(program.to_vec().into())])?;
        self.sequence.replace_texts(&all_to_bytes(texts))
    }

    fn write_beside(&self, last: Option<&Path>, texts: &[FileText]) -> io::Result<PathBuf> {
        self.sequence.write_beside(last, &all_to_bytes(texts))
    }

    fn remove_beside(&self, path: &Path) {
        self.sequence.remove_beside(path);
    }

    fn versions_beside(&self) -> Vec<(PathBuf, Vec<FileText>)> {
        let versions = self.sequence.versions_beside().into_iter();
        versions
            .map(|(path, texts)| (path, to_listings(&texts)))
            .collect()
    }

    fn write_fallback(&self, texts: &[FileText]) -> io::Result<PathBuf> {
        self.sequence.write_fallback(&all_to_bytes(texts))
    }
}

/// The bytes of a listing. What is none, which no test passes, stays as it is.
fn to_bytes(listing: &[u8]) -> Vec<u8> {
    read_choices(listing).unwrap_or_else(|| listing.to_vec())
}

fn all_to_bytes(listings: &[FileText]) -> Vec<FileText> {
    vec![Some(to_bytes(only_text(listings)).into())]
}

fn to_listings(texts: &[FileText]) -> Vec<FileText> {
    vec![Some(list_choices(only_text(texts)).into())]
}
