//! What the parser does not see of a text: line markers, and hidden tokens.

use std::borrow::Cow;
use std::ops::Range;

use super::hidden::{self, HiddenRules};
use super::{Language, markers};

impl Language {
    /// The text for the parser, with line markers and hidden tokens replaced by blanks or words. It has the same length and the same newlines.
    pub fn mask_text<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        let mut masked = self.mask_markers(text);
        if !self.hidden_rules().is_empty() {
            self.hidden_rules().mask_tokens(&mut masked);
        }
        masked
    }

    fn mask_markers<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        match self.definition.data.line_markers {
            true => markers::mask_markers(text),
            false => Cow::Borrowed(text),
        }
    }

    fn hidden_rules(&self) -> &HiddenRules {
        let data = &self.definition.data;
        let rules = || HiddenRules::new(&data.hidden, data.hidden_text);
        self.hidden.get_or_init(rules)
    }

    /// The hidden tokens between two tokens that the parser sees: the bytes of a text there, and those of the masked text. What is hidden together
    /// stands together. Ranges begin at the beginning of these bytes.
    pub fn hidden_units(&self, text: &[u8], masked: &[u8]) -> Vec<Vec<Range<usize>>> {
        if self.hidden_rules().is_empty() {
            return Vec::new();
        }
        let mut hidden = self.mask_markers(text).into_owned();
        for (byte, seen) in hidden.iter_mut().zip(masked) {
            if !seen.is_ascii_whitespace() {
                *byte = b' ';
            }
        }
        self.hidden_rules().divide_tokens(&hidden)
    }

    /// Where tokens are hidden from the parser, in order.
    pub fn hidden_ranges(&self, text: &[u8]) -> Vec<Range<usize>> {
        self.hidden_rules().hidden_ranges(&self.mask_markers(text))
    }

    /// The tokens in place of which the parser sees a word: several, in a text and in the masked text. None for what it sees as it is.
    pub fn stand_in_tokens(&self, text: &[u8], masked: &[u8]) -> Option<Vec<Range<usize>>> {
        let stands = !self.hidden_rules().is_empty() && hidden::is_stand_in(masked, text);
        let tokens = stands.then(|| self.hidden_rules().split_tokens(text))?;
        (tokens.len() > 1).then_some(tokens)
    }

    /// The line of the text, from 1, that its line markers call line `line` of `file`; none if no marker does.
    pub fn find_origin_line(&self, text: &[u8], file: &str, line: u32) -> Option<u32> {
        let has_markers = self.definition.data.line_markers;
        has_markers.then(|| markers::find_origin_line(text, file, line))?
    }

    /// Whether white space contains line markers.
    pub fn has_markers(&self, trivia: &[u8]) -> bool {
        self.definition.data.line_markers && markers::has_marker(trivia)
    }

    /// White space without the lines that are line markers.
    pub fn strip_markers(&self, trivia: &[u8]) -> Vec<u8> {
        if self.definition.data.line_markers {
            markers::strip_markers(trivia)
        } else {
            trivia.to_vec()
        }
    }
}
