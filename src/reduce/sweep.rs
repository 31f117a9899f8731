//! How many questions are left, at most: what one look at every part of a version would ask.

use crate::pass;
use crate::program::{Shape, Version, walk};

/// How many questions a sweep over a version asks if none of them is answered with yes: one for each part that the grammar lets go,
/// and one for each piece of a node that may stand in its place. None for a version of more than `most` tokens: it looks at every node.
pub fn sweep(version: &Version, most: u32) -> Option<u32> {
    if version.tokens() > most {
        return None;
    }
    let mut questions = 0;
    for document in version.documents() {
        for seen in pass::parts_of(&document.root) {
            questions += u32::from(seen.removable);
            if seen.node.class.is_some()
                && let Some(trail) = version.trail(seen.node.id)
            {
                questions += pass::candidates(version, &trail).len() as u32;
            }
        }
        let leaves = walk::leaves(&document.root);
        let comments = leaves.filter(|leaf| leaf.shape == Shape::Extra);
        questions += comments.count() as u32;
    }
    Some(questions)
}
