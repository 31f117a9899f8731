//! Lists that can be emptied: the bodies of functions and the fields of structures.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::display::format_count;
use crate::language::NodeFiller;
use crate::program::names::{DeclarationKind, removed_places};
use crate::program::{
    Edit, EditAction, EditOp, EditReason, ExclusionReason, NodeId, NodePath, NodeShape, PathFinder,
    ProgramNode, QuestionWords, Version, View, describe_place, fill_node, filler_at, quote_text,
    walk,
};
use crate::protocol::IndexRanges;
use crate::protocol::abandon::count_round;

/// The path to a list that is not empty, and the kind of its owner.
pub type EmptiableList<'a> = (NodePath<'a>, DeclarationKind);

/// How many functions and structures are named in a sentence.
const MAX_NAMED_OWNERS: usize = 12;

/// What is left of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListRemainder {
    /// Nothing; where it must not be empty, its filler.
    Nothing,
    /// Its filler, if there is one: a function that must return a value cannot be empty either.
    Filler,
    /// As `Nothing`, and not even the statement that ends a body.
    NoEnd,
}

/// Lists that are emptied.
#[derive(Default)]
struct EmptiedLists {
    /// Their number, with those inside a structure that is removed as a whole.
    count: u32,
    /// Their different fillers; none for those that are just emptied.
    fillers: Vec<Option<Arc<str>>>,
}

impl EmptiedLists {
    /// Adds a list, with this left of it.
    fn add_list(&mut self, left: Option<&Arc<str>>) {
        self.count += 1;
        if !self.fillers.iter().any(|known| known.as_ref() == left) {
            self.fillers.push(left.cloned());
        }
    }

    /// What happens to them; `nothing` describes those that are just emptied.
    fn describe_outcome(&self, nothing: &str) -> String {
        let fillers = self.fillers.iter().flatten();
        let fillers: Vec<_> = fillers.map(|filler| quote_text(filler)).collect();
        let filled = (!fillers.is_empty()).then(|| format!("become {}", fillers.join(" or ")));
        let empty = self.fillers.contains(&None).then(|| nothing.to_owned());
        let outcomes: Vec<_> = filled.into_iter().chain(empty).collect();
        outcomes.join(" or ")
    }
}

/// The operation that leaves only `left` of a list, and the filler, if that is left. None if nothing can be removed.
fn emptying_op<'a>(
    version: &'a Version,
    path: &NodePath,
    left: ListRemainder,
) -> Option<(EditOp, Option<&'a NodeFiller>)> {
    let node = path.node();
    let filler = filler_at(version, path);
    match filler.filter(|_| left == ListRemainder::Filler || must_keep_one(version, path)) {
        Some(filler) => Some((fill_node(node, filler)?, Some(filler))),
        None => Some((delete_elements(version, node, false, left)?, None)),
    }
}

/// Whether something of the list can be removed.
pub fn can_be_emptied(version: &Version, path: &NodePath) -> bool {
    emptying_op(version, path, ListRemainder::Nothing).is_some()
}

/// Whether the constraints leave the inside of the list open as a whole. Pins keep their elements and nothing else.
pub fn is_open(view: &View, (path, _): &EmptiableList) -> bool {
    let excluded = view.constraints.node_exclusion(path.node());
    matches!(excluded, None | Some(ExclusionReason::Pinned))
}

/// The statement that an emptied body keeps; none if it keeps nothing.
pub fn kept_end<'a>(version: &Version, braces: &'a ProgramNode) -> Option<&'a Arc<ProgramNode>> {
    let list = match braces.shape.is_list() {
        true => braces,
        false => list_in(braces)?.0,
    };
    ending_item(version, list)
}

/// The last element of a list, if it ends a body (`return`).
fn ending_item<'a>(version: &Version, list: &'a ProgramNode) -> Option<&'a Arc<ProgramNode>> {
    let last = walk::last_item(list)?;
    let mut first = walk::leaf_at(last, 0)?.ids().iter();
    let ends = first.any(|&id| version.name_graph().ends_body(id));
    ends.then_some(last)
}

/// Whether a function may lose all of its body but the statement that it keeps: not if only an inner statement returns a value.
pub fn can_be_left_out(version: &Version, braces: &Arc<ProgramNode>) -> bool {
    // Most bodies end with such a statement, and then nothing else of them need be looked at.
    kept_end(version, braces).is_some() || !returns_inside(version, braces)
}

/// Whether a statement in a body returns a value.
fn returns_inside(version: &Version, braces: &Arc<ProgramNode>) -> bool {
    let names = version.name_graph();
    let mut leaves = walk::iter_leaves(braces).filter(|leaf| leaf.shape == NodeShape::Token);
    let returns = |leaf: &Arc<ProgramNode>| leaf.ids().iter().any(|&id| names.ends_body(id));
    while let Some(leaf) = leaves.next() {
        if returns(leaf) && leaves.next().is_some_and(|next| next.text() != b";") {
            return true;
        }
    }
    false
}

