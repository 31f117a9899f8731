//! Candidates that are text: tokens and brackets go, whatever the tree says of them. What a parser misreads can go too.
//!
//! Each token, 2 to 4 tokens in a row, both brackets of a pair (what is between them stays), a pair with all between them, what stands between two of `;`, `{`
//! and `}` (a segment, with the `;` at its end, or with the braces at its end and all between them), and from a closing bracket to the next opening one of its kind
//! beside it. If the brackets of the file balance, so do those of each candidate: nothing reads the others.

use std::ops::Range;
use std::sync::Arc;

use super::source::{CheckedFile, MinimalityCandidate, format_snippet};

/// The most tokens of a window.
const LONGEST_WINDOW: usize = 4;

/// All candidates, each set of tokens once, in the order of the file.
pub(super) fn text_candidates(
    source: &CheckedFile,
) -> impl Iterator<Item = (MinimalityCandidate, Arc<[u8]>)> + '_ {
    let brackets = FileBrackets::match_tokens(source);
    let mut cuts: Vec<Vec<Range<usize>>> = Vec::new();
    let count = source.token_count();
    for first in 0..count {
        let windows = 1..=LONGEST_WINDOW.min(count - first);
        cuts.extend(windows.map(|length| one_stretch(first..first + length)));
        if let Some(close) = brackets.closing_of(first) {
            cuts.push(vec![first..first + 1, close..close + 1]);
            cuts.push(one_stretch(first..close + 1));
            cuts.extend(brackets.joint_behind(first, close).map(one_stretch));
        }
        cuts.extend(brackets.segments_from(first).map(one_stretch));
    }
    cuts.sort_by_cached_key(|cut| {
        let ends = cut.iter().map(|range| (range.start, range.end));
        ends.collect::<Vec<_>>()
    });
    cuts.dedup();
    let is_read = move |cut: &Vec<Range<usize>>| {
        let goes = |token: usize| cut.iter().any(|range| range.contains(&token));
        !brackets.balanced || match_brackets(&brackets.texts, |token| !goes(token)).is_some()
    };
    let read: Vec<_> = cuts.into_iter().filter(is_read).collect();
    read.into_iter().map(|cut| {
        let what = describe_cut(source, &cut);
        source.without_tokens(&cut, what)
    })
}

fn one_stretch(tokens: Range<usize>) -> Vec<Range<usize>> {
    std::iter::once(tokens).collect()
}

fn describe_cut(source: &CheckedFile, cut: &[Range<usize>]) -> String {
    let quote = |range: &Range<usize>| format_snippet(&source.text[source.token_span(range)]);
    match cut {
        [open, close] => format!("the brackets {} and {} can go", quote(open), quote(close)),
        [only] if only.len() == 1 => format!("the token {} can go", quote(only)),
        cut => cut
            .iter()
            .map(|range| format!("the tokens {} can go", quote(range)))
            .collect(),
    }
}

/// Which token closes what another one opens.
struct FileBrackets<'a> {
    texts: Vec<&'a [u8]>,
    balanced: bool,
    pairs: Vec<(usize, usize)>,
}

impl<'a> FileBrackets<'a> {
    fn match_tokens(source: &'a CheckedFile) -> FileBrackets<'a> {
        let texts = source.token_texts();
        let pairs = match_brackets(&texts, |_| true);
        FileBrackets {
            texts,
            balanced: pairs.is_some(),
            pairs: pairs.unwrap_or_default(),
        }
    }

    fn closing_of(&self, token: usize) -> Option<usize> {
        let at = self.pairs.binary_search_by_key(&token, |pair| pair.0);
        at.ok().map(|at| self.pairs[at].1)
    }

    /// From the end of a pair to the beginning of the next one with the same brackets beside it.
    fn joint_behind(&self, open: usize, close: usize) -> Option<Range<usize>> {
        let texts = &self.texts;
        let around = self
            .pairs
            .iter()
            .filter(|pair| pair.0 < open && close < pair.1);
        let end = around.map(|pair| pair.1).min().unwrap_or(texts.len());
        let mut at = close + 1;
        while at < end {
            match self.closing_of(at) {
                Some(_) if texts[at] == texts[open] => return Some(close..at + 1),
                Some(closing) => at = closing + 1,
                None => at += 1,
            }
        }
        None
    }

    /// The segments that begin with this token.
    fn segments_from(&self, first: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let texts = &self.texts;
        let ends = |text: &&[u8]| matches!(text, [b';' | b'{' | b'}']);
        let begins = first == 0 || ends(&texts[first - 1]);
        let inside = texts[first..].iter().take_while(|text| !ends(text)).count();
        let end = first + inside;
        let segment = (begins && inside > 0).then(|| match texts.get(end) {
            Some([b';']) => first..end + 1,
            _ => first..end,
        });
        let braces = self.closing_of(end).filter(|_| begins && inside > 0);
        let with_braces = braces.map(|close| first..close + 1);
        segment.into_iter().chain(with_braces)
    }
}

/// The pairs of tokens that are brackets, in the order of their first ones, of the tokens that stay. None if they do not balance.
fn match_brackets(texts: &[&[u8]], stays: impl Fn(usize) -> bool) -> Option<Vec<(usize, usize)>> {
    let (mut open, mut pairs) = (Vec::<(u8, usize)>::new(), Vec::new());
    for (token, text) in texts.iter().enumerate() {
        let text = text.strip_prefix(b"$").unwrap_or(text);
        if !stays(token) || !text.iter().all(|byte| b"()[]{}".contains(byte)) {
            continue;
        }
        for &byte in text {
            match byte {
                b'(' => open.push((b')', token)),
                b'[' => open.push((b']', token)),
                b'{' => open.push((b'}', token)),
                close => {
                    let (_, first) = open.pop().filter(|(wanted, _)| *wanted == close)?;
                    pairs.push((first, token));
                }
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup_by_key(|pair| pair.0);
    open.is_empty().then_some(pairs)
}
