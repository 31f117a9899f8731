//! A test that is a file: its path, and its interpreter.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::Access;
use serde::{Deserialize, Serialize};

use super::shell::quote_path_for_display;
use crate::display::EscapeHidden;

/// How much of a test is read to detect its interpreter, in bytes: as much as Linux reads of a `#!` line.
const MAX_HEADER_BYTES: u64 = 256;

/// Why a file cannot be a test. Where a command would help, the message names it.
#[derive(Debug, thiserror::Error)]
pub enum TestError {
    /// There is no such file.
    #[error("the test {} does not exist{}", path.escape_hidden(), missing_test_hint(path))]
    Missing {
        /// The test, as the user named it.
        path: PathBuf,
    },
    /// It is a directory.
    #[error("the test {} is a directory; name an executable file", path.escape_hidden())]
    Directory {
        /// The test, as the user named it.
        path: PathBuf,
    },
    /// It is a device, a pipe or a socket.
    #[error("the test {} is not a regular file; name an executable one", path.escape_hidden())]
    NotAFile {
        /// The test, as the user named it.
        path: PathBuf,
    },
    /// It is empty: as a script it would call every candidate interesting.
    #[error("the test {} is empty; write a check into it, as in  grep -q WORD \"$1\"", path.escape_hidden())]
    Empty {
        /// The test, as the user named it.
        path: PathBuf,
    },
    /// It has no execute permission.
    #[error("the test {} is not executable; type\n    chmod +x {}", path.escape_hidden(), quote_path_for_display(path))]
    NotExecutable {
        /// The test, as the user named it.
        path: PathBuf,
    },
    /// It has execute permission, but not for this user or not on this file system.
    #[error("the test {} may not be executed: it belongs to someone else, or its file system is mounted noexec; copy it to a place of your own", path.escape_hidden())]
    Forbidden {
        /// The test, as the user named it.
        path: PathBuf,
    },
    /// Its `#!` line names a program that does not exist.
    #[error("the test {} begins with #!{}, which does not exist{hint}", path.escape_hidden(), interpreter.escape_hidden(), hint = interpreter_hint(path, *last))]
    NoInterpreter {
        /// The test, as the user named it.
        path: PathBuf,
        /// The program that the line names.
        interpreter: String,
        /// Its last byte.
        last: Option<u8>,
    },
    /// It may not be read, or the system failed.
    #[error("the test {} cannot be read: {source}; ls -l tells who may", path.escape_hidden())]
    Unreadable {
        /// The test, as the user named it.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// What runs a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScriptInterpreter {
    /// The system: the test is a program, or begins with `#!`.
    System,
    /// `/bin/sh`: the test is a text without `#!`. The system refuses it, but every shell runs it.
    Shell,
}

/// An executable file that can be run from any directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestExecutable {
    path: PathBuf,
    interpreter: ScriptInterpreter,
}

impl TestExecutable {
    /// Checks the file and detects its interpreter. A relative path is resolved against the current directory now.
    pub fn from_path(path: &Path) -> Result<TestExecutable, TestError> {
        let named = path.to_path_buf();
        let metadata = match path.metadata() {
            Ok(metadata) => metadata,
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                return Err(TestError::Missing { path: named });
            }
            Err(source) => {
                return Err(TestError::Unreadable {
                    path: named,
                    source,
                });
            }
        };
        if metadata.is_dir() {
            return Err(TestError::Directory { path: named });
        }
        if !metadata.is_file() {
            return Err(TestError::NotAFile { path: named });
        }
        if metadata.len() == 0 {
            return Err(TestError::Empty { path: named });
        }
        if metadata.permissions().mode() & 0o111 == 0 {
            return Err(TestError::NotExecutable { path: named });
        }
        if rustix::fs::access(path, Access::EXEC_OK).is_err() {
            return Err(TestError::Forbidden { path: named });
        }
        let interpreter = detect_interpreter(path)?;
        // Links in the path stay: a script may search for other files beside the path by which it was called.
        let path = std::path::absolute(path).map_err(|source| TestError::Unreadable {
            path: named,
            source,
        })?;
        Ok(TestExecutable { path, interpreter })
    }

    /// Its absolute path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What runs it.
    pub fn interpreter(&self) -> ScriptInterpreter {
        self.interpreter
    }

    /// The beginning of its command line, never empty. The arguments follow.
    pub(super) fn command_words(&self) -> Vec<OsString> {
        let path = self.path.as_os_str().to_owned();
        match self.interpreter {
            ScriptInterpreter::System => vec![path],
            ScriptInterpreter::Shell => vec!["/bin/sh".into(), path],
        }
    }
}

