//! What members override goes with the words that say so: the supertypes of a type with the `override` of its members, and a member in all types that
//! declare it, each in one edit.
//!
//! A member that overrides nothing may not say `override`, and one that overrides something must; a type that is not abstract has all members that its
//! supertypes want. Reduktor (Stepanov et al., ASE 2019) does the same. The captures `@part.super` and `@part.override` say where these parts are
//! (`grammars/*/reduce.scm`). Members are known by their name alone.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::display::format_count;
use crate::pass::PassKind;
use crate::pass::passes::coupled::coupled_pass;
use crate::pass::shared::place_questions::{FoundQuestion, PlacePass, QuestionPlace};
use crate::pass::shared::removable::{declaring_elements, removal_edit};
use crate::pass::shared::removal_closure::RemovalClosure;
use crate::program::names::{
    DeclarationKind, NameRole, NameSymbol, SymbolLosses, ValuePart, ValueSite,
};
use crate::program::{
    Edit, EditAction, EditReason, NodeId, NodePath, NodeShape, ProgramNode, QuestionWords, Version,
    View, quote_text, strip_separator,
};

/// Supertypes and overridden members.
pub static OVERRIDES: PassKind = coupled_pass(
    "overrides",
    "removes the supertypes of a type with the `override` of its members, and a member in all types that declare it",
    |_, _| Box::new(PlacePass::over_names(next_question)),
);

fn next_question(view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
    let version = &view.version;
    let types = list_types(version);
    if types.is_empty() {
        return None;
    }
    let marks = list_marks(version, &types);
    let with_supertypes = types.iter().map(AskedName::Type);
    let members = list_members(version, &types);
    let members = members.into_iter().map(AskedName::Member);
    let places: Vec<AskedName> = with_supertypes.chain(members).collect();
    from.find_among(view, &places, |place| match place {
        AskedName::Type(extended) => ask_about_supertypes(version, extended, &marks),
        AskedName::Member(name) => remove_member(version, *name).into_iter().collect(),
    })
}

/// What is asked about.
enum AskedName<'v, 'a> {
    Type(&'v ExtendedType<'a>),
    Member(NameSymbol),
}

/// A type that has supertypes.
struct ExtendedType<'a> {
    name: NameSymbol,
    /// All of its declaration.
    node: &'a Arc<ProgramNode>,
    /// Paths to the first leaves of its supertypes.
    supertypes: Vec<NodePath<'a>>,
}

/// A word that says that a member overrides another.
struct OverrideMark<'a> {
    member: NameSymbol,
    path: NodePath<'a>,
    /// The declaration of the type around it.
    owner: NodeId,
}

/// The types that have supertypes. Where a name has several declarations it is that of the first.
fn list_types(version: &Version) -> Vec<ExtendedType<'_>> {
    let names = version.name_graph();
    let all = names.symbols().filter_map(|name| {
        let sites = names.value_parts(name, ValuePart::Supertype);
        let supertypes: Vec<NodePath> = sites
            .filter_map(|site| version.path_to(site.first_leaf))
            .collect();
        let first = supertypes.first()?;
        let declared = names.declaration_sites(name).iter();
        let declared: Vec<NodePath> = declared
            .filter_map(|site| version.path_to(site.leaf))
            .collect();
        let holds_name = |node: &&Arc<ProgramNode>| {
            let mut paths = declared.iter().flat_map(|path| &path.nodes);
            node.class.is_some() && paths.any(|above| above.id == node.id)
        };
        let node = first.ancestors().find(holds_name)?;
        Some(ExtendedType {
            name,
            node,
            supertypes,
        })
    });
    all.collect()
}

/// The members that several declarations have, one of them in a type that has supertypes.
fn list_members(version: &Version, types: &[ExtendedType]) -> Vec<NameSymbol> {
    let names = version.name_graph();
    let owners: FxHashSet<NodeId> = types.iter().map(|extended| extended.node.id).collect();
    let is_inherited = |&member: &NameSymbol| {
        let is_member = names.declaration_kind(member) == Some(DeclarationKind::Member);
        is_member && names.symbol_count(member).declares > 1 && {
            let mut sites = names.declaration_sites(member).iter();
            sites.any(|site| {
                let path = version.path_to(site.leaf);
                path.is_some_and(|path| path.nodes.iter().any(|node| owners.contains(&node.id)))
            })
        }
    };
    names.symbols().filter(is_inherited).collect()
}

/// The words that say that a member overrides another, in types that have supertypes.
fn list_marks<'a>(version: &'a Version, types: &[ExtendedType]) -> Vec<OverrideMark<'a>> {
    let names = version.name_graph();
    let owners: FxHashSet<NodeId> = types.iter().map(|extended| extended.node.id).collect();
    let all = names.symbols().flat_map(|member| {
        let sites = names.value_parts(member, ValuePart::OverrideWord);
        sites.map(move |site| (member, site))
    });
    let found = all.filter_map(|(member, site)| {
        let path = find_part(version, site)?;
        let owner = path.ancestors().find(|node| owners.contains(&node.id))?.id;
        Some(OverrideMark {
            member,
            path,
            owner,
        })
    });
    found.collect()
}

