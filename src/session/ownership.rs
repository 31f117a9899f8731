//! Whose a session is, as a function of what the system reports of its files.
//!
//! A session names the test that runs, the file that is written, and a grammar that is loaded into this process. So a session that somebody
//! else could have written is shown before anything is done with it. It is the user's own if it lies in the state directory, nobody else owns a
//! part of it, and nobody else can write to it. A place elsewhere is not enough: a directory that was unpacked or copied has the user's own
//! name on it, whoever filled it.
//!
//! `cli/commands/resume/trust.rs` shows a session, asks, and looks again once nobody else can resume it. A replay leaves out a grammar that is C code.
//! What is kept between runs is held to the same rule ([`super::ensure_owned_by_user`]): verdicts of `--cache`, and built parsers.

use std::fmt;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::display::EscapeHidden;

/// The permission bits by which others than the owner write.
const OTHERS: u32 = 0o022;

/// What the system reports of a file or directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileOwnership {
    /// Its name, for messages.
    pub path: PathBuf,
    /// The number of its owner.
    pub owner: u32,
    /// Whether its permissions let others write to it.
    pub is_open: bool,
    /// Whether it is a link.
    pub is_link: bool,
}

/// What decides whether a session is one's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionOwnership {
    /// The number of the user who runs lop.
    pub user: u32,
    /// The directory of the session.
    pub directory: PathBuf,
    /// The directory in which one's own sessions lie; none if that is not known.
    pub usual: Option<PathBuf>,
    /// Whether the one lies in the other.
    pub is_among_own: bool,
    /// The directories and all files.
    pub files: Vec<FileOwnership>,
}

/// Why something is not one's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnershipProblem {
    /// Its directory lies elsewhere than one's own sessions.
    OutsideSessions {
        /// The directory.
        directory: PathBuf,
        /// Where they lie, if that is known.
        usual: Option<PathBuf>,
    },
    /// Another user owns this.
    OtherOwner {
        /// What.
        path: PathBuf,
        /// That user's number.
        owner: u32,
    },
    /// Others can write to this.
    WritableByOthers(PathBuf),
    /// This is a link, so what is in it lies elsewhere.
    Symlink(PathBuf),
}

impl FileOwnership {
    /// Of what was opened as `path`.
    pub fn from_metadata(path: &Path, about: &Metadata) -> FileOwnership {
        FileOwnership {
            path: path.to_path_buf(),
            owner: about.uid(),
            is_open: about.mode() & OTHERS != 0,
            is_link: about.is_symlink(),
        }
    }

    /// Why it is not this user's own; none if it is.
    pub fn find_problem(&self, user: u32) -> Option<OwnershipProblem> {
        let path = || self.path.clone();
        match () {
            () if self.owner != user => Some(OwnershipProblem::OtherOwner {
                path: path(),
                owner: self.owner,
            }),
            // The permissions of a link mean nothing.
            () if self.is_link => Some(OwnershipProblem::Symlink(path())),
            () => self
                .is_open
                .then(|| OwnershipProblem::WritableByOthers(path())),
        }
    }
}

impl SessionOwnership {
    /// Why the session is not the user's own; none if it is.
    pub fn find_problems(&self) -> Vec<OwnershipProblem> {
        let elsewhere = (!self.is_among_own).then(|| OwnershipProblem::OutsideSessions {
            directory: self.directory.clone(),
            usual: self.usual.clone(),
        });
        let files = self
            .files
            .iter()
            .filter_map(|file| file.find_problem(self.user));
        let mut doubts = Vec::new();
        for doubt in elsewhere.into_iter().chain(files) {
            // The journal is looked at as it was opened, and by its name.
            if !doubts.contains(&doubt) {
                doubts.push(doubt);
            }
        }
        doubts
    }
}

impl fmt::Display for OwnershipProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OwnershipProblem::OutsideSessions { directory, usual } => {
                write!(f, "{} does not lie ", directory.escape_hidden())?;
                match usual {
                    Some(usual) => write!(f, "in {}", usual.escape_hidden()),
                    None => f.write_str("among the sessions of this user"),
                }
            }
            OwnershipProblem::OtherOwner { path, owner } => {
                write!(f, "{} belongs to the user {owner}", path.escape_hidden())
            }
            OwnershipProblem::WritableByOthers(path) => {
                write!(f, "others can write to {}", path.escape_hidden())
            }
            OwnershipProblem::Symlink(path) => write!(f, "{} is a link", path.escape_hidden()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ME: u32 = 1000;

    fn file(path: &str) -> FileOwnership {
        FileOwnership {
            path: path.into(),
            owner: ME,
            is_open: false,
            is_link: false,
        }
    }

    /// What is said of a session with these files.
    fn said(is_among_own: bool, files: Vec<FileOwnership>) -> Vec<String> {
        let facts = SessionOwnership {
            user: ME,
            directory: "s".into(),
            usual: Some("/home/me/sessions".into()),
            is_among_own,
            files,
        };
        facts
            .find_problems()
            .iter()
            .map(OwnershipProblem::to_string)
            .collect()
    }

    #[test]
    fn what_nobody_else_could_write_is_ones_own_where_ones_own_lie() {
        let own = || vec![file("s"), file("s/journal.jsonl")];
        assert_eq!(said(true, own()), [""; 0]);
        let elsewhere = "s does not lie in /home/me/sessions";
        assert_eq!(said(false, own()), [elsewhere]);
    }

    #[test]
    fn another_owner_open_permissions_and_links_are_told() {
        let foreign = FileOwnership {
            owner: 0,
            ..file("s")
        };
        let open = FileOwnership {
            is_open: true,
            ..file("s/done")
        };
        let link = FileOwnership {
            is_link: true,
            is_open: true,
            ..file("s/journal.jsonl")
        };
        assert_eq!(
            said(true, vec![foreign, open, link]),
            [
                "s belongs to the user 0",
                "others can write to s/done",
                "s/journal.jsonl is a link"
            ]
        );
    }
}
