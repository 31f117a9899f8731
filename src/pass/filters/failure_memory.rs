//! What failed twice and was never accepted is not tried again, whatever the cause.
//!
//! The grammar allows more than a compiler: any declarator as that of a function, any expression as the target of an assignment.
//! Replacements and optional parts are remembered by their place in the grammar and by their replacement.
//!
//! GTR (Herfert, Patra and Pradel, "Automatically Reducing Tree-Structured Test Inputs", ASE 2017) learns from a corpus what is worth a
//! test; here the run itself is the corpus.

use rustc_hash::FxBuildHasher;

use super::{EditFilter, FilterKind, FilteredPass};
use crate::pass::StrategyFeature;
use crate::pass::shared::edit_stats::EditKind;
use crate::program::{Edit, EditReason, View};
use crate::protocol::Feedback;

/// The memory of failures.
pub static FAILURE_MEMORY: FilterKind = FilterKind {
    name: "failure memory",
    description: "rejects replacements and optional parts of a kind that failed twice and was never accepted",
    feature: Some(StrategyFeature::FailureMemory),
    wrap: |pass| FilteredPass::new_boxed(pass, FailureMemory::default()),
};

/// After this number of failures without a success, edits of a kind are rejected.
const REJECTED_AFTER_FAILURES: u32 = 2;

/// The verdicts on such edits so far. Rejections by other filters do not count.
#[derive(Clone, Debug, Default)]
pub struct FailureMemory {
    tallies: imbl::GenericHashMap<
        EditKind,
        FailureTally,
        FxBuildHasher,
        imbl::shared_ptr::DefaultSharedPtr,
    >,
}

#[derive(Clone, Copy, Debug, Default)]
struct FailureTally {
    failed: u32,
    passed: bool,
}

/// Elements of lists are not remembered: one element says nothing about the next.
fn memory_key(view: &View, edit: &Edit) -> Option<EditKind> {
    EditKind::from_edit(&view.version, edit).filter(|kind| !kind.is_element())
}

impl EditFilter for FailureMemory {
    fn filter_edit(
        &self,
        view: &View,
        edit: &Edit,
        why: &EditReason,
    ) -> Option<(Edit, EditReason)> {
        let tally = memory_key(view, edit).and_then(|key| self.tallies.get(&key).copied());
        let hopeless =
            tally.is_some_and(|tally| tally.failed >= REJECTED_AFTER_FAILURES && !tally.passed);
        (!hopeless).then(|| (edit.clone(), why.clone()))
    }

    fn on_verdict(&mut self, view: &View, tested: &Edit, feedback: Feedback) {
        let Some(key) = memory_key(view, tested) else {
            return;
        };
        let tally = self.tallies.entry(key).or_default();
        match feedback {
            Feedback::Interesting => tally.passed = true,
            Feedback::Uninteresting => tally.failed += 1,
            Feedback::Rejected => {}
        }
    }
}
