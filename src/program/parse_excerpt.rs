//! What of a large candidate the parser has to see to know that a change made no error.
//!
//! The elements of a list are parsed one after the other, and where the parser finds no error, what it makes of one does not depend on one
//! that stands far away. So an excerpt is enough: what changed, the neighbours of each change, and all that stands around it and
//! is no element of a list, up to the root. All other elements are left out. This is a candidate of hierarchical delta debugging (Misherghi and Su,
//! ICSE 2006) in which all that has not changed is gone. It says nothing near an error of the base, whose parser may recover otherwise.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::node::{NodeFlags, NodeId, NodeShape, ProgramNode};
use super::walk;

/// The part of a candidate that its change can affect.
#[derive(Debug)]
pub struct ParseExcerpt {
    /// Its text. The base had no faults in it.
    pub text: Vec<u8>,
    /// The base's faults outside of it that did not go, as byte ranges of the candidate.
    pub faults: Vec<Range<usize>>,
}

/// How long the parts of an excerpt may be, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct ExcerptLengths {
    /// A part that has not changed, and is no longer than this, stays whole.
    pub part: u32,
    /// The excerpt.
    pub all: usize,
}

/// The excerpt of the document `new`, which an edit made of `old`. `faults` are the byte ranges of the faults of `old`, by where they begin.
/// None if the excerpt would be too long, or if a fault is in it or next to it.
pub fn excerpt_change(
    old: &Arc<ProgramNode>,
    new: &Arc<ProgramNode>,
    faults: &[Range<usize>],
    lengths: ExcerptLengths,
) -> Option<ParseExcerpt> {
    let mut writer = ExcerptWriter {
        faults,
        last_end: None,
        old_at: 0,
        new_at: 0,
        longest: lengths.all,
        excerpt: ParseExcerpt {
            text: Vec::new(),
            faults: Vec::new(),
        },
    };
    let mut steps = vec![ExcerptStep::Compare(NodePair { old, new })];
    while let Some(step) = steps.pop() {
        match step {
            ExcerptStep::Compare(pair) => steps.extend(compare_pair(pair).into_iter().rev()),
            ExcerptStep::Thin(pair) => {
                steps.extend(thin_pair(pair, lengths.part).into_iter().rev());
            }
            ExcerptStep::Keep(pair) => writer.keep_pair(pair)?,
            ExcerptStep::Drop(node) => writer.drop_node(node)?,
            ExcerptStep::Insert(node) => writer.insert_node(node)?,
            ExcerptStep::Omit(stretch) => writer.omit_stretch(stretch)?,
        }
    }
    Some(writer.excerpt)
}

/// A node, before and after the edit.
#[derive(Clone, Copy)]
struct NodePair<'a> {
    old: &'a Arc<ProgramNode>,
    new: &'a Arc<ProgramNode>,
}

impl NodePair<'_> {
    /// Whether the edit changed at most white space.
    fn has_same_tokens(self) -> bool {
        let tokens = |node: &ProgramNode| (node.sums.leaves, node.token_hash());
        self.is_same() || tokens(self.old) == tokens(self.new)
    }

    fn is_same(self) -> bool {
        Arc::ptr_eq(self.old, self.new)
    }

    /// Whether elements can be left out of both.
    fn is_list(self) -> bool {
        let NodePair { old, new } = self;
        let shape = new.shape == old.shape
            && matches!(
                new.shape,
                NodeShape::Star | NodeShape::Plus | NodeShape::Sep
            );
        shape && !new.flags.contains(NodeFlags::CHAIN)
    }
}

/// Elements of a list that stand together and have not changed.
#[derive(Clone, Copy, Default)]
struct OmittedStretch {
    bytes: u32,
    newlines: u32,
}

