//! The least white space that keeps the tokens of a program apart.
//!
//! Where a newline means nothing, two tokens have nothing between them, or a blank where they would be read as one. A newline that means
//! something stays, alone: before and behind a token that is bound to its line, behind a comment up to the end of its line, between statements
//! that it ends (but for the places where the language says that it ends nothing), and at the end of the file. Where indentation means
//! something it becomes one blank a level. What the user keeps, line markers, and the text of templates stay as they are.

use std::sync::Arc;

use super::edit::SpaceChange;
use super::node::{NodeFlags, NodeShape, ProgramNode};
use super::version::{Document, Version};
use super::view::View;
use crate::language::{Language, NewlineMeaning};

/// The places with more white space than they need, in the order of the text: those that must change together, such as the indentation of all
/// lines, as one. None in a version that keeps its layout.
pub fn find_spare_space(view: &View) -> Vec<Vec<SpaceChange>> {
    if view.version.keeps_layout() {
        return Vec::new();
    }
    let (mut changes, mut before) = (Vec::new(), 0);
    for document in view.version.documents() {
        let leaves = document.root.sums().leaves;
        if let Some(spaces) = LeastSpaces::of_document(document) {
            let mut indents = Vec::new();
            let is_indent = |space: &[u8]| {
                spaces.language.newline_meaning() == NewlineMeaning::Indent
                    && space.contains(&b'\n')
            };
            spaces
                .clone()
                .visit_leaves(document, |number, leaf, space| {
                    if space.len() < leaf.trivia().len() && is_open(view, leaf) {
                        let change = SpaceChange {
                            leaf: before + number,
                            space: space.into(),
                        };
                        match is_indent(space) {
                            true => indents.push(change),
                            false => changes.push(vec![change]),
                        }
                    }
                });
            changes.extend((!indents.is_empty()).then_some(indents));
        }
        before += leaves;
    }
    changes
}

/// Whether the white space before a leaf may change.
fn is_open(view: &View, leaf: &Arc<ProgramNode>) -> bool {
    let kept = NodeFlags::FROZEN
        .union(NodeFlags::PINNED)
        .union(NodeFlags::RAW);
    let is_free = || {
        view.constraints.is_empty()
            || leaf.shape == NodeShape::End
            || view.constraints.node_exclusion(leaf).is_none()
    };
    !leaf.flags.intersects(kept) && is_free()
}

/// The changes of each document of a version, by the numbers of its own leaves.
pub(super) fn split_by_document<'a>(
    version: &Version,
    changes: &'a [SpaceChange],
) -> Vec<(u32, &'a [SpaceChange])> {
    let (mut rest, mut first) = (changes, 0);
    let documents = version.documents().iter();
    let parts = documents.map(|document| {
        let end = first + document.root.sums().leaves;
        let (own, behind) = rest.split_at(rest.partition_point(|change| change.leaf < end));
        rest = behind;
        (std::mem::replace(&mut first, end), own)
    });
    parts.collect()
}

/// A look at the leaves of a document, one after the other.
#[derive(Clone)]
struct LeastSpaces<'a> {
    language: &'static Language,
    /// The last leaf with text.
    before: Option<&'a Arc<ProgramNode>>,
    /// The one before it.
    before_that: Option<&'a Arc<ProgramNode>>,
    /// Whether there is white space behind that leaf already.
    is_apart: bool,
    /// Whether the first leaf of the line is bound to it, and whether only that leaf stands there so far.
    is_bound: bool,
    is_first_in_line: bool,
    /// How many brackets are open.
    depth: u32,
    /// The widths of the indentations around the line.
    indents: Vec<usize>,
}

