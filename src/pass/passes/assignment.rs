//! Parallel assignments lose their targets and values but one (bp-reduce, *assignment*).
//!
//! One target goes with its value, from the last to the first; a constraint stays. After a yes the assignment is tried again. A single assignment is left to other
//! passes. Where one call gives all values, a target at a time is replaced by what takes no value.

use std::sync::Arc;

use crate::language::AssignmentKind;
use crate::pass::shared::logic::read::{FoundPlace, assignment_places};
use crate::pass::shared::place_questions::{
    FoundQuestion, PlacePass, PlaceQuestion, QuestionPlace,
};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{
    Edit, EditAction, EditOp, EditReason, NodeShape, ProgramNode, Replacement, View, quote_text,
    strip_separator, text_excerpt, walk,
};
use crate::protocol::IndexRanges;

/// Parallel assignments become single ones.
pub static ASSIGNMENT: PassKind = PassKind {
    name: "assignment",
    description: "removes a target with its value from a parallel assignment, from the last to the first (bp-reduce)",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| {
        Box::new(PlacePass::over_statements(
            next_question,
            options.asks_about_inner(),
        ))
    },
};

fn next_question(view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
    let places = assignment_places(view);
    from.find_question(|place, candidate| match places.get(place) {
        Some(place) if !from.asks_about_inner() && place.is_inner() => PlaceQuestion::NextPlace,
        Some(place) => ask_about_assignment(place, candidate),
        None => PlaceQuestion::End,
    })
}

fn ask_about_assignment(place: &FoundPlace, candidate: usize) -> PlaceQuestion {
    let facts = place.language.statements();
    let kind = facts.and_then(|facts| facts.assignment.as_ref());
    let Some((kind, targets)) =
        kind.and_then(|kind| Some((kind, list_of(place.node, kind.targets)?)))
    else {
        return PlaceQuestion::NextPlace;
    };
    let proposal = match list_of(place.node, kind.values) {
        Some(values) if values.len() == targets.len() => remove_target(targets, values, candidate),
        _ => ignore_target(kind, targets, candidate),
    };
    let Some((edit, target, what)) = proposal else {
        return PlaceQuestion::NextPlace;
    };
    let target = quote_text(&text_excerpt(target, 40));
    let whole = quote_text(&text_excerpt(place.node, 40));
    let why = EditReason {
        pass: ASSIGNMENT.name,
        action: EditAction::Question(format!("Can {whole} {what} {target}?").into()),
        node: Some(place.node.id),
    };
    PlaceQuestion::Candidate(edit, why)
}

/// The list with several elements in a node of this class directly below the assignment.
fn list_of(
    assignment: &ProgramNode,
    class: crate::grammar::NodeClass,
) -> Option<&Arc<ProgramNode>> {
    let mut open: Vec<&Arc<ProgramNode>> = assignment.children().iter().collect();
    while let Some(node) = open.pop() {
        if node.class == Some(class) {
            let mut parts = node.children().iter();
            return parts.find(|part| part.shape == NodeShape::Sep && part.len() > 1);
        }
        if node.class.is_none() {
            open.extend(node.children());
        }
    }
    None
}

/// The `candidate`-th target from the end goes with its value.
fn remove_target<'a>(
    targets: &'a Arc<ProgramNode>,
    values: &Arc<ProgramNode>,
    candidate: usize,
) -> Option<(Edit, &'a Arc<ProgramNode>, &'static str)> {
    let all = targets.len();
    let gone = all.checked_sub(candidate + 1)?;
    let lists = [targets, values].into_iter();
    let edit = lists.map(|list| EditOp::DeleteItems {
        list: list.id,
        items: IndexRanges::from_range(gone as u32..gone as u32 + 1),
    });
    let target = strip_separator(walk::item_at(targets, gone)?);
    Some((edit.collect(), target, "leave alone"))
}

/// The `candidate`-th target from the end takes no value.
fn ignore_target<'a>(
    kind: &AssignmentKind,
    targets: &'a Arc<ProgramNode>,
    candidate: usize,
) -> Option<(Edit, &'a Arc<ProgramNode>, &'static str)> {
    let ignored = kind.ignored.as_deref()?;
    let taken = walk::iter_items(targets).map(strip_separator);
    let taken: Vec<_> = taken
        .filter(|target| {
            let name = walk::leaf_at(target, 0);
            name.is_some_and(|name| name.text() != ignored)
        })
        .collect();
    let target = taken.iter().rev().nth(candidate)?;
    let tokens: Arc<[Arc<[u8]>]> = [Arc::from(ignored)].into();
    let edit = EditOp::Replace {
        node: target.id,
        piece: Replacement::Tokens(tokens),
    };
    Some((edit.into(), target, "do without"))
}
