//! From the parser's tree to the normal form: each node's children are derived from its rule, and the derivation becomes its parts.
//!
//! What the grammar does not explain is never fatal. A node with an error among its children keeps them as an opaque list, grouped by its
//! brackets, semicolons and lines, and text that no child covers becomes tokens.

use std::ops::Range;
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::build::{Draft, Names, finish};
use super::groups::{Grouping, grouped};
use super::node::{Flags, Node, Shape, TokId};
use super::text::{Bytes, Text};
use super::{chains, plain};
use crate::grammar::{self, Class, Part};
use crate::language::Language;
use crate::language::parser::{self, Cursor, ParseTree};

/// How the children of a node that the grammar does not explain are put together.
const UNPARSED: Grouping = Grouping {
    shape: Shape::Opaque,
    lone: false,
    semicolons: true,
};

/// Reads one document, or a stretch of it.
pub struct Reader<'a, F, N> {
    language: &'static Language,
    source: Bytes,
    masked: &'a [u8],
    /// Where the last leaf ended.
    end: usize,
    /// The identities of the leaf in this range.
    identify: F,
    /// The identities of nodes.
    names: &'a mut N,
}

/// A child of a node that is being read.
pub struct Child {
    /// None if it has no text.
    pub draft: Option<Draft>,
    class: Option<Class>,
    kind: ChildKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ChildKind {
    Plain,
    Extra,
    /// An error or a missing token.
    Fault,
    /// Text that is no child.
    Gap,
}

struct Open {
    class: Option<Class>,
    field: u16,
    range: Range<usize>,
    kind: ChildKind,
    children: Vec<Child>,
}

impl<'a, F: FnMut(Range<usize>) -> SmallVec<[TokId; 1]>, N: Names> Reader<'a, F, N> {
    /// A reader of `source`, which the parser sees as `masked`. `identify` gives the identities of the leaf in a range; ranges come
    /// in order.
    pub fn new(
        language: &'static Language,
        source: &Arc<[u8]>,
        masked: &'a [u8],
        identify: F,
        names: &'a mut N,
    ) -> Self {
        Reader {
            language,
            source: Arc::new(source.clone()),
            masked,
            end: 0,
            identify,
            names,
        }
    }

    /// The same, behind a token that ends here.
    pub fn from(self, end: usize) -> Self {
        Reader { end, ..self }
    }

    /// Where the last token ended.
    pub fn end(&self) -> usize {
        self.end
    }

    /// The document of this tree.
    pub fn read(mut self, tree: &ParseTree) -> Arc<Node> {
        let children = self.children(tree, 0, usize::MAX);
        self.document(tree, children)
    }

    /// The children of the tree's root from the first that begins at `from` or behind it to the last that begins before `until`, each
    /// finished but for its place. The child before them ends in a token.
    pub fn children(&mut self, tree: &ParseTree, from: usize, until: usize) -> Vec<Child> {
        let mut cursor = tree.walk();
        let mut stack = vec![self.root(&cursor)];
        let mut there = cursor.first_child();
        while there && cursor.node().range().start < from {
            self.end = cursor.node().range().end;
            there = cursor.next_sibling();
        }
        let mut sealed = 0;
        while there && cursor.node().range().start < until {
            self.child(&mut cursor, &mut stack);
            for child in &mut stack[0].children[sealed..] {
                if let Some(draft) = &mut child.draft {
                    draft.seal(self.names);
                }
            }
            sealed = stack[0].children.len();
            there = cursor.next_sibling();
        }
        stack.remove(0).children
    }

    /// The root of the document, which has these children, and what stands behind the last token.
    pub fn document(mut self, tree: &ParseTree, children: Vec<Child>) -> Arc<Node> {
        let mut root = self.root(&tree.walk());
        root.children = children;
        // What is sealed has no text to look at any more.
        let mut parts = Vec::new();
        self.gap(self.source.len(), false, &mut root.children);
        let draft = self.close(root).draft;
        parts.extend(draft.filter(|draft| draft.kids().is_none_or(|kids| !kids.is_empty())));
        let trivia = self.trivia(self.source.len());
        parts.push(self.leaf(
            Shape::End,
            None,
            smallvec![],
            trivia,
            self.source.len()..self.source.len(),
        ));
        finish(Draft::inner(Shape::Regular, parts), self.names)
    }

    fn root(&self, cursor: &Cursor) -> Open {
        let node = cursor.node();
        Open {
            class: self.class(&node),
            field: 0,
            range: node.range(),
            kind: kind(&node),
            children: Vec::new(),
        }
    }

