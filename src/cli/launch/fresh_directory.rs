//! A new directory for a run on a program that comes with lop: the demo, a lesson.

use std::io;

use tempfile::TempDir;

use crate::session;

/// Makes a new directory among the temporary ones, whose name begins like this. It goes with the value.
///
/// # Errors
/// The system's, without the path.
pub fn create_directory(prefix: &str) -> io::Result<TempDir> {
    let made = tempfile::Builder::new().prefix(prefix).tempdir();
    made.map_err(session::strip_temporary_path)
}
