//! A file goes with what mentions it in other files: `#include "b.h"`, `mod b;`, `import b`.

use rustc_hash::{FxHashMap, FxHashSet};

use super::removable::removal_edit;
use crate::program::{Document, Edit, EditOp, FileNeeds, NodeId, Version};

/// What mentions each file, by the root of its tree.
pub struct FileMentions(FxHashMap<NodeId, Vec<NodeId>>);

impl FileMentions {
    /// Finds all of them.
    pub fn find(version: &Version) -> FileMentions {
        let mut mentions: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        for need in FileNeeds::find(version).iter() {
            // One that means several files goes with none of them.
            if let [only] = need.files[..] {
                let file = version.documents()[only].root.id;
                mentions.entry(file).or_default().push(need.node);
            }
        }
        FileMentions(mentions)
    }

    /// The file, and what mentions it.
    pub fn removed_with(&self, document: &Document) -> impl Iterator<Item = NodeId> + use<'_> {
        let file = document.root.id;
        let mentions = self.0.get(&file).into_iter().flatten().copied();
        [file].into_iter().chain(mentions)
    }
}

/// The edit that removes these roots of documents, and these nodes of the documents that stay.
pub fn delete_files(version: &Version, nodes: &[NodeId]) -> Edit {
    let roots: FxHashSet<NodeId> = version
        .documents()
        .iter()
        .map(|document| document.root.id)
        .collect();
    let (files, inside): (Vec<NodeId>, Vec<NodeId>) =
        nodes.iter().partition(|node| roots.contains(node));
    let gone: FxHashSet<NodeId> = files.iter().copied().collect();
    let stays = |node: &NodeId| {
        let path = version.path_to(*node);
        path.is_some_and(|path| !gone.contains(&path.nodes[0].id))
    };
    let inside: Vec<NodeId> = inside.into_iter().filter(stays).collect();
    let mut edit = removal_edit(version, &inside);
    edit.ops.extend(files.into_iter().map(EditOp::Delete));
    edit
}
