//! One immutable state of the program.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use super::document_parse::DocumentParse;
use super::edit::AppliedEdit;
use super::file_needs::FileNeeds;
use super::hash::{ContentHash, TokenHash};
use super::names::{FoundNames, LazyNameGraph, NameGraph, NameSharing, ReadNames};
use super::node::{NodeFlags, NodeId, ProgramNode, SubtreeSums};
use super::objective::{Objective, ObjectiveSize};
use super::pair::TwinMap;
use super::text::{FileText, SharedText};
use super::{stand_ins, walk};
use crate::language::parser::ParseTree;
use crate::language::{Language, NewlineMeaning};

/// A document: a file of the program.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its path, relative to where the test finds it.
    pub path: Arc<Path>,
    /// Its language; none for text that is only lines and tokens.
    pub language: Option<&'static Language>,
    /// Its tree. The last leaf is an `End`, which holds what stands after the last token.
    pub root: Arc<ProgramNode>,
    /// What edits may do to it.
    pub freedom: DocumentFreedom,
    /// Whether the file is gone. Its tree is empty then, and the document keeps its number.
    pub is_gone: bool,
    /// Whether its tree is that of a parse from scratch, which no edit has changed.
    pub(super) is_fresh: bool,
}

/// What edits may do to a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentFreedom {
    /// Anything. The file itself may go where the program has several.
    #[default]
    Free,
    /// The file may go, and its text stays as it is.
    Whole,
    /// The file stays, and so does its text.
    Fixed,
}

impl Document {
    /// A document that edits may change, in this language.
    pub(super) fn new(
        path: Arc<Path>,
        language: Option<&'static Language>,
        root: Arc<ProgramNode>,
    ) -> Document {
        Document {
            path,
            language,
            root,
            freedom: DocumentFreedom::Free,
            is_gone: false,
            is_fresh: true,
        }
    }

    /// The same document with a tree that an edit has made.
    pub(super) fn with_edited_root(&self, root: Arc<ProgramNode>) -> Document {
        Document {
            is_fresh: self.is_fresh && Arc::ptr_eq(&root, &self.root),
            root,
            ..self.clone()
        }
    }

    /// The same document with a tree that was read.
    pub(super) fn with_read_root(&self, root: Arc<ProgramNode>) -> Document {
        Document {
            root,
            is_gone: false,
            is_fresh: true,
            ..self.clone()
        }
    }

    /// The same document, which is reduced in this way.
    pub(super) fn with_freedom(self, freedom: DocumentFreedom) -> Document {
        Document { freedom, ..self }
    }

    /// The same document without its file: of its tree only the end is left.
    pub(super) fn without_file(&self) -> Document {
        let last = self.root.sums().leaves.checked_sub(1);
        let end = last.and_then(|last| walk::leaf_at(&self.root, last));
        let end = end.map(|end| {
            ProgramNode::new_leaf(
                end.head(),
                end.ids(),
                SharedText::empty(),
                SharedText::empty(),
            )
        });
        Document {
            root: ProgramNode::new_inner(self.root.head(), end.into_iter().collect()),
            is_gone: true,
            ..self.clone()
        }
    }

    /// A number about its text, for a hash; another one if the file is gone.
    fn mark_gone(&self, number: u32) -> u32 {
        match self.is_gone {
            true => u32::MAX,
            false => number,
        }
    }

    /// Its text; none if the file is gone.
    pub fn text(&self) -> FileText {
        (!self.is_gone).then(|| walk::render_text(&self.root).into())
    }
}

/// One immutable state of the program: documents, and where each node is. Cloning costs a few reference counts.
#[derive(Clone, Debug)]
pub struct Version {
    documents: Arc<[Document]>,
    parents: ParentMap,
    parse_trees: ParseTrees,
    /// Whether the parser's trees were dropped, and a parse of the texts shall make them again.
    trees_dropped: bool,
    name_graph: LazyNameGraph,
    /// Whether the tree is that of a parse from scratch, which no edit has changed.
    fresh_parse: bool,
    /// Whether the first tree was given: a parser's tree replaces it only where both read the text alike.
    given_tree: bool,
    /// Whether it is laid out again after each edit. All versions of a run have the same.
    keeps_layout: bool,
    /// What the run makes smaller. All versions of a run have the same.
    objective: Arc<Objective>,
    /// Its size, once it was asked for.
    pub(super) size: Arc<OnceLock<ObjectiveSize>>,
    /// The tokens that both documents of a pair have; none if it is no pair.
    twins: Option<TwinMap>,
    /// What its files need of each other, once that was asked for.
    pub(super) file_needs: Arc<OnceLock<FileNeeds>>,
    content_hash: Arc<OnceLock<ContentHash>>,
}

