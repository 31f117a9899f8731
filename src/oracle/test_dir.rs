//! The directory of one test.

use std::ffi::{CStr, OsStr};
use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, OFlags};

use super::cleanup::OwnDir;
use super::{ScratchSpace, TestFiles, system};
use crate::display::EscapeHidden;

/// What lies in the directory of a test.
const WORK: &CStr = c"w";
const TEMPORARY: &CStr = c"t";
const HOME: &CStr = c"h";

/// `w/` with the candidate in it and `t/` for temporary files, side by side, and in a sandbox `h/`, a home; all are gone when this is
/// dropped, and whatever else is in its room.
#[derive(Debug)]
pub(super) struct TestDir {
    own: OwnDir,
    work_dir: PathBuf,
    temp_dir: PathBuf,
    home_dir: Option<PathBuf>,
    helper_dir: Option<OwnDir>,
    /// Where the files are, as absolute paths.
    files: Vec<PathBuf>,
}

impl TestDir {
    /// Makes the directory and writes the files. In a room the test has a home of its own, and nobody else has anything.
    pub(super) fn new(
        scratch: &ScratchSpace,
        files: &TestFiles,
        room: Option<&OwnDir>,
    ) -> io::Result<TestDir> {
        let own = scratch.create_test_dir(room)?;
        let path = own.path();
        // Whole before anything can fail: what was made until then is removed by `drop`.
        let mut dir = TestDir {
            work_dir: path.join(name_as_path(WORK)),
            temp_dir: path.join(name_as_path(TEMPORARY)),
            home_dir: room.map(|_| path.join(name_as_path(HOME))),
            helper_dir: room.cloned(),
            own,
            files: Vec::new(),
        };
        fs::create_dir(&dir.work_dir)?;
        fs::create_dir(&dir.temp_dir)?;
        if let Some(home) = &dir.home_dir {
            fs::create_dir(home)?;
        }
        for (name, bytes) in files {
            let file = dir.work_dir.join(check_relative(name)?);
            if name.components().nth(1).is_some() {
                fs::create_dir_all(file.parent().unwrap_or(&dir.work_dir))?;
            }
            fs::write(&file, bytes)?;
            dir.files.push(file);
        }
        Ok(dir)
    }

    /// The directory in which all of this test is.
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

    /// Where stderr goes when it is kept apart.
    pub(super) fn stderr_path(&self) -> PathBuf {
        self.path().join("errors")
    }

    /// The first file, which is the test's argument.
    pub(super) fn candidate_path(&self) -> Option<&Path> {
        self.files.first().map(PathBuf::as_path)
    }

    /// The same as seen from the working directory.
    pub(super) fn relative_candidate(&self) -> Option<&Path> {
        self.candidate_path()
            .map(|path| path.strip_prefix(&self.work_dir).unwrap_or(path))
    }

    /// Removes what we made, and only that: all there is after most tests, and twice as fast as to look what is there. The test may
    /// have put links or mounts in the place of our directories, so each is entered as [`OwnDir::remove`] would.
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
    /// What resists is removed with the run's root, or by the next run.
    fn drop(&mut self) {
        if self.remove_own_entries().is_err() {
            let _ = self.own.remove();
        }
        if let Some(room) = &self.helper_dir {
            let _ = room.empty();
        }
    }
}

/// As a part of a path.
fn name_as_path(name: &CStr) -> &Path {
    Path::new(OsStr::from_bytes(name.to_bytes()))
}

/// The path, if it leads nowhere but down.
fn check_relative(path: &Path) -> io::Result<&Path> {
    let down = path
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if down && path.file_name().is_some() {
        Ok(path)
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("{} is no path inside a directory", path.escape_hidden()),
        ))
    }
}
