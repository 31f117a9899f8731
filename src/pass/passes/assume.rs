//! An assignment of open values under a constraint becomes an assumption: `l, g := *, * constrain 'g = 'l` is `assume g = l` then (an idea in
//! the sources of bp-reduce).
//!
//! After the assignment the variables have any values that the constraint allows. The assumption says of the values that they have already
//! that the constraint holds: the same, where they could be any before. What is asked about is less than what is there, so a yes is a step.
//! The pass is off unless the user asks for it.

use std::sync::Arc;

use crate::pass::shared::logic::Logic;
use crate::pass::shared::logic::read::{FoundPlace, LogicReader, expression_places};
use crate::pass::shared::place_questions::{
    FoundQuestion, PlacePass, PlaceQuestion, QuestionPlace,
};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{
    Edit, EditAction, EditOp, EditReason, NodeShape, QuestionWords, Replacement, Version, View,
    text_excerpt, walk,
};

/// Assignments become assumptions.
pub static ASSUME: PassKind = PassKind {
    name: "assume",
    description: "replaces an assignment of open values under a constraint by an assumption of the constraint (bp-reduce)",
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
    let mut places = expression_places(view);
    places.retain(|place| from.asks_about_inner() || !place.is_inner());
    let statements = places.chunk_by(|one, next| one.statement == next.statement);
    let statements: Vec<_> = statements.collect();
    from.find_question(|statement, candidate| {
        let Some(expressions) = statements.get(statement) else {
            return PlaceQuestion::End;
        };
        let found = Some(expressions).filter(|_| candidate == 0);
        match found.and_then(|expressions| assume_constraint(&view.version, expressions)) {
            Some((edit, why)) => PlaceQuestion::Candidate(edit, why),
            None => PlaceQuestion::NextPlace,
        }
    })
}

/// The edit that makes an assumption of the statement with these expressions, and why. None if it has no constraint, or if another of its
/// expressions is not open.
fn assume_constraint(version: &Version, expressions: &[FoundPlace]) -> Option<(Edit, EditReason)> {
    let (first, language) = (expressions.first()?, expressions.first()?.language);
    let facts = language.statements()?;
    let (class, [assume, after]) = (facts.constraint?, facts.assumption.as_ref()?);
    let statement = version.find_node(first.statement?)?;
    let is_constraint = |place: &&FoundPlace| {
        let path = version.path_to(place.node.id);
        path.is_some_and(|path| {
            let mut above = path.ancestors().take_while(|node| node.id != statement.id);
            above.any(|node| node.class == Some(class))
        })
    };
    let (constraints, values): (Vec<_>, Vec<_>) = expressions.iter().partition(is_constraint);
    let ([constraint], false) = (&constraints[..], values.is_empty()) else {
        return None;
    };
    let reader = LogicReader::new(language, facts);
    let is_open = |place: &&FoundPlace| reader.read_expression(place.node).logic == Logic::Any;
    if !values.iter().all(is_open) {
        return None;
    }
    let leaves = walk::iter_leaves(constraint.node);
    let leaves = leaves.filter(|leaf| leaf.shape == NodeShape::Token && !leaf.text().is_empty());
    let now = leaves.enumerate().map(|(at, leaf)| {
        let text = leaf
            .text()
            .strip_prefix(&after[..])
            .filter(|name| !name.is_empty());
        let space = if at == 0 { b" " } else { leaf.trivia() };
        Arc::from([space, text.unwrap_or(leaf.text())].concat())
    });
    let tokens: Vec<Arc<[u8]>> = [Arc::from(&assume[..])].into_iter().chain(now).collect();
    let new = String::from_utf8_lossy(&tokens.concat()).into_owned();
    let new: Vec<&str> = new.split_whitespace().collect();
    let words = QuestionWords::ask_change(&text_excerpt(statement, 40), &new.join(" "));
    let piece = Replacement::Tokens(tokens.into());
    let node = statement.id;
    let why = EditReason {
        pass: ASSUME.name,
        action: EditAction::Question(words),
        node: Some(node),
    };
    Some((EditOp::Replace { node, piece }.into(), why))
}