/// What the excerpt does with a part of the document, in the order of the text.
#[derive(Clone, Copy)]
enum ExcerptStep<'a> {
    /// It may have changed: look inside.
    Compare(NodePair<'a>),
    /// It has not changed: where it is long, the middle of its lists is left out.
    Thin(NodePair<'a>),
    /// It has not changed and stays whole.
    Keep(NodePair<'a>),
    /// The candidate does not have it.
    Drop(&'a Arc<ProgramNode>),
    /// The base did not have it.
    Insert(&'a Arc<ProgramNode>),
    /// It is left out.
    Omit(OmittedStretch),
}

/// The children of both, chunks looked through, matched by their identities.
fn align_children(pair: NodePair) -> Vec<ExcerptStep> {
    let mut steps = Vec::new();
    let mut staying: Option<FxHashSet<NodeId>> = None;
    let mut olds = walk::iter_items(pair.old).peekable();
    for new in walk::iter_items(pair.new) {
        loop {
            match olds.peek() {
                Some(old) if old.id == new.id => {
                    let old = olds.next().expect("it was there");
                    steps.push(ExcerptStep::Compare(NodePair { old, new }));
                    break;
                }
                Some(old) => {
                    let list = || walk::iter_items(pair.new).map(|item| item.id).collect();
                    if staying.get_or_insert_with(list).contains(&old.id) {
                        steps.push(ExcerptStep::Insert(new));
                        break;
                    }
                    steps.push(ExcerptStep::Drop(old));
                    olds.next();
                }
                None => {
                    steps.push(ExcerptStep::Insert(new));
                    break;
                }
            }
        }
    }
    steps.extend(olds.map(ExcerptStep::Drop));
    steps
}

fn is_change(step: &ExcerptStep) -> bool {
    match step {
        ExcerptStep::Compare(pair) => !pair.has_same_tokens(),
        _ => true,
    }
}

/// What becomes of the parts of a node that may have changed.
fn compare_pair(pair: NodePair) -> Vec<ExcerptStep> {
    let NodePair { old, new } = pair;
    if pair.has_same_tokens() {
        return vec![ExcerptStep::Thin(pair)];
    }
    let replaced = || vec![ExcerptStep::Drop(old), ExcerptStep::Insert(new)];
    let same_kind = (old.shape, old.class) == (new.shape, new.class);
    if !same_kind || new.shape.is_leaf() {
        return replaced();
    }
    let parts = align_children(pair);
    if pair.is_list() {
        return omit_unaffected(&parts);
    }
    // Where two parts of a fixed sequence changed, one may have changed what the other is.
    let mut changed = parts.iter().filter(|step| is_change(step));
    match (changed.next(), changed.next()) {
        (Some(ExcerptStep::Compare(_)), None) => parts.into_iter().map(keep_unchanged).collect(),
        _ => replaced(),
    }
}

/// Between changes nothing of a sequence is left out: its parts may depend on each other.
fn keep_unchanged(step: ExcerptStep) -> ExcerptStep {
    match step {
        ExcerptStep::Compare(pair) if pair.has_same_tokens() => ExcerptStep::Keep(pair),
        step => step,
    }
}

/// The elements of a list, without those that are far from any change.
fn omit_unaffected<'a>(parts: &[ExcerptStep<'a>]) -> Vec<ExcerptStep<'a>> {
    let mut steps = Vec::new();
    let mut omitted = OmittedStretch::default();
    for (at, &step) in parts.iter().enumerate() {
        let near = &parts[at.saturating_sub(1)..parts.len().min(at + 2)];
        if let ExcerptStep::Compare(pair) = step
            && pair.is_same()
            && !near.iter().any(is_change)
        {
            omitted.bytes += pair.new.sums.bytes;
            omitted.newlines += pair.new.sums.newlines;
            continue;
        }
        if omitted.bytes > 0 {
            steps.push(ExcerptStep::Omit(std::mem::take(&mut omitted)));
        }
        steps.push(step);
    }
    steps
}

/// What becomes of the parts of a node whose tokens have not changed.
fn thin_pair(pair: NodePair, longest: u32) -> Vec<ExcerptStep> {
    let NodePair { old, new } = pair;
    let fixed = new.shape.is_leaf() || new.shape == NodeShape::Opaque;
    if fixed || new.sums.bytes <= longest {
        return vec![ExcerptStep::Keep(pair)];
    }
    if pair.is_list() && pair.is_same() {
        return thin_list(new);
    }
    let parts = align_children(pair);
    if parts.iter().any(is_change) || old.shape != new.shape {
        return vec![ExcerptStep::Keep(pair)];
    }
    match pair.is_list() {
        true => omit_unaffected(&parts),
        false => parts,
    }
}

/// The first and the last element of a list that has not changed at all.
fn thin_list(list: &Arc<ProgramNode>) -> Vec<ExcerptStep<'_>> {
    let ends = walk::item_at(list, 0).zip(walk::item_at(list, list.len().saturating_sub(1)));
    let thin = |node| {
        ExcerptStep::Thin(NodePair {
            old: node,
            new: node,
        })
    };
    match ends {
        Some((first, last)) if list.len() > 2 => {
            let omitted = OmittedStretch {
                bytes: list.sums.bytes - first.sums.bytes - last.sums.bytes,
                newlines: list.sums.newlines - first.sums.newlines - last.sums.newlines,
            };
            vec![thin(first), ExcerptStep::Omit(omitted), thin(last)]
        }
        _ => walk::iter_items(list).map(thin).collect(),
    }
}

