//! Expressions become simpler, a variable or an open value at a time (bp-reduce, *expression*).
//!
//! `shared/logic` has the candidates and the edits. After a yes the statement begins again with its first expression, after a no its next
//! candidate follows. A constraint that is always true goes.

use crate::pass::passes::skip::SKIP;
use crate::pass::shared::logic::Logic;
use crate::pass::shared::logic::edit::{plan_expression, remove_parentheses};
use crate::pass::shared::logic::read::{
    FoundPlace, LogicReader, all_expression_places, expression_places,
};
use crate::pass::shared::place_questions::{
    FoundQuestion, PlacePass, PlaceQuestion, QuestionPlace,
};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{
    Edit, EditAction, EditOp, EditReason, NodeShape, Version, View, quote_text, text_excerpt,
};

/// Expressions become simpler.
pub static EXPRESSION: PassKind = PassKind {
    name: "expression",
    description: "replaces the first occurrence of a variable, then open values, by constants, and simplifies (bp-reduce)",
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

/// The same as the last pass of a round over statements.
pub static EXPRESSION_AGAIN: PassKind = PassKind {
    repeat: RepeatPolicy::RoundFrom(SKIP.name),
    ..EXPRESSION
};

fn next_question(view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
    let mut places = expression_places(view);
    places.retain(|place| from.asks_about_inner() || !place.is_inner());
    ask_about_expressions(EXPRESSION.name, view, &places, from)
}

/// The first question about expressions in these places from there on, by the pass of this name.
pub fn ask_about_expressions(
    pass: &'static str,
    view: &View,
    places: &[FoundPlace],
    from: QuestionPlace,
) -> Option<FoundQuestion> {
    let statements = places.chunk_by(|one, next| one.statement == next.statement);
    let statements: Vec<_> = statements.collect();
    from.find_question(|statement, candidate| {
        let Some(expressions) = statements.get(statement) else {
            return PlaceQuestion::End;
        };
        let (mut expressions, mut left) = (expressions.iter(), candidate);
        let found =
            expressions.find_map(|place| propose_candidate(&view.version, place, &mut left));
        match found {
            Some((edit, why)) => PlaceQuestion::Candidate(edit, EditReason { pass, ..why }),
            None => PlaceQuestion::NextPlace,
        }
    })
}

/// The candidate of an expression whose number is `left`; without that many candidates, `left` becomes smaller by their number.
fn propose_candidate(
    version: &Version,
    place: &FoundPlace,
    left: &mut usize,
) -> Option<(Edit, EditReason)> {
    let facts = place.language.statements()?;
    let read = LogicReader::new(place.language, facts).read_expression(place.node);
    let mut candidates = read.logic.candidates();
    if *left >= candidates.len() {
        *left -= candidates.len();
        return None;
    }
    let new = candidates.swap_remove(*left);
    let ops = plan_expression(place.language, facts, &read, &new);
    let constraint = (new == Logic::Constant(true))
        .then(|| constraint_around(version, place))
        .flatten();
    let (edit, question) = match constraint {
        Some(part) => (EditOp::Delete(part).into(), "go"),
        None => (ops.into_iter().collect(), "be simpler"),
    };
    let shown = quote_text(&text_excerpt(place.node, 40));
    let question = match &new {
        Logic::Constant(_) | Logic::Any | Logic::Variable(_) if question != "go" => {
            let new = new.describe(facts);
            format!("Can {shown} become {}?", quote_text(&new))
        }
        _ => format!("Can {shown} {question}?"),
    };
    let why = EditReason {
        pass: EXPRESSION.name,
        action: EditAction::Question(question.into()),
        node: Some(place.node.id),
    };
    Some((edit, why))
}

/// The optional constraint that consists of the expression in this place.
fn constraint_around(version: &Version, place: &FoundPlace) -> Option<crate::program::NodeId> {
    let constraint = place.language.statements()?.constraint?;
    let path = version.path_to(place.node.id)?;
    let mut above = path.ancestors();
    above.next().filter(|node| node.class == Some(constraint))?;
    let part = above.next()?;
    (part.shape == NodeShape::Opt).then_some(part.id)
}

/// The operations that simplify all expressions of the program, also those of assertions; on request they remove needless parentheses too.
pub fn simplify_expressions(view: &View, parentheses: bool) -> Edit {
    let ops = all_expression_places(view).into_iter().flat_map(|place| {
        let Some(facts) = place.language.statements() else {
            return Vec::new();
        };
        let read = LogicReader::new(place.language, facts).read_expression(place.node);
        let new = read.logic.clone().simplify();
        match constraint_around(&view.version, &place) {
            Some(part) if new == Logic::Constant(true) => vec![EditOp::Delete(part)],
            _ => {
                let mut ops = plan_expression(place.language, facts, &read, &new);
                if parentheses {
                    ops.extend(remove_parentheses(&read, &ops));
                }
                ops
            }
        }
    });
    ops.collect()
}
