//! Why a result cannot go to its place.

use std::io;
use std::path::PathBuf;

use super::lock::LockHolder;
use crate::display::EscapeHidden;

/// Why a result cannot go there.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// Its directory is missing.
    #[error("the result cannot go to {}: there is no directory {}; make it, or name another place with --output", path.escape_hidden(), directory.escape_hidden())]
    NoDirectory {
        /// The output.
        path: PathBuf,
        /// What is missing.
        directory: PathBuf,
    },
    /// Nothing can be written there.
    #[error("the result cannot go to {}: {source}; name another place with --output", path.escape_hidden())]
    Unwritable {
        /// The output.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// There is something that cannot be replaced.
    #[error("the result cannot go to {}: it is {what}; name a file with --output", path.escape_hidden())]
    NotAFile {
        /// The output.
        path: PathBuf,
        /// What it is, with its article.
        what: &'static str,
    },
    /// There is a link that the user did not name.
    #[error(
        "the result cannot go to {}: it is a link to {}, which {}",
        path.escape_hidden(),
        to.escape_hidden(),
        match is_resumed {
            true => "it was not when the session began; move it away",
            false => "nobody named as the output; move it away, or name it with --output",
        }
    )]
    Link {
        /// The output.
        path: PathBuf,
        /// Where it leads.
        to: PathBuf,
        /// Whether a session is being resumed, which names its output itself.
        is_resumed: bool,
    },
    /// The program of a sequence of choices goes there.
    #[error(
        "the result cannot go to {}: the program that --generator makes of it goes there; name another file with --output, or another name with --as",
        .0.escape_hidden()
    )]
    IsProgram(PathBuf),
    /// There is something else than a directory.
    #[error("the result cannot go to {}: it is {what}; name a directory with --output", path.escape_hidden())]
    NotADirectory {
        /// The output.
        path: PathBuf,
        /// What it is, with its article.
        what: &'static str,
    },
    /// There is a directory that holds something else.
    #[error("{} holds {}, which is no file of this result; move it, or name another directory with --output", path.escape_hidden(), entry.escape_hidden())]
    Foreign {
        /// The output.
        path: PathBuf,
        /// What is in it.
        entry: PathBuf,
    },
    /// It is below the directory that is reduced.
    #[error("--output {} is inside of the directory that is reduced, so the next run would reduce it too; name another place", .0.escape_hidden())]
    InsideInput(PathBuf),
    /// It is the directory of an input.
    #[error("--output {} holds a file that is reduced, which lop would overwrite; name another directory", .0.escape_hidden())]
    HoldsInput(PathBuf),
    /// It is the input.
    #[error("--output {} is the input itself; to reduce it where it is, type --in-place instead", .0.escape_hidden())]
    IsInput(PathBuf),
    /// It is the test.
    #[error("--output {} is the test, which lop would overwrite; name another file", .0.escape_hidden())]
    IsTest(PathBuf),
    /// Another lop writes to it.
    #[error(
        "another lop is writing to {}{}; wait for its end, or name another place with --output",
        path.escape_hidden(),
        holder.as_ref().map(|holder| format!(" ({holder})")).unwrap_or_default()
    )]
    Busy {
        /// The output.
        path: PathBuf,
        /// Who it is, by its own word.
        holder: Option<LockHolder>,
    },
    /// The input changed since it was read.
    #[error("{} was changed while lop looked at it; nothing was written, so type the same again", .0.escape_hidden())]
    Changed(PathBuf),
    /// What is there cannot be kept.
    #[error("{} cannot be kept as {}: {source}; name another place with --output", old.escape_hidden(), kept.escape_hidden())]
    CannotKeep {
        /// What is there.
        old: PathBuf,
        /// Where it should be kept.
        kept: PathBuf,
        /// The system's message.
        source: io::Error,
    },
}
