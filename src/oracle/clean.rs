//! Removing directories that a test has had its hands on.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::thread;
use std::time::Duration;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;

/// How often a tree that grows while it is removed is tried.
const ATTEMPTS: u32 = 5;

/// Removes a directory and all that is in it, if it is there.
///
/// A test may have taken away permissions, or made a tree deeper than a path or a stack can reach: nothing here recurses, holds more
/// than two directories open, or follows a link. A killed process may still be on its way out and write, so it is tried a few times.
pub(super) fn remove_tree(path: &Path) -> io::Result<()> {
    let mut attempt = 1;
    loop {
        match try_remove(path) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound && !path.exists() => {
                return Ok(());
            }
            Err(error) if attempt == ATTEMPTS => return Err(error),
            Err(_) => thread::sleep(Duration::from_millis(1 << attempt)),
        }
        attempt += 1;
    }
}

fn try_remove(path: &Path) -> io::Result<()> {
    let root = open(CWD, path)?;
    let mut moved = 0;
    while let Some(names) = entries(&root)? {
        for (name, kind) in names {
            if remove_file(&root, &name, kind)? {
                continue;
            }
            let child = open(root.as_fd(), name.as_c_str())?;
            flatten(&root, &child, &mut moved)?;
            rustix::fs::unlinkat(&root, name.as_c_str(), AtFlags::REMOVEDIR)?;
        }
    }
    Ok(rustix::fs::rmdir(path)?)
}

type Name = std::ffi::CString;

/// Empties `child`: files go, directories move up into `root`, where they wait for their turn. `moved` numbers them.
fn flatten(root: &OwnedFd, child: &OwnedFd, moved: &mut u64) -> io::Result<()> {
    while let Some(names) = entries(child)? {
        for (name, kind) in names {
            if remove_file(child, &name, kind)? {
                continue;
            }
            // A directory is moved only by who may write in it.
            drop(open(child.as_fd(), name.as_c_str())?);
            loop {
                *moved += 1;
                match rustix::fs::renameat(child, name.as_c_str(), root, format!(".lop-{moved}")) {
                    Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => {}
                    done => break done?,
                }
            }
        }
    }
    Ok(())
}

/// What is in a directory; `None` if nothing is.
fn entries(dir: &OwnedFd) -> io::Result<Option<Vec<(Name, FileType)>>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(dir)? {
        let entry = entry?;
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            names.push((entry.file_name().to_owned(), entry.file_type()));
        }
    }
    Ok(Some(names).filter(|names| !names.is_empty()))
}

/// Removes the entry unless it is a directory. Says whether it is gone.
fn remove_file(dir: &OwnedFd, name: &Name, kind: FileType) -> io::Result<bool> {
    if kind == FileType::Directory {
        return Ok(false);
    }
    match rustix::fs::unlinkat(dir, name.as_c_str(), AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(true),
        // Not every file system tells the kind of an entry.
        Err(Errno::ISDIR | Errno::PERM) if kind == FileType::Unknown => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Opens a directory and gives us all permissions of it.
fn open<P: rustix::path::Arg + Copy>(parent: impl AsFd, path: P) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let dir = match rustix::fs::openat(&parent, path, flags, Mode::empty()) {
        Err(Errno::ACCESS) => {
            rustix::fs::chmodat(&parent, path, Mode::RWXU, AtFlags::empty())?;
            rustix::fs::openat(&parent, path, flags, Mode::empty())?
        }
        opened => opened?,
    };
    rustix::fs::fchmod(&dir, Mode::RWXU)?;
    Ok(dir)
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
        let mut at = open(CWD, tree.as_path()).expect("opened");
        let long = "deep".repeat(50);
        for _ in 0..50 {
            rustix::fs::mkdirat(&at, long.as_str(), Mode::RWXU).expect("a directory");
            rustix::fs::mkdirat(&at, "side", Mode::empty()).expect("a directory");
            at = open(at.as_fd(), long.as_str()).expect("opened");
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
