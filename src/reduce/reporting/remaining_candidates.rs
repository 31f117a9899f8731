//! How many questions are left, at most: what one look at every part of a version would ask.

use crate::pass;
use crate::program::{NodeShape, Version, walk};

/// How many questions a sweep over a version asks if none of them is answered with yes: one for each part that the grammar lets go,
/// and one for each piece of a node that may stand in its place. None for a version of more than `most` tokens: it looks at every node.
pub fn count_remaining_candidates(version: &Version, most: u32) -> Option<u32> {
    if version.token_count() > most {
        return None;
    }
    let mut questions = 0;
    for document in version.documents() {
        for seen in pass::walk_parts(&document.root) {
            questions += u32::from(seen.removable);
            if seen.node.class.is_some()
                && let Some(trail) = version.path_to(seen.node.id)
            {
                questions += pass::replacement_candidates(version, &trail).len() as u32;
            }
        }
        let leaves = walk::iter_leaves(&document.root);
        let comments = leaves.filter(|leaf| leaf.shape == NodeShape::Extra);
        questions += comments.count() as u32;
    }
    Some(questions)
}
