//! A result of several files in a directory: a pair with its difference, or the files of a project.
//!
//! A new directory is filled beside the old one and synced; then the two change their names in one step. So at any instant the directory holds
//! one whole version, whatever kills lop. A file system that cannot exchange two names has an instant without the directory.

use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use rustix::fs::{CWD, RenameFlags};
use rustix::io::Errno;

use super::file_names;
use super::file_writer::{self, FilePermissions, FileWriter};
use super::input::InputFile;
use super::output;
use super::own_files::{self, is_directory};
use super::run_input::RunInput;
use crate::display::EscapeHidden;
use crate::oracle::TestFiles;
use crate::program::{FileText, text_bytes};

/// The name of the file with the difference of a pair.
pub(super) const DIFFERENCE: &str = "difference.diff";

/// Writes the difference of two texts: the old one, the new one, and the name of each.
pub type TextDifference = fn(&[u8], &[u8], &str, &str) -> Vec<u8>;

/// The files of a result, in the order of the documents of a version.
#[derive(Clone, Debug)]
pub(super) struct DirectoryLayout {
    files: Vec<LayoutFile>,
    /// The paths of all that belongs to a result, and whether each is a link.
    own: FxHashMap<PathBuf, bool>,
    /// The directories that hold them.
    directories: FxHashSet<PathBuf>,
    /// For a pair.
    difference: Option<PairDifference>,
    pub writer: FileWriter,
}

/// A file of a result.
#[derive(Clone, Debug)]
struct LayoutFile {
    /// Below the directory.
    path: PathBuf,
    rights: FilePermissions,
    /// Whether it is a symbolic link; its text is the path that it holds.
    is_link: bool,
}

/// The difference of a pair.
#[derive(Clone, Debug)]
struct PairDifference {
    /// The names under which the tests see the programs.
    tested_names: [OsString; 2],
    write: TextDifference,
}

impl LayoutFile {
    fn new(path: PathBuf, file: &InputFile) -> LayoutFile {
        let rights = FilePermissions {
            mode: Some(file.mode),
            owner: None,
        };
        LayoutFile {
            path,
            rights,
            is_link: file.is_link(),
        }
    }

    fn read_at(&self, path: &Path) -> FileText {
        self.try_read_at(path).ok().flatten()
    }

    /// None if nothing is there.
    fn try_read_at(&self, path: &Path) -> io::Result<FileText> {
        let read = match self.is_link {
            true => fs::read_link(path).map(|target| target.into_os_string().into_vec()),
            false => own_files::read_own_file(path),
        };
        match read {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            read => read.map(|bytes| Some(bytes.into())),
        }
    }
}

/// Writes the files of a result of this input into an empty directory, each complete and on the disk; of a pair, their difference too.
///
/// # Errors
/// The system's.
pub fn write_result_files(
    input: &RunInput,
    directory: &Path,
    texts: &[FileText],
    difference: TextDifference,
) -> io::Result<()> {
    DirectoryLayout::for_input(input, directory, difference).fill_directory(directory, texts)
}

impl DirectoryLayout {
    /// The layout of a result at `path` of the files that a run reduces. Only a pair has a difference.
    pub fn for_input(input: &RunInput, path: &Path, difference: TextDifference) -> DirectoryLayout {
        if let RunInput::Pair(pair) = input {
            return DirectoryLayout::for_pair(pair, path, difference);
        }
        let files = input.files().iter();
        let files = files.map(|file| LayoutFile::new(file.test_path().into(), file));
        DirectoryLayout::new(files.collect(), None, path)
    }

    /// The texts of the files that a test saw, in the order of the documents.
    pub fn texts_of(&self, tested: &TestFiles) -> Vec<FileText> {
        let tested_texts: FxHashMap<&PathBuf, _> =
            tested.iter().map(|(name, bytes)| (name, bytes)).collect();
        match &self.difference {
            Some(_) => tested
                .iter()
                .map(|(_, bytes)| Some(bytes.clone()))
                .collect(),
            None => {
                let files = self.files.iter();
                let texts =
                    files.map(|file| tested_texts.get(&file.path).map(|text| (*text).clone()));
                texts.collect()
            }
        }
    }

    fn for_pair(
        [seed, variant]: &[InputFile; 2],
        path: &Path,
        difference: TextDifference,
    ) -> DirectoryLayout {
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
        let files = names.into_iter().zip([seed, variant]);
        let files = files.map(|(name, file)| LayoutFile::new(name.into(), file));
        let difference = PairDifference {
            tested_names: [first.into(), second.into()],
            write: difference,
        };
        DirectoryLayout::new(files.collect(), Some(difference), path)
    }

    fn new(
        files: Vec<LayoutFile>,
        difference: Option<PairDifference>,
        path: &Path,
    ) -> DirectoryLayout {
        let own = files.iter().map(|file| (file.path.clone(), file.is_link));
        let more = difference.as_ref().map(|_| (DIFFERENCE.into(), false));
        let directories = files.iter().flat_map(|file| file.path.ancestors().skip(1));
        let directories = directories.map(Path::to_path_buf).collect();
        DirectoryLayout {
            own: own.chain(more).collect(),
            directories,
            files,
            difference,
            writer: FileWriter::for_path(path),
        }
    }

