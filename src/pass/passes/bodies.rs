//! Bodies of functions are emptied, many at once: half of them, a quarter, and so on, until the failures are too many. The halving is that
//! of `minimize/complements.rs` (Hodován and Kiss, A-TEST 2016); there is no paper on the rest.
//!
//! A body that was tried is done, even if a filter spared some of it: the main loop tries it again.

use std::sync::Arc;

use crate::minimize::{Minimizer, WeightedList, start_complements};
use crate::pass::filters::dependents::DEPENDENTS;
use crate::pass::filters::gc::GARBAGE_COLLECTION;
use crate::pass::shared::emptying::{
    EmptiableList, EmptyingProposal, ListRemainder, can_be_emptied, is_open, propose_emptying,
};
use crate::pass::shared::failure_run::FailureRun;
use crate::pass::shared::passed_edit::PassedEdit;
use crate::pass::{PairScope, PassKind, RepeatPolicy, StrategyFeature, SyntaxCheck};
use crate::program::{
    self, AppliedEdit, Edit, EditReason, NodeId, PathFinder, Version, View, names,
};
use crate::protocol::{Feedback, IndexRanges, Proposer, ProposerStep};

/// Bodies of functions.
pub static BODIES: PassKind = PassKind {
    name: "bodies",
    description: "empties bodies of functions, in batches that are halved",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[&DEPENDENTS, &GARBAGE_COLLECTION],
    start: |_, options| {
        options.pass_if_enabled(
            StrategyFeature::EmptyBodies,
            Box::new(BodiesPass::default()),
        )
    },
};

/// After this number of failures in a row the pass ends: the main loop handles each body better.
const MAX_FAILURES: u32 = 14;

/// See the module's text.
#[derive(Clone, Default)]
pub struct BodiesPass {
    /// None until something is proposed: it takes a look at all bodies, which a command must not wait for.
    list: Option<BodyList>,
    proposed: IndexRanges,
    to_accept: PassedEdit,
    failed: FailureRun,
}

/// The bodies that are left, and what chooses among them.
#[derive(Clone)]
struct BodyList {
    bodies: Arc<[NodeId]>,
    minimizer: Box<dyn Minimizer>,
}

impl BodyList {
    /// All that can be emptied.
    fn of_view(view: &View) -> BodyList {
        let version = &view.version;
        let all = program::find_bodies(version).filter(|list| {
            let (path, owner) = list;
            *owner == names::DeclarationKind::Function
                && path.document < view.documents().len()
                && is_open(view, list)
                && can_be_emptied(version, path)
        });
        let bodies: Arc<[NodeId]> = all.map(|(path, _)| path.node().id).collect();
        BodyList {
            minimizer: start_complements(&equal_weights(&bodies)),
            bodies,
        }
    }

    /// The next bodies to empty; none when there are no more.
    fn next_set(&mut self) -> Option<IndexRanges> {
        match self.minimizer.propose(&equal_weights(&self.bodies)) {
            ProposerStep::Test(set, ()) => Some(set),
            _ => None,
        }
    }

    fn on_verdict(&mut self, set: &IndexRanges, feedback: Feedback) {
        let list = equal_weights(&self.bodies);
        self.minimizer.on_verdict(&list, set, feedback);
    }

    fn on_accept(&mut self, gone: &IndexRanges) {
        let left = self.bodies.iter().enumerate();
        let left = left.filter(|&(at, _)| !gone.contains(at as u32));
        self.bodies = left.map(|(_, &body)| body).collect();
        self.minimizer.on_accept(&equal_weights(&self.bodies), gone);
    }

    /// Those bodies of the set that still exist.
    fn selected_bodies<'a>(
        &self,
        version: &'a Version,
        set: &IndexRanges,
    ) -> impl Iterator<Item = EmptiableList<'a>> {
        let ranges = set.ranges().iter().cloned();
        let mut paths = PathFinder::new(version);
        ranges.flatten().filter_map(move |at| {
            let path = paths.path_to(self.bodies[at as usize])?;
            Some((path.clone(), names::DeclarationKind::Function))
        })
    }
}

fn equal_weights(bodies: &[NodeId]) -> WeightedList {
    WeightedList::new(vec![1; bodies.len()].into(), 0)
}

impl Proposer for BodiesPass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        if let Some(step) = self.to_accept.to_step() {
            return step;
        }
        let list = self.list.get_or_insert_with(|| BodyList::of_view(view));
        while !self.failed.has_reached(MAX_FAILURES)
            && let Some(set) = list.next_set()
        {
            let picked = list.selected_bodies(&view.version, &set);
            let Some(EmptyingProposal { edit, why, .. }) =
                propose_emptying(BODIES.name, &view.version, picked, ListRemainder::Nothing)
            else {
                // Another pass emptied them, or they are gone.
                list.on_verdict(&set, Feedback::Rejected);
                continue;
            };
            self.proposed = set;
            return ProposerStep::Test(edit, why);
        }
        ProposerStep::Done
    }

    fn on_verdict(&mut self, _: &View, tested: &Edit, feedback: Feedback) {
        if let Some(list) = &mut self.list {
            list.on_verdict(&self.proposed, feedback);
        }
        self.to_accept.record_verdict(tested, feedback);
        self.failed.record_verdict(feedback);
    }

    fn on_accept(&mut self, _: &View, _: &AppliedEdit) {
        if !self.to_accept.clear() {
            return;
        }
        let gone = std::mem::take(&mut self.proposed);
        if let Some(list) = &mut self.list {
            list.on_accept(&gone);
        }
    }

    fn invalidate(&mut self, _: &View) {
        (self.list, self.to_accept, self.failed) =
            (None, PassedEdit::default(), FailureRun::default());
    }
}
