//! What the user says about a farm, and why it cannot be used.

use std::io;
use std::path::PathBuf;

use super::sent_files::SendError;
use crate::display::EscapeHidden;

/// What the user says about a farm.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FarmOptions {
    /// `grpc://HOST:PORT`, or `grpcs://HOST:PORT` with TLS.
    pub address: String,
    /// The instance of the server; empty for the only one.
    pub instance: String,
    /// Headers of every call, such as a token: names and values.
    pub headers: Vec<(String, String)>,
    /// Properties that a worker must have, such as a container image.
    pub platform: Vec<(String, String)>,
    /// The certificates of the authorities that are trusted, in PEM; none for those of the system.
    pub authorities: Option<PathBuf>,
    /// The own certificate and its key, in PEM.
    pub identity: Option<(PathBuf, PathBuf)>,
    /// Files and directories that the test reads, besides the documents and its script.
    pub files: Vec<PathBuf>,
}

/// Why a farm cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FarmError {
    /// The address is none.
    #[error("the farm's address is grpc://HOST:PORT, or grpcs://HOST:PORT with TLS: {reason}")]
    Address {
        /// What is wrong.
        reason: String,
    },
    /// A header cannot be sent.
    #[error(
        "the header {name} cannot be sent: its name has letters, digits and -, and its value is ASCII"
    )]
    Header {
        /// Its name.
        name: String,
    },
    /// A certificate or a key cannot be read.
    #[error("{} cannot be read: {source}", path.escape_hidden())]
    Certificate {
        /// The file.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// A file that the test reads cannot be sent.
    #[error(transparent)]
    File(#[from] SendError),
    /// The test is of a kind that no action runs.
    #[error("a farm cannot run this test: {reason}")]
    Test {
        /// What is in the way, and what to do.
        reason: &'static str,
    },
    /// The system gives no thread or no descriptors.
    #[error("the farm's client cannot start: {0}")]
    System(#[from] io::Error),
}
