//! A line of a diff.

use crate::tui::theme::Role;

/// The kind of a line of a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffLineKind {
    /// Both versions have it.
    Unchanged,
    /// The candidate lacks it.
    Removed,
    /// Only the candidate has it.
    Added,
    /// Unchanged lines are left out here.
    Omitted,
    /// What the lines below are.
    Heading,
}

/// A line of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffLine {
    /// Its kind.
    pub kind: DiffLineKind,
    /// Its number, counted from 1, in the version; for an added line, in the candidate.
    pub number: u32,
    /// Its text.
    pub text: String,
}

impl DiffLineKind {
    /// The sign before such a line, and the role of both; `cut` stands for what is left out.
    pub fn sign(self, cut: &'static str) -> (&'static str, Role) {
        match self {
            DiffLineKind::Unchanged => (" ", Role::Text),
            DiffLineKind::Removed => ("-", Role::Removed),
            DiffLineKind::Added => ("+", Role::Added),
            DiffLineKind::Omitted => (cut, Role::Dim),
            DiffLineKind::Heading => (" ", Role::Title),
        }
    }
}

impl DiffLine {
    /// A line that is of no program.
    pub fn unnumbered(kind: DiffLineKind, text: String) -> DiffLine {
        DiffLine {
            kind,
            number: 0,
            text,
        }
    }
}
