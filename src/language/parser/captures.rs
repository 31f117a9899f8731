//! Running a query over a tree: which text has which of the query's names.

use std::ops::Range;

pub use tree_sitter::QueryError;
use tree_sitter::{Query, QueryCursor, QueryErrorKind, StreamingIterator};

use super::super::bnf_language::MarkedRange;
use super::pattern_match::PatternSearch;
use super::patterns::PatternSet;
use super::{ParseCursor, ParseTree, ParserFn, StandIns};

/// The unknown kind of node, if that is the error of a query.
pub fn unknown_kind(error: &QueryError) -> Option<&str> {
    matches!(error.kind, QueryErrorKind::NodeType).then(|| error.message.trim().trim_matches('"'))
}

/// A compiled query.
pub struct CompiledQuery {
    query: Query,
    /// The names of the captures; a query lives as long as its language, which is forever.
    names: Vec<&'static str>,
}

/// A query for names.
pub(in super::super) struct NameQuery(NameQueryForm);

enum NameQueryForm {
    /// Its patterns, where they are plain.
    Plain(PatternSet),
    /// What tree-sitter makes of it.
    Compiled(CompiledQuery),
}

/// A range of text that a pattern of the query matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryCapture {
    /// Its bytes.
    pub range: Range<usize>,
    /// The capture's name, without the `@`.
    pub name: &'static str,
    /// The number of the pattern in the query.
    pub pattern: usize,
    /// The number of the match. Captures of one match have the same number.
    pub matched: u32,
}

impl std::fmt::Debug for CompiledQuery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a query with the captures {:?}", self.names)
    }
}

impl From<MarkedRange> for QueryCapture {
    fn from(found: MarkedRange) -> QueryCapture {
        QueryCapture {
            range: found.range,
            name: found.mark,
            pattern: found.number,
            matched: found.derivation,
        }
    }
}

/// A search for names that goes along with a walk over a tree, so that the tree is walked once. The walk shows it each node once, outer before inner, in
/// the order of the text.
pub struct NameWalk<'a, 'tree>(PatternSearch<'a, 'tree>);

impl<'tree> NameWalk<'_, 'tree> {
    /// The walk begins at this root.
    pub fn visit_root(&mut self, cursor: &ParseCursor<'tree>) {
        if let Some(cursor) = cursor.tree_sitter() {
            self.0.visit_node(cursor, true);
        }
    }

    /// The walk has come to the node under the cursor.
    pub fn visit_node(&mut self, cursor: &ParseCursor<'tree>) {
        if let Some(cursor) = cursor.tree_sitter() {
            self.0.visit_node(cursor, false);
        }
    }

    /// The walk leaves out what is below the node under the cursor.
    pub fn visit_below(&mut self, cursor: &ParseCursor<'tree>) {
        if let Some(cursor) = cursor.tree_sitter()
            && cursor.node().child_count() > 0
        {
            self.0.visit_below(cursor.node().walk());
        }
    }

    /// As [`CompiledQuery::find_captures`].
    pub fn into_captures(self) -> Vec<QueryCapture> {
        self.0.into_captures()
    }
}

impl NameQuery {
    /// A query of this language.
    ///
    /// # Errors
    /// When it is no query.
    pub(in super::super) fn new(language: ParserFn, query: &str) -> Result<NameQuery, QueryError> {
        let parser = language.tree_sitter();
        let plain = parser.and_then(|parser| PatternSet::from_query(&parser, query));
        Ok(NameQuery(match plain {
            Some(patterns) => NameQueryForm::Plain(patterns),
            None => NameQueryForm::Compiled(CompiledQuery::new(language, query)?),
        }))
    }

