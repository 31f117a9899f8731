//! What a pass sees of a run.

use super::version::Version;

/// What a pass sees: the version it asks about. Constraints of the user join it here.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The current version.
    pub version: &'a Version,
}