/// Whether the body at the end of the path is that of a function that the compiler evaluates (`evaluated` in `language.toml`).
pub fn is_evaluated(version: &Version, path: &NodePath) -> bool {
    let Some(language) = version.documents()[path.document].language else {
        return false;
    };
    let start = walk::leaf_at(path.node(), 0).map(|leaf| leaf.id);
    let begins_before =
        |above: &&Arc<ProgramNode>| walk::leaf_at(above, 0).map(|leaf| leaf.id) != start;
    let Some(function) = path
        .ancestors()
        .find(|above| begins_before(above) && above.class.is_some())
    else {
        return false;
    };
    let mut head = walk::iter_leaves(function).take_while(|leaf| Some(leaf.id) != start);
    head.any(|leaf| leaf.shape == NodeShape::Token && language.marks_evaluated(leaf.text()))
}

/// The operations that empty lists.
#[derive(Default)]
struct EmptyingEdit {
    edit: Edit,
    bodies: EmptiedLists,
    fields: EmptiedLists,
    /// Structures that are removed as a whole, and not element by element.
    removed_whole: FxHashSet<NodeId>,
    /// Whether a filler is left of a list that could be empty.
    optional_filler: bool,
    /// Whose lists they are: the names of the first of them.
    owners: Vec<String>,
}

impl EmptyingEdit {
    /// Leaves only `left` of all lists. The elements of `held` structures are removed one by one.
    fn from_lists(
        version: &Version,
        all: &[EmptiableList],
        left: ListRemainder,
        held: &FxHashSet<NodeId>,
    ) -> EmptyingEdit {
        let mut emptying = EmptyingEdit::default();
        let mut gone = FxHashSet::default();
        for (path, owner) in all {
            count_round();
            let emptied = match owner {
                DeclarationKind::Function => &mut emptying.bodies,
                _ => &mut emptying.fields,
            };
            // What is inside is removed with it.
            if let Some(above) = path.nodes.iter().find(|node| gone.contains(&node.id)) {
                if emptying.removed_whole.contains(&above.id) {
                    emptied.count += 1;
                }
                continue;
            }
            let node = path.node();
            let op = match held.contains(&node.id) {
                true => delete_elements(version, node, true, left).map(|op| (op, None)),
                false => emptying_op(version, path, left),
            };
            let Some((op, filler)) = op else {
                continue;
            };
            emptied.add_list(filler.map(|filler| &filler.text));
            if emptying.owners.len() < MAX_NAMED_OWNERS {
                emptying.owners.extend(describe_place(version, path));
            }
            emptying.optional_filler |= filler.is_some() && !must_keep_one(version, path);
            if !matches!(op, EditOp::DeleteItems { .. }) {
                gone.insert(node.id);
                if *owner != DeclarationKind::Function {
                    emptying.removed_whole.insert(node.id);
                }
            }
            emptying.edit.ops.push(op);
        }
        emptying
    }

    /// The question whether they may be emptied.
    fn to_question(&self) -> QuestionWords {
        let EmptyingEdit { bodies, fields, .. } = self;
        let functions = match (&self.owners[..], bodies.count, fields.count) {
            ([owner], 1, 0) => format!("the body of {owner}"),
            (_, 1, _) => "the body of 1 function".to_owned(),
            _ => format!(
                "the bodies of {}",
                format_count(bodies.count.into(), "function")
            ),
        };
        let structures = format!(
            "the fields of {}",
            format_count(fields.count.into(), "structure")
        );
        let body = bodies.describe_outcome("be emptied");
        let field = fields.describe_outcome("go");
        let question = match (bodies.count, fields.count) {
            (_, 0) => format!("Can {functions} {body}?"),
            (0, _) => format!("Can {structures} {field}?"),
            // They are removed with their structures.
            _ if body == field || body.is_empty() => {
                format!("Can {functions} and {structures} {field}?")
            }
            _ => format!("Can {functions} {body}, and {structures} {field}?"),
        };
        let structures = format_count(fields.count.into(), "structure");
        let short = match (bodies.count, fields.count) {
            (1, 0) => "empty 1 body".to_owned(),
            (count, 0) => format!("empty {count} bodies"),
            (0, _) => format!("empty {structures}"),
            (1, _) => format!("empty 1 body, {structures}"),
            (count, _) => format!("empty {count} bodies, {structures}"),
        };
        QuestionWords::ask(question)
            .in_short(short)
            .because(self.list_owners())
    }

