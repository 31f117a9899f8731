//! Reading a long document on all processors; one that the parser gave up as a whole is read by one.
//!
//! Where the text was parsed as a whole, the children of the root are divided into ranges, one for each processor; where it is parsed by stretches
//! ([`super::stretches`]), those of a stretch are a range, and the parser's tree of the stretch goes as soon as it is read, names included. Each range is
//! read with numbers of its own from 1; then the numbers of the ranges before it are added. So nodes and tokens have the identities that one thread would
//! have given them. While some stretches are read, others are parsed ([`super::stretch_pipeline`]), and names are found on the walk that reads a stretch. The query for names of a
//! text that was parsed as a whole runs at the same time (`names/found_names.rs`). The command line reads a document of 100 kB and more on a thread of its
//! own while the first tests run, and the screen shows its beginning until all of it is read
//! (`cli/launch/reading.rs`).

use std::ops::Range;
use std::sync::Arc;
use std::thread;

use smallvec::{SmallVec, smallvec};

use super::build::{NodeDraft, NodeIdSource};
use super::names::DocumentNames;
use super::node::{NodeId, ProgramNode, TokenId};
use super::normal_form::{DraftChild, NormalFormReader};
use super::parallel_work::map_in_parallel;
use super::stretch_pipeline::visit_stretches;
use super::stretches::{ParsedStretch, StretchLengths, is_blank};
use crate::language::Language;
use crate::language::parser::{NameWalk, ParseTree};

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

    /// The last numbers of nodes and tokens.
    fn last_numbers(&self) -> (u64, u64) {
        (self.nodes, self.tokens)
    }

    /// Only the numbers up to these are assigned.
    fn forget_after(&mut self, (nodes, tokens): (u64, u64)) {
        (self.nodes, self.tokens) = (nodes, tokens);
        self.parents.truncate(nodes as usize + 1);
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

/// A part of a document: some children of the root.
struct ReadPart {
    children: Vec<DraftChild>,
    /// Where the last token ended.
    end: usize,
    /// The numbers that it assigned by itself.
    ids: OriginalIds,
}

/// The text of a document.
#[derive(Clone, Copy)]
struct DocumentText<'a> {
    language: &'static Language,
    source: &'a Arc<[u8]>,
    masked: &'a [u8],
}

