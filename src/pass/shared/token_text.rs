//! The tokens of a program with their brackets, whatever the tree says of them: what passes over text see.

use std::ops::Range;
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::name_substitution::token_leaves;
use crate::program::{Edit, EditOp, ProgramNode, Replacement, View};

/// The tokens of all documents that a pass changes, in order. A comment is none, nor is what has no text, such as a semicolon that a line end
/// stands for.
pub(in crate::pass) struct TokenText<'a> {
    tokens: Vec<TextToken<'a>>,
    brackets: Vec<OpenBracket>,
    /// For each document, whether its brackets balance.
    balanced: Vec<bool>,
}

struct TextToken<'a> {
    leaf: &'a Arc<ProgramNode>,
    document: usize,
    /// The innermost bracket that is open before it.
    around: Option<usize>,
    /// The token of the other bracket of its pair.
    partner: Option<usize>,
}

/// An opening bracket.
struct OpenBracket {
    token: usize,
    closer: u8,
    /// The bracket around it.
    around: Option<usize>,
}

/// Tokens that go, and what stands in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::pass) struct TokenCut {
    /// The tokens, by their numbers: one stretch, or the two brackets of a pair.
    pub ranges: SmallVec<[Range<usize>; 2]>,
    /// A token that stands in the place of the first; none if nothing does.
    pub put: Option<Arc<[u8]>>,
}

impl TokenCut {
    /// These tokens go.
    pub fn of_range(range: Range<usize>) -> TokenCut {
        TokenCut {
            ranges: smallvec![range],
            put: None,
        }
    }
}

impl<'a> TokenText<'a> {
    /// The tokens of the documents that a pass changes.
    pub fn of_view(view: &'a View) -> TokenText<'a> {
        let mut text = TokenText {
            tokens: Vec::new(),
            brackets: Vec::new(),
            balanced: Vec::new(),
        };
        for (at, document) in view.documents().iter().enumerate() {
            let mut open = None;
            let mut balanced = true;
            for leaf in token_leaves(&document.root) {
                text.tokens.push(TextToken {
                    leaf,
                    document: at,
                    around: open,
                    partner: None,
                });
                open = text.enter_token(open, &mut balanced);
            }
            text.balanced.push(balanced && open.is_none());
        }
        text
    }

    /// Opens and closes the brackets of the last token; the innermost one that is open behind it.
    fn enter_token(&mut self, mut open: Option<usize>, balanced: &mut bool) -> Option<usize> {
        let token = self.tokens.len() - 1;
        for &bracket in brackets_of(self.tokens[token].leaf.text()) {
            if let Some(closer) = closer_of(bracket) {
                self.brackets.push(OpenBracket {
                    token,
                    closer,
                    around: open,
                });
                open = Some(self.brackets.len() - 1);
                continue;
            }
            let Some(inner) = open.map(|at| &self.brackets[at]) else {
                *balanced = false;
                continue;
            };
            *balanced &= inner.closer == bracket;
            (self.tokens[token].partner, open) = (Some(inner.token), inner.around);
        }
        if let Some(partner) = self.tokens[token].partner {
            self.tokens[partner].partner = Some(token);
        }
        open
    }

    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The text of a token.
    pub fn text(&self, token: usize) -> &'a [u8] {
        self.tokens[token].leaf.text()
    }

    /// A stretch as it is written, from its first token on.
    pub fn written(&self, range: &Range<usize>) -> Vec<u8> {
        let mut written = self.text(range.start).to_vec();
        for token in range.start + 1..range.end {
            written.extend_from_slice(self.leaf(token).trivia());
            written.extend_from_slice(self.text(token));
        }
        written
    }

