//! Which parts of a version the constraints close.

use std::collections::BTreeMap;

use crate::program::{ConstraintSet, ExclusionReason, NodeShape, Version, strip_separator, walk};

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
