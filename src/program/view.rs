//! What a pass sees of a run.

use super::version::Version;

/// What a pass sees: the version it asks about. Constraints of the user join it here.
#[derive(Clone, Debug)]
pub struct View {
    /// The current version.
    pub version: Version,
}
