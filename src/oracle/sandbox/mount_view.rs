//! What a test in a sandbox sees of the file system: all that its user may read, but for the places where programs listen and where
//! everybody writes, and for all devices but those that can do no harm. It can write in its own directory, and where [`private_dirs`] says.
//!
//! ```text
//!  /                 as it is, read-only, and no device in it can be opened
//!  /dev              null zero full random urandom, which can be written to and not changed, and links to /proc/self/fd
//!  /tmp /var/tmp     empty, its own; but what the test names is there, read-only (`visible_paths.rs`)
//!  /dev/shm
//!  /run /var/run     the links that lie there, and where the test or its tools lie; read-only
//!  ROOM              its own
//! ```

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;
use rustix::mount::{MountFlags, mount, mount_bind, mount_bind_recursive, mount_remount};

use super::error_while;
use crate::oracle::private_dirs;

/// Devices that are harmless.
const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];

/// The links in `/dev`.
const LINKS: [(&str, &str); 4] = [
    ("fd", "/proc/self/fd"),
    ("stdin", "/proc/self/fd/0"),
    ("stdout", "/proc/self/fd/1"),
    ("stderr", "/proc/self/fd/2"),
];

/// What no file in our own directories is.
const HARMLESS: MountFlags = MountFlags::NOSUID.union(MountFlags::NODEV);

/// Creates the view in our own mount namespace. `room` is writable; the paths in `seen` stay visible in hidden directories.
pub(super) fn build_view(room: &Path, seen: &[PathBuf]) -> io::Result<()> {
    // As the kernel names it: links may lead there.
    let room = room.canonicalize()?;
    let (shut, open) = (private_dirs::readonly_dirs(), private_dirs::writable_dirs());
    // What hides them is mounted over the ways to them, so they are opened before.
    let own = OpenedPath::from_path(&room)?;
    let (seen_links, seen): (Vec<&PathBuf>, Vec<&PathBuf>) =
        seen.iter().partition(|path| path.is_symlink());
    // What is gone meanwhile, or not for us, is not missed here; and a pipe, a socket or a device is not what is meant by a file.
    let seen = seen.iter().filter(|path| path.is_dir() || path.is_file());
    let seen: Vec<OpenedPath> = seen
        .filter_map(|path| OpenedPath::from_path(path).ok())
        .collect();
    let devices = DEVICES.map(|name| Path::new("/dev").join(name));
    let devices: Vec<PathBuf> = devices.into_iter().filter(|path| path.exists()).collect();
    let nodes = devices.iter().map(|path| OpenedPath::from_path(path));
    let nodes: Vec<OpenedPath> = nodes.collect::<io::Result<_>>()?;
    let links = shut.iter().flat_map(|place| symlinks_in(place));
    let links: BTreeSet<PathBuf> = links.chain(seen_links.into_iter().cloned()).collect();
    let targets = links.iter().map(fs::read_link);
    let targets: Vec<PathBuf> = targets.collect::<io::Result<_>>()?;
    mount_tmpfs(Path::new("/dev"), c"mode=755,size=1m")?;
    for (name, target) in LINKS {
        symlink(target, Path::new("/dev").join(name))?;
    }
    for place in &shut {
        mount_tmpfs(place, c"mode=755,size=1m")?;
    }
    for place in &open {
        // That of /dev went with it.
        fs::create_dir_all(place)?;
        mount_tmpfs(place, c"mode=1777,size=1g")?;
    }
    for (link, target) in links.iter().zip(targets) {
        symlink(target, link)?;
    }
    for opened in nodes.iter().chain(&seen).chain([&own]) {
        opened.mount_visible()?;
    }
    remount_readonly(&room, &open, &devices)
}

/// A file or a directory that stays visible at its path.
struct OpenedPath {
    path: PathBuf,
    handle: OwnedFd,
    is_dir: bool,
}

impl OpenedPath {
    fn from_path(path: &Path) -> io::Result<OpenedPath> {
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        Ok(OpenedPath {
            path: path.to_path_buf(),
            handle: rustix::fs::openat(CWD, path, flags, Mode::empty())?,
            is_dir: path.is_dir(),
        })
    }

    fn mount_visible(&self) -> io::Result<()> {
        if self.path.symlink_metadata().is_err() {
            match self.is_dir {
                true => fs::create_dir_all(&self.path)?,
                false => drop(File::create(&self.path)?),
            }
        }
        let from = format!("/proc/self/fd/{}", self.handle.as_raw_fd());
        let shown = match self.is_dir {
            true => mount_bind_recursive(&from, &self.path),
            false => mount_bind(&from, &self.path),
        };
        shown.map_err(error_while("mounting what is to be seen"))
    }
}

