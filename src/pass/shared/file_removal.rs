//! A file goes with what mentions it in other files: `#include "b.h"`, `mod b;`, `import b`.

use rustc_hash::FxHashSet;

use super::removable::removal_edit;
use crate::display::EscapeHidden;
use crate::program::{Edit, EditAction, EditOp, FileNeeds, NodeId, QuestionWords, Version};

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

/// The question about the files that an edit removes; none if it removes none.
pub fn name_removed_files(version: &Version, edit: &Edit) -> Option<EditAction> {
    name_moved_files(version, edit, ["", ""])
}

/// The same for files that go into others: all names of a few, the first of many. The words behind *go* are for one file and for several.
pub fn name_moved_files(
    version: &Version,
    edit: &Edit,
    [into_one, into_several]: [&str; 2],
) -> Option<EditAction> {
    let removed: FxHashSet<NodeId> = edit.ops.iter().filter_map(EditOp::removed_node).collect();
    let documents = version.documents().iter();
    let files = documents.filter(|document| removed.contains(&document.root.id));
    let names: Vec<_> = files
        .map(|document| document.path.escape_hidden())
        .collect();
    let all = || names.iter().map(ToString::to_string).collect::<Vec<_>>();
    let count = names.len();
    let words = match &names[..] {
        [] => return None,
        [only] => QuestionWords::ask(format!("Can the file {only} go{into_one}?"))
            .in_short(format!("1 file: {only}")),
        [first, second] => QuestionWords::ask(format!(
            "Can the files {first} and {second} go{into_several}?"
        ))
        .in_short(format!("2 files: {first}, {second}")),
        [first, second, ..] => QuestionWords::ask(format!("Can {count} files go{into_several}?"))
            .because(all().join(", "))
            .in_short(format!("{count} files: {first}, {second}, …")),
    };
    Some(EditAction::Question(words))
}