impl<'a> DocumentText<'a> {
    /// Reads the children of the root that begin in this range.
    fn read_part<'tree>(
        self,
        tree: &'tree ParseTree,
        items: Range<usize>,
        names: Option<&mut NameWalk<'_, 'tree>>,
    ) -> ReadPart {
        let (mut ids, mut tokens) = (OriginalIds::new(), 0);
        let (children, end) = {
            let mut reader = self.open_reader(token_numbering(&mut tokens), &mut ids);
            let children = reader.read_children(tree, items, names);
            (children, reader.last_token_end())
        };
        ids.tokens = tokens;
        ReadPart { children, end, ids }
    }

    /// Reads a stretch, and finds what else is in it. Its tree is walked once where names are found so.
    fn read_stretch(self, stretch: ParsedStretch) -> (ReadPart, StretchFacts) {
        let ParsedStretch { tree, items } = &stretch;
        let Some(mut names) = self.language.begin_name_walk(tree, self.masked) else {
            let part = self.read_part(tree, items.clone(), None);
            let names = self.find_names(&stretch);
            return (part, StretchFacts::of_stretch(stretch, names));
        };
        let part = self.read_part(tree, items.clone(), Some(&mut names));
        let names = DocumentNames::from_captures(names.into_captures(), items);
        (part, StretchFacts::of_stretch(stretch, Some(names)))
    }

    /// The document of these parts. `tree` has the same root.
    fn finish_document(
        self,
        tree: &ParseTree,
        children: Vec<DraftChild>,
        end: usize,
        names: &mut OriginalIds,
    ) -> Arc<ProgramNode> {
        let mut tokens = names.tokens;
        let reader = self.open_reader(token_numbering(&mut tokens), names);
        let root = reader.starting_after(end).finish_document(tree, children);
        names.tokens = tokens;
        root
    }

    fn open_reader<F, N>(self, identify: F, names: &'a mut N) -> NormalFormReader<'a, F, N>
    where
        F: FnMut(Range<usize>) -> SmallVec<[TokenId; 1]>,
        N: NodeIdSource,
    {
        NormalFormReader::new(self.language, self.source, self.masked, identify, names)
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
    let text = DocumentText {
        language,
        source,
        masked,
    };
    // Brackets of what the parser has given up as a whole may have partners in any other part.
    if language.has_islands() && tree.walk().node().is_error() {
        let mut tokens = names.tokens;
        let reader = text.open_reader(token_numbering(&mut tokens), names);
        let root = reader.read_document(tree);
        names.tokens = tokens;
        return root;
    }
    let parts = map_in_parallel(split_ranges(masked, tree), |items| {
        text.read_part(tree, items, None)
    });
    let end = parts.last().map_or(0, |part| part.end);
    let children = merge_parts(parts, names);
    text.finish_document(tree, children, end, names)
}

/// A document that was parsed by stretches.
pub struct StretchedDocument {
    pub root: Arc<ProgramNode>,
    /// As [`ParseTree::find_faults`] of a tree of the whole text.
    pub faults: Vec<Range<usize>>,
    /// The names in it; none for a language that has no query for names.
    pub names: Option<DocumentNames>,
}

/// The document that the parser sees as `masked`, parsed by stretches. None if the text must be parsed as a whole.
pub fn read_by_stretches(
    language: &'static Language,
    source: &Arc<[u8]>,
    masked: &[u8],
    lengths: StretchLengths,
    ids: &mut OriginalIds,
) -> Option<StretchedDocument> {
    let text = DocumentText {
        language,
        source,
        masked,
    };
    let before = ids.last_numbers();
    let read = read_stretches(text, lengths, ids);
    if read.is_none() {
        ids.forget_after(before);
    }
    read
}

fn read_stretches(
    text: DocumentText,
    lengths: StretchLengths,
    ids: &mut OriginalIds,
) -> Option<StretchedDocument> {
    let (mut children, mut end, mut all) = (Vec::new(), 0, StretchFacts::default());
    let read = |stretch| text.read_stretch(stretch);
    visit_stretches(
        text.language,
        text.masked,
        lengths,
        read,
        |(part, facts)| {
            end = part.end;
            children.extend(merge_parts(vec![part], ids));
            all.append_facts(facts);
        },
    )?;
    let root = text.finish_document(all.last.as_ref()?, children, end, ids);
    Some(all.into_document(root))
}

/// The document that `reader` reads, parsed by stretches. They are parsed on all processors and read one after the other, since what a node was before
/// depends on those before it. None if the text must be parsed as a whole; then the reader may have taken identities.
pub fn reread_by_stretches<F, N>(
    language: &'static Language,
    source: &Arc<[u8]>,
    masked: &[u8],
    lengths: StretchLengths,
    mut reader: NormalFormReader<F, N>,
) -> Option<StretchedDocument>
where
    F: FnMut(Range<usize>) -> SmallVec<[TokenId; 1]>,
    N: NodeIdSource,
{
    let text = DocumentText {
        language,
        source,
        masked,
    };
    let (mut children, mut all) = (Vec::new(), StretchFacts::default());
    visit_stretches(
        language,
        masked,
        lengths,
        |stretch| (text.find_names(&stretch), stretch),
        |(names, stretch)| {
            let ParsedStretch { tree, items } = &stretch;
            children.extend(reader.read_children(tree, items.clone(), None));
            all.append_facts(StretchFacts::of_stretch(stretch, names));
        },
    )?;
    let root = reader.finish_document(all.last.as_ref()?, children);
    Some(all.into_document(root))
}

/// The faults of a text, which is parsed by stretches; no tree is kept. None if the text must be parsed as a whole.
pub fn find_faults_by_stretches(
    language: &'static Language,
    masked: &[u8],
    lengths: StretchLengths,
) -> Option<Vec<Range<usize>>> {
    let mut faults = Vec::new();
    let find = |ParsedStretch { tree, items }| tree.find_faults_within(items);
    visit_stretches(language, masked, lengths, find, |found| {
        faults.extend(found);
    })?;
    Some(faults)
}

/// What is found in stretches besides their nodes.
#[derive(Default)]
struct StretchFacts {
    faults: Vec<Range<usize>>,
    names: Option<DocumentNames>,
    /// The parser's tree of the last stretch of the text.
    last: Option<ParseTree>,
}

impl StretchFacts {
    fn of_stretch(stretch: ParsedStretch, names: Option<DocumentNames>) -> StretchFacts {
        let ParsedStretch { tree, items } = stretch;
        StretchFacts {
            faults: tree.find_faults_within(items.clone()),
            names,
            last: (items.end == usize::MAX).then_some(tree),
        }
    }

    fn append_facts(&mut self, next: StretchFacts) {
        self.faults.extend(next.faults);
        match (&mut self.names, next.names) {
            (Some(names), Some(next)) => names.append_names(next),
            (names, next) => *names = next,
        }
        self.last = next.last;
    }

    fn into_document(self, root: Arc<ProgramNode>) -> StretchedDocument {
        StretchedDocument {
            root,
            faults: self.faults,
            names: self.names,
        }
    }
}

impl DocumentText<'_> {
    fn find_names(self, stretch: &ParsedStretch) -> Option<DocumentNames> {
        let ParsedStretch { tree, items } = stretch;
        DocumentNames::find_within(self.language, tree, self.masked, items)
    }
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
        clear = end > 0 && !is_blank(masked[end - 1]);
        there = cursor.goto_next_sibling();
    }
    ranges.push(from..usize::MAX);
    ranges
}

/// The children of all parts, with consecutive numbers.
fn merge_parts(parts: Vec<ReadPart>, names: &mut OriginalIds) -> Vec<DraftChild> {
    let number = |part: ReadPart| {
        let before = names.last_numbers();
        names.append_ids(part.ids);
        (part.children, before)
    };
    let parts = parts.into_iter().map(number).collect();
    let shifted = map_in_parallel(parts, |(mut children, (nodes, tokens))| {
        if (nodes, tokens) != (0, 0) {
            let drafts = children
                .iter_mut()
                .filter_map(|child: &mut DraftChild| child.draft.as_mut());
            drafts.for_each(|draft| draft.shift_ids(nodes, tokens));
        }
        children
    });
    shifted.into_iter().flatten().collect()
}
