//! The line of which a slice is made.

use rustc_hash::FxHashSet;

use crate::program::{
    Constraint, ConstraintRule, NodeId, NodePath, NodeShape, TokenId, Version, View, walk,
};

/// A line of a version: some of its tokens.
#[derive(Clone, Debug)]
pub struct SliceTarget {
    /// The number of the document.
    pub document: usize,
    /// Its number, from 1.
    pub line: u32,
    /// Leaves on it, in their order: at least one.
    pub leaves: Vec<NodeId>,
}

impl SliceTarget {
    /// The line where the place of the failure begins: of several places the last that was named, of which something is left.
    pub fn of_place(view: &View) -> Option<SliceTarget> {
        let places = view.constraints.iter();
        let places = places.filter(|constraint| constraint.rule == ConstraintRule::Place);
        let places: Vec<&Constraint> = places.map(|constraint| &**constraint).collect();
        let mut places = places.into_iter().rev();
        places.find_map(|place| first_line(&view.version, &place.tokens))
    }

    /// The line of this leaf.
    pub fn of_leaf(version: &Version, leaf: NodeId) -> Option<SliceTarget> {
        let path = version.path_to(leaf)?;
        let trivia = path.node().trivia().iter();
        let above = trivia.filter(|byte| **byte == b'\n').count() as u32;
        Some(SliceTarget {
            document: path.document,
            line: path.preceding_sums().newlines + above + 1,
            leaves: vec![leaf],
        })
    }

    /// The path to the first of its leaves.
    pub fn path<'a>(&self, version: &'a Version) -> Option<NodePath<'a>> {
        version.path_to(*self.leaves.first()?)
    }
}

/// The line of the first of these tokens, with those of them that stand on it.
fn first_line(version: &Version, tokens: &[TokenId]) -> Option<SliceTarget> {
    let tokens: FxHashSet<TokenId> = tokens.iter().copied().collect();
    let documents = version.documents().iter();
    let mut leaves = documents.flat_map(|document| walk::iter_leaves(&document.root));
    let first = leaves.find(|leaf| {
        leaf.shape == NodeShape::Token && leaf.ids().iter().any(|id| tokens.contains(id))
    })?;
    let mut target = SliceTarget::of_leaf(version, first.id)?;
    let on_line = leaves.take_while(|leaf| !leaf.trivia().contains(&b'\n'));
    let of_place = on_line.filter(|leaf| leaf.ids().iter().any(|id| tokens.contains(id)));
    target.leaves.extend(of_place.map(|leaf| leaf.id));
    Some(target)
}
