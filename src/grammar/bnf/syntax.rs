//! A grammar as its text has it: definitions, tokens and rules, before and after their names are resolved.

use super::error::BnfError;
use super::layout::LayoutSettings;
use super::marks::{NameSettings, PlacedMark, WrittenMarks};
use super::notation::{ByteSet, PlacedSetting};
use super::rules::BnfRules;
use super::statements::StatementSettings;

/// The deepest nesting of groups, and of fragments. Both are read by recursion.
pub(super) const MAX_NESTING: usize = 100;

/// The pattern of a token.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TokenPattern {
    /// Just this text.
    Text(Vec<u8>),
    /// One byte of a set.
    One(ByteSet),
    /// Several patterns in order.
    Seq(Vec<TokenPattern>),
    /// One of several patterns.
    Choice(Vec<TokenPattern>),
    /// Any number of them.
    Star(Box<TokenPattern>),
    /// At least one.
    Plus(Box<TokenPattern>),
    /// One or none.
    Opt(Box<TokenPattern>),
}

impl TokenPattern {
    /// Whether it matches the empty text.
    pub(super) fn may_be_empty(&self) -> bool {
        match self {
            TokenPattern::Text(text) => text.is_empty(),
            TokenPattern::One(_) => false,
            TokenPattern::Seq(parts) => parts.iter().all(TokenPattern::may_be_empty),
            TokenPattern::Choice(parts) => parts.iter().any(TokenPattern::may_be_empty),
            TokenPattern::Star(_) | TokenPattern::Opt(_) => true,
            TokenPattern::Plus(inner) => inner.may_be_empty(),
        }
    }

    /// Whether a part of it repeats.
    pub fn has_repetition(&self) -> bool {
        match self {
            TokenPattern::Text(_) | TokenPattern::One(_) => false,
            TokenPattern::Seq(parts) | TokenPattern::Choice(parts) => {
                parts.iter().any(TokenPattern::has_repetition)
            }
            TokenPattern::Star(_) | TokenPattern::Plus(_) => true,
            TokenPattern::Opt(inner) => inner.has_repetition(),
        }
    }
}

/// What a token is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A text in quotes in a rule.
    Literal,
    /// A `%token`.
    Named,
    /// A `%comment`: may stand anywhere, and is shown.
    Comment,
    /// A `%skip`: white space.
    Skip,
}

/// A token of a grammar. If two match the same text, the first in [`BnfGrammar::tokens`] wins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TokenDefinition {
    /// Its name, or its text.
    pub name: String,
    /// What it is for.
    pub kind: TokenKind,
    /// Its pattern.
    pub pattern: TokenPattern,
}

impl TokenDefinition {
    /// Whether its name is its text.
    pub fn is_text(&self) -> bool {
        self.kind == TokenKind::Literal && !matches!(self.pattern, TokenPattern::One(_))
    }
}

/// A grammar as its text has it.
#[derive(Clone, Debug)]
pub struct BnfGrammar {
    /// The name of the grammar by `%name`.
    pub name: Option<String>,
    /// The extensions of its files, without the dot.
    pub extensions: Vec<String>,
    /// Whether no lexer divides a text (`%lexer none`): a token is tried wherever a rule may have it, and nothing is skipped.
    pub scannerless: bool,
    /// All tokens: texts in quotes first, then those with names, in the order of the text; comments; white space.
    pub tokens: Vec<TokenDefinition>,
    pub(super) rules: BnfRules,
    /// The marks of each rule.
    pub(super) marks: Vec<WrittenMarks>,
    /// What it says of the texts of names.
    pub names: NameSettings,
    /// What it says of statements and logic.
    pub statements: StatementSettings,
    /// What it says of the layout of its programs.
    pub layout: LayoutSettings,
    /// The texts in settings that no rule has in quotes: each with its error, unless a `%token` is that text.
    pub unquoted_texts: Vec<(Vec<u8>, BnfError)>,
    /// What in it has no effect, as sentences.
    pub warnings: Vec<String>,
    /// The rules after all steps of Algorithm 1.
    pub(super) normal: BnfRules,
}

/// What a definition defines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DefinitionRole {
    Rule,
    Fragment,
    Token(TokenKind),
}

/// What a grammar says of itself.
#[derive(Default)]
pub(super) struct GrammarSettings {
    /// What it says of the texts of names.
    pub names: NameSettings,
    /// What it says of statements and logic.
    pub statements: StatementSettings,
    /// What it says of the layout of its programs.
    pub layout: LayoutSettings,
    /// The rules and texts that settings name.
    pub placed: Vec<PlacedSetting>,
    pub name: Option<String>,
    pub extensions: Vec<String>,
    pub scannerless: bool,
}

pub(super) struct BnfDefinition {
    pub name: String,
    pub at: usize,
    pub role: DefinitionRole,
    pub body: BnfExpr,
    /// The marks of all its nodes.
    pub marks: Vec<PlacedMark>,
}

/// The right-hand side of a definition, as it is written.
pub(super) enum BnfExpr {
    /// A name, where it stands, and its marks there.
    Name(String, usize, Vec<PlacedMark>),
    Literal(Vec<u8>),
    Class(ByteSet, String),
    Seq(Vec<BnfExpr>),
    Choice(Vec<BnfExpr>),
    Quantified(Box<BnfExpr>, u8),
}