/// The path to the outermost node that consists of these leaves and can go.
fn find_part<'a>(version: &'a Version, site: &ValueSite) -> Option<NodePath<'a>> {
    let [path, last] = [site.first_leaf, site.last_leaf].map(|leaf| version.path_to(leaf));
    let last: FxHashSet<NodeId> = last?.nodes.iter().map(|node| node.id).collect();
    let path = path?;
    let whole = path
        .nodes
        .iter()
        .rev()
        .find(|node| last.contains(&node.id))?;
    let tokens = whole.sums().tokens;
    let at = path
        .nodes
        .windows(2)
        .position(|pair| pair[1].sums().tokens == tokens && can_go(pair[0], pair[1]))?;
    version.path_to(strip_separator(path.nodes[at + 1]).id)
}

/// Whether the grammar allows to remove the node from what is around it.
fn can_go(around: &ProgramNode, node: &ProgramNode) -> bool {
    let is_element = around.shape.is_list() || around.shape == NodeShape::Chunk;
    let may_lose = !around.must_keep_one() || around.len() > 1;
    node.shape == NodeShape::Opt || is_element && may_lose
}

/// All supertypes go, with what says `override` in the type; then each of several, with what overrides members that no other of them declares.
fn ask_about_supertypes(
    version: &Version,
    extended: &ExtendedType,
    marks: &[OverrideMark],
) -> Vec<(Edit, EditReason)> {
    let own: Vec<&OverrideMark> = marks
        .iter()
        .filter(|mark| mark.owner == extended.node.id)
        .collect();
    if own.is_empty() {
        return Vec::new();
    }
    let is_inside = |node: &&Arc<ProgramNode>| node.id != extended.node.id;
    let clauses = extended.supertypes.iter().filter_map(|path| {
        let mut around = path.ancestors().take_while(is_inside);
        around.find(|node| node.shape == NodeShape::Opt)
    });
    let mut clauses: Vec<NodeId> = clauses.map(|clause| clause.id).collect();
    clauses.dedup();
    let marks_of = |marks: &[&OverrideMark]| -> Vec<NodeId> {
        marks.iter().map(|mark| mark.path.node().id).collect()
    };
    let name = quote_text(version.name_graph().symbol_name(extended.name));
    let mut questions = Vec::new();
    let mut ask = |gone: Vec<NodeId>, marks: &[&OverrideMark], what: String| {
        let members = format_count(marks.len() as u64, "member");
        let words =
            QuestionWords::ask_removal(what).because(format!("with the `override` of {members}"));
        let all: Vec<NodeId> = gone.into_iter().chain(marks_of(marks)).collect();
        let edit = removal_edit(version, &all);
        let why = EditReason {
            pass: OVERRIDES.name,
            action: EditAction::Question(words),
            node: Some(extended.node.id),
        };
        questions.push((edit, why));
    };
    if !clauses.is_empty() {
        ask(clauses, &own, format!("all supertypes of {name}"));
    }
    if extended.supertypes.len() > 1 {
        for at in 0..extended.supertypes.len() {
            let element = find_own_part(extended, at);
            let only = own.iter().copied().filter(|mark| {
                let mut others = extended.supertypes.iter().enumerate();
                !others.any(|(other, path)| other != at && declares(version, path, mark.member))
            });
            let only: Vec<&OverrideMark> = only.collect();
            if let Some(element) = element.filter(|_| !only.is_empty()) {
                ask(vec![element], &only, format!("a supertype of {name}"));
            }
        }
    }
    questions
}

/// The largest part that can go and that holds the supertype of this number, and no other of the type.
fn find_own_part(extended: &ExtendedType, number: usize) -> Option<NodeId> {
    let others = extended.supertypes.iter().enumerate();
    let others = others.filter(|(other, _)| *other != number);
    let around: FxHashSet<NodeId> = others
        .flat_map(|(_, path)| path.nodes.iter().map(|node| node.id))
        .collect();
    let path = &extended.supertypes[number];
    let mut pairs = path.nodes.windows(2);
    let own = pairs.find(|pair| !around.contains(&pair[1].id) && can_go(pair[0], pair[1]))?;
    Some(strip_separator(own[1]).id)
}

/// Whether the type with the name at the end of a path declares this member in the program.
fn declares(version: &Version, path: &NodePath, member: NameSymbol) -> bool {
    let names = version.name_graph();
    let used = names
        .leaf_occurrences(path.node())
        .filter(|fact| fact.role != NameRole::Declares);
    let elements: FxHashSet<NodeId> = used
        .flat_map(|fact| declaring_elements(version, fact.symbol))
        .collect();
    let mut sites = names.declaration_sites(member).iter();
    sites.any(|site| {
        let path = version.path_to(site.leaf);
        path.is_some_and(|path| path.nodes.iter().any(|node| elements.contains(&node.id)))
    })
}

/// All declarations of a member go, if nothing uses it.
fn remove_member(version: &Version, member: NameSymbol) -> Option<(Edit, EditReason)> {
    let names = version.name_graph();
    let mut closure = RemovalClosure::new(version, SymbolLosses::default());
    closure.add_symbol(member)?;
    let words = QuestionWords::ask_removal(format!(
        "all {} declarations of the member {}",
        names.symbol_count(member).declares,
        quote_text(names.symbol_name(member)),
    ));
    let why = EditReason {
        pass: OVERRIDES.name,
        action: EditAction::Question(words),
        node: closure.first_list(),
    };
    Some((closure.to_edit(), why))
}
