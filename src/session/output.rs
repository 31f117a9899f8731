//! Where the result goes.

use crate::program::{FileText, text_bytes};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags};
use rustix::io::Errno;

use super::file_names;
use super::file_writer::{self, FilePermissions, FileWriter};
use super::input::InputFile;
use super::lock::{FileLock, LockAttempt};
use super::output_choice::{OutputChoice, to_absolute};
use super::output_error::OutputError;
use super::own_files::{self, irregular_kind};
use super::result_place::ResultPlace;
use super::run_input::RunInput;
use crate::display::EscapeHidden;

/// How many links in a row are followed, as in Linux.
const LINKS: u32 = 40;

/// The file that holds the best version, claimed for this run alone until this is dropped.
#[derive(Debug)]
pub struct OutputFile {
    named: PathBuf,
    path: PathBuf,
    rights: FilePermissions,
    in_place: bool,
    writer: FileWriter,
    lock: FileLock,
}

impl OutputFile {
    /// Looks whether the result can go there, and takes the place for this run. Writes nothing that stays. `test` is the user's test, if it is a file,
    /// which must not be overwritten.
    pub fn claim_path(
        choice: &OutputChoice,
        input: &InputFile,
        test: Option<&Path>,
    ) -> Result<OutputFile, OutputError> {
        let (named, in_place) = match choice {
            OutputChoice::Beside => (file_names::with_infix(&input.named, "lop"), false),
            OutputChoice::At(path) | OutputChoice::Program(path) => (path.clone(), false),
            OutputChoice::InPlace => (input.named.clone(), true),
            OutputChoice::Resumed(earlier) => (earlier.named.clone(), earlier.in_place),
        };
        let unwritable = |source| OutputError::Unwritable {
            path: named.clone(),
            source,
        };
        let path = follow_links(&named).map_err(unwritable)?;
        check_location(choice, &named, &path)?;
        if let Ok(there) = path.metadata() {
            if let Some(what) = irregular_kind(&there) {
                return Err(OutputError::NotAFile { path: named, what });
            }
            refuse_input_or_test(&named, &there, input, test, in_place)?;
        }
        let lock = acquire_lock(&named, &path)?;
        let writer = FileWriter::for_path(&path);
        if lock.is_exclusive() {
            writer.remove_leftovers(file_names::parent_directory(&path));
        }
        writer.check_writable(&path).map_err(unwritable)?;
        // Only for the message of another lop.
        let _ = lock.write_holder("");
        let rights = FilePermissions {
            mode: Some(input.mode),
            owner: in_place.then_some(input.owner),
        };
        Ok(OutputFile {
            named,
            path,
            rights,
            in_place,
            writer,
            lock,
        })
    }

    /// The file that is written where this is the output: all links followed, as far as there is something.
    ///
    /// # Errors
    /// When links lead in a circle.
    pub fn resolve_target(path: &Path) -> io::Result<PathBuf> {
        let path = follow_links(&std::path::absolute(path)?)?;
        let directory = file_names::parent_directory(&path).canonicalize();
        Ok(match (directory, path.file_name()) {
            (Ok(directory), Some(name)) => directory.join(name),
            _ => path,
        })
    }

    /// Replaces the file; the error names it.
    fn replace_or_explain(&self, bytes: &[u8]) -> Result<(), OutputError> {
        let replaced = self.replace_contents(bytes);
        replaced.map_err(|source| self.explain_unwritable(source))
    }

    fn explain_unwritable(&self, source: io::Error) -> OutputError {
        OutputError::Unwritable {
            path: self.named.clone(),
            source,
        }
    }

    /// Replaces the file, in one step.
    fn replace_contents(&self, bytes: &[u8]) -> io::Result<()> {
        self.writer.replace_file(&self.path, bytes, self.rights)
    }

    fn beside_path(&self, number: u32) -> PathBuf {
        file_names::with_infix(&self.path, &file_names::smallest_word(number))
    }

    /// An output that exists becomes `bug.lop.1.c`, or the next number that is free; unless its bytes are kept already, there or in the
    /// input.
    fn back_up_existing(&self, input: &InputFile) -> Result<Vec<String>, OutputError> {
        if has_same_bytes(&self.path, &input.path) {
            return Ok(Vec::new());
        }
        rename_to_numbered(&self.named, &self.path, has_same_bytes)
    }

