//! Functions that cannot be reached and names that nothing uses go (bp-reduce takes them out at its end without asking).
//!
//! First all functions that no chain of uses reaches from where the program begins (`%entry`), in one candidate, then all other declarations without a
//! use, with what only they used, then labels that nothing jumps to. If one of these candidates is not interesting, each of its declarations is tried by itself.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::display::format_count;
use crate::pass::shared::place_questions::{
    FoundQuestion, PlacePass, PlaceQuestion, QuestionPlace,
};
use crate::pass::shared::removable::{declaring_elements, removal_edit};
use crate::pass::shared::removal_closure::RemovalClosure;
use crate::pass::shared::statement_lines::removable_part;
use crate::pass::{PairScope, PassKind, RepeatPolicy, StrategyFeature, SyntaxCheck};
use crate::program::names::{DeclarationKind, NameRole, NameSymbol, SymbolLosses};
use crate::program::{
    Edit, EditAction, EditReason, NodeId, QuestionWords, Version, View, format_names,
};

/// Declarations without a use.
pub static UNUSED: PassKind = PassKind {
    name: "unused",
    description: "removes functions that cannot be reached from where the program begins, then declarations that nothing uses (bp-reduce)",
    repeat: RepeatPolicy::Fixpoint,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| {
        let pass = Box::new(PlacePass::new(next_question));
        options.pass_if_enabled(StrategyFeature::UnusedNames, pass)
    },
};

/// A group of declarations: how to find its names, how to remove them, what they are called, and the fact about them.
struct UnusedGroup {
    find_names: fn(&View) -> Vec<NameSymbol>,
    remove_names: fn(&Version, &[NameSymbol]) -> Edit,
    noun: &'static str,
    fact: &'static str,
}

/// The places of the pass.
static GROUPS: [UnusedGroup; 3] = [
    UnusedGroup {
        find_names: unreached_functions,
        remove_names: remove_functions,
        noun: "unreached function",
        fact: "nothing reaches",
    },
    UnusedGroup {
        find_names: unused_symbols,
        remove_names: remove_closure,
        noun: "unused declaration",
        fact: "nothing uses",
    },
    UnusedGroup {
        find_names: unused_labels,
        remove_names: remove_labels,
        noun: "unused label",
        fact: "nothing jumps to",
    },
];

fn next_question(view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
    from.find_question(|place, candidate| ask_about_unused(view, place, candidate))
}

fn ask_about_unused(view: &View, place: usize, candidate: usize) -> PlaceQuestion {
    let Some(kind) = GROUPS.get(place) else {
        return PlaceQuestion::End;
    };
    let group = (kind.find_names)(view);
    let picked = match candidate {
        0 => &group[..],
        // A single one was the first question.
        _ if group.len() == 1 => return PlaceQuestion::NextPlace,
        number => match group.get(number - 1) {
            Some(_) => &group[number - 1..number],
            None => return PlaceQuestion::NextPlace,
        },
    };
    let edit = (kind.remove_names)(&view.version, picked);
    let Some(first) = picked.first().filter(|_| !edit.ops.is_empty()) else {
        return match candidate {
            0 => PlaceQuestion::NextPlace,
            _ => ask_about_unused(view, place, candidate + 1),
        };
    };
    let name = view.version.name_graph().symbol_name(*first);
    let names = format_names(name, picked.len() as u32 - 1);
    let objects = format_count(picked.len() as u64, kind.noun);
    let words = QuestionWords::ask_removal(objects)
        .listing_removed()
        .because(format!("{} {names}", kind.fact));
    let why = EditReason {
        pass: UNUSED.name,
        action: EditAction::Question(words),
        node: None,
    };
    PlaceQuestion::Candidate(edit, why)
}

/// The functions that nothing reaches from where the program begins; none where the language does not say where that is.
fn unreached_functions(view: &View) -> Vec<NameSymbol> {
    let version = &view.version;
    let names = version.name_graph();
    let is_function = |symbol: &NameSymbol| {
        names.declaration_kind(*symbol) == Some(DeclarationKind::Function)
            && names.symbol_count(*symbol).declares > 0
    };
    let is_entry = |symbol: &NameSymbol| version.is_entry(names.symbol_name(*symbol));
    let functions: Vec<NameSymbol> = names.symbols().filter(is_function).collect();
    let mut open: Vec<NameSymbol> = functions.iter().copied().filter(is_entry).collect();
    if open.is_empty() {
        return Vec::new();
    }
    let mut reached: FxHashSet<NameSymbol> = open.iter().copied().collect();
    while let Some(function) = open.pop() {
        for element in declaring_elements(version, function) {
            let Some(node) = version.find_node(element) else {
                continue;
            };
            let used = names.occurrences_below(node);
            let used =
                used.filter(|found| found.role == NameRole::Uses && is_function(&found.symbol));
            open.extend(
                used.map(|found| found.symbol)
                    .filter(|&symbol| reached.insert(symbol)),
            );
        }
    }
    functions
        .into_iter()
        .filter(|function| !reached.contains(function))
        .collect()
}

/// The labels that nothing jumps to.
fn unused_labels(view: &View) -> Vec<NameSymbol> {
    let names = view.version.name_graph();
    let unused = names.symbols().filter(|&symbol| {
        let count = names.symbol_count(symbol);
        names.declaration_kind(symbol) == Some(DeclarationKind::Label)
            && count.declares > 0
            && count.uses == 0
    });
    unused.collect()
}

/// The edit that removes labels, and leaves what they stand before.
fn remove_labels(version: &Version, labels: &[NameSymbol]) -> Edit {
    let sites = labels
        .iter()
        .flat_map(|&label| version.name_graph().declaration_sites(label));
    let parts = sites.filter_map(|site| removable_part(&version.path_to(site.leaf)?));
    let parts: BTreeSet<NodeId> = parts.map(|part| part.id).collect();
    removal_edit(version, &parts.into_iter().collect::<Vec<_>>())
}

/// The edit that removes functions.
fn remove_functions(version: &Version, symbols: &[NameSymbol]) -> Edit {
    let elements = symbols
        .iter()
        .flat_map(|&symbol| declaring_elements(version, symbol));
    let elements: BTreeSet<NodeId> = elements.collect();
    removal_edit(version, &elements.into_iter().collect::<Vec<_>>())
}

/// The declared names without a use, but for those where the program begins.
fn unused_symbols(view: &View) -> Vec<NameSymbol> {
    let names = view.version.name_graph();
    let unused = names.symbols().filter(|&symbol| {
        let removed = remove_closure(&view.version, &[symbol]);
        !removed.ops.is_empty() && !view.version.is_entry(names.symbol_name(symbol))
    });
    unused.collect()
}

/// The edit that removes these declarations, and what only they used.
fn remove_closure(version: &Version, symbols: &[NameSymbol]) -> Edit {
    let mut closure = RemovalClosure::new(version, SymbolLosses::default());
    for &symbol in symbols {
        closure.add_symbol(symbol);
    }
    closure.to_edit()
}