    /// The child of the root under the cursor, with all that is below it.
    fn child(&mut self, cursor: &mut Cursor, stack: &mut Vec<Open>) {
        'node: loop {
            let entered = self.enter(cursor, stack);
            if entered && cursor.first_child() {
                continue;
            }
            if entered {
                self.leave(stack);
            }
            while stack.len() > 1 {
                if cursor.next_sibling() {
                    continue 'node;
                }
                cursor.parent();
                self.leave(stack);
            }
            return;
        }
    }

    fn is_template(&self, class: Option<Class>) -> bool {
        class.is_some_and(|class| self.language.is_template(class))
    }

    fn class(&self, node: &parser::Node) -> Option<Class> {
        let grammar = self.language.grammar();
        grammar.class(node.kind_id(), node.grammar_id())
    }

    /// Looks at the node under the cursor; true if it is open now, and its children come next.
    fn enter(&mut self, cursor: &Cursor, stack: &mut Vec<Open>) -> bool {
        let node = cursor.node();
        let range = node.range();
        let class = self.class(&node);
        let kind = kind(&node);
        let field = cursor.field().map_or(0, std::num::NonZeroU16::get);
        let mut verbatim = false;
        if let Some(parent) = stack.last_mut() {
            let begun = parent.range.start < range.start;
            verbatim = begun && self.is_template(parent.class);
            self.gap(range.start, verbatim, &mut parent.children);
        }
        let comment = class.is_some_and(|class| self.language.is_comment(class));
        let token = class.is_some_and(|class| self.language.is_token(class, cursor));
        if node.child_count() > 0 && !token || node.is_error() {
            stack.push(Open {
                class,
                field,
                range,
                kind,
                children: Vec::new(),
            });
            return true;
        }
        let text = &self.masked[range.clone()];
        let blank = text.iter().all(u8::is_ascii_whitespace) && !verbatim;
        let draft = (!blank && !text.is_empty() && !node.is_missing()).then(|| {
            let ids = (self.identify)(range.clone());
            let trivia = self.trivia(range.start);
            self.end = range.end;
            let shape = if comment || kind == ChildKind::Extra {
                Shape::Extra
            } else {
                Shape::Token
            };
            let mut leaf = self.leaf(shape, class, ids, trivia, range);
            leaf.field = field;
            leaf
        });
        if let Some(parent) = stack.last_mut() {
            parent.children.push(Child { draft, class, kind });
        }
        false
    }

    /// The children of the innermost open node have been read.
    fn leave(&mut self, stack: &mut Vec<Open>) {
        let Some(mut open) = stack.pop() else { return };
        let verbatim = self.is_template(open.class);
        self.gap(open.range.end, verbatim, &mut open.children);
        let child = self.close(open);
        if let Some(parent) = stack.last_mut() {
            parent.children.push(child);
        }
    }

    fn trivia(&self, start: usize) -> Text {
        Text::slice(&self.source, self.end..start)
    }

    fn leaf(
        &self,
        shape: Shape,
        class: Option<Class>,
        ids: SmallVec<[TokId; 1]>,
        trivia: Text,
        range: Range<usize>,
    ) -> Draft {
        let text = Text::slice(&self.source, range);
        let mut flags = Flags::NONE;
        if self.language.has_markers(&trivia) {
            flags = flags.with(Flags::MARKER);
        }
        if shape != Shape::End && self.language.is_bound_to_line(class, &text) {
            flags = flags.with(Flags::LINES);
        }
        let mut leaf = Draft::leaf(shape, ids, trivia, text);
        (leaf.class, leaf.flags) = (class, flags);
        leaf
    }

    /// Text between here and `until` that is not blank becomes tokens; where it is `verbatim`, one, with all white space.
    fn gap(&mut self, until: usize, verbatim: bool, children: &mut Vec<Child>) {
        let from = self.end;
        if until <= from || !verbatim && self.language.is_blank(&self.masked[from..until]) {
            return;
        }
        let words = plain::tokens(&self.masked[from..until]);
        let ranges: Vec<_> = match verbatim {
            true => std::iter::once(from..until).collect(),
            false => words
                .map(|range| range.start + from..range.end + from)
                .collect(),
        };
        for range in ranges {
            let ids = (self.identify)(range.clone());
            let trivia = self.trivia(range.start);
            self.end = range.end;
            let draft = Some(self.leaf(Shape::Token, None, ids, trivia, range));
            children.push(Child {
                draft,
                class: None,
                kind: ChildKind::Gap,
            });
        }
    }

