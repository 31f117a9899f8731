//! Spares imports whose name the rest of their file uses, in a program of several files.
//!
//! Where a file imports what another declares, its name graph knows the declaration alone, and nothing of that is lost with the import. But the
//! file finds a name of another package only by it. Imports of names from outside of the program are declarations, which the other filters know.
//! What the text of a file does not show, such as an operator, is asked about. There is no paper on it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{EditFilter, FilterKind, FilteredPass};
use crate::language::{ImportLookup, ImportRules, Language};
use crate::pass::StrategyFeature;
use crate::program::{
    Document, Edit, EditOp, EditReason, NodeId, NodeShape, ProgramNode, View, recount_action, walk,
};
use crate::protocol::abandon::count_round;

/// Imported names.
pub static IMPORTED_NAMES: FilterKind = FilterKind {
    name: "imported names",
    description: "of several files, spares imports whose name the rest of their file uses",
    feature: Some(StrategyFeature::DanglingUses),
    wrap: |pass| FilteredPass::new_boxed(pass, ImportedNameFilter),
};

/// An import with more tokens is none of one name.
const MOST_TOKENS: u32 = 64;

/// See the module's text.
#[derive(Clone, Copy, Debug, Default)]
pub struct ImportedNameFilter;

impl EditFilter for ImportedNameFilter {
    fn filter_edit(
        &self,
        view: &View,
        edit: &Edit,
        why: &EditReason,
    ) -> Option<(Edit, EditReason)> {
        let unchanged = || Some((edit.clone(), why.clone()));
        let documents = view.version.documents();
        if documents.len() < 2 || !documents.iter().any(|file| package_rules(file).is_some()) {
            return unchanged();
        }
        let mut files = EditedFiles::new(view, edit);
        let ops: Vec<Option<EditOp>> = edit.ops.iter().map(|op| files.shrink_op(op)).collect();
        if ops
            .iter()
            .zip(&edit.ops)
            .all(|(left, op)| left.as_ref() == Some(op))
        {
            return unchanged();
        }
        let left: Edit = ops.into_iter().flatten().collect();
        if left.ops.is_empty() {
            return None;
        }
        let action = recount_action(&why.action, &view.version, edit, &left);
        let why = EditReason {
            action: action.unwrap_or_else(|| why.action.clone()),
            ..why.clone()
        };
        Some((left, why))
    }
}

/// The rules of a file that imports names of packages.
fn package_rules(document: &Document) -> Option<(&'static Language, &'static ImportRules)> {
    let language = document.language.filter(|_| !document.is_gone)?;
    let rules = language.import_rules()?;
    (rules.lookup == ImportLookup::Package).then_some((language, rules))
}

/// What an edit leaves of the files in which it removes an import.
struct EditedFiles<'a> {
    view: &'a View,
    removed: FxHashSet<NodeId>,
    /// By the number of the document.
    left: FxHashMap<usize, LeftFile<'a>>,
}

/// What is left of a file.
#[derive(Default)]
struct LeftFile<'a> {
    /// Its words, but for those of imports.
    words: FxHashSet<&'a [u8]>,
    package: String,
    /// The packages of which it imports all.
    whole_packages: FxHashSet<String>,
}

impl<'a> EditedFiles<'a> {
    fn new(view: &'a View, edit: &'a Edit) -> EditedFiles<'a> {
        let removed = edit.ops.iter();
        let removed = removed.flat_map(|op| op.removed_nodes(&view.version));
        EditedFiles {
            view,
            removed: removed.map(|node| node.id).collect(),
            left: FxHashMap::default(),
        }
    }

    /// The operation without the imports that stay; none if nothing is left of it.
    fn shrink_op(&mut self, op: &EditOp) -> Option<EditOp> {
        let version = &self.view.version;
        let Some((list, items)) = op.removed_items() else {
            let removed = op.removed_node().and_then(|node| version.find_node(node));
            let stays = removed.is_some_and(|node| self.is_needed(node));
            return (!stays).then(|| op.clone());
        };
        let Some(node) = version.find_node(list) else {
            return Some(op.clone());
        };
        let numbers = items.ranges().iter().cloned().flatten();
        let items_there = numbers.zip(walk::selected_items(node, items));
        let spared: Vec<u32> = items_there
            .filter(|(_, item)| self.is_needed(item))
            .map(|(number, _)| number)
            .collect();
        if spared.is_empty() {
            return Some(op.clone());
        }
        let items = items.without_sorted(spared);
        (!items.is_empty()).then_some(EditOp::DeleteItems { list, items })
    }

    /// Whether a removed node is an import of a name that is used in what is left of its file.
    fn is_needed(&mut self, node: &ProgramNode) -> bool {
        count_round();
        if node.sums().tokens > MOST_TOKENS {
            return false;
        }
        let version = &self.view.version;
        let documents = version.documents();
        let Some(root) = version.path_to(node.id).map(|path| path.nodes[0].id) else {
            return false;
        };
        let Some(number) = documents.iter().position(|file| file.root.id == root) else {
            return false;
        };
        let Some((language, rules)) = package_rules(&documents[number]) else {
            return false;
        };
        let Some(import) = version.find_node(node.id).and_then(|node| {
            let mut named = walk::preorder(node).filter(|part| part.class.is_some());
            named.next()
        }) else {
            return false;
        };
        let Some(kind) = import
            .class
            .map(|class| language.grammar().class_name(class))
        else {
            return false;
        };
        let names = rules.find_names(kind, &walk::render_text(import)).concat();
        let [name] = &names[..] else {
            return false;
        };
        let package = name.rsplit_once('.').map_or("", |(package, _)| package);
        // The last word is the name in the file, also behind an `as`.
        let words = walk::iter_leaves(import).filter(|leaf| is_word(leaf.text()));
        let Some(local) = words.last().filter(|_| !name.ends_with(".*")) else {
            return false;
        };
        let removed = &self.removed;
        let left = self
            .left
            .entry(number)
            .or_insert_with(|| LeftFile::read(&documents[number], (language, rules), removed));
        left.words.contains(local.text())
            && left.package != package
            && !left.whole_packages.contains(package)
    }
}

impl<'a> LeftFile<'a> {
    fn read(
        document: &'a Document,
        (language, rules): (&'static Language, &'static ImportRules),
        removed: &FxHashSet<NodeId>,
    ) -> LeftFile<'a> {
        let mut left = LeftFile::default();
        let mut open = vec![&document.root];
        while let Some(node) = open.pop() {
            count_round();
            if removed.contains(&node.id) {
                continue;
            }
            let kind = node.class.map(|class| language.grammar().class_name(class));
            if let Some(kind) = kind.filter(|kind| rules.concerns(kind)) {
                let text = walk::render_text(node);
                left.package = rules.find_package(kind, &text).unwrap_or(left.package);
                let names = rules.find_names(kind, &text).concat().into_iter();
                let whole = names.filter_map(|name| Some(name.strip_suffix(".*")?.to_owned()));
                left.whole_packages.extend(whole);
                continue;
            }
            if node.shape == NodeShape::Token {
                left.words.insert(node.text());
            }
            open.extend(node.children());
        }
        left
    }
}

fn is_word(text: &[u8]) -> bool {
    text.first().is_some_and(|first| {
        first.is_ascii_alphabetic() || *first >= 0x80 || b"_$`".contains(first)
    })
}
