//! One immutable state of the program.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use super::edit::Edit;
use super::hash::{Gist, Hash};
use super::names::{self, Later, Names};
use super::node::{Flags, Node, NodeId, Sums};
use super::walk;
use crate::language::parser::{Capture, ParseLimit, ParseTree};
use crate::language::{Language, Newlines};

/// A document: a file of the program.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its path, relative to where the test finds it.
    pub path: Arc<Path>,
    /// Its language; none for text that is only lines and tokens.
    pub language: Option<&'static Language>,
    /// Its tree. The last leaf is an `End`, which holds what stands after the last token.
    pub root: Arc<Node>,
}

/// One immutable state of the program: documents, and where each node is. Cloning costs a few reference counts.
#[derive(Clone, Debug)]
pub struct Version {
    documents: Arc<[Document]>,
    parents: Parents,
    trees: Trees,
    names: Later,
    /// Whether the tree is that of a parse from scratch: no edit has changed it since.
    read: bool,
}

/// The parser's own trees of the documents, where they are known: for the guard and for highlighting.
pub type Trees = Arc<[Option<ParseTree>]>;

/// Whose child a node is: a table for the nodes of the original, and a persistent map of all that moved since. Entries of nodes
/// that are gone stay, so a path is believed only after a look at the tree.
#[derive(Clone, Debug, Default)]
pub struct Parents {
    original: Arc<[u64]>,
    moved: imbl::GenericHashMap<NodeId, NodeId, FxBuildHasher, imbl::shared_ptr::DefaultSharedPtr>,
}

impl Parents {
    /// `original[i]` is the parent of node `i`, 0 for none.
    pub fn new(original: Vec<u64>) -> Parents {
        Parents {
            original: original.into(),
            ..Parents::default()
        }
    }

    fn get(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.moved.get(&node).copied();
        parent
            .or_else(|| self.original.get(node.0 as usize).copied().map(NodeId))
            .filter(|parent| parent.0 != 0)
    }

    /// `node` is now a child of `parent`.
    pub fn set(&mut self, node: NodeId, parent: NodeId) {
        if self.get(node) != Some(parent) {
            self.moved.insert(node, parent);
        }
    }
}

/// The way from a document's root to a node.
#[derive(Clone, Debug)]
pub struct Trail<'a> {
    /// The number of the document.
    pub document: usize,
    /// The nodes from the root to the node itself, chunks included.
    pub nodes: Vec<&'a Arc<Node>>,
}

impl<'a> Trail<'a> {
    /// The node at the end of the way.
    pub fn node(&self) -> &'a Arc<Node> {
        self.nodes.last().expect("a trail has at least the root")
    }

    /// The nearest ancestor that is no chunk.
    pub fn parent(&self) -> Option<&'a Arc<Node>> {
        self.ancestors().next()
    }

    /// Ancestors from the nearest to the root, without chunks.
    pub fn ancestors(&self) -> impl Iterator<Item = &'a Arc<Node>> {
        self.nodes
            .iter()
            .rev()
            .skip(1)
            .copied()
            .filter(|node| node.shape != super::node::Shape::Chunk)
    }

    /// The child on the way below its `depth`-th node, chunks looked through, and how many children of that node stand before it.
    pub fn child(&self, depth: usize) -> Option<(u32, &'a Arc<Node>)> {
        let mut index = 0;
        for pair in self.nodes[depth..].windows(2) {
            let before = pair[0].kids().iter().take_while(|kid| kid.id != pair[1].id);
            index += before.map(|kid| kid.sums.items).sum::<u32>();
            if pair[1].shape != super::node::Shape::Chunk {
                return Some((index, pair[1]));
            }
        }
        None
    }

    /// The sums of all that stands before the node in its document.
    pub fn before(&self) -> Before {
        let mut before = Before::default();
        for pair in self.nodes.windows(2) {
            for kid in pair[0].kids().iter().take_while(|kid| kid.id != pair[1].id) {
                before.add(&kid.sums);
            }
        }
        before
    }
}

/// How much of a document stands before a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Before {
    /// Leaves.
    pub leaves: u32,
    /// Bytes.
    pub bytes: u32,
    /// Line ends.
    pub newlines: u32,
}

impl Before {
    fn add(&mut self, sums: &Sums) {
        self.leaves += sums.leaves;
        self.bytes += sums.bytes;
        self.newlines += sums.newlines;
    }
}

impl Version {
    /// A version of documents that were just read. `captures` are what the query for names found in each, where that is known.
    pub(super) fn read(
        documents: Vec<Document>,
        parents: Parents,
        trees: Trees,
        captures: Vec<Option<Vec<Capture>>>,
    ) -> Version {
        let names = Later::known(names::facts(&documents, &trees, captures));
        Version {
            documents: documents.into(),
            parents,
            trees,
            names,
            read: true,
        }
    }

    /// The version of these documents that `edit` makes of this one.
    pub(super) fn edited(
        &self,
        edit: &Edit,
        documents: Vec<Document>,
        parents: Parents,
    ) -> Version {
        Version {
            trees: vec![None; documents.len()].into(),
            documents: documents.into(),
            parents,
            names: Later::after(self, edit),
            read: false,
        }
    }

