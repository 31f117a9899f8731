//! A name goes, and another takes its place: the declaration of one name is removed, and all of its uses become another name of its kind
//! that the program declares already.
//!
//! What a name may become is asked in this order, at most [`MAX_QUESTIONS`] for a name: the simplest value of the language, names that occur in a
//! statement with a use, names that occur in a function with a use, names whose declarations begin with the same token, and all others. A
//! parameter goes with its arguments. What a name is worth in its new place, only the test knows: neither types nor scopes are compared.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::display::format_count;
use crate::pass::PassKind;
use crate::pass::filters::arguments::{extend_edit, find_parameter, remove_slots};
use crate::pass::filters::constraint_filter::allows_whole_edit;
use crate::pass::passes::coupled::coupled_pass;
use crate::pass::shared::name_substitution::{NameSubstitution, TokenTexts, use_paths};
use crate::pass::shared::place_questions::{
    FoundQuestion, PlacePass, PlaceQuestion, QuestionPlace,
};
use crate::pass::shared::removable::removal_edit;
use crate::pass::shared::removal_closure::RemovalClosure;
use crate::program::names::{
    DeclarationKind, NameSymbol, ParameterSort, SymbolCount, SymbolLosses, count_losses,
};
use crate::program::{
    Edit, EditAction, EditReason, NodeId, NodePath, NodeShape, ProgramNode, QuestionWords, Version,
    View, strip_separator, walk,
};

/// Names become others.
pub static MERGE: PassKind = coupled_pass(
    "merge",
    "removes the declaration of a name and puts another name, or the simplest value, in the place of each of its uses",
    |_, _| Box::new(PlacePass::over_names(next_question)),
);

/// The most questions about one name.
const MAX_QUESTIONS: usize = 6;

fn next_question(view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
    let version = &view.version;
    let names = version.name_graph();
    let merged: Vec<NameSymbol> = names
        .symbols()
        .filter(|&name| is_mergeable(version, name))
        .collect();
    from.find_question(|place, candidate| {
        let Some(&name) = merged.get(place) else {
            return PlaceQuestion::End;
        };
        let asked = MergedName::find(version, name).and_then(|merged| merged.ask(candidate));
        match asked {
            // A constraint that holds the declaration or a use holds all of them.
            Some((edit, why)) if allows_whole_edit(view, &edit) => {
                PlaceQuestion::Candidate(edit, why)
            }
            _ => PlaceQuestion::NextPlace,
        }
    })
}

/// Whether it is declared and used, and more than its name is known.
fn is_mergeable(version: &Version, name: NameSymbol) -> bool {
    let names = version.name_graph();
    let SymbolCount { declares, uses } = names.symbol_count(name);
    let kind = names.declaration_kind(name).and_then(NameGroup::of_kind);
    kind.is_some() && declares > 0 && uses > 0
}

/// Names that can stand in each other's places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NameGroup {
    Value,
    Function,
    Type,
    Tag,
    Part,
}

impl NameGroup {
    fn of_kind(kind: DeclarationKind) -> Option<NameGroup> {
        Some(match kind {
            DeclarationKind::Var
            | DeclarationKind::Param
            | DeclarationKind::Enumerator
            | DeclarationKind::Binding => NameGroup::Value,
            DeclarationKind::Function => NameGroup::Function,
            DeclarationKind::Type => NameGroup::Type,
            DeclarationKind::Struct => NameGroup::Tag,
            DeclarationKind::Field | DeclarationKind::Member => NameGroup::Part,
            DeclarationKind::Import | DeclarationKind::Label | DeclarationKind::Outer => {
                return None;
            }
        })
    }
}

/// A name whose declaration can go.
struct MergedName<'a> {
    version: &'a Version,
    name: NameSymbol,
    group: NameGroup,
    declared: NodePath<'a>,
    uses: Vec<NodePath<'a>>,
    /// What goes with its declaration.
    removal: Edit,
    /// What else that is, as a part of a sentence.
    fact: Option<String>,
}

