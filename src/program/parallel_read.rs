//! Reading a long document on all processors.
//!
//! The children of the root are divided into ranges, one for each thread. Each range is read with numbers of its own from 1; then the
//! numbers of the ranges before it are added. So nodes and tokens have the identities that one thread would have given them. The query for
//! names runs at the same time (`names/found_names.rs`). The command line reads a document of 100 kB and more on a thread of its own while the first
//! tests run, and the screen shows its beginning until all of it is read (`cli/launch/reading.rs`).

use std::ops::Range;
use std::sync::Arc;
use std::thread;

use smallvec::{SmallVec, smallvec};

use super::build::{NodeDraft, NodeIdSource};
use super::node::{NodeId, ProgramNode, TokenId};
use super::normal_form::{DraftChild, NormalFormReader};
use crate::language::Language;
use crate::language::parser::ParseTree;

/// The fewest bytes of a part that is read by its own thread. A thread for fewer costs more than it saves.
const MIN_PART_BYTES: usize = 1 << 16;

/// Identities for the original: numbers from 1.
pub struct OriginalIds {
    nodes: u64,
    /// How many tokens there are so far.
    pub tokens: u64,
    /// The parent of each node, 0 for none.
    pub parents: Vec<u32>,
}

impl OriginalIds {
    /// No node and no token has a number yet.
    pub fn new() -> OriginalIds {
        OriginalIds {
            nodes: 0,
            tokens: 0,
            parents: vec![0],
        }
    }

    /// Continues the numbers with those that `next` assigned by itself.
    fn append_ids(&mut self, next: OriginalIds) {
        let nodes = self.nodes as u32;
        let parents = next.parents.into_iter().skip(1);
        self.parents
            .extend(parents.map(|parent| if parent == 0 { 0 } else { parent + nodes }));
        self.nodes += next.nodes;
        self.tokens += next.tokens;
    }
}

impl NodeIdSource for OriginalIds {
    fn assign_id(&mut self, _: &NodeDraft, children: &[Arc<ProgramNode>]) -> NodeId {
        self.assign_chunk_id(children)
    }

    fn assign_chunk_id(&mut self, _: &[Arc<ProgramNode>]) -> NodeId {
        self.nodes += 1;
        self.parents.push(0);
        NodeId(self.nodes)
    }

    fn record_children(&mut self, parent: NodeId, children: &[Arc<ProgramNode>]) {
        for child in children {
            self.parents[child.id.0 as usize] = parent.0 as u32;
        }
    }
}

/// The document that the parser sees as `masked`, read in parts.
pub fn read_in_parallel(
    language: &'static Language,
    source: &Arc<[u8]>,
    masked: &[u8],
    tree: &ParseTree,
    names: &mut OriginalIds,
) -> Arc<ProgramNode> {
    let read = |range: Range<usize>| {
        let (mut own, mut tokens) = (OriginalIds::new(), 0);
        let (children, end) = {
            let count = token_numbering(&mut tokens);
            let mut reader = NormalFormReader::new(language, source, masked, count, &mut own);
            let children = reader.read_children(tree, range.start, range.end);
            (children, reader.last_token_end())
        };
        own.tokens = tokens;
        (children, end, own)
    };
    let mut ranges = split_ranges(masked, tree);
    let last = ranges.pop().unwrap_or(0..usize::MAX);
    let parts = thread::scope(|scope| {
        let read = &read;
        let started = ranges.into_iter().map(|range| {
            let job = range.clone();
            let thread = thread::Builder::new().spawn_scoped(scope, move || read(job));
            (range, thread.ok())
        });
        let started: Vec<_> = started.collect();
        let last = read(last);
        // If the system has no thread left, this one does the work.
        let join = |(range, thread): (Range<usize>, Option<thread::ScopedJoinHandle<_>>)| {
            let done = thread.and_then(|thread| thread.join().ok());
            done.unwrap_or_else(|| read(range))
        };
        let mut parts: Vec<_> = started.into_iter().map(join).collect();
        parts.push(last);
        parts
    });
    let (children, end) = merge_parts(parts, names);
    let mut tokens = names.tokens;
    let reader = NormalFormReader::new(
        language,
        source,
        masked,
        token_numbering(&mut tokens),
        names,
    )
    .starting_after(end);
    let root = reader.finish_document(tree, children);
    names.tokens = tokens;
    root
}

/// The identities of leaves: numbers that continue after this one.
pub fn token_numbering(tokens: &mut u64) -> impl FnMut(Range<usize>) -> SmallVec<[TokenId; 1]> {
    |_| {
        *tokens += 1;
        smallvec![TokenId(*tokens)]
    }
}

/// Where the children of the root that belong to each part begin: enough parts for all processors. A part begins only after a child whose
/// last byte is that of a token, so that the end of the token is known.
fn split_ranges(masked: &[u8], tree: &ParseTree) -> Vec<Range<usize>> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let length = (masked.len() / processors).max(MIN_PART_BYTES);
    let (mut ranges, mut from) = (Vec::new(), 0);
    let mut cursor = tree.walk();
    let mut there = cursor.goto_first_child();
    let mut clear = false;
    while there {
        let Range { start, end } = cursor.node().range();
        if clear && start >= from + length && masked.len() - start >= MIN_PART_BYTES {
            ranges.push(from..start);
            from = start;
        }
        clear = end > 0 && !masked[end - 1].is_ascii_whitespace() && masked[end - 1] != b'\x0b';
        there = cursor.goto_next_sibling();
    }
    ranges.push(from..usize::MAX);
    ranges
}

/// The children of all parts, with consecutive numbers, and where the last token ended.
fn merge_parts(
    parts: Vec<(Vec<DraftChild>, usize, OriginalIds)>,
    names: &mut OriginalIds,
) -> (Vec<DraftChild>, usize) {
    let end = parts.last().map_or(0, |(_, end, _)| *end);
    let number = |(children, _, own): (Vec<DraftChild>, usize, OriginalIds)| {
        let before = (names.nodes, names.tokens);
        names.append_ids(own);
        (children, before)
    };
    let mut parts: Vec<_> = parts.into_iter().map(number).collect();
    fn shift_part((children, (nodes, tokens)): &mut (Vec<DraftChild>, (u64, u64))) {
        if (*nodes, *tokens) != (0, 0) {
            let drafts = children.iter_mut().filter_map(|child| child.draft.as_mut());
            drafts.for_each(|draft| draft.shift_ids(*nodes, *tokens));
        }
    }
    let started: Vec<bool> = thread::scope(|scope| {
        let start = |part| thread::Builder::new().spawn_scoped(scope, move || shift_part(part));
        parts.iter_mut().map(|part| start(part).is_ok()).collect()
    });
    // If the system has no thread left, this one does the work.
    let left = parts
        .iter_mut()
        .zip(started)
        .filter(|(_, started)| !started);
    left.for_each(|(part, _)| shift_part(part));
    let children = parts.into_iter().flat_map(|(children, _)| children);
    (children.collect(), end)
}
