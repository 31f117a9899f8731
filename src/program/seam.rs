//! Seams: the white space where an edit took something out.
//!
//! The author's layout is kept: every token keeps what stands before it. Where a run of leaves went, the leaf behind it gets the line
//! end of the run's start if it has none of its own (so that what stood on a line of its own still does, directives above all),
//! and a blank if it would otherwise be read as one token with the leaf before it. What a seam needs becomes white space of the
//! leaf behind it, so a node's bytes depend on nothing outside it.

use std::sync::Arc;

use super::node::{Body, Flags, Node};
use super::text::Text;
use super::version::Document;
use super::walk;
use crate::language::{Language, Newlines};

/// A run of leaves that went.
#[derive(Debug)]
struct Gap {
    /// The number of leaves that stay before it: the index of the leaf behind it.
    at: u32,
    /// The white space before the run; none if nothing went, but something new came.
    trivia: Option<Text>,
    /// Whether the leaf behind it was moved here.
    moved: bool,
    /// Whether the leaf before it ends a statement that was moved here.
    ends: bool,
}

/// The runs that an edit takes out of a document, collected from its start to its end.
#[derive(Debug, Default)]
pub struct Gaps {
    kept: u32,
    gaps: Vec<Gap>,
}

impl Gaps {
    /// `leaves` more leaves stay.
    pub fn keep(&mut self, leaves: u32) {
        self.kept += leaves;
    }

    /// A run goes that starts with this leaf.
    pub fn lose(&mut self, first: Option<&Arc<Node>>) {
        self.push(first.map(|leaf| Text::new(leaf.trivia())), false);
    }

    /// A run goes that starts with this white space. Runs that meet are one. `moved` says that what stands behind it has come here
    /// from further in, and so gets the white space of the place.
    pub fn push(&mut self, trivia: Option<Text>, moved: bool) {
        let Some(trivia) = trivia else { return };
        match self.gaps.last_mut() {
            Some(last) if last.at == self.kept => {
                last.moved |= moved;
                if last
                    .trivia
                    .as_ref()
                    .is_none_or(|last| !has_newline(last) && has_newline(&trivia))
                {
                    last.trivia = Some(trivia);
                }
            }
            _ => self.gaps.push(Gap {
                at: self.kept,
                trivia: Some(trivia),
                moved,
                ends: false,
            }),
        }
    }

    /// What stands before this place is new: the leaf behind it may need a blank.
    pub fn touch(&mut self) {
        self.here();
    }

    /// What stands before this place is a statement, and may have lost what ended it: in a language where a newline does, one must.
    pub fn end_statement(&mut self) {
        self.here().ends = true;
    }

    fn here(&mut self) -> &mut Gap {
        if self.gaps.last().is_none_or(|last| last.at != self.kept) {
            self.gaps.push(Gap {
                at: self.kept,
                trivia: None,
                moved: false,
                ends: false,
            });
        }
        let last = self.gaps.len() - 1;
        &mut self.gaps[last]
    }

    /// The tree with its seams mended.
    pub fn mend(self, document: &Document, root: Arc<Node>) -> Arc<Node> {
        let mut changes = Vec::new();
        for gap in self.gaps {
            let Some(next) = walk::leaf(&root, gap.at) else {
                continue;
            };
            let before = gap
                .at
                .checked_sub(1)
                .and_then(|index| walk::leaf(&root, index));
            let trivia = seam(document.language, before, &gap, next);
            if *trivia != *next.trivia() {
                changes.push((gap.at, Text::new(trivia)));
            }
        }
        with_trivia(document, &root, &changes)
    }
}

fn has_newline(bytes: &[u8]) -> bool {
    bytes.contains(&b'\n')
}

/// The white space before `next` now that a run went.
fn seam(
    language: Option<&Language>,
    before: Option<&Arc<Node>>,
    gap: &Gap,
    next: &Arc<Node>,
) -> Vec<u8> {
    let own = next.trivia();
    if next.flags.has(Flags::RAW) {
        return own.to_vec();
    }
    let marked = language.is_some_and(|language| language.has_markers(own));
    let Some(before) = before else {
        // The first leaf of the file: no empty lines above it. Markers stay.
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
        (false, true) if goes_on(language, before, next) => own.to_vec(),
        (true, true) if marked || !gap.moved => own.to_vec(),
        (false, false) if !gap.moved && own.len() <= lost.len() => own.to_vec(),
        _ => lost,
    };
    let ended = before.text().ends_with(b";") || CLOSING.contains(&next.text());
    if gap.ends && !has_newline(&trivia) && !ended && !goes_on(language, before, next) {
        trivia = b"\n".to_vec();
    }
    if trivia.is_empty() && !next.text().is_empty() && joins(language, before.text(), next.text()) {
        trivia.push(b' ');
    }
    trivia
}