    /// The shortest text of each kind of token, in the order of the kinds' first places: of the names one, of the numbers one, each operator.
    pub fn sample_texts(&self) -> Vec<&'a [u8]> {
        let mut known = rustc_hash::FxHashMap::default();
        let mut texts: Vec<&[u8]> = Vec::new();
        for token in &self.tokens {
            let text = token.leaf.text();
            let kind = token.leaf.class.ok_or(text);
            let sample = *known.entry(kind).or_insert(texts.len());
            match texts.get_mut(sample) {
                Some(shortest) if text.len() < shortest.len() => *shortest = text,
                Some(_) => {}
                None => texts.push(text),
            }
        }
        texts
    }

    /// This stretch, if there is one of that length in one document.
    pub fn window(&self, start: usize, length: usize) -> Option<Range<usize>> {
        let last = self.tokens.get(start + length - 1)?;
        (last.document == self.tokens[start].document).then(|| start..start + length)
    }

    /// The pair of brackets that this token opens, from the one to the other.
    pub fn bracket_group(&self, token: usize) -> Option<Range<usize>> {
        let partner = self.tokens.get(token)?.partner?;
        (partner > token).then(|| token..partner + 1)
    }

    /// From this closing bracket to the opening one of the next group of its kind beside it.
    pub fn bracket_joint(&self, token: usize) -> Option<Range<usize>> {
        let opens = self.tokens[token]
            .partner
            .filter(|&partner| partner < token)?;
        let mut at = token + 1;
        loop {
            let next = self.tokens.get(at)?;
            match next.partner {
                // The brackets around both end here.
                Some(partner) if partner < at => return None,
                Some(partner) if next.document == self.tokens[token].document => {
                    if self.text(at) == self.text(opens) {
                        return Some(token..at + 1);
                    }
                    at = partner + 1;
                }
                Some(_) => return None,
                None => at += 1,
            }
        }
    }

    /// Whether each bracket of a stretch has its other one in it.
    pub fn is_balanced(&self, range: &Range<usize>) -> bool {
        let opened = self.unmatched_brackets(range);
        opened.is_some_and(|[closed, opened]| closed.is_empty() && opened.is_empty())
    }

    /// Whether the brackets of the program balance without a stretch, or did not balance before.
    pub fn stays_balanced(&self, range: &Range<usize>) -> bool {
        if !self.balanced[self.tokens[range.start].document] {
            return true;
        }
        let opened = self.unmatched_brackets(range);
        opened.is_some_and(|[closed, opened]| closed.iter().eq(opened.iter().rev()))
    }

    /// The brackets that a stretch closes and did not open, then those that it opens and does not close, each as its closing one. None if a
    /// bracket is closed by another kind.
    fn unmatched_brackets(&self, range: &Range<usize>) -> Option<[SmallVec<[u8; 8]>; 2]> {
        let mut outer = self.tokens[range.start].around;
        let [mut closed, mut opened] = [SmallVec::<[u8; 8]>::new(), SmallVec::new()];
        for token in range.clone() {
            for &bracket in brackets_of(self.text(token)) {
                match (closer_of(bracket), opened.pop()) {
                    (Some(closer), before) => {
                        opened.extend(before);
                        opened.push(closer);
                    }
                    (None, Some(closer)) if closer == bracket => {}
                    (None, Some(_)) => return None,
                    (None, None) => {
                        let inner = &self.brackets[outer?];
                        outer = inner.around;
                        closed.push(inner.closer);
                    }
                }
            }
        }
        Some([closed, opened])
    }

    /// The edit that makes a cut. Each token goes by itself, so that line ends between them stay known.
    pub fn to_edit(&self, cut: &TokenCut) -> Edit {
        let leaves = cut.ranges.iter().cloned().flatten();
        let leaves = leaves.map(|token| self.tokens[token].leaf.id);
        let mut put = cut.put.clone();
        leaves
            .map(|node| match put.take() {
                Some(text) => EditOp::Replace {
                    node,
                    piece: Replacement::Tokens([text].into()),
                },
                None => EditOp::Delete(node),
            })
            .collect()
    }

    /// The leaf of a token.
    pub fn leaf(&self, token: usize) -> &'a Arc<ProgramNode> {
        self.tokens[token].leaf
    }
}

/// Whether a token is a bracket.
pub(in crate::pass) fn is_bracket(text: &[u8]) -> bool {
    !text.is_empty() && !brackets_of(text).is_empty()
}

/// The brackets of a token: those of one that consists of brackets, with a sign before them at most (`${`). Other tokens have none, whatever
/// stands in them.
fn brackets_of(text: &[u8]) -> &[u8] {
    let brackets = match text {
        [b'$' | b'#' | b'@' | b'?' | b'\\', rest @ ..] => rest,
        all => all,
    };
    match brackets.iter().all(|byte| b"()[]{}".contains(byte)) {
        true => brackets,
        false => &[],
    }
}

fn closer_of(bracket: u8) -> Option<u8> {
    match bracket {
        b'(' => Some(b')'),
        b'[' => Some(b']'),
        b'{' => Some(b'}'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::program::read_program;

    fn view_of(program: &str) -> View {
        let source = (Path::new("a.c").into(), program.as_bytes().into());
        View::new(read_program(vec![source]).expect("it can be read"))
    }

    #[test]
    fn a_stretch_goes_where_the_brackets_around_it_still_balance() {
        let view = view_of("f(int){} g(){ f(1)[0]; }");
        let text = TokenText::of_view(&view);
        let find = |first: &str, nth: usize, length: usize| {
            let all = 0..text.len();
            let mut starts = all.filter(|&at| text.text(at) == first.as_bytes());
            let start = starts.nth(nth).expect("it is there");
            text.window(start, length).expect("it is that long")
        };
        for (first, nth, length, balanced, stays) in [
            ("f", 0, 1, true, true),
            // `} g ( ) {` leaves one body of two.
            ("}", 0, 5, false, true),
            ("{", 0, 2, true, true),
            ("{", 0, 1, false, false),
            // `) [` leaves `f(1 0]`.
            (")", 2, 2, false, false),
            ("(", 2, 3, true, true),
        ] {
            let range = find(first, nth, length);
            assert_eq!(
                (text.is_balanced(&range), text.stays_balanced(&range)),
                (balanced, stays),
                "{length} tokens from {first}, {nth}"
            );
        }
    }

    #[test]
    fn where_brackets_do_not_balance_any_stretch_may_go() {
        let view = view_of("int f( { }");
        let text = TokenText::of_view(&view);
        assert!(text.stays_balanced(&(2..3)) && text.stays_balanced(&(3..4)));
    }
}
