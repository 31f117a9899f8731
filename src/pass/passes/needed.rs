//! All of a large program goes but what its last declarations need, by the names.
//!
//! After *last first* the end of the program is small, and most of what it used is gone. The pass asks whether all can go but what the last
//! declarations need (`shared/needed_units.rs`), the least first. What only the widest closure keeps, and the bug perhaps does not need, is a list for the list minimiser. There is
//! no paper on the first; reducing a closed set of dependencies is from Kalhauge and Palsberg, *Binary Reduction of Dependency Graphs*, ESEC/FSE 2019, whose search is another.

use super::hollow::HOLLOW;
use crate::display::format_count;
use crate::minimize;
use crate::pass::shared::declaration_units::DeclarationUnits;
use crate::pass::shared::last_declarations::{is_large_program, last_units};
use crate::pass::shared::needed_units::{ClosureReach, KeptBodies, KeptParts, find_needed};
use crate::pass::shared::place_questions::{
    FoundQuestion, PlacePass, PlaceQuestion, QuestionPlace,
};
use crate::pass::shared::removable::removal_edit;
use crate::pass::shared::unit_list::{RemovalUnit, UnitList, UnitListPass, UnitSource};
use crate::pass::shared::unit_questions::UnitQuestions;
use crate::pass::shared::unneeded_rest::UnneededRest;
use crate::pass::{PairScope, PassKind, PassOptions, RepeatPolicy, SyntaxCheck};
use crate::program::{ActionUnit, NodeId, Version, View};

/// What the last declarations need.
pub static NEEDED: PassKind = PassKind {
    name: "needed",
    description: "in a large program: removes all but what the last declarations need by the names",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, _| {
        Box::new(PlacePass::over_source(UnitQuestions::new(
            is_large_program,
            next_question,
        )))
    },
};

/// What may be needed.
pub static PERHAPS_NEEDED: PassKind = PassKind {
    name: "perhaps needed",
    description: "in a large program: removes declarations that the last ones may need and may not, such as specialisations, by the list minimiser",
    repeat: RepeatPolicy::BackTo(HOLLOW.name),
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| {
        // Most of it can go, so it pays to begin with half of it.
        let options = PassOptions {
            minimizer: &minimize::COMPLEMENTS,
            ..*options
        };
        Box::new(UnitListPass::new(&PERHAPS, &options))
    },
};

/// What stays beside the last declarations, from the least to the most.
const KEPT_PARTS: [KeptParts; 8] = [
    keep_bodies(KeptBodies::Nothing, 0, ClosureReach::Narrow),
    keep_bodies(KeptBodies::Nothing, 0, ClosureReach::Wide),
    keep_bodies(KeptBodies::End, 0, ClosureReach::Wide),
    keep_bodies(KeptBodies::Nothing, 2, ClosureReach::Wide),
    keep_bodies(KeptBodies::Nothing, 4, ClosureReach::Wide),
    keep_bodies(KeptBodies::Nothing, 8, ClosureReach::Wide),
    ALL_NAMED,
    keep_bodies(KeptBodies::Whole, 0, ClosureReach::Wide),
];

/// All that is needed by its name.
const ALL_NAMED: KeptParts = keep_bodies(KeptBodies::Whole, 0, ClosureReach::Narrow);

const fn keep_bodies(bodies: KeptBodies, near: u32, reach: ClosureReach) -> KeptParts {
    KeptParts {
        bodies,
        near,
        reach,
    }
}

fn next_question(_: &View, units: &DeclarationUnits, from: QuestionPlace) -> Option<FoundQuestion> {
    let roots = last_units(units);
    let count = format_count(roots.len() as u64, "declaration");
    from.find_question(|question, candidate| {
        let Some(&kept) = KEPT_PARTS.get(question) else {
            return PlaceQuestion::End;
        };
        let rest = (candidate == 0).then(|| UnneededRest::find(NEEDED.name, units, &roots, kept));
        let Some(rest) = rest.flatten() else {
            return PlaceQuestion::NextPlace;
        };
        let (edit, why) = rest.into_proposal(NEEDED.name, &format!("the last {count} need"));
        PlaceQuestion::Candidate(edit, why)
    })
}

/// *Perhaps needed* asks about neighbours together that are less than this part of the program: a question about one costs more than it gains.
const LEAST_PART: u32 = 500;

/// What only the wide closure keeps.
static PERHAPS: UnitSource = UnitSource {
    name: PERHAPS_NEEDED.name,
    next_units: list_perhaps_needed,
    delete_nodes: |version, nodes| removal_edit(version, nodes),
    max_failures: Some(14),
    try_all_first: true,
};

fn list_perhaps_needed(view: &View, from: u32) -> Option<UnitList> {
    let version = &view.version;
    if from > 0 || !is_large_program(view) {
        return None;
    }
    let units = DeclarationUnits::of_version(version, view.documents().len());
    let roots = last_units(&units);
    let needed = find_needed(&units, &roots, ALL_NAMED);
    let least = version.token_count() / LEAST_PART;
    Some(UnitList {
        units: join_small(version, needed.dropped_nodes(&units), least),
        what: ActionUnit::named("declaration group"),
        next: 1,
    })
}

/// Neighbours together, so that each group but the last has at least `least` tokens.
fn join_small(version: &Version, nodes: Vec<NodeId>, least: u32) -> Vec<RemovalUnit> {
    let mut groups: Vec<(Vec<NodeId>, u32)> = Vec::new();
    for id in nodes {
        let tokens = version.find_node(id).map_or(0, |node| node.sums().tokens);
        match groups.last_mut().filter(|(_, group)| *group < least) {
            Some((group, sum)) => {
                group.push(id);
                *sum += tokens;
            }
            None => groups.push((vec![id], tokens)),
        }
    }
    let groups = groups.into_iter();
    groups
        .map(|(group, tokens)| (group.into(), tokens))
        .collect()
}
