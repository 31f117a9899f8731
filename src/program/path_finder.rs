//! Paths to many nodes of one version, one after the other.

use std::sync::Arc;

use super::node::{NodeId, ProgramNode};
use super::version::{NodePath, Version};

/// Finds paths. What a path has in common with the last one is not looked for again: of nodes in the order of the text, as those of a large
/// edit are, that is nearly all of it.
#[derive(Debug)]
pub struct PathFinder<'a> {
    version: &'a Version,
    last: Option<NodePath<'a>>,
}

impl<'a> PathFinder<'a> {
    /// For the nodes of this version.
    pub fn new(version: &'a Version) -> PathFinder<'a> {
        PathFinder {
            version,
            last: None,
        }
    }

    /// The path to `node`, as [`Version::path_to`] finds it.
    pub fn path_to(&mut self, node: NodeId) -> Option<&NodePath<'a>> {
        let near = self.last.take();
        self.last = self.version.path_near(node, near);
        self.last.as_ref()
    }

    /// The node of that identity.
    pub fn find_node(&mut self, node: NodeId) -> Option<&'a Arc<ProgramNode>> {
        self.path_to(node).map(NodePath::node)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::program::{EditOp, apply_edit, read_program, walk};
    use crate::protocol::IndexRanges;

    #[test]
    fn paths_found_one_after_the_other_are_those_found_by_themselves() {
        let text: Arc<[u8]> = "int f(int a) { return a; }\n"
            .repeat(300)
            .into_bytes()
            .into();
        let files = ["a.c", "b.c"].map(|name| (Path::new(name).into(), text.clone()));
        let base = read_program(files.into()).expect("it can be read");
        let all = || {
            base.documents()
                .iter()
                .flat_map(|document| walk::preorder(&document.root))
        };
        let list = all().find(|node| node.shape.is_list()).expect("a list").id;
        let items = IndexRanges::from_range(7..90);
        let (after, _) =
            apply_edit(&base, &EditOp::DeleteItems { list, items }.into()).expect("an edit");
        for version in [&base, &after] {
            let mut paths = PathFinder::new(version);
            // In the order of the text, and with jumps over it.
            let ids: Vec<NodeId> = all().map(|node| node.id).collect();
            let far = ids
                .iter()
                .zip(ids.iter().rev())
                .flat_map(|(first, last)| [first, last]);
            for &id in ids.iter().chain(far) {
                let [near, alone] = [paths.path_to(id).cloned(), version.path_to(id)].map(|path| {
                    path.map(|path| {
                        let nodes = path.nodes.iter().map(|node| node.id);
                        (path.document, nodes.collect::<Vec<_>>())
                    })
                });
                assert_eq!(near, alone);
            }
        }
    }
}
