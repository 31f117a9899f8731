//! Lists that could be empty: the bodies of functions and the fields of structures.

use rustc_hash::FxHashSet;

use crate::language::NodeFiller;
use crate::program::names::{DeclarationKind, removed_places};
use crate::program::{
    Edit, EditAction, EditOp, EditReason, EmptiedLists, NodeBody, NodeId, NodePath, NodeShape,
    ProgramNode, Version, fill_node, filler_at, walk,
};
use crate::protocol::IndexRanges;

/// The way to a list with something in it, and whose it is.
pub type EmptiableList<'a> = (NodePath<'a>, DeclarationKind);

/// What is left of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListRemainder {
    /// Nothing; where it must not be empty, its filler.
    Nothing,
    /// Its filler, where there is one: a function that must have a value cannot be empty either.
    Filler,
}

/// What leaves no more than this of a list, and the filler, if that is left. None if nothing can go.
fn emptying_op<'a>(
    version: &'a Version,
    trail: &NodePath,
    left: ListRemainder,
) -> Option<(EditOp, Option<&'a NodeFiller>)> {
    let node = trail.node();
    let filler = filler_at(version, trail);
    match filler.filter(|_| left == ListRemainder::Filler || must_keep_one(version, trail)) {
        Some(filler) => Some((fill_node(node, filler)?, Some(filler))),
        None => Some((delete_elements(version, node, false)?, None)),
    }
}

/// Whether something of the list can go.
pub fn can_be_emptied(version: &Version, trail: &NodePath) -> bool {
    emptying_op(version, trail, ListRemainder::Nothing).is_some()
}

/// What empties lists.
#[derive(Default)]
struct EmptyingEdit {
    edit: Edit,
    bodies: EmptiedLists,
    fields: EmptiedLists,
    /// Structures that go as a whole, and not element by element.
    removed_whole: FxHashSet<NodeId>,
    /// Whether a filler is left where nothing could be.
    optional_filler: bool,
}

impl EmptyingEdit {
    /// Leaves no more than this of all lists. Structures that are `held` go element by element.
    fn from_lists(
        version: &Version,
        all: &[EmptiableList],
        left: ListRemainder,
        held: &FxHashSet<NodeId>,
    ) -> EmptyingEdit {
        let mut emptying = EmptyingEdit::default();
        let mut gone = FxHashSet::default();
        for (trail, owner) in all {
            let emptied = match owner {
                DeclarationKind::Function => &mut emptying.bodies,
                _ => &mut emptying.fields,
            };
            // What is in it goes with it.
            if let Some(above) = trail.nodes.iter().find(|node| gone.contains(&node.id)) {
                if emptying.removed_whole.contains(&above.id) {
                    emptied.count += 1;
                }
                continue;
            }
            let node = trail.node();
            let op = match held.contains(&node.id) {
                true => delete_elements(version, node, true).map(|op| (op, None)),
                false => emptying_op(version, trail, left),
            };
            let Some((op, filler)) = op else {
                continue;
            };
            emptied.add_list(filler.map(|filler| &filler.text));
            emptying.optional_filler |= filler.is_some() && !must_keep_one(version, trail);
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

    /// The structures that would go as a whole though something that stays uses a name that they declare: the rest can go.
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
        let trails = declared.filter_map(|declared| version.path_to(declared.leaf));
        let above = trails.flat_map(|trail| trail.nodes).map(|node| node.id);
        above
            .filter(|node| self.removed_whole.contains(node))
            .collect()
    }
}

/// The question whether no more than this may be left of these. None if there is nothing to ask, or if it is the same with `Nothing`.
pub fn propose_emptying<'a>(
    pass: &'static str,
    version: &'a Version,
    all: impl Iterator<Item = EmptiableList<'a>>,
    left: ListRemainder,
) -> Option<(Edit, EditReason)> {
    let all: Vec<_> = all.collect();
    let mut emptying = EmptyingEdit::from_lists(version, &all, left, &FxHashSet::default());
    let held = emptying.used_structures(version);
    if !held.is_empty() {
        emptying = EmptyingEdit::from_lists(version, &all, left, &held);
    }
    let EmptyingEdit {
        edit,
        bodies,
        fields,
        optional_filler: other,
        ..
    } = emptying;
    let nothing = edit.ops.is_empty() || left == ListRemainder::Filler && !other;
    let why = EditReason {
        pass,
        action: EditAction::EmptyLists { bodies, fields },
        node: None,
    };
    (!nothing).then_some((edit, why))
}

/// Whether the list at the end of the trail must not be empty, whatever the parser says.
fn must_keep_one(version: &Version, trail: &NodePath) -> bool {
    let language = version.documents()[trail.document].language;
    let kind = language.zip(trail.node().class);
    kind.is_some_and(|(language, class)| language.is_nonempty(class))
}

/// What empties the list: all elements go, but a last one that ends a body (`return`) stays, and one in any case where the grammar
/// wants one, unless it lets the list go as a whole and that is not `held`. None if nothing can go.
fn delete_elements(version: &Version, braces: &ProgramNode, held: bool) -> Option<EditOp> {
    let (list, optional) = list_in(braces)?;
    let length = list.len() as u32;
    let last = walk::item_at(list, length.checked_sub(1)? as usize)?;
    let ends = match &walk::leaf_at(last, 0)?.body {
        NodeBody::Leaf { ids, .. } => ids.iter().any(|&id| version.name_graph().ends_body(id)),
        NodeBody::Inner(_) => false,
    };
    if let Some(optional) = optional.filter(|_| !held && !ends && list.must_keep_one()) {
        return Some(EditOp::Delete(optional));
    }
    let items = IndexRanges::from_range(0..length - u32::from(ends || list.must_keep_one()));
    (!items.is_empty()).then_some(EditOp::DeleteItems {
        list: list.id,
        items,
    })
}

/// The list between the braces, and the optional part that it is all of, if there is one. The grammar may have nodes of their own between
/// the braces and the list.
fn list_in(braces: &ProgramNode) -> Option<(&ProgramNode, Option<NodeId>)> {
    let (mut node, mut optional) = (braces, None);
    loop {
        let kids = || node.children().iter().map(|kid| &**kid);
        if let Some(list) = kids().find(|kid| kid.shape.is_list()) {
            return Some((list, optional));
        }
        let mut inner = kids().filter(|kid| !kid.shape.is_leaf() && !kid.is_empty());
        node = inner.next()?;
        if inner.next().is_some() {
            return None;
        }
        if node.shape == NodeShape::Opt {
            optional = Some(node.id);
        }
    }
}
