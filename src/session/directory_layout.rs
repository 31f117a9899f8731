//! A pair in a directory: both programs and their difference.
//!
//! A new directory is filled beside the old one and synced; then the two change their names in one step. So at any instant the directory holds
//! one whole pair, whatever kills lop. A file system that cannot exchange two names has an instant without the directory.

use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{CWD, RenameFlags};
use rustix::io::Errno;

use super::file_writer::{self, FilePermissions, FileWriter};
use super::input::InputFile;
use super::output;
use super::own_files::{self, is_directory};
use crate::display::EscapeHidden;

/// The name of the file with the difference.
pub(super) const DIFFERENCE: &str = "difference.diff";

/// Writes the difference of two texts: the old one, the new one, and the name of each.
pub type TextDifference = fn(&[u8], &[u8], &str, &str) -> Vec<u8>;

/// The files of a result: the seed, the variant, and their difference.
#[derive(Clone, Debug)]
pub(super) struct PairLayout {
    names: [OsString; 3],
    /// The names under which the tests see the programs.
    tested_names: [OsString; 2],
    rights: [FilePermissions; 3],
    difference: TextDifference,
    pub writer: FileWriter,
}

impl PairLayout {
    /// The layout of a pair's result at `path`.
    pub fn new(
        [seed, variant]: &[InputFile; 2],
        path: &Path,
        difference: TextDifference,
    ) -> PairLayout {
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
        let tested_names = [first.into(), second.into()];
        let [first, second] = names;
        PairLayout {
            names: [first, second, DIFFERENCE.into()],
            tested_names,
            rights: [rights(seed), rights(variant), FilePermissions::default()],
            difference,
            writer: FileWriter::for_path(path),
        }
    }

    /// The texts of all files.
    fn all_texts(&self, texts: &[Vec<u8>]) -> io::Result<[Vec<u8>; 3]> {
        let [seed, variant] = texts else {
            return Err(io::Error::other("a pair has two programs"));
        };
        let shown = |name: &OsStr| Path::new(name).escape_hidden().into_owned();
        // As `diff -u` writes the time, behind a tab: tools that apply a difference read the name before it.
        let name = |at: usize| match (&self.names[at], &self.tested_names[at]) {
            (name, tested) if name == tested => shown(name),
            (name, tested) => format!("{}\t{}", shown(name), shown(tested)),
        };
        let difference = (self.difference)(seed, variant, &name(0), &name(1));
        Ok([seed.clone(), variant.clone(), difference])
    }

    /// The programs in a directory of this layout; none if it is not complete.
    pub fn read_programs(&self, directory: &Path) -> Option<Vec<Vec<u8>>> {
        let mut programs = Vec::new();
        for name in &self.names[..2] {
            programs.push(own_files::read_own_file(&directory.join(name)).ok()?);
        }
        Some(programs)
    }

    /// Whether an entry of a directory is a file of a result, or what a kill left of one.
    pub fn is_own(&self, entry: &fs::DirEntry) -> bool {
        let name = entry.file_name();
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        is_file && (self.names.contains(&name) || self.writer.is_leftover(&name))
    }

    /// Writes the files of a result into an empty directory, each complete and on the disk.
    pub fn fill_directory(&self, directory: &Path, texts: &[Vec<u8>]) -> io::Result<()> {
        let texts = self.all_texts(texts)?;
        for ((name, rights), text) in self.names.iter().zip(&self.rights).zip(&texts) {
            let path = directory.join(name);
            self.writer.create_file(&path, text, *rights)?;
        }
        Ok(())
    }

    /// Removes a directory of a result. Entries that are not its own move to `home`, or else stay with it; something else than a directory
    /// goes as a whole, as whatever lies in the place of a result.
    pub fn dissolve(&self, directory: &Path, home: &Path) {
        // What cannot be removed or moved does no harm where it is.
        if !is_directory(directory) {
            let _ = fs::remove_file(directory);
            return;
        }
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let _ = match self.is_own(&entry) {
                true => fs::remove_file(entry.path()),
                false => output::rename_to_new(&entry.path(), &home.join(entry.file_name())),
            };
        }
        let _ = fs::remove_dir(directory);
    }

    /// Puts a directory with these texts in the place of the one at `path`, or where nothing is.
    pub fn exchange_directory(&self, path: &Path, texts: &[Vec<u8>]) -> io::Result<()> {
        let writer = &self.writer;
        let new = writer.create_temporary_directory(path)?;
        self.fill_directory(new.path(), texts)?;
        if let Ok(there) = fs::symlink_metadata(path)
            && there.is_dir()
        {
            let mode = there.mode() & 0o777 | 0o700;
            fs::set_permissions(new.path(), Permissions::from_mode(mode))?;
        }
        let old = match rustix::fs::renameat_with(CWD, new.path(), CWD, path, RenameFlags::EXCHANGE)
        {
            // What has the temporary name now is the old directory.
            Ok(()) => Some(new.keep()),
            Err(Errno::NOENT) => {
                output::rename_to_new(new.path(), path)?;
                None
            }
            // The file system cannot exchange.
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                let old = writer.create_temporary_directory(path)?.keep();
                fs::rename(path, &old)?;
                if let Err(error) = fs::rename(new.path(), path) {
                    fs::rename(&old, path)?;
                    return Err(error);
                }
                Some(old)
            }
            Err(error) => return Err(error.into()),
        };
        file_writer::sync_directory(path);
        if let Some(old) = old {
            self.dissolve(&old, path);
        }
        Ok(())
    }
}
