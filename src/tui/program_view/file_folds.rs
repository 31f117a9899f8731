//! The folds of the directories and files of a project, and the rows that they make. Both are made anew for another version or after a fold, never for
//! a frame: a project may have thousands of files.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::file_tree::{EntryTotals, FileTree};
use crate::program::{ConstraintRule, ConstraintSet, Version};

/// Of a project with more files the directories are folded at first.
const MOST_UNFOLDED_FILES: usize = 60;

/// How many files of each directory or file have something, where any have.
pub type EntryCounts = Arc<FxHashMap<usize, u32>>;

/// A row that is not of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileRow {
    /// A directory or a file, by its number in the file tree.
    Entry(usize),
    /// All that is gone from a directory, or from the project itself.
    Gone(Option<usize>),
}

/// A row and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedRow {
    /// The row.
    pub row: FileRow,
    /// The number of rows around it.
    pub depth: u32,
    /// Its number among all rows of the pane; those of the trees of files count too.
    pub number: usize,
    /// How many files it stands for.
    pub files: u32,
}

/// The rows of a version.
#[derive(Debug, Default)]
struct RowListing {
    rows: Vec<ListedRow>,
    /// The place of each row in `rows`.
    places: FxHashMap<FileRow, usize>,
    /// The number of all rows of the pane.
    count: usize,
}

/// Which directories are open, and the rows that follow from it.
#[derive(Debug)]
pub struct FileFolds {
    tree: Arc<FileTree>,
    /// Whether directories are open by default.
    open_by_default: bool,
    /// The directories that differ from the default.
    exceptions: FxHashSet<usize>,
    /// The directories whose gone files are listed.
    open_gone: FxHashSet<Option<usize>>,
    /// The document that is shown only to follow the run.
    followed: Option<usize>,
    /// A version and its sums.
    totals: Option<(Version, Vec<EntryTotals>)>,
    whole: EntryTotals,
    /// The constraints of that version, and how many of its files have a place of the failure, by entry.
    failing: Option<(Arc<ConstraintSet>, EntryCounts)>,
    listing: Option<RowListing>,
}

impl FileFolds {
    /// The folds at the start.
    pub fn new(version: &Version) -> FileFolds {
        FileFolds {
            tree: Arc::new(FileTree::new(version)),
            open_by_default: version.documents().len() <= MOST_UNFOLDED_FILES,
            exceptions: FxHashSet::default(),
            open_gone: FxHashSet::default(),
            followed: None,
            totals: None,
            whole: EntryTotals::default(),
            failing: None,
            listing: None,
        }
    }

    /// The directories and files.
    pub fn tree(&self) -> &Arc<FileTree> {
        &self.tree
    }

    /// Whether what is in a directory is shown.
    pub fn is_open(&self, row: FileRow) -> bool {
        match row {
            FileRow::Gone(directory) => self.open_gone.contains(&directory),
            FileRow::Entry(at) => {
                let entry = &self.tree.entries()[at];
                let holds =
                    |document: usize| (at..entry.end).contains(&self.tree.entry_of(document));
                entry.document.is_none()
                    && (self.open_by_default != self.exceptions.contains(&at)
                        || self.followed.is_some_and(holds))
            }
        }
    }

    /// Shows or hides what is in a directory, or what is gone from it.
    pub fn set_open(&mut self, row: FileRow, open: bool) {
        match row {
            FileRow::Gone(directory) if open => {
                self.open_gone.insert(directory);
            }
            FileRow::Gone(directory) => {
                self.open_gone.remove(&directory);
            }
            FileRow::Entry(at) if open == self.open_by_default => {
                self.exceptions.remove(&at);
                self.followed = None;
            }
            FileRow::Entry(at) => {
                self.exceptions.insert(at);
                self.followed = None;
            }
        }
        self.listing = None;
    }

    /// Opens all directories around an entry.
    pub fn reveal_entry(&mut self, at: usize) {
        let tree = self.tree.clone();
        for directory in tree.directories_around(at) {
            if !self.is_open(FileRow::Entry(directory)) {
                self.set_open(FileRow::Entry(directory), true);
            }
        }
    }

    /// Shows or hides what is in all directories.
    pub fn set_all(&mut self, open: bool) {
        self.open_by_default = open;
        self.exceptions.clear();
        self.open_gone.clear();
        self.followed = None;
        self.listing = None;
    }

    /// Opens the directories around a document to follow the run, and closes those around the one before.
    pub fn follow_document(&mut self, document: Option<usize>) {
        if self.followed != document {
            self.followed = document;
            self.listing = None;
        }
    }

    /// Keeps the directories open that were opened to follow the run.
    pub fn keep_followed(&mut self) {
        if let Some(document) = self.followed.take() {
            self.reveal_entry(self.tree.entry_of(document));
            self.listing = None;
        }
    }

    /// The rows must be listed anew: the tree of a file was folded.
    pub fn forget_rows(&mut self) {
        self.listing = None;
    }

