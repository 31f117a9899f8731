//! Why a journal cannot be written or read.

use std::path::{Path, PathBuf};

use super::super::session_directory::JOURNAL;
use super::{FORMAT, OLDEST_FORMAT};
use crate::display::EscapeHidden;
use crate::oracle::shell;

/// Why a journal cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be opened, written or read.
    #[error("the journal {} cannot be used: {source}; see to that, or name another", path.escape_hidden())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's message.
        source: std::io::Error,
    },
    /// It was written by a lop with another format.
    #[error(
        "the journal {} was written by lop {} in format {format}, and this is lop {}, which reads formats {OLDEST_FORMAT} to {FORMAT}; {}",
        path.escape_hidden(),
        lop.escape_hidden(),
        env!("CARGO_PKG_VERSION"),
        if *format > FORMAT { "use that lop, or a newer one" } else { "use that lop, or reduce the result of that run anew" }
    )]
    Format {
        /// The file.
        path: PathBuf,
        /// The version that wrote it.
        lop: String,
        /// In which format.
        format: u32,
    },
    /// It has no header.
    #[error(
        "{} is no journal of lop, or its first line is damaged: {problem}; nothing can be made of it: {}",
        path.escape_hidden(),
        repair_hint(path)
    )]
    NoHeader {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
}

/// What to do where a file holds no journal.
fn repair_hint(path: &Path) -> String {
    let session = path.parent().filter(|_| path.ends_with(JOURNAL));
    session.map_or_else(
        || "name another, or remove it".into(),
        |directory| {
            format!(
                "`rm -r {}` removes the session",
                shell::quote_path_for_display(directory)
            )
        },
    )
}

impl JournalError {
    pub(in super::super) fn io_error(path: &Path) -> impl FnOnce(std::io::Error) -> JournalError {
        let path = path.to_path_buf();
        |source| JournalError::Io { path, source }
    }
}
