//! A namespace goes, what it declares stands in its place, and the qualifiers that name it go with it: `namespace n { struct S; } n::S *p;`
//! becomes `struct S; S *p;`. A statement that only opens it (`using namespace n;`) goes too.
//!
//! The capture `@unfold.members` says what stands in the brackets of a name (`grammars/*/reduce.scm`).

use crate::display::format_count;
use crate::pass::PassKind;
use crate::pass::passes::coupled::coupled_pass;
use crate::pass::shared::name_substitution::use_paths;
use crate::pass::shared::place_questions::{FoundQuestion, PlacePass, QuestionPlace};
use crate::pass::shared::removable::removal_edit;
use crate::program::names::{NameSymbol, ValuePart};
use crate::program::{
    Edit, EditAction, EditOp, EditReason, NodeId, NodePath, QuestionWords, Version, View,
    format_names, walk,
};

/// Namespaces go.
pub static NAMESPACES: PassKind = coupled_pass(
    "namespaces",
    "removes a namespace around its members, and the qualifiers that name it",
    |_, _| Box::new(PlacePass::over_names(next_question)),
);

/// What stands between a qualifier and what it qualifies.
const QUALIFIER_MARKS: [&[u8]; 2] = [b"::", b"."];

fn next_question(view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
    let version = &view.version;
    let names = version.name_graph();
    let has_members =
        |&name: &NameSymbol| names.value_parts(name, ValuePart::Members).next().is_some();
    let namespaces: Vec<NameSymbol> = names.symbols().filter(has_members).collect();
    from.find_only(view, &namespaces, |&name| {
        ask_about_namespace(version, name)
    })
}

/// The edit that removes all that is around the members of a namespace, wherever it is opened, and its qualifiers; none if something else uses
/// the name.
fn ask_about_namespace(version: &Version, name: NameSymbol) -> Option<(Edit, EditReason)> {
    let names = version.name_graph();
    let mut tokens: Vec<NodeId> = Vec::new();
    for site in names.declaration_sites(name) {
        let start = version.path_to(site.first_leaf)?;
        let root = &version.documents()[start.document].root;
        let mut parts = names.value_parts(name, ValuePart::Members);
        let first = start.preceding_sums().leaves;
        // The members behind this declaration, with their brackets.
        let list = parts.find_map(|part| {
            let open = version.path_to(part.first_leaf)?;
            let is_its = open.document == start.document
                && open.ancestors().any(|above| {
                    walk::leaf_at(above, 0).is_some_and(|leaf| leaf.id == site.first_leaf)
                });
            is_its.then_some((open.preceding_sums().leaves, part.last_leaf))
        });
        let (open, close) = list?;
        let head = (first..=open).filter_map(|at| walk::leaf_at(root, at));
        tokens.extend(head.map(|leaf| leaf.id));
        tokens.push(close);
    }
    let mut edit = Edit::default();
    let (mut qualifiers, mut node) = (0, None);
    for path in use_paths(version, name) {
        let used = path.node();
        node = node.or(Some(used.id));
        match mark_behind(version, &path) {
            Some(mark) => {
                tokens.extend([used.id, mark]);
                qualifiers += 1;
            }
            None => edit.ops.extend(opening_statement(version, &path)?.ops),
        }
    }
    tokens.dedup();
    edit.ops.extend(tokens.into_iter().map(EditOp::Delete));
    let first = names.declaration_sites(name).first()?.leaf;
    let own = format_names(names.symbol_name(name), 0);
    let with = match qualifiers {
        0 => String::new(),
        count => format!(", and {} with it", format_count(count, "qualifier")),
    };
    let why = EditReason {
        pass: NAMESPACES.name,
        action: EditAction::Question(
            QuestionWords::ask(format!("Can {own} become its members?"))
                .because(format!("they stand in its place{with}")),
        ),
        node: Some(first),
    };
    Some((edit, why))
}

/// The mark of a qualifier directly behind the token at the end of the path.
fn mark_behind(version: &Version, path: &NodePath) -> Option<NodeId> {
    let root = &version.documents()[path.document].root;
    let next = walk::leaf_at(root, path.preceding_sums().leaves + 1)?;
    QUALIFIER_MARKS.contains(&next.text()).then_some(next.id)
}

/// The edit that removes the statement around a use, if that names nothing else.
fn opening_statement(version: &Version, path: &NodePath) -> Option<Edit> {
    let names = version.name_graph();
    let mut around = path.nodes.windows(2).rev();
    let element = around.find(|pair| pair[0].shape.is_list())?[1];
    let is_alone = names.occurrences_below(element).nth(1).is_none();
    is_alone.then(|| removal_edit(version, &[element.id]))
}