    /// The input's bytes as `bug.c.orig`. One that exists is never touched: after a first run with `--in-place` it is the true
    /// original, and the input of this run a smaller one. That may have been changed by hand since, so it is kept too, under the next
    /// number that is free.
    fn keep_original(&self, input: &InputFile) -> Result<Vec<String>, OutputError> {
        // The file may have been edited while the test ran on the original.
        if own_files::read_own_file(&self.path).is_ok_and(|now| *now != *input.bytes) {
            return Err(OutputError::Changed(self.named.clone()));
        }
        let first = file_names::with_suffix(&self.path, "orig");
        let mut said = Vec::new();
        for kept in file_names::numbered_paths(&first) {
            let name = kept.escape_hidden();
            match self.writer.create_file(&kept, &input.bytes, self.rights) {
                Ok(()) => said.push(format!("the original is kept as {name}")),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    // A link may lead to the input itself, and a pipe would block: neither keeps anything.
                    let there = own_files::read_own_file(&kept);
                    if there.as_ref().is_ok_and(|bytes| **bytes == *input.bytes) {
                        said.push(format!(
                            "{name} is there already and holds this very original"
                        ));
                    } else {
                        if kept == first {
                            said.push(match there {
                                Ok(_) => format!("{name} is there already, from an earlier run; it stays as it is"),
                                Err(error) => format!("{name} is there already, and stays as it is: {error}"),
                            });
                        }
                        continue;
                    }
                }
                Err(source) => {
                    return Err(OutputError::CannotKeep {
                        old: self.named.clone(),
                        kept,
                        source,
                    });
                }
            }
            break;
        }
        Ok(said)
    }
}

impl ResultPlace for OutputFile {
    fn named_path(&self) -> &Path {
        &self.named
    }

    fn link_target(&self) -> Option<PathBuf> {
        (self.path != self.named).then(|| to_absolute(&self.path))
    }

    fn record_session(&self, session: &str) {
        let _ = self.lock.write_holder(session);
    }

    fn write_original(&self, input: &RunInput) -> Result<Vec<String>, OutputError> {
        let input = input.main_file();
        let said = if self.in_place {
            self.keep_original(input)?
        } else {
            self.back_up_existing(input)?
        };
        self.replace_or_explain(&input.bytes)?;
        Ok(said)
    }

    fn write_resumed(
        &self,
        kept: &[FileText],
        is_its_own: &dyn Fn(&[FileText]) -> bool,
    ) -> Result<Vec<String>, OutputError> {
        let there = match own_files::read_own_file(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read.map_err(|source| self.explain_unwritable(source))?,
        };
        let there = [Some(there.into())];
        if only_text(&there) == only_text(kept) {
            return Ok(Vec::new());
        }
        let said = match only_text(&there).is_empty() || is_its_own(&there) {
            true => Vec::new(),
            false => rename_to_numbered(&self.named, &self.path, has_same_bytes)?,
        };
        self.replace_or_explain(only_text(kept))?;
        Ok(said)
    }

    fn replace_texts(&self, texts: &[FileText]) -> io::Result<()> {
        self.replace_contents(only_text(texts))
    }

    fn write_beside(&self, last: Option<&Path>, texts: &[FileText]) -> io::Result<PathBuf> {
        let bytes = only_text(texts);
        if let Some(path) = last {
            self.writer.replace_file(path, bytes, self.rights)?;
            return Ok(path.to_path_buf());
        }
        for number in 0.. {
            let path = self.beside_path(number);
            match self.writer.create_file(&path, bytes, self.rights) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                done => return done.map(|()| path),
            }
        }
        unreachable!("numbers do not end")
    }

    fn remove_beside(&self, path: &Path) {
        let _ = fs::remove_file(path);
    }

    fn versions_beside(&self) -> Vec<(PathBuf, Vec<FileText>)> {
        let paths = (0..).map(|number| self.beside_path(number));
        let there = paths.map_while(|path| {
            let bytes = own_files::read_own_file(&path).ok()?;
            Some((path, vec![Some(bytes.into())]))
        });
        there.collect()
    }

    fn write_fallback(&self, texts: &[FileText]) -> io::Result<PathBuf> {
        let directory = file_writer::create_fallback_directory()?;
        let path = directory.join(self.path.file_name().unwrap_or_default());
        let rights = FilePermissions {
            owner: None,
            ..self.rights
        };
        self.writer.create_file(&path, only_text(texts), rights)?;
        Ok(path)
    }
}

/// The text of a program of one document.
pub(super) fn only_text(texts: &[FileText]) -> &[u8] {
    texts.first().map_or(&[], text_bytes)
}

