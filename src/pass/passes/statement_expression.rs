//! A statement becomes the statement of an expression inside of it: of at most the four largest; or the shortest statement with a type inside
//! of it, if that names something of the program: at most the two largest.
//!
//! What a statement of an expression is, and the shortest one with a type, the language says (`expression_statement` and `type_statement` in
//! `language.toml`); what is a statement and what an expression follows from the grammar: what may stand where such a statement stands, and what
//! may stand in it. A statement with a name that is used elsewhere becomes no type.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::language::{Language, StatementForm};
use crate::pass::passes::coupled::coupled_pass;
use crate::pass::shared::outside_names::{is_used_elsewhere, names_something};
use crate::pass::shared::queued_places::{PlaceQueue, QueuePass, QueuedPlace};
use crate::pass::{Effort, PassKind};
use crate::program::rules::{RuleMatch, rewrite_node};
use crate::program::{
    Edit, EditAction, EditReason, NodeId, ProgramNode, QuestionWords, Version, View, text_excerpt,
    walk,
};

/// Statements become expressions and types.
pub static STATEMENTS: PassKind = coupled_pass(
    "statements",
    "replaces a statement by one of the largest expressions or types inside of it",
    |view, options| Box::new(QueuePass::new(&STATEMENT_PLACES, view, options)),
);

static STATEMENT_PLACES: PlaceQueue = PlaceQueue {
    list: list_places,
    ask: ask_about_place,
};

/// How many expressions of a statement are tried.
const MAX_EXPRESSIONS: usize = 4;

/// How many types.
const MAX_TYPES: usize = 2;

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
        for form in language.statement_forms() {
            for node in walk::preorder(&document.root) {
                let fits = effort == Effort::Hard || node.sums().tokens <= LARGEST_STATEMENT;
                if fits && is_statement(language, form, node) {
                    let parts = find_parts(&view.version, language, form, node);
                    places.extend(parts.into_iter().map(|part| QueuedPlace {
                        node: node.id,
                        number: part.id.0,
                    }));
                }
            }
        }
    }
    places
}

/// Whether such a statement could stand there, and this is none.
fn is_statement(language: &'static Language, form: &StatementForm, node: &ProgramNode) -> bool {
    let may_be = |expected| language.grammar().class_fits(form.class, expected);
    node.class.is_some_and(|class| class != form.class)
        && !node.shape.is_leaf()
        && node.expected.is_some_and(may_be)
}

/// The largest expressions or types inside of a statement.
fn find_parts<'a>(
    version: &Version,
    language: &'static Language,
    form: &StatementForm,
    statement: &'a Arc<ProgramNode>,
) -> Vec<&'a Arc<ProgramNode>> {
    if form.is_for_type && is_used_elsewhere(version, statement) {
        return Vec::new();
    }
    let own = form.pattern.elements.len() as u32 - 1;
    let is_part = |node: &&Arc<ProgramNode>| {
        is_part_of(language, form, node)
            && node.sums().tokens + own < statement.sums().tokens
            && (!form.is_for_type || names_something(version, node))
    };
    let mut found: Vec<_> = walk::preorder(statement).skip(1).filter(is_part).collect();
    found.sort_by_key(|node| Reverse(node.sums().tokens));
    found.truncate(match form.is_for_type {
        true => MAX_TYPES,
        false => MAX_EXPRESSIONS,
    });
    found
}

/// Whether a node can be the expression or the type of such a statement.
fn is_part_of(language: &'static Language, form: &StatementForm, node: &ProgramNode) -> bool {
    let fits = |class| language.grammar().class_fits(class, form.expected);
    node.class.is_some_and(fits)
}

fn ask_about_place(view: &View, place: QueuedPlace) -> Option<(Edit, EditReason)> {
    let version = &view.version;
    let path = version.path_to(place.node)?;
    let language = version.documents()[path.document].language?;
    let part = version.find_node(NodeId(place.number))?;
    let mut forms = language.statement_forms().iter();
    let form = forms.find(|form| is_part_of(language, form, part))?;
    let found = RuleMatch::of_node(part);
    let (edit, new) = rewrite_node(version, path.node(), &found, &form.pattern);
    let old = text_excerpt(path.node(), 40);
    let words = QuestionWords::ask_change(&old, &new);
    let why = EditReason {
        pass: STATEMENTS.name,
        action: EditAction::Question(words),
        node: Some(place.node),
    };
    Some((edit, why))
}
