//! Derivation trees that are given in the place of a parse, and those of a parse as JSON.

use std::sync::Arc;

use super::lexer::{BnfLexeme, ScannerlessText};
use super::{BnfLanguage, BnfTree, first_character, line_and_column, token_classes};
use crate::grammar::NodeClass;
use crate::grammar::bnf::BnfGrammar;
use crate::grammar::bnf::derivation::{
    DerivationError, DerivationReader, DerivationTree, LeafMismatch, LeafSource,
};
use crate::grammar::earley::{SourceToken, TokenSource};

/// A text that the lexer has divided.
struct LexedText<'a> {
    text: &'a [u8],
    /// Its tokens without comments.
    lexemes: Vec<BnfLexeme>,
    classes: Vec<NodeClass>,
    language: &'a BnfLanguage,
}

impl TokenSource for LexedText<'_> {
    fn end(&self) -> usize {
        self.classes.len()
    }

    fn push_tokens_at(&self, at: usize, into: &mut Vec<SourceToken>) {
        self.classes[..].push_tokens_at(at, into);
    }
}

impl LeafSource for LexedText<'_> {
    fn place_leaf(&self, at: usize, text: &[u8]) -> Result<usize, LeafMismatch> {
        let here = self.lexemes.get(at);
        match here.map(|lexeme| &self.text[lexeme.range.clone()]) {
            Some(token) if token == text => Ok(at + 1),
            _ if self.language.is_skipped(text) => Ok(at),
            _ => Err(self.mismatch_at(at)),
        }
    }

    fn find_rest(&self, at: usize) -> Option<LeafMismatch> {
        (at < self.lexemes.len()).then(|| self.mismatch_at(at))
    }
}

impl LexedText<'_> {
    fn mismatch_at(&self, at: usize) -> LeafMismatch {
        match self.lexemes.get(at) {
            Some(lexeme) => {
                let found = String::from_utf8_lossy(&self.text[lexeme.range.clone()]);
                new_mismatch(self.text, lexeme.range.start, Some(&found))
            }
            None => new_mismatch(self.text, self.text.trim_ascii_end().len(), None),
        }
    }
}

impl LeafSource for ScannerlessText<'_> {
    fn place_leaf(&self, at: usize, text: &[u8]) -> Result<usize, LeafMismatch> {
        let rest = &self.text()[at..];
        let same = rest.iter().zip(text).take_while(|(a, b)| a == b).count();
        match same == text.len() {
            true => Ok(at + same),
            false => Err(self.mismatch_at(at + same)),
        }
    }

    fn find_rest(&self, at: usize) -> Option<LeafMismatch> {
        let rest = &self.text()[at..];
        // Editors end the last line, whether the grammar has that or not.
        (!rest.is_empty() && rest != b"\n").then(|| self.mismatch_at(at))
    }
}

impl ScannerlessText<'_> {
    fn mismatch_at(&self, at: usize) -> LeafMismatch {
        let rest = &self.text()[at..];
        let found = (!rest.is_empty()).then(|| first_character(rest));
        new_mismatch(self.text(), at, found.as_deref())
    }
}

fn new_mismatch(text: &[u8], place: usize, found: Option<&str>) -> LeafMismatch {
    let (line, column) = line_and_column(text, place);
    let found = found.map_or("its end".to_owned(), |found| format!("{found:?}"));
    LeafMismatch {
        line,
        column,
        found,
    }
}

impl BnfLanguage {
    /// The tree of a text that a derivation tree in JSON says, in the place of a parse.
    ///
    /// # Errors
    /// Where the tree is not a derivation of the text by this grammar.
    pub(in super::super) fn read_derivation(
        &'static self,
        json: &str,
        text: &[u8],
    ) -> Result<Arc<BnfTree>, DerivationError> {
        let tree = DerivationTree::from_json(json)?;
        // The text was read before without an error.
        let bnf = BnfGrammar::from_text(self.text)?;
        let written = self.choice_grammar().ok_or(DerivationError::NoNormalForm)?;
        let reader = DerivationReader::new(&bnf, written);
        let nodes = match self.lexer.scannerless_text(text) {
            Some(source) => reader.read_nodes(&tree, &source)?,
            None => reader.read_nodes(&tree, &self.lex_text(text)?)?,
        };
        let parsed = reader.normalize_tree(&nodes, &self.parser)?;
        let end = nodes.first().map_or(0, |root| root.tokens.1 as usize);
        let read = if self.scannerless { &text[..end] } else { text };
        let lexemes: Vec<BnfLexeme> = self.lexer.lexemes(read).collect();
        let tree = BnfTree::from_parsed(&self.grammar, &lexemes, &parsed, self.parser.marks());
        Ok(Arc::new(BnfTree {
            derivation: Some(nodes),
            ..tree
        }))
    }

    /// The tokens of a text.
    ///
    /// # Errors
    /// When a byte begins no token.
    fn lex_text<'a>(&'a self, text: &'a [u8]) -> Result<LexedText<'a>, DerivationError> {
        let lexemes = self.lexer.lexemes(text).filter(|lexeme| !lexeme.comment);
        let lexemes: Vec<BnfLexeme> = lexemes.collect();
        match token_classes(&lexemes) {
            Some(classes) => Ok(LexedText {
                text,
                lexemes,
                classes,
                language: self,
            }),
            None => {
                let unknown = lexemes.iter().find(|lexeme| lexeme.class.is_none());
                let place = unknown.map_or(0, |lexeme| lexeme.range.start);
                let found = first_character(&text[place..]);
                let mismatch = new_mismatch(text, place, Some(&found));
                Err(DerivationError::NoToken(mismatch))
            }
        }
    }

    /// Whether the lexer skips all of a text: white space and comments.
    fn is_skipped(&self, text: &[u8]) -> bool {
        self.lexer.lexemes(text).all(|lexeme| lexeme.comment)
    }

    /// The derivation tree of a text by the grammar as it is written, as JSON. None if the text does not follow the grammar, or if the parser
    /// would need more than `most` steps.
    pub(in super::super) fn write_derivation(&self, text: &[u8], most: usize) -> Option<String> {
        let written = self.choice_grammar()?;
        let bnf = BnfGrammar::from_text(self.text).ok()?;
        if self.scannerless {
            let write = |text: &[u8]| {
                let nodes = written.parse_nodes(&self.lexer.scannerless_text(text)?, most)?;
                let bytes = |from: u32, to: u32| text[from as usize..to as usize].to_vec();
                Some(DerivationTree::write_json(&bnf, written, &nodes, &bytes))
            };
            return write(text).or_else(|| write(text.strip_suffix(b"\n")?));
        }
        let lexed = self.lex_text(text).ok()?;
        let nodes = written.parse_nodes(&lexed, most)?;
        let bytes = |from: u32, _: u32| text[lexed.lexemes[from as usize].range.clone()].to_vec();
        Some(DerivationTree::write_json(&bnf, written, &nodes, &bytes))
    }
}
