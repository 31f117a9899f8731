//! The directories and files of a project as a tree above the parse trees. It depends on the paths alone, so all versions of a run have the same;
//! what a version has in each directory are its [`EntryTotals`].

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use crate::program::{Document, Version};

/// A directory or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// Its path.
    pub path: PathBuf,
    /// The directory that it is in.
    pub parent: Option<usize>,
    /// The number of directories around it.
    pub depth: u32,
    /// The number of its document; none for a directory.
    pub document: Option<usize>,
    /// The number of the first entry after it that does not lie in it.
    pub end: usize,
}

/// All directories and files, each directory before what is in it, by their names. A directory with nothing but one directory in it is one entry with that.
#[derive(Debug, Default)]
pub struct FileTree {
    entries: Vec<FileEntry>,
    /// The entry of each document.
    of_document: Vec<usize>,
}

/// What a version has in an entry: the sums of its files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntryTotals {
    /// The tokens.
    pub tokens: u32,
    /// The files that are there.
    pub files: u32,
    /// The files that were there at the start.
    pub all_files: u32,
    /// The leaves of the trees, and how many of them must stay.
    pub leaves: u32,
    /// See `leaves`.
    pub pinned: u32,
}

impl EntryTotals {
    fn of_document(document: &Document) -> EntryTotals {
        let sums = document.root.sums();
        let there = u32::from(!document.is_gone);
        EntryTotals {
            tokens: sums.tokens * there,
            files: there,
            all_files: 1,
            leaves: sums.leaves * there,
            pinned: sums.pinned * there,
        }
    }

    fn add(&mut self, more: &EntryTotals) {
        self.tokens += more.tokens;
        self.files += more.files;
        self.all_files += more.all_files;
        self.leaves += more.leaves;
        self.pinned += more.pinned;
    }
}

/// A directory while the tree is being built.
#[derive(Default)]
struct DirectoryContent {
    directories: BTreeMap<OsString, DirectoryContent>,
    files: BTreeMap<OsString, Vec<usize>>,
}

impl FileTree {
    /// The tree of the files of a version, those that are gone too.
    pub fn new(version: &Version) -> FileTree {
        let mut top = DirectoryContent::default();
        for (number, document) in version.documents().iter().enumerate() {
            let mut directory = &mut top;
            let above = document.path.parent().unwrap_or(Path::new(""));
            for part in above.components() {
                let name = part.as_os_str().to_owned();
                directory = directory.directories.entry(name).or_default();
            }
            let name = document.path.file_name().unwrap_or_default().to_owned();
            directory.files.entry(name).or_default().push(number);
        }
        let mut tree = FileTree {
            of_document: vec![0; version.documents().len()],
            ..FileTree::default()
        };
        tree.add_content(top, Path::new(""), None);
        tree
    }

    /// Adds what is in a directory. Not recursive, because paths are as deep as somebody makes them.
    fn add_content(&mut self, top: DirectoryContent, path: &Path, parent: Option<usize>) {
        enum Task {
            Directory(DirectoryContent, PathBuf, Option<usize>),
            File(usize, PathBuf, Option<usize>),
            End(usize),
        }
        let list = |content: DirectoryContent, path: &Path, parent: Option<usize>| {
            let mut tasks: Vec<(OsString, Task)> = Vec::new();
            for (name, inner) in content.directories {
                let path = path.join(&name);
                tasks.push((name, Task::Directory(inner, path, parent)));
            }
            for (name, documents) in content.files {
                let file = |number| (name.clone(), Task::File(number, path.join(&name), parent));
                tasks.extend(documents.into_iter().map(file));
            }
            tasks.sort_by(|(one, _), (other, _)| one.cmp(other));
            tasks.into_iter().rev().map(|(_, task)| task)
        };
        let mut stack: Vec<Task> = list(top, path, parent).collect();
        while let Some(task) = stack.pop() {
            match task {
                Task::Directory(mut content, mut path, parent) => {
                    while content.files.is_empty() && content.directories.len() == 1 {
                        let Some((name, only)) = content.directories.pop_first() else {
                            break;
                        };
                        path.push(name);
                        content = only;
                    }
                    let at = self.add_entry(path.clone(), parent, None);
                    stack.push(Task::End(at));
                    stack.extend(list(content, &path, Some(at)));
                }
                Task::File(document, path, parent) => {
                    self.of_document[document] = self.add_entry(path, parent, Some(document));
                }
                Task::End(at) => self.entries[at].end = self.entries.len(),
            }
        }
    }

