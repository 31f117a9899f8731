//! The file under check: its bytes, its tokens, and its syntax tree.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::display::{EscapeHidden, floor_escape_boundary};
use crate::language::parser::{ParseError, ParseLimit, ParseTree};
use crate::language::{self, Language, NewlineMeaning};
use crate::program::{self, NodeShape, ReadError, walk};

/// A smaller program that one step makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinimalityCandidate {
    /// The line of the file where the step is, counted from 1.
    pub line: usize,
    /// What the step does, such as "the token `x` can go".
    pub step: String,
    /// What the step leaves of the line: "`int ;`", or "nothing of the line".
    pub left: String,
}

/// A parsed file to check.
pub struct CheckedFile {
    pub(super) text: Arc<[u8]>,
    pub(super) language: Option<&'static Language>,
    /// Where each token is, in order.
    pub(super) tokens: Vec<Range<usize>>,
    /// The syntax tree, if the file has a language.
    pub(super) tree: Option<ParseTree>,
    faults: u32,
}

impl CheckedFile {
    /// Reads a file of this name, in the language of its extension.
    ///
    /// # Errors
    /// When a parse does not end within its limit.
    pub fn from_text(path: &Path, text: Arc<[u8]>) -> Result<CheckedFile, ReadError> {
        CheckedFile::with_language(language::by_path(path), path, text)
    }

    /// The same in this language.
    ///
    /// # Errors
    /// When a parse does not end within its limit.
    pub fn with_language(
        language: Option<&'static Language>,
        path: &Path,
        text: Arc<[u8]>,
    ) -> Result<CheckedFile, ReadError> {
        let version = program::read_documents(vec![(language, path.into(), text.clone())])?;
        let (mut tokens, mut at) = (Vec::new(), 0);
        for leaf in version
            .documents()
            .iter()
            .flat_map(|document| walk::iter_leaves(&document.root))
        {
            let start = at + leaf.trivia().len();
            at = start + leaf.text().len();
            if leaf.shape == NodeShape::Token {
                tokens.push(start..at);
            }
        }
        let tree = language
            .map(|language| parse_text(language, &text))
            .transpose()
            .map_err(|source| ReadError::Parse {
                path: path.to_path_buf(),
                source,
            })?;
        Ok(CheckedFile {
            faults: tree.as_ref().map_or(0, ParseTree::count_faults),
            text,
            language,
            tokens,
            tree,
        })
    }

    /// How many tokens the file has.
    pub fn token_count(&self) -> usize {
        self.tokens.len()
    }

    /// The texts of the tokens.
    pub(super) fn token_texts(&self) -> Vec<&[u8]> {
        let tokens = self.tokens.iter();
        tokens.map(|token| &self.text[token.clone()]).collect()
    }

    /// The bytes from the first of these tokens to the last. Of none, the end of the token before them.
    pub(super) fn token_span(&self, tokens: &Range<usize>) -> Range<usize> {
        match self.tokens.get(tokens.clone()) {
            Some([first, .., last]) => first.start..last.end,
            Some([only]) => only.clone(),
            Some([]) | None => {
                let before = tokens.start.checked_sub(1).map(|at| &self.tokens[at]);
                let end = before.map_or(0, |before| before.end);
                end..end
            }
        }
    }

    /// The file without a token.
    pub(super) fn without_token(&self, token: usize) -> (MinimalityCandidate, Arc<[u8]>) {
        let range = self.tokens[token].clone();
        let step = format!(
            "the token {} can go",
            format_snippet(&self.text[range.clone()])
        );
        self.replace_range(range, &[], step)
    }

    /// The file without these stretches of tokens, which ascend. White space and comments stay.
    pub(super) fn without_tokens(
        &self,
        cut: &[Range<usize>],
        step: String,
    ) -> (MinimalityCandidate, Arc<[u8]>) {
        let text = &self.text;
        let gone: Vec<usize> = cut.iter().cloned().flatten().collect();
        let (mut bytes, mut at) = (Vec::new(), 0);
        let mut last: Option<&[u8]> = None;
        for (token, range) in self.tokens.iter().enumerate() {
            bytes.extend_from_slice(&text[at..range.start]);
            at = range.end;
            let own = &text[range.clone()];
            if gone.binary_search(&token).is_ok() {
                continue;
            }
            if last.is_some_and(|last| bytes.ends_with(last) && self.needs_separator(last, own)) {
                bytes.push(b' ');
            }
            bytes.extend_from_slice(own);
            last = Some(own).filter(|own| !own.is_empty());
        }
        bytes.extend_from_slice(&text[at..]);
        let ends = [gone.first(), gone.last()].map(|token| token.map(|&at| &self.tokens[at]));
        let [start, end] = match ends {
            [Some(first), Some(last)] => [first.start, last.end],
            _ => [0, 0],
        };
        let candidate = self.describe_change(start..end, &bytes, step);
        (candidate, bytes.into())
    }

