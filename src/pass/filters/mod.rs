//! Filters: wrappers around a pass that let its candidates through, shrink them, let them grow, or reject them themselves.
//!
//! A filter's rejection is not a decision: the pass inside gets [`Feedback::Rejected`] and continues. When a filter shrinks a candidate and
//! the verdict is interesting, the verdict is about what was tested, and the rest is still open; if it is uninteresting, it counts for all
//! that was proposed. A filter may let a candidate grow if the pass inside accepts the tested edit, whatever that is. After a failure, a
//! filter may propose another candidate first.
//!
//! A row of the table of passes names the filters of the pass, as [`FilterKind`]s.
//!
//! | file | feature | what it does |
//! | --- | --- | --- |
//! | `dependency_closure.rs` | `closed` | spares elements of lists that declare a name which is used outside of what goes, and then what those use |
//! | `dependents.rs` | `closed` | the same, and more goes along: what must be used with its last use (`unused_declarations.rs`), parameters with their arguments (`arguments.rs`) |
//! | `dangling_uses.rs` | `guard` | rejects a candidate that loses the last declaration of a name and keeps a use |
//! | `imported_names.rs` | `guard` | of several files, spares imports whose name the rest of their file uses |
//! | `failure_memory.rs` | `learn` | rejects replacements and optional parts that failed twice and never succeeded, by their place in the grammar |
//! | `gc.rs` | `gc` | after each accepted edit, declarations that became unreferenced go, all in one candidate; where many would have gone in vain, once more without the heaviest |
//! | `twins.rs` | | in a pair, makes each edit of the seed an edit of the variant too; around every pass that proposes edits of the seed |
//! | `round_filter.rs` | | in a round of the smart schedule, leaves out what its turn has not come for; the innermost filter of every pass |
//! | `constraint_filter.rs` | | rejects or shrinks what the user's constraints forbid; around every pass |
//!
//! The closure considers uses outside of the removed part, whether or not another declaration of the name stays (except for members). The
//! filter for dangling uses considers them only where none stays.
//!
//! Filters may be wrong: only the test decides, and the certificate has no filters but those for constraints and garbage collection. A pass
//! inside a wrapper must cope with accepted edits that it did not propose. For lists `pass/shared/elements.rs` does that: a list minimiser
//! still sees elements that another edit deleted, and its candidates of them alone are interesting at once.

pub mod arguments;
pub mod constraint_filter;
pub mod dangling_uses;
pub mod dependency_closure;
pub mod dependents;
pub mod failure_memory;
pub mod gc;
pub mod imported_names;
pub mod round_filter;
pub mod twins;
pub mod unused_declarations;

use std::sync::Arc;

use crate::pass::{FeatureSet, Pass, StrategyFeature};
use crate::program::{AppliedEdit, Edit, EditAction, EditReason, NodeId, View};
use crate::protocol::{AlgorithmState, Feedback, Proposer, ProposerStep};

/// A kind of filter, as the row of a pass names it.
#[derive(Debug)]
pub struct FilterKind {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    /// The feature that it belongs to: without that feature, the pass has no such filter. None where it cannot be switched off.
    pub feature: Option<StrategyFeature>,
    /// Wraps a pass.
    pub wrap: fn(Box<dyn Pass>) -> Box<dyn Pass>,
}

impl FilterKind {
    /// Whether passes have it when these features are switched off.
    pub fn is_enabled(&self, disabled: FeatureSet) -> bool {
        self.feature
            .is_none_or(|feature| !disabled.contains(feature))
    }
}

/// A filter between a pass and the engine.
pub trait EditFilter: Clone + Send + Sync + 'static {
    /// The edit to test in place of this one; none if it is not worth a test.
    fn filter_edit(&self, view: &View, edit: &Edit, why: &EditReason)
    -> Option<(Edit, EditReason)>;

    /// The verdict on the tested edit.
    fn on_verdict(&mut self, _view: &View, _asked: &Edit, _answer: Feedback) {}

    /// After a failure: another candidate in its place, before the pass gets the verdict.
    fn propose_fallback(
        &mut self,
        _view: &View,
        _asked: &Edit,
        _why: &EditReason,
    ) -> Option<(Edit, EditReason)> {
        None
    }

    /// The rules or the version changed.
    fn invalidate(&mut self) {}
}

/// A pass behind a filter.
#[derive(Clone)]
pub struct FilteredPass<F> {
    inner: Box<dyn Pass>,
    filter: F,
    pending: Option<Arc<PendingProposal>>,
}

/// A proposal that waits for its verdict.
struct PendingProposal {
    /// As the pass inside proposed it.
    inner: Edit,
    /// As it is tested.
    edit: Edit,
    why: EditReason,
}

impl<F: EditFilter> FilteredPass<F> {
    /// This pass behind this filter.
    pub fn new_boxed(inner: Box<dyn Pass>, filter: F) -> Box<dyn Pass> {
        Box::new(FilteredPass {
            inner,
            filter,
            pending: None,
        })
    }
}

impl<F: EditFilter> Proposer for FilteredPass<F> {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        loop {
            if let Some(pending) = &self.pending {
                return ProposerStep::Test(pending.edit.clone(), pending.why.clone());
            }
            match self.inner.propose(view) {
                ProposerStep::Test(inner, why) => match self.filter.filter_edit(view, &inner, &why)
                {
                    Some((edit, why)) => {
                        self.pending = Some(Arc::new(PendingProposal { inner, edit, why }))
                    }
                    None => self.inner.on_verdict(view, &inner, Feedback::Rejected),
                },
                step => return step,
            }
        }
    }

    fn lookahead_edits(&self, view: &View, most: usize) -> Vec<Edit> {
        // This sentence is never shown.
        let why = EditReason {
            pass: "",
            action: EditAction::DropNode,
            node: None,
        };
        let inner = self.inner.lookahead_edits(view, most).into_iter();
        inner
            .filter_map(|edit| Some(self.filter.filter_edit(view, &edit, &why)?.0))
            .collect()
    }

    fn describe_algorithm(&self, view: &View) -> Option<AlgorithmState<NodeId>> {
        self.inner.describe_algorithm(view)
    }

    fn on_verdict(&mut self, view: &View, tested: &Edit, feedback: Feedback) {
        self.filter.on_verdict(view, tested, feedback);
        if let Some(pending) = self.pending.as_ref().filter(|_| !feedback.is_interesting())
            && let Some((edit, why)) = self.filter.propose_fallback(view, tested, &pending.why)
        {
            let inner = pending.inner.clone();
            self.pending = Some(Arc::new(PendingProposal { inner, edit, why }));
            return;
        }
        match self.pending.take() {
            Some(pending) if !feedback.is_interesting() => {
                self.inner.on_verdict(view, &pending.inner, feedback)
            }
            _ => self.inner.on_verdict(view, tested, feedback),
        }
    }

    fn on_accept(&mut self, view: &View, change: &AppliedEdit) {
        self.pending = None;
        self.inner.on_accept(view, change);
    }

    fn invalidate(&mut self, view: &View) {
        self.pending = None;
        self.filter.invalidate();
        self.inner.invalidate(view);
    }
}
