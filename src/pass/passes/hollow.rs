//! All bodies of functions and all fields of structures are removed at once, else the bodies alone, else the fields alone.
//!
//! This costs one to three tests at the start. Most bugs need the inside of a function, but for those that do not it does most of the work.
//! Where an empty body is not valid (a function must return a value), the language may have a filler, and then there is one test more.
//! There is no paper on it.

use crate::pass::filters::dependents::DEPENDENTS;
use crate::pass::filters::gc::GARBAGE_COLLECTION;
use crate::pass::shared::emptying::{ListRemainder, is_open, propose_emptying};
use crate::pass::shared::passed_edit::PassedEdit;
use crate::pass::{PairScope, PassKind, RepeatPolicy, StrategyFeature, SyntaxCheck};
use crate::program::{self, AppliedEdit, Edit, EditReason, View, names};
use crate::protocol::{Feedback, Proposer, ProposerStep};

/// Empties everything at once.
pub static HOLLOW: PassKind = PassKind {
    name: "hollow",
    description: "empties all bodies of functions and all structures at once, else only one of the two; what cannot be empty gets its filler",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[&DEPENDENTS, &GARBAGE_COLLECTION],
    start: |_, options| {
        options.pass_if_enabled(StrategyFeature::EmptyAll, Box::new(HollowPass::default()))
    },
};

/// What to empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EmptyScope {
    Both,
    Bodies,
    Fields,
}

/// The candidates, in order.
const CANDIDATES: [(EmptyScope, ListRemainder); 4] = [
    (EmptyScope::Both, ListRemainder::Nothing),
    (EmptyScope::Bodies, ListRemainder::Nothing),
    (EmptyScope::Bodies, ListRemainder::Filler),
    (EmptyScope::Fields, ListRemainder::Nothing),
];

/// See the module's text.
#[derive(Clone, Debug, Default)]
pub struct HollowPass {
    at: usize,
    to_accept: PassedEdit,
}

impl HollowPass {
    fn next_candidate(&self, view: &View) -> Option<(Edit, EditReason)> {
        let (what, left) = *CANDIDATES.get(self.at)?;
        let picked = program::find_bodies(&view.version);
        let picked = picked.filter(|(path, _)| path.document < view.documents().len());
        let picked = picked.filter(|(_, owner)| match what {
            EmptyScope::Both => true,
            EmptyScope::Bodies => *owner == names::DeclarationKind::Function,
            EmptyScope::Fields => *owner != names::DeclarationKind::Function,
        });
        let picked = picked.filter(|list| is_open(view, list));
        let proposal = propose_emptying(HOLLOW.name, &view.version, picked, left)?;
        // If there are only bodies or only fields, the candidate is the same as a later one.
        let follows = what == EmptyScope::Both && !proposal.is_mixed;
        (!follows).then_some((proposal.edit, proposal.why))
    }
}

impl Proposer for HollowPass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        if let Some(step) = self.to_accept.to_step() {
            return step;
        }
        while self.at < CANDIDATES.len() {
            if let Some((edit, why)) = self.next_candidate(view) {
                return ProposerStep::Test(edit, why);
            }
            self.at += 1;
        }
        ProposerStep::Done
    }

    fn on_verdict(&mut self, _: &View, tested: &Edit, feedback: Feedback) {
        self.to_accept.record_verdict(tested, feedback);
        self.at += usize::from(!feedback.is_interesting());
    }

    fn on_accept(&mut self, _: &View, _: &AppliedEdit) {
        if self.to_accept.clear() {
            // After a success the other candidates are left to the passes that know more about each list.
            self.at = CANDIDATES.len();
        }
    }

    fn invalidate(&mut self, _: &View) {
        *self = HollowPass::default();
    }
}
