//! Matching plain patterns by a walk over the tree.
//!
//! The matches are those of tree-sitter's queries (but not what its stream of captures also shows of matches that come to nothing):
//! children of a pattern match children of a node in order, with others between them, in every way that captures other nodes. An anchor
//! allows no named node in its place, and anonymous ones.

use std::cmp::Reverse;
use std::ops::Range;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use tree_sitter::{Node, Tree, TreeCursor};

use super::QueryCapture;
use super::patterns::{ChildPattern, NodePattern, NodeTest, PatternSet};

/// What a match has captured: the numbers of the captures and their nodes, outer before inner.
type CapturedNodes<'tree> = SmallVec<[(usize, Node<'tree>); 4]>;

/// A child of a node.
#[derive(Clone)]
struct ChildNode<'tree> {
    node: Node<'tree>,
    field: Option<u16>,
    is_named: bool,
    is_last_named: bool,
}

impl PatternSet {
    /// All captures in the text that `tree` is the tree of, in the order of [`super::CompiledQuery::find_captures`].
    pub(super) fn find_captures(&self, tree: &Tree, text: &[u8]) -> Vec<QueryCapture> {
        let mut search = PatternSearch::new(self, tree, text);
        let cursor = tree.walk();
        search.visit_node(&cursor, true);
        search.visit_below(cursor);
        search.into_captures()
    }
}

/// A search over a tree, whose nodes it is shown: each once, outer before inner, in the order of the text.
pub(super) struct PatternSearch<'a, 'tree> {
    patterns: &'a PatternSet,
    text: &'a [u8],
    /// For the children of a node.
    spare: TreeCursor<'tree>,
    found: Vec<QueryCapture>,
    /// The number of matches so far.
    matched: u32,
}

impl<'a, 'tree> PatternSearch<'a, 'tree> {
    pub(super) fn new(
        patterns: &'a PatternSet,
        tree: &'tree Tree,
        text: &'a [u8],
    ) -> PatternSearch<'a, 'tree> {
        PatternSearch {
            patterns,
            text,
            spare: tree.walk(),
            found: Vec::new(),
            matched: 0,
        }
    }

    /// What was captured, in the order of [`super::CompiledQuery::find_captures`].
    pub(super) fn into_captures(self) -> Vec<QueryCapture> {
        let mut found = self.found;
        found.sort_by_key(|found| {
            let Range { start, end } = found.range;
            (start, Reverse(end), found.pattern)
        });
        found
    }

    /// Visits all nodes below the one under the cursor, whose root it is.
    pub(super) fn visit_below(&mut self, mut cursor: TreeCursor<'tree>) {
        let mut is_below = cursor.goto_first_child();
        while is_below {
            self.visit_node(&cursor, false);
            if cursor.goto_first_child() {
                continue;
            }
            while is_below && !cursor.goto_next_sibling() {
                is_below = cursor.goto_parent();
            }
        }
    }

    /// Finds the matches whose root is the node under the cursor, or that are about this child of any node.
    pub(super) fn visit_node(&mut self, cursor: &TreeCursor<'tree>, is_root: bool) {
        let (patterns, node) = (self.patterns, cursor.node());
        for &number in patterns
            .by_child_kind
            .get(node.kind_id() as usize)
            .into_iter()
            .flatten()
        {
            let child = patterns.patterns[number].root.only_child();
            let child = child.filter(|_| !is_root);
            self.match_child(number, child, cursor);
        }
        let of_kind = patterns.by_kind.get(node.kind_id() as usize);
        let of_kind = of_kind.into_iter().flatten();
        let mut children = None;
        for &number in of_kind.chain(&patterns.of_any_kind) {
            let root = &patterns.patterns[number].root;
            if !root.fits(node) {
                continue;
            }
            if root.children.is_empty() {
                let captured = root.captures.iter().map(|capture| (*capture, node));
                self.add_match(number, captured.collect());
                continue;
            }
            let children = children.get_or_insert_with(|| list_children(&mut self.spare, node));
            let mut matches = Vec::new();
            let captured = root.captures.iter().map(|capture| (*capture, node));
            match_children(
                &mut self.spare,
                &root.children,
                children,
                captured.collect(),
                &mut |captured| matches.push(captured),
            );
            self.add_matches(number, matches);
        }
    }

