//! All names become one letter: all at once, then those that the program declares, those at which programs begin, and those that come from
//! outside, then halves of these. Only bytes fall, so this comes after all that removes tokens.
//!
//! What has one text becomes one text, whatever it declares: so names mean the same as before wherever a name space or a scope is not
//! understood. The new texts are `a`, `b`, … `z`, `A`, … `Z`, `aa`, … (shortlex), without the words of the language and without what the program
//! has already. T-Rec (TOSEM) has such a step, and bp-reduce's README plans one; `rename.rs` is that for Boolean programs.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::display::format_count;
use crate::pass::shared::halving::{ChangeSection, ChangeSource, HalvingPass};
use crate::pass::shared::short_names::{ALL_LETTERS, rename_leaf, short_texts};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::names::{NameGraph, NameSymbol};
use crate::program::{
    Document, Edit, EditAction, EditReason, ProgramNode, QuestionWords, View, list_changes, walk,
};

/// Short names.
pub static NAMES: PassKind = PassKind {
    name: "names",
    description: "gives names the shortest texts that are free: all at once, else halves of them (T-Rec)",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| Box::new(HalvingPass::new(&SHORTER_NAMES, options)),
};

static SHORTER_NAMES: ChangeSource<ShortName> = ChangeSource {
    list_changes: list_shorter_names,
    make_edit: rename_all,
};

/// A name and what it becomes.
#[derive(Debug)]
struct ShortName {
    old: Arc<str>,
    new: Arc<str>,
}

/// Where a name comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NameOrigin {
    Program,
    Entry,
    Outside,
}

/// The sections of names, in their order.
const ORIGINS: [NameOrigin; 3] = [NameOrigin::Program, NameOrigin::Entry, NameOrigin::Outside];

/// A text that is a name, and what is known of it.
struct FoundName {
    text: Arc<str>,
    origin: NameOrigin,
    /// Whether all of its tokens may be changed.
    is_open: bool,
}

/// What a leaf names.
fn name_of_leaf(names: &NameGraph, leaf: &ProgramNode) -> Option<NameSymbol> {
    Some(names.occurrence_of(*leaf.ids().first()?)?.symbol)
}

fn document_leaves(view: &View) -> impl Iterator<Item = (&Document, &Arc<ProgramNode>)> {
    let documents = view.version.documents().iter();
    documents.flat_map(|document| {
        let leaves = walk::iter_leaves(&document.root);
        leaves.map(move |leaf| (document, leaf))
    })
}

fn list_shorter_names(view: &View) -> Vec<ChangeSection<ShortName>> {
    let taken = taken_texts(view);
    let is_free = |text: &str| {
        let documents = view.version.documents().iter();
        let mut languages = documents.filter_map(|document| document.language);
        !taken.contains(text.as_bytes()) && !languages.any(|language| language.is_fixed_text(text))
    };
    let mut fresh = short_texts(ALL_LETTERS).filter(|text| is_free(text));
    let mut next = fresh.next();
    let found = find_names(view);
    let sections = ORIGINS.map(|origin| {
        let mut section = Vec::new();
        for name in found
            .iter()
            .filter(|name| name.origin == origin && name.is_open)
        {
            if next
                .as_ref()
                .is_some_and(|next| next.len() < name.text.len())
            {
                section.extend(next.take().map(|new| ShortName {
                    old: name.text.clone(),
                    new: new.into(),
                }));
                next = fresh.next();
            }
        }
        match origin {
            NameOrigin::Program => ChangeSection::likely(section),
            NameOrigin::Entry | NameOrigin::Outside => ChangeSection::unlikely(section),
        }
    });
    sections.into()
}

/// All texts of tokens and of names. Signs before or behind a name do not make it another one.
fn taken_texts(view: &View) -> FxHashSet<&[u8]> {
    let names = view.version.name_graph();
    let texts = document_leaves(view).map(|(_, leaf)| leaf.text());
    let symbols = names
        .symbols()
        .map(|symbol| names.symbol_name(symbol).as_bytes());
    texts.chain(symbols).collect()
}

/// The texts that are names, each once, in the order of the text.
fn find_names(view: &View) -> Vec<FoundName> {
    let names = view.version.name_graph();
    let mut found: Vec<FoundName> = Vec::new();
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    for (document, leaf) in document_leaves(view) {
        let (Some(symbol), Some(language)) = (name_of_leaf(names, leaf), document.language) else {
            continue;
        };
        let text = names.symbol_name(symbol);
        let is_declared =
            names.declaration_kind(symbol).is_some() && names.symbol_count(symbol).declares > 0;
        let is_open =
            view.constraints.is_empty() || view.constraints.node_exclusion(leaf).is_none();
        let is_name = is_declared || leaf.class.is_some_and(|class| language.is_name(class));
        let at = *places.entry(text).or_insert_with(|| {
            found.push(FoundName {
                text: text.clone(),
                origin: NameOrigin::Outside,
                is_open: true,
            });
            found.len() - 1
        });
        let name = &mut found[at];
        name.is_open &= is_open && is_name;
        if is_declared {
            name.origin = match view.version.is_entry(text) || language.is_entry_name(text) {
                true => NameOrigin::Entry,
                false => NameOrigin::Program,
            };
        }
    }
    found
}

fn rename_all(view: &View, changes: &[ShortName]) -> Option<(Edit, EditReason)> {
    let names = view.version.name_graph();
    let new: FxHashMap<&str, &ShortName> = changes.iter().map(|name| (&*name.old, name)).collect();
    let ops = document_leaves(view).filter_map(|(_, leaf)| {
        let old = names.symbol_name(name_of_leaf(names, leaf)?);
        rename_leaf(leaf, old, &new.get(&**old)?.new)
    });
    let edit: Edit = ops.collect();
    let first = changes.first().filter(|_| !edit.ops.is_empty())?;
    let words = match changes.len() {
        1 => QuestionWords::ask_change(&first.old, &first.new),
        count => {
            let count = format_count(count as u64, "name");
            let all = changes.iter().map(|name| (&*name.old, &*name.new));
            QuestionWords::ask(format!("Can {count} be shorter?")).because(list_changes(all))
        }
    };
    let why = EditReason {
        pass: NAMES.name,
        action: EditAction::Question(words),
        node: None,
    };
    Some((edit, why))
}
