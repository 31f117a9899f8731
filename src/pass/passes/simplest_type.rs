//! All uses of one type become the simplest type of the language (`[simplest_types]` in `language.toml`).
//!
//! This is mostly an enabler: the main loop then finds equal parts, and declarations that nothing uses. The definition of a type goes with
//! its last use, so that a structure becomes a word in one edit. Only what makes the program smaller, in tokens or in bytes, is proposed.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::display::format_count;
use crate::pass::PassKind;
use crate::pass::passes::coupled::coupled_pass;
use crate::pass::shared::name_substitution::{NameSubstitution, TokenTexts, token_leaves};
use crate::pass::shared::place_questions::{FoundQuestion, PlacePass, QuestionPlace};
use crate::pass::shared::removal_closure::RemovalClosure;
use crate::program::names::{DeclarationKind, NameRole, NameSymbol, SymbolLosses};
use crate::program::{
    Edit, EditAction, EditReason, NodeId, ProgramNode, QuestionWords, Version, View, text_excerpt,
    walk,
};

/// Types become the simplest one.
pub static SIMPLEST_TYPE: PassKind = coupled_pass(
    "type",
    "replaces all uses of a type by the simplest type of the language, with the definition of the type",
    |_, _| Box::new(PlacePass::over_names(next_question)),
);

fn next_question(view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
    let types = list_types(&view.version);
    from.find_only(view, &types, |used| used.ask(&view.version))
}

/// A type and the places where it stands.
struct UsedType<'a> {
    nodes: Vec<&'a Arc<ProgramNode>>,
    simplest: &'a str,
}

/// The types that are not the simplest, each once, in the order of the text.
fn list_types(version: &Version) -> Vec<UsedType<'_>> {
    let mut types: Vec<UsedType> = Vec::new();
    let mut known: FxHashMap<Vec<&[u8]>, usize> = FxHashMap::default();
    for document in version.documents() {
        let Some(language) = document.language else {
            continue;
        };
        for node in walk::preorder(&document.root) {
            let simplest = node.class.and_then(|class| language.simplest_type(class));
            let Some(simplest) = simplest.filter(|_| !names_something_else(version, node)) else {
                continue;
            };
            let text: Vec<&[u8]> = token_leaves(node).map(|leaf| leaf.text()).collect();
            if text == [simplest.as_bytes()] {
                continue;
            }
            let at = *known.entry(text).or_insert_with(|| {
                let nodes = Vec::new();
                types.push(UsedType { nodes, simplest });
                types.len() - 1
            });
            types[at].nodes.push(node);
        }
    }
    types
}

/// Whether it is a word that declares a name, or the tag of a structure.
fn names_something_else(version: &Version, node: &Arc<ProgramNode>) -> bool {
    let names = version.name_graph();
    node.shape.is_leaf()
        && names.leaf_occurrences(node).any(|fact| {
            fact.role == NameRole::Declares
                || names.declaration_kind(fact.symbol) == Some(DeclarationKind::Struct)
        })
}

impl UsedType<'_> {
    fn ask(&self, version: &Version) -> Option<(Edit, EditReason)> {
        let names = version.name_graph();
        let mut losses = SymbolLosses::default();
        let mut used: Vec<NameSymbol> = Vec::new();
        for node in &self.nodes {
            losses.add_node(names, node);
            used.extend(names.occurrences_below(node).map(|fact| fact.symbol));
        }
        // What they declare themselves is gone with them.
        used.retain(|&name| losses.count_of(name).declares == 0);
        used.sort_unstable();
        used.dedup();
        let mut closure = RemovalClosure::new(version, losses);
        let gone: Vec<NameSymbol> = used
            .into_iter()
            .filter(|&name| closure.add_symbol(name).is_some())
            .collect();
        let texts: TokenTexts = [self.simplest.as_bytes().into()].into();
        let ids: Vec<NodeId> = self.nodes.iter().map(|node| node.id).collect();
        let places = ids.iter().filter_map(|id| version.path_to(*id));
        let places = places.map(|path| (path, texts.clone())).collect();
        let substitution = NameSubstitution::with_removal(version, places, closure.to_edit())?;
        let first = *self.nodes.first()?;
        let places = format_count(substitution.place_count() as u64, "place");
        let goes = match &gone[..] {
            [] => "",
            _ => ", its definition goes",
        };
        let words = QuestionWords::ask_change(&text_excerpt(first, 40), self.simplest)
            .because(format!("in {places}{goes}"));
        let why = EditReason {
            pass: SIMPLEST_TYPE.name,
            action: EditAction::Question(words),
            node: Some(first.id),
        };
        Some((substitution.to_edit(), why))
    }
}
