//! Finds which files of a project need which: the nodes that name other files, the files that they mean, and the names that files use of each
//! other (ReduKtor, ASE 2019, §III, for Kotlin).

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::file_needs::{FileNeed, FileNeeds};
use super::names::{NameRole, NameSymbol};
use super::node::{NodeId, ProgramNode};
use super::version::{Document, Version};
use super::walk;
use crate::language::{ImportLookup, ImportRules, Language};

/// A node with more tokens is not asked which files it names. What names files is short, even an import of hundreds of names. In JavaScript and TypeScript
/// each statement may be a `require`, and the text of functions inside of functions would be made once for each function around it.
const MOST_TOKENS: u32 = 1000;

/// A node that names files.
struct ImportNode {
    node: NodeId,
    /// What it names, each by names any of which may be a file.
    items: Vec<Vec<String>>,
    /// Whether it only makes the files a part of the program.
    is_part: bool,
    /// Whether the text of the file may stand in its place.
    means_text: bool,
}

/// What a document says of files.
struct DocumentImports<'a> {
    number: usize,
    document: &'a Document,
    rules: &'static ImportRules,
    imports: Vec<ImportNode>,
    package: Option<String>,
}

impl FileNeeds {
    /// Those of a version. The first call costs a walk over all of its files that are not gone.
    pub fn of_version(version: &Version) -> &FileNeeds {
        version.file_needs.get_or_init(|| FileNeeds::find(version))
    }

    fn find(version: &Version) -> FileNeeds {
        let documents = version.documents();
        let all: Vec<DocumentImports> = documents
            .iter()
            .enumerate()
            .filter_map(|(number, document)| DocumentImports::read(number, document))
            .collect();
        let index = PathIndex::new(documents);
        let mut needs = Vec::new();
        for file in &all {
            for import in &file.imports {
                let items = import.items.iter();
                let found: Vec<Vec<usize>> = items
                    .map(|names| file.find_item(names, &index, &all))
                    .collect();
                let mut files = found.concat();
                files.sort_unstable();
                files.dedup();
                files.retain(|&found| found != file.number);
                if !files.is_empty() {
                    needs.push(FileNeed {
                        from: file.number,
                        node: import.node,
                        files,
                        is_part: import.is_part,
                        names_more: found.iter().any(Vec::is_empty),
                        means_text: import.means_text,
                    });
                }
            }
        }
        FileNeeds {
            needs,
            by_names: find_used_names(version),
        }
    }
}

/// Which document uses a name that only the other declares. A name that several files declare, such as `main`, says nothing.
fn find_used_names(version: &Version) -> FxHashSet<(usize, usize)> {
    let names = version.name_graph();
    let documents = || {
        let documents = version.documents().iter().enumerate();
        documents.filter(|(_, document)| !document.is_gone)
    };
    // None for a name that several declare.
    let mut declared: FxHashMap<NameSymbol, Option<usize>> = FxHashMap::default();
    for (number, document) in documents() {
        for found in names.occurrences_below(&document.root) {
            if found.role == NameRole::Declares {
                let owner = declared.entry(found.symbol).or_insert(Some(number));
                *owner = owner.filter(|owner| *owner == number);
            }
        }
    }
    let mut used = FxHashSet::default();
    for (number, document) in documents() {
        for found in names.occurrences_below(&document.root) {
            let owner = declared.get(&found.symbol).copied().flatten();
            used.extend(
                owner
                    .filter(|owner| *owner != number)
                    .map(|owner| (number, owner)),
            );
        }
    }
    used
}

