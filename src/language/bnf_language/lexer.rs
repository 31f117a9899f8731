//! The lexer of a grammar in BNF: of all tokens that match at a place, the longest; of those, the first in the grammar. Without a lexer
//! (`%lexer none`) the parser asks for all tokens that match at a place.

use std::fmt::Write;
use std::ops::Range;

use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};

use crate::grammar::NodeClass;
use crate::grammar::bnf::{TokenDefinition, TokenKind, TokenPattern};
use crate::grammar::earley::{SourceToken, TokenSource};

/// The most bytes of tables that a pattern of a grammar may need.
const MAX_TABLE_BYTES: usize = 64 << 20;

/// Divides texts into tokens.
pub(super) struct BnfLexer {
    automaton: dense::DFA<Vec<u32>>,
    /// Whether a text is bytes to the parser, and not tokens.
    scannerless: bool,
    kinds: Vec<TokenKind>,
}

/// A text that no lexer has divided.
pub(super) struct ScannerlessText<'a> {
    lexer: &'a BnfLexer,
    text: &'a [u8],
}

impl ScannerlessText<'_> {
    pub fn text(&self) -> &[u8] {
        self.text
    }
}

impl TokenSource for ScannerlessText<'_> {
    fn end(&self) -> usize {
        self.text.len()
    }

    /// All tokens that match here, the shortest first.
    fn push_tokens_at(&self, at: usize, into: &mut Vec<SourceToken>) {
        let automaton = &self.lexer.automaton;
        let input = Input::new(self.text).anchored(Anchored::Yes);
        let Ok(mut state) = automaton.start_state_forward(&input) else {
            return;
        };
        for end in at..=self.text.len() {
            state = match self.text.get(end) {
                Some(&byte) => automaton.next_state(state, byte),
                None => automaton.next_eoi_state(state),
            };
            if automaton.is_dead_state(state) {
                return;
            }
            // A state says what matched before the byte that led to it.
            if automaton.is_match_state(state) {
                let matched = (0..automaton.match_len(state)).map(|nth| {
                    let token = automaton.match_pattern(state, nth).as_usize();
                    (NodeClass(token as u16), end as u32)
                });
                into.extend(matched);
            }
        }
    }
}

/// A token, a comment, or a byte that begins neither.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct BnfLexeme {
    /// The number of its token; none for a byte that begins no token.
    pub class: Option<NodeClass>,
    pub range: Range<usize>,
    pub comment: bool,
}

impl BnfLexer {
    /// The lexer of these tokens; if it is scannerless, a text stays bytes.
    ///
    /// # Errors
    /// When their automaton would be too large.
    pub fn new(tokens: &[TokenDefinition], scannerless: bool) -> Result<BnfLexer, String> {
        let patterns = tokens.iter().map(|token| {
            let mut regex = String::new();
            write_regex(&token.pattern, &mut regex);
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
                    .dfa_size_limit(Some(MAX_TABLE_BYTES))
                    .determinize_size_limit(Some(MAX_TABLE_BYTES)),
            )
            .build_many(&patterns)
            .map_err(|error| format!("its tokens are too much for a lexer: {error}"))?;
        Ok(BnfLexer {
            automaton,
            scannerless,
            kinds: tokens.iter().map(|token| token.kind).collect(),
        })
    }

    /// The text for a parser that reads bytes; none if the lexer divides it.
    pub fn scannerless_text<'a>(&'a self, text: &'a [u8]) -> Option<ScannerlessText<'a>> {
        self.scannerless
            .then_some(ScannerlessText { lexer: self, text })
    }

    /// The token that the text at this place begins with, and where it ends; none if no lexer divides the text.
    fn longest_match(&self, text: &[u8], at: usize) -> Option<(usize, usize)> {
        if self.scannerless {
            return None;
        }
        let input = Input::new(text).range(at..).anchored(Anchored::Yes);
        let found = self.automaton.try_search_fwd(&input).ok()??;
        Some((found.pattern().as_usize(), found.offset()))
    }

    /// The tokens and comments of a text, without white space; its bytes if no lexer divides it.
    pub fn lexemes<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = BnfLexeme> + 'a {
        let mut at = 0;
        std::iter::from_fn(move || {
            while at < text.len() {
                let start = at;
                let Some((token, end)) = self.longest_match(text, at) else {
                    at += 1;
                    return Some(BnfLexeme {
                        class: None,
                        range: start..at,
                        comment: false,
                    });
                };
                at = end;
                if self.kinds[token] != TokenKind::Skip {
                    return Some(BnfLexeme {
                        class: Some(NodeClass(token as u16)),
                        range: start..end,
                        comment: self.kinds[token] == TokenKind::Comment,
                    });
                }
            }
            None
        })
    }

    /// Whether all of a text is white space. If no lexer divides it, that is the end of the last line.
    pub fn is_blank(&self, text: &[u8]) -> bool {
        self.lexemes(text).next().is_none() || self.scannerless && text == b"\n"
    }

    /// Whether the text is one token, and still the same one when more text follows; so is everything that no lexer reads.
    pub fn ends_before(&self, text: &[u8], more: &[u8]) -> bool {
        if self.scannerless {
            return true;
        }
        let joined = [text, more].concat();
        let end = self.longest_match(&joined, 0).map(|(_, end)| end);
        end == Some(text.len())
    }
}

/// A pattern as a regular expression over bytes.
fn write_regex(pattern: &TokenPattern, out: &mut String) {
    match pattern {
        TokenPattern::Text(text) => {
            out.push_str("(?:");
            for byte in text {
                let _ = write!(out, "\\x{byte:02X}");
            }
            out.push(')');
        }
        TokenPattern::One(set) => {
            out.push('[');
            for byte in (0..=u8::MAX).filter(|&byte| set.contains(byte)) {
                let _ = write!(out, "\\x{byte:02X}");
            }
            out.push(']');
        }
        TokenPattern::Seq(parts) => {
            out.push_str("(?:");
            parts.iter().for_each(|part| write_regex(part, out));
            out.push(')');
        }
        TokenPattern::Choice(parts) => {
            out.push_str("(?:");
            for (at, part) in parts.iter().enumerate() {
                out.push_str(if at > 0 { "|" } else { "" });
                write_regex(part, out);
            }
            out.push(')');
        }
        TokenPattern::Star(inner) => write_quantified(inner, '*', out),
        TokenPattern::Plus(inner) => write_quantified(inner, '+', out),
        TokenPattern::Opt(inner) => write_quantified(inner, '?', out),
    }
}

fn write_quantified(inner: &TokenPattern, sign: char, out: &mut String) {
    out.push_str("(?:");
    write_regex(inner, out);
    out.push(')');
    out.push(sign);
}
