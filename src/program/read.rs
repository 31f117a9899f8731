//! Reading a program for the first time, and again: identities.
//!
//! A document in a language is read by [`super::reader`], on all processors where it is long ([`super::stretches`]); one of an
//! unknown language is a list of lines. The original's nodes and tokens are numbered; when a text is read again, tokens keep their identities by where they stand, and nodes by their tokens.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::apply::FRESH;
use super::build::{Draft, Names, finish};
use super::hash::Hash;
use super::node::{Body, Flags, Node, NodeId, Shape, TokId};
use super::plain;
use super::reader::Reader;
use super::stretches::{self, Original};
use super::version::{Document, Parents, Version};
use super::walk;
use crate::display::Shown;
use crate::grammar::Class;
use crate::language::parser::{ParseError, ParseLimit, ParseTree};
use crate::language::{self, Language};

/// Why a program cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The parser gave up.
    #[error("{}: {source}", path.shown())]
    Parse {
        /// The document.
        path: PathBuf,
        /// What the parser says.
        source: ParseError,
    },
}

/// A document to be read: its language, none for lines and tokens; its path; its text.
pub type Source = (Option<&'static Language>, Arc<Path>, Arc<[u8]>);

/// Reads a program: each document in the language of its extension, or as lines and tokens.
///
/// # Errors
/// When a parse does not end within its limit.
pub fn read(files: Vec<(Arc<Path>, Arc<[u8]>)>) -> Result<Version, ReadError> {
    let by_path = |(path, source): (Arc<Path>, _)| (language::by_path(&path), path, source);
    read_as(files.into_iter().map(by_path).collect())
}

/// Reads a program: each document in the language that is given, or as lines and tokens.
///
/// # Errors
/// When a parse does not end within its limit.
pub fn read_as(files: Vec<Source>) -> Result<Version, ReadError> {
    let mut names = Original::new();
    let (mut documents, mut trees, mut captures) = (Vec::new(), Vec::new(), Vec::new());
    for (language, path, source) in files {
        let Some(language) = language else {
            let draft = plain::draft(&source, stretches::counter(&mut names.tokens));
            documents.push(Document {
                path,
                language,
                root: finish(draft, &mut names),
            });
            trees.push(None);
            captures.push(None);
            continue;
        };
        let masked = language.mask(&source);
        let tree = parse(language, &masked).map_err(|source| ReadError::Parse {
            path: path.to_path_buf(),
            source,
        })?;
        let (root, found) = std::thread::scope(|scope| {
            let query = || Some(language.names()?.find(&tree, &masked));
            let query = std::thread::Builder::new().spawn_scoped(scope, query);
            let root = stretches::read(language, &source, &masked, &tree, &mut names);
            // Where the system gives no thread the query is made later.
            let found = query.ok().and_then(|query| query.join().ok()).flatten();
            (root, found)
        });
        documents.push(Document {
            path,
            language: Some(language),
            root,
        });
        trees.push(Some(tree));
        captures.push(found);
    }
    let parents = Parents::new(names.parents);
    Ok(Version::read(documents, parents, trees.into(), captures))
}

pub(super) fn parse(language: &Language, masked: &[u8]) -> Result<ParseTree, ParseError> {
    let limit = ParseLimit::for_length(masked.len());
    language.parser().parse(masked, None, limit)
}

/// The same text, read anew from scratch. Tokens keep their identities; a node is the same node if its kind and its tokens are.
/// None when a parse does not end within its limit, or leaves more unexplained than our tree does: then the tree stays as it is, which
/// is a program by the rules of the grammar. What no edit has changed since costs nothing.
pub fn reread(version: &Version) -> Option<Version> {
    if version.is_read() {
        return Some(version.clone());
    }
    let (mut documents, mut trees) = (Vec::new(), Vec::new());
    let mut parents = version.parents().clone();
    let salt = version.hash();
    let mut made = 0;
    for (document, old) in version.documents().iter().zip(version.trees().iter()) {
        let Some(language) = document.language else {
            documents.push(document.clone());
            trees.push(old.clone());
            continue;
        };
        let source: Arc<[u8]> = walk::render(&document.root).into();
        let masked = language.mask(&source);
        let tree = parse(language, &masked).ok()?;
        let mut tokens = Aligned::new(&document.root);
        let identify = |range| tokens.at(range);
        let mut names = Again {
            known: known(&document.root),
            base: version,
            salt,
            made,
            parents: &mut parents,
            ends: Default::default(),
        };
        documents.push(Document {
            root: Reader::new(language, &source, &masked, identify, &mut names).read(&tree),
            ..document.clone()
        });
        made = names.made;
        trees.push(Some(tree));
    }
    let ours = unexplained(version.documents());
    if ours.is_some_and(|ours| Some(ours) < unexplained(&documents)) {
        return None;
    }
    let captures = vec![None; documents.len()];
    Some(Version::read(documents, parents, trees.into(), captures))
}

/// How many parts stand where no rule of the grammar has a place for them. None where an edit tore a node: what is left of that is no
/// program by any rule.
fn unexplained(documents: &[Document]) -> Option<usize> {
    let nodes = documents
        .iter()
        .flat_map(|document| walk::preorder(&document.root));
    let mut opaque = nodes.filter(|node| node.shape == Shape::Opaque);
    opaque.try_fold(0, |sum, node| {
        node.flags.has(Flags::FAULT).then(|| sum + node.len())
    })
}

/// What makes a node the same node after a parse: what it is, and the tokens from its first to its last.
pub(super) type Same = (Shape, Option<Class>, Option<TokId>, Option<TokId>, u32);

/// The nodes that are the same by this, the outermost first.
type Known = FxHashMap<Same, SmallVec<[NodeId; 2]>>;

/// Names for a tree that is read anew: those of the nodes that are the same.
pub(super) struct Again<'a> {
    pub known: Known,
    /// The version before.
    pub base: &'a Version,
    pub salt: Hash,
    pub made: u64,
    pub parents: &'a mut Parents,
    /// The ends of the nodes that are made and have no parent yet. To look for them from the top of each node would take the square of
    /// the depth.
    pub ends: FxHashMap<NodeId, Ends>,
}

