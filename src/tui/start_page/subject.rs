//! The file that the page is about: its name, its size, and how it begins.

use crate::program::Version;

/// The file.
#[derive(Debug)]
pub struct StartSubject {
    /// Its name.
    pub title: String,
    /// Its language and its size.
    pub facts: String,
    /// How it begins, parsed; none if that cannot be read.
    pub beginning: Option<Version>,
}
