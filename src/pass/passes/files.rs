//! Whole files of a project go, before anything inside of them is looked at: first directories, then what is in those that stay.
//!
//! The directories are the levels above the parse trees (hierarchical delta debugging, Misherghi and Su, ICSE 2006): a list minimiser goes over the
//! entries of the outermost directory, then over those of the next level. With a file goes what mentions it: an `#include` of it, its `mod x;`, its imports.
//! At the end the files that are left are asked about once more, one by one: what needed them may be gone.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use crate::pass::shared::file_removal::{FileMentions, delete_files};
use crate::pass::shared::unit_list::{RemovalUnit, UnitList, UnitListPass, UnitSource};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{ActionUnit, Document, DocumentFreedom, View};

/// Removes files, the levels of directories one after the other.
pub static FILES: PassKind = PassKind {
    name: "files",
    description: "removes files with what mentions them: by directories, then by the list minimiser",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| Box::new(UnitListPass::new(&FILE_LEVELS, options)),
};

/// Removes the files that are left, once more.
pub static REMAINING_FILES: PassKind = PassKind {
    name: "remaining files",
    description: "removes files that are left, once more; all begins again where one goes",
    repeat: RepeatPolicy::BackTo(FILES.name),
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| Box::new(UnitListPass::new(&LAST_FILES, options)),
};

static FILE_LEVELS: UnitSource = UnitSource {
    name: FILES.name,
    next_units: level_units,
    delete_nodes: delete_files,
    max_failures: None,
    try_all_first: false,
};

static LAST_FILES: UnitSource = UnitSource {
    name: REMAINING_FILES.name,
    next_units: |view, from| (from == 0).then(|| list_entries(view, usize::MAX, 1)),
    delete_nodes: delete_files,
    max_failures: None,
    try_all_first: false,
};

/// The files that may go.
fn removable_files(view: &View) -> impl Iterator<Item = &Document> {
    let documents = view.version.documents().iter();
    documents.filter(|document| !document.is_gone && document.freedom != DocumentFreedom::Fixed)
}

/// The entries on a level of directories, from 0; none where no path is so long.
fn level_units(view: &View, from: u32) -> Option<UnitList> {
    let level = from as usize + 1;
    let deepest = removable_files(view).map(|document| document.path.components().count());
    (deepest.max()? >= level).then(|| list_entries(view, level, from + 1))
}

/// The files and directories whose paths have this number of parts. A unit is all of one.
fn list_entries(view: &View, level: usize, next: u32) -> UnitList {
    let mentions = FileMentions::find(&view.version);
    let (mut units, mut places): (Vec<RemovalUnit>, FxHashMap<PathBuf, usize>) = Default::default();
    let mut directories = 0;
    for document in removable_files(view) {
        let parts = document.path.components().count();
        if parts < level && level != usize::MAX {
            continue;
        }
        let entry: &Path = &document.path;
        let entry: PathBuf = entry.components().take(level).collect();
        directories += usize::from(parts > level);
        let tokens = document.root.sums().tokens.max(1);
        let nodes = mentions.removed_with(document);
        match places.get(&entry) {
            Some(&at) => {
                let (known, weight) = &mut units[at];
                *known = known.iter().copied().chain(nodes).collect();
                *weight += tokens;
            }
            None => {
                places.insert(entry, units.len());
                units.push((nodes.collect(), tokens));
            }
        }
    }
    UnitList {
        units,
        what: ActionUnit::named(match directories {
            0 => "file",
            _ => "file or directory",
        }),
        next,
    }
}
