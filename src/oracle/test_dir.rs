//! The directory of one test.

use std::ffi::{CStr, OsStr};
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, OFlags};

use super::cleanup::OwnDir;
use super::{ScratchSpace, SpecialFile, TestFile, system};
use crate::display::EscapeHidden;

/// The entries of a test's directory.
const WORK: &CStr = c"w";
const TEMPORARY: &CStr = c"t";
const HOME: &CStr = c"h";

/// The directory of a test: `w/` with the candidate, `t/` for temporary files, and in a sandbox `h/` as the home directory. When this
/// is dropped they are removed, with all else in the helper's directory.
#[derive(Debug)]
pub(super) struct TestDir {
    own: OwnDir,
    work_dir: PathBuf,
    temp_dir: PathBuf,
    home_dir: Option<PathBuf>,
    helper_dir: Option<OwnDir>,
    /// The absolute paths of the files.
    files: Vec<PathBuf>,
}

impl TestDir {
    /// Makes the directory and writes the files. If `room` is given, a helper's own directory, the test gets a home directory too.
    pub(super) fn new(
        scratch: &ScratchSpace,
        files: &[TestFile],
        room: Option<&OwnDir>,
    ) -> io::Result<TestDir> {
        TestDir::create(scratch, files, room, room.cloned())
    }

    /// The same for a candidate that a server is asked about: what else is in the helper's directory stays.
    pub(super) fn for_server(
        scratch: &ScratchSpace,
        files: &[TestFile],
        room: Option<&OwnDir>,
    ) -> io::Result<TestDir> {
        TestDir::create(scratch, files, room, None)
    }

    fn create(
        scratch: &ScratchSpace,
        files: &[TestFile],
        room: Option<&OwnDir>,
        helper_dir: Option<OwnDir>,
    ) -> io::Result<TestDir> {
        let own = scratch.create_test_dir(room)?;
        let path = own.path();
        // Complete before anything can fail, so that `drop` removes what was made until then.
        let mut dir = TestDir {
            work_dir: path.join(name_as_path(WORK)),
            temp_dir: path.join(name_as_path(TEMPORARY)),
            home_dir: room.map(|_| path.join(name_as_path(HOME))),
            helper_dir,
            own,
            files: Vec::new(),
        };
        fs::create_dir(&dir.work_dir)?;
        fs::create_dir(&dir.temp_dir)?;
        if let Some(home) = &dir.home_dir {
            fs::create_dir(home)?;
        }
        let mut links = Vec::new();
        for (name, bytes) in files {
            let file = dir.work_dir.join(check_relative(name)?);
            if name.components().nth(1).is_some() {
                fs::create_dir_all(file.parent().unwrap_or(&dir.work_dir))?;
            }
            dir.files.push(file);
            let file = &dir.files[dir.files.len() - 1];
            let special = scratch.special_file(name);
            if special == Some(SpecialFile::Link) {
                links.push((OsStr::from_bytes(bytes), dir.files.len() - 1));
                continue;
            }
            // Two documents of one name must not become one file.
            let mut open = File::create_new(file)?;
            open.write_all(bytes)?;
            if special == Some(SpecialFile::Executable) {
                open.set_permissions(Permissions::from_mode(0o755))?;
            }
        }
        // A link that came earlier could lead a file out of the directory.
        for (target, at) in links {
            symlink(target, &dir.files[at])?;
        }
        Ok(dir)
    }

    /// The directory that holds all files of this test.
    pub(super) fn path(&self) -> &Path {
        self.own.path()
    }

    /// The working directory.
    pub(super) fn work_dir(&self) -> &Path {
        &self.work_dir
    }

    /// The test's TMPDIR.
    pub(super) fn temp_dir(&self) -> &Path {
        &self.temp_dir
    }

    /// The test's HOME, if it has its own.
    pub(super) fn home_dir(&self) -> Option<&Path> {
        self.home_dir.as_deref()
    }

    /// The file for stderr, if it is captured separately.
    pub(super) fn stderr_path(&self) -> PathBuf {
        self.path().join("errors")
    }

    /// The file for stdout, if that becomes a program.
    pub(super) fn program_path(&self) -> PathBuf {
        self.path().join("program")
    }

    /// The absolute paths of the files.
    pub(super) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The paths of the files relative to the working directory: what a command names.
    pub(super) fn relative_files(&self) -> impl Iterator<Item = &Path> {
        let files = self.files.iter();
        files.map(|path| path.strip_prefix(&self.work_dir).unwrap_or(path))
    }

    /// Removes only what we made. After most tests there is nothing else, and this is twice as fast as listing the directories. The
    /// test may have replaced our directories by links or mounts, so each is opened as [`OwnDir::remove`] does it.
    fn remove_own_entries(&self) -> io::Result<()> {
        let (root, own) = (self.own.parent(), self.own.name());
        let dir = system::open_below(root, own, OFlags::RDONLY)?;
        let work = system::open_below(dir.as_fd(), WORK, OFlags::RDONLY)?;
        let directly = |file: &&PathBuf| file.parent() == Some(&self.work_dir);
        for name in self
            .files
            .iter()
            .filter(directly)
            .filter_map(|file| file.file_name())
        {
            rustix::fs::unlinkat(&work, name, AtFlags::empty())?;
        }
        let home = self.home_dir.iter().map(|_| HOME);
        for name in [WORK, TEMPORARY].into_iter().chain(home) {
            rustix::fs::unlinkat(&dir, name, AtFlags::REMOVEDIR)?;
        }
        Ok(rustix::fs::unlinkat(root, own, AtFlags::REMOVEDIR)?)
    }
}

impl Drop for TestDir {
    /// What cannot be removed now is removed with the run's root, or by the next run.
    fn drop(&mut self) {
        if self.remove_own_entries().is_err() {
            let _ = self.own.remove();
        }
        if let Some(room) = &self.helper_dir {
            let _ = room.empty();
        }
    }
}

/// The name as a path.
fn name_as_path(name: &CStr) -> &Path {
    Path::new(OsStr::from_bytes(name.to_bytes()))
}

/// The path, if it stays inside its directory.
fn check_relative(path: &Path) -> io::Result<&Path> {
    let down = path
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if down && path.file_name().is_some() {
        Ok(path)
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!(
                "{} does not stay inside its directory",
                path.escape_hidden()
            ),
        ))
    }
}