/// What the parser knows of the documents, where it is known: for the parse check and for highlighting.
pub type ParseTrees = Arc<[Option<DocumentParse>]>;

/// The parent of each node: a table for the nodes of the original, and a persistent map of all that moved since. Entries of removed nodes
/// stay, so a path counts only after a walk down the tree has confirmed it.
#[derive(Clone, Debug, Default)]
pub struct ParentMap {
    original: Arc<Vec<u32>>,
    moved: imbl::GenericHashMap<NodeId, NodeId, FxBuildHasher, imbl::shared_ptr::DefaultSharedPtr>,
}

impl ParentMap {
    /// `original[i]` is the parent of node `i`, 0 for none. Inputs are at most 100 MB, so 32 bits hold every number of theirs.
    pub fn new(original: Vec<u32>) -> ParentMap {
        ParentMap {
            original: Arc::new(original),
            ..ParentMap::default()
        }
    }

    fn get(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.moved.get(&node).copied();
        parent
            .or_else(|| {
                let parent = self.original.get(node.0 as usize).copied();
                parent.map(|parent| NodeId(parent.into()))
            })
            .filter(|parent| parent.0 != 0)
    }

    /// `node` is now a child of `parent`.
    pub fn set(&mut self, node: NodeId, parent: NodeId) {
        if self.get(node) != Some(parent) {
            self.moved.insert(node, parent);
        }
    }
}

/// The path from a document's root to a node.
#[derive(Clone, Debug)]
pub struct NodePath<'a> {
    /// The number of the document.
    pub document: usize,
    /// The nodes from the root to the node itself, chunks included.
    pub nodes: Vec<&'a Arc<ProgramNode>>,
}

impl<'a> NodePath<'a> {
    /// The node at the end of the path.
    pub fn node(&self) -> &'a Arc<ProgramNode> {
        self.nodes.last().expect("a path has at least the root")
    }

    /// The nearest ancestor that is not a chunk.
    pub fn parent(&self) -> Option<&'a Arc<ProgramNode>> {
        self.ancestors().next()
    }

    /// Ancestors from the nearest to the root, without chunks.
    pub fn ancestors(&self) -> impl Iterator<Item = &'a Arc<ProgramNode>> {
        self.nodes
            .iter()
            .rev()
            .skip(1)
            .copied()
            .filter(|node| node.shape != super::node::NodeShape::Chunk)
    }

    /// The child on the path below its `depth`-th node, chunks looked through, and how many children of that node stand before it.
    pub fn child_below(&self, depth: usize) -> Option<(u32, &'a Arc<ProgramNode>)> {
        let mut index = 0;
        for pair in self.nodes[depth..].windows(2) {
            let before = pair[0]
                .children()
                .iter()
                .take_while(|child| child.id != pair[1].id);
            index += before.map(|child| child.sums().items).sum::<u32>();
            if pair[1].shape != super::node::NodeShape::Chunk {
                return Some((index, pair[1]));
            }
        }
        None
    }

    /// The line on which the text of the node begins, from 1.
    pub fn line(&self) -> u32 {
        let first = walk::leaf_at(self.node(), 0);
        let blank = first.iter().flat_map(|leaf| leaf.trivia());
        let above = blank.filter(|&&byte| byte == b'\n').count();
        self.preceding_sums().newlines + above as u32 + 1
    }

    /// The sums of all that stands before the node in its document.
    pub fn preceding_sums(&self) -> PrecedingSums {
        let mut before = PrecedingSums::default();
        for pair in self.nodes.windows(2) {
            for child in pair[0]
                .children()
                .iter()
                .take_while(|child| child.id != pair[1].id)
            {
                before.add_subtree(&child.sums());
            }
        }
        before
    }
}

/// How much of a document stands before a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrecedingSums {
    /// Leaves.
    pub leaves: u32,
    /// Bytes.
    pub bytes: u32,
    /// Line ends.
    pub newlines: u32,
}

