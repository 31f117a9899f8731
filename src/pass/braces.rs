//! Lists that could be empty: the bodies of functions and the fields of structures.

use rustc_hash::FxHashSet;

use crate::dialogue::Indices;
use crate::language::Filler;
use crate::program::names::{Kind, going};
use crate::program::{
    Action, Body, Edit, Emptied, Node, NodeId, Op, Shape, Trail, Version, Why, fill, filler, walk,
};

/// The way to a list with something in it, and whose it is.
pub type Braces<'a> = (Trail<'a>, Kind);

/// What is left of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// Nothing; where it must not be empty, its filler.
    Nothing,
    /// Its filler, where there is one: a function that must have a value cannot be empty either.
    Filler,
}

/// What leaves no more than this of a list, and the filler, if that is left. None if nothing can go.
fn leave<'a>(version: &'a Version, trail: &Trail, left: Left) -> Option<(Op, Option<&'a Filler>)> {
    let node = trail.node();
    let filler = filler(version, trail);
    match filler.filter(|_| left == Left::Filler || keeps_one(version, trail)) {
        Some(filler) => Some((fill(node, filler)?, Some(filler))),
        None => Some((empty(version, node, false)?, None)),
    }
}

/// Whether something of the list can go.
pub fn can_go(version: &Version, trail: &Trail) -> bool {
    leave(version, trail, Left::Nothing).is_some()
}

/// What empties lists.
#[derive(Default)]
struct Emptying {
    edit: Edit,
    bodies: Emptied,
    fields: Emptied,
    /// Structures that go as a whole, and not element by element.
    whole: FxHashSet<NodeId>,
    /// Whether a filler is left where nothing could be.
    other: bool,
}

impl Emptying {
    /// Leaves no more than this of all lists. Structures that are `held` go element by element.
    fn of(version: &Version, all: &[Braces], left: Left, held: &FxHashSet<NodeId>) -> Emptying {
        let mut emptying = Emptying::default();
        let mut gone = FxHashSet::default();
        for (trail, owner) in all {
            let emptied = match owner {
                Kind::Function => &mut emptying.bodies,
                _ => &mut emptying.fields,
            };
            // What is in it goes with it.
            if let Some(above) = trail.nodes.iter().find(|node| gone.contains(&node.id)) {
                if emptying.whole.contains(&above.id) {
                    emptied.number += 1;
                }
                continue;
            }
            let node = trail.node();
            let op = match held.contains(&node.id) {
                true => empty(version, node, true).map(|op| (op, None)),
                false => leave(version, trail, left),
            };
            let Some((op, filler)) = op else {
                continue;
            };
            emptied.add(filler.map(|filler| &filler.text));
            emptying.other |= filler.is_some() && !keeps_one(version, trail);
            if !matches!(op, Op::DeleteItems { .. }) {
                gone.insert(node.id);
                if *owner != Kind::Function {
                    emptying.whole.insert(node.id);
                }
            }
            emptying.edit.ops.push(op);
        }
        emptying
    }

    /// The structures that would go as a whole though something that stays uses a name that they declare: the rest can go.
    fn held(&self, version: &Version) -> FxHashSet<NodeId> {
        if self.whole.is_empty() {
            return FxHashSet::default();
        }
        let (names, going) = (version.names(), going(version, &self.edit));
        let open = names.reaching(version, &going).into_iter();
        let last = open.filter(|&symbol| {
            names.needs_all(symbol) || !names.declared_outside(version, symbol, &going)
        });
        let declared = last.flat_map(|symbol| names.declared_by(symbol));
        let trails = declared.filter_map(|declared| version.trail(declared.leaf));
        let above = trails.flat_map(|trail| trail.nodes).map(|node| node.id);
        above.filter(|node| self.whole.contains(node)).collect()
    }
}

/// The question whether no more than this may be left of these. None if there is nothing to ask, or if it is the same with `Nothing`.
pub fn question<'a>(
    pass: &'static str,
    version: &'a Version,
    all: impl Iterator<Item = Braces<'a>>,
    left: Left,
) -> Option<(Edit, Why)> {
    let all: Vec<_> = all.collect();
    let mut emptying = Emptying::of(version, &all, left, &FxHashSet::default());
    let held = emptying.held(version);
    if !held.is_empty() {
        emptying = Emptying::of(version, &all, left, &held);
    }
    let Emptying {
        edit,
        bodies,
        fields,
        other,
        ..
    } = emptying;
    let nothing = edit.ops.is_empty() || left == Left::Filler && !other;
    let why = Why {
        pass,
        action: Action::Empty { bodies, fields },
        node: None,
    };
    (!nothing).then_some((edit, why))
}

/// Whether the list at the end of the trail must not be empty, whatever the parser says.
fn keeps_one(version: &Version, trail: &Trail) -> bool {
    let language = version.documents()[trail.document].language;
    let kind = language.zip(trail.node().class);
    kind.is_some_and(|(language, class)| language.is_nonempty(class))
}

/// What empties the list: all elements go, but a last one that ends a body (`return`) stays, and one in any case where the grammar
/// wants one, unless it lets the list go as a whole and that is not `held`. None if nothing can go.
fn empty(version: &Version, braces: &Node, held: bool) -> Option<Op> {
    let (list, optional) = list_in(braces)?;
    let length = list.len() as u32;
    let last = walk::item(list, length.checked_sub(1)? as usize)?;
    let ends = match &walk::leaf(last, 0)?.body {
        Body::Leaf { ids, .. } => ids.iter().any(|&id| version.names().ends_body(id)),
        Body::Inner(_) => false,
    };
    if let Some(optional) = optional.filter(|_| !held && !ends && list.keeps_one()) {
        return Some(Op::Delete(optional));
    }
    let items = Indices::range(0..length - u32::from(ends || list.keeps_one()));
    (!items.is_empty()).then_some(Op::DeleteItems {
        list: list.id,
        items,
    })
}

/// The list between the braces, and the optional part that it is all of, if there is one. The grammar may have nodes of their own between
/// the braces and the list.
fn list_in(braces: &Node) -> Option<(&Node, Option<NodeId>)> {
    let (mut node, mut optional) = (braces, None);
    loop {
        let kids = || node.kids().iter().map(|kid| &**kid);
        if let Some(list) = kids().find(|kid| kid.shape.is_list()) {
            return Some((list, optional));
        }
        let mut inner = kids().filter(|kid| !kid.shape.is_leaf() && !kid.is_empty());
        node = inner.next()?;
        if inner.next().is_some() {
            return None;
        }
        if node.shape == Shape::Opt {
            optional = Some(node.id);
        }
    }
}
