//! `--in-place` for a project: at the end of its run the user's files become those of the result.
//!
//! Before the run the originals are copied into a directory beside it (`src.orig`). The result itself has a directory of its own, as always
//! (`src.lop`), which holds one whole version at any instant. The user's files change at the end alone, one after the other, each in one step: nothing
//! else in their directory moves, such as `.git` and what is ignored. After a kill in between, the resumed run changes the rest.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::directory_layout::{DirectoryLayout, TextDifference};
use super::file_names;
use super::history::SessionVersions;
use super::project_input::{IGNORE_FILE, ProjectInput};
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
    /// Of each file the texts that the run may replace: the original, and in a resumed run what an earlier end of it left.
    known: Vec<Vec<FileText>>,
}

/// Why the files of a project stay as they are.
#[derive(Debug, thiserror::Error)]
pub enum InPlaceError {
    /// The originals cannot be copied.
    #[error("the originals cannot be copied to {}: {source}; leave out --in-place", path.escape_hidden())]
    NoBackup {
        /// Where.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// Somebody has changed a file.
    #[error("{} changed during the run, so the files stay as they are; put it back from {} and resume the run, or copy the result from {}", path.escape_hidden(), original.escape_hidden(), result.escape_hidden())]
    Changed {
        /// The file.
        path: PathBuf,
        /// Where its original is kept.
        original: PathBuf,
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
    /// Copies the originals to `src.orig` beside the result in `src.lop`, or where that holds something else to `src.orig.1` or the next number,
    /// unless they are there already. Changes nothing of the project. `earlier` are the versions of a run that is resumed.
    ///
    /// # Errors
    /// If nothing can be written.
    pub fn back_up(
        project: &ProjectInput,
        result: &Path,
        difference: TextDifference,
        earlier: Option<&SessionVersions>,
    ) -> Result<InPlaceProject, InPlaceError> {
        let first = result.with_extension(BACKUP);
        let input = RunInput::Project(Box::new(project.clone()));
        // What a kill leaves of a copy has a temporary name of the result, and goes when that is claimed again.
        let layout = DirectoryLayout::for_input(&input, result, difference).with_owners(&input);
        let originals = project.files().iter();
        let originals: Vec<FileText> = originals.map(|file| Some(file.bytes.clone())).collect();
        let backup = copy_originals(&layout, &first, &originals)?;
        let there = project.files().iter().enumerate();
        let there: Vec<FileText> = there
            .map(|(at, file)| layout.read_file(at, &file.path))
            .collect();
        let left = earlier.map(|versions| find_left_texts(versions, &there, &originals));
        let mut known: Vec<Vec<FileText>> = originals.into_iter().map(|text| vec![text]).collect();
        for (known, left) in known.iter_mut().zip(left.into_iter().flatten()) {
            known.extend(left);
        }
        Ok(InPlaceProject {
            known,
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
        let texts = self.layout.read_result(&self.result);
        let texts = texts.map_err(|source| self.unwritable(&self.result, source))?;
        let mut changes = Vec::new();
        for (at, (file, text)) in self.project.files().iter().zip(&texts).enumerate() {
            let there = self.layout.read_file(at, &file.path);
            // Without the patterns of what is ignored, that would belong to the project of the next run.
            let is_ignore_file = file.path.file_name() == Some(OsStr::new(IGNORE_FILE));
            if there == *text || is_ignore_file {
                continue;
            }
            if !self.known[at].contains(&there) {
                return Err(InPlaceError::Changed {
                    path: file.named.clone(),
                    original: self.backup.join(file.test_path()),
                    result: self.result.clone(),
                });
            }
            changes.push((at, &*file.path, text));
        }
        let directories: BTreeSet<&Path> = changes
            .iter()
            .map(|(_, path, _)| file_names::parent_directory(path))
            .collect();
        for directory in directories {
            // What a kill left of an earlier end.
            self.layout.writer.remove_leftovers(directory);
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

/// Copies the originals to this directory or the next number that is free, unless one holds them.
fn copy_originals(
    layout: &DirectoryLayout,
    first: &Path,
    originals: &[FileText],
) -> Result<PathBuf, InPlaceError> {
    for path in file_names::numbered_paths(first) {
        if fs::symlink_metadata(&path).is_err() {
            return match layout.exchange_directory(&path, originals) {
                Ok(()) => Ok(path),
                Err(source) => Err(InPlaceError::NoBackup { path, source }),
            };
        }
        if layout
            .read_texts(&path)
            .is_some_and(|there| there == originals)
        {
            return Ok(path);
        }
    }
    unreachable!("numbers do not end")
}

/// Of each file the text that lies there, if it is not the original and a version of the run had it: an end of the run left it, or was killed while
/// it did so.
fn find_left_texts(
    versions: &SessionVersions,
    there: &[FileText],
    originals: &[FileText],
) -> Vec<Option<FileText>> {
    let mut left = vec![None; there.len()];
    let mut open: Vec<usize> = (0..there.len())
        .filter(|&at| there[at] != originals[at])
        .collect();
    let mut numbers: Vec<u64> = versions
        .all_versions()
        .map(|version| version.number)
        .collect();
    // Mostly it is one of the newest.
    numbers.sort_unstable();
    while let (false, Some(number)) = (open.is_empty(), numbers.pop()) {
        let Some(texts) = versions.document_texts(number) else {
            continue;
        };
        open.retain(|&at| {
            let is_its_own = texts.get(at) == Some(&there[at]);
            if is_its_own {
                left[at] = Some(there[at].clone());
            }
            !is_its_own
        });
    }
    left
}
