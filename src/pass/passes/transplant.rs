//! A statement or declaration goes, and an expression or a type of it stands in the place of another one elsewhere: `struct S<const N: u8>; impl S {}`
//! becomes `struct S<const N: S>;`.
//!
//! What a bug needs of a statement is often one expression or type, wherever that stands; no single deletion or replacement moves it. Only the
//! largest two of a statement are tried, in the places of others of their kind, the smallest first, and few of all these: those of the largest
//! statements come first. No paper has it; the nearest is the transplantation of code for other ends (Barr et al., Automated Software
//! Transplantation, ISSTA 2015).

use std::cmp::Reverse;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::language::Language;
use crate::pass::filters::dangling_uses::DANGLING_USES;
use crate::pass::passes::coupled::coupled_pass;
use crate::pass::shared::name_substitution::{copy_texts, token_leaves};
use crate::pass::shared::outside_names::{is_used_elsewhere, names_something};
use crate::pass::shared::queued_places::{PlaceQueue, QueuePass, QueuedPlace};
use crate::pass::shared::removable::{WalkedNode, removal_edit, walk_parts};
use crate::pass::{Effort, PassKind};
use crate::program::names::{NameRole, SymbolLosses};
use crate::program::{
    Edit, EditAction, EditOp, EditReason, NodeId, NodePath, NodeShape, ProgramNode, QuestionWords,
    Replacement, Version, View, quote_text, strip_separator, text_excerpt, walk,
};

/// Parts of statements move elsewhere.
pub static TRANSPLANT: PassKind = PassKind {
    filters: &[&DANGLING_USES],
    ..coupled_pass(
        "transplant",
        "removes a statement and puts an expression or a type of it in the place of another one elsewhere",
        |view, options| Box::new(QueuePass::new(&TRANSPLANTS, view, options)),
    )
};

static TRANSPLANTS: PlaceQueue = PlaceQueue {
    list: list_places,
    ask: ask_about_place,
};

/// How many expressions or types of a statement are tried.
const MAX_PARTS: usize = 2;

/// In how many places each of them is tried.
const MAX_PLACES: usize = 4;

/// How many questions there are about one version without hard effort.
const MAX_QUESTIONS: usize = 8;

/// The most tokens of a program without hard effort.
const MAX_TOKENS: u32 = 100;

/// The statements, their parts and the places for those: a place of the queue is the node that goes, and the part that comes there.
fn list_places(view: &View, effort: Effort) -> Vec<QueuedPlace> {
    let version = &view.version;
    let is_hard = effort == Effort::Hard;
    let mut places = Vec::new();
    if effort == Effort::Quick || !is_hard && version.token_count() > MAX_TOKENS {
        return places;
    }
    for document in view.documents() {
        let Some(language) = document.language else {
            continue;
        };
        let mut statements: Vec<_> = walk_parts(&document.root)
            .filter(|part| is_statement(version, part))
            .map(|part| part.node)
            .collect();
        statements.sort_by_key(|node| Reverse(node.sums().tokens));
        for statement in statements {
            for part in find_parts(version, language, statement) {
                let targets = find_targets(version, language, &document.root, statement, part);
                places.extend(targets.into_iter().map(|node| QueuedPlace {
                    node: node.id,
                    number: part.id.0,
                }));
            }
        }
    }
    if !is_hard {
        places.truncate(MAX_QUESTIONS);
    }
    places
}

/// Whether it can go: an element of a list without separators, of which nothing else uses a name.
fn is_statement(version: &Version, part: &WalkedNode) -> bool {
    let node = part.node;
    part.removable
        && node.class.is_some()
        && !node.shape.is_leaf()
        && version.path_to(node.id).is_some_and(|path| {
            let own = statement_of(&path);
            own.is_some_and(|own| own.id == node.id)
        })
        && !is_used_elsewhere(version, node)
}

/// The innermost element of a list without separators around a place, itself included.
fn statement_of<'a>(path: &NodePath<'a>) -> Option<&'a Arc<ProgramNode>> {
    let is_list =
        |node: &&Arc<ProgramNode>| matches!(node.shape, NodeShape::Star | NodeShape::Plus);
    let around = &path.nodes[..path.nodes.len() - 1];
    let list = around.iter().rposition(is_list)?;
    path.child_below(list)
        .map(|(_, element)| strip_separator(element))
}

