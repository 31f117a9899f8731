//! What a run reduces: one file, the two files of a pair, or the files of a project.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::input::InputFile;
use super::project_input::ProjectInput;
use crate::display::EscapeHidden;
use crate::oracle::TestFiles;
use crate::program::FileText;

/// The files that a run reduces, as they were when it began.
#[derive(Clone, Debug)]
pub enum RunInput {
    /// One program.
    Program(InputFile),
    /// A seed, and a variant of it.
    Pair([InputFile; 2]),
    /// Several files of one program.
    Project(Box<ProjectInput>),
}

impl RunInput {
    /// The numbers of the files that are symbolic links; the text of such a file is the path that it holds.
    pub fn links(&self) -> Vec<usize> {
        let files = self.files().iter().enumerate();
        files
            .filter(|(_, file)| file.is_link())
            .map(|(number, _)| number)
            .collect()
    }

    /// The files, in the order of the documents of their version.
    pub fn files(&self) -> &[InputFile] {
        match self {
            RunInput::Program(file) => std::slice::from_ref(file),
            RunInput::Pair(files) => files,
            RunInput::Project(project) => project.files(),
        }
    }

    /// The file that a run is named after: the program, the variant, which shows the bug, or the directory of a project.
    pub fn main_file(&self) -> &InputFile {
        match self {
            RunInput::Program(file) | RunInput::Pair([_, file]) => file,
            RunInput::Project(project) => project.main_file(),
        }
    }

    /// The files of a project; none if it is none.
    pub fn project(&self) -> Option<&ProjectInput> {
        match self {
            RunInput::Project(project) => Some(project),
            RunInput::Program(_) | RunInput::Pair(_) => None,
        }
    }

    /// The names of the files without directories, for a title; of a project its own.
    pub fn title(&self) -> String {
        if let RunInput::Project(project) = self {
            return project.title();
        }
        let files = self.files().iter();
        let names = files.map(|file| file.file_name().escape_hidden());
        names.collect::<Vec<_>>().join(" and ")
    }

    /// The same files with other texts, in their order.
    #[must_use]
    pub fn with_texts(mut self, texts: Vec<Arc<[u8]>>) -> RunInput {
        let files = match &mut self {
            RunInput::Program(file) => std::slice::from_mut(file),
            RunInput::Pair(files) => files,
            RunInput::Project(project) => project.files_mut(),
        };
        for (file, text) in files.iter_mut().zip(texts) {
            file.bytes = text;
        }
        self
    }

    /// The paths of all files, as tests see them.
    pub fn test_paths(&self) -> Vec<PathBuf> {
        let files = self.files().iter();
        files.map(|file| file.test_path().into()).collect()
    }

    /// Bytes of all files.
    pub fn byte_count(&self) -> u64 {
        let files = self.files().iter();
        files.map(|file| file.bytes.len() as u64).sum()
    }

    /// The files as a test sees them.
    pub fn original_files(&self) -> TestFiles {
        let files = self.files().iter();
        files
            .map(|file| (file.test_path().into(), file.bytes.clone()))
            .collect()
    }

    /// Other texts under the names of the files, in their order, as a test sees them: without the files that are gone.
    pub fn files_with_texts(&self, texts: impl IntoIterator<Item = FileText>) -> TestFiles {
        let files = self.files().iter().zip(texts);
        let there = files.filter_map(|(file, text)| Some((file.test_path().into(), text?)));
        there.collect()
    }
}

/// The paths as the user named them, for a sentence.
impl fmt::Display for RunInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunInput::Program(file) => write!(f, "{}", file.named.escape_hidden()),
            RunInput::Pair([seed, variant]) => write!(
                f,
                "{} and {}",
                seed.named.escape_hidden(),
                variant.named.escape_hidden()
            ),
            RunInput::Project(project) => write!(f, "{}", project.named().escape_hidden()),
        }
    }
}
