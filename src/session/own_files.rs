//! Opening the files that lop keeps beside the user's: locks, journals, verdicts.
//!
//! Their names are known, so anyone may have put something else there. No link is followed, nothing blocks, and a file is
//! written to only if it is a regular one, has no other name, and begins as lop's own does. A link is followed only where the user named it as
//! the input or the output, and `lop resume` follows it only to where it led then. `tests/architecture/writes.rs` lists the other places that
//! may open a file for writing.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use crate::display::EscapeHidden;

/// How many bytes of a file tell whose it is.
const START: usize = 16;

/// Something else lies where lop keeps a file of its own. It stays as it is.
#[derive(Debug, thiserror::Error)]
#[error("{} is {what}, and lop uses only files of its own there", path.escape_hidden())]
pub struct UnexpectedFile {
    /// Where.
    pub path: PathBuf,
    /// What it is, with its article.
    pub what: &'static str,
}

impl UnexpectedFile {
    pub(super) fn io_error(path: &Path, what: &'static str) -> io::Error {
        let path = path.to_path_buf();
        io::Error::other(UnexpectedFile { path, what })
    }
}

/// Whether a file that begins so is lop's. Of a shorter file all is given.
pub(super) type OwnFileCheck = fn(&[u8]) -> bool;

/// Opens a file of lop's own to read it and to append to it; makes it with these permission bits, less the user's mask, if there is
/// none.
///
/// # Errors
/// The system's, or [`UnexpectedFile`].
pub(super) fn open_or_create_own(path: &Path, is_own: OwnFileCheck, mode: u32) -> io::Result<File> {
    open_checked(path, is_own, Some(mode))
}

/// The same with one that is there.
pub(super) fn open_existing_own(path: &Path, is_own: OwnFileCheck) -> io::Result<File> {
    open_checked(path, is_own, None)
}

/// Makes a file that is not there yet; fails with `AlreadyExists` where anything is, a link to nothing too.
pub fn create_new(path: &Path, mode: u32) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(mode).open(path)
}

/// Writes an executable to a path where nothing is.
///
/// # Errors
/// As for [`create_new`], and the system's.
pub fn create_executable(path: &Path, text: &str) -> io::Result<()> {
    create_new(path, 0o755)?.write_all(text.as_bytes())
}

/// Reads a file of lop's own, or a copy of the user's.
///
/// # Errors
/// The system's, or [`UnexpectedFile`]: nothing but a regular file is read.
pub(super) fn read_own_file(path: &Path) -> io::Result<Vec<u8>> {
    refuse_irregular(path)?;
    read_regular_file(open_for_reading(path, OFlags::NOFOLLOW)?, path)
}

/// Reads a regular file that the user named, links followed.
///
/// # Errors
/// The system's, or [`UnexpectedFile`]: a pipe would be waited for, and a device read for ever.
pub(super) fn read_user_file(path: &Path) -> io::Result<Vec<u8>> {
    read_regular_file(open_user_file(path)?, path)
}

/// Opens a regular file that the user named, links followed.
pub(super) fn open_user_file(path: &Path) -> io::Result<File> {
    let file = open_for_reading(path, OFlags::empty())?;
    match irregular_kind(&file.metadata()?) {
        Some(what) => Err(UnexpectedFile::io_error(path, what)),
        None => Ok(file),
    }
}

/// Fails with [`UnexpectedFile`] if there is anything but a regular file.
pub(super) fn refuse_irregular(path: &Path) -> io::Result<()> {
    let strange = match fs::symlink_metadata(path) {
        Ok(about) => irregular_kind(&about),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    strange.map_or(Ok(()), |what| Err(UnexpectedFile::io_error(path, what)))
}

/// Whether there is a directory, and not behind a link.
pub(super) fn is_directory(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|about| about.is_dir())
}

/// Makes a directory of lop's own, if it is not there.
///
/// # Errors
/// The system's, or [`UnexpectedFile`]: a directory behind a link is not lop's.
pub(super) fn ensure_directory(path: &Path) -> io::Result<()> {
    match fs::create_dir(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let about = fs::symlink_metadata(path)?;
            let strange =
                || UnexpectedFile::io_error(path, irregular_kind(&about).unwrap_or("a file"));
            about.is_dir().then_some(()).ok_or_else(strange)
        }
        made => made,
    }
}

/// Whether this path is still a name of the open file.
pub(super) fn is_same_file(file: &File, path: &Path) -> bool {
    let identity = |about: Metadata| (about.dev(), about.ino());
    let there = fs::symlink_metadata(path).map(identity);
    matches!((file.metadata().map(identity), there), (Ok(ours), Ok(there)) if ours == there)
}

/// What a path is, if it is not a regular file.
pub(super) fn irregular_kind(about: &Metadata) -> Option<&'static str> {
    let kind = about.file_type();
    match () {
        () if kind.is_file() => None,
        () if kind.is_symlink() => Some("a link"),
        () if kind.is_dir() => Some("a directory"),
        () if kind.is_fifo() => Some("a pipe"),
        () if kind.is_socket() => Some("a socket"),
        () => Some("a device"),
    }
}