/// The largest parts of a statement that other places could take: they name something that stays, and nothing that goes.
fn find_parts<'a>(
    version: &Version,
    language: &'static Language,
    statement: &'a Arc<ProgramNode>,
) -> Vec<&'a Arc<ProgramNode>> {
    let names = version.name_graph();
    let mut losses = SymbolLosses::default();
    losses.add_node(names, statement);
    let stays = |node: &Arc<ProgramNode>| {
        let mut inside = names.occurrences_below(node);
        inside.all(|fact| {
            fact.role != NameRole::Declares && losses.count_of(fact.symbol).declares == 0
        })
    };
    // Statements inside of it have parts of their own.
    let is_own = |node: &Arc<ProgramNode>| {
        let path = version.path_to(node.id);
        path.is_some_and(|path| statement_of(&path).is_some_and(|own| own.id == statement.id))
    };
    let is_part = |node: &&Arc<ProgramNode>| {
        let class = node.class.filter(|_| node.sums().tokens > 0);
        class.is_some_and(|class| language.grammar().are_related(class, class))
            && names_something(version, node)
            && stays(node)
            && is_own(node)
    };
    let mut found: Vec<_> = walk::preorder(statement).skip(1).filter(is_part).collect();
    found.sort_by_key(|node| Reverse(node.sums().tokens));
    let mut seen = FxHashSet::default();
    found.retain(|node| seen.insert(words_of(node)));
    found.truncate(MAX_PARTS);
    found
}

/// Nodes of the same kind outside of the statement, the smallest first, no two alike.
fn find_targets<'a>(
    version: &Version,
    language: &'static Language,
    root: &'a Arc<ProgramNode>,
    statement: &Arc<ProgramNode>,
    part: &Arc<ProgramNode>,
) -> Vec<&'a Arc<ProgramNode>> {
    let names = version.name_graph();
    let inside = walk::preorder(statement).map(|node| node.id);
    let path = version.path_to(statement.id);
    let around = path.iter().flat_map(|path| &path.nodes);
    let goes: FxHashSet<NodeId> = inside.chain(around.map(|node| node.id)).collect();
    let is_target = |node: &&Arc<ProgramNode>| {
        let related = node.class.zip(part.class).is_some_and(|(own, other)| {
            node.sums().tokens > 0 && language.grammar().are_related(own, other)
        });
        let declares = || {
            let mut facts = names.occurrences_below(node);
            facts.any(|fact| fact.role == NameRole::Declares)
        };
        related && !goes.contains(&node.id) && !declares()
    };
    let mut found: Vec<_> = walk::preorder(root).filter(is_target).collect();
    found.sort_by_key(|node| node.sums().tokens);
    let mut seen = FxHashSet::from_iter([words_of(part)]);
    found.retain(|node| seen.insert(words_of(node)));
    found.truncate(MAX_PLACES);
    found
}

fn words_of(node: &Arc<ProgramNode>) -> Vec<&[u8]> {
    token_leaves(node).map(|leaf| leaf.text()).collect()
}

fn ask_about_place(view: &View, place: QueuedPlace) -> Option<(Edit, EditReason)> {
    let version = &view.version;
    let target = version.find_node(place.node)?;
    let path = version.path_to(NodeId(place.number))?;
    let (part, statement) = (path.node(), statement_of(&path)?);
    let mut edit = removal_edit(version, &[statement.id]);
    if edit.ops.is_empty() {
        return None;
    }
    edit.ops.push(EditOp::Replace {
        node: target.id,
        piece: Replacement::Tokens(copy_texts(part).into()),
    });
    let [gone, moved, old] = [statement, part, target].map(|node| text_excerpt(node, 40));
    let why = EditReason {
        pass: TRANSPLANT.name,
        action: EditAction::Question(
            QuestionWords::ask_change(&old, &moved)
                .because(format!("it is a part of {}, which goes", quote_text(&gone))),
        ),
        node: Some(statement.id),
    };
    Some((edit, why))
}
