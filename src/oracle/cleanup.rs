//! Removing directories that a test could write in.
//!
//! Tests link, mount and move what they like into the place of their directories. Directories are removed one below the other, through what
//! was opened: no link is followed, no mount is entered, and rights are changed through the open directory.

use std::ffi::{CStr, CString, OsStr};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rustc_hash::FxHashSet;
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::system;

/// How often the removal of a tree is tried that grows meanwhile.
const ATTEMPTS: u32 = 5;

/// The most mounts that are removed from one place.
const MOUNTS: u32 = 100;

type EntryName = CString;

/// A directory of ours, by its name in its open parent, so that links and mounts on the path to it have no effect.
#[derive(Clone, Debug)]
pub(super) struct OwnDir {
    path: PathBuf,
    parent: Arc<OwnedFd>,
    name: EntryName,
}

impl OwnDir {
    /// Opens the parent of a path. No test may have been able to change the path.
    pub(super) fn at(path: &Path) -> io::Result<OwnDir> {
        let parts = path.parent().zip(path.file_name());
        let (parent, name) = parts.ok_or(io::ErrorKind::InvalidInput)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = rustix::fs::openat(CWD, parent, flags, Mode::empty())?;
        OwnDir::of(Arc::new(opened), parent, name)
    }

    /// A name in an open directory, and the path of that directory.
    pub(super) fn of(parent: Arc<OwnedFd>, path: &Path, name: &OsStr) -> io::Result<OwnDir> {
        Ok(OwnDir {
            path: path.join(name),
            parent,
            name: CString::new(name.as_bytes()).map_err(|_| io::ErrorKind::InvalidInput)?,
        })
    }

    /// Its path when it was made.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn parent(&self) -> BorrowedFd<'_> {
        self.parent.as_fd()
    }

    pub(super) fn name(&self) -> &CStr {
        &self.name
    }

    /// Opens it and gives its owner all permissions.
    pub(super) fn enter(&self) -> io::Result<OwnedFd> {
        open_own_dir(self.parent(), &self.name)
    }

    /// Removes its content as [`OwnDir::remove`] does, but keeps the directory.
    pub(super) fn empty(&self) -> io::Result<()> {
        empty_open_dir(&self.enter()?)
    }

    /// Removes it with all its content, if it exists. What cannot be removed stays, and the first error is returned.
    ///
    /// A test may have taken away permissions, or made a tree deeper than a path or a stack can hold. So nothing here recurses or holds
    /// more than three directories open. A test may have replaced a directory by a link or a mount. So no link is followed, and mounts are
    /// unmounted without changing their content. A killed process may still write, so the removal is tried several times.
    pub(super) fn remove(&self) -> io::Result<()> {
        let mut attempt = 1;
        loop {
            match self.try_remove() {
                Err(error) if !is_missing(&error) && attempt < ATTEMPTS => {
                    thread::sleep(Duration::from_millis(1 << attempt));
                }
                Err(error) if !is_missing(&error) => return Err(error),
                _ => return Ok(()),
            }
            attempt += 1;
        }
    }

    fn try_remove(&self) -> io::Result<()> {
        match self.enter() {
            // It was replaced by something else.
            Err(error) if is_not_directory(&error) => {
                return remove_file(self.parent(), &self.name);
            }
            entered => empty_open_dir(&entered?)?,
        }
        Ok(rustix::fs::unlinkat(
            &self.parent,
            &self.name,
            AtFlags::REMOVEDIR,
        )?)
    }

    /// As [`OwnDir::remove`], if it has this inode number. A replacement stays.
    pub(super) fn remove_if(&self, number: u64) -> io::Result<()> {
        let entered = match self.enter() {
            Err(error) if is_missing(&error) => return Ok(()),
            Err(error) if is_not_directory(&error) => None,
            entered => Some(entered?),
        };
        match entered
            .map(|entered| rustix::fs::fstat(&entered))
            .transpose()?
        {
            Some(about) if about.st_ino == number => self.remove(),
            _ => Err(io::Error::other(
                "something else lies in its place (see where it comes from, and remove it)",
            )),
        }
    }
}