impl<'a> MergedName<'a> {
    fn find(version: &'a Version, name: NameSymbol) -> Option<MergedName<'a>> {
        let names = version.name_graph();
        let uses: Vec<NodePath> = use_paths(version, name).collect();
        // There a blank before a new token may make text of it.
        if uses.iter().any(|path| is_in_template(version, path)) {
            return None;
        }
        let mut losses = SymbolLosses::default();
        for path in &uses {
            losses.add_node(names, path.node());
        }
        let mut closure = RemovalClosure::new(version, losses.clone());
        let (removal, fact) = match closure.add_symbol(name) {
            Some(_) => (closure.to_edit(), None),
            None => remove_part(version, name, &losses)?,
        };
        Some(MergedName {
            version,
            name,
            group: NameGroup::of_kind(names.declaration_kind(name)?)?,
            declared: declaration_path(version, name)?,
            uses,
            removal,
            fact,
        })
    }

    /// The question of this number.
    fn ask(&self, number: usize) -> Option<(Edit, EditReason)> {
        if number >= MAX_QUESTIONS {
            return None;
        }
        let text = match self.simplest_value() {
            Some(value) if number == 0 => value.to_string(),
            Some(_) => self.other_names().nth(number - 1)?,
            None => self.other_names().nth(number)?,
        };
        let own = &**self.version.name_graph().symbol_name(self.name);
        let places = self.uses.iter().filter_map(|path| {
            let there = String::from_utf8_lossy(path.node().text()).into_owned();
            let texts: TokenTexts = [there.replacen(own, &text, 1).as_bytes().into()].into();
            there.contains(own).then(|| (path.clone(), texts))
        });
        let removal = self.removal.clone();
        let places: Vec<_> = places.collect();
        let substitution = NameSubstitution::with_removal(self.version, places, removal)?;
        let uses = format_count(substitution.place_count() as u64, "use");
        let goes = self.fact.as_deref().unwrap_or("its declaration goes");
        let words = QuestionWords::ask_change(own, &text).because(format!("in {uses}, and {goes}"));
        let why = EditReason {
            pass: MERGE.name,
            action: EditAction::Question(words),
            node: Some(self.declared.node().id),
        };
        Some((substitution.to_edit(), why))
    }

    /// What the language has as its simplest value; none for what is no value.
    fn simplest_value(&self) -> Option<&'a str> {
        let leaf = self.uses.first()?;
        let language = self.version.documents()[leaf.document].language?;
        let value = language.simplest_value(leaf.node().class?);
        value.filter(|_| self.group == NameGroup::Value)
    }

    /// The names that may take its place, the likeliest first.
    fn other_names(&self) -> impl Iterator<Item = String> {
        let (version, names) = (self.version, self.version.name_graph());
        let goes = count_losses(version, &self.removal);
        let near = NearNames::new(self);
        let own_start = declaration_start(version, self.name);
        let fits = |&other: &NameSymbol| {
            let kind = names.declaration_kind(other).and_then(NameGroup::of_kind);
            let stays = names.symbol_count(other).minus(goes.count_of(other));
            let declared = || declaration_path(version, other);
            other != self.name
                && kind == Some(self.group)
                && stays.declares > 0
                && names.symbol_name(other) != names.symbol_name(self.name)
                && declared().is_some_and(|path| path.node().class == self.declared.node().class)
        };
        let others = names.symbols().filter(fits);
        let mut ranked: Vec<(u8, NameSymbol)> = others
            .map(|other| {
                let rank = if near.in_statement.contains(&other) {
                    0
                } else if near.in_function.contains(&other) {
                    1
                } else if declaration_start(version, other) == own_start {
                    2
                } else {
                    3
                };
                (rank, other)
            })
            .collect();
        ranked.sort_unstable();
        let mut seen = FxHashSet::default();
        let texts = ranked
            .into_iter()
            .map(|(_, other)| names.symbol_name(other));
        let texts: Vec<String> = texts
            .filter(|text| seen.insert(*text))
            .map(|text| text.to_string())
            .collect();
        texts.into_iter()
    }
}

/// The names around the uses of a name.
struct NearNames {
    in_statement: FxHashSet<NameSymbol>,
    in_function: FxHashSet<NameSymbol>,
}