    /// Makes the sums and the rows of a version, unless they are known. `rows_of` says how many rows the tree of a document has. Returns whether
    /// anything was made.
    pub fn update_rows(
        &mut self,
        version: &Version,
        mut rows_of: impl FnMut(usize) -> usize,
    ) -> bool {
        let is_same = |(known, _): &(Version, _)| {
            std::ptr::eq(known.documents().as_ptr(), version.documents().as_ptr())
        };
        if !self.totals.as_ref().is_some_and(is_same) {
            let totals = self.tree.totals_of(version);
            (self.failing, self.listing) = (None, None);
            self.whole = self.tree.whole_of(&totals);
            self.totals = Some((version.clone(), totals));
        }
        let is_new = self.listing.is_none();
        if is_new {
            self.listing = Some(self.list_rows(&mut rows_of));
        }
        is_new
    }

    fn list_rows(&self, rows_of: &mut dyn FnMut(usize) -> usize) -> RowListing {
        // A directory that is open: its number, where it ends, and what is gone from it.
        struct OpenDirectory {
            at: Option<usize>,
            end: usize,
            depth: u32,
            gone: Vec<usize>,
        }
        let entries = self.tree.entries();
        let mut listing = RowListing::default();
        let mut open = vec![OpenDirectory {
            at: None,
            end: entries.len(),
            depth: 0,
            gone: Vec::new(),
        }];
        let mut at = 0;
        while let Some(around) = open.last_mut() {
            if at >= around.end {
                let files = around.gone.iter().map(|at| self.totals_at(*at).all_files);
                let files: u32 = files.sum();
                if files > 0 {
                    let (group, depth) = (FileRow::Gone(around.at), around.depth);
                    listing.push(group, depth, files, 0);
                    if self.is_open(group) {
                        for &at in &around.gone {
                            let files = self.totals_at(at).all_files;
                            listing.push(FileRow::Entry(at), depth + 1, files, 0);
                        }
                    }
                }
                open.pop();
                continue;
            }
            let (entry, depth) = (&entries[at], around.depth);
            let files = self.totals_at(at).files;
            if files == 0 {
                around.gone.push(at);
                at = entry.end;
                continue;
            }
            let row = FileRow::Entry(at);
            let below = entry.document.map_or(0, &mut *rows_of);
            listing.push(row, depth, files, below);
            if !self.is_open(row) {
                at = entry.end;
                continue;
            }
            open.push(OpenDirectory {
                at: Some(at),
                end: entry.end,
                depth: depth + 1,
                gone: Vec::new(),
            });
            at += 1;
        }
        listing
    }

    /// The sums of an entry in the version whose rows were made last.
    pub fn totals_at(&self, at: usize) -> EntryTotals {
        let totals = self.totals.as_ref().and_then(|(_, totals)| totals.get(at));
        totals.copied().unwrap_or_default()
    }

    /// The sums of the whole project in that version.
    pub fn whole_totals(&self) -> EntryTotals {
        self.whole
    }

    /// How many files of each entry have a place of the failure.
    pub fn failing_files(&mut self, constraints: &Arc<ConstraintSet>) -> EntryCounts {
        if let Some((known, counts)) = &self.failing
            && Arc::ptr_eq(known, constraints)
        {
            return counts.clone();
        }
        let has_place = constraints.has_rule(ConstraintRule::Place);
        let version = self.totals.as_ref().map(|(version, _)| version);
        let documents = version.filter(|_| has_place).map(Version::documents);
        let documents = documents.unwrap_or_default().iter().enumerate();
        let failing = documents.filter(|(_, document)| {
            !document.is_gone && constraints.rule_overlaps(ConstraintRule::Place, &document.root)
        });
        let counts = Arc::new(self.tree.count_documents(failing.map(|(number, _)| number)));
        self.failing = Some((constraints.clone(), counts.clone()));
        counts
    }

    /// The listed rows of directories and files.
    pub fn listed_rows(&self) -> &[ListedRow] {
        self.listing.as_ref().map_or(&[], |listing| &listing.rows)
    }

    /// The number of rows of the pane.
    pub fn row_count(&self) -> usize {
        self.listing.as_ref().map_or(0, |listing| listing.count)
    }

    /// The number of a row, if it is listed.
    pub fn number_of_row(&self, row: FileRow) -> Option<usize> {
        let listing = self.listing.as_ref()?;
        Some(listing.rows[*listing.places.get(&row)?].number)
    }

    /// The number of the row of an entry, or that of the innermost directory around it that has one.
    pub fn row_near_entry(&self, at: usize) -> usize {
        let number = |at: usize| self.number_of_row(FileRow::Entry(at));
        let around = || self.tree.directories_around(at).find_map(number);
        number(at).or_else(around).unwrap_or(0)
    }

    /// The place among the listed rows of the one with this number, or of the file whose tree it is in.
    pub fn place_of_number(&self, number: usize) -> usize {
        let behind = self
            .listed_rows()
            .partition_point(|row| row.number <= number);
        behind.saturating_sub(1)
    }
}

impl RowListing {
    fn push(&mut self, row: FileRow, depth: u32, files: u32, below: usize) {
        self.places.insert(row, self.rows.len());
        self.rows.push(ListedRow {
            row,
            depth,
            number: self.count,
            files,
        });
        self.count += 1 + below;
    }
}