/// Removes a directory with its content as [`OwnDir::remove`] does. The test must not have been able to change its parent.
pub(super) fn remove_tree(path: &Path) -> io::Result<()> {
    match OwnDir::at(path) {
        Err(error) if is_missing(&error) => Ok(()),
        own => own?.remove(),
    }
}

/// Removes the content of an open directory as [`OwnDir::remove`] does.
pub(super) fn empty_opened(dir: &OwnedFd) -> io::Result<()> {
    permit(dir)?;
    empty_open_dir(dir)
}

fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

fn empty_open_dir(root: &OwnedFd) -> io::Result<()> {
    let mut moved = 0;
    remove_entries(root, |name, kind| {
        if kind != FileType::Directory && try_remove_file(root, name, kind)? {
            return Ok(());
        }
        let child = open_own_dir(root.as_fd(), name)?;
        flatten_subtree(root, &child, &mut moved)?;
        Ok(rustix::fs::unlinkat(root, name, AtFlags::REMOVEDIR)?)
    })
}

/// Empties `child`: files are removed, directories are moved up into `root` and removed later. `moved` numbers them.
fn flatten_subtree(root: &OwnedFd, child: &OwnedFd, moved: &mut u64) -> io::Result<()> {
    remove_entries(child, |name, kind| {
        if kind != FileType::Directory && try_remove_file(child, name, kind)? {
            return Ok(());
        }
        // Only a writable directory can be moved.
        drop(open_own_dir(child.as_fd(), name)?);
        loop {
            *moved += 1;
            match rustix::fs::renameat(child, name, root, format!(".lop-{moved}")) {
                Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => {}
                done => return Ok(done?),
            }
        }
    })
}

/// Removes the entries of a directory, also new ones. An entry that cannot be removed is skipped, and the first error is returned.
fn remove_entries(
    dir: &OwnedFd,
    mut remove: impl FnMut(&EntryName, FileType) -> io::Result<()>,
) -> io::Result<()> {
    let (mut stuck, mut reason) = (FxHashSet::default(), None);
    loop {
        let mut entries = read_entries(dir)?;
        entries.retain(|(name, _)| !stuck.contains(name));
        if entries.is_empty() {
            return reason.map_or(Ok(()), Err);
        }
        for (name, kind) in entries {
            if let Err(error) = remove(&name, kind) {
                reason.get_or_insert_with(|| with_entry_name(&name, error));
                stuck.insert(name);
            }
        }
    }
}

/// The error with the escaped name of the entry, which may be any bytes.
fn with_entry_name(name: &EntryName, error: io::Error) -> io::Error {
    let name = name.to_string_lossy();
    io::Error::new(error.kind(), format!("{}: {error}", name.escape_debug()))
}

/// The entries of a directory.
fn read_entries(dir: &OwnedFd) -> io::Result<Vec<(EntryName, FileType)>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(dir)? {
        let entry = entry?;
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            names.push((entry.file_name().to_owned(), entry.file_type()));
        }
    }
    Ok(names)
}

/// Removes the entry unless it is a directory. Returns whether it is gone.
fn try_remove_file(dir: &OwnedFd, name: &EntryName, kind: FileType) -> io::Result<bool> {
    match remove_file(dir.as_fd(), name) {
        Ok(()) => Ok(true),
        // Not every file system gives the type of an entry.
        Err(_) if kind == FileType::Unknown && open_own_dir(dir.as_fd(), name).is_ok() => Ok(false),
        Err(error) => Err(error),
    }
}

fn remove_file(dir: BorrowedFd<'_>, name: &CStr) -> io::Result<()> {
    let removed = retry_unmounting(dir, name, || {
        rustix::fs::unlinkat(dir, name, AtFlags::empty())
    });
    removed.or_else(|error| match is_missing(&error) {
        true => Ok(()),
        false => Err(error),
    })
}

