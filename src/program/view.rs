//! What a pass sees of a run.

use std::sync::Arc;

use super::constraints::ConstraintSet;
use super::mark::{mark_pinned, mark_pinned_below};
use super::node::NodeId;
use super::rules::RunRules;
use super::version::{Document, DocumentFreedom, Version};
use crate::protocol::ProposerView;

/// What a pass sees: the current version, and what the user wants kept, left alone or tried first.
#[derive(Clone, Debug)]
pub struct View {
    /// The current version. The leaves that the constraints keep are marked.
    pub version: Version,
    /// The constraints.
    pub constraints: Arc<ConstraintSet>,
    /// The rules of the run, and what they were worth.
    pub rules: Arc<RunRules>,
}

impl ProposerView for View {
    type Part = NodeId;
}

impl View {
    /// A version without constraints.
    pub fn new(version: Version) -> View {
        View {
            version,
            constraints: Arc::default(),
            rules: Arc::default(),
        }
    }

    /// The documents that a pass changes. Of a pair that is the seed: what goes from it goes from the variant by the twins. Of a project these
    /// are the files that may change, which come first.
    pub fn documents(&self) -> &[Document] {
        let all = self.version.documents();
        match self.version.twins() {
            Some(_) => &all[..1],
            None => {
                let is_free = |document: &Document| document.freedom == DocumentFreedom::Free;
                &all[..all.partition_point(is_free)]
            }
        }
    }

    /// Replaces the constraints. Those that keep something and are new are about tokens below `near`.
    pub fn set_constraints(&mut self, constraints: ConstraintSet, near: &[NodeId]) {
        self.constraints = Arc::new(constraints);
        self.version = mark_pinned_below(&self.version, &self.constraints, near);
    }

    /// Replaces the version: by one that was read again, or by an earlier one.
    pub fn set_version(&mut self, version: &Version) {
        self.version = mark_pinned(version, &self.constraints);
    }
}
