//! Languages with a grammar in BNF: a lexer (one automaton of all tokens), Earley's parser, and the properties of the grammar's tokens.
//!
//! Trees have the shape of tree-sitter's (`tree.rs`). A node that consists of one other node and nothing else is left out; where the
//! grammar expects the outer node, anything is expected that the outer node may consist of alone (`grammar/bnf/lower.rs`).

mod lexer;
mod tree;

use std::ops::Range;
use std::sync::Arc;

use crate::grammar::bnf::{
    BnfError, BnfGrammar, NormalizationStage, TokenDefinition, TokenKind, TokenPattern,
};
use crate::grammar::earley::EarleyParser;
use crate::grammar::{Grammar, NodeClass};
use lexer::{BnfLexeme, BnfLexer};

pub(super) use tree::{BnfCursor, BnfNode, BnfTree};

/// A grammar in BNF, ready to parse. It lives as long as the process.
pub struct BnfLanguage {
    /// Its text.
    pub(super) text: &'static str,
    pub(super) name: Option<String>,
    pub(super) extensions: Vec<String>,
    pub(super) grammar: Grammar,
    parser: EarleyParser,
    lexer: BnfLexer,
    tokens: Vec<TokenDefinition>,
    /// The highlight name of each token.
    highlight_names: Vec<&'static str>,
    newlines_are_free: bool,
}

/// Why a grammar is not a language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BnfLanguageError {
    /// The grammar cannot be read.
    #[error(transparent)]
    Notation(#[from] BnfError),
    /// Its tokens make no lexer: the automaton would be too large.
    #[error("{0}")]
    Lexer(String),
    /// Its rules make no parser: the automaton would be too large.
    #[error("its rules are too much for a parser: they repeat too much of what begins alike")]
    Parser,
}

/// Where a text does not follow its grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The line, from 1.
    pub line: usize,
    /// The column in it, from 1, in bytes.
    pub column: usize,
    /// The token there.
    pub found: String,
    /// The tokens that could stand there.
    pub expected: Vec<String>,
}

impl std::fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let SyntaxError {
            line,
            column,
            found,
            expected,
        } = self;
        write!(
            f,
            "line {line}, column {column}: {found}, where the grammar wants "
        )?;
        match &expected[..] {
            [] => f.write_str("nothing more"),
            [only] => f.write_str(only),
            [most @ .., last] => write!(f, "{} or {last}", most.join(", ")),
        }
    }
}

impl BnfLanguage {
    /// Reads a grammar. Its text stays in memory until the process ends.
    pub(super) fn from_text(text: &str) -> Result<BnfLanguage, BnfLanguageError> {
        let bnf = BnfGrammar::from_text(text)?;
        let grammar = bnf.to_grammar();
        let lexer = BnfLexer::new(&bnf.tokens).map_err(BnfLanguageError::Lexer)?;
        Ok(BnfLanguage {
            text: text.to_owned().leak(),
            newlines_are_free: lexer.is_blank(b" ") && lexer.is_blank(b"\n"),
            parser: EarleyParser::new(&grammar).map_err(|_| BnfLanguageError::Parser)?,
            highlight_names: bnf.tokens.iter().map(highlight_name).collect(),
            name: bnf.name,
            extensions: bnf.extensions,
            tokens: bnf.tokens,
            lexer,
            grammar,
        })
    }

