//! Which files of a project need which, as data. `file_facts.rs` finds it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::node::NodeId;

/// A node that names files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileNeed {
    /// The number of the document that it stands in.
    pub from: usize,
    /// The node: an `#include`, a `mod x;`, an import.
    pub node: NodeId,
    /// The numbers of the documents that it means.
    pub files: Vec<usize>,
    /// Whether it only makes them a part of the program, without a use of them: `mod x;`.
    pub is_part: bool,
    /// Whether it also names what is no file of the project.
    pub names_more: bool,
    /// Whether the text of the file may stand in its place: `#include`.
    pub means_text: bool,
}

/// What the files of a version need of each other.
#[derive(Clone, Debug, Default)]
pub struct FileNeeds {
    /// The nodes that name files, in the order of the documents.
    pub(super) needs: Vec<FileNeed>,
    /// Which document uses a name that only the other declares.
    pub(super) by_names: FxHashSet<(usize, usize)>,
}

/// What makes a file needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeedKind {
    /// A node that names it.
    Named,
    /// A node that names it and does not only make it a part of the program, or a use of a name that it declares.
    Used,
}

impl FileNeeds {
    /// The nodes that name files, in the order of the documents.
    pub fn iter(&self) -> impl Iterator<Item = &FileNeed> {
        self.needs.iter()
    }

    /// Which document needs which.
    fn pairs(&self, kind: NeedKind) -> impl Iterator<Item = (usize, usize)> {
        let is_meant = move |need: &&FileNeed| kind == NeedKind::Named || !need.is_part;
        let named = self.needs.iter().filter(is_meant);
        let named = named.flat_map(|need| need.files.iter().map(|file| (need.from, *file)));
        let used = self.by_names.iter().filter(move |_| kind == NeedKind::Used);
        named.chain(used.copied())
    }

    /// Which document needs which, each pair once, in order: it names the other, or uses a name that only the other declares.
    pub fn needed_documents(&self) -> Vec<(usize, usize)> {
        let named = self.pairs(NeedKind::Named);
        let mut all: Vec<_> = named.chain(self.by_names.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// These documents, and all that they need.
    pub fn reach_from(
        &self,
        roots: impl IntoIterator<Item = usize>,
        kind: NeedKind,
    ) -> FxHashSet<usize> {
        let mut needs: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for (from, file) in self.pairs(kind) {
            needs.entry(from).or_default().push(file);
        }
        let mut reached = FxHashSet::default();
        let mut open: Vec<usize> = roots.into_iter().collect();
        while let Some(file) = open.pop() {
            if reached.insert(file) {
                open.extend(needs.get(&file).into_iter().flatten());
            }
        }
        reached
    }

    /// These documents in groups of those that need each other, directly or not, in the order of their first documents.
    pub fn group_documents(&self, documents: &[usize]) -> Vec<Vec<usize>> {
        let mut near: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for (from, file) in self.pairs(NeedKind::Used) {
            near.entry(from).or_default().push(file);
            near.entry(file).or_default().push(from);
        }
        let mut left: FxHashSet<usize> = documents.iter().copied().collect();
        let mut groups = Vec::new();
        for &first in documents {
            let (mut group, mut open) = (Vec::new(), vec![first]);
            while let Some(file) = open.pop() {
                if left.remove(&file) {
                    group.push(file);
                    open.extend(near.get(&file).into_iter().flatten());
                }
            }
            if !group.is_empty() {
                group.sort_unstable();
                groups.push(group);
            }
        }
        groups
    }
}
