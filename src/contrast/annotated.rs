//! The program in lines with the role of each token, and the lines that a change concerns.

use std::ops::Range;

use super::{ContrastReport, TokenRole};
use crate::display::EscapeHidden;

/// What a tab is shown as.
const TAB: &str = "    ";
/// Of a change of more lines, none is shown.
const LINES: usize = 3;

/// A part of a line that has one role, or none between tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotatedPiece {
    /// Its text, with hidden characters escaped.
    pub text: String,
    /// The role of its token.
    pub role: Option<TokenRole>,
    /// Whether the token begins here: one with newlines has more pieces.
    pub is_start: bool,
}

/// The lines of the program.
pub fn annotate_lines(bytes: &[u8], report: &ContrastReport) -> Vec<Vec<AnnotatedPiece>> {
    let (mut lines, mut at) = (vec![Vec::new()], 0);
    let mut push = |range: Range<usize>, role: Option<TokenRole>| {
        let mut is_start = role.is_some();
        for (number, part) in bytes[range].split(|byte| *byte == b'\n').enumerate() {
            if number > 0 {
                lines.push(Vec::new());
            }
            let part = part.strip_suffix(b"\r").unwrap_or(part);
            if let Some(line) = lines.last_mut().filter(|_| !part.is_empty()) {
                line.push(AnnotatedPiece {
                    text: show_line(part),
                    role,
                    is_start: std::mem::take(&mut is_start),
                });
            }
        }
    };
    for (token, role) in &report.tokens {
        push(at..token.range.start, None);
        push(token.range.clone(), Some(*role));
        at = token.range.end;
    }
    push(at..bytes.len(), None);
    if lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    lines
}

/// The lines that a change replaces, and those that replace them; both empty if they are many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedLines {
    /// The lines of the program.
    pub old: Vec<String>,
    /// The lines of the neighbour.
    pub new: Vec<String>,
}

/// The lines in which two programs differ, with hidden characters escaped.
pub fn find_changed_lines(old: &[u8], new: &[u8]) -> ChangedLines {
    let split = |text: &[u8]| -> Vec<Vec<u8>> {
        text.split(|byte| *byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect()
    };
    let (old, new) = (split(old), split(new));
    let before = old
        .iter()
        .zip(&new)
        .take_while(|(old, new)| old == new)
        .count();
    let after = old[before..].iter().rev().zip(new[before..].iter().rev());
    let after = after.take_while(|(old, new)| old == new).count();
    let shown = |lines: &[Vec<u8>]| -> Vec<String> {
        let lines = lines[before..lines.len() - after].iter();
        lines.map(|line| show_line(line.trim_ascii_end())).collect()
    };
    let (old, new) = (shown(&old), shown(&new));
    match old.len() <= LINES && new.len() <= LINES {
        true => ChangedLines { old, new },
        false => ChangedLines::default(),
    }
}

/// A line or a piece of one, as it is shown.
fn show_line(text: &[u8]) -> String {
    let parts = text.split(|byte| *byte == b'\t');
    let parts: Vec<_> = parts.map(EscapeHidden::escape_hidden).collect();
    parts.join(TAB)
}