impl PrecedingSums {
    fn add_subtree(&mut self, sums: &SubtreeSums) {
        self.leaves += sums.leaves;
        self.bytes += sums.bytes;
        self.newlines += sums.newlines;
    }
}

impl Version {
    /// A version of documents that were just read. `found` are the names in each, where they were looked for already.
    pub(super) fn from_parse(
        documents: Vec<Document>,
        parents: ParentMap,
        parses: Vec<Option<DocumentParse>>,
        found: FoundNames,
        sharing: NameSharing,
    ) -> Version {
        let (documents, parses): (Arc<[Document]>, ParseTrees) = (documents.into(), parses.into());
        let names = LazyNameGraph::from_text(ReadNames {
            documents: documents.clone(),
            parses: parses.clone(),
            found,
            sharing,
        });
        Version {
            parse_trees: parses,
            documents,
            parents,
            trees_dropped: false,
            name_graph: names,
            fresh_parse: true,
            given_tree: false,
            keeps_layout: false,
            objective: Arc::default(),
            size: Arc::default(),
            twins: None,
            file_needs: Arc::default(),
            content_hash: Arc::default(),
        }
    }

    /// The version of these documents that an edit makes of this one.
    pub(super) fn with_edit(
        &self,
        change: &AppliedEdit,
        documents: Vec<Document>,
        parents: ParentMap,
    ) -> Version {
        let twins = self.twins.as_ref();
        Version {
            twins: twins.map(|twins| twins.after_edit(&self.documents, &documents, &change.copied)),
            parse_trees: vec![None; documents.len()].into(),
            trees_dropped: false,
            documents: documents.into(),
            parents,
            name_graph: LazyNameGraph::from_edit(self, &change.edit),
            fresh_parse: false,
            given_tree: self.given_tree,
            keeps_layout: self.keeps_layout,
            objective: self.objective.clone(),
            size: Arc::default(),
            file_needs: Arc::default(),
            content_hash: Arc::default(),
        }
    }

    /// Which tokens declare and use which names. The first call costs what the edit changed that made this version.
    pub fn name_graph(&self) -> &NameGraph {
        self.name_graph.get_or_compute()
    }

    /// The same, if it was computed already.
    pub fn known_name_graph(&self) -> Option<&NameGraph> {
        self.name_graph.known()
    }

    /// Whether the tree is that of a parse from scratch.
    pub(super) fn is_fresh_parse(&self) -> bool {
        self.fresh_parse
    }

    /// The same version, whose tree was given in the place of a parse.
    pub(super) fn with_given_tree(self) -> Version {
        Version {
            given_tree: true,
            ..self
        }
    }

    /// Whether the tree was given in the place of a parse, or the edits since have made it of one that was.
    pub(super) fn has_given_tree(&self) -> bool {
        self.given_tree
    }

    /// Whether a declaration of this name needs no use, by the language of a document: a program begins there.
    pub fn is_entry(&self, name: &str) -> bool {
        let mut languages = self
            .documents
            .iter()
            .filter_map(|document| document.language);
        languages.any(|language| language.is_entry(name))
    }

    /// Whether the language of a document says what its statements are.
    pub fn has_statements(&self) -> bool {
        let facts = self.documents.iter();
        let mut facts = facts.filter_map(|document| document.language?.statements());
        facts.any(|facts| facts.has_statements())
    }

    /// Whether the language of a document has a grammar as it is written, in BNF.
    pub fn has_bnf_grammar(&self) -> bool {
        let mut languages = self
            .documents
            .iter()
            .filter_map(|document| document.language);
        languages.any(|language| language.bnf_grammar().is_some())
    }

    /// Whether passes over text ask about candidates with new parse errors too: the language of each document says that, or it has none.
    pub fn has_unguarded_text(&self) -> bool {
        let mut languages = self.documents.iter().map(|document| document.language);
        languages.all(|language| language.is_none_or(Language::has_unguarded_text))
    }

    /// The documents.
    pub fn documents(&self) -> &[Document] {
        &self.documents
    }

    /// Where nodes are.
    pub fn parents(&self) -> &ParentMap {
        &self.parents
    }

    /// What the parser knows, one a document.
    pub fn parse_trees(&self) -> &ParseTrees {
        &self.parse_trees
    }

