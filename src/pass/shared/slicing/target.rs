//! The line of which a slice is made.

use rustc_hash::FxHashSet;

use crate::display::EscapeHidden;
use crate::program::{ConstraintRule, NodeId, NodePath, NodeShape, TokenId, Version, View, walk};

/// A line of a version: some of its tokens.
#[derive(Clone, Debug)]
pub struct SliceTarget {
    /// The number of the document.
    pub document: usize,
    /// Its number in this version, from 1.
    pub line: u32,
    /// Whether it had another number when it was named or guessed.
    pub is_moved: bool,
    /// Leaves on it, in their order: at least one.
    pub leaves: Vec<NodeId>,
}

impl SliceTarget {
    /// The line where the place of the failure begins: of several places the last that was named, of which something is left.
    pub fn of_place(view: &View) -> Option<SliceTarget> {
        let newest_first = view.constraints.iter().rev();
        let mut places = newest_first.filter(|constraint| constraint.rule == ConstraintRule::Place);
        places.find_map(|place| {
            let mut target = first_line(&view.version, &place.tokens)?;
            target.is_moved = place.line != Some(target.line);
            Some(target)
        })
    }

    /// The line of this leaf.
    pub fn of_leaf(version: &Version, leaf: NodeId) -> Option<SliceTarget> {
        let path = version.path_to(leaf)?;
        Some(SliceTarget {
            document: path.document,
            line: path.line(),
            is_moved: false,
            leaves: vec![leaf],
        })
    }

    /// The line of its first leaf in a later version, if that is left.
    pub fn find_again(&self, version: &Version) -> Option<SliceTarget> {
        let mut found = SliceTarget::of_leaf(version, *self.leaves.first()?)?;
        found.is_moved = self.is_moved || found.line != self.line;
        Some(found)
    }

    /// The line in a sentence, in a project with its file. A number of which nobody knows is not named.
    pub fn describe(&self, version: &Version) -> String {
        let line = match self.is_moved {
            true => "the line where it fails".into(),
            false => format!("line {}", self.line),
        };
        match version.is_project() {
            true => {
                let document = &version.documents()[self.document];
                format!("{line} in {}", document.path.escape_hidden())
            }
            false => line,
        }
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
