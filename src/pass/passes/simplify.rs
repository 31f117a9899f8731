//! What a checker cannot tell apart becomes the simplest of it before anything else is tried (bp-reduce, the simplifier): statements that do
//! nothing and that nothing jumps to go, constraints that are always true go, expressions become simple and lose needless parentheses. All
//! at once, else each by itself. Some checkers want parentheses around a condition, so expressions are also tried with theirs. The original
//! is reduced without it if its simplified form is not interesting.

use crate::pass::passes::expression::simplify_expressions;
use crate::pass::passes::skip::remove_empty_statements;
use crate::pass::shared::place_questions::{
    FoundQuestion, PlacePass, PlaceQuestion, QuestionPlace,
};
use crate::pass::shared::statement_lines::statement_lines;
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{Edit, EditAction, EditReason, QuestionWords, View};

/// The simplifier.
pub static SIMPLIFY: PassKind = PassKind {
    name: "simplify",
    description: "removes statements that do nothing, constraints that are always true and needless parentheses, and simplifies expressions, all at once (bp-reduce)",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, _| Box::new(PlacePass::new(next_question)),
};

/// What is simplified at once: statements, expressions, and whether those lose parentheses; and the question, in full and in short.
const STEPS: [(bool, bool, bool, [&str; 2]); 4] = [
    (
        true,
        true,
        true,
        [
            "Can the program be written more simply?",
            "program → simpler",
        ],
    ),
    (
        true,
        false,
        false,
        [
            "Can all statements go that do nothing?",
            "del statements that do nothing",
        ],
    ),
    (
        false,
        true,
        true,
        [
            "Can all expressions be written more simply?",
            "expressions → simpler",
        ],
    ),
    (
        false,
        true,
        false,
        [
            "Can all expressions be simpler between their parentheses?",
            "expressions → simpler inside ( )",
        ],
    ),
];

fn next_question(view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
    from.find_question(|place, candidate| ask_about_program(view, place, candidate))
}

fn ask_about_program(view: &View, place: usize, candidate: usize) -> PlaceQuestion {
    let Some((statements, expressions, parentheses, [question, short])) = STEPS.get(place) else {
        return PlaceQuestion::End;
    };
    if candidate > 0 {
        return PlaceQuestion::NextPlace;
    }
    let mut edit = Edit::default();
    if *statements {
        edit = remove_empty_statements(&view.version, &statement_lines(view));
    }
    let removals = edit.ops.len();
    if *expressions {
        let simple = simplify_expressions(view, *parentheses);
        edit.ops.extend(simple.ops);
        // Without parentheses the question was that of the step before.
        if !statements && !parentheses && edit == simplify_expressions(view, true) {
            return PlaceQuestion::NextPlace;
        }
    }
    // With only one of the two the question is that of a later step.
    let mixed = removals > 0 && removals < edit.ops.len();
    if edit.ops.is_empty() || place == 0 && !mixed {
        return PlaceQuestion::NextPlace;
    }
    let why = EditReason {
        pass: SIMPLIFY.name,
        action: EditAction::Question(QuestionWords::ask(*question).in_short(*short)),
        node: None,
    };
    PlaceQuestion::Candidate(edit, why)
}
