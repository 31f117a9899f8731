//! White space joins: the white space where an edit removed something.
//!
//! The author's layout is kept: every token keeps the white space before it. Where a run of leaves was removed, the leaf after it gets the
//! line end before the run if it has none of its own, so that what stood on a line of its own still does, directives above all. It gets a
//! blank if it would otherwise be read as one token with the leaf before it. Where neither side has a line end, the shorter white space
//! stays, and a node that moves gets the white space of its new place. The repair only changes the white space before the leaf after a
//! join, so a node's bytes depend on nothing outside it.

use std::sync::Arc;

use super::node::{NodeFlags, ProgramNode};
use super::text::SharedText;
use super::version::Document;
use super::walk;
use crate::language::{Language, NewlineMeaning};
use crate::protocol::abandon::count_round;

/// A run of leaves that was removed.
#[derive(Debug)]
struct LeafGap {
    /// The number of leaves that stay before it: the index of the leaf after it.
    leaf_index: u32,
    /// The white space before the run; none if nothing was removed, but something new was inserted.
    trivia: Option<SharedText>,
    /// Whether the leaf after it was moved here.
    moved: bool,
    /// Whether the leaf before it ends a statement that was moved here.
    ends_statement: bool,
}

/// The runs that an edit removes from a document, collected from its start to its end.
#[derive(Debug, Default)]
pub struct LeafGaps {
    kept: u32,
    gaps: Vec<LeafGap>,
}

impl LeafGaps {
    /// `leaves` more leaves stay.
    pub fn keep_leaves(&mut self, leaves: u32) {
        self.kept += leaves;
    }

    /// A run that starts with this leaf is removed.
    pub fn remove_leaf_run(&mut self, first: Option<&Arc<ProgramNode>>) {
        self.remove_run(first.map(|leaf| SharedText::new(leaf.trivia())), false);
    }

    /// A run that starts with this white space is removed. Adjacent runs become one. `moved` says that what stands after it was moved here
    /// from further inside, and so gets the white space of the place.
    pub fn remove_run(&mut self, trivia: Option<SharedText>, moved: bool) {
        let Some(trivia) = trivia else { return };
        match self.gaps.last_mut() {
            Some(last) if last.leaf_index == self.kept => {
                last.moved |= moved;
                if last
                    .trivia
                    .as_ref()
                    .is_none_or(|last| !has_newline(last) && has_newline(&trivia))
                {
                    last.trivia = Some(trivia);
                }
            }
            _ => self.gaps.push(LeafGap {
                leaf_index: self.kept,
                trivia: Some(trivia),
                moved,
                ends_statement: false,
            }),
        }
    }

    /// What stands before this place is new: the leaf after it may need a blank.
    pub fn mark_inserted(&mut self) {
        self.current_gap();
    }

    /// What stands before this place is a statement, and may have lost its end: in a language where a newline ends statements, there must
    /// be one.
    pub fn end_statement(&mut self) {
        self.current_gap().ends_statement = true;
    }

    fn current_gap(&mut self) -> &mut LeafGap {
        if self
            .gaps
            .last()
            .is_none_or(|last| last.leaf_index != self.kept)
        {
            self.gaps.push(LeafGap {
                leaf_index: self.kept,
                trivia: None,
                moved: false,
                ends_statement: false,
            });
        }
        let last = self.gaps.len() - 1;
        &mut self.gaps[last]
    }

    /// The tree with its white space joins repaired.
    pub fn repair_joins(self, document: &Document, root: Arc<ProgramNode>) -> Arc<ProgramNode> {
        let mut changes = Vec::new();
        for gap in self.gaps {
            count_round();
            let Some(next) = walk::leaf_at(&root, gap.leaf_index) else {
                continue;
            };
            let before = gap
                .leaf_index
                .checked_sub(1)
                .and_then(|index| walk::leaf_at(&root, index));
            let trivia = join_trivia(document.language, before, &gap, next);
            if *trivia != *next.trivia() {
                changes.push((gap.leaf_index, SharedText::new(trivia)));
            }
        }
        replace_trivia(document, &root, &changes)
    }
}

fn has_newline(bytes: &[u8]) -> bool {
    bytes.contains(&b'\n')
}

/// The white space before `next` now that the run before it was removed.
fn join_trivia(
    language: Option<&Language>,
    before: Option<&Arc<ProgramNode>>,
    gap: &LeafGap,
    next: &Arc<ProgramNode>,
) -> Vec<u8> {
    let own = next.trivia();
    if next.flags.contains(NodeFlags::RAW) {
        return own.to_vec();
    }
    let marked = language.is_some_and(|language| language.has_markers(own));
    let Some(before) = before else {
        // The first leaf of the file: no empty lines before it. Markers stay.
        let start = own
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(own.len(), |end| end + 1);
        return if marked {
            own.to_vec()
        } else {
            own[start..].to_vec()
        };
    };
    let lost = match (language, gap.trivia.as_deref().unwrap_or(own)) {
        (Some(language), lost) => language.strip_markers(lost),
        (None, lost) => lost.to_vec(),
    };
    let mut trivia = match (has_newline(own), has_newline(&lost)) {
        (true, false) => own.to_vec(),
        (false, true) if continues_line(language, before, next) => own.to_vec(),
        (true, true) if marked || !gap.moved => own.to_vec(),
        (false, false) if !gap.moved && own.len() <= lost.len() => own.to_vec(),
        _ => lost,
    };
    let ended = before.text().ends_with(b";") || STATEMENT_CLOSERS.contains(&next.text());
    if gap.ends_statement
        && !has_newline(&trivia)
        && !ended
        && !continues_line(language, before, next)
    {
        trivia = b"\n".to_vec();
    }
    if trivia.is_empty()
        && !next.text().is_empty()
        && would_merge(language, before.text(), next.text())
    {
        trivia.push(b' ');
    }
    trivia
}

