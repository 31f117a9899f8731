//! tree-sitter, wrapped: no other module knows it, because it changes with every minor version. Where a language has a grammar in BNF
//! instead of a tree-sitter parser, `super::bnf_language` makes trees of the same shape.

mod captures;
mod cursor;
mod highlight;
mod loader;
mod pattern_match;
mod patterns;
mod stand_ins;
mod tree;

use std::ops::{ControlFlow, Range};

use thiserror::Error;
use tree_sitter::{ParseOptions, ParseState, Point, Query, QueryErrorKind};

pub(super) use captures::NameQuery;
pub use captures::{CompiledQuery, NameWalk, QueryCapture, unknown_kind};
pub use cursor::{ParseCursor, ParseNode};
pub use highlight::{QueryError, SyntaxHighlighter};
pub use loader::{BuildError, READABLE_ABI, Vet};
pub(super) use loader::{build_parser, load_parser};
pub use stand_ins::StandIns;
pub use tree::{ParseTree, TextEdit};

use super::bnf_language::BnfLanguage;
use crate::protocol::abandon;

/// The parser of a language.
#[derive(Clone, Copy)]
pub(super) enum ParserFn {
    /// The constructor in the crate of a tree-sitter parser.
    TreeSitter(fn() -> tree_sitter::Language),
    /// A tree-sitter parser that was loaded.
    Loaded(&'static tree_sitter::Language),
    /// A grammar in BNF.
    Bnf(&'static BnfLanguage),
}

impl ParserFn {
    /// The tree-sitter parser, if it is one.
    fn tree_sitter(self) -> Option<tree_sitter::Language> {
        match self {
            ParserFn::TreeSitter(language) => Some(language()),
            ParserFn::Loaded(language) => Some(language.clone()),
            ParserFn::Bnf(_) => None,
        }
    }
}

/// The most work of a parse, in progress callbacks of the parser (one per hundred of its operations). It is not measured in seconds, so
/// that the same text passes or fails on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseLimit(pub u32);

impl ParseLimit {
    /// A limit for a text of this many bytes. Only a parser that got lost exceeds it.
    ///
    /// Clean C takes 11 to 13 callbacks per 1000 bytes; when a parser got lost, 1000 callbacks took a second.
    pub fn for_length(bytes: usize) -> ParseLimit {
        let callbacks = bytes / 16 + 1000;
        ParseLimit(u32::try_from(callbacks).unwrap_or(u32::MAX))
    }

    /// The same in steps of Earley's parser.
    pub(super) fn earley_steps(self) -> usize {
        self.0 as usize * STEPS_PER_CALLBACK
    }
}

/// Why there is no tree.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParseError {
    /// The parse was more work than its limit allows.
    #[error(
        "the parser took far longer than a text of this length needs, and was stopped: it may have lost its way in this text; --language text reads it without a parser"
    )]
    TooMuchWork(u32),
    /// The text is too long for offsets of 32 bits.
    #[error("the text has {0} bytes; the parser reads at most 4 GiB")]
    TooLong(usize),
}

/// The name of a field of a language, by its number.
pub(super) fn field_name(language: ParserFn, field: u16) -> Option<String> {
    let language = language.tree_sitter()?;
    language.field_name_for_id(field).map(str::to_owned)
}

/// Compiles a tree-sitter query.
fn compile_query(language: ParserFn, text: &str) -> Result<Query, QueryError> {
    match language.tree_sitter() {
        Some(language) => Query::new(&language, text),
        None => Err(QueryError {
            row: 0,
            column: 0,
            offset: 0,
            message: "a grammar in BNF has no queries".to_owned(),
            kind: QueryErrorKind::Language,
        }),
    }
}

/// The names of a query's captures. A language lives as long as the process, and so do they.
fn leak_capture_names(query: &Query) -> Vec<&'static str> {
    let names = query.capture_names().iter();
    names.map(|name| &*name.to_string().leak()).collect()
}

/// A parser of a language. It is reused for many parses, by one thread.
pub struct LanguageParser {
    inner: ParserBackend,
}

