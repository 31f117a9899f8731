//! The result of a pair: a directory that is exchanged as a whole, because one of its files alone proves nothing.
//!
//! A new directory is filled beside the old one and synced; then the two change their names in one step. So at any instant the directory holds
//! one whole version, whatever kills lop. What a kill left beside it is removed under the lock of the next run. A file system that cannot
//! exchange two names has an instant without the directory.
//!
//! Entries that lop did not make are refused before a run; those that somebody adds meanwhile move into each new directory.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags};
use rustix::io::Errno;

use super::file_names;
use super::file_writer::{self, FilePermissions, FileWriter};
use super::input::InputFile;
use super::lock::{FileLock, LockAttempt};
use super::output::{self, OutputChoice, OutputError};
use super::own_files::{self, irregular_kind};
use super::result_place::ResultPlace;
use super::run_input::RunInput;
use crate::display::EscapeHidden;

/// The name of the file with the difference.
const DIFFERENCE: &str = "difference.diff";

/// Writes the difference of two texts: the old one, the new one, and the name of each.
pub type TextDifference = fn(&[u8], &[u8], &str, &str) -> Vec<u8>;

/// The directory that holds the best version of a pair, claimed for this run alone until this is dropped.
#[derive(Debug)]
pub struct OutputDirectory {
    named: PathBuf,
    path: PathBuf,
    layout: PairLayout,
    writer: FileWriter,
    lock: FileLock,
}

/// The files of a result: the seed, the variant, and their difference.
#[derive(Clone, Debug)]
struct PairLayout {
    names: [OsString; 3],
    rights: [FilePermissions; 3],
    difference: TextDifference,
}

impl PairLayout {
    fn new([seed, variant]: &[InputFile; 2], difference: TextDifference) -> PairLayout {
        let (first, second) = (seed.file_name(), variant.file_name());
        let marked = |mark: &str, name: &OsStr| {
            let mut marked = OsString::from(mark);
            marked.push(name);
            marked
        };
        let names = match first == second || [first, second].contains(&OsStr::new(DIFFERENCE)) {
            true => [marked("seed-", first), marked("variant-", second)],
            false => [first.into(), second.into()],
        };
        let rights = |file: &InputFile| FilePermissions {
            mode: Some(file.mode),
            owner: None,
        };
        let [first, second] = names;
        PairLayout {
            names: [first, second, DIFFERENCE.into()],
            rights: [rights(seed), rights(variant), FilePermissions::default()],
            difference,
        }
    }

    /// The texts of all files.
    fn all_texts(&self, texts: &[Vec<u8>]) -> io::Result<[Vec<u8>; 3]> {
        let [seed, variant] = texts else {
            return Err(io::Error::other("a pair has two programs"));
        };
        let name = |at: usize| Path::new(&self.names[at]).escape_hidden().into_owned();
        let difference = (self.difference)(seed, variant, &name(0), &name(1));
        Ok([seed.clone(), variant.clone(), difference])
    }

    /// The programs in a directory of this layout; none if it is not complete.
    fn read_programs(&self, directory: &Path) -> Option<Vec<Vec<u8>>> {
        let mut programs = Vec::new();
        for name in &self.names[..2] {
            programs.push(own_files::read_own_file(&directory.join(name)).ok()?);
        }
        Some(programs)
    }

    /// Whether an entry of a directory is a file of a result.
    fn is_own(&self, entry: &fs::DirEntry) -> bool {
        entry.file_type().is_ok_and(|kind| kind.is_file())
            && self.names.contains(&entry.file_name())
    }

    /// Removes a directory of a result. Entries that are not its own move to `home`, or else stay with it.
    fn dissolve(&self, directory: &Path, home: &Path) {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            // What cannot be removed or moved stays where it is.
            let _ = match self.is_own(&entry) {
                true => fs::remove_file(entry.path()),
                false => output::rename_to_new(&entry.path(), &home.join(entry.file_name())),
            };
        }
        let _ = fs::remove_dir(directory);
    }
}