/// What is at `path` gets the next number that is free, unless what has one `holds_same`. Returns what was kept, in sentences.
pub(super) fn rename_to_numbered(
    named: &Path,
    path: &Path,
    holds_same: fn(&Path, &Path) -> bool,
) -> Result<Vec<String>, OutputError> {
    for number in 1.. {
        let kept = file_names::with_infix(path, &number.to_string());
        match rename_to_new(path, &kept) {
            Ok(()) => {
                return Ok(vec![format!(
                    "{} was there already; it is kept as {}",
                    named.escape_hidden(),
                    kept.escape_hidden()
                )]);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if holds_same(path, &kept) {
                    return Ok(vec![format!(
                        "{} was there already; it is kept as {}, which holds the same",
                        named.escape_hidden(),
                        kept.escape_hidden()
                    )]);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => break,
            Err(source) => {
                return Err(OutputError::CannotKeep {
                    old: named.to_path_buf(),
                    kept,
                    source,
                });
            }
        }
    }
    Ok(Vec::new())
}

/// Fails where no result can go: to a directory, into one that does not exist, or behind a link that the user did not name.
fn check_location(choice: &OutputChoice, named: &Path, path: &Path) -> Result<(), OutputError> {
    let named = named.to_path_buf();
    if path.file_name().is_none() || named.as_os_str().as_encoded_bytes().ends_with(b"/") {
        let what = "a directory";
        return Err(OutputError::NotAFile { path: named, what });
    }
    check_link_and_parent(choice, &named, path)
}

/// Fails behind a link that the user did not name, and in a directory that does not exist.
pub(super) fn check_link_and_parent(
    choice: &OutputChoice,
    named: &Path,
    path: &Path,
) -> Result<(), OutputError> {
    let named = named.to_path_buf();
    if !choice.allows_path(&named, path) {
        let to = path.to_path_buf();
        return Err(OutputError::Link {
            path: named,
            to,
            is_resumed: matches!(choice, OutputChoice::Resumed(_)),
        });
    }
    let directory = file_names::parent_directory(path);
    if !directory.is_dir() {
        return Err(OutputError::NoDirectory {
            directory: directory.to_path_buf(),
            path: named,
        });
    }
    Ok(())
}

/// Fails where the output would take the place of the input or of the test, unless it is meant to.
fn refuse_input_or_test(
    named: &Path,
    there: &fs::Metadata,
    input: &InputFile,
    test: Option<&Path>,
    in_place: bool,
) -> Result<(), OutputError> {
    let identity = |about: &fs::Metadata| (about.dev(), about.ino());
    let test = test.and_then(|test| test.metadata().ok());
    match () {
        () if in_place => Ok(()),
        () if identity(there) == input.identity => Err(OutputError::IsInput(named.to_path_buf())),
        () if test.is_some_and(|test| identity(&test) == identity(there)) => {
            Err(OutputError::IsTest(named.to_path_buf()))
        }
        () => Ok(()),
    }
}

/// The lock of a result at `path`, which leads from `named`. Fails where another lop has it.
pub(super) fn acquire_lock(named: &Path, path: &Path) -> Result<FileLock, OutputError> {
    let named = named.to_path_buf();
    match FileLock::acquire_for_output(path) {
        Ok(LockAttempt::Acquired(lock)) => Ok(lock),
        Ok(LockAttempt::Held(holder)) => Err(OutputError::Busy {
            path: named,
            holder,
        }),
        Err(source) => Err(OutputError::Unwritable {
            path: named,
            source,
        }),
    }
}

/// The file that a path leads to, links followed, also where the last link leads to nothing yet.
pub(super) fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(link) => path = path.parent().unwrap_or(Path::new("")).join(link),
            // Not a link, or nothing there.
            Err(_) => return Ok(path),
        }
    }
    Err(Errno::LOOP.into())
}

/// Whether `kept` is a file of its own, and holds what `file` holds. A link is none: it may lead to `file` itself. Where one cannot be
/// read, they differ.
pub(super) fn has_same_bytes(file: &Path, kept: &Path) -> bool {
    let length = |path: &Path| {
        let about = fs::symlink_metadata(path).ok()?;
        about.is_file().then_some(about.len())
    };
    let bytes = || [file, kept].map(own_files::read_own_file);
    let same_length = length(file).is_some() && length(file) == length(kept);
    same_length && matches!(bytes(), [Ok(one), Ok(other)] if one == other)
}

/// Renames a file unless the new name is taken; then fails with `AlreadyExists`.
pub(super) fn rename_to_new(old: &Path, new: &Path) -> io::Result<()> {
    match rustix::fs::renameat_with(CWD, old, CWD, new, RenameFlags::NOREPLACE) {
        // Not every file system can do it in one step. The lock keeps other lops away between these two.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => match fs::symlink_metadata(new) {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(old, new),
        },
        renamed => Ok(renamed?),
    }
}