enum ParserBackend {
    TreeSitter(Box<tree_sitter::Parser>),
    Bnf(&'static BnfLanguage),
}

impl ParserBackend {
    fn from_tree_sitter(language: &tree_sitter::Language) -> ParserBackend {
        let mut parser = tree_sitter::Parser::new();
        if let Err(e) = parser.set_language(language) {
            panic!("a parser cannot be used: {e}");
        }
        ParserBackend::TreeSitter(Box::new(parser))
    }
}

/// The number of steps of the Earley parser that are as much work as one progress callback of tree-sitter.
const STEPS_PER_CALLBACK: usize = 1000;

impl LanguageParser {
    /// # Panics
    /// If the parser was generated for another version of tree-sitter. A test excludes that for lop's own, and the loader for others.
    pub(super) fn new(language: ParserFn) -> LanguageParser {
        let inner = match language {
            ParserFn::Bnf(grammar) => ParserBackend::Bnf(grammar),
            ParserFn::TreeSitter(make) => ParserBackend::from_tree_sitter(&make()),
            ParserFn::Loaded(language) => ParserBackend::from_tree_sitter(language),
        };
        LanguageParser { inner }
    }

    /// Parses these bytes of a text, masked if the language has line markers, as if the text ended with them. They begin at the beginning of a line.
    /// The positions in the tree are those of the whole text. None by a grammar in BNF, which reads whole texts only.
    pub fn parse_stretch(
        &mut self,
        text: &[u8],
        stretch: Range<usize>,
        limit: ParseLimit,
    ) -> Option<Result<ParseTree, ParseError>> {
        let ParserBackend::TreeSitter(parser) = &mut self.inner else {
            return None;
        };
        let included = tree_sitter::Range {
            start_byte: stretch.start,
            end_byte: stretch.end,
            start_point: Point::new(0, 0),
            end_point: Point::new(0, 0),
        };
        parser.set_included_ranges(&[included]).ok()?;
        let parsed = self.parse(&text[..stretch.end], None, limit);
        if let ParserBackend::TreeSitter(parser) = &mut self.inner {
            parser.set_included_ranges(&[]).ok()?;
        }
        Some(parsed)
    }

    /// As [`LanguageParser::parse`], from scratch. The parser sees the stand-ins too; the positions in the tree are those of the text.
    pub fn parse_completed(
        &mut self,
        text: &[u8],
        stand_ins: &StandIns,
        limit: ParseLimit,
    ) -> Result<ParseTree, ParseError> {
        let tree = self.parse(&stand_ins.complete_text(text), None, limit)?;
        Ok(tree.with_stand_ins(stand_ins.clone()))
    }

    /// Parses a text, masked if the language has line markers ([`Language::mask_text`](super::Language::mask_text)).
    ///
    /// With `old`, the tree of an earlier text with all edits since applied ([`ParseTree::with_edits`]), what has not changed is not parsed
    /// again. An error leaves the parser usable.
    pub fn parse(
        &mut self,
        text: &[u8],
        old: Option<&ParseTree>,
        limit: ParseLimit,
    ) -> Result<ParseTree, ParseError> {
        if u32::try_from(text.len()).is_err() {
            return Err(ParseError::TooLong(text.len()));
        }
        let parser = match &mut self.inner {
            ParserBackend::TreeSitter(parser) => parser,
            ParserBackend::Bnf(grammar) => {
                let tree = grammar.parse(text, limit.earley_steps());
                let inner = tree::TreeBackend::Bnf(tree.ok_or(ParseError::TooMuchWork(limit.0))?);
                return Ok(ParseTree::from_backend(inner));
            }
        };
        let mut calls = 0;
        let mut progress = |_: &ParseState| {
            calls += 1;
            if calls > limit.0 || abandon::is_abandoned() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let mut read = |at: usize, _| text.get(at..).unwrap_or_default();
        let old = old.and_then(ParseTree::tree_sitter);
        match parser.parse_with_options(&mut read, old, Some(options)) {
            Some(tree) => {
                let inner = tree::TreeBackend::TreeSitter(tree);
                Ok(ParseTree::from_backend(inner))
            }
            None => {
                parser.reset();
                abandon::check_abandoned();
                Err(ParseError::TooMuchWork(limit.0))
            }
        }
    }
}
