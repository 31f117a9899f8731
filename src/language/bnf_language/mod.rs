//! Languages with a grammar in BNF: a lexer (one automaton of all tokens), Earley's parser, and the properties of the grammar's tokens.
//!
//! Trees have the shape of tree-sitter's (`tree.rs`). A node that consists of one other node and nothing else is left out; where the
//! grammar expects the outer node, anything is expected that the outer node may consist of alone (`grammar/bnf/lower.rs`).

mod choices;
mod derivation;
mod lexer;
mod tree;

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::layout::LayoutRules;
use super::statements::StatementFacts;
use crate::grammar::bnf::choices::ChoiceGrammar;
use crate::grammar::bnf::{
    BnfError, BnfGrammar, NameSettings, NormalizationStage, TokenDefinition, TokenKind,
    TokenPattern,
};
use crate::grammar::earley::EarleyParser;
use crate::grammar::{Grammar, NodeClass};
use lexer::{BnfLexeme, BnfLexer};

pub(super) use tree::{BnfCursor, BnfNode, BnfTree, MarkedRange};

/// A grammar in BNF, ready to parse. It lives as long as the process.
pub struct BnfLanguage {
    /// Its text.
    pub(super) text: &'static str,
    pub(super) name: Option<String>,
    pub(super) extensions: Vec<String>,
    pub(super) grammar: Grammar,
    parser: EarleyParser,
    lexer: BnfLexer,
    /// Made when first needed.
    choices: OnceLock<Option<ChoiceGrammar>>,
    scannerless: bool,
    tokens: Vec<TokenDefinition>,
    /// The highlight name of each token.
    highlight_names: Vec<&'static str>,
    newlines_are_free: bool,
    names: NameSettings,
    statements: StatementFacts,
    layout: Option<LayoutRules>,
    layout_lines: Vec<String>,
    statement_lines: Vec<String>,
    warnings: Vec<String>,
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
        let lexer = BnfLexer::new(&bnf.tokens, bnf.scannerless).map_err(BnfLanguageError::Lexer)?;
        let mut unquoted = bnf.unquoted_texts.iter();
        let is_none = |text: &[u8]| !bnf.scannerless && !is_token_text(&lexer, &bnf.tokens, text);
        if let Some((_, error)) = unquoted.find(|(text, _)| is_none(text)) {
            return Err(error.clone().into());
        }
        let is_token = |rule| bnf.scannerless && is_token_name(grammar.rule_name(rule));
        let parser = EarleyParser::with_kept_rules(&grammar, is_token)
            .map_err(|_| BnfLanguageError::Parser)?;
        Ok(BnfLanguage {
            text: text.to_owned().leak(),
            newlines_are_free: lexer.is_blank(b" ") && lexer.is_blank(b"\n"),
            parser: parser.with_marks(bnf.to_marks()),
            statements: StatementFacts::from_settings(&grammar, &bnf.statements),
            layout: LayoutRules::from_settings(&grammar, &bnf.layout),
            layout_lines: bnf.layout.describe(),
            statement_lines: bnf.statements.describe(),
            warnings: bnf.warnings,
            names: bnf.names,
            choices: OnceLock::new(),
            scannerless: bnf.scannerless,
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

    /// The rules whose nodes are tokens: without a lexer those with a capital at the front, as in ANTLR.
    pub(super) fn token_rules(&self) -> impl Iterator<Item = &str> {
        let rules = self.grammar.visible_rules();
        let names = rules.map(|rule| self.grammar.rule_name(rule));
        names.filter(|name| self.scannerless && is_token_name(name))
    }

    /// The tree of a text; none if the parser would need more than `most` steps.
    pub(super) fn parse(&'static self, text: &[u8], most: usize) -> Option<Arc<BnfTree>> {
        if self.scannerless {
            return self.parse_bytes(text, most);
        }
        let lexemes: Vec<BnfLexeme> = self.lexer.lexemes(text).collect();
        let parsed = match token_classes(&lexemes) {
            Some(tokens) => self.parser.parse(&tokens[..], most),
            None => Ok(None),
        };
        Some(Arc::new(match parsed.ok()? {
            Some(parsed) => {
                BnfTree::from_parsed(&self.grammar, &lexemes, &parsed, self.parser.marks())
            }
            None => BnfTree::from_tokens(&self.grammar, &lexemes),
        }))
    }

    /// The tree of a text that no lexer divides. Editors end the last line, whether the grammar has that or not.
    fn parse_bytes(&'static self, text: &[u8], most: usize) -> Option<Arc<BnfTree>> {
        for text in [text, text.strip_suffix(b"\n").unwrap_or(text)] {
            let source = self.lexer.scannerless_text(text)?;
            if let Some(parsed) = self.parser.parse(&source, most).ok()? {
                let bytes: Vec<BnfLexeme> = self.lexer.lexemes(text).collect();
                return Some(Arc::new(BnfTree::from_parsed(
                    &self.grammar,
                    &bytes,
                    &parsed,
                    self.parser.marks(),
                )));
            }
        }
        let bytes: Vec<BnfLexeme> = self.lexer.lexemes(text).collect();
        Some(Arc::new(BnfTree::from_tokens(&self.grammar, &bytes)))
    }

    /// Whether the grammar says which names are declared and used.
    pub(super) fn has_marks(&self) -> bool {
        !self.parser.marks().is_empty()
    }

    /// The marks as a grammar has them, a rule a line.
    pub fn describe_marks(&self) -> Vec<String> {
        let (grammar, marks) = (&self.grammar, self.parser.marks());
        let lines = grammar.all_rules().filter_map(|rule| {
            let whole = marks.marks_of_rule(rule).iter();
            let whole = whole.map(|&mark| format!("%{}", marks.mark_name(mark)));
            let parts = marks.marked_parts(rule).iter().map(|&(class, mark)| {
                format!("{}@{}", grammar.class_name(class), marks.mark_name(mark))
            });
            let all: Vec<String> = parts.chain(whole).collect();
            (!all.is_empty()).then(|| format!("{}: {}", grammar.rule_name(rule), all.join("  ")))
        });
        let quote = |text: &Vec<u8>| format!(" {:?}", String::from_utf8_lossy(text));
        let NameSettings {
            leading,
            trailing,
            entries,
        } = &self.names;
        let settings = [
            (
                "%same-name leading",
                leading.iter().map(quote).collect::<String>(),
            ),
            ("%same-name trailing", trailing.iter().map(quote).collect()),
            (
                "%entry",
                entries.iter().map(|name| format!(" {name}")).collect(),
            ),
        ];
        let settings = settings.into_iter().filter(|(_, what)| !what.is_empty());
        lines
            .chain(settings.map(|(name, what)| format!("{name}{what}")))
            .collect()
    }

    /// The settings of the layout as a grammar has them, one a line.
    pub fn describe_layout(&self) -> &[String] {
        &self.layout_lines
    }

    /// The settings of statements and expressions as a grammar has them, one a line.
    pub fn describe_statements(&self) -> &[String] {
        &self.statement_lines
    }

    /// What in the grammar has no effect, as sentences.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// How its programs are laid out.
    pub(super) fn layout(&self) -> Option<&LayoutRules> {
        self.layout.as_ref()
    }

    /// What it says of statements and expressions.
    pub(super) fn statements(&self) -> &StatementFacts {
        &self.statements
    }

    /// What it says of the texts of names.
    pub(super) fn name_settings(&self) -> &NameSettings {
        &self.names
    }

    /// What the marks say of a text: outer ranges before inner ones, in the order of the text. A word without a mark is a use of a name.
    pub(super) fn marked_ranges(&self, tree: &BnfTree, text: &[u8]) -> Vec<MarkedRange> {
        let words = tree.nodes.iter().filter(|node| {
            let token = node
                .class
                .and_then(|class| self.tokens.get(class.0 as usize));
            let named = token.is_some_and(|token| token.kind == TokenKind::Named);
            let first = text.get(node.range.start).copied().unwrap_or_default();
            named && (first.is_ascii_alphabetic() || first == b'_' || first >= 0x80)
        });
        let words = words.map(|node| MarkedRange {
            range: node.range.clone(),
            mark: "ref",
            number: usize::MAX,
            derivation: u32::MAX,
        });
        let mut all: Vec<MarkedRange> = tree.marked.iter().cloned().chain(words).collect();
        all.sort_by_key(|found| {
            let Range { start, end } = found.range;
            (start, std::cmp::Reverse(end), found.number)
        });
        all
    }

    /// The place where a text does not follow the grammar; none if it does, or if finding the place needs more than this number of steps.
    pub(super) fn find_syntax_error(&self, text: &[u8], most: usize) -> Option<SyntaxError> {
        let lexemes = self.lexer.lexemes(text).filter(|lexeme| !lexeme.comment);
        let lexemes: Vec<BnfLexeme> = lexemes.collect();
        let stuck = match self.lexer.scannerless_text(text) {
            Some(source) => self.parser.find_frontier(&source, most),
            None => {
                let known = lexemes.iter().map_while(|lexeme| lexeme.class);
                let known: Vec<NodeClass> = known.collect();
                self.parser.find_frontier(&known[..], most)
            }
        }
        .ok()?;
        let last_line_end = self.scannerless && text[stuck.at..] == *b"\n";
        if (stuck.at == lexemes.len() || last_line_end) && stuck.end {
            return None;
        }
        let (place, found) = match lexemes.get(stuck.at) {
            None => (
                text.trim_ascii_end().len(),
                "the end of the file".to_owned(),
            ),
            Some(lexeme) => {
                let shown = match self.scannerless {
                    true => first_character(&text[lexeme.range.start..]),
                    false => String::from_utf8_lossy(&text[lexeme.range.clone()]).into_owned(),
                };
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
        let (line, column) = line_and_column(text, place);
        Some(SyntaxError {
            line,
            column,
            found,
            expected,
        })
    }

    fn token_label(&self, class: NodeClass) -> String {
        let token = &self.tokens[class.0 as usize];
        match token.is_text() {
            true => format!("{:?}", token.name),
            false => token.name.clone(),
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

/// Whether a text is one `%token`. A word is none, where the token is any word.
fn is_token_text(lexer: &BnfLexer, tokens: &[TokenDefinition], text: &[u8]) -> bool {
    let lexemes: Vec<BnfLexeme> = lexer.lexemes(text).collect();
    let [only] = &lexemes[..] else {
        return false;
    };
    let token = only.class.and_then(|class| tokens.get(class.0 as usize));
    let is_word = text.first().is_some_and(u8::is_ascii_alphabetic);
    token.is_some_and(|token| {
        token.kind == TokenKind::Named && !(is_word && token.pattern.has_repetition())
    })
}

/// The line of a place in a text, and the column in it in bytes, both from 1.
fn line_and_column(text: &[u8], place: usize) -> (usize, usize) {
    let before = &text[..place];
    let lines = before.iter().filter(|&&byte| byte == b'\n').count();
    let start = before.iter().rposition(|&byte| byte == b'\n');
    (lines + 1, place - start.map_or(0, |at| at + 1) + 1)
}

/// Whether a rule makes a token when there is no lexer.
fn is_token_name(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// The first character of a text that is not empty.
fn first_character(text: &[u8]) -> String {
    let shown = String::from_utf8_lossy(&text[..text.len().min(4)]);
    shown.chars().take(1).collect()
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