    /// Finds the matches in which this child of a pattern is the node under the cursor.
    fn match_child(
        &mut self,
        number: usize,
        child: Option<&ChildPattern>,
        cursor: &TreeCursor<'tree>,
    ) {
        let field = cursor.field_id().map(u16::from);
        let child = child.filter(|child| child.field.is_none() || child.field == field);
        let mut matches = Vec::new();
        for pattern in child.iter().flat_map(|child| &child.alternatives) {
            if pattern.fits(cursor.node()) {
                let none = CapturedNodes::new();
                match_inside(
                    &mut self.spare,
                    pattern,
                    cursor.node(),
                    none,
                    &mut |_, way| {
                        matches.push(way);
                    },
                );
            }
        }
        self.add_matches(number, matches);
    }

    /// Adds matches of a pattern with the same root, those that capture the same once.
    fn add_matches(&mut self, number: usize, matches: Vec<CapturedNodes<'tree>>) {
        let mut known = FxHashSet::default();
        for captured in matches {
            let nodes = captured.iter().map(|(_, node)| node.id());
            if known.insert(nodes.collect::<SmallVec<[usize; 4]>>()) {
                self.add_match(number, captured);
            }
        }
    }

    /// Adds the captures of a match, unless its condition forbids it.
    fn add_match(&mut self, number: usize, captured: CapturedNodes<'tree>) {
        if let Some((name, expression)) = &self.patterns.patterns[number].condition {
            let mut named = captured.iter().filter(|(capture, _)| capture == name);
            if !named.all(|(_, node)| expression.is_match(&self.text[node.byte_range()])) {
                return;
            }
        }
        self.matched += 1;
        let captures = captured.iter().map(|(capture, node)| QueryCapture {
            range: node.byte_range(),
            name: self.patterns.names[*capture],
            pattern: number,
            matched: self.matched,
        });
        self.found
            .extend(captures.filter(|found| !found.range.is_empty()));
    }
}

impl NodePattern {
    /// Whether the node fits, its children left aside.
    fn fits(&self, node: Node<'_>) -> bool {
        let kind = match &self.test {
            NodeTest::Kind(kind) => node.kind_id() == *kind,
            NodeTest::OneOf(kinds) => kinds.contains(&node.kind_id()),
            NodeTest::Named => node.is_named() && !node.is_error(),
            NodeTest::Any => !node.is_error(),
        };
        let is_absent = |field: &u16| node.child_by_field_id(*field).is_none();
        kind && self.absent_fields.iter().all(is_absent)
    }
}

/// The children of a node.
fn list_children<'tree>(
    cursor: &mut TreeCursor<'tree>,
    node: Node<'tree>,
) -> Vec<ChildNode<'tree>> {
    let mut children = Vec::with_capacity(node.child_count() as usize);
    cursor.reset(node);
    let mut is_there = cursor.goto_first_child();
    while is_there {
        let node = cursor.node();
        children.push(ChildNode {
            node,
            field: cursor.field_id().map(u16::from),
            is_named: node.is_named(),
            is_last_named: false,
        });
        is_there = cursor.goto_next_sibling();
    }
    // Of what follows the last named node, each has no named node behind it either.
    for child in children.iter_mut().rev() {
        child.is_last_named = true;
        if child.is_named {
            break;
        }
    }
    children
}

/// Calls `each` for every way in which the patterns match some of the children in their order, with what is captured then.
fn match_children<'tree>(
    spare: &mut TreeCursor<'tree>,
    patterns: &[ChildPattern],
    children: &[ChildNode<'tree>],
    captured: CapturedNodes<'tree>,
    each: &mut dyn FnMut(CapturedNodes<'tree>),
) {
    let Some((pattern, more)) = patterns.split_first() else {
        each(captured);
        return;
    };
    for (at, child) in children.iter().enumerate() {
        let is_possible = pattern.field.is_none_or(|field| child.field == Some(field))
            && (!pattern.is_last || child.is_last_named);
        let mut has_matched = false;
        for node in pattern.alternatives.iter().filter(|_| is_possible) {
            if node.fits(child.node) {
                match_inside(
                    spare,
                    node,
                    child.node,
                    captured.clone(),
                    &mut |spare, captured| {
                        has_matched = true;
                        match_children(spare, more, &children[at + 1..], captured, each);
                    },
                );
            }
        }
        if pattern.is_next && child.is_named || pattern.is_first_enough && has_matched {
            return;
        }
    }
}

/// Calls `each` for every way in which the children of a pattern match children of this node.
fn match_inside<'tree>(
    spare: &mut TreeCursor<'tree>,
    pattern: &NodePattern,
    node: Node<'tree>,
    mut captured: CapturedNodes<'tree>,
    each: &mut dyn FnMut(&mut TreeCursor<'tree>, CapturedNodes<'tree>),
) {
    captured.extend(pattern.captures.iter().map(|capture| (*capture, node)));
    if pattern.children.is_empty() {
        each(spare, captured);
        return;
    }
    let children = list_children(spare, node);
    let mut ways = Vec::new();
    match_children(spare, &pattern.children, &children, captured, &mut |way| {
        ways.push(way);
    });
    ways.into_iter().for_each(|way| each(spare, way));
}

