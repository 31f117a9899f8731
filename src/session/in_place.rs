//! `--in-place` for a project: at the end of its run the user's files become those of the result.
//!
//! Before the run the originals are copied into a directory beside it (`src.orig`). The result itself has a directory of its own, as always
//! (`src.lop`), which holds one whole version at any instant. The user's files change at the end alone, one after the other, each in one step: nothing
//! else in their directory moves, such as `.git` and what is ignored. After a kill in between, the resumed run changes the rest.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::directory_layout::{DirectoryLayout, TextDifference};
use super::project_input::ProjectInput;
use super::run_input::RunInput;
use crate::display::{EscapeHidden, format_count};
use crate::program::FileText;

/// The extension of the directory with the originals.
const BACKUP: &str = "orig";

/// The files of a project that become those of its result when the run ends.
#[derive(Debug)]
pub struct InPlaceProject {
    project: ProjectInput,
    layout: DirectoryLayout,
    result: PathBuf,
    backup: PathBuf,
    /// The texts that the run may replace: the originals, the version at its start, and what an earlier end of it left.
    known: Vec<Vec<FileText>>,
}

/// Why the files of a project stay as they are.
#[derive(Debug, thiserror::Error)]
pub enum InPlaceError {
    /// There is something else in the place of the originals.
    #[error("{} exists and holds something else than the originals of this run; move it away, or leave out --in-place", .0.escape_hidden())]
    OtherBackup(PathBuf),
    /// The originals cannot be copied.
    #[error("the originals cannot be copied to {}: {source}; leave out --in-place", path.escape_hidden())]
    NoBackup {
        /// Where.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// Somebody has changed a file.
    #[error("{} changed during the run, so the files stay as they are; the result is in {}", path.escape_hidden(), result.escape_hidden())]
    Changed {
        /// The file.
        path: PathBuf,
        /// The directory of the result.
        result: PathBuf,
    },
    /// The result cannot be read, or a file cannot be written.
    #[error("{} cannot become what it is in {}: {source}; copy the result yourself", path.escape_hidden(), result.escape_hidden())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The directory of the result.
        result: PathBuf,
        /// The system's words.
        source: io::Error,
    },
}

impl InPlaceProject {
    /// Copies the originals to `src.orig` beside the result in `src.lop`, unless they are there already. Changes nothing of the project.
    /// `is_its_own` says whether texts are those of a version of this run.
    ///
    /// # Errors
    /// If something else is there, or nothing can be written.
    pub fn back_up(
        project: &ProjectInput,
        result: &Path,
        difference: TextDifference,
        is_its_own: &dyn Fn(&[FileText]) -> bool,
    ) -> Result<InPlaceProject, InPlaceError> {
        let backup = result.with_extension(BACKUP);
        let input = RunInput::Project(Box::new(project.clone()));
        let layout = DirectoryLayout::for_input(&input, &backup, difference);
        let originals = project.files().iter();
        let originals: Vec<FileText> = originals.map(|file| Some(file.bytes.clone())).collect();
        if fs::symlink_metadata(&backup).is_err() {
            let copied = layout.exchange_directory(&backup, &originals);
            copied.map_err(|source| InPlaceError::NoBackup {
                path: backup.clone(),
                source,
            })?;
        } else if layout.read_texts(&backup).as_ref() != Some(&originals) {
            return Err(InPlaceError::OtherBackup(backup));
        }
        let files = project.files().iter().enumerate();
        let there: Vec<FileText> = files
            .map(|(at, file)| layout.read_file(at, &file.path))
            .collect();
        let left = is_its_own(&there).then_some(there);
        let at_start = layout.read_texts(result);
        let known = [Some(originals), at_start, left].into_iter().flatten();
        Ok(InPlaceProject {
            known: known.collect(),
            project: project.clone(),
            layout,
            result: result.to_path_buf(),
            backup,
        })
    }

    /// A sentence about it for the start of a run.
    pub fn announce(&self) -> String {
        format!(
            "at its end {} becomes the result; {} holds the originals",
            self.name(),
            self.backup.escape_hidden()
        )
    }

    /// Makes the files what they are in the directory of the result: they change, or go, with the directories that are empty then.
    /// Returns a sentence about it.
    ///
    /// # Errors
    /// If a file is none that the run may replace, because somebody changed it (no file changes then), or cannot be written.
    pub fn install_result(&self) -> Result<String, InPlaceError> {
        let unreadable = || self.unwritable(&self.result, io::ErrorKind::NotFound.into());
        let texts = self.layout.read_texts(&self.result);
        let texts = texts.ok_or_else(unreadable)?;
        let mut changes = Vec::new();
        for (at, (file, text)) in self.project.files().iter().zip(&texts).enumerate() {
            let there = self.layout.read_file(at, &file.path);
            if there == *text {
                continue;
            }
            if !self.known.iter().any(|known| known[at] == there) {
                return Err(InPlaceError::Changed {
                    path: file.named.clone(),
                    result: self.result.clone(),
                });
            }
            changes.push((at, &*file.path, text));
        }
        for (_, path, _) in &changes {
            // What a kill left of an earlier end.
            self.layout.remove_leftovers_beside(path);
        }
        let gone = changes.iter().filter(|(_, _, text)| text.is_none()).count();
        let changed = changes.len() - gone;
        for (at, path, text) in changes {
            let installed = match text {
                Some(text) => self.layout.replace_file(at, path, text),
                None => fs::remove_file(path),
            };
            installed.map_err(|source| self.unwritable(path, source))?;
            if text.is_none() {
                self.remove_empty_directories(path);
            }
        }
        Ok(format!(
            "{} is the result now: {} changed, {gone} removed; {} holds the originals",
            self.name(),
            format_count(changed as u64, "file"),
            self.backup.escape_hidden()
        ))
    }

    /// The directory, or the first file and how many more.
    fn name(&self) -> String {
        let named = self.project.named().escape_hidden();
        match (self.project.is_directory(), self.project.files().len()) {
            (true, _) | (false, 1) => named.into_owned(),
            (false, files) => format!(
                "{named} with {}",
                format_count(files as u64 - 1, "other file")
            ),
        }
    }

    fn unwritable(&self, path: &Path, source: io::Error) -> InPlaceError {
        InPlaceError::Unwritable {
            path: path.to_path_buf(),
            result: self.result.clone(),
            source,
        }
    }

    /// Removes the directories around a file that are empty now, up to that of the project.
    fn remove_empty_directories(&self, path: &Path) {
        if !self.project.is_directory() {
            return;
        }
        let root = &self.project.main_file().path;
        let around = path.ancestors().skip(1);
        for directory in around.take_while(|directory| *directory != root) {
            if fs::remove_dir(directory).is_err() {
                break;
            }
        }
    }
}
