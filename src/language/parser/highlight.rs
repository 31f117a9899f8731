//! Highlighting with the parser crate's own query over the tree that is there already.

use std::ops::Range;

pub use tree_sitter::QueryError;
use tree_sitter::{Node, Query, QueryCursor, StreamingIterator};

use super::super::written::Written;
use super::tree::Inner;
use super::{ParseTree, ParserFn};

/// What colours a language: a compiled query, or for a grammar in BNF what each of its tokens is for.
pub struct Highlighter {
    by: By,
    /// The names of the captures; a query lives as long as its language, which is forever.
    names: Vec<&'static str>,
}

enum By {
    Query(Box<Query>),
    Tokens(&'static Written),
}

impl Highlighter {
    pub(in super::super) fn new(
        language: ParserFn,
        query: &str,
    ) -> Result<Highlighter, QueryError> {
        if let ParserFn::Written(grammar) = language {
            let by = By::Tokens(grammar);
            let names = grammar.paints().to_vec();
            return Ok(Highlighter { by, names });
        }
        let query = super::query(language, query)?;
        let names = query
            .capture_names()
            .iter()
            .map(|name| &*name.to_string().leak())
            .collect();
        let by = By::Query(Box::new(query));
        Ok(Highlighter { by, names })
    }

    /// All names that [`Highlighter::highlight`] may give.
    pub fn names(&self) -> &[&'static str] {
        &self.names
    }

    /// Ranges in order, not overlapping, each with a capture's name. Inner nodes are painted over outer ones, and later patterns over
    /// earlier ones. `text` gives bytes of the program: only those of nodes in the range are asked for.
    pub fn highlight(
        &self,
        tree: &ParseTree,
        text: &dyn Fn(Range<usize>) -> Vec<u8>,
        range: Range<usize>,
    ) -> Vec<(Range<usize>, &'static str)> {
        let (query, tree) = match (&self.by, &tree.inner) {
            (By::Query(query), Inner::TreeSitter(tree)) => (query, tree),
            (By::Tokens(grammar), Inner::Written(tree)) => return grammar.highlight(tree, range),
            _ => return Vec::new(),
        };
        let root = tree.root_node();
        let range = range.start.min(root.end_byte())..range.end.min(root.end_byte());
        let mut cursor = QueryCursor::new();
        cursor.set_byte_range(range.clone());
        let of_node = |node: Node| std::iter::once(text(node.byte_range()));
        let mut captures = cursor.captures(query, root, of_node);
        let mut strokes: Vec<(Range<usize>, usize, u32)> = Vec::new();
        while let Some((found, at)) = captures.next() {
            let capture = found.captures()[*at];
            strokes.push((
                capture.node.byte_range(),
                found.pattern_index,
                capture.index,
            ));
        }
        strokes.sort_by_key(|(node, pattern, _)| (std::cmp::Reverse(node.len()), *pattern));
        let mut paint: Vec<Option<u32>> = vec![None; range.len()];
        for (node, _, capture) in strokes {
            let start = node.start.max(range.start);
            let end = node.end.min(range.end);
            if start < end {
                paint[start - range.start..end - range.start].fill(Some(capture));
            }
        }
        self.runs(&paint, range.start)
    }

    fn runs(&self, paint: &[Option<u32>], start: usize) -> Vec<(Range<usize>, &'static str)> {
        let mut runs = Vec::new();
        let mut at = start;
        for run in paint.chunk_by(|a, b| a == b) {
            let end = at + run.len();
            if let Some(capture) = run[0] {
                runs.push((at..end, self.names[capture as usize]));
            }
            at = end;
        }
        runs
    }
}