#[cfg(test)]
mod tests {
    use tree_sitter::{Query, QueryCursor, StreamingIterator};

    use super::*;
    use crate::language::parser::{ParseLimit, compile_query};
    use crate::language::{Language, all_languages};

    /// What was captured, and what was captured together.
    fn describe_captures(found: &[QueryCapture]) -> (Vec<String>, Vec<Vec<String>>) {
        let describe = |capture: &QueryCapture| {
            let QueryCapture {
                range,
                name,
                pattern,
                ..
            } = capture;
            format!("{range:?} {name} of pattern {pattern}")
        };
        let mut together = std::collections::BTreeMap::<u32, Vec<String>>::new();
        for capture in found {
            together
                .entry(capture.matched)
                .or_default()
                .push(describe(capture));
        }
        let mut together = Vec::from_iter(together.into_values());
        together.sort();
        (found.iter().map(describe).collect(), together)
    }

    /// Texts with gaps, most of which are no programs.
    fn spoil_text(text: &[u8]) -> Vec<Vec<u8>> {
        let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
        let without_lines = (0..lines.len()).step_by(3).map(|at| {
            let end = lines.len().min(at + 2);
            [lines[..at].concat(), lines[end..].concat()].concat()
        });
        let without_bytes = (0..text.len()).step_by(97).map(|at| {
            let end = text.len().min(at + 1 + at % 13);
            [&text[..at], &text[end..]].concat()
        });
        without_lines.chain(without_bytes).collect()
    }

    /// The captures of all matches that tree-sitter finds.
    fn find_by_query(query: &Query, tree: &Tree, text: &[u8]) -> Vec<QueryCapture> {
        let mut cursor = QueryCursor::new();
        let mut matches = cursor.matches(query, tree.root_node(), text);
        let (mut found, mut number) = (Vec::new(), 0);
        while let Some(matched) = matches.next() {
            number += 1;
            let captures = matched.captures().iter().map(|capture| QueryCapture {
                range: capture.node.byte_range(),
                name: query.capture_names()[capture.index as usize]
                    .to_owned()
                    .leak(),
                pattern: matched.pattern_index,
                matched: number,
            });
            found.extend(captures.filter(|capture| !capture.range.is_empty()));
        }
        found.sort_by_key(|found| {
            let Range { start, end } = found.range;
            (start, Reverse(end), found.pattern)
        });
        found
    }

    fn assert_same(language: &'static Language, plain: &PatternSet, query: &Query, text: &[u8]) {
        let masked = language.mask_text(text);
        let limit = ParseLimit::for_length(text.len());
        let Ok(tree) = language.new_parser().parse(&masked, None, limit) else {
            return;
        };
        let tree = tree.tree_sitter().expect("its tree");
        let expected = describe_captures(&find_by_query(query, tree, &masked));
        let found = describe_captures(&plain.find_captures(tree, &masked));
        assert!(
            found == expected,
            "in {}:\n{}\nonly in one: {:?}",
            language.name,
            String::from_utf8_lossy(&masked),
            find_differences(&found.0, &expected.0)
        );
    }

    /// What is in one of two lists only.
    fn find_differences<'a>(one: &'a [String], other: &'a [String]) -> Vec<&'a String> {
        let lacks = |list: &'a [String], word: &String| !list.contains(word);
        let first = one.iter().filter(|word| lacks(other, word));
        first
            .chain(other.iter().filter(|word| lacks(one, word)))
            .collect()
    }

    #[test]
    #[ignore = "long"]
    fn plain_patterns_capture_what_a_query_of_tree_sitter_captures() {
        let languages = all_languages().iter();
        let queried = languages.filter(|language| !language.definition.linked.names.is_empty());
        let mut count = 0;
        for language in queried {
            let text = language.definition.linked.names.join("\n");
            let parser = language.definition.linked.parser;
            let own = parser.tree_sitter().expect("a parser of tree-sitter");
            let plain = PatternSet::from_query(&own, &text);
            let plain =
                plain.unwrap_or_else(|| panic!("the patterns of {} are plain", language.name));
            let query = compile_query(parser, &text).expect("a query");
            let (_, sample) = language.sample_program();
            assert_same(language, &plain, &query, sample.as_bytes());
            for text in spoil_text(sample.as_bytes()) {
                assert_same(language, &plain, &query, &text);
            }
            count += 1;
        }
        assert!(count >= 9, "{count} languages");
    }
}
