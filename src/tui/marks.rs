//! What the question in the air would take away: the same answer for the tree and for the program.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{Edit, Indices, Node, NodeId, Op, Piece, Shape, Version, element, walk};

/// Which nodes an edit is about.
#[derive(Debug, Default)]
pub struct Marks {
    gone: FxHashSet<NodeId>,
    kept: FxHashSet<NodeId>,
    lists: FxHashMap<NodeId, Indices>,
}

/// What is known of a node while walking down to it: inherited by all below.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fate {
    /// It would go.
    pub gone: bool,
    /// The list of the edit that this chunk or list belongs to, and the number of its first element.
    list: Option<(NodeId, u32)>,
}

impl Marks {
    /// What `edit` would take away.
    pub fn of(edit: &Edit) -> Marks {
        let mut marks = Marks::default();
        for op in &edit.ops {
            match op {
                Op::Delete(node) => {
                    marks.gone.insert(*node);
                }
                Op::DeleteItems { list, items } => {
                    marks.lists.insert(*list, items.clone());
                }
                Op::Replace { node, piece } => {
                    marks.gone.insert(*node);
                    match piece {
                        Piece::Node(kept) | Piece::Items(kept) => {
                            marks.kept.insert(*kept);
                        }
                        Piece::Tokens(_) => {}
                    }
                }
                Op::StripMarkers | Op::Rewrite(_) => {}
            }
        }
        marks
    }

    /// The fate of a document's root.
    pub fn root(&self, node: &Node) -> Fate {
        self.step(Fate::default(), 0, node)
    }

    /// The fate of `kid`, whose parent has the fate `above`; `item` is the number of elements before it in the parent's own children.
    pub fn step(&self, above: Fate, item: u32, kid: &Node) -> Fate {
        let number = above.list.map(|(list, first)| (list, first + item));
        let mut fate = Fate {
            gone: above.gone,
            list: None,
        };
        if kid.shape == Shape::Chunk {
            fate.list = number;
            return fate;
        }
        if let Some((list, number)) = number {
            fate.gone |= self
                .lists
                .get(&list)
                .is_some_and(|items| items.meets(number..number + 1));
        }
        fate.gone |= self.gone.contains(&kid.id);
        if self.kept.contains(&kid.id) {
            fate.gone = false;
        }
        if self.lists.contains_key(&kid.id) {
            fate.list = Some((kid.id, 0));
        }
        fate
    }
}

/// The node that a question is about: the first that would go or become something else.
pub fn place(version: &Version, edit: &Edit) -> Option<NodeId> {
    edit.ops.iter().find_map(|op| match op {
        Op::Delete(node) | Op::Replace { node, .. } => Some(*node),
        Op::DeleteItems { list, items } => {
            let first = items.ranges().first()?.start as usize;
            let item = version.node(*list).and_then(|list| walk::item(list, first));
            Some(item.map_or(*list, |item| element(item).id))
        }
        Op::StripMarkers | Op::Rewrite(_) => None,
    })
}
