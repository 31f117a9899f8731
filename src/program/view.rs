//! What a pass sees of a run.

use std::sync::Arc;

use super::constraints::Constraints;
use super::mark::{mark, mark_near};
use super::node::NodeId;
use super::version::Version;

/// What a pass sees: the version it asks about, and what the user wants kept, left alone or tried first.
#[derive(Clone, Debug)]
pub struct View {
    /// The current version. The leaves that the constraints keep are marked.
    pub version: Version,
    /// The constraints.
    pub constraints: Arc<Constraints>,
}

impl View {
    /// A version without constraints.
    pub fn new(version: Version) -> View {
        View {
            version,
            constraints: Arc::default(),
        }
    }

    /// From now on these constraints hold. Those that keep something and are new are about tokens below `near`.
    pub fn constrain(&mut self, constraints: Constraints, near: &[NodeId]) {
        self.constraints = Arc::new(constraints);
        self.version = mark_near(&self.version, &self.constraints, near);
    }

    /// This is the version now: read anew, or another one from before.
    pub fn turn_to(&mut self, version: &Version) {
        self.version = mark(version, &self.constraints);
    }
}
