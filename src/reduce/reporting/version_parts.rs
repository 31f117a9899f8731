//! Counts over the parts of a version: how many candidates are left, and which parts the constraints close.

use std::collections::BTreeMap;

use crate::pass;
use crate::program::{ConstraintSet, ExclusionReason, NodeShape, Version, strip_separator, walk};

/// How many candidates a sweep over a version has if none of them is interesting: one for each part that the grammar lets go,
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
                questions +=
                    pass::replacement_candidates(version, &trail, pass::ReplacementSearch::All)
                        .len() as u32;
            }
        }
        questions += walk::iter_comments(&document.root).count() as u32;
    }
    Some(questions)
}

/// Which parts of a program the constraints close, counted by why: what the certificate leaves out.
pub fn count_closed_parts(
    version: &Version,
    constraints: &ConstraintSet,
) -> Vec<(ExclusionReason, u32)> {
    let mut counts = BTreeMap::new();
    if constraints.is_empty() {
        return Vec::new();
    }
    for document in version.documents() {
        for node in walk::preorder(&document.root) {
            let parts: Vec<_> = match node.shape {
                shape if shape.is_list() => walk::iter_items(node).map(strip_separator).collect(),
                NodeShape::Opt => vec![node],
                _ => continue,
            };
            for why in parts
                .into_iter()
                .filter_map(|part| constraints.node_exclusion(part))
            {
                *counts.entry(why).or_insert(0) += 1;
            }
        }
    }
    let skipped = constraints.skipped_count() as u32;
    if skipped > 0 {
        counts.insert(ExclusionReason::Skipped, skipped);
    }
    counts.into_iter().collect()
}