impl OutputDirectory {
    /// Looks whether the result can go there, and takes the place for this run. A directory that holds nothing but a result may be there
    /// already. Writes nothing that stays.
    pub fn claim_path(
        choice: &OutputChoice,
        pair: &[InputFile; 2],
        difference: TextDifference,
    ) -> Result<OutputDirectory, OutputError> {
        let named = match choice {
            OutputChoice::Beside | OutputChoice::InPlace => pair[1].named.with_extension("lop"),
            OutputChoice::At(path) => path.components().collect(),
            OutputChoice::Resumed(earlier) => earlier.named.clone(),
        };
        let unwritable = |source| OutputError::Unwritable {
            path: named.clone(),
            source,
        };
        let path = output::follow_links(&named).map_err(unwritable)?;
        if path.file_name().is_none() {
            let what = "not a directory that can be replaced";
            return Err(OutputError::NotADirectory { path: named, what });
        }
        output::check_link_and_parent(choice, &named, &path)?;
        let layout = PairLayout::new(pair, difference);
        let lock = match FileLock::acquire_for_output(&path).map_err(unwritable)? {
            LockAttempt::Acquired(lock) => lock,
            LockAttempt::Held(holder) => {
                return Err(OutputError::Busy {
                    path: named,
                    holder,
                });
            }
        };
        refuse_foreign_entries(&named, &path, &layout, pair)?;
        let writer = FileWriter::for_path(&path);
        if lock.is_exclusive() {
            let parent = file_names::parent_directory(&path);
            for left in writer.leftover_directories(parent) {
                layout.dissolve(&left, &path);
            }
        }
        writer.check_writable(&path).map_err(unwritable)?;
        // Only for the message of another lop.
        let _ = lock.write_holder("");
        Ok(OutputDirectory {
            named,
            path,
            layout,
            writer,
            lock,
        })
    }

    /// Fills a new directory beside `path`, complete and on the disk.
    fn write_temporary(&self, path: &Path, texts: &[Vec<u8>]) -> io::Result<tempfile::TempDir> {
        let texts = self.layout.all_texts(texts)?;
        let directory = self.writer.create_temporary_directory(path)?;
        let files = self
            .layout
            .names
            .iter()
            .zip(&self.layout.rights)
            .zip(&texts);
        for ((name, rights), text) in files {
            self.writer
                .create_file(&directory.path().join(name), text, *rights)?;
        }
        Ok(directory)
    }

    /// Puts a directory with these texts in the place of the one at `path`, or where nothing is.
    fn exchange_directory(&self, path: &Path, texts: &[Vec<u8>]) -> io::Result<()> {
        let new = self.write_temporary(path, texts)?;
        if let Ok(about) = fs::symlink_metadata(path) {
            let _ = fs::set_permissions(new.path(), about.permissions());
        }
        match rustix::fs::renameat_with(CWD, new.path(), CWD, path, RenameFlags::EXCHANGE) {
            Ok(()) => {
                // What has the name now is the old directory.
                self.layout.dissolve(&new.keep(), path);
            }
            Err(Errno::NOENT) => {
                output::rename_to_new(new.path(), path)?;
                let _ = new.keep();
            }
            // The file system cannot exchange.
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                let old = self.writer.create_temporary_directory(path)?;
                fs::rename(path, old.path())?;
                fs::rename(new.path(), path)?;
                let _ = new.keep();
                self.layout.dissolve(&old.keep(), path);
            }
            Err(error) => return Err(error.into()),
        }
        file_writer::sync_directory(path);
        Ok(())
    }

    /// A directory that exists becomes `bug.1.lop`, or the next number that is free; unless its programs are these already.
    fn keep_existing(&self, texts: &[Vec<u8>]) -> Result<Vec<String>, OutputError> {
        let there = self.layout.read_programs(&self.path);
        if there.is_some_and(|there| there == texts) || is_empty_or_missing(&self.path) {
            return Ok(Vec::new());
        }
        output::rename_to_numbered(&self.named, &self.path)
    }

    fn beside_path(&self, number: u32) -> PathBuf {
        file_names::with_infix(&self.path, &file_names::smallest_word(number))
    }
}

impl ResultPlace for OutputDirectory {
    fn named_path(&self) -> &Path {
        &self.named
    }

    fn link_target(&self) -> Option<PathBuf> {
        (self.path != self.named).then(|| output::to_absolute(&self.path))
    }

    fn record_session(&self, session: &str) {
        let _ = self.lock.write_holder(session);
    }

