//! Scalar replacement of aggregates: a structure of which one member is used becomes the type of that member, and an array or a pointer of which all
//! uses are elements becomes one element, in one edit with all uses.
//!
//! Compilers do the same for speed (Muchnick, *Advanced Compiler Design and Implementation*, 12.2); here the program means something else where several
//! elements differ, and the test decides. The captures `@unfold.type` and `@unfold.element` say what stands for a member, an array or a pointer (`grammars/*/reduce.scm`).

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::display::format_count;
use crate::language::Language;
use crate::pass::PassKind;
use crate::pass::passes::coupled::coupled_pass;
use crate::pass::shared::name_substitution::{
    NameSubstitution, TokenTexts, copy_texts, find_value, token_leaves, use_paths,
};
use crate::pass::shared::place_questions::{FoundQuestion, PlacePass, QuestionPlace};
use crate::pass::shared::removal_closure::RemovalClosure;
use crate::program::names::{NameRole, NameSymbol, SymbolLosses, ValuePart};
use crate::program::{
    Edit, EditAction, EditReason, NodeId, NodePath, ProgramNode, QuestionWords, Version, View,
    format_names, text_excerpt, walk,
};

/// Aggregates become scalars.
pub static AGGREGATES: PassKind = coupled_pass(
    "aggregates",
    "replaces a structure by its only used member, and an array or a pointer by one element, with all uses",
    |_, _| Box::new(PlacePass::over_names(next_question)),
);

fn next_question(view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
    let version = &view.version;
    let graph = version.name_graph();
    let is_part_of_aggregate = |&name: &NameSymbol| {
        let parts = [ValuePart::Type, ValuePart::Element];
        parts
            .iter()
            .any(|part| graph.value_parts(name, *part).next().is_some())
    };
    let names: Vec<NameSymbol> = graph.symbols().filter(is_part_of_aggregate).collect();
    from.find_only(view, &names, |&name| {
        replace_structure(version, name).or_else(|| replace_elements(version, name))
    })
}

/// The places that change, each with the tokens that stand there then.
type ChangedPlaces<'a> = Vec<(NodePath<'a>, TokenTexts)>;

/// The type of this member takes the place of its structure; none if another member is used, or a use is no access.
fn replace_structure(version: &Version, member: NameSymbol) -> Option<(Edit, EditReason)> {
    let names = version.name_graph();
    let site = names.value_parts(member, ValuePart::Type).next()?;
    let count = names.symbol_count(member);
    if count.declares != 1 || count.uses == 0 {
        return None;
    }
    let value = find_value(version, site)?;
    let inside = version.path_to(value.id)?;
    let language = version.documents()[inside.document].language?;
    let mut around = inside.ancestors();
    let structure =
        around.find(|node| is_type(language, node) && node.sums().tokens > value.sums().tokens)?;
    let mut declared = names.occurrences_below(structure);
    let tag = declared.find(|fact| fact.role == NameRole::Declares)?;
    let mut others = names.occurrences_below(structure).filter(|fact| {
        fact.role == NameRole::Declares && ![member, tag.symbol].contains(&fact.symbol)
    });
    if others.any(|fact| names.symbol_count(fact.symbol).uses > 0) {
        return None;
    }
    let texts: TokenTexts = copy_texts(value).into();
    let mut places = ChangedPlaces::new();
    let mut losses = SymbolLosses::default();
    // A structure without a tag is where it is used.
    let uses = (tag.symbol != member).then(|| use_paths(version, tag.symbol));
    for path in uses.into_iter().flatten() {
        let path = version.path_to(find_used_type(language, &path)?.id)?;
        losses.add_node(names, path.node());
        places.push((path, texts.clone()));
    }
    let type_places = places.len();
    let own = version.path_to(structure.id)?;
    let is_alone = own
        .ancestors()
        .take(2)
        .any(|around| around.sums().tokens == structure.sums().tokens + 1);
    for path in use_paths(version, member) {
        let (access, texts) = describe_access(version, &path)?;
        losses.add_node(names, path.node());
        places.push((access, texts));
    }
    let accesses = places.len() - type_places;
    let mut closure = RemovalClosure::new(version, losses);
    match is_alone && tag.symbol != member {
        true => drop(closure.add_symbol(tag.symbol)?),
        false => places.push((own, texts)),
    }
    let words = QuestionWords::ask_change(&text_excerpt(structure, 40), &text_excerpt(value, 40))
        .because(format!(
            "the type of its member {}, in {}",
            format_names(names.symbol_name(member), 0),
            format_count(accesses as u64, "use"),
        ));
    finish_question(version, places, closure.to_edit(), words, value)
}

