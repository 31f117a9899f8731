//! Highlighting with the query of the parser's crate, on the existing tree.

use std::ops::{ControlFlow, Range};

pub use tree_sitter::QueryError;
use tree_sitter::{
    Node, Query, QueryCursor, QueryCursorOptions, QueryCursorState, StreamingIterator,
};

use super::super::bnf_language::BnfLanguage;
use super::tree::TreeBackend;
use super::{ParseTree, ParserFn};

/// The highlighter of a language: a compiled query, or the roles of the tokens of a grammar in BNF.
pub struct SyntaxHighlighter {
    source: HighlightSource,
    /// The names of the captures; a query lives as long as its language, which is forever.
    names: Vec<&'static str>,
}

enum HighlightSource {
    Query(Box<Query>),
    Tokens(&'static BnfLanguage),
}

/// The most work of a query on this many bytes, in progress callbacks of the cursor (one per thousand of its operations). It is not measured in
/// seconds, so a text always has the same colours.
///
/// Clean C takes a callback per 1000 bytes. In brackets that are nested 40,000 deep a window of 4,000 bytes took 536,000, which is 14 seconds.
fn highlight_limit(bytes: usize) -> usize {
    bytes / 16 + 1000
}

impl SyntaxHighlighter {
    pub(in super::super) fn new(
        language: ParserFn,
        query: &str,
    ) -> Result<SyntaxHighlighter, QueryError> {
        if let ParserFn::Bnf(grammar) = language {
            let by = HighlightSource::Tokens(grammar);
            let names = grammar.highlight_names().to_vec();
            return Ok(SyntaxHighlighter { source: by, names });
        }
        let query = super::compile_query(language, query)?;
        let names = super::leak_capture_names(&query);
        let by = HighlightSource::Query(Box::new(query));
        Ok(SyntaxHighlighter { source: by, names })
    }

    /// All names that [`SyntaxHighlighter::highlight_range`] may give.
    pub fn capture_names(&self) -> &[&'static str] {
        &self.names
    }

    /// Ranges in order, not overlapping, each with a capture's name. Inner nodes override outer ones, and later patterns override earlier
    /// ones. `text` returns bytes of the program: it is only called for nodes in the range. A query that is far more work than a range of this
    /// length needs is stopped, and what it has not found has no colour.
    pub fn highlight_range(
        &self,
        tree: &ParseTree,
        text: &dyn Fn(Range<usize>) -> Vec<u8>,
        range: Range<usize>,
    ) -> Vec<(Range<usize>, &'static str)> {
        let stand_ins = &tree.stand_ins;
        let (query, tree) = match (&self.source, &tree.inner) {
            (HighlightSource::Query(query), TreeBackend::TreeSitter(tree)) => (query, tree),
            (HighlightSource::Tokens(grammar), TreeBackend::Bnf(tree)) => {
                return grammar.highlight_range(tree, range);
            }
            _ => return Vec::new(),
        };
        let root = tree.root_node();
        let end = stand_ins.own_range(root.byte_range()).end;
        let range = range.start.min(end)..range.end.min(end);
        let mut cursor = QueryCursor::new();
        cursor.set_byte_range(stand_ins.seen_range(range.clone()));
        let own_range = |node: Node| stand_ins.own_range(node.byte_range());
        let of_node = |node: Node| std::iter::once(text(own_range(node)));
        let limit = highlight_limit(range.len());
        let mut callbacks = 0;
        let mut progress = |_: &QueryCursorState| {
            callbacks += 1;
            match callbacks > limit {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let options = QueryCursorOptions::new().progress_callback(&mut progress);
        let mut captures = cursor.captures_with_options(query, root, of_node, options);
        let mut strokes: Vec<(Range<usize>, usize, u32)> = Vec::new();
        while let Some((found, at)) = captures.next() {
            let capture = found.captures()[*at];
            strokes.push((own_range(capture.node), found.pattern_index, capture.index));
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
        self.merge_runs(&paint, range.start)
    }

    fn merge_runs(&self, paint: &[Option<u32>], start: usize) -> Vec<(Range<usize>, &'static str)> {
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
