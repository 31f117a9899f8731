//! Declared names become as short as they can be: all at once, else one at a time. Neither tokens nor lines change, only bytes; so this is the
//! last pass. bp-reduce's README plans it.
//!
//! The new names are `a`, `b`, … `z`, `aa`, … (shortlex) in the order of the text, without those that the program has already.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::display::format_count;
use crate::pass::shared::place_questions::{
    FoundQuestion, PlacePass, PlaceQuestion, QuestionPlace,
};
use crate::pass::shared::short_names::{SMALL_LETTERS, rename_leaf, short_texts};
use crate::pass::{PairScope, PassKind, RepeatPolicy, StrategyFeature, SyntaxCheck};
use crate::program::names::NameSymbol;
use crate::program::{
    Edit, EditAction, EditReason, QuestionWords, Version, View, list_changes, walk,
};

/// Shorter names.
pub static RENAME: PassKind = PassKind {
    name: "rename",
    description: "gives declared names the shortest texts that are free, all at once, else one name at a time",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| {
        let pass = Box::new(PlacePass::new(next_question));
        options.pass_if_enabled(StrategyFeature::ShortNames, pass)
    },
};

/// A declared name and what it could be.
struct NewName {
    symbol: NameSymbol,
    old: Arc<str>,
    new: String,
}

fn next_question(view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
    let names = shorter_names(&view.version);
    from.find_question(|place, candidate| ask_about_names(view, &names, place, candidate))
}

fn ask_about_names(
    view: &View,
    names: &[NewName],
    place: usize,
    candidate: usize,
) -> PlaceQuestion {
    let picked = match (place, candidate) {
        (0, 0) => names,
        (0, _) => return PlaceQuestion::NextPlace,
        // One name is the first question already.
        (_, 0) if names.len() > 1 && place <= names.len() => &names[place - 1..place],
        (_, 0) => return PlaceQuestion::End,
        _ => return PlaceQuestion::NextPlace,
    };
    let Some(first) = picked.first() else {
        return PlaceQuestion::End;
    };
    let words = match picked.len() {
        1 => QuestionWords::ask_change(&first.old, &first.new),
        count => {
            let count = format_count(count as u64, "name");
            let all = picked.iter().map(|name| (&*name.old, &*name.new));
            QuestionWords::ask(format!("Can {count} be shorter?")).because(list_changes(all))
        }
    };
    let why = EditReason {
        pass: RENAME.name,
        action: EditAction::Question(words),
        node: None,
    };
    PlaceQuestion::Candidate(renaming_edit(&view.version, picked), why)
}

/// The declared names that can be shorter, in the order of their declarations.
fn shorter_names(version: &Version) -> Vec<NewName> {
    let graph = version.name_graph();
    let leaves = || {
        let documents = version.documents().iter();
        documents.flat_map(|document| walk::iter_leaves(&document.root))
    };
    let mut taken: FxHashSet<&[u8]> = leaves().map(|leaf| leaf.text()).collect();
    // Signs before or behind a name do not make it another one.
    taken.extend(
        graph
            .symbols()
            .map(|symbol| graph.symbol_name(symbol).as_bytes()),
    );
    let mut fresh = short_texts(SMALL_LETTERS).filter(|text| !taken.contains(text.as_bytes()));
    let mut next = fresh.next().unwrap_or_default();
    let mut found = Vec::new();
    let declared = graph.symbols().filter(|&symbol| {
        graph.declaration_kind(symbol).is_some() && graph.symbol_count(symbol).declares > 0
    });
    for symbol in declared {
        let old = graph.symbol_name(symbol).clone();
        if next.len() < old.len() && !version.is_entry(&old) {
            let new = std::mem::replace(&mut next, fresh.next().unwrap_or_default());
            found.push(NewName { symbol, old, new });
        }
    }
    found
}

/// The edit that gives each token of these names its new text. What stands before and behind a name in its token stays.
fn renaming_edit(version: &Version, names: &[NewName]) -> Edit {
    let graph = version.name_graph();
    let documents = version.documents().iter();
    let leaves = documents.flat_map(|document| walk::iter_leaves(&document.root));
    let ops = leaves.filter_map(|leaf| {
        let symbol = graph.occurrence_of(*leaf.ids().first()?)?.symbol;
        let name = names.iter().find(|name| name.symbol == symbol)?;
        rename_leaf(leaf, &name.old, &name.new)
    });
    ops.collect()
}