impl NearNames {
    fn new(merged: &MergedName) -> NearNames {
        let names = merged.version.name_graph();
        let bodies = names.braced_lists().iter();
        let bodies: FxHashSet<NodeId> = bodies
            .filter(|body| body.owner == DeclarationKind::Function)
            .map(|body| body.leaf)
            .collect();
        let collect_below = |node: &Arc<ProgramNode>, found: &mut FxHashSet<NameSymbol>| {
            found.extend(names.occurrences_below(node).map(|fact| fact.symbol));
        };
        let mut near = NearNames {
            in_statement: FxHashSet::default(),
            in_function: FxHashSet::default(),
        };
        for path in &merged.uses {
            if let Some(statement) = statement_around(path) {
                collect_below(statement, &mut near.in_statement);
            }
            let begins_body = |node: &&Arc<ProgramNode>| {
                walk::leaf_at(node, 0).is_some_and(|leaf| bodies.contains(&leaf.id))
            };
            let body = path.nodes.iter().position(begins_body);
            // The parameters stand beside the body.
            let function = body.and_then(|body| path.nodes.get(body.saturating_sub(1)));
            if let Some(function) = function {
                collect_below(function, &mut near.in_function);
            }
        }
        near
    }
}

/// The innermost element of a list without separators around a place.
fn statement_around<'a>(path: &NodePath<'a>) -> Option<&'a Arc<ProgramNode>> {
    innermost_element(path, has_no_separators)
}

fn has_no_separators(list: &ProgramNode) -> bool {
    matches!(list.shape, NodeShape::Star | NodeShape::Plus)
}

/// The element of the innermost such list around a place.
fn innermost_element<'a>(
    path: &NodePath<'a>,
    is_list: impl Fn(&ProgramNode) -> bool,
) -> Option<&'a Arc<ProgramNode>> {
    let list = path.nodes.iter().rposition(|node| is_list(node))?;
    path.child_below(list).map(|(_, element)| element)
}

/// Whether a place is in a hole of a text.
fn is_in_template(version: &Version, path: &NodePath) -> bool {
    version.documents()[path.document]
        .language
        .is_some_and(|language| {
            let mut classes = path.nodes.iter().filter_map(|node| node.class);
            classes.any(|class| language.is_template(class))
        })
}

/// The path to the first leaf that declares it.
fn declaration_path(version: &Version, name: NameSymbol) -> Option<NodePath<'_>> {
    let mut sites = version.name_graph().declaration_sites(name).iter();
    sites.find_map(|site| version.path_to(site.leaf))
}

/// The text with which its declaration begins: often its type.
fn declaration_start(version: &Version, name: NameSymbol) -> Option<&[u8]> {
    let mut sites = version.name_graph().declaration_sites(name).iter();
    sites.find_map(|site| Some(version.find_node(site.first_leaf)?.text()))
}

/// The removal of what is no declaration by itself: a parameter with its arguments, a field, a value of an enumeration. None where what else
/// they declare is used outside of them.
pub(super) fn remove_part(
    version: &Version,
    name: NameSymbol,
    losses: &SymbolLosses,
) -> Option<(Edit, Option<String>)> {
    let names = version.name_graph();
    let path = declaration_path(version, name)?;
    let (removal, fact) = match find_parameter(version, &path) {
        Some((callee, slot)) => {
            let [declared, calls] = [true, false].map(|declared| {
                remove_slots(version, callee, ParameterSort::Value, slot.into(), declared)
            });
            let fact = format!(
                "the parameter goes with its argument in {}",
                format_count(calls.len() as u64, "call")
            );
            let all = declared.into_iter().chain(calls).collect();
            (extend_edit(version, &Edit::default(), all)?, Some(fact))
        }
        None => (removal_edit(version, &[element_around(&path)?]), None),
    };
    let goes = count_losses(version, &removal);
    let is_declared = goes.count_of(name).declares == names.symbol_count(name).declares;
    let mut inside = goes.iter().filter(|(_, gone)| gone.declares > 0);
    let is_closed = inside.all(|(symbol, gone)| {
        let uses = gone.uses + losses.count_of(symbol).uses;
        names.symbol_count(symbol).uses <= uses
    });
    (is_declared && is_closed && !removal.ops.is_empty()).then_some((removal, fact))
}

/// The innermost element around a place that is one of several, or of a list without separators.
fn element_around(path: &NodePath) -> Option<NodeId> {
    let may_lose = |list: &ProgramNode| {
        has_no_separators(list) || list.shape == NodeShape::Sep && list.len() > 1
    };
    innermost_element(path, may_lose).map(|element| strip_separator(element).id)
}
