//! Files about which a good test says no, most often.

use std::sync::Arc;

/// A text that is no program in any language.
pub const NONSENSE: &[u8] = b")]} '\" lop was here @ # % ^\n";

/// A file made of the original, or of nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProbeFile {
    /// No bytes.
    Empty,
    /// [`NONSENSE`] alone.
    Nonsense,
    /// The original with [`NONSENSE`] at its end: complete, but no valid program.
    Broken,
    /// The first half by bytes, extended to the end of a line.
    FirstHalf,
    /// The rest.
    SecondHalf,
}

/// All of them, in the order in which they are tested.
pub(super) const PROBES: [ProbeFile; 5] = [
    ProbeFile::Empty,
    ProbeFile::Nonsense,
    ProbeFile::Broken,
    ProbeFile::FirstHalf,
    ProbeFile::SecondHalf,
];

impl ProbeFile {
    /// The file.
    pub fn to_bytes(self, original: &[u8]) -> Arc<[u8]> {
        let middle = find_middle(original);
        match self {
            ProbeFile::Empty => Arc::from([]),
            ProbeFile::Nonsense => Arc::from(NONSENSE),
            ProbeFile::Broken => [original, b"\n", NONSENSE].concat().into(),
            ProbeFile::FirstHalf => Arc::from(&original[..middle]),
            ProbeFile::SecondHalf => Arc::from(&original[middle..]),
        }
    }

    /// A description for a sentence.
    pub fn describe_probe(self, name: &str) -> String {
        match self {
            ProbeFile::Empty => "an empty file".into(),
            ProbeFile::Nonsense => "a line of nonsense".into(),
            ProbeFile::Broken => format!("{name} with a line of nonsense at its end"),
            ProbeFile::FirstHalf => format!("the first half of {name}"),
            ProbeFile::SecondHalf => format!("the second half of {name}"),
        }
    }
}

/// The end of the line in the middle; the middle itself if there is only one line.
fn find_middle(original: &[u8]) -> usize {
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
            let half = |probe: ProbeFile| {
                String::from_utf8(probe.to_bytes(text.as_bytes()).to_vec()).expect("text")
            };
            assert_eq!(half(ProbeFile::FirstHalf), first, "{text:?}");
            assert_eq!(
                half(ProbeFile::FirstHalf) + &half(ProbeFile::SecondHalf),
                text
            );
        }
    }
}