impl<'a> LeastSpaces<'a> {
    /// None for a document whose white space is text.
    fn of_document(document: &Document) -> Option<LeastSpaces<'a>> {
        let language = document.language?;
        (language.newline_meaning() != NewlineMeaning::Text).then_some(LeastSpaces {
            language,
            before: None,
            before_that: None,
            is_apart: false,
            is_bound: false,
            is_first_in_line: true,
            depth: 0,
            indents: Vec::new(),
        })
    }

    /// Each leaf whose white space is known, with its number and the least white space before it.
    fn visit_leaves(
        mut self,
        document: &'a Document,
        mut visit: impl FnMut(u32, &'a Arc<ProgramNode>, &[u8]),
    ) {
        let mut open = vec![(&document.root, false)];
        let mut number = 0;
        while let Some((node, in_template)) = open.pop() {
            if !node.shape.is_leaf() {
                let is_template = |class| self.language.is_template(class);
                let is_template = node.class.is_some_and(is_template);
                let children = node.children().iter().enumerate().rev();
                // What stands before the first leaf is outside of the template.
                open.extend(
                    children.map(|(at, child)| (child, in_template || is_template && at > 0)),
                );
                continue;
            }
            let space = self.next_space(node);
            if let Some(space) = space.filter(|_| !in_template) {
                visit(number, node, &space);
            }
            number += 1;
        }
    }

    /// The least white space before the next leaf; none where it stays as it is.
    fn next_space(&mut self, leaf: &'a Arc<ProgramNode>) -> Option<Vec<u8>> {
        if leaf.text().is_empty() && leaf.shape != NodeShape::End {
            self.is_apart |= !leaf.trivia().is_empty();
            return None;
        }
        let trivia = self.plain_space(leaf.trivia());
        let space = trivia.as_ref().map(|trivia| match self.before {
            None => Vec::new(),
            Some(before) => self.least_space(before, trivia, leaf),
        });
        self.pass_leaf(leaf, trivia.as_deref().unwrap_or(leaf.trivia()));
        space
    }

    /// White space with a blank for each continuation of a line; none if it contains something else.
    fn plain_space(&self, trivia: &[u8]) -> Option<Vec<u8>> {
        let plain = self.language.join_lines(trivia);
        let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'\x0b';
        plain.iter().all(is_blank).then_some(plain)
    }

    fn least_space(&mut self, before: &ProgramNode, trivia: &[u8], leaf: &ProgramNode) -> Vec<u8> {
        let indent = trivia.iter().rposition(|&byte| byte == b'\n');
        if let Some(end) = indent
            && self.needs_newline(before, leaf)
        {
            let level = match self.language.newline_meaning() {
                NewlineMeaning::Indent if leaf.shape != NodeShape::End => {
                    self.indent_level(&trivia[end + 1..])
                }
                _ => 0,
            };
            return [&b"\n"[..], &b" ".repeat(level)].concat();
        }
        // `#define A (1)` is not `#define A(1)`.
        let stays = self.is_bound && !self.is_first_in_line || self.language.has_telling_blanks();
        let stays = stays && !trivia.is_empty();
        let is_read_as_one = !self.is_apart && self.is_read_as_one(before, leaf);
        match leaf.shape != NodeShape::End && (stays || is_read_as_one) {
            true => b" ".to_vec(),
            false => Vec::new(),
        }
    }

    /// Whether two leaves would be read as one token. A sign behind an operand is an operator.
    fn is_read_as_one(&self, before: &ProgramNode, leaf: &ProgramNode) -> bool {
        let ends_operand = |text: &[u8]| {
            let last = text.last();
            last.is_some_and(|last| last.is_ascii_alphanumeric() || b"_)]".contains(last))
        };
        match self
            .before_that
            .is_some_and(|leaf| ends_operand(leaf.text()))
        {
            true => self.language.is_read_as_one(before.text(), leaf.text()),
            false => self.language.needs_separator(before.text(), leaf.text()),
        }
    }

    /// Whether a newline between these two leaves means something.
    fn needs_newline(&self, before: &ProgramNode, leaf: &ProgramNode) -> bool {
        let language = self.language;
        let starts = |class| language.starts_line(class);
        let ends = |class| language.ends_line(class, before.text());
        if leaf.shape == NodeShape::End
            || self.is_bound
            || leaf.class.is_some_and(starts)
            || before.class.is_some_and(ends)
        {
            return true;
        }
        match language.newline_meaning() {
            NewlineMeaning::Free | NewlineMeaning::Text => false,
            NewlineMeaning::Semicolons => {
                !language.ignores_newline_between(before.text(), leaf.text())
            }
            NewlineMeaning::Indent => self.depth == 0,
        }
    }

    /// The level of a line that is indented so.
    fn indent_level(&mut self, indent: &[u8]) -> usize {
        let width = |width: usize, byte: &u8| match byte {
            b'\t' => (width / 8 + 1) * 8,
            _ => width + 1,
        };
        let width = indent.iter().fold(0, width);
        while self.indents.last().is_some_and(|&around| around >= width) {
            self.indents.pop();
        }
        if width > 0 {
            self.indents.push(width);
        }
        self.indents.len()
    }

    /// Takes note of what stands before the leaf behind this one, before which this white space stands.
    fn pass_leaf(&mut self, leaf: &'a Arc<ProgramNode>, trivia: &[u8]) {
        let ends_line = |before: &Arc<ProgramNode>| before.text().ends_with(b"\n");
        let language = self.language;
        self.is_first_in_line = trivia.contains(&b'\n') || self.before.is_none_or(ends_line);
        if self.is_first_in_line {
            self.is_bound = leaf.class.is_some_and(|class| language.starts_line(class));
        }
        match leaf.text() {
            b"(" | b"[" | b"{" => self.depth += 1,
            b")" | b"]" | b"}" => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.before_that = self.before.replace(leaf);
        self.is_apart = false;
    }
}
