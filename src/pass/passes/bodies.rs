//! Bodies of functions are emptied, many at once: half of them, a quarter, and so on, until the failures are too many. The halving is that
//! of `minimize/complements.rs` (Hodován and Kiss, A-TEST 2016); there is no paper on the rest.
//!
//! A body that was tried is done, even if a filter spared some of it: the main loop tries it again.

use std::sync::Arc;

use crate::minimize::{Minimizer, WeightedList, start_complements};
use crate::pass::filters::dependents::DEPENDENTS;
use crate::pass::filters::gc::GARBAGE_COLLECTION;
use crate::pass::shared::emptying::{
    EmptiableList, EmptyingProposal, ListRemainder, can_be_emptied, propose_emptying,
};
use crate::pass::shared::passed_edit::PassedEdit;
use crate::pass::{PairScope, PassKind, RepeatPolicy, StrategyFeature, SyntaxCheck};
use crate::program::{self, AppliedEdit, Edit, EditReason, NodeId, Version, View, names};
use crate::protocol::{Feedback, IndexRanges, Proposer, ProposerStep};

/// Bodies of functions.
pub static BODIES: PassKind = PassKind {
    name: "bodies",
    description: "empties bodies of functions, in batches that are halved",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[&DEPENDENTS, &GARBAGE_COLLECTION],
    start: |view, options| {
        options.pass_if_enabled(
            StrategyFeature::EmptyBodies,
            Box::new(BodiesPass::new(view)),
        )
    },
};

/// After this number of failures in a row the pass ends: the main loop handles each body better.
const MAX_FAILURES: u32 = 14;

/// See the module's text.
#[derive(Clone)]
pub struct BodiesPass {
    bodies: Arc<[NodeId]>,
    minimizer: Box<dyn Minimizer>,
    proposed: IndexRanges,
    to_accept: PassedEdit,
    failed: u32,
}

fn find_bodies(view: &View) -> Arc<[NodeId]> {
    let version = &view.version;
    let all = program::find_bodies(version).filter(|(path, owner)| {
        *owner == names::DeclarationKind::Function
            && path.document < view.documents().len()
            && can_be_emptied(version, path)
    });
    all.map(|(path, _)| path.node().id).collect()
}

fn body_list(bodies: &[NodeId]) -> WeightedList {
    WeightedList::new(vec![1; bodies.len()].into(), 0)
}

impl BodiesPass {
    /// Begins on this version.
    pub fn new(view: &View) -> BodiesPass {
        let bodies = find_bodies(view);
        BodiesPass {
            minimizer: start_complements(&body_list(&bodies)),
            bodies,
            proposed: IndexRanges::default(),
            to_accept: PassedEdit::default(),
            failed: 0,
        }
    }

    /// Those bodies of the set that still exist.
    fn selected_bodies<'a>(
        &self,
        version: &'a Version,
        set: &IndexRanges,
    ) -> impl Iterator<Item = EmptiableList<'a>> {
        let ranges = set.ranges().iter().cloned();
        ranges.flatten().filter_map(|at| {
            let path = version.path_to(self.bodies[at as usize])?;
            Some((path, names::DeclarationKind::Function))
        })
    }
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
        loop {
            let list = body_list(&self.bodies);
            if self.failed >= MAX_FAILURES {
                return ProposerStep::Done;
            }
            let ProposerStep::Test(set, ()) = self.minimizer.propose(&list) else {
                return ProposerStep::Done;
            };
            let picked = self.selected_bodies(&view.version, &set);
            let Some(EmptyingProposal { edit, why, .. }) =
                propose_emptying(BODIES.name, &view.version, picked, ListRemainder::Nothing)
            else {
                // Another pass emptied them, or they are gone.
                self.minimizer.on_verdict(&list, &set, Feedback::Rejected);
                continue;
            };
            self.proposed = set;
            return ProposerStep::Test(edit, why);
        }
    }

    fn on_verdict(&mut self, _: &View, tested: &Edit, feedback: Feedback) {
        let list = body_list(&self.bodies);
        self.minimizer.on_verdict(&list, &self.proposed, feedback);
        self.to_accept.record_verdict(tested, feedback);
        match feedback {
            Feedback::Interesting => self.failed = 0,
            Feedback::Uninteresting => self.failed += 1,
            Feedback::Rejected => {}
        }
    }

    fn on_accept(&mut self, _: &View, _: &AppliedEdit) {
        if !self.to_accept.clear() {
            return;
        }
        let gone = std::mem::take(&mut self.proposed);
        let left = self.bodies.iter().enumerate();
        let left = left.filter(|&(at, _)| !gone.contains(at as u32));
        self.bodies = left.map(|(_, &body)| body).collect();
        self.minimizer.on_accept(&body_list(&self.bodies), &gone);
    }

    fn invalidate(&mut self, view: &View) {
        self.bodies = find_bodies(view);
        self.minimizer = start_complements(&body_list(&self.bodies));
        (self.to_accept, self.failed) = (PassedEdit::default(), 0);
    }
}
