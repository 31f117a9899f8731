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

/// A node that means the text of a file which no other node names.
struct Inclusion {
    /// The document that the node stands in.
    from: usize,
    /// The document whose text it means.
    file: usize,
}

/// All inclusions, by their nodes.
fn find_inclusions(version: &Version) -> FxHashMap<NodeId, Inclusion> {
    let needs: Vec<&FileNeed> = FileNeeds::of_version(version).iter().collect();
    let mut named: FxHashMap<usize, u32> = FxHashMap::default();
    for file in needs.iter().flat_map(|need| &need.files) {
        *named.entry(*file).or_default() += 1;
    }
    let documents = version.documents();
    let may_go =
        |document: &Document| !document.is_gone && document.freedom == DocumentFreedom::Free;
    let moves = needs.iter().filter_map(|need| match need.files[..] {
        [file] if need.means_text && !need.names_more && named[&file] == 1 => {
            let from = need.from;
            let moves =
                documents[from].freedom == DocumentFreedom::Free && may_go(&documents[file]);
            moves.then_some((need.node, Inclusion { from, file }))
        }
        _ => None,
    });
    moves.collect()
}

/// A unit for each inclusion: its node, and the root of the file that goes.
fn list_inclusions(view: &View) -> UnitList {
    let documents = view.version.documents();
    let mut units: Vec<(usize, RemovalUnit)> = find_inclusions(&view.version)
        .into_iter()
        .map(|(node, Inclusion { file, .. })| {
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
    // A file is named once: so each has one way to a file that stays, or is in a circle.
    let includer: FxHashMap<usize, usize> = inclusions
        .values()
        .map(|inclusion| (inclusion.file, inclusion.from))
        .collect();
    let has_place = |file: usize| {
        let mut way = std::iter::successors(Some(file), |at| includer.get(at).copied());
        way.nth(includer.len())
            .is_none_or(|at| !includer.contains_key(&at))
    };
    let mut placed: Vec<(NodeId, &Inclusion)> = inclusions
        .iter()
        .map(|(node, inclusion)| (*node, inclusion))
        .filter(|(_, inclusion)| has_place(inclusion.file))
        .collect();
    placed.sort_unstable_by_key(|(_, inclusion)| inclusion.file);
    let (mut edit, mut emptied) = (Edit::default(), Vec::new());
    for (node, inclusion) in &placed {
        if includer.contains_key(&inclusion.from) {
            // It goes with the text that it stands in.
            continue;
        }
        let texts = collect_texts(version, &inclusions, inclusion.file);
        match texts.is_empty() {
            true => emptied.push(*node),
            false => edit.ops.push(EditOp::Replace {
                node: *node,
                piece: Replacement::Tokens(texts.into()),
            }),
        }
    }
    edit.ops.extend(removal_edit(version, &emptied).ops);
    let roots = placed
        .iter()
        .map(|(_, inclusion)| version.documents()[inclusion.file].root.id);
    edit.ops.extend(roots.map(EditOp::Delete));
    edit
}

/// The tokens of a file, each with the white space before it; in the places of inclusions those of their files. A file includes itself nowhere,
/// because each is named once.
fn collect_texts(
    version: &Version,
    inclusions: &FxHashMap<NodeId, Inclusion>,
    file: usize,
) -> Vec<Arc<[u8]>> {
    let (mut texts, mut begun): (Vec<Arc<[u8]>>, Vec<u8>) = Default::default();
    let mut open: Vec<&Arc<ProgramNode>> = vec![&version.documents()[file].root];
    while let Some(node) = open.pop() {
        if let Some(inner) = inclusions.get(&node.id) {
            begun.extend(walk::leaf_at(node, 0).map_or(&[][..], |first| first.trivia()));
            open.push(&version.documents()[inner.file].root);
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