    /// A search that goes along with a walk over this tree of a text; none if only a search by itself finds the names.
    pub(in super::super) fn begin_walk<'a, 'tree>(
        &'a self,
        tree: &'tree ParseTree,
        text: &'a [u8],
    ) -> Option<NameWalk<'a, 'tree>> {
        match (&self.0, tree.tree_sitter()) {
            (NameQueryForm::Plain(patterns), Some(inner)) if tree.stand_ins.is_empty() => {
                Some(NameWalk(PatternSearch::new(patterns, inner, text)))
            }
            _ => None,
        }
    }

    /// As [`CompiledQuery::find_captures`].
    pub(in super::super) fn find_captures(
        &self,
        tree: &ParseTree,
        text: &[u8],
    ) -> Vec<QueryCapture> {
        match (&self.0, tree.tree_sitter()) {
            (NameQueryForm::Plain(patterns), Some(inner)) => {
                let seen = tree.stand_ins.complete_text(text);
                own_captures(patterns.find_captures(inner, &seen), &tree.stand_ins)
            }
            (NameQueryForm::Plain(_), None) => Vec::new(),
            (NameQueryForm::Compiled(query), _) => query.find_captures(tree, text),
        }
    }
}

impl CompiledQuery {
    pub(in super::super) fn new(
        language: ParserFn,
        query: &str,
    ) -> Result<CompiledQuery, QueryError> {
        let query = super::compile_query(language, query)?;
        let names = super::leak_capture_names(&query);
        Ok(CompiledQuery { query, names })
    }

    /// Whether a capture has this name.
    pub fn has_capture(&self, name: &str) -> bool {
        self.names.contains(&name)
    }

    /// Whether it matches at least once in the text that `tree` is the tree of.
    pub fn has_match(&self, tree: &ParseTree, text: &[u8]) -> bool {
        let seen = tree.stand_ins.complete_text(text);
        let Some(tree) = tree.tree_sitter() else {
            return false;
        };
        let mut cursor = QueryCursor::new();
        let mut matches = cursor.matches(&self.query, tree.root_node(), &*seen);
        matches.next().is_some()
    }

    /// How often it matches in the text that `tree` is the tree of.
    pub fn count_matches(&self, tree: &ParseTree, text: &[u8]) -> u32 {
        let seen = tree.stand_ins.complete_text(text);
        let Some(tree) = tree.tree_sitter() else {
            return 0;
        };
        let mut cursor = QueryCursor::new();
        let mut matches = cursor.matches(&self.query, tree.root_node(), &*seen);
        let mut count = 0;
        while matches.next().is_some() {
            count += 1;
        }
        count
    }

    /// All captures in the text that `tree` is the tree of: outer before inner, in the order of the text. Tokens that the parser inserted
    /// to recover have no bytes and are left out.
    pub fn find_captures(&self, tree: &ParseTree, text: &[u8]) -> Vec<QueryCapture> {
        let Some(inner) = tree.tree_sitter() else {
            return Vec::new();
        };
        let seen = tree.stand_ins.complete_text(text);
        let mut cursor = QueryCursor::new();
        let mut matches = cursor.captures(&self.query, inner.root_node(), &*seen);
        let mut found = Vec::new();
        while let Some((matched, at)) = matches.next() {
            let capture = matched.captures()[*at];
            let range = capture.node.byte_range();
            if !range.is_empty() {
                found.push(QueryCapture {
                    range,
                    name: self.names[capture.index as usize],
                    pattern: matched.pattern_index,
                    matched: matched.id(),
                });
            }
        }
        found.sort_by_key(|found| {
            let Range { start, end } = found.range;
            (start, std::cmp::Reverse(end), found.pattern)
        });
        own_captures(found, &tree.stand_ins)
    }
}

/// The captures of a completed text, as those of the text without stand-ins.
fn own_captures(mut found: Vec<QueryCapture>, stand_ins: &StandIns) -> Vec<QueryCapture> {
    if !stand_ins.is_empty() {
        for capture in &mut found {
            capture.range = stand_ins.own_range(capture.range.clone());
        }
        found.retain(|capture| !capture.range.is_empty());
    }
    found
}