    fn write_original(&self, input: &RunInput) -> Result<Vec<String>, OutputError> {
        let texts: Vec<Vec<u8>> = input
            .files()
            .iter()
            .map(|file| file.bytes.to_vec())
            .collect();
        let said = self.keep_existing(&texts)?;
        self.replace_or_explain(&texts)?;
        Ok(said)
    }

    fn write_resumed(
        &self,
        kept: &[Vec<u8>],
        is_its_own: &dyn Fn(&[Vec<u8>]) -> bool,
    ) -> Result<Vec<String>, OutputError> {
        let there = self.layout.read_programs(&self.path);
        let said = match there {
            Some(there) if is_its_own(&there) => Vec::new(),
            _ => self.keep_existing(kept)?,
        };
        self.replace_or_explain(kept)?;
        Ok(said)
    }

    fn replace_texts(&self, texts: &[Vec<u8>]) -> io::Result<()> {
        self.exchange_directory(&self.path, texts)
    }

    fn write_beside(&self, last: Option<&Path>, texts: &[Vec<u8>]) -> io::Result<PathBuf> {
        if let Some(path) = last {
            self.exchange_directory(path, texts)?;
            return Ok(path.to_path_buf());
        }
        for number in 0.. {
            let path = self.beside_path(number);
            if fs::symlink_metadata(&path).is_err() {
                self.exchange_directory(&path, texts)?;
                return Ok(path);
            }
        }
        unreachable!("numbers do not end")
    }

    fn remove_beside(&self, path: &Path) {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            if self.layout.is_own(&entry) {
                let _ = fs::remove_file(entry.path());
            }
        }
        let _ = fs::remove_dir(path);
    }

    fn versions_beside(&self) -> Vec<(PathBuf, Vec<Vec<u8>>)> {
        let paths = (0..).map(|number| self.beside_path(number));
        let there =
            paths.take_while(|path| fs::symlink_metadata(path).is_ok_and(|about| about.is_dir()));
        let programs = there.filter_map(|path| {
            let programs = self.layout.read_programs(&path)?;
            Some((path, programs))
        });
        programs.collect()
    }

    fn write_fallback(&self, texts: &[Vec<u8>]) -> io::Result<PathBuf> {
        let directory = file_writer::create_fallback_directory()?;
        let texts = self.layout.all_texts(texts)?;
        for ((name, rights), text) in self
            .layout
            .names
            .iter()
            .zip(&self.layout.rights)
            .zip(&texts)
        {
            self.writer
                .create_file(&directory.join(name), text, *rights)?;
        }
        Ok(directory)
    }
}

impl OutputDirectory {
    fn replace_or_explain(&self, texts: &[Vec<u8>]) -> Result<(), OutputError> {
        self.replace_texts(texts)
            .map_err(|source| OutputError::Unwritable {
                path: self.named.clone(),
                source,
            })
    }
}

fn is_empty_or_missing(path: &Path) -> bool {
    fs::read_dir(path).map_or(true, |mut entries| entries.next().is_none())
}

/// Fails where something is that no result may replace: a file, a directory with other entries, or the directory of the inputs.
fn refuse_foreign_entries(
    named: &Path,
    path: &Path,
    layout: &PairLayout,
    pair: &[InputFile; 2],
) -> Result<(), OutputError> {
    let unwritable = |source| OutputError::Unwritable {
        path: named.to_path_buf(),
        source,
    };
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(unwritable(error)),
        Ok(about) if !about.is_dir() => {
            return Err(OutputError::NotADirectory {
                path: named.to_path_buf(),
                what: irregular_kind(&about).unwrap_or("a file"),
            });
        }
        Ok(_) => {}
    }
    let own = path.canonicalize().map_err(unwritable)?;
    if pair.iter().any(|file| file.path.parent() == Some(&own)) {
        return Err(OutputError::HoldsInput(named.to_path_buf()));
    }
    for entry in fs::read_dir(path).map_err(unwritable)? {
        let entry = entry.map_err(unwritable)?;
        if !layout.is_own(&entry) {
            return Err(OutputError::Foreign {
                path: named.to_path_buf(),
                entry: entry.file_name().into(),
            });
        }
    }
    Ok(())
}