    /// Whether the parser finds no more errors in `bytes` than in the file.
    pub(super) fn is_as_clean(&self, bytes: &[u8]) -> bool {
        let Some(language) = self.language else {
            return true;
        };
        parse_text(language, bytes).is_ok_and(|tree| tree.count_faults() <= self.faults)
    }

    /// The text of `range`, moved to `place`. If indentation is significant, its lines are indented like the line of `place`, except lines
    /// that begin inside of a token.
    pub(super) fn reindent_range(&self, range: Range<usize>, place: usize) -> Vec<u8> {
        let text = &self.text[range.clone()];
        let (from, to) = (
            self.line_indentation(range.start),
            self.line_indentation(place),
        );
        let means = self
            .language
            .is_some_and(|language| language.newline_meaning() == NewlineMeaning::Indent);
        if !means || from == to {
            return text.to_vec();
        }
        let (mut new, mut at) = (Vec::new(), range.start);
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let token = self.tokens.partition_point(|token| token.end <= at);
            let is_inside = self.tokens.get(token).is_some_and(|token| token.start < at);
            match line.strip_prefix(from) {
                Some(rest) if at > range.start && !is_inside => new.extend([to, rest].concat()),
                _ => new.extend_from_slice(line),
            }
            at += line.len();
        }
        new
    }

    /// The indentation of the line of this place.
    fn line_indentation(&self, place: usize) -> &[u8] {
        let is_end = |&byte: &u8| byte == b'\n';
        let start = self.text[..place].iter().rposition(is_end);
        let line = &self.text[start.map_or(0, |end| end + 1)..];
        let width = line
            .iter()
            .take_while(|&&byte| byte == b' ' || byte == b'\t');
        &line[..width.count()]
    }

    /// The file with `new` in the place of `range`, and its bytes. A blank comes between tokens that would be read as one.
    pub(super) fn replace_range(
        &self,
        range: Range<usize>,
        new: &[u8],
        step: String,
    ) -> (MinimalityCandidate, Arc<[u8]>) {
        let text = &self.text;
        let mut bytes = text[..range.start].to_vec();
        let before = self
            .tokens
            .binary_search_by_key(&range.start, |token| token.end)
            .ok()
            .map(|at| &text[self.tokens[at].clone()]);
        let after = self
            .tokens
            .binary_search_by_key(&range.end, |token| token.start)
            .ok()
            .map(|at| &text[self.tokens[at].clone()]);
        if new.is_empty()
            && let (Some(before), Some(after)) = (before, after)
            && self.needs_separator(before, after)
        {
            bytes.push(b' ');
        }
        bytes.extend_from_slice(new);
        bytes.extend_from_slice(&text[range.end..]);
        let candidate = self.describe_change(range, &bytes, step);
        (candidate, bytes.into())
    }

    /// A step that changed `range` and made these bytes of the file.
    fn describe_change(
        &self,
        range: Range<usize>,
        bytes: &[u8],
        step: String,
    ) -> MinimalityCandidate {
        let text = &self.text;
        let is_end = |&byte: &u8| byte == b'\n';
        let line_start = text[..range.start]
            .iter()
            .rposition(is_end)
            .map_or(0, |end| end + 1);
        let line_end = text[range.end..]
            .iter()
            .position(is_end)
            .map_or(text.len(), |end| range.end + end);
        let left = &bytes[line_start..bytes.len() - (text.len() - line_end)];
        MinimalityCandidate {
            line: text[..range.start]
                .iter()
                .filter(|byte| is_end(byte))
                .count()
                + 1,
            step,
            left: match left.iter().all(u8::is_ascii_whitespace) {
                true => "nothing of the line".into(),
                false => format_snippet(left),
            },
        }
    }

    fn needs_separator(&self, before: &[u8], after: &[u8]) -> bool {
        let word = |byte: Option<&u8>| {
            byte.is_some_and(|&b| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80)
        };
        match self.language {
            Some(language) => language.needs_separator(before, after),
            None => word(before.last()) && word(after.first()),
        }
    }
}

fn parse_text(language: &Language, text: &[u8]) -> Result<ParseTree, ParseError> {
    let limit = ParseLimit::for_length(text.len());
    language
        .new_parser()
        .parse(&language.mask_text(text), None, limit)
}

/// A text on one line, shortened if it is long.
pub(super) fn format_snippet(text: &[u8]) -> String {
    const MOST: usize = 40;
    let words = text.split(u8::is_ascii_whitespace);
    let words = words
        .filter(|word| !word.is_empty())
        .map(EscapeHidden::escape_hidden);
    let line = words.collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!(
            "`{}…`",
            line[..floor_escape_boundary(&line, end)].trim_end()
        ),
        None => format!("`{line}`"),
    }
}