    /// The parser's tree of a document, if it is known. It is made first where the parser has seen only an excerpt of the document.
    pub fn parse_tree(&self, document: usize) -> Option<&ParseTree> {
        self.parse_trees.get(document)?.as_ref()?.tree()
    }

    /// The parser's tree of a document, if there is one already.
    pub fn known_parse_tree(&self, document: usize) -> Option<&ParseTree> {
        self.parse_trees.get(document)?.as_ref()?.known_tree()
    }

    /// The parser's tree of a document, whose text is `text`: the one that is known, or else a new parse.
    pub fn get_or_parse_tree(&self, document: usize, text: &[u8]) -> Option<ParseTree> {
        let known = self.parse_tree(document).cloned();
        known.or_else(|| {
            let document = &self.documents[document];
            let language = document.language?;
            let (parser, text) = (&mut language.new_parser(), language.mask_text(text));
            stand_ins::parse_completed(parser, language, &document.root, &text).ok()
        })
    }

    /// The same version, now with what the parser knows.
    pub fn with_parse_trees(mut self, trees: ParseTrees) -> Version {
        (self.parse_trees, self.trees_dropped) = (trees, false);
        self
    }

    /// The same version without the parser's trees, as a history keeps it: they are the larger part of what a version has for itself. A
    /// tree that was given in the place of a parse stays.
    pub fn without_parse_trees(mut self) -> Version {
        if !self.given_tree {
            self.parse_trees = vec![None; self.documents.len()].into();
            self.trees_dropped = true;
        }
        self
    }

    /// The same version with the trees of a parse from scratch; none if its trees were not dropped. A document whose parse does not end
    /// within its limit has no tree.
    pub fn parse_dropped_trees(&self) -> Option<Version> {
        let texts = self.trees_dropped.then(|| self.render_texts())?;
        let trees = texts.iter().enumerate();
        let trees = trees.map(|(at, text)| self.get_or_parse_tree(at, text.as_deref()?));
        let trees = pair_with_trees(&self.documents, trees);
        Some(self.clone().with_parse_trees(trees))
    }

    /// The same version with other trees of the same texts and identities.
    pub(super) fn with_documents(&self, documents: Vec<Document>) -> Version {
        Version {
            documents: documents.into(),
            ..self.clone()
        }
    }

    /// The same version with other white space.
    pub(super) fn with_new_white_space(&self, documents: Vec<Document>) -> Version {
        Version {
            parse_trees: vec![None; documents.len()].into(),
            trees_dropped: false,
            documents: documents.into(),
            fresh_parse: false,
            size: Arc::default(),
            content_hash: Arc::default(),
            ..self.clone()
        }
    }

    /// The same version, which is in canonical form; with `keep`, what edits make of it will be laid out as it is.
    #[must_use]
    pub fn keeping_layout(mut self, keep: bool) -> Version {
        self.keeps_layout = keep;
        self
    }

    /// Whether what edits make of it is laid out as it is.
    pub fn keeps_layout(&self) -> bool {
        self.keeps_layout
    }

    /// The number of leaves of all documents that must stay.
    pub fn pinned_count(&self) -> u32 {
        let documents = self.documents.iter();
        documents.map(|document| document.root.sums().pinned).sum()
    }

    /// The same version with this objective, and that of all versions that are made of it.
    pub fn with_objective(mut self, objective: Objective) -> Version {
        (self.objective, self.size) = (Arc::new(objective), Arc::default());
        self
    }

    /// The same version, read again from a version of the run: with its objective, and with twins if that is a pair.
    pub(super) fn continuing(mut self, earlier: &Version) -> Version {
        let twins = earlier.twins.as_ref();
        self.twins = twins.map(|twins| twins.after_reading(&earlier.documents, &self.documents));
        (self.objective, self.size) = (earlier.objective.clone(), Arc::default());
        self.given_tree = earlier.given_tree;
        self.keeps_layout = earlier.keeps_layout;
        self
    }

    /// The first document as the seed and the second as the variant of a pair, whose difference is to become small.
    pub(super) fn into_pair(mut self) -> Version {
        if let [seed, variant] = &*self.documents {
            self.twins = Some(TwinMap::match_documents(seed, variant));
        }
        self.with_objective(Objective::Pair)
    }

    /// The tokens that both documents of a pair have; none if it is no pair.
    pub fn twins(&self) -> Option<&TwinMap> {
        self.twins.as_ref()
    }

