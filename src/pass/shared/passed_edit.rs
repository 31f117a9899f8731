//! An edit that was interesting and is accepted next.

use std::sync::Arc;

use crate::program::{Edit, EditReason};
use crate::protocol::{Feedback, ProposerStep};

/// The edit that was interesting, as it was tested: filters may have made it smaller or larger than the pass proposed it.
#[derive(Clone, Debug, Default)]
pub struct PassedEdit(Option<Arc<Edit>>);

impl PassedEdit {
    /// Keeps the tested edit if it was interesting.
    pub fn record_verdict(&mut self, tested: &Edit, feedback: Feedback) {
        self.0 = feedback.is_interesting().then(|| Arc::new(tested.clone()));
    }

    /// The step that accepts the edit; none if there is none.
    pub fn to_step(&self) -> Option<ProposerStep<Edit, EditReason>> {
        let edit = self.0.as_deref()?;
        Some(ProposerStep::Accept(edit.clone()))
    }

    /// Forgets the edit, and whether there was one: whether what was accepted is of this pass.
    pub fn clear(&mut self) -> bool {
        self.0.take().is_some()
    }
}