fn open_checked(path: &Path, is_own: OwnFileCheck, made: Option<u32>) -> io::Result<File> {
    // Opening a device may have an effect, so that is not tried.
    refuse_irregular(path)?;
    let mut options = OpenOptions::new();
    options
        .read(true)
        .append(true)
        .custom_flags(safe_open_flags(OFlags::NOFOLLOW));
    if let Some(mode) = made {
        options.create(true).mode(mode);
    }
    let file = options.open(path)?;
    let about = file.metadata()?;
    let mut start = [0; START];
    let strange = match irregular_kind(&about) {
        None if about.nlink() > 1 => Some("a file with a second name (a hard link)"),
        None => {
            let length = read_start(&file, &mut start)?;
            (!is_own(&start[..length])).then_some("a file that lop did not write")
        }
        what => what,
    };
    strange.map_or(Ok(file), |what| Err(UnexpectedFile::io_error(path, what)))
}

fn read_start(file: &File, start: &mut [u8; START]) -> io::Result<usize> {
    let mut length = 0;
    while length < START {
        match file.read_at(&mut start[length..], length as u64)? {
            0 => break,
            more => length += more,
        }
    }
    Ok(length)
}

fn open_for_reading(path: &Path, more: OFlags) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options
        .read(true)
        .custom_flags(safe_open_flags(more))
        .open(path)
}

fn read_regular_file(mut file: File, path: &Path) -> io::Result<Vec<u8>> {
    if let Some(what) = irregular_kind(&file.metadata()?) {
        return Err(UnexpectedFile::io_error(path, what));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Flags with which no pipe blocks and no terminal takes control.
fn safe_open_flags(more: OFlags) -> i32 {
    (OFlags::NONBLOCK | OFlags::NOCTTY | more).bits() as i32
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::process::Command;

    use super::*;

    const OWN: &[u8] = b"ours ";

    fn is_own(start: &[u8]) -> bool {
        start.is_empty() || start.starts_with(OWN)
    }

    /// The kind of a path that is not opened.
    fn refused(path: &Path) -> String {
        let refusals = [
            open_or_create_own(path, is_own, 0o600).map(drop),
            open_existing_own(path, is_own).map(drop),
        ];
        let said = refusals.map(|refusal| refusal.expect_err("refused").to_string());
        assert_eq!(said[0], said[1]);
        said[0].clone()
    }

    #[test]
    fn whatever_lies_in_the_place_of_a_file_of_ours_stays_as_it_is() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = |name: &str| dir.path().join(name);
        fs::write(path("theirs"), "precious").expect("a file");
        fs::write(path("ours"), "ours 1\n").expect("a file");
        symlink("theirs", path("link")).expect("a link");
        symlink("ours", path("link to ours")).expect("a link");
        symlink("nothing", path("link to nothing")).expect("a link");
        fs::hard_link(path("ours"), path("second name")).expect("a hard link");
        fs::create_dir(path("directory")).expect("a directory");
        let made = Command::new("mkfifo").arg(path("pipe")).status();
        assert!(made.expect("mkfifo").success());
        let _socket = UnixListener::bind(path("socket")).expect("a socket");
        for (name, what) in [
            ("theirs", "a file that lop did not write"),
            ("link", "a link"),
            ("link to ours", "a link"),
            ("link to nothing", "a link"),
            ("second name", "a file with a second name (a hard link)"),
            ("directory", "a directory"),
            ("pipe", "a pipe"),
            ("socket", "a socket"),
        ] {
            let says = format!("/{name} is {what}, and lop uses only files of its own there");
            let said = refused(&path(name));
            assert!(said.ends_with(&says), "{said}");
            let new = create_new(&path(name), 0o600).expect_err("it is there");
            assert_eq!(new.kind(), ErrorKind::AlreadyExists, "{name}");
        }
        assert!(refused(Path::new("/dev/null")).contains("is a device"));
        assert!(!path("nothing").exists());
        let read = |name: &str| fs::read_to_string(path(name)).expect("text");
        assert_eq!(
            (read("theirs"), read("ours")),
            ("precious".into(), "ours 1\n".into())
        );
    }

    #[test]
    fn what_is_ours_is_opened_and_what_is_not_there_is_made() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("file");
        let missing = open_existing_own(&path, is_own).expect_err("it is not there");
        assert_eq!(missing.kind(), ErrorKind::NotFound);
        let file = open_or_create_own(&path, is_own, 0o600).expect("a new one");
        assert_eq!(file.metadata().expect("a file").mode() & 0o777, 0o600);
        fs::write(&path, "ours 1\n").expect("written");
        assert!(open_existing_own(&path, is_own).is_ok() && is_same_file(&file, &path));
        assert_eq!(read_own_file(&path).expect("read"), b"ours 1\n");
        fs::remove_file(&path).expect("gone");
        assert!(!is_same_file(&file, &path));
        fs::write(&path, "ours 1\n").expect("another");
        assert!(!is_same_file(&file, &path), "another file of the same name");
    }

    #[test]
    fn only_regular_files_are_read() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = |name: &str| dir.path().join(name);
        fs::write(path("file"), "text").expect("a file");
        symlink("file", path("link")).expect("a link");
        symlink("/dev/zero", path("zeros")).expect("a link");
        let made = Command::new("mkfifo").arg(path("pipe")).status();
        assert!(made.expect("mkfifo").success());
        assert_eq!(read_user_file(&path("link")).expect("read"), b"text");
        assert!(read_own_file(&path("link")).is_err());
        for name in ["zeros", "pipe"] {
            assert!(read_user_file(&path(name)).is_err() && read_own_file(&path(name)).is_err());
        }
    }
}