/// One element takes the place of this array or pointer, `a[i]` and `*a` of each use; none if a use is no element.
fn replace_elements(version: &Version, name: NameSymbol) -> Option<(Edit, EditReason)> {
    let names = version.name_graph();
    let site = names.value_parts(name, ValuePart::Element).next()?;
    let declarator = find_value(version, site)?;
    if names.symbol_count(name).declares != 1 {
        return None;
    }
    let texts: TokenTexts = [names.symbol_name(name).as_bytes().into()].into();
    let mut places = vec![(version.path_to(declarator.id)?, texts.clone())];
    for path in use_paths(version, name) {
        let element = path.ancestors().find(|node| node.sums().tokens > 1)?;
        is_element(element, path.node().id).then_some(())?;
        places.push((version.path_to(element.id)?, texts.clone()));
    }
    let is_pointer = token_leaves(declarator).next()?.text() == b"*";
    if is_pointer && places.len() == 1 {
        // Other passes ask about a token that nothing else needs.
        return None;
    }
    let aggregate = if is_pointer { "pointer" } else { "array" };
    let name = format_names(names.symbol_name(name), 0);
    let question = format!("Can the {aggregate} {name} become one element?");
    let words = QuestionWords::ask(question).because(match places.len() - 1 {
        0 => String::new(),
        uses => format!("in {}", format_count(uses as u64, "use")),
    });
    finish_question(version, places, Edit::default(), words, declarator)
}

/// Whether an expression is an element of the aggregate whose name is this token of it: `a[i]` or `*a`.
fn is_element(expression: &Arc<ProgramNode>, name: NodeId) -> bool {
    let tokens: Vec<_> = token_leaves(expression).collect();
    match &tokens[..] {
        [star, own] if own.id == name => star.text() == b"*",
        [own, opened, .., closed] if own.id == name => {
            opened.text() == b"[" && closed.text() == b"]"
        }
        _ => false,
    }
}

/// None if the program would be no smaller, or one place is inside of another.
fn finish_question(
    version: &Version,
    places: ChangedPlaces,
    removal: Edit,
    words: QuestionWords,
    node: &Arc<ProgramNode>,
) -> Option<(Edit, EditReason)> {
    let changed: FxHashSet<NodeId> = places.iter().map(|(path, _)| path.node().id).collect();
    let is_inside = |(path, _): &(NodePath, TokenTexts)| {
        path.ancestors().any(|around| changed.contains(&around.id))
    };
    if places.iter().any(is_inside) {
        return None;
    }
    let substitution = NameSubstitution::with_removal(version, places, removal)?;
    if substitution.growth() >= 0 {
        return None;
    }
    let why = EditReason {
        pass: AGGREGATES.name,
        action: EditAction::Question(words),
        node: Some(node.id),
    };
    Some((substitution.to_edit(), why))
}

fn is_type(language: &'static Language, node: &ProgramNode) -> bool {
    node.class
        .is_some_and(|class| language.simplest_type(class).is_some())
}

/// The type that a use of a tag ends, with the word before it if it has one.
fn find_used_type<'a>(
    language: &'static Language,
    path: &NodePath<'a>,
) -> Option<&'a Arc<ProgramNode>> {
    let own = path.nodes.iter().rev().copied();
    own.take_while(|node| {
        let last = node.sums().leaves.checked_sub(1);
        let last = last.and_then(|last| walk::leaf_at(node, last));
        is_type(language, node) && last.is_some_and(|last| last.id == path.node().id)
    })
    .last()
}

/// The access to a member at the end of a path, and its object: `s.m` and `s`, `p->m` and `(*p)`. None if it is no access.
fn describe_access<'a>(
    version: &'a Version,
    path: &NodePath<'a>,
) -> Option<(NodePath<'a>, TokenTexts)> {
    let access = path.ancestors().find(|node| node.sums().tokens > 1)?;
    let mut texts = copy_texts(access);
    let member = texts.pop()?;
    let mark = texts.pop()?;
    let ends = |token: &[u8], text: &[u8]| token.trim_ascii() == text;
    if texts.is_empty() || !ends(&member, path.node().text()) {
        return None;
    }
    let object = if ends(&mark, b".") {
        texts
    } else if ends(&mark, b"->") {
        let opened = [Arc::from(&b"("[..]), Arc::from(&b"*"[..])].into_iter();
        opened.chain(texts).chain([Arc::from(&b")"[..])]).collect()
    } else {
        return None;
    };
    Some((version.path_to(access.id)?, object.into()))
}
