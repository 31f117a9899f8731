//! Whole files of a project go, before anything inside of them is looked at.
//!
//! 1. All files that the place of the failure does not need, directly or not, as one question: first by what names files (`#include`, imports),
//!    then by the names that files use of each other (ReduKtor, ASE 2019, §III). Where no place is known, it is the files that the test mentions.
//! 2. The entries of the outermost directory that has several, by the list minimiser.
//! 3. Groups of files that use names of each other: two programs that have nothing in common are two groups.
//! 4. The entries of each level of directories, from the outermost to single files (hierarchical delta debugging, Misherghi and Su, ICSE 2006).
//!
//! With a file goes what mentions it. At the end the files that are left are asked about once more, one by one: what needed them may be gone.

use std::path::PathBuf;

use rustc_hash::FxHashMap;

use crate::pass::shared::file_list_pass::FileListPass;
use crate::pass::shared::file_removal::delete_files;
use crate::pass::shared::unit_list::{RemovalUnit, UnitList, UnitSource};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{
    ActionUnit, ConstraintRule, Document, DocumentFreedom, FileNeeds, NeedKind, View,
};

/// Removes files.
pub static FILES: PassKind = PassKind {
    name: "files",
    description: "removes files with what mentions them: those that the place of the failure does not need, directories, groups, single files",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| Box::new(FileListPass::new(&FILE_LISTS, options)),
};

/// Removes the files that are left, once more.
pub static REMAINING_FILES: PassKind = PassKind {
    name: "remaining files",
    description: "removes files that are left, once more; all begins again where one goes",
    repeat: RepeatPolicy::BackTo(FILES.name),
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| Box::new(FileListPass::new(&LAST_FILES, options)),
};

static FILE_LISTS: UnitSource = UnitSource {
    name: FILES.name,
    next_units: next_files,
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

/// A list of units, for a number from 0.
type FileList = fn(&View, u32) -> UnitList;

/// The lists before the levels of directories below the outermost.
const FIRST_LISTS: [FileList; 4] = [
    |view, next| list_unneeded(view, NeedKind::Named, next),
    |view, next| list_unneeded(view, NeedKind::Used, next),
    list_outermost,
    list_groups,
];

/// The list of this number; none where no path is so long.
fn next_files(view: &View, from: u32) -> Option<UnitList> {
    if let Some(list) = FIRST_LISTS.get(from as usize) {
        return Some(list(view, from + 1));
    }
    let level = from as usize + 2 - FIRST_LISTS.len();
    let lengths = removable_files(view).map(|(_, document)| document.path.components().count());
    (lengths.max()? >= level).then(|| list_entries(view, level, from + 1))
}

/// The files that may go, with the numbers of their documents.
fn removable_files(view: &View) -> impl Iterator<Item = (usize, &Document)> {
    let documents = view.version.documents().iter().enumerate();
    documents
        .filter(|(_, document)| !document.is_gone && document.freedom != DocumentFreedom::Fixed)
}

/// The root of a document as a unit. A file without tokens counts too.
fn file_unit(document: &Document) -> RemovalUnit {
    (
        [document.root.id].into(),
        document.root.sums().tokens.max(1),
    )
}

/// All of these as one unit.
fn join_units(units: impl Iterator<Item = RemovalUnit>) -> Option<RemovalUnit> {
    units.reduce(|(nodes, tokens), (more, weight)| {
        let nodes = nodes.iter().chain(&*more).copied();
        (nodes.collect(), tokens + weight)
    })
}

/// The files that those with the place of the failure do not need, as one unit; none where nothing says where it fails. What the failure's
/// message or the test mentions counts too, unless only what names files is looked at and a place is known.
fn list_unneeded(view: &View, kind: NeedKind, next: u32) -> UnitList {
    let about = |rule: ConstraintRule| {
        let documents = view.version.documents().iter().enumerate();
        let about = documents.filter(move |(_, document)| {
            !document.is_gone && view.constraints.rule_overlaps(rule, &document.root)
        });
        about.map(|(number, _)| number).collect::<Vec<usize>>()
    };
    let (places, mentions) = (about(ConstraintRule::Place), about(ConstraintRule::Mention));
    let roots = match kind {
        NeedKind::Named if !places.is_empty() => places,
        NeedKind::Named | NeedKind::Used => [places, mentions].concat(),
    };
    let needed = FileNeeds::of_version(&view.version).reach_from(roots.iter().copied(), kind);
    let others = removable_files(view).filter(|(number, _)| !needed.contains(number));
    let unit = join_units(others.map(|(_, document)| file_unit(document)));
    UnitList {
        units: unit.filter(|_| !roots.is_empty()).into_iter().collect(),
        what: ActionUnit::qualified("file group", "that the place of the failure does not need"),
        next,
    }
}

/// The entries of the outermost directory that has several.
fn list_outermost(view: &View, next: u32) -> UnitList {
    let lengths = removable_files(view).map(|(_, document)| document.path.components().count());
    let mut lists = (1..=lengths.max().unwrap_or(1)).map(|level| list_entries(view, level, next));
    let first = lists.find(|list| !list.units.is_empty());
    first.unwrap_or_else(|| list_entries(view, 1, next))
}

/// The groups of files that use names of each other, those with the most tokens last: the list minimiser begins there.
fn list_groups(view: &View, next: u32) -> UnitList {
    let files: Vec<usize> = removable_files(view).map(|(number, _)| number).collect();
    let groups = FileNeeds::of_version(&view.version).group_documents(&files);
    let documents = view.version.documents();
    let units = groups.into_iter().filter_map(|group| {
        let files = group.into_iter().map(|file| file_unit(&documents[file]));
        join_units(files)
    });
    let mut units: Vec<RemovalUnit> = units.collect();
    units.sort_by_key(|(_, tokens)| *tokens);
    UnitList {
        // One group is the program.
        units: match units.len() {
            1 => Vec::new(),
            _ => units,
        },
        what: ActionUnit::named("file group"),
        next,
    }
}

/// The files and directories whose paths have this number of parts. A unit is all of one.
fn list_entries(view: &View, level: usize, next: u32) -> UnitList {
    let mut entries: Vec<Vec<RemovalUnit>> = Vec::new();
    let mut places: FxHashMap<PathBuf, usize> = FxHashMap::default();
    for (_, document) in removable_files(view) {
        let parts = document.path.components();
        if parts.clone().count() < level && level != usize::MAX {
            continue;
        }
        let entry: PathBuf = parts.take(level).collect();
        let at = *places.entry(entry).or_insert_with(|| {
            entries.push(Vec::new());
            entries.len() - 1
        });
        entries[at].push(file_unit(document));
    }
    // Without its only entry nothing would be left.
    if entries.len() == 1 {
        entries.clear();
    }
    let what = match entries.iter().any(|files| files.len() > 1) {
        true => "path",
        false => "file",
    };
    let units = entries.into_iter();
    UnitList {
        units: units
            .filter_map(|files| join_units(files.into_iter()))
            .collect(),
        what: ActionUnit::named(what),
        next,
    }
}