    /// The text of the grammar.
    pub fn text(&self) -> &'static str {
        self.text
    }

    /// The grammar on its way to the normal form.
    pub fn normalization_stages(&self) -> Vec<NormalizationStage> {
        // The text was read before without an error.
        BnfGrammar::from_text(self.text)
            .map_or_else(|_| Vec::new(), |bnf| bnf.normalization_stages())
    }

    /// The tree of a text; none if the parser would need more than `most` steps.
    pub(super) fn parse(&'static self, text: &[u8], most: usize) -> Option<Arc<BnfTree>> {
        let lexemes: Vec<BnfLexeme> = self.lexer.lexemes(text).collect();
        let parsed = match token_classes(&lexemes) {
            Some(tokens) => self.parser.parse(&tokens, most),
            None => Ok(None),
        };
        Some(Arc::new(match parsed.ok()? {
            Some(parsed) => BnfTree::from_parsed(&self.grammar, &lexemes, &parsed),
            None => BnfTree::from_tokens(&self.grammar, &lexemes),
        }))
    }

    /// The place where a text does not follow the grammar; none if it does, or if finding the place needs more than this number of steps.
    pub(super) fn find_syntax_error(&self, text: &[u8], most: usize) -> Option<SyntaxError> {
        let lexemes = self.lexer.lexemes(text).filter(|lexeme| !lexeme.comment);
        let lexemes: Vec<BnfLexeme> = lexemes.collect();
        let known: Vec<NodeClass> = lexemes.iter().map_while(|lexeme| lexeme.class).collect();
        let stuck = self.parser.find_frontier(&known, most).ok()?;
        if stuck.at == lexemes.len() && stuck.end {
            return None;
        }
        let (place, found) = match lexemes.get(stuck.at) {
            None => (
                text.trim_ascii_end().len(),
                "the end of the file".to_owned(),
            ),
            Some(lexeme) => {
                let shown = String::from_utf8_lossy(&text[lexeme.range.clone()]).into_owned();
                (lexeme.range.start, format!("{shown:?}"))
            }
        };
        let mut expected: Vec<String> = stuck
            .expected
            .iter()
            .map(|&c| self.token_label(c))
            .collect();
        if stuck.end && !expected.is_empty() {
            expected.push("the end of the file".to_owned());
        }
        let before = &text[..place];
        let start = before
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |at| at + 1);
        Some(SyntaxError {
            line: before.iter().filter(|&&b| b == b'\n').count() + 1,
            column: place - start + 1,
            found,
            expected,
        })
    }

    fn token_label(&self, class: NodeClass) -> String {
        let token = &self.tokens[class.0 as usize];
        match token.kind {
            TokenKind::Literal => format!("{:?}", token.name),
            _ => token.name.clone(),
        }
    }

    /// Kinds of comments.
    pub(super) fn is_comment(&self, class: NodeClass) -> bool {
        let token = self.tokens.get(class.0 as usize);
        token.is_some_and(|token| token.kind == TokenKind::Comment)
    }

    /// Whether a comment extends to the end of its line: a blank after it would belong to it.
    pub(super) fn ends_line(&self, class: NodeClass, text: &[u8]) -> bool {
        self.is_comment(class) && !self.lexer.ends_before(text, b" ")
    }

    pub(super) fn newlines_are_free(&self) -> bool {
        self.newlines_are_free
    }

    pub(super) fn is_blank(&self, text: &[u8]) -> bool {
        self.lexer.is_blank(text)
    }

    /// Whether two neighbours would be read as something else without white space between them.
    pub(super) fn needs_separator(&self, before: &[u8], after: &[u8]) -> bool {
        !before.is_empty() && !after.is_empty() && !self.lexer.ends_before(before, after)
    }

    /// All names that [`BnfLanguage::highlight_range`] may give.
    pub(super) fn highlight_names(&self) -> &[&'static str] {
        &self.highlight_names
    }

    /// The tokens in a range, each with a capture name as in highlight queries.
    pub(super) fn highlight_range(
        &self,
        tree: &BnfTree,
        range: Range<usize>,
    ) -> Vec<(Range<usize>, &'static str)> {
        let from = tree
            .nodes
            .partition_point(|node| node.range.start < range.start);
        // The first token of the range belongs to the last leaf that begins before it.
        let before = tree.nodes[..from]
            .iter()
            .rposition(|node| node.children == 0);
        let leaves = tree.nodes[before.unwrap_or(from)..].iter();
        leaves
            .take_while(|node| node.range.start < range.end)
            .filter(|node| node.children == 0)
            .filter_map(|node| {
                let start = node.range.start.max(range.start);
                let end = node.range.end.min(range.end);
                let paint = self.highlight_names.get(node.class?.0 as usize)?;
                (start < end).then_some((start..end, *paint))
            })
            .collect()
    }
}

fn token_classes(lexemes: &[BnfLexeme]) -> Option<Vec<NodeClass>> {
    let tokens = lexemes.iter().filter(|lexeme| !lexeme.comment);
    tokens.map(|lexeme| lexeme.class).collect()
}

/// The highlight name of a token, by its role and by the bytes that it may begin with.
fn highlight_name(token: &TokenDefinition) -> &'static str {
    let first = first_byte(&token.pattern);
    match token.kind {
        TokenKind::Comment | TokenKind::Skip => "comment",
        TokenKind::Literal => match first {
            Some(byte) if byte.is_ascii_alphabetic() || byte >= 0x80 => "keyword",
            Some(b'(' | b')' | b'[' | b']' | b'{' | b'}') => "punctuation.bracket",
            Some(b',' | b';' | b':' | b'.') => "punctuation.delimiter",
            _ => "operator",
        },
        TokenKind::Named => match first {
            Some(b'"' | b'\'' | b'`') => "string",
            Some(b'0'..=b'9' | b'-' | b'+' | b'.') => "number",
            _ => "variable",
        },
    }
}

/// The smallest byte that a pattern may begin with.
fn first_byte(pattern: &TokenPattern) -> Option<u8> {
    match pattern {
        TokenPattern::Text(text) => text.first().copied(),
        TokenPattern::One(set) => (0..=u8::MAX).find(|&byte| set.contains(byte)),
        TokenPattern::Seq(parts) => parts.first().and_then(first_byte),
        TokenPattern::Choice(parts) => parts.iter().filter_map(first_byte).min(),
        TokenPattern::Star(inner) | TokenPattern::Plus(inner) | TokenPattern::Opt(inner) => {
            first_byte(inner)
        }
    }
}
