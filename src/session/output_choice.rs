//! Where the user wants the result.

use std::path::{Path, PathBuf};

/// Where the user wants the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputChoice {
    /// `bug.lop.c` beside `bug.c`.
    Beside,
    /// In this file.
    At(PathBuf),
    /// In the input itself, whose original is kept as `bug.c.orig`.
    InPlace,
    /// In this file, which the user did not name: the program of a sequence of choices, beside the sequence.
    Program(PathBuf),
    /// Where an earlier run had it.
    Resumed(EarlierOutput),
}

/// Where a run had its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierOutput {
    /// As it was named.
    pub named: PathBuf,
    /// Where a link of that name led then, as an absolute path; none if it was not a link.
    pub link_target: Option<PathBuf>,
    /// Whether it is the input itself.
    pub in_place: bool,
}

impl OutputChoice {
    /// What the user says with `--output`, or beside the input.
    pub fn from_path(path: Option<&Path>) -> OutputChoice {
        match path {
            Some(path) => OutputChoice::At(path.to_path_buf()),
            None => OutputChoice::Beside,
        }
    }

    /// Whether the input itself becomes the result.
    pub fn is_in_place(&self) -> bool {
        match self {
            OutputChoice::InPlace => true,
            OutputChoice::Resumed(earlier) => earlier.in_place,
            OutputChoice::Beside | OutputChoice::At(_) | OutputChoice::Program(_) => false,
        }
    }

    /// Whether the result may go to `path`, which leads to `named`. A link that the user did not name may be anyone's.
    pub(super) fn allows_path(&self, named: &Path, path: &Path) -> bool {
        match self {
            OutputChoice::Beside | OutputChoice::Program(_) => named == path,
            OutputChoice::At(_) | OutputChoice::InPlace => true,
            OutputChoice::Resumed(earlier) => {
                let led_to = earlier.link_target.as_deref().unwrap_or(named);
                to_absolute(path) == to_absolute(led_to)
            }
        }
    }
}

pub(super) fn to_absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
