//! What is asked of whoever runs tests, for the safety of all others.

use std::path::{Path, PathBuf};

use super::Quotas;

/// How tests are looked after.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Care {
    /// A program whose `main` calls [`super::serve`] when its first argument is [`super::HELPER`]. Never name another: it would be
    /// started.
    pub helper: Option<PathBuf>,
    /// What a test may take of the machine.
    pub quotas: Quotas,
    /// Whether control groups keep the limits of memory and processes where they can.
    pub cgroups: bool,
    /// Tests see all of the file system, but for the places where everybody writes or listens, of which they see what they name; they can
    /// write in directories of their own only, have a home of their own, reach no network, no socket and no device, and see no process
    /// but theirs. Needs a helper, and a system that allows it.
    pub sandbox: bool,
}

/// A helper or none, and no limits.
impl From<Option<&Path>> for Care {
    fn from(helper: Option<&Path>) -> Care {
        Care {
            helper: helper.map(Path::to_path_buf),
            ..Care::default()
        }
    }
}
