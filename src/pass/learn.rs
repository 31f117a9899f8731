//! learn: what a compiler refused twice and never accepted is not asked again.
//!
//! The grammar allows more than a compiler: any declarator as that of a function, any expression to be assigned to. Replacements and
//! optional parts are remembered by where they stand and what would become of them.

use rustc_hash::FxBuildHasher;

use super::filter::Filter;
use crate::dialogue::Answer;
use crate::grammar::{Class, ExId};
use crate::program::{Edit, Op, Piece, Shape, View, Why};

/// So many refusals are enough.
const ENOUGH: u32 = 2;

/// What became of such edits so far. Refusals of other filters do not count.
#[derive(Clone, Debug, Default)]
pub struct Learn {
    seen: imbl::GenericHashMap<Key, Tally, FxBuildHasher, imbl::shared_ptr::DefaultSharedPtr>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    failed: u32,
    passed: bool,
}

/// What makes two edits the same to a compiler's eye.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    /// The kind of the nearest node above that has one.
    parent: Option<Class>,
    /// The kind of what goes.
    node: Option<Class>,
    /// What the grammar expects in its place.
    expected: Option<ExId>,
    /// The field that it fills, and its place among the parts of a node that is no list.
    slot: (u16, usize),
    becomes: Becomes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Becomes {
    Nothing,
    Node(Option<Class>),
    Items(Option<ExId>),
}

fn key(view: &View, edit: &Edit) -> Option<Key> {
    let (id, becomes) = match &edit.ops[..] {
        [Op::Delete(node)] => (*node, Becomes::Nothing),
        [Op::Replace { node, piece }] => {
            let becomes = match piece {
                Piece::Node(below) => Becomes::Node(view.version.node(*below)?.class),
                Piece::Items(list) => Becomes::Items(view.version.node(*list)?.expected),
                Piece::Tokens(_) => return None,
            };
            (*node, becomes)
        }
        _ => return None,
    };
    let trail = view.version.trail(id)?;
    let (node, parent) = (trail.node(), trail.parent()?);
    let place = match parent.shape {
        Shape::Regular | Shape::Item | Shape::Opt | Shape::Link => {
            parent.kids().iter().position(|kid| kid.id == id)?
        }
        _ => 0,
    };
    let parent = trail.ancestors().find_map(|above| above.class);
    Some(Key {
        parent,
        node: node.class,
        expected: node.expected,
        slot: (node.field, place),
        becomes,
    })
}

impl Filter for Learn {
    fn sift(&self, view: &View, edit: &Edit, why: &Why) -> Option<(Edit, Why)> {
        let tally = key(view, edit).and_then(|key| self.seen.get(&key).copied());
        let hopeless = tally.is_some_and(|tally| tally.failed >= ENOUGH && !tally.passed);
        (!hopeless).then(|| (edit.clone(), why.clone()))
    }

    fn told(&mut self, view: &View, asked: &Edit, answer: Answer) {
        let Some(key) = key(view, asked) else { return };
        let tally = self.seen.entry(key).or_default();
        match answer {
            Answer::Yes => tally.passed = true,
            Answer::No => tally.failed += 1,
            Answer::Refused => {}
        }
    }
}