    /// Whose lists they are, by name; nothing for the one that the question names.
    fn list_owners(&self) -> String {
        let lists = self.bodies.count + self.fields.count;
        let more = lists.saturating_sub(self.owners.len() as u32);
        match (&self.owners[..], more) {
            ([], _) => String::new(),
            ([_], 0) if self.fields.count == 0 => String::new(),
            (owners, 0) => owners.join(", "),
            (owners, more) => format!("{} and {more} more", owners.join(", ")),
        }
    }

    /// The structures that must not be removed as a whole, because something that stays uses a name that they declare; their other elements
    /// can be removed.
    fn used_structures(&self, version: &Version) -> FxHashSet<NodeId> {
        if self.removed_whole.is_empty() {
            return FxHashSet::default();
        }
        let (names, going) = (version.name_graph(), removed_places(version, &self.edit));
        let open = names.escaping_symbols(version, &going).into_iter();
        let last = open.filter(|&symbol| {
            names.needs_all_declarations(symbol) || !names.declared_outside(version, symbol, &going)
        });
        let declared = last.flat_map(|symbol| names.declaration_sites(symbol));
        let (mut paths, mut held) = (PathFinder::new(version), FxHashSet::default());
        for declared in declared {
            count_round();
            let path = paths.path_to(declared.leaf);
            let above = path.iter().flat_map(|path| &path.nodes).map(|node| node.id);
            held.extend(above.filter(|node| self.removed_whole.contains(node)));
        }
        held
    }
}

/// An edit that empties lists, and why.
pub struct EmptyingProposal {
    /// The edit.
    pub edit: Edit,
    /// Why.
    pub why: EditReason,
    /// Whether it empties both bodies and structures.
    pub is_mixed: bool,
}

/// The edit that leaves only `left` of these lists. None if nothing can be removed, or if the edit is the same as with `Nothing`.
pub fn propose_emptying<'a>(
    pass: &'static str,
    version: &'a Version,
    all: impl Iterator<Item = EmptiableList<'a>>,
    left: ListRemainder,
) -> Option<EmptyingProposal> {
    let all: Vec<_> = all.collect();
    let mut emptying = EmptyingEdit::from_lists(version, &all, left, &FxHashSet::default());
    let held = emptying.used_structures(version);
    if !held.is_empty() {
        emptying = EmptyingEdit::from_lists(version, &all, left, &held);
    }
    if emptying.edit.ops.is_empty() || left == ListRemainder::Filler && !emptying.optional_filler {
        return None;
    }
    let why = EditReason {
        pass,
        action: EditAction::Question(emptying.to_question()),
        node: None,
    };
    Some(EmptyingProposal {
        why,
        is_mixed: emptying.bodies.count > 0 && emptying.fields.count > 0,
        edit: emptying.edit,
    })
}

/// Whether the language requires that the list at the end of the path is not empty, whatever the parser accepts.
fn must_keep_one(version: &Version, path: &NodePath) -> bool {
    let language = version.documents()[path.document].language;
    let kind = language.zip(path.node().class);
    kind.is_some_and(|(language, class)| language.is_nonempty(class))
}

/// The operation that empties the list, or removes the optional part that it is. All elements are removed, but a last one that ends a body (`return`) stays, unless
/// not even that is `left`. Where the grammar
/// requires an element, one stays, unless the list is optional as a whole and not `held`. None if nothing can be removed.
fn delete_elements(
    version: &Version,
    braces: &ProgramNode,
    held: bool,
    left: ListRemainder,
) -> Option<EditOp> {
    if braces.shape == NodeShape::Opt {
        return Some(EditOp::Delete(braces.id));
    }
    let (list, optional) = match braces.shape.is_list() {
        true => (braces, None),
        false => list_in(braces)?,
    };
    if list.is_empty() {
        return None;
    }
    let length = list.len() as u32;
    let ends = left != ListRemainder::NoEnd && ending_item(version, list).is_some();
    if let Some(optional) = optional.filter(|_| !held && !ends && list.must_keep_one()) {
        return Some(EditOp::Delete(optional));
    }
    let items = IndexRanges::from_range(0..length - u32::from(ends || list.must_keep_one()));
    (!items.is_empty()).then_some(EditOp::DeleteItems {
        list: list.id,
        items,
    })
}

/// The list between the braces, and the optional part that consists of it, if there is one. The grammar may have nodes between the braces
/// and the list.
fn list_in(braces: &ProgramNode) -> Option<(&ProgramNode, Option<NodeId>)> {
    let (mut node, mut optional) = (braces, None);
    loop {
        let children = || node.children().iter().map(|child| &**child);
        if let Some(list) = children().find(|child| child.shape.is_list()) {
            return Some((list, optional));
        }
        let mut inner = children().filter(|child| !child.shape.is_leaf() && !child.is_empty());
        node = inner.next()?;
        if inner.next().is_some() {
            return None;
        }
        if node.shape == NodeShape::Opt {
            optional = Some(node.id);
        }
    }
}