/// The first and the last token of a node.
type Ends = (Option<TokId>, Option<TokId>);

fn ends_of_leaf(leaf: &Node) -> Ends {
    match &leaf.body {
        Body::Leaf { ids, .. } => (ids.first().copied(), ids.last().copied()),
        Body::Inner(_) => (None, None),
    }
}

pub(super) fn known(root: &Arc<Node>) -> Known {
    let mut known = Known::default();
    let ends: Vec<Ends> = walk::leaves(root).map(|leaf| ends_of_leaf(leaf)).collect();
    let mut before = 0;
    for node in walk::preorder(root) {
        let leaves = node.sums.leaves as usize;
        if node.shape != Shape::Chunk {
            let here = &ends[before..before + leaves];
            let first = here.first().and_then(|ends| ends.0);
            let last = here.last().and_then(|ends| ends.1);
            known
                .entry((node.shape, node.class, first, last, node.sums.leaves))
                .or_default()
                .push(node.id);
        }
        before += usize::from(node.shape.is_leaf());
    }
    known
}

impl Again<'_> {
    /// The ends of a row of nodes, which get a parent now.
    fn ends_of(&mut self, kids: &[Arc<Node>]) -> Ends {
        let of = |kid: &Arc<Node>| match kid.body {
            Body::Leaf { .. } => ends_of_leaf(kid),
            // One that was there before has not been made here.
            Body::Inner(_) => self
                .ends
                .get(&kid.id)
                .copied()
                .unwrap_or_else(|| (walk::first_token(kid), last_token(kid))),
        };
        let first = kids.first().and_then(|kid| of(kid).0);
        let last = kids.last().and_then(|kid| of(kid).1);
        for kid in kids {
            self.ends.remove(&kid.id);
        }
        (first, last)
    }

    fn fresh(&mut self) -> NodeId {
        self.made += 1;
        NodeId(self.salt.derive(!self.made) | FRESH)
    }
}

fn last_token(node: &Arc<Node>) -> Option<TokId> {
    let last = walk::leaf(node, node.sums.leaves.checked_sub(1)?)?;
    ends_of_leaf(last).1
}

impl Names for Again<'_> {
    fn name(&mut self, draft: &Draft, kids: &[Arc<Node>]) -> NodeId {
        let (first, last, leaves) = match &draft.body {
            super::build::DraftBody::Leaf(ids, ..) => {
                (ids.first().copied(), ids.last().copied(), 1)
            }
            _ => {
                let (first, last) = self.ends_of(kids);
                (first, last, kids.iter().map(|kid| kid.sums.leaves).sum())
            }
        };
        // Children are named first, and the known ones stand parents first: the last is the innermost.
        let same = self
            .known
            .get_mut(&(draft.shape, draft.class, first, last, leaves))
            .and_then(SmallVec::pop);
        let id = same.unwrap_or_else(|| self.fresh());
        if !kids.is_empty() {
            self.ends.insert(id, (first, last));
        }
        id
    }

    fn name_chunk(&mut self, kids: &[Arc<Node>]) -> NodeId {
        let id = self.fresh();
        let ends = self.ends_of(kids);
        self.ends.insert(id, ends);
        id
    }

    fn adopt(&mut self, parent: NodeId, kids: &[Arc<Node>]) {
        for kid in kids {
            self.parents.set(kid.id, parent);
        }
    }

    fn before(&self, node: NodeId) -> Option<Arc<Node>> {
        self.base.node(node).cloned()
    }
}

/// The identities of the old leaves, by where they stand in the text.
struct Aligned {
    old: Vec<(Range<usize>, SmallVec<[TokId; 1]>)>,
    next: usize,
}

impl Aligned {
    fn new(root: &Arc<Node>) -> Aligned {
        let (mut old, mut at) = (Vec::new(), 0);
        for leaf in walk::leaves(root) {
            let start = at + leaf.trivia().len();
            at = start + leaf.text().len();
            if let Body::Leaf { ids, .. } = &leaf.body
                && start < at
            {
                old.push((start..at, ids.clone()));
            }
        }
        Aligned { old, next: 0 }
    }

    /// The identities of all old leaves that meet `range`. Ranges come in order.
    fn at(&mut self, range: Range<usize>) -> SmallVec<[TokId; 1]> {
        while self
            .old
            .get(self.next)
            .is_some_and(|(old, _)| old.end <= range.start)
        {
            self.next += 1;
        }
        let meeting = self.old[self.next..]
            .iter()
            .take_while(|(old, _)| old.start < range.end);
        meeting.flat_map(|(_, ids)| ids.iter().copied()).collect()
    }
}
