//! A file goes with what mentions it in other files: `#include "b.h"`, `mod b;`, `import b`.

use rustc_hash::FxHashSet;

use super::removable::removal_edit;
use crate::program::{Edit, EditOp, FileNeeds, NodeId, Version};

/// The edit that removes the documents of these roots, and in those that stay what mentions none but them.
pub fn delete_files(version: &Version, roots: &[NodeId]) -> Edit {
    let documents = version.documents().iter().enumerate();
    let wanted: FxHashSet<NodeId> = roots.iter().copied().collect();
    let gone = documents.filter(|(_, document)| wanted.contains(&document.root.id));
    let gone: FxHashSet<usize> = gone.map(|(number, _)| number).collect();
    let needs = FileNeeds::of_version(version);
    let mentions = needs.iter().filter(|need| {
        !gone.contains(&need.from)
            && !need.names_more
            && need.files.iter().all(|file| gone.contains(file))
    });
    let mentions: Vec<NodeId> = mentions.map(|need| need.node).collect();
    let mut edit = removal_edit(version, &mentions);
    edit.ops.extend(roots.iter().copied().map(EditOp::Delete));
    edit
}