    fn add_entry(
        &mut self,
        path: PathBuf,
        parent: Option<usize>,
        document: Option<usize>,
    ) -> usize {
        let at = self.entries.len();
        self.entries.push(FileEntry {
            path,
            parent,
            depth: parent.map_or(0, |parent| self.entries[parent].depth + 1),
            document,
            end: at + 1,
        });
        at
    }

    /// All entries, each directory before what is in it.
    pub fn entries(&self) -> &[FileEntry] {
        &self.entries
    }

    /// The entry of a document.
    pub fn entry_of(&self, document: usize) -> usize {
        self.of_document[document]
    }

    /// The path of an entry below the directory that it is in.
    pub fn name_of(&self, at: usize) -> &Path {
        let entry = &self.entries[at];
        let around = entry.parent.map(|parent| &self.entries[parent].path);
        around
            .and_then(|around| entry.path.strip_prefix(around).ok())
            .unwrap_or(&entry.path)
    }

    /// The directories around an entry, the innermost first.
    pub fn directories_around(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.entries[at].parent, |at| self.entries[*at].parent)
    }

    /// The documents of a directory or a file, in the order of the tree.
    pub fn documents_in(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let within = self.entries[at..self.entries[at].end].iter();
        within.filter_map(|entry| entry.document)
    }

    /// The sums of a version, one for each entry.
    pub fn totals_of(&self, version: &Version) -> Vec<EntryTotals> {
        let documents = version.documents();
        let own = self.entries.iter().map(|entry| entry.document);
        let own = own.map(|number| {
            number.map_or_else(EntryTotals::default, |number| {
                EntryTotals::of_document(&documents[number])
            })
        });
        let mut totals: Vec<EntryTotals> = own.collect();
        for at in (0..totals.len()).rev() {
            if let Some(parent) = self.entries[at].parent {
                let own = totals[at];
                totals[parent].add(&own);
            }
        }
        totals
    }

    /// The sums of a version in one entry.
    pub fn totals_in(&self, at: usize, version: &Version) -> EntryTotals {
        let mut totals = EntryTotals::default();
        let own = self
            .documents_in(at)
            .map(|number| &version.documents()[number]);
        own.for_each(|document| totals.add(&EntryTotals::of_document(document)));
        totals
    }

    /// The sum of all files.
    pub fn whole_of(&self, totals: &[EntryTotals]) -> EntryTotals {
        let mut whole = EntryTotals::default();
        let outermost = self.entries.iter().zip(totals);
        let outermost = outermost.filter(|(entry, _)| entry.parent.is_none());
        outermost.for_each(|(_, own)| whole.add(own));
        whole
    }

    /// How many of these documents each entry has.
    pub fn count_documents(
        &self,
        documents: impl IntoIterator<Item = usize>,
    ) -> FxHashMap<usize, u32> {
        let mut counts: FxHashMap<usize, u32> = FxHashMap::default();
        for document in documents {
            let at = self.entry_of(document);
            for around in [at].into_iter().chain(self.directories_around(at)) {
                *counts.entry(around).or_default() += 1;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::read_program;

    fn tree(paths: &[&str]) -> Vec<String> {
        let file = |path: &&str| (Path::new(path).into(), b"int a;\n".as_slice().into());
        let version = read_program(paths.iter().map(file).collect()).expect("files");
        let tree = FileTree::new(&version);
        let totals = tree.totals_of(&version);
        let row = |(at, entry): (usize, &FileEntry)| {
            let name = tree.name_of(at).display();
            format!(
                "{}{name} {}",
                "  ".repeat(entry.depth as usize),
                totals[at].tokens
            )
        };
        tree.entries().iter().enumerate().map(row).collect()
    }

    #[test]
    fn directories_stand_above_their_files_and_have_the_sums_of_them() {
        assert_eq!(
            tree(&["main.c", "lib/b.c", "lib/a.h", "app/x/y/z.c", "app/x/y/a.c"]),
            [
                "app/x/y 6",
                "  a.c 3",
                "  z.c 3",
                "lib 6",
                "  a.h 3",
                "  b.c 3",
                "main.c 3"
            ]
        );
    }

    #[test]
    fn files_of_one_directory_stand_together_whatever_their_order() {
        assert_eq!(
            tree(&["b/z.c", "a.c", "b/a.c"]),
            ["a.c 3", "b 6", "  a.c 3", "  z.c 3"]
        );
    }
}
