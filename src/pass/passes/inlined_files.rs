//! The text of a file stands in the place of the only node that names it, and the file goes: `#include "b.h"` becomes what `b.h` holds.
//!
//! So a program of several files becomes one of fewer, and what was divided among them is reduced as one. The language says which nodes mean the text of
//! a file (`inlined` of `[imports]` in `language.toml`). All such files are asked about at once, then by the list minimiser; of a file that
//! names another both may go into the first. C-Vise inlines includes one by one in its first pass; here it is the last, because most files can go.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::pass::shared::file_list_pass::FileListPass;
use crate::pass::shared::removable::removal_edit;
use crate::pass::shared::unit_list::{RemovalUnit, UnitList, UnitSource};
use crate::pass::{FILES, PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{
    ActionUnit, Document, DocumentFreedom, Edit, EditOp, FileNeed, FileNeeds, NodeId, NodeShape,
    ProgramNode, Replacement, Version, View, walk,
};

/// Files go into those that name them.
pub static INLINED_FILES: PassKind = PassKind {
    name: "inlined files",
    description: "puts the text of a file in the place of the only node that includes it; all begins again where one goes",
    repeat: RepeatPolicy::BackTo(FILES.name),
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| {
        let pass = FileListPass::new(&INCLUSIONS, options);
        Box::new(pass.with_destination([
            " into the one that includes it",
            " into those that include them",
        ]))
    },
};

static INCLUSIONS: UnitSource = UnitSource {
    name: INLINED_FILES.name,
    next_units: |view, from| (from == 0).then(|| list_inclusions(view)),
    delete_nodes: inline_files,
    max_failures: None,
    try_all_first: true,
};

/// The nodes that mean the text of a file which no other node names, each with its file.
fn find_inclusions(version: &Version) -> FxHashMap<NodeId, usize> {
    let needs: Vec<&FileNeed> = FileNeeds::of_version(version).iter().collect();
    let mut named: FxHashMap<usize, u32> = FxHashMap::default();
    for file in needs.iter().flat_map(|need| &need.files) {
        *named.entry(*file).or_default() += 1;
    }
    let documents = version.documents();
    let can_move = |need: &&&FileNeed| {
        let is_free = documents[need.from].freedom == DocumentFreedom::Free;
        is_free && need.means_text && !need.names_more
    };
    let inclusions = needs.iter().filter(can_move);
    let inclusions = inclusions.filter_map(|need| match need.files[..] {
        [file] if named[&file] == 1 && may_go(&documents[file]) => Some((need.node, file)),
        _ => None,
    });
    inclusions.collect()
}

fn may_go(document: &Document) -> bool {
    !document.is_gone && document.freedom == DocumentFreedom::Free
}

/// A unit for each inclusion: its node, and the root of the file that goes.
fn list_inclusions(view: &View) -> UnitList {
    let documents = view.version.documents();
    let mut units: Vec<(usize, RemovalUnit)> = find_inclusions(&view.version)
        .into_iter()
        .map(|(node, file)| {
            let root = &documents[file].root;
            (file, ([node, root.id].into(), root.sums().tokens.max(1)))
        })
        .collect();
    units.sort_unstable_by_key(|(file, _)| *file);
    UnitList {
        units: units.into_iter().map(|(_, unit)| unit).collect(),
        what: ActionUnit::named("included file"),
        next: 1,
    }
}

/// The edit that puts files in the places of those of these nodes that name them. Files that name each other in a circle stay.
fn inline_files(version: &Version, nodes: &[NodeId]) -> Edit {
    let wanted: FxHashSet<NodeId> = nodes.iter().copied().collect();
    let mut inclusions = find_inclusions(version);
    inclusions.retain(|node, _| wanted.contains(node));
    let documents = version.documents();
    let mut edit = Edit::default();
    let mut emptied = Vec::new();
    let gone: FxHashSet<usize> = inclusions.values().copied().collect();
    for (number, document) in documents.iter().enumerate() {
        if document.is_gone || gone.contains(&number) {
            continue;
        }
        for node in walk::preorder(&document.root) {
            let Some(&file) = inclusions.get(&node.id) else {
                continue;
            };
            let texts = collect_texts(version, &inclusions, file);
            match texts.is_empty() {
                true => emptied.push(node.id),
                false => edit.ops.push(EditOp::Replace {
                    node: node.id,
                    piece: Replacement::Tokens(texts.into()),
                }),
            }
        }
    }
    edit.ops.extend(removal_edit(version, &emptied).ops);
    let placed = placed_files(version, &inclusions);
    let roots = placed.into_iter().map(|file| documents[file].root.id);
    edit.ops.extend(roots.map(EditOp::Delete));
    edit
}

/// The files whose texts stand, directly or not, in a file that stays, in their order.
fn placed_files(version: &Version, inclusions: &FxHashMap<NodeId, usize>) -> Vec<usize> {
    let gone: FxHashSet<usize> = inclusions.values().copied().collect();
    let documents = version.documents().iter().enumerate();
    let mut open: Vec<usize> = documents
        .filter(|(number, document)| !document.is_gone && !gone.contains(number))
        .map(|(number, _)| number)
        .collect();
    let mut placed = Vec::new();
    while let Some(number) = open.pop() {
        let nodes = walk::preorder(&version.documents()[number].root);
        let files: Vec<usize> = nodes
            .filter_map(|node| inclusions.get(&node.id).copied())
            .collect();
        placed.extend(&files);
        open.extend(files);
    }
    placed.sort_unstable();
    placed
}

/// The tokens of a file, each with the white space before it; in the places of inclusions those of their files. A file includes itself nowhere,
/// because each is named once.
fn collect_texts(
    version: &Version,
    inclusions: &FxHashMap<NodeId, usize>,
    file: usize,
) -> Vec<Arc<[u8]>> {
    let (mut texts, mut begun): (Vec<Arc<[u8]>>, Vec<u8>) = Default::default();
    let mut open: Vec<&Arc<ProgramNode>> = vec![&version.documents()[file].root];
    while let Some(node) = open.pop() {
        if let Some(&inner) = inclusions.get(&node.id) {
            begun.extend(walk::leaf_at(node, 0).map_or(&[][..], |first| first.trivia()));
            open.push(&version.documents()[inner].root);
            continue;
        }
        if node.shape == NodeShape::Token {
            begun.extend([node.trivia(), node.text()].concat());
            // The end of a directive is a token of white space: it belongs to the next one.
            if !node.text().trim_ascii().is_empty() {
                texts.push(std::mem::take(&mut begun).into());
            }
        }
        open.extend(node.children().iter().rev());
    }
    texts
}