impl<'a> DocumentImports<'a> {
    /// None if the document is gone, or its language names no files.
    fn read(number: usize, document: &'a Document) -> Option<DocumentImports<'a>> {
        let language = document.language.filter(|_| !document.is_gone)?;
        let rules = language.import_rules()?;
        let mut imports = DocumentImports {
            number,
            document,
            rules,
            imports: Vec::new(),
            package: None,
        };
        for node in walk::preorder(&document.root) {
            imports.read_node(language, node);
        }
        Some(imports)
    }

    fn read_node(&mut self, language: &'static Language, node: &Arc<ProgramNode>) {
        let kind = node.class.map(|class| language.grammar().class_name(class));
        let kind = kind.filter(|_| node.sums().tokens <= MOST_TOKENS);
        let Some(kind) = kind.filter(|kind| self.rules.concerns(kind)) else {
            return;
        };
        let text = walk::render_text(node);
        let found = [
            (self.rules.find_names(kind, &text), false),
            (self.rules.find_parts(kind, &text), true),
        ];
        for (items, is_part) in found {
            if !items.is_empty() {
                self.imports.push(ImportNode {
                    node: node.id,
                    items,
                    is_part,
                    means_text: self.rules.means_text(kind),
                });
            }
        }
        if let Some(package) = self.rules.find_package(kind, &text) {
            self.package = Some(package);
        }
    }

    /// The numbers of the documents that any of these names means.
    fn find_item(
        &self,
        names: &[String],
        index: &PathIndex,
        all: &[DocumentImports],
    ) -> Vec<usize> {
        let found = names.iter().map(|name| self.find_files(name, index, all));
        found.collect::<Vec<_>>().concat()
    }

    /// The numbers of the documents that a name means.
    fn find_files(&self, name: &str, index: &PathIndex, all: &[DocumentImports]) -> Vec<usize> {
        let directory = self.document.path.parent().unwrap_or(Path::new(""));
        match self.rules.lookup {
            ImportLookup::Path => index.find_path(directory, [PathBuf::from(name)]),
            ImportLookup::Module => {
                let file = format!("{name}.rs");
                let below = Path::new(name).join("mod.rs");
                let stem = self.document.path.file_stem().unwrap_or_default();
                let is_outer = ["mod", "lib", "main"].iter().any(|outer| stem == *outer);
                let own = match is_outer {
                    true => directory.to_path_buf(),
                    false => directory.join(stem),
                };
                index.find_path(&own, [PathBuf::from(file), below])
            }
            ImportLookup::Dotted => {
                let dots = name.len() - name.trim_start_matches('.').len();
                let parts: PathBuf = name.split('.').filter(|part| !part.is_empty()).collect();
                let up = (1..dots).fold(directory.to_path_buf(), |path, _| path.join(".."));
                match parts.file_name() {
                    None => index.find_path(&up, [PathBuf::from("__init__.py")]),
                    Some(_) => {
                        let files = [parts.with_extension("py"), parts.join("__init__.py")];
                        index.find_path(&up, files)
                    }
                }
            }
            ImportLookup::Relative => {
                let extensions = [
                    "",
                    ".js",
                    ".mjs",
                    ".cjs",
                    ".jsx",
                    ".ts",
                    ".tsx",
                    "/index.js",
                    "/index.ts",
                ];
                let files = extensions.map(|extension| PathBuf::from(format!("{name}{extension}")));
                index.find_path(directory, files)
            }
            ImportLookup::Package => find_package_files(name, all),
            ImportLookup::Directory => index.find_directory(name),
        }
    }
}

/// The files that declare a name of a package, or all of a package. A file may be named after what it declares.
fn find_package_files(name: &str, all: &[DocumentImports]) -> Vec<usize> {
    let of_package = |package: &str| {
        let package = package.to_owned();
        all.iter()
            .filter(move |file| file.package.as_deref() == Some(&*package))
    };
    let numbers = |files: Vec<&DocumentImports>| files.iter().map(|file| file.number).collect();
    if let Some(package) = name.strip_suffix(".*") {
        return numbers(of_package(package).collect());
    }
    let Some((package, own)) = name.rsplit_once('.') else {
        return Vec::new();
    };
    let is_named = |file: &&DocumentImports| {
        file.document
            .path
            .file_stem()
            .is_some_and(|stem| stem == own)
    };
    let named: Vec<_> = of_package(package).filter(is_named).collect();
    if !named.is_empty() {
        return numbers(named);
    }
    let mentions = |file: &&DocumentImports| {
        let mut leaves = walk::iter_leaves(&file.document.root);
        leaves.any(|leaf| leaf.text() == own.as_bytes())
    };
    numbers(of_package(package).filter(mentions).collect())
}

/// The documents that are there, by their paths.
struct PathIndex<'a> {
    documents: &'a [Document],
    by_path: FxHashMap<&'a Path, usize>,
    /// By the last part of the path.
    by_name: FxHashMap<&'a OsStr, Vec<usize>>,
}

impl<'a> PathIndex<'a> {
    fn new(documents: &'a [Document]) -> PathIndex<'a> {
        let (mut by_path, mut by_name) = (FxHashMap::default(), FxHashMap::default());
        let there = documents.iter().enumerate();
        for (number, document) in there.filter(|(_, document)| !document.is_gone) {
            by_path.insert(&*document.path, number);
            let name = document.path.file_name().unwrap_or_default();
            let named: &mut Vec<usize> = by_name.entry(name).or_default();
            named.push(number);
        }
        PathIndex {
            documents,
            by_path,
            by_name,
        }
    }

    /// The documents in a directory whose path this name ends with.
    fn find_directory(&self, name: &str) -> Vec<usize> {
        let documents = self.documents.iter().enumerate();
        let lies_there = |document: &Document| {
            let own = document.path.parent().unwrap_or(Path::new(""));
            !own.as_os_str().is_empty() && Path::new(name).ends_with(own)
        };
        let there = documents.filter(|(_, document)| !document.is_gone && lies_there(document));
        there.map(|(number, _)| number).collect()
    }

    /// The document at the first of these paths below a directory, or else the only one whose path ends like one of them.
    fn find_path<const N: usize>(&self, directory: &Path, paths: [PathBuf; N]) -> Vec<usize> {
        for path in &paths {
            let wanted = normalize_path(&directory.join(path));
            if let Some(found) = self.by_path.get(&*wanted) {
                return vec![*found];
            }
        }
        for path in &paths {
            let end = normalize_path(path);
            let named = end.file_name().and_then(|name| self.by_name.get(name));
            let named = named.map_or(&[][..], Vec::as_slice).iter().copied();
            let ends_alike = |number: &usize| self.documents[*number].path.ends_with(&end);
            let found: Vec<usize> = named.filter(ends_alike).collect();
            if let [only] = found[..] {
                return vec![only];
            }
        }
        Vec::new()
    }
}

/// The same path without `.` and, where there is a directory before it, `..`.
fn normalize_path(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if normal.file_name().is_some() => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::read_program;

    fn named_files(text: &str) -> usize {
        let files = [("a.js", text), ("b.js", "export const n0 = 1;\n")];
        let files = files.map(|(path, text)| (Path::new(path).into(), text.as_bytes().into()));
        let version = read_program(files.into()).expect("the files can be read");
        FileNeeds::of_version(&version).iter().count()
    }

    #[test]
    fn an_import_of_hundreds_of_names_names_its_file_and_a_longer_statement_none() {
        let names: String = (0..400).map(|number| format!("n{number}, ")).collect();
        assert_eq!(
            named_files(&format!("import {{ {names} }} from './b';\n")),
            1
        );
        let with_list = |length: usize| {
            let list = "1, ".repeat(length);
            named_files(&format!("const b = require('./b'), list = [{list}];\n"))
        };
        assert_eq!((with_list(40), with_list(4000)), (1, 0));
    }
}
