//! The directory of one test.

use std::ffi::{CStr, CString, OsStr};
use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

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
        // A server may replace each of them as soon as it is there.
        let opened = system::open_below(dir.own.parent(), dir.own.name(), OFlags::RDONLY)?;
        let home = dir.home_dir.iter().map(|_| HOME);
        for name in [WORK, TEMPORARY].into_iter().chain(home) {
            rustix::fs::mkdirat(&opened, name, Mode::from_raw_mode(0o777))?;
        }
        let mut parents = OpenedParents::new(opened.as_fd())?;
        let mut links = Vec::new();
        for (name, bytes) in files {
            let name = check_relative(name)?;
            dir.files.push(dir.work_dir.join(name));
            let special = scratch.special_file(name);
            if special == Some(SpecialFile::Link) {
                links.push((OsStr::from_bytes(bytes), name));
                continue;
            }
            let (parent, own_name) = parents.enter_parent(name)?;
            // Two documents of one name must not become one file.
            let how = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
            let how = how | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let file = rustix::fs::openat(parent, own_name, how, Mode::from_raw_mode(0o666))?;
            let mut file = File::from(file);
            file.write_all(bytes)?;
            if special == Some(SpecialFile::Executable) {
                file.set_permissions(Permissions::from_mode(0o755))?;
            }
        }
        // A link that came earlier could stand in the way of a file.
        for (target, name) in links {
            let (parent, own_name) = parents.enter_parent(name)?;
            rustix::fs::symlinkat(target, parent, own_name)?;
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

/// The directories in which a test's files are created. Each is opened in its opened parent and no link is followed: while a server lives, a path
/// may lead anywhere.
struct OpenedParents {
    work: OwnedFd,
    /// The inner directory of the last file, by its path in `work`: its neighbours usually come next.
    inner: Option<(PathBuf, OwnedFd)>,
}

impl OpenedParents {
    /// For the files of the test with this directory.
    fn new(dir: BorrowedFd<'_>) -> io::Result<OpenedParents> {
        Ok(OpenedParents {
            work: system::open_below(dir, WORK, OFlags::RDONLY)?,
            inner: None,
        })
    }

    /// The open directory of a file, which is created if it is not there, and the name of the file in it.
    fn enter_parent<'a>(&mut self, file: &'a Path) -> io::Result<(BorrowedFd<'_>, &'a OsStr)> {
        let parts = file.parent().zip(file.file_name());
        let (parent, name) = parts.ok_or(io::ErrorKind::InvalidInput)?;
        if self.inner.as_ref().is_none_or(|(path, _)| path != parent) {
            let opened = self.open_inner(parent)?;
            self.inner = opened.map(|opened| (parent.to_path_buf(), opened));
        }
        let inner = self.inner.as_ref().map(|(_, opened)| opened.as_fd());
        Ok((inner.unwrap_or(self.work.as_fd()), name))
    }

    /// Opens an inner directory, and creates what is missing on the way; none for the working directory itself.
    fn open_inner(&self, path: &Path) -> io::Result<Option<OwnedFd>> {
        let mut opened: Option<OwnedFd> = None;
        for part in path.components() {
            let Component::Normal(name) = part else {
                continue;
            };
            let name = CString::new(name.as_bytes()).map_err(|_| io::ErrorKind::InvalidInput)?;
            let parent = opened.as_ref().unwrap_or(&self.work);
            match rustix::fs::mkdirat(parent, &name, Mode::from_raw_mode(0o777)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            opened = Some(system::open_below(parent.as_fd(), &name, OFlags::RDONLY)?);
        }
        Ok(opened)
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