    /// Who declares which name, and who uses it. Costs what the edit changed that made this version, the first time.
    pub fn names(&self) -> &Names {
        self.names.names()
    }

    /// Whether the tree is that of a parse from scratch.
    pub(super) fn is_read(&self) -> bool {
        self.read
    }

    /// The documents.
    pub fn documents(&self) -> &[Document] {
        &self.documents
    }

    /// Where nodes are.
    pub fn parents(&self) -> &Parents {
        &self.parents
    }

    /// The parser's trees, one a document.
    pub fn trees(&self) -> &Trees {
        &self.trees
    }

    /// The parser's tree of a document, whose text is `text`: the one that is known, or else by a parse.
    pub fn tree(&self, document: usize, text: &[u8]) -> Option<ParseTree> {
        let known = self.trees[document].clone();
        known.or_else(|| {
            let language = self.documents[document].language?;
            let limit = ParseLimit::for_length(text.len());
            language
                .parser()
                .parse(&language.mask(text), None, limit)
                .ok()
        })
    }

    /// The same version, now with the parser's trees.
    pub fn with_trees(mut self, trees: Trees) -> Version {
        self.trees = trees;
        self
    }

    /// The same version with other trees of ours: same text, same identities.
    pub(super) fn with_documents(&self, documents: Vec<Document>) -> Version {
        Version {
            documents: documents.into(),
            ..self.clone()
        }
    }

    /// Leaves of all documents that must stay.
    pub fn pinned(&self) -> u32 {
        let documents = self.documents.iter();
        documents.map(|document| document.root.sums.pinned).sum()
    }

    /// Tokens of all documents.
    pub fn tokens(&self) -> u32 {
        self.documents
            .iter()
            .map(|document| document.root.sums.tokens)
            .sum()
    }

    /// Bytes of all documents.
    pub fn bytes(&self) -> u32 {
        self.documents
            .iter()
            .map(|document| document.root.sums.bytes)
            .sum()
    }

    /// The hash of all documents' bytes, each closed by its length: the key of cache, facts and decisions.
    pub fn hash(&self) -> Hash {
        self.documents
            .iter()
            .fold(Hash::default(), |hash, document| {
                let Sums {
                    bytes, hash: own, ..
                } = document.root.sums;
                hash.then(own, u64::from(bytes))
                    .then(Hash::of(&bytes.to_le_bytes()), 4)
            })
    }

    /// The hash of all documents' tokens and comments, whatever white space is between them; none where white space means something.
    /// Costs what [`Version::hash`] does.
    pub fn gist(&self) -> Option<Gist> {
        let bound = Flags::MARKER.with(Flags::LINES);
        self.documents
            .iter()
            .try_fold(Gist::default(), |gist, document| {
                let Sums {
                    leaves, gist: own, ..
                } = document.root.sums;
                let language = document.language?;
                let free =
                    language.newlines() == Newlines::Free && !document.root.flags.meets(bound);
                let number = Gist::of(Hash::of(&leaves.to_le_bytes()));
                free.then(|| gist.then(own, leaves).then(number, 1))
            })
    }

    /// What a test sees: each document's path and bytes.
    pub fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        self.documents
            .iter()
            .map(|document| (document.path.to_path_buf(), walk::render(&document.root)))
            .collect()
    }

    /// The way to `node`; none if this version has no such node.
    pub fn trail(&self, node: NodeId) -> Option<Trail<'_>> {
        let mut ids = vec![node];
        while let Some(parent) = self.parents.get(ids[ids.len() - 1]) {
            ids.push(parent);
        }
        let root = ids.pop()?;
        let document = self
            .documents
            .iter()
            .position(|document| document.root.id == root)?;
        let mut nodes = vec![&self.documents[document].root];
        while let Some(id) = ids.pop() {
            let kids = nodes[nodes.len() - 1].kids();
            nodes.push(kids.iter().find(|kid| kid.id == id)?);
        }
        Some(Trail { document, nodes })
    }

    /// The node of that identity.
    pub fn node(&self, node: NodeId) -> Option<&Arc<Node>> {
        self.trail(node).map(|trail| trail.node())
    }

    /// The kind of a node as a person would call it: the parser's kind, or the word of the normal form.
    pub fn kind(&self, document: usize, node: &Node) -> &str {
        use super::node::Shape;
        match (node.class, self.documents[document].language) {
            (Some(class), Some(language)) => language.grammar().class_name(class),
            _ => match node.shape {
                Shape::Token => "token",
                Shape::Extra => "comment",
                Shape::End => "end",
                Shape::Regular => "document",
                Shape::Star | Shape::Plus => "list",
                Shape::Opt => "optional",
                Shape::Sep => "separated list",
                Shape::Link => "link",
                Shape::Item => "group",
                Shape::Opaque => "unparsed",
                Shape::Chunk => "stretch",
            },
        }
    }
}