    /// The text of the difference; none if the result is no pair.
    fn difference_text(&self, texts: &[FileText]) -> io::Result<Option<Vec<u8>>> {
        let Some(difference) = &self.difference else {
            return Ok(None);
        };
        let [seed, variant] = texts else {
            return Err(io::Error::other("a pair has two programs"));
        };
        // As `diff -u` writes the time, behind a tab: tools that apply a difference read the name before it.
        let name = |at: usize| {
            let tested = Path::new(&difference.tested_names[at]).escape_hidden();
            let name = self.files[at].path.escape_hidden();
            match name == tested {
                true => name.into_owned(),
                false => format!("{name}\t{tested}"),
            }
        };
        let (seed, variant) = (text_bytes(seed), text_bytes(variant));
        Ok(Some((difference.write)(seed, variant, &name(0), &name(1))))
    }

    /// The texts in a directory of this layout; none if it is not complete. A project without some of its files is complete.
    pub fn read_texts(&self, directory: &Path) -> Option<Vec<FileText>> {
        if !is_directory(directory) {
            return None;
        }
        let read = |file: &LayoutFile| {
            let text = file.read_at(&directory.join(&file.path));
            (text.is_some() || self.difference.is_none()).then_some(text)
        };
        self.files.iter().map(read).collect()
    }

    /// The text of a file of a result where it lies at this path; none if it does not, or is something else.
    pub fn read_file(&self, at: usize, path: &Path) -> FileText {
        self.files[at].read_at(path)
    }

    /// The same files with the owners that they have in the input.
    #[must_use]
    pub fn with_owners(mut self, input: &RunInput) -> DirectoryLayout {
        for (file, own) in self.files.iter_mut().zip(input.files()) {
            file.rights.owner = Some(own.owner);
        }
        self
    }

    /// The texts of a result in this directory.
    ///
    /// # Errors
    /// If the directory or a file that is there cannot be read.
    pub fn read_result(&self, directory: &Path) -> io::Result<Vec<FileText>> {
        fs::read_dir(directory)?;
        let files = self.files.iter();
        files
            .map(|file| file.try_read_at(&directory.join(&file.path)))
            .collect()
    }

    /// Replaces what lies at this path by a file of a result, in one step.
    pub fn replace_file(&self, at: usize, path: &Path, text: &[u8]) -> io::Result<()> {
        let file = &self.files[at];
        fs::create_dir_all(file_names::parent_directory(path))?;
        if file.is_link {
            // It goes or stays as it is: whatever stands in its place is somebody's.
            return symlink(OsStr::from_bytes(text), path);
        }
        self.writer.replace_file(path, text, file.rights)
    }

    /// Whether an entry at this path below a directory is a file of a result, or what a kill left of one.
    pub fn is_own(&self, path: &Path, entry: &fs::DirEntry) -> bool {
        entry
            .file_type()
            .is_ok_and(|kind| match self.own.get(path) {
                Some(true) => kind.is_symlink(),
                Some(false) => kind.is_file(),
                None => kind.is_file() && self.writer.is_leftover(&entry.file_name()),
            })
    }

    /// Whether a directory at this path below a directory may hold files of a result.
    pub fn has_files_below(&self, path: &Path) -> bool {
        self.directories.contains(path)
    }

    /// Writes the files of a result into an empty directory, each complete and on the disk.
    pub fn fill_directory(&self, directory: &Path, texts: &[FileText]) -> io::Result<()> {
        let difference = self.difference_text(texts)?;
        let there = self.files.iter().zip(texts);
        let there = there.filter_map(|(file, text)| Some((file, text.as_ref()?)));
        // A link that came earlier could lead a file out of the directory.
        let (links, files): (Vec<_>, Vec<_>) = there.partition(|(file, _)| file.is_link);
        for (file, text) in files.into_iter().chain(links) {
            let path = directory.join(&file.path);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            match file.is_link {
                true => symlink(OsStr::from_bytes(text), &path)?,
                false => self.writer.create_file(&path, text, file.rights)?,
            }
        }
        if let Some(text) = difference {
            let rights = FilePermissions::default();
            let path = directory.join(DIFFERENCE);
            self.writer.create_file(&path, &text, rights)?;
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
        let (mut open, mut emptied) = (vec![PathBuf::new()], Vec::new());
        while let Some(below) = open.pop() {
            let entries = fs::read_dir(directory.join(&below)).into_iter();
            for entry in entries.flatten().flatten() {
                let path = below.join(entry.file_name());
                if self.is_own(&path, &entry) {
                    let _ = fs::remove_file(entry.path());
                } else if is_directory(&entry.path()) && self.has_files_below(&path) {
                    open.push(path);
                } else {
                    let new = home.join(&path);
                    let parent = new.parent().map(fs::create_dir_all);
                    if parent.is_none_or(|made| made.is_ok()) {
                        let _ = output::rename_to_new(&entry.path(), &new);
                    }
                }
            }
            emptied.push(below);
        }
        for below in emptied.iter().rev() {
            let _ = fs::remove_dir(directory.join(below));
        }
    }

    /// Puts a directory with these texts in the place of the one at `path`, or where nothing is.
    pub fn exchange_directory(&self, path: &Path, texts: &[FileText]) -> io::Result<()> {
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