/// Detects what runs the file. Of the program in a `#!` line it only checks that it exists.
fn detect_interpreter(path: &Path) -> Result<ScriptInterpreter, TestError> {
    let mut start = Vec::new();
    let read =
        File::open(path).and_then(|file| file.take(MAX_HEADER_BYTES).read_to_end(&mut start));
    match read {
        Ok(_) => {}
        // A program may be executable but not readable.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            return Ok(ScriptInterpreter::System);
        }
        Err(source) => {
            return Err(TestError::Unreadable {
                path: path.to_path_buf(),
                source,
            });
        }
    }
    let Some(line) = start.strip_prefix(b"#!") else {
        let binary = start.contains(&0);
        return Ok(if binary {
            ScriptInterpreter::System
        } else {
            ScriptInterpreter::Shell
        });
    };
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let program = line
        .trim_ascii_start()
        .split(|byte| matches!(byte, b' ' | b'\t'))
        .next()
        .unwrap_or_default();
    if Path::new(std::ffi::OsStr::from_bytes(program)).exists() {
        return Ok(ScriptInterpreter::System);
    }
    Err(TestError::NoInterpreter {
        path: path.to_path_buf(),
        interpreter: String::from_utf8_lossy(program).trim_end().to_owned(),
        last: program.last().copied(),
    })
}

/// Why the program is missing and what to do, as the end of a sentence.
fn interpreter_hint(path: &Path, last: Option<u8>) -> String {
    match last {
        Some(b'\r') => format!(
            " (its lines end in CR LF, and the CR counts as a part of the name); type\n    sed -i 's/\\r$//' {}",
            quote_path_for_display(path)
        ),
        None => " (no program is named there); name one, as in #!/bin/sh".into(),
        Some(_) => "; install it, or name one that exists, as in #!/bin/sh".into(),
    }
}

/// A name without a directory may be meant as a command.
fn missing_test_hint(path: &Path) -> &'static str {
    match path.as_os_str().as_bytes().contains(&b'/') {
        true => "; look how it is spelt, and where it lies",
        false => " (a test is the path of a file: it is not searched in PATH)",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// The result for a file with these bytes and this mode.
    fn find(name: &str, bytes: &[u8], mode: u32) -> Result<TestExecutable, String> {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join(name);
        fs::write(&path, bytes).expect("a test");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("its mode");
        TestExecutable::from_path(&path).map_err(|error| {
            error
                .to_string()
                .replace(&dir.path().to_string_lossy().into_owned(), "DIR")
        })
    }

    #[test]
    fn the_first_bytes_say_who_runs_a_test() {
        let who = |bytes: &[u8]| find("t", bytes, 0o755).expect("a test").interpreter();
        assert_eq!(who(b"#!/bin/sh\nexit 0\n"), ScriptInterpreter::System);
        assert_eq!(who(b"#! /usr/bin/env sh\n"), ScriptInterpreter::System);
        assert_eq!(who(b"grep -q bug bug.c\n"), ScriptInterpreter::Shell);
        assert_eq!(who(b"\x7fELF\x02\x01\x01\0\0"), ScriptInterpreter::System);
    }

    #[test]
    fn what_cannot_be_a_test_is_refused_with_the_reason() {
        let why = |name: &str, bytes: &[u8], mode| find(name, bytes, mode).expect_err("no test");
        assert_eq!(
            why("t.sh", b"exit 0", 0o644),
            "the test DIR/t.sh is not executable; type\n    chmod +x DIR/t.sh"
        );
        assert_eq!(
            why("a t", b"exit 0", 0o644),
            "the test DIR/a t is not executable; type\n    chmod +x 'DIR/a t'"
        );
        assert!(
            why("t.sh", b"", 0o755)
                .starts_with("the test DIR/t.sh is empty; write a check into it")
        );
        assert_eq!(
            why("t.py", b"#!/no/such/python -u\n", 0o755),
            "the test DIR/t.py begins with #!/no/such/python, which does not exist; install it, or name one that exists, as in #!/bin/sh"
        );
        assert_eq!(
            why("t.sh", b"#!/bin/sh\r\nexit 0\r\n", 0o755),
            "the test DIR/t.sh begins with #!/bin/sh, which does not exist (its lines end in CR LF, and the CR counts as a part of the name); type\n    sed -i 's/\\r$//' DIR/t.sh"
        );
        let missing = TestExecutable::from_path(Path::new("no/such/test.sh")).expect_err("no test");
        assert_eq!(
            missing.to_string(),
            "the test no/such/test.sh does not exist; look how it is spelt, and where it lies"
        );
        let directory = TestExecutable::from_path(Path::new("/")).expect_err("no test");
        assert_eq!(
            directory.to_string(),
            "the test / is a directory; name an executable file"
        );
        let device = TestExecutable::from_path(Path::new("/dev/null")).expect_err("no test");
        assert_eq!(
            device.to_string(),
            "the test /dev/null is not a regular file; name an executable one"
        );
    }
}