/// Opens a directory and gives its owner all permissions.
fn open_own_dir(parent: BorrowedFd<'_>, name: &CStr) -> io::Result<OwnedFd> {
    let open = || system::open_below(parent, name, OFlags::RDONLY);
    let dir = retry_unmounting(parent, name, || match open() {
        Err(Errno::ACCESS) => {
            system::permit_all(parent, name)?;
            open()
        }
        opened => opened,
    })?;
    permit(&dir)?;
    Ok(dir)
}

/// Gives the owner of a directory all permissions.
fn permit(dir: &OwnedFd) -> io::Result<()> {
    let mode = Mode::from_raw_mode(rustix::fs::fstat(dir)?.st_mode);
    if !mode.contains(Mode::RWXU) {
        rustix::fs::fchmod(dir, Mode::RWXU)?;
    }
    Ok(())
}

/// Does something with an entry of a directory. Unmounts what is mounted there.
fn retry_unmounting<T>(
    dir: BorrowedFd<'_>,
    name: &CStr,
    does: impl Fn() -> rustix::io::Result<T>,
) -> io::Result<T> {
    for _ in 0..MOUNTS {
        match does() {
            Err(Errno::XDEV | Errno::BUSY) => system::unmount(dir, name).map_err(|error| {
                io::Error::other(format!(
                    "something is mounted there and cannot be unmounted: {error}"
                ))
            })?,
            done => return Ok(done?),
        }
    }
    Err(Errno::BUSY.into())
}

/// Whether an entry could not be opened because it is no directory.
fn is_not_directory(error: &io::Error) -> bool {
    let ours = |errno: Errno| error.raw_os_error() == Some(errno.raw_os_error());
    ours(Errno::NOTDIR) || ours(Errno::LOOP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn a_tree_without_permissions_goes() {
        let dir = tempfile::tempdir().expect("a directory");
        let tree = dir.path().join("tree");
        fs::create_dir_all(tree.join("a/b/c")).expect("directories");
        fs::write(tree.join("a/b/file"), "x").expect("a file");
        for shut in ["a/b/c", "a/b", "a", ""] {
            fs::set_permissions(tree.join(shut), fs::Permissions::from_mode(0o000))
                .expect("no permissions");
        }
        remove_tree(&tree).expect("removed");
        assert!(!tree.exists());
        remove_tree(&tree).expect("what is gone is gone");
    }

    #[test]
    fn a_tree_deeper_than_any_path_goes() {
        let dir = tempfile::tempdir().expect("a directory");
        let tree = dir.path().join("tree");
        fs::create_dir(&tree).expect("a directory");
        let own = OwnDir::at(&tree).expect("a path");
        let mut at = own.enter().expect("opened");
        let long = CString::new("deep".repeat(50)).expect("a name");
        for _ in 0..50 {
            rustix::fs::mkdirat(&at, &long, Mode::RWXU).expect("a directory");
            rustix::fs::mkdirat(&at, "side", Mode::empty()).expect("a directory");
            at = open_own_dir(at.as_fd(), &long).expect("opened");
        }
        remove_tree(&tree).expect("removed");
        assert!(!tree.exists());
    }

    #[test]
    fn what_a_link_points_to_stays() {
        let dir = tempfile::tempdir().expect("a directory");
        let (tree, other) = (dir.path().join("tree"), dir.path().join("other"));
        fs::create_dir_all(tree.join("sub")).expect("directories");
        fs::create_dir(&other).expect("a directory");
        fs::write(other.join("file"), "x").expect("a file");
        symlink(&other, tree.join("link")).expect("a link");
        symlink(&other, tree.join("sub/link")).expect("a link");
        remove_tree(&tree).expect("removed");
        assert!(other.join("file").exists());
    }
}
