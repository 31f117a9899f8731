//! The parser's tree as a table: nodes in document order, each with its children.

use std::ops::Range;

use super::source::CheckedFile;
use crate::grammar::NodeClass;
use crate::language::Language;
use crate::language::parser::ParseTree;

/// A node of the syntax tree.
pub(super) struct SourceNode {
    pub class: Option<NodeClass>,
    pub range: Range<usize>,
    /// Indices of its children in the table, without comments and errors.
    pub children: Vec<usize>,
    /// The errors among them: how many children stand before each, and its index in the table.
    pub errors: Vec<(usize, usize)>,
    /// Whether text that is not a child stands before the node in its parent.
    pub gap: bool,
    /// Whether text that is not a child stands after its last child.
    pub trailing_gap: bool,
}

/// All nodes, parents before children. The root is the first. A node that is one token for lop has no children here.
pub(super) fn collect_nodes(
    source: &CheckedFile,
    language: &'static Language,
    tree: &ParseTree,
) -> Vec<SourceNode> {
    let masked = language.mask_text(&source.text);
    let hidden = language.hidden_ranges(&source.text);
    // What is hidden before a node belongs to the outermost node that begins there.
    let start_with_hidden = |end: usize, start: usize| {
        let next = hidden.partition_point(|range| range.start < end);
        let first = hidden.get(next).map_or(start, |range| range.start);
        first.min(start)
    };
    let text = |range: Range<usize>| range.start < range.end && !language.is_blank(&masked[range]);
    let mut nodes: Vec<SourceNode> = Vec::new();
    // The open nodes, each with where its last child ended.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let range = node.range();
        let class = match node.is_error() || node.is_missing() {
            true => None,
            false => language
                .grammar()
                .find_class(node.kind_id(), node.grammar_id()),
        };
        let comment = node.is_extra() || class.is_some_and(|class| language.is_comment(class));
        let one = comment || class.is_some_and(|class| language.is_token(class, &cursor));
        let index = nodes.len();
        let (mut gap, mut start) = (false, range.start);
        if let Some((parent, end)) = open.last_mut() {
            if !one && node.child_count() > 0 {
                start = start_with_hidden(*end, start);
            }
            gap = text(*end..range.start.max(*end));
            *end = range.end;
            let parent = &mut nodes[*parent];
            match node.is_error() {
                true => parent.errors.push((parent.children.len(), index)),
                false if comment => {}
                false => parent.children.push(index),
            }
        }
        nodes.push(SourceNode {
            class,
            gap,
            trailing_gap: false,
            children: Vec::new(),
            errors: Vec::new(),
            range: start..range.end,
        });
        if !one && cursor.goto_first_child() {
            open.push((index, range.start));
            continue;
        }
        while !cursor.goto_next_sibling() {
            let Some((parent, end)) = open.pop() else {
                return nodes;
            };
            let last = nodes[parent].range.end;
            nodes[parent].trailing_gap = text(end..last.max(end));
            cursor.goto_parent();
        }
    }
}