    /// Which documents share their names.
    pub(super) fn name_sharing(&self) -> NameSharing {
        match self.twins {
            Some(_) => NameSharing::Document,
            None => NameSharing::Program,
        }
    }

    /// What the run makes smaller.
    pub fn objective(&self) -> &Objective {
        &self.objective
    }

    /// Whether it has several files, each of which may go.
    pub fn is_project(&self) -> bool {
        self.documents.len() > 1 && self.twins.is_none()
    }

    /// The number of files that are not gone.
    pub fn file_count(&self) -> u32 {
        let there = self.documents.iter().filter(|document| !document.is_gone);
        there.count() as u32
    }

    /// The number of tokens of all documents.
    pub fn token_count(&self) -> u32 {
        self.documents
            .iter()
            .map(|document| document.root.sums().tokens)
            .sum()
    }

    /// The number of bytes that its files have on the disk: those of all documents; of a sequence of choices, one a choice.
    pub fn byte_count(&self) -> u32 {
        match self.objective.is_choices() {
            true => self.token_count(),
            false => self.text_length(),
        }
    }

    /// Whether a node stands in a document of the same language as this one: classes of nodes are numbers of a language.
    pub fn shares_language(&self, document: usize, node: NodeId) -> bool {
        let language = |document: usize| Some(self.documents.get(document)?.language?.name);
        let own = self.path_to(node).map(|path| path.document);
        own.is_some_and(|own| own == document || language(own) == language(document))
    }

    /// The number of bytes of all documents.
    pub(super) fn text_length(&self) -> u32 {
        self.documents
            .iter()
            .map(|document| document.root.sums().bytes)
            .sum()
    }

    /// The hash of all documents' bytes, each followed by its length: the key of the cache, of test results and of decisions.
    pub fn content_hash(&self) -> ContentHash {
        let fold = |hash: ContentHash, document: &Document| {
            let (own, bytes) = (document.root.content_hash(), document.root.sums().bytes);
            let length = document.mark_gone(bytes).to_le_bytes();
            hash.followed_by(own, u64::from(bytes))
                .followed_by(ContentHash::from_bytes(&length), 4)
        };
        // It is asked for once for each new token of an edit, and there may be thousands of documents.
        let compute = || self.documents.iter().fold(ContentHash::default(), fold);
        *self.content_hash.get_or_init(compute)
    }

    /// The hash of all documents' tokens and comments, independent of the white space between them; none where white space means something.
    /// Costs what [`Version::content_hash`] does.
    pub fn token_hash(&self) -> Option<TokenHash> {
        let bound = NodeFlags::MARKER.union(NodeFlags::LINES);
        self.documents
            .iter()
            .try_fold(TokenHash::default(), |hash, document| {
                let (own, leaves) = (document.root.token_hash(), document.root.sums().leaves);
                let language = document.language?;
                let free = language.newline_meaning() == NewlineMeaning::Free
                    && !document.root.flags.intersects(bound);
                let number = document.mark_gone(leaves).to_le_bytes();
                let number = TokenHash::from_text_hash(ContentHash::from_bytes(&number));
                free.then(|| hash.followed_by(own, leaves).followed_by(number, 1))
            })
    }

