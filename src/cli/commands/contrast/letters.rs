//! The program for paper: a letter below each token says its role.

use super::ContrastOutput;
use crate::contrast::{AnnotatedPiece, ChangedLines, TokenRole, annotate_lines};
use crate::display::TextStyle;

/// The meaning of the letters.
pub const LEGEND: &str = "E essential, F free in its kind, C only needed to compile, ? unknown";

/// A line of the program.
pub struct LetteredLine {
    /// Its pieces, each with the style of its token.
    pub pieces: Vec<(TextStyle, String)>,
    /// The letter of each token, below its first character.
    pub letters: String,
}

impl LetteredLine {
    fn from_pieces(pieces: Vec<AnnotatedPiece>) -> LetteredLine {
        let (mut letters, mut width) = (String::new(), 0);
        for piece in &pieces {
            if let Some(role) = piece.role.filter(|_| piece.is_start) {
                let gap = usize::saturating_sub(width, letters.chars().count());
                letters.extend(std::iter::repeat_n(' ', gap));
                letters.push(role_letter(role));
            }
            width += piece.text.chars().count();
        }
        let style = |role: Option<TokenRole>| role.map_or(TextStyle::Plain, role_style);
        let pieces = pieces.into_iter();
        LetteredLine {
            pieces: pieces
                .map(|piece| (style(piece.role), piece.text))
                .collect(),
            letters,
        }
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
pub fn lettered_lines(output: &ContrastOutput) -> Vec<LetteredLine> {
    let findings = &output.findings;
    let lines = annotate_lines(&findings.bytes, &findings.report).into_iter();
    lines.map(LetteredLine::from_pieces).collect()
}

/// The lines of a change as a diff.
pub fn diff_lines(changed: &ChangedLines) -> impl Iterator<Item = String> + '_ {
    let old = changed.old.iter().map(|line| format!("- {line}"));
    old.chain(changed.new.iter().map(|line| format!("+ {line}")))
}
