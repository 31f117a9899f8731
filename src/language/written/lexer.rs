//! Tokens of a grammar in BNF: of all that match at a place, the longest; of those, the first in the grammar.

use std::fmt::Write;
use std::ops::Range;

use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};

use crate::grammar::Class;
use crate::grammar::bnf::{Pattern, Token, TokenKind};

/// A pattern of a grammar may need so many bytes of tables, and no more.
const LARGEST: usize = 64 << 20;

/// Cuts texts into tokens.
pub(super) struct Lexer {
    automaton: dense::DFA<Vec<u32>>,
    kinds: Vec<TokenKind>,
}

/// A token, a comment, or a byte that begins neither.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Lexeme {
    /// The number of its token; none for a byte that the grammar does not know.
    pub class: Option<Class>,
    pub range: Range<usize>,
    pub comment: bool,
}

impl Lexer {
    /// The lexer of these tokens.
    ///
    /// # Errors
    /// When their automaton would be too large.
    pub fn new(tokens: &[Token]) -> Result<Lexer, String> {
        let patterns = tokens.iter().map(|token| {
            let mut regex = String::new();
            write(&token.pattern, &mut regex);
            regex
        });
        let patterns: Vec<String> = patterns.collect();
        let automaton = dense::Builder::new()
            .syntax(syntax::Config::new().unicode(false).utf8(false))
            .thompson(thompson::Config::new().utf8(false))
            .configure(
                dense::Config::new()
                    .match_kind(MatchKind::All)
                    .start_kind(StartKind::Anchored)
                    .dfa_size_limit(Some(LARGEST))
                    .determinize_size_limit(Some(LARGEST)),
            )
            .build_many(&patterns)
            .map_err(|error| format!("its tokens are too much for a lexer: {error}"))?;
        Ok(Lexer {
            automaton,
            kinds: tokens.iter().map(|token| token.kind).collect(),
        })
    }

    /// The token that the text at this place begins with, and where it ends.
    fn longest(&self, text: &[u8], at: usize) -> Option<(usize, usize)> {
        let input = Input::new(text).range(at..).anchored(Anchored::Yes);
        let found = self.automaton.try_search_fwd(&input).ok()??;
        Some((found.pattern().as_usize(), found.offset()))
    }

    /// The tokens and comments of a text; white space is left out.
    pub fn lexemes<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = Lexeme> + 'a {
        let mut at = 0;
        std::iter::from_fn(move || {
            while at < text.len() {
                let start = at;
                let Some((token, end)) = self.longest(text, at) else {
                    at += 1;
                    return Some(Lexeme {
                        class: None,
                        range: start..at,
                        comment: false,
                    });
                };
                at = end;
                if self.kinds[token] != TokenKind::Skip {
                    return Some(Lexeme {
                        class: Some(Class(token as u16)),
                        range: start..end,
                        comment: self.kinds[token] == TokenKind::Comment,
                    });
                }
            }
            None
        })
    }

    /// Whether all of a text is white space.
    pub fn is_blank(&self, text: &[u8]) -> bool {
        self.lexemes(text).next().is_none()
    }

    /// Whether the text is a token, and still the same with more text behind it.
    pub fn ends_before(&self, text: &[u8], more: &[u8]) -> bool {
        let joined = [text, more].concat();
        let end = self.longest(&joined, 0).map(|(_, end)| end);
        end == Some(text.len())
    }
}

/// A pattern as a regular expression over bytes.
fn write(pattern: &Pattern, out: &mut String) {
    match pattern {
        Pattern::Text(text) => {
            out.push_str("(?:");
            for byte in text {
                let _ = write!(out, "\\x{byte:02X}");
            }
            out.push(')');
        }
        Pattern::One(set) => {
            out.push('[');
            for byte in (0..=u8::MAX).filter(|&byte| set.has(byte)) {
                let _ = write!(out, "\\x{byte:02X}");
            }
            out.push(']');
        }
        Pattern::Seq(parts) => {
            out.push_str("(?:");
            parts.iter().for_each(|part| write(part, out));
            out.push(')');
        }
        Pattern::Choice(parts) => {
            out.push_str("(?:");
            for (at, part) in parts.iter().enumerate() {
                out.push_str(if at > 0 { "|" } else { "" });
                write(part, out);
            }
            out.push(')');
        }
        Pattern::Star(inner) => quantified(inner, '*', out),
        Pattern::Plus(inner) => quantified(inner, '+', out),
        Pattern::Opt(inner) => quantified(inner, '?', out),
    }
}

fn quantified(inner: &Pattern, sign: char, out: &mut String) {
    out.push_str("(?:");
    write(inner, out);
    out.push(')');
    out.push(sign);
}
