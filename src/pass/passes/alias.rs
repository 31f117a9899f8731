//! The definition of a type name goes, and its type stands in the place of each use: all such names at once, a name that stands for another
//! one included, else one name at a time. So does an import, whose path stands in the place of each use.
//!
//! Where a name has several uses and its type is a whole structure, copies would be other types; such names are proposed only by
//! themselves, and only where that makes the program smaller.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::display::format_count;
use crate::pass::PassKind;
use crate::pass::filters::constraint_filter::allows_whole_edit;
use crate::pass::passes::coupled::coupled_pass;
use crate::pass::shared::name_substitution::{
    NameMeaning, NameSubstitution, TokenTexts, token_leaves,
};
use crate::pass::shared::place_questions::{
    FoundQuestion, PlacePass, PlaceQuestion, QuestionPlace,
};
use crate::program::names::{DeclarationKind, NameOccurrence, NameRole, NameSymbol};
use crate::program::{
    Edit, EditAction, EditReason, QuestionWords, Version, View, format_names, quote_text,
    text_excerpt,
};

/// Types in place of their names.
pub static ALIAS: PassKind = coupled_pass(
    "alias",
    "replaces names of types by their types and imported names by their paths, and removes the definitions and imports: all at once, else one name at a time",
    |_, _| Box::new(PlacePass::over_names(next_question)),
);

fn next_question(view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
    let version = &view.version;
    let aliases = find_aliases(version);
    from.find_question(|place, candidate| {
        let picked = match (place, candidate) {
            (0, 0) => ask_about_all(version, &aliases),
            (_, 0) => match aliases.get(place - 1) {
                Some((meaning, substitution)) => Some((
                    substitution.to_edit(),
                    explain_alias(version, meaning, substitution),
                )),
                None => return PlaceQuestion::End,
            },
            _ => None,
        };
        match picked.filter(|(edit, _)| allows_whole_edit(view, edit)) {
            Some((edit, why)) => PlaceQuestion::Candidate(edit, why),
            None => PlaceQuestion::NextPlace,
        }
    })
}

/// A name of a type or an import, and the edit by which it goes.
type Alias<'a> = (NameMeaning<'a>, NameSubstitution);

/// The names of types and imports that can go so that the program is smaller, in the order of the text.
fn find_aliases(version: &Version) -> Vec<Alias<'_>> {
    let names = version.name_graph();
    let is_alias = |kind| matches!(kind, DeclarationKind::Type | DeclarationKind::Import);
    let aliases = names
        .symbols()
        .filter(|&name| names.declaration_kind(name).is_some_and(is_alias));
    let found = aliases.filter_map(|name| {
        let meaning = NameMeaning::of_name(version, name)?;
        let substitution = meaning.substitute(version, meaning.to_texts())?;
        Some((meaning, substitution))
    });
    found
        .filter(|(_, substitution)| substitution.growth() < 0)
        .collect()
}

/// How many definitions are named in a sentence.
const MAX_NAMED: usize = 12;

/// The question about all of them at once; none where there are fewer than two.
fn ask_about_all(version: &Version, aliases: &[Alias]) -> Option<(Edit, EditReason)> {
    let names = version.name_graph();
    let is_copied_once = |(meaning, substitution): &&Alias| {
        let mut inside = names.occurrences_below(meaning.value);
        let is_copied =
            |fact: NameOccurrence| fact.role == NameRole::Uses || fact.symbol == meaning.name;
        substitution.place_count() == 1 || inside.all(is_copied)
    };
    let meanings: Vec<&NameMeaning> = aliases
        .iter()
        .filter(is_copied_once)
        .map(|(meaning, _)| meaning)
        .collect();
    if meanings.len() < 2 {
        return None;
    }
    let closed = ClosedTexts::new(version, &meanings);
    let with_texts = meanings
        .iter()
        .map(|&meaning| Some((meaning, closed.of_name(meaning.name, meanings.len())?)));
    let with_texts = with_texts.collect::<Option<Vec<_>>>()?;
    let all = NameSubstitution::of_meanings(version, &with_texts)?;
    let named = meanings.iter().take(MAX_NAMED);
    let named: Vec<String> = named
        .map(|meaning| quote_text(names.symbol_name(meaning.name)))
        .collect();
    let count = meanings.len();
    let more = match count - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let places = format_count(all.place_count() as u64, "place");
    let is_type = |meaning: &&NameMeaning| {
        names.declaration_kind(meaning.name) == Some(DeclarationKind::Type)
    };
    let what = match meanings.iter().all(is_type) {
        true => "their types stand",
        false => "what they stand for is",
    };
    let why = EditReason {
        pass: ALIAS.name,
        action: EditAction::Question(
            QuestionWords::ask_removal(format_count(count as u64, "definition"))
                .because(format!("{}{more}: {what} in {places}", named.join(", "))),
        ),
        node: Some(meanings[0].declared),
    };
    Some((all.to_edit(), why))
}

fn explain_alias(
    version: &Version,
    meaning: &NameMeaning,
    substitution: &NameSubstitution,
) -> EditReason {
    let path = version.path_to(meaning.declared);
    let around = path.and_then(|path| {
        let mut above = path.ancestors();
        above
            .find(|node| node.class.is_some() && node.sums().tokens > meaning.value.sums().tokens)
            .cloned()
    });
    let definition = match around {
        Some(node) => quote_text(&text_excerpt(&node, 40)),
        None => format_names(version.name_graph().symbol_name(meaning.name), 0),
    };
    let value = text_excerpt(meaning.value, 40);
    let own = version.name_graph().symbol_name(meaning.name);
    let places = substitution.describe_places();
    EditReason {
        pass: ALIAS.name,
        action: EditAction::Question(
            QuestionWords::ask_change(own, &value)
                .because(format!("in {places}; {definition} goes")),
        ),
        node: Some(meaning.declared),
    }
}

/// What names of types stand for, without any of these names.
struct ClosedTexts<'a> {
    version: &'a Version,
    meanings: FxHashMap<NameSymbol, &'a NameMeaning<'a>>,
}

impl<'a> ClosedTexts<'a> {
    fn new(version: &'a Version, meanings: &[&'a NameMeaning<'a>]) -> ClosedTexts<'a> {
        ClosedTexts {
            version,
            meanings: meanings
                .iter()
                .map(|meaning| (meaning.name, *meaning))
                .collect(),
        }
    }

    /// None where a name stands for something that contains it: a chain has no more than `depth` names.
    fn of_name(&self, name: NameSymbol, depth: usize) -> Option<TokenTexts> {
        let below = depth.checked_sub(1)?;
        let names = self.version.name_graph();
        let mut texts: Vec<Arc<[u8]>> = Vec::new();
        for leaf in token_leaves(self.meanings.get(&name)?.value) {
            let trivia = match texts.is_empty() {
                true => &[],
                false => leaf.trivia(),
            };
            let mut facts = names.leaf_occurrences(leaf).map(|fact| fact.symbol);
            // The path of an import ends with its name.
            match facts.find(|symbol| *symbol != name && self.meanings.contains_key(symbol)) {
                Some(other) => {
                    let inner = self.of_name(other, below)?;
                    let (first, rest) = inner.split_first()?;
                    texts.push(Arc::from([trivia, first].concat()));
                    texts.extend(rest.iter().cloned());
                }
                None => texts.push(Arc::from([trivia, leaf.text()].concat())),
            }
        }
        Some(texts.into())
    }
}
