//! The program with the role of each token: as a style, and as a letter below it.

use std::ops::Range;

use super::ContrastFindings;
use crate::contrast::TokenRole;
use crate::display::{EscapeHidden, TextStyle};

/// What a tab is shown as.
const TAB: &str = "    ";

/// A line or a piece of one, as it is shown.
pub fn show_line(text: &[u8]) -> String {
    let parts = text.split(|byte| *byte == b'\t');
    let parts: Vec<_> = parts.map(EscapeHidden::escape_hidden).collect();
    parts.join(TAB)
}

/// The meaning of the letters.
pub const LEGEND: &str = "E essential, F free in its kind, C only needed to compile, ? unknown";

/// A line of the program.
#[derive(Default)]
pub struct AnnotatedLine {
    /// Its pieces, each with the style of its token.
    pub pieces: Vec<(TextStyle, String)>,
    /// The letter of each token, below its first character.
    pub letters: String,
    width: usize,
}

impl AnnotatedLine {
    fn push_piece(&mut self, style: TextStyle, text: &[u8], letter: Option<char>) {
        let shown = show_line(text);
        if let Some(letter) = letter {
            let gap = self.width.saturating_sub(self.letters.chars().count());
            self.letters.extend(std::iter::repeat_n(' ', gap));
            self.letters.push(letter);
        }
        self.width += shown.chars().count();
        self.pieces.push((style, shown));
    }

    /// The text of the line.
    pub fn text(&self) -> String {
        self.pieces.iter().map(|(_, text)| text.as_str()).collect()
    }
}

fn role_letter(role: TokenRole) -> char {
    match role {
        TokenRole::Essential => 'E',
        TokenRole::Free => 'F',
        TokenRole::CompileOnly => 'C',
        TokenRole::Unknown(_) => '?',
    }
}

fn role_style(role: TokenRole) -> TextStyle {
    match role {
        TokenRole::Essential => TextStyle::Strong,
        TokenRole::Free => TextStyle::Dim,
        TokenRole::CompileOnly | TokenRole::Unknown(_) => TextStyle::Plain,
    }
}

/// The lines of the program.
pub fn annotated_lines(findings: &ContrastFindings) -> Vec<AnnotatedLine> {
    let bytes = &findings.bytes;
    let (mut lines, mut at) = (vec![AnnotatedLine::default()], 0);
    let mut push = |range: Range<usize>, role: Option<TokenRole>| {
        let mut letter = role.map(role_letter);
        let style = role.map_or(TextStyle::Plain, role_style);
        for (number, part) in bytes[range].split(|byte| *byte == b'\n').enumerate() {
            if number > 0 {
                lines.push(AnnotatedLine::default());
            }
            let part = part.strip_suffix(b"\r").unwrap_or(part);
            if let Some(line) = lines.last_mut().filter(|_| !part.is_empty()) {
                line.push_piece(style, part, letter.take());
            }
        }
    };
    for (token, role) in &findings.report.tokens {
        push(at..token.range.start, None);
        push(token.range.clone(), Some(*role));
        at = token.range.end;
    }
    push(at..bytes.len(), None);
    let is_empty = |line: &AnnotatedLine| line.pieces.is_empty();
    if lines.last().is_some_and(is_empty) {
        lines.pop();
    }
    lines
}