/// What ends the last statement before it; the end of the file too.
const CLOSING: [&[u8]; 5] = [b"", b"}", b")", b"]", b","];

/// What goes on with the statement before it, or ends it, where a newline would have ended it already.
const GOING_ON: [&[u8]; 5] = [b";", b"&", b"|", b"&&", b"||"];

/// Whether `next` must stand on the line of `before`.
fn goes_on(language: Option<&Language>, before: &Node, next: &Node) -> bool {
    let ends_line = |language: &Language| match before.class {
        Some(class) => language.ends_line(class, before.text()),
        None => false,
    };
    GOING_ON.contains(&next.text())
        && language.is_some_and(|language| {
            language.newlines() == Newlines::Semicolons && !ends_line(language)
        })
}

fn joins(language: Option<&Language>, before: &[u8], after: &[u8]) -> bool {
    match language {
        Some(language) => language.joins(before, after),
        // Plain text: words and numbers must not grow together.
        None => {
            let word = |byte: Option<&u8>| {
                byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80)
            };
            word(before.last()) && word(after.first())
        }
    }
}

/// The tree without line markers.
pub fn strip_markers(document: &Document, root: &Arc<Node>) -> Arc<Node> {
    let Some(language) = document.language else {
        return root.clone();
    };
    let mut changes = Vec::new();
    let mut index = 0;
    let mut stack = vec![std::slice::from_ref(root).iter()];
    while let Some(level) = stack.last_mut() {
        match level.next() {
            Some(node) if !node.flags.has(Flags::MARKER) => index += node.sums.leaves,
            Some(node) if node.shape.is_leaf() => {
                if !node.flags.has(Flags::FROZEN) {
                    changes.push((index, Text::new(language.strip_markers(node.trivia()))));
                }
                index += 1;
            }
            Some(node) => stack.push(node.kids().iter()),
            None => {
                stack.pop();
            }
        }
    }
    with_trivia(document, root, &changes)
}

/// The tree with other white space before the leaves of these numbers, which ascend.
pub(super) fn with_trivia(
    document: &Document,
    root: &Arc<Node>,
    changes: &[(u32, Text)],
) -> Arc<Node> {
    struct Frame<'a> {
        node: &'a Arc<Node>,
        next: usize,
        done: Vec<Arc<Node>>,
    }
    let (mut changes, mut index) = (changes.iter().peekable(), 0);
    match changes.peek() {
        None => return root.clone(),
        Some((_, trivia)) if root.shape.is_leaf() => {
            return leaf_with_trivia(document.language, root, trivia.clone());
        }
        Some(_) => {}
    }
    let mut stack = vec![Frame {
        node: root,
        next: 0,
        done: Vec::new(),
    }];
    loop {
        let top = stack
            .last_mut()
            .expect("the root's frame is left by returning");
        let Some(kid) = top.node.kids().get(top.next) else {
            let frame = stack.pop().expect("just looked at");
            let node = Node::inner(frame.node.head(), frame.done);
            match stack.last_mut() {
                Some(parent) => parent.done.push(node),
                None => return node,
            }
            continue;
        };
        top.next += 1;
        match changes.peek() {
            Some((at, trivia)) if *at < index + kid.sums.leaves => match &kid.body {
                Body::Leaf { .. } => {
                    top.done
                        .push(leaf_with_trivia(document.language, kid, trivia.clone()));
                    changes.next();
                    index += 1;
                }
                Body::Inner(_) => stack.push(Frame {
                    node: kid,
                    next: 0,
                    done: Vec::with_capacity(kid.kids().len()),
                }),
            },
            _ => {
                top.done.push(kid.clone());
                index += kid.sums.leaves;
            }
        }
    }
}

fn leaf_with_trivia(language: Option<&Language>, leaf: &Arc<Node>, trivia: Text) -> Arc<Node> {
    let Body::Leaf { ids, text, .. } = &leaf.body else {
        return leaf.clone();
    };
    let marked = language.is_some_and(|language| language.has_markers(&trivia));
    let head = leaf.head();
    let flags = if marked {
        head.flags.with(Flags::MARKER)
    } else {
        head.flags.without(Flags::MARKER)
    };
    Node::leaf(
        super::node::Head { flags, ..head },
        ids.clone(),
        trivia,
        text.clone(),
    )
}
