//! All goes but what the place of the failure needs.
//!
//! A message of a compiler names a file and a line. In a large program most declarations have nothing to do with it. The pass asks whether all can go but
//! the declarations around the place and what these need by the names; the same with the bodies of the other functions emptied, and with what ends these bodies; then
//! all three with all that is about what stays, and with what else the message mentions. After a yes it asks again about the program as it is now. Without a place the pass proposes
//! nothing. There is no paper on it.

use rustc_hash::FxHashSet;

use crate::pass::shared::declaration_units::DeclarationUnits;
use crate::pass::shared::needed_units::{ClosureReach, KeptBodies, KeptParts};
use crate::pass::shared::place_questions::{
    FoundQuestion, PlacePass, PlaceQuestion, QuestionPlace,
};
use crate::pass::shared::unit_questions::UnitQuestions;
use crate::pass::shared::unneeded_rest::UnneededRest;
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{ConstraintRule, Edit, EditReason, View};

/// What the place of the failure needs.
pub static PLACE: PassKind = PassKind {
    name: "place",
    description: "removes all but what the place of the failure needs, then the bodies of that, then all but what the message mentions; nothing without a place",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, _| {
        Box::new(PlacePass::over_source(UnitQuestions::new(
            has_place,
            next_question,
        )))
    },
};

/// What a question leaves.
struct KeptPart {
    /// What stays, with what it needs.
    rules: &'static [ConstraintRule],
    /// What else stays.
    reach: ClosureReach,
    /// What it is.
    what: &'static str,
}

/// What stays, from the least to the most. Each is asked about with the bodies of other functions, without them, and with what ends them.
static KEPT_PARTS: [KeptPart; 3] = [
    KeptPart {
        rules: &[ConstraintRule::Place],
        reach: ClosureReach::Narrow,
        what: "the place of the failure needs",
    },
    KeptPart {
        rules: &[ConstraintRule::Place],
        reach: ClosureReach::Wide,
        what: "the place of the failure needs, with all about that",
    },
    KeptPart {
        rules: &[ConstraintRule::Place, ConstraintRule::Mention],
        reach: ClosureReach::Wide,
        what: "the place and the message of the failure need, with all about that",
    },
];

/// What stays of the functions that it needs.
const BODIES: [KeptBodies; 3] = [KeptBodies::Whole, KeptBodies::Nothing, KeptBodies::End];

fn has_place(view: &View) -> bool {
    view.constraints.has_rule(ConstraintRule::Place)
}

fn next_question(
    view: &View,
    units: &DeclarationUnits,
    from: QuestionPlace,
) -> Option<FoundQuestion> {
    // Each question is a place of its own: after a yes it is asked again about what is left.
    from.find_question(
        |question, candidate| match KEPT_PARTS.get(question / BODIES.len()) {
            None => PlaceQuestion::End,
            Some(_) if candidate > 0 => PlaceQuestion::NextPlace,
            Some(part) => match part.ask_about_rest(view, units, BODIES[question % BODIES.len()]) {
                Some((edit, why)) => PlaceQuestion::Candidate(edit, why),
                None => PlaceQuestion::NextPlace,
            },
        },
    )
}

/// The units around what constraints of these rules are about. A group that is inside of one of them does not count, but the units inside
/// of a group that is around one do.
fn units_around(
    view: &View,
    units: &DeclarationUnits,
    rules: &[ConstraintRule],
) -> FxHashSet<usize> {
    let mut around = FxHashSet::default();
    let mut stack = units.outermost.clone();
    while let Some(at) = stack.pop() {
        let unit = &units.units[at];
        let is_near = |&rule: &ConstraintRule| {
            view.constraints.rule_overlaps(rule, &unit.node)
                && !(unit.is_group() && view.constraints.rule_covers(rule, &unit.node))
        };
        if rules.iter().any(is_near) {
            stack.extend(&unit.members);
            if !unit.is_group() {
                around.insert(at);
            }
        }
    }
    around
}

impl KeptPart {
    /// The edit that removes all the rest; none if the place is gone, or there is nothing else. Of the
    /// functions that are needed, `bodies` stays.
    fn ask_about_rest(
        &self,
        view: &View,
        units: &DeclarationUnits,
        bodies: KeptBodies,
    ) -> Option<(Edit, EditReason)> {
        let mut roots = units_around(view, units, &[ConstraintRule::Place]);
        if roots.is_empty() {
            return None;
        }
        if self.rules.len() > 1 {
            roots = units_around(view, units, self.rules);
        }
        let kept = KeptParts {
            bodies,
            near: 0,
            reach: self.reach,
        };
        let rest = UnneededRest::find(PLACE.name, units, &roots, kept)?;
        Some(rest.into_proposal(PLACE.name, self.what))
    }
}