/// Mounts an empty directory over a path.
fn mount_tmpfs(place: &Path, data: &std::ffi::CStr) -> io::Result<()> {
    mount("lop", place, "tmpfs", HARMLESS, data)
        .map_err(error_while("mounting a directory of its own"))
}

/// The links in a directory.
fn symlinks_in(place: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths.filter(|path| path.is_symlink()).collect()
}

/// Makes every mount read-only and its devices nothing, but for `room`, which can be written, and for `open`. Who writes to one of the
/// `devices` changes nothing of the file system, and can on a read-only mount too; its rights and its times are the machine's.
fn remount_readonly(room: &Path, open: &[PathBuf], devices: &[PathBuf]) -> io::Result<()> {
    let mounts = fs::read_to_string("/proc/self/mountinfo")?;
    for line in mounts.lines() {
        let Some((point, flags)) = parse_mount_line(line) else {
            continue;
        };
        // /proc is mounted anew, and nothing that lies below it is seen then.
        if open.contains(&point) || point.starts_with("/proc") {
            continue;
        }
        let more = match (point == *room, devices.contains(&point)) {
            (true, _) => HARMLESS,
            (_, true) => MountFlags::NOSUID | MountFlags::RDONLY,
            _ => HARMLESS | MountFlags::RDONLY,
        };
        match mount_remount(&point, MountFlags::BIND | more | flags, "") {
            // Nobody can come to it, or something else is mounted over it.
            Ok(()) | Err(Errno::NOENT | Errno::INVAL | Errno::ACCESS | Errno::NOTDIR) => {}
            Err(error) => {
                return Err(error_while("making mounts read-only")(error));
            }
        }
    }
    Ok(())
}

/// What no file in `/proc` is.
const OF_PROC: MountFlags = HARMLESS.union(MountFlags::NOEXEC);

/// Mounts the `/proc` of this process namespace.
pub(super) fn mount_proc() -> io::Result<()> {
    mount("proc", "/proc", "proc", OF_PROC, None).map_err(error_while("mounting /proc"))
}

/// What of `/proc` is not about processes is the machine's, and read-only from now on: even a root who may do nothing else could write
/// there, since the files are its own.
pub(super) fn shut_proc() -> io::Result<()> {
    for entry in fs::read_dir("/proc")?.flatten() {
        let path = entry.path();
        let is_process = entry.file_name().as_encoded_bytes()[0].is_ascii_digit();
        let Ok(metadata) = path.symlink_metadata() else {
            continue;
        };
        let can_change = metadata.is_dir() || !metadata.permissions().readonly();
        if is_process || metadata.is_symlink() || !can_change {
            continue;
        }
        let bound = mount_bind(&path, &path).and_then(|()| {
            mount_remount(&path, MountFlags::BIND | MountFlags::RDONLY | OF_PROC, "")
        });
        bound.map_err(error_while("making what is in /proc read-only"))?;
    }
    Ok(())
}

/// A line of mountinfo: where it is mounted, and the flags that must stay.
fn parse_mount_line(line: &str) -> Option<(PathBuf, MountFlags)> {
    let mut fields = line.split(' ').skip(4);
    let (point, options) = (fields.next()?, fields.next()?);
    let flags = options.split(',').map(|option| match option {
        "nosuid" => MountFlags::NOSUID,
        "nodev" => MountFlags::NODEV,
        "noexec" => MountFlags::NOEXEC,
        "noatime" => MountFlags::NOATIME,
        "nodiratime" => MountFlags::NODIRATIME,
        "relatime" => MountFlags::RELATIME,
        _ => MountFlags::empty(),
    });
    Some((PathBuf::from(unescape_octal(point)), flags.collect()))
}

/// Decodes blanks and the like, which are written as three octal digits.
fn unescape_octal(text: &str) -> std::ffi::OsString {
    use std::os::unix::ffi::OsStringExt;
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, tail @ ..] = rest {
        let number = tail.get(..3).filter(|_| *first == b'\\');
        let number = number.and_then(|digits| std::str::from_utf8(digits).ok());
        match number.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[3..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    std::ffi::OsString::from_vec(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_keeps_its_flags_and_its_name() {
        let line =
            r"36 35 98:0 / /mnt/two\040words\134 rw,nosuid,noatime shared:1 - ext4 /dev/sda rw";
        let (point, flags) = parse_mount_line(line).expect("a mount");
        assert_eq!(point, Path::new(r"/mnt/two words\"));
        assert_eq!(flags, MountFlags::NOSUID | MountFlags::NOATIME);
        assert_eq!(parse_mount_line("nonsense"), None);
    }
}