/// Tokens that end the last statement before them. The empty text is the end of the file.
const STATEMENT_CLOSERS: [&[u8]; 5] = [b"", b"}", b")", b"]", b","];

/// Tokens that continue or end the statement before them. A newline before such a token would have ended the statement already.
const STATEMENT_CONTINUERS: [&[u8]; 5] = [b";", b"&", b"|", b"&&", b"||"];

/// Whether `next` must stand on the line of `before`.
fn continues_line(language: Option<&Language>, before: &ProgramNode, next: &ProgramNode) -> bool {
    let ends_line = |language: &Language| match before.class {
        Some(class) => language.ends_line(class, before.text()),
        None => false,
    };
    STATEMENT_CONTINUERS.contains(&next.text())
        && language.is_some_and(|language| {
            language.newline_meaning() == NewlineMeaning::Semicolons && !ends_line(language)
        })
}

fn would_merge(language: Option<&Language>, before: &[u8], after: &[u8]) -> bool {
    match language {
        Some(language) => language.needs_separator(before, after),
        // Plain text: two words or numbers must not become one.
        None => {
            let word = |byte: Option<&u8>| {
                byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80)
            };
            word(before.last()) && word(after.first())
        }
    }
}

/// The tree without line markers.
pub fn strip_markers(document: &Document, root: &Arc<ProgramNode>) -> Arc<ProgramNode> {
    let Some(language) = document.language else {
        return root.clone();
    };
    let mut changes = Vec::new();
    let mut index = 0;
    let mut stack = vec![std::slice::from_ref(root).iter()];
    while let Some(level) = stack.last_mut() {
        count_round();
        match level.next() {
            Some(node) if !node.flags.contains(NodeFlags::MARKER) => index += node.sums().leaves,
            Some(node) if node.shape.is_leaf() => {
                if !node.flags.contains(NodeFlags::FROZEN) {
                    changes.push((
                        index,
                        SharedText::new(language.strip_markers(node.trivia())),
                    ));
                }
                index += 1;
            }
            Some(node) => stack.push(node.children().iter()),
            None => {
                stack.pop();
            }
        }
    }
    replace_trivia(document, root, &changes)
}

/// The tree with other white space before the leaves of these numbers, which ascend.
pub(super) fn replace_trivia(
    document: &Document,
    root: &Arc<ProgramNode>,
    changes: &[(u32, SharedText)],
) -> Arc<ProgramNode> {
    struct TriviaFrame<'a> {
        node: &'a Arc<ProgramNode>,
        next: usize,
        done: Vec<Arc<ProgramNode>>,
    }
    let (mut changes, mut index) = (changes.iter().peekable(), 0);
    match changes.peek() {
        None => return root.clone(),
        Some((_, trivia)) if root.shape.is_leaf() => {
            return replace_leaf_trivia(document.language, root, trivia.clone());
        }
        Some(_) => {}
    }
    let mut stack = vec![TriviaFrame {
        node: root,
        next: 0,
        done: Vec::new(),
    }];
    loop {
        count_round();
        let top = stack
            .last_mut()
            .expect("the root's frame is left by returning");
        let Some(child) = top.node.children().get(top.next) else {
            let frame = stack.pop().expect("just looked at");
            let node = ProgramNode::new_inner(frame.node.head(), frame.done);
            match stack.last_mut() {
                Some(parent) => parent.done.push(node),
                None => return node,
            }
            continue;
        };
        top.next += 1;
        match changes.peek() {
            Some((at, trivia)) if *at < index + child.sums().leaves => {
                match child.shape.is_leaf() {
                    true => {
                        top.done.push(replace_leaf_trivia(
                            document.language,
                            child,
                            trivia.clone(),
                        ));
                        changes.next();
                        index += 1;
                    }
                    false => stack.push(TriviaFrame {
                        node: child,
                        next: 0,
                        done: Vec::with_capacity(child.children().len()),
                    }),
                }
            }
            _ => {
                top.done.push(child.clone());
                index += child.sums().leaves;
            }
        }
    }
}

fn replace_leaf_trivia(
    language: Option<&Language>,
    leaf: &Arc<ProgramNode>,
    trivia: SharedText,
) -> Arc<ProgramNode> {
    let Some((_, text)) = leaf.leaf_texts() else {
        return leaf.clone();
    };
    let marked = language.is_some_and(|language| language.has_markers(&trivia));
    let head = leaf.head();
    let flags = if marked {
        head.flags.union(NodeFlags::MARKER)
    } else {
        head.flags.difference(NodeFlags::MARKER)
    };
    ProgramNode::new_leaf(
        super::node::NodeHead { flags, ..head },
        leaf.ids(),
        trivia,
        text,
    )
}
