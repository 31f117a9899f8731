//! Expressions become simpler where *expression* leaves them as they are: in assertions (BOOLEAN.md, §2).
//!
//! What an assertion says is mostly what a test looks for, and bp-reduce leaves it alone. So this pass is off unless the user asks for it.
//! The grammar says which rules these are (`%expression`).

use crate::pass::passes::expression::ask_about_expressions;
use crate::pass::shared::logic::read::kept_expression_places;
use crate::pass::shared::place_questions::{FoundQuestion, PlacePass, QuestionPlace};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::View;

/// Expressions of assertions become simpler.
pub static ASSERTION: PassKind = PassKind {
    name: "assertion",
    description: "does what expression does in assertions",
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
    let mut places = kept_expression_places(view);
    places.retain(|place| from.asks_about_inner() || !place.is_inner());
    ask_about_expressions(ASSERTION.name, view, &places, from)
}
