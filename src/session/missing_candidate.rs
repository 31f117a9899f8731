//! The candidate that ended a run without tests, kept beside the output.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::own_files;

/// As many names are tried.
const MOST: u32 = 1000;

/// Writes the candidate to `missing-in-action.c` beside the output `bug.lop.c`. What is there already stays, and the candidate has the next
/// free name, `missing-in-action.1.c`, unless it is there already. The result is its path.
///
/// # Errors
/// The system's.
pub fn keep_missing_candidate(output: &Path, candidate: &[u8]) -> io::Result<PathBuf> {
    let extension = output.extension().unwrap_or_default();
    for number in 0..MOST {
        let name = match number {
            0 => "missing-in-action".to_owned(),
            number => format!("missing-in-action.{number}"),
        };
        let mut path = output.with_file_name(name);
        if !extension.is_empty() {
            path.as_mut_os_string().push(".");
            path.as_mut_os_string().push(extension);
        }
        match own_files::create_new(&path, 0o666) {
            Ok(mut file) => return file.write_all(candidate).map(|()| path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
        let is_regular = fs::symlink_metadata(&path)
            .is_ok_and(|about| about.is_file() && about.len() == candidate.len() as u64);
        if is_regular && own_files::read_own_file(&path).is_ok_and(|there| there == candidate) {
            return Ok(path);
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn what_is_there_stays_and_the_same_candidate_is_kept_once() {
        let dir = tempfile::tempdir().expect("a directory");
        let keep = |text: &str| {
            let path = keep_missing_candidate(&dir.path().join("a.lop.bp"), text.as_bytes());
            let name = path.expect("kept").file_name().map(ToOwned::to_owned);
            name.and_then(|name| name.into_string().ok())
                .expect("a name")
        };
        assert_eq!(keep("one"), "missing-in-action.bp");
        assert_eq!(keep("one"), "missing-in-action.bp");
        symlink("precious", dir.path().join("missing-in-action.1.bp")).expect("a link");
        assert_eq!(keep("two"), "missing-in-action.2.bp");
        assert!(!dir.path().join("precious").exists());
        let read = |name| fs::read_to_string(dir.path().join(name)).expect("a file");
        assert_eq!(read("missing-in-action.bp"), "one");
        assert_eq!(read("missing-in-action.2.bp"), "two");
    }
}