    /// The node with all its children: their derivation, or an opaque list.
    fn close(&mut self, open: Open) -> Child {
        let Open {
            class,
            field,
            kind,
            children,
            ..
        } = open;
        let grammar = self.language.grammar();
        let faulty =
            kind == ChildKind::Fault || children.iter().any(|child| child.kind == ChildKind::Fault);
        let derivation = if faulty {
            None
        } else {
            class
                .and_then(|class| grammar.rule(class))
                .and_then(|rule| derive(grammar, rule, &children))
        };
        let mut draft = match derivation {
            Some(derivation) => {
                let mut parts = place(derivation, children);
                if class.is_some_and(|class| self.language.is_nonempty(class)) {
                    parts.iter_mut().for_each(keep_one);
                }
                Draft::inner(Shape::Regular, parts)
            }
            None => {
                let parts: Vec<_> = children
                    .into_iter()
                    .filter_map(|child| child.draft)
                    .collect();
                let parts = grouped(parts, UNPARSED);
                let list = Draft::inner(Shape::Opaque, parts);
                let parts = if list.kids().is_some_and(|kids| kids.is_empty()) {
                    Vec::new()
                } else {
                    vec![list]
                };
                Draft::inner(Shape::Regular, parts)
            }
        };
        (draft.class, draft.field) = (class, field);
        if !faulty {
            draft = chains::flatten(grammar, draft);
        }
        let empty = draft.kids().is_some_and(|kids| kids.is_empty());
        Child {
            draft: Some(draft).filter(|_| !empty),
            class,
            kind,
        }
    }
}

fn kind(node: &parser::Node) -> ChildKind {
    match () {
        () if node.is_error() || node.is_missing() => ChildKind::Fault,
        () if node.is_extra() => ChildKind::Extra,
        () => ChildKind::Plain,
    }
}

/// How the children follow from the rule; extras and gaps are no children.
fn derive(
    grammar: &grammar::Grammar,
    rule: grammar::RuleId,
    children: &[Child],
) -> Option<grammar::Derivation> {
    let mut gap = false;
    let mut seen = Vec::with_capacity(children.len());
    for child in children {
        match child.kind {
            ChildKind::Gap => gap = true,
            ChildKind::Extra => {}
            ChildKind::Plain | ChildKind::Fault => {
                seen.push(grammar::Child {
                    class: child.class,
                    gap: std::mem::take(&mut gap),
                });
            }
        }
    }
    grammar.derive(rule, &seen, gap)
}

/// The parts of a derivation with the children in them. Extras and gaps stand before the child they stood before, as far out as that
/// child is the first of its group.
fn place(derivation: grammar::Derivation, children: Vec<Child>) -> Vec<Draft> {
    let mut waiting = Vec::new();
    let mut slots = Vec::new();
    for child in children {
        match child.kind {
            ChildKind::Gap | ChildKind::Extra => waiting.extend(child.draft),
            ChildKind::Plain | ChildKind::Fault => {
                slots.push((std::mem::take(&mut waiting), child.draft))
            }
        }
    }
    let mut parts = Vec::new();
    for part in derivation.parts {
        let (before, draft) = put(part, &mut slots);
        parts.extend(before);
        parts.extend(draft);
    }
    parts.extend(waiting);
    parts
}

/// One part: what stands before it, and itself unless nothing of it has any text. Recursion is as deep as rules are, not programs.
fn put(part: Part, slots: &mut [(Vec<Draft>, Option<Draft>)]) -> (Vec<Draft>, Option<Draft>) {
    let (shape, expected, parts) = match part {
        Part::Child { index, expected } => {
            let (before, mut draft) = std::mem::take(&mut slots[index as usize]);
            if let Some(draft) = &mut draft {
                draft.expected = Some(expected);
            }
            return (before, draft);
        }
        Part::Item {
            expected, parts, ..
        } => (Shape::Item, expected, parts),
        Part::Group {
            shape,
            expected,
            parts,
            ..
        } => (shape_of(shape), expected, parts),
    };
    let (mut outside, mut inside) = (Vec::new(), Vec::new());
    for part in parts {
        let (before, draft) = put(part, slots);
        let link = shape == Shape::Sep && !inside.is_empty();
        let room = if inside.is_empty() {
            &mut outside
        } else {
            &mut inside
        };
        match draft {
            Some(mut draft) if link => {
                draft.shape = Shape::Link;
                draft.expected = None;
                for extra in before.into_iter().rev() {
                    if let Some(kids) = draft.kids_mut() {
                        kids.push_front(extra);
                    }
                }
                inside.push(draft);
            }
            draft => {
                room.extend(before);
                inside.extend(draft);
            }
        }
    }
    if inside.is_empty() {
        return (outside, None);
    }
    let mut group = Draft::inner(shape, inside);
    group.expected = Some(expected);
    (outside, Some(group))
}

/// A list that the parser would take empty, but not the language.
fn keep_one(part: &mut Draft) {
    if part.shape == Shape::Star {
        part.shape = Shape::Plus;
    }
}

fn shape_of(shape: grammar::Shape) -> Shape {
    match shape {
        grammar::Shape::Star => Shape::Star,
        grammar::Shape::Plus => Shape::Plus,
        grammar::Shape::Opt => Shape::Opt,
        grammar::Shape::Sep => Shape::Sep,
    }
}
