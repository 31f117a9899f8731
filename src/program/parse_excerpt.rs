//! What of a large candidate the parser has to see to know what a change does.
//!
//! The elements of a list are parsed one after the other, and where the parser finds no error, what it makes of one does not depend on one
//! that stands far away. So an excerpt is enough: what changed, the neighbours of each change, and all that stands around it and
//! is no element of a list, up to the root. All other elements are left out. This is a candidate of hierarchical delta debugging (Misherghi and Su,
//! ICSE 2006) in which all that has not changed is gone.
//!
//! How a parser recovers from an error may depend on what stands around. So of a base that has faults the same excerpt is cut, and what the parser
//! finds in it is compared with what is known of the base ([`super::excerpt_text`]). In rare cases a parse of the whole would
//! give another answer (docs/EXPERIMENTS.md, *Large files*). It is always a function of the base and the candidate.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::excerpt_text::{ExcerptWriter, OmittedStretch, ParseExcerpt};
use super::node::{NodeFlags, NodeId, NodeShape, ProgramNode};
use super::walk;

/// What stays in an excerpt. Lengths are in bytes.
#[derive(Clone, Copy, Debug)]
pub struct ExcerptScope {
    /// A part that has not changed, and is no longer than this, stays whole.
    pub part: u32,
    /// How many elements of a list stay on each side of a change.
    pub near: usize,
    /// How much longer than the excerpt the document is at least. A parse of a shorter document, which starts from the last tree, is cheaper.
    pub share: usize,
    /// Whether the parser must find the same faults in the base's excerpt as are known of the base there. Else some may be unseen, such as
    /// an error that is around all that changed and begins elsewhere, and others new.
    pub exact: bool,
}

