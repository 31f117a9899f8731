//! Files about which a good test says no, most often.

use std::sync::Arc;

/// A text that has nothing in common with any program, and is none in any language.
pub const NONSENSE: &[u8] = b")]} '\" lop was here @ # % ^\n";

/// A file made of the original, or of nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Probe {
    /// No bytes.
    Empty,
    /// [`NONSENSE`] alone.
    Nonsense,
    /// The original, and [`NONSENSE`] at its end: all that was there, and no valid program.
    Broken,
    /// Without its heavier half, by bytes; lines stay whole where there are any.
    FirstHalf,
    /// Without the other.
    SecondHalf,
}

/// All of them, in the order in which they are asked about.
pub(super) const PROBES: [Probe; 5] = [
    Probe::Empty,
    Probe::Nonsense,
    Probe::Broken,
    Probe::FirstHalf,
    Probe::SecondHalf,
];

impl Probe {
    /// The file.
    pub fn bytes(self, original: &[u8]) -> Arc<[u8]> {
        let middle = middle(original);
        match self {
            Probe::Empty => Arc::from([]),
            Probe::Nonsense => Arc::from(NONSENSE),
            Probe::Broken => [original, b"\n", NONSENSE].concat().into(),
            Probe::FirstHalf => Arc::from(&original[..middle]),
            Probe::SecondHalf => Arc::from(&original[middle..]),
        }
    }

    /// What it is, for a sentence.
    pub fn what(self, name: &str) -> String {
        match self {
            Probe::Empty => "an empty file".into(),
            Probe::Nonsense => "a line of nonsense".into(),
            Probe::Broken => format!("{name} with a line of nonsense at its end"),
            Probe::FirstHalf => format!("the first half of {name}"),
            Probe::SecondHalf => format!("the second half of {name}"),
        }
    }
}

/// The end of the line in the middle; the middle itself, where there is one line.
fn middle(original: &[u8]) -> usize {
    let half = original.len() / 2;
    let ends = |at: &usize| original[*at] == b'\n' && *at + 1 < original.len();
    (half..original.len())
        .find(ends)
        .or_else(|| (0..half).rev().find(ends))
        .map_or(half, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_are_whole_lines_and_nothing_is_lost() {
        for (text, first) in [
            ("a\nb\nc\nd\n", "a\nb\nc\n"),
            ("a\nbbbbbb", "a\n"),
            ("abcd", "ab"),
            ("a\n", "a"),
        ] {
            let half = |probe: Probe| {
                String::from_utf8(probe.bytes(text.as_bytes()).to_vec()).expect("text")
            };
            assert_eq!(half(Probe::FirstHalf), first, "{text:?}");
            assert_eq!(half(Probe::FirstHalf) + &half(Probe::SecondHalf), text);
        }
    }
}
