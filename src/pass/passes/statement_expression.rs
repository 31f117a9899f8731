//! A statement becomes the statement of an expression inside of it: of at most the four largest.
//!
//! What a statement of an expression is, the language says (`expression_statement` in `language.toml`); what is a statement and what an
//! expression follows from the grammar: what may stand where such a statement stands, and what may stand in it.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::language::{ExpressionStatement, Language};
use crate::pass::passes::coupled::coupled_pass;
use crate::pass::shared::queued_places::{PlaceQueue, QueuePass, QueuedPlace};
use crate::pass::{Effort, PassKind};
use crate::program::rules::{RuleMatch, rewrite_node};
use crate::program::{
    Edit, EditAction, EditReason, NodeId, ProgramNode, View, quote_text, text_excerpt, walk,
};

/// Statements become expressions.
pub static STATEMENT_TO_EXPRESSION: PassKind = coupled_pass(
    "statement to expression",
    "replaces a statement by one of the largest expressions inside of it",
    |view, options| Box::new(QueuePass::new(&STATEMENTS, view, options)),
);

static STATEMENTS: PlaceQueue = PlaceQueue {
    list: list_places,
    ask: ask_about_place,
};

/// How many expressions of a statement are tried.
const MAX_EXPRESSIONS: usize = 4;

/// A larger statement is left alone without hard effort: its parts are statements too.
const LARGEST_STATEMENT: u32 = 1000;

fn list_places(view: &View, effort: Effort) -> Vec<QueuedPlace> {
    let mut places = Vec::new();
    if effort == Effort::Quick {
        return places;
    }
    for document in view.documents() {
        let Some(language) = document.language else {
            continue;
        };
        let Some(form) = language.expression_statement() else {
            continue;
        };
        for node in walk::preorder(&document.root) {
            let fits = effort == Effort::Hard || node.sums().tokens <= LARGEST_STATEMENT;
            if fits && is_statement(language, form, node) {
                places.extend(find_expressions(language, form, node));
            }
        }
    }
    places
}

/// Whether an expression statement could stand there, and this is no such statement.
fn is_statement(
    language: &'static Language,
    form: &ExpressionStatement,
    node: &ProgramNode,
) -> bool {
    let may_be = |expected| language.grammar().class_fits(form.class, expected);
    node.class.is_some_and(|class| class != form.class)
        && !node.shape.is_leaf()
        && node.expected.is_some_and(may_be)
}

/// The largest expressions inside of a statement.
fn find_expressions(
    language: &'static Language,
    form: &ExpressionStatement,
    statement: &Arc<ProgramNode>,
) -> Vec<QueuedPlace> {
    let fits = |class| language.grammar().class_fits(class, form.expected);
    let own = form.pattern.elements.len() as u32 - 1;
    let is_expression = |node: &&Arc<ProgramNode>| {
        node.class.is_some_and(fits) && node.sums().tokens + own < statement.sums().tokens
    };
    let mut found: Vec<_> = walk::preorder(statement)
        .skip(1)
        .filter(is_expression)
        .collect();
    found.sort_by_key(|node| Reverse(node.sums().tokens));
    let places = found.iter().take(MAX_EXPRESSIONS);
    places
        .map(|node| QueuedPlace {
            node: statement.id,
            number: node.id.0,
        })
        .collect()
}

fn ask_about_place(view: &View, place: QueuedPlace) -> Option<(Edit, EditReason)> {
    let version = &view.version;
    let path = version.path_to(place.node)?;
    let form = version.documents()[path.document]
        .language?
        .expression_statement()?;
    let expression = version.find_node(NodeId(place.number))?;
    let found = RuleMatch::of_node(expression);
    let (edit, new) = rewrite_node(version, path.node(), &found, &form.pattern);
    let old = text_excerpt(path.node(), 40);
    let change = format!("{} becomes {}", quote_text(&old), quote_text(&new));
    let why = EditReason {
        pass: STATEMENT_TO_EXPRESSION.name,
        action: EditAction::Question(change.into()),
        node: Some(place.node),
    };
    Some((edit, why))
}