/// Writes an excerpt from the front to the back.
struct ExcerptWriter<'a> {
    /// The faults of the base that have not been looked at.
    faults: &'a [Range<usize>],
    /// Where the last of the others ends.
    last_end: Option<usize>,
    /// How much of each document lies behind.
    old_at: usize,
    new_at: usize,
    longest: usize,
    excerpt: ParseExcerpt,
}

impl<'a> ExcerptWriter<'a> {
    fn keep_pair(&mut self, pair: NodePair) -> Option<()> {
        self.check_clean(pair.old.sums.bytes)?;
        self.old_at += pair.old.sums.bytes as usize;
        self.write_node(pair.new)
    }

    fn insert_node(&mut self, node: &Arc<ProgramNode>) -> Option<()> {
        self.check_clean(0)?;
        self.write_node(node)
    }

    fn drop_node(&mut self, node: &Arc<ProgramNode>) -> Option<()> {
        self.take_faults(node.sums.bytes)?;
        self.old_at += node.sums.bytes as usize;
        Some(())
    }

    fn omit_stretch(&mut self, stretch: OmittedStretch) -> Option<()> {
        let (old_at, new_at) = (self.old_at, self.new_at);
        let gone = self.take_faults(stretch.bytes)?;
        let moved = gone
            .iter()
            .map(|fault| fault.start - old_at + new_at..fault.end - old_at + new_at);
        self.excerpt.faults.extend(moved);
        self.old_at += stretch.bytes as usize;
        self.new_at += stretch.bytes as usize;
        // What stands on two lines, or are two tokens, stays that.
        let separator = if stretch.newlines > 0 { b'\n' } else { b' ' };
        self.excerpt.text.push(separator);
        Some(())
    }

    fn write_node(&mut self, node: &Arc<ProgramNode>) -> Option<()> {
        let text = &mut self.excerpt.text;
        self.new_at += node.sums.bytes as usize;
        if text.len() + node.sums.bytes as usize > self.longest {
            return None;
        }
        walk::visit_text_pieces(node, |_, piece| text.extend_from_slice(piece));
        Some(())
    }

    /// None if a fault lies in the next bytes of the base, or touches them.
    fn check_clean(&self, bytes: u32) -> Option<()> {
        let end = self.old_at + bytes as usize;
        let before = self.last_end.is_some_and(|end| end >= self.old_at);
        let inside = self.faults.first().is_some_and(|next| next.start <= end);
        (!before && !inside).then_some(())
    }

    /// The faults in the next bytes of the base. None if one of them does not end there.
    fn take_faults(&mut self, bytes: u32) -> Option<&'a [Range<usize>]> {
        let end = self.old_at + bytes as usize;
        let count = self.faults.partition_point(|fault| fault.start < end);
        let (here, later) = self.faults.split_at(count);
        let last = here.iter().map(|fault| fault.end).max();
        if last.is_some_and(|last| last > end) {
            return None;
        }
        self.faults = later;
        self.last_end = last.or(self.last_end);
        Some(here)
    }
}