    /// What a test sees: the path and the bytes of each file that is not gone.
    pub fn render_files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let there = self.documents.iter().filter(|document| !document.is_gone);
        let files = there.map(|document| {
            let text = walk::render_text(&document.root);
            (document.path.to_path_buf(), text)
        });
        files.collect()
    }

    /// The texts of all documents, in their order.
    pub fn render_texts(&self) -> Vec<FileText> {
        self.documents.iter().map(Document::text).collect()
    }

    /// The path to `node`; none if this version has no such node.
    pub fn path_to(&self, node: NodeId) -> Option<NodePath<'_>> {
        self.path_near(node, None)
    }

    /// The same; what it has in common with the path `near`, which it replaces, is not looked for again.
    pub(super) fn path_near<'a>(
        &'a self,
        node: NodeId,
        near: Option<NodePath<'a>>,
    ) -> Option<NodePath<'a>> {
        let mut ids: SmallVec<[NodeId; 32]> = smallvec![node];
        while let Some(parent) = self.parents.get(ids[ids.len() - 1]) {
            ids.push(parent);
        }
        let root = ids.pop()?;
        let document = self.find_document(root)?;
        let mut nodes = near.map_or_else(Vec::new, |near| near.nodes);
        let down = [root].into_iter().chain(ids.iter().rev().copied());
        let common = nodes
            .iter()
            .zip(down)
            .take_while(|(node, id)| node.id == *id);
        let common = common.count();
        nodes.truncate(common);
        if nodes.is_empty() {
            nodes.push(&self.documents[document].root);
        }
        ids.truncate(ids.len() + 1 - nodes.len());
        nodes.reserve(ids.len());
        while let Some(id) = ids.pop() {
            nodes.push(find_child(nodes[nodes.len() - 1], id)?);
        }
        Some(NodePath { document, nodes })
    }

    /// The number of the document with this root; none if its file is gone. Roots of the original ascend, so that of most is found in a few steps.
    fn find_document(&self, root: NodeId) -> Option<usize> {
        let is_there = |at: usize| {
            let document = self.documents.get(at);
            document.is_some_and(|document| document.root.id == root && !document.is_gone)
        };
        let likely = self
            .documents
            .partition_point(|document| document.root.id < root);
        match is_there(likely) {
            true => Some(likely),
            false => (0..self.documents.len()).find(|&at| is_there(at)),
        }
    }

    /// The node of that identity.
    pub fn find_node(&self, node: NodeId) -> Option<&Arc<ProgramNode>> {
        self.path_to(node).map(|path| path.node())
    }

    /// The kind of a node as a person would call it: the parser's kind, or the name of its shape. A file of a project has its path.
    pub fn kind_name(&self, document: usize, node: &ProgramNode) -> &str {
        use super::node::NodeShape;
        let own = &self.documents[document];
        if self.is_project() && node.id == own.root.id {
            return own.path.to_str().unwrap_or("file");
        }
        match (node.class, self.documents[document].language) {
            (Some(class), Some(language)) => language.grammar().class_name(class),
            _ => match node.shape {
                NodeShape::Token => "token",
                NodeShape::Extra => "comment",
                NodeShape::End => "end",
                NodeShape::Regular => "document",
                NodeShape::Star | NodeShape::Plus => "list",
                NodeShape::Opt => "optional",
                NodeShape::Sep => "separated list",
                NodeShape::Link => "link",
                NodeShape::Item => "group",
                NodeShape::Opaque => "unparsed",
                NodeShape::Chunk => "stretch",
            },
        }
    }
}

/// What the parser knows of documents that were parsed as a whole.
fn pair_with_trees(
    documents: &[Document],
    trees: impl Iterator<Item = Option<ParseTree>>,
) -> ParseTrees {
    let parse = |(document, tree): (&Document, Option<ParseTree>)| {
        let parse = DocumentParse::of_tree(document.language?, &document.root, tree?);
        Some(parse)
    };
    documents.iter().zip(trees).map(parse).collect()
}

/// The most children of which half are left out by each look.
const FEW_CHILDREN: usize = 8;

/// The child of that identity. Those of nodes that no edit made ascend from child to child, so they are found in a few steps; others by a look
/// at each child.
fn find_child(parent: &ProgramNode, id: NodeId) -> Option<&Arc<ProgramNode>> {
    let children = parent.children();
    let likely = match children.len() {
        ..=FEW_CHILDREN => {
            let behind = children.partition_point(|child| child.id <= id);
            children[..behind].last()
        }
        _ => likely_child(children, id),
    };
    let likely = likely.filter(|child| child.id == id);
    likely.or_else(|| children.iter().find(|child| child.id == id))
}

/// The child that has this identity if they ascend from child to child: children of similar size have them at equal distances, so it is near
/// the place where that would be. A look at a child is a look into memory far away.
fn likely_child(children: &[Arc<ProgramNode>], id: NodeId) -> Option<&Arc<ProgramNode>> {
    let (first, last) = (children.first()?.id.0, children.last()?.id.0);
    let (before, all) = (
        id.0.checked_sub(first)?,
        last.checked_sub(id.0)? + (id.0 - first),
    );
    let share = u128::from(before) * (children.len() as u128 - 1);
    let near = share.checked_div(u128::from(all)).unwrap_or(0) as usize;
    match children[near].id <= id {
        true => children[near..].iter().find(|child| child.id >= id),
        false => children[..near].iter().rfind(|child| child.id <= id),
    }
}