/// The excerpt of the document `new`, which an edit made of `old`. `faults` are the byte ranges of the faults of `old`, by where they begin.
/// None if the excerpt would be too long.
pub fn excerpt_change(
    old: &Arc<ProgramNode>,
    new: &Arc<ProgramNode>,
    faults: &[Range<usize>],
    scope: ExcerptScope,
) -> Option<ParseExcerpt> {
    let cutter = ExcerptCutter {
        scope,
        faulty: !faults.is_empty(),
    };
    let mut writer = ExcerptWriter::new(new.sums().bytes as usize / scope.share, cutter.faulty);
    let mut steps = vec![ExcerptStep::Compare(NodePair { old, new })];
    while let Some(step) = steps.pop() {
        match step {
            ExcerptStep::Compare(pair) => {
                steps.extend(cutter.compare_pair(pair).into_iter().rev());
            }
            ExcerptStep::Thin(pair) => steps.extend(cutter.thin_pair(pair).into_iter().rev()),
            ExcerptStep::Keep(pair) => writer.keep_pair(pair.old, pair.new)?,
            ExcerptStep::Drop(node) => steps.extend(cutter.thin_dropped(node).into_iter().rev()),
            ExcerptStep::KeepDropped(node) => writer.drop_node(node)?,
            ExcerptStep::OmitDropped(stretch) => writer.omit_dropped(stretch),
            ExcerptStep::Insert(node) => writer.insert_node(node)?,
            ExcerptStep::Omit(stretch) => writer.omit_stretch(stretch),
        }
    }
    Some(writer.finish(faults))
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
        let tokens = |node: &ProgramNode| (node.sums().leaves, node.token_hash());
        self.is_same() || tokens(self.old) == tokens(self.new)
    }

    fn is_same(self) -> bool {
        Arc::ptr_eq(self.old, self.new)
    }
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
    /// The candidate does not have it: where it is long, the middle of its lists is left out.
    Drop(&'a Arc<ProgramNode>),
    /// The candidate does not have it, and it stays whole in the excerpt of the base.
    KeepDropped(&'a Arc<ProgramNode>),
    /// The candidate does not have it, and it is left out of the excerpt of the base.
    OmitDropped(OmittedStretch),
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

/// Between changes nothing of a sequence is left out: its parts may depend on each other.
fn keep_unchanged(step: ExcerptStep) -> ExcerptStep {
    match step {
        ExcerptStep::Compare(pair) if pair.has_same_tokens() => ExcerptStep::Keep(pair),
        step => step,
    }
}

/// What is left out of the elements of a list, up to the next that stays.
#[derive(Default)]
struct PendingOmission<'a> {
    /// Elements that have not changed, and how long they are.
    same: Vec<ExcerptStep<'a>>,
    same_sums: OmittedStretch,
    dropped: OmittedStretch,
}

impl<'a> PendingOmission<'a> {
    /// What becomes of them: a stretch of less than this stays.
    fn take_steps(&mut self, least: u32, steps: &mut Vec<ExcerptStep<'a>>) {
        let PendingOmission {
            same,
            same_sums,
            dropped,
        } = std::mem::take(self);
        match same_sums.bytes {
            0 => {}
            bytes if bytes < least => steps.extend(same.into_iter().map(keep_unchanged)),
            _ => steps.push(ExcerptStep::Omit(same_sums)),
        }
        if dropped.bytes > 0 {
            steps.push(ExcerptStep::OmitDropped(dropped));
        }
    }
}

/// Decides what stays.
#[derive(Clone, Copy)]
struct ExcerptCutter {
    scope: ExcerptScope,
    /// Whether the base has faults: then it has lists of what the parser did not understand, too, and an excerpt of the base is needed.
    faulty: bool,
}

impl ExcerptCutter {
    /// Whether elements can be left out of both.
    fn is_list(self, pair: NodePair) -> bool {
        let NodePair { old, new } = pair;
        let shape = match new.shape {
            NodeShape::Star | NodeShape::Plus | NodeShape::Sep => true,
            NodeShape::Opaque => self.faulty,
            _ => false,
        };
        shape && new.shape == old.shape && !new.flags.contains(NodeFlags::CHAIN)
    }

    /// What becomes of the parts of a node that may have changed.
    fn compare_pair(self, pair: NodePair) -> Vec<ExcerptStep> {
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
        if self.is_list(pair) {
            return self.omit_unaffected(&parts, new.shape);
        }
        // Where two parts of a fixed sequence changed, one may have changed what the other is.
        let mut changed = parts.iter().filter(|step| is_change(step));
        match (changed.next(), changed.next()) {
            (Some(ExcerptStep::Compare(_)), None) => {
                parts.into_iter().map(keep_unchanged).collect()
            }
            _ => replaced(),
        }
    }

    /// The elements of a list, without those that are far from any change.
    fn omit_unaffected<'a>(
        self,
        parts: &[ExcerptStep<'a>],
        shape: NodeShape,
    ) -> Vec<ExcerptStep<'a>> {
        let least = if self.faulty { self.scope.part } else { 0 };
        let (mut steps, mut omitted) = (Vec::new(), PendingOmission::default());
        for (at, &step) in parts.iter().enumerate() {
            let ends = (at + self.scope.near + 1).min(parts.len());
            let near = &parts[at.saturating_sub(self.scope.near)..ends];
            // An error begins with its first part and ends with its last.
            let is_end = at == 0 || at + 1 == parts.len();
            match step {
                _ if shape == NodeShape::Opaque && is_end => {
                    omitted.take_steps(least, &mut steps);
                    steps.push(step);
                }
                ExcerptStep::Compare(pair) if pair.is_same() && !near.iter().any(is_change) => {
                    omitted.same_sums.add_node(pair.new);
                    if self.faulty {
                        omitted.same.push(step);
                    }
                }
                ExcerptStep::Drop(node)
                    if near.iter().all(|step| matches!(step, ExcerptStep::Drop(_))) =>
                {
                    omitted.dropped.add_node(node);
                }
                _ => {
                    omitted.take_steps(least, &mut steps);
                    steps.push(step);
                }
            }
        }
        omitted.take_steps(least, &mut steps);
        steps
    }

    /// What becomes of the parts of a node whose tokens have not changed.
    fn thin_pair(self, pair: NodePair) -> Vec<ExcerptStep> {
        let NodePair { old, new } = pair;
        let fixed = new.shape.is_leaf() || new.shape == NodeShape::Opaque;
        if fixed || new.sums().bytes <= self.scope.part {
            return vec![ExcerptStep::Keep(pair)];
        }
        if self.is_list(pair) && pair.is_same() {
            return thin_list(new);
        }
        let parts = align_children(pair);
        if parts.iter().any(is_change) || old.shape != new.shape {
            return vec![ExcerptStep::Keep(pair)];
        }
        match self.is_list(pair) {
            true => self.omit_unaffected(&parts, new.shape),
            false => parts,
        }
    }

    /// What becomes of a node that the candidate does not have.
    fn thin_dropped(self, node: &Arc<ProgramNode>) -> Vec<ExcerptStep<'_>> {
        if !self.faulty {
            return vec![ExcerptStep::KeepDropped(node)];
        }
        let thin = self.thin_pair(NodePair {
            old: node,
            new: node,
        });
        let dropped = thin.into_iter().map(|step| match step {
            ExcerptStep::Keep(pair) => ExcerptStep::KeepDropped(pair.old),
            ExcerptStep::Thin(pair) | ExcerptStep::Compare(pair) => ExcerptStep::Drop(pair.old),
            ExcerptStep::Omit(stretch) => ExcerptStep::OmitDropped(stretch),
            step => step,
        });
        dropped.collect()
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
                bytes: list.sums().bytes - first.sums().bytes - last.sums().bytes,
                newlines: list.sums().newlines - first.sums().newlines - last.sums().newlines,
            };
            vec![thin(first), ExcerptStep::Omit(omitted), thin(last)]
        }
        _ => walk::iter_items(list).map(thin).collect(),
    }
}
