//! Which leaves a candidate takes away that is given as whole texts, such as a variant with hunks of its difference undone, and what it brings in.
//!
//! The texts are compared word by word, because parsing them would take too long for the thread of the screen.

use std::ops::Range;
use std::sync::Arc;

use crate::program::{NodeShape, ProgramNode, match_elements, match_subsequence, walk};

/// The change of a document.
#[derive(Debug, Default)]
pub struct RewriteChange {
    /// The numbers of the leaves that go, all or a part of each.
    pub gone: Vec<u32>,
    /// The words that come, each with the number of leaves before it.
    pub inserted: Vec<(u32, Box<[u8]>)>,
}

impl RewriteChange {
    /// The change from a document to its new text. `is_likely` says of a leaf whether it is one that may go: where several of the same text
    /// could be meant, such ones are.
    pub fn from_text(
        root: &Arc<ProgramNode>,
        text: &[u8],
        is_likely: impl Fn(u32) -> bool,
    ) -> RewriteChange {
        let leaves = walk::iter_leaves(root).zip(0..);
        let leaves = leaves.filter(|(leaf, _)| leaf.shape != NodeShape::End);
        let old: Vec<(&[u8], u32)> = leaves
            .flat_map(|(leaf, number)| words_of(leaf.text()).map(move |word| (word, number)))
            .collect();
        let before: Vec<&[u8]> = old.iter().map(|(word, _)| *word).collect();
        let after: Vec<&[u8]> = words_of(text).collect();
        let mut change = RewriteChange::default();
        for (mut gone, come) in changed_ranges(&before, &after) {
            if come.is_empty() {
                let likely = |at: usize| is_likely(old[at].1);
                gone = slide_to_likely(&before, gone, likely);
            }
            let place = old
                .get(gone.start)
                .map_or(root.sums().leaves, |(_, leaf)| *leaf);
            change.gone.extend(old[gone].iter().map(|(_, leaf)| *leaf));
            let words = after[come].iter();
            change
                .inserted
                .extend(words.map(|word| (place, (*word).into())));
        }
        change.gone.dedup();
        change
    }
}

/// The stretches that differ: what goes, and what comes in its place. Many words of which one list is a part of the other, as those of the
/// two programs of dd, are matched in time O(N).
fn changed_ranges(before: &[&[u8]], after: &[&[u8]]) -> Vec<(Range<usize>, Range<usize>)> {
    /// So many words more are too many for Myers, whose time is O(N) for each word that differs.
    const MANY: usize = 1_000;
    let by_order = before.len().abs_diff(after.len()) > MANY;
    let pairs = by_order.then(|| match_subsequence(before, after)).flatten();
    let pairs = pairs.unwrap_or_else(|| match_elements(before, after));
    let (mut ranges, mut next) = (Vec::new(), (0, 0));
    for (old, new) in pairs.into_iter().chain([(before.len(), after.len())]) {
        if next != (old, new) {
            ranges.push((next.0..old, next.1..new));
        }
        next = (old + 1, new + 1);
    }
    ranges
}

/// Of the stretches that could go in the place of this one and leave the same words, the one with the most likely words.
fn slide_to_likely(
    words: &[&[u8]],
    gone: Range<usize>,
    is_likely: impl Fn(usize) -> bool,
) -> Range<usize> {
    let weight = |at: usize| isize::from(is_likely(at));
    // How many more likely words than the first stretch has.
    let (mut best, mut gain, mut slid) = ((0, gone.clone()), 0, gone.clone());
    while slid.start > 0 && words[slid.start - 1] == words[slid.end - 1] {
        slid = slid.start - 1..slid.end - 1;
        gain += weight(slid.start) - weight(slid.end);
        if gain > best.0 {
            best = (gain, slid.clone());
        }
    }
    (gain, slid) = (0, gone);
    while slid.end < words.len() && words[slid.start] == words[slid.end] {
        gain += weight(slid.end) - weight(slid.start);
        slid = slid.start + 1..slid.end + 1;
        if gain > best.0 {
            best = (gain, slid.clone());
        }
    }
    best.1
}

/// The words of a text: names and numbers, and every other character that is not white space.
pub fn words_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_letter =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_ascii_start();
        let first = rest.first()?;
        let length = match is_letter(first) {
            true => rest
                .iter()
                .position(|byte| !is_letter(byte))
                .unwrap_or(rest.len()),
            false => 1,
        };
        let (word, left) = rest.split_at(length);
        rest = left;
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::program::read_program;

    /// The texts of the leaves that go, and the words that come.
    fn change(old: &str, new: &str, likely: &[u32]) -> (Vec<String>, Vec<String>) {
        let file = (Arc::from(Path::new("a.c")), Arc::from(old.as_bytes()));
        let version = read_program(vec![file]).expect("a program");
        let root = &version.documents()[0].root;
        let change = RewriteChange::from_text(root, new.as_bytes(), |leaf| likely.contains(&leaf));
        let text = |leaf: &u32| {
            let leaf = walk::leaf_at(root, *leaf).expect("a leaf");
            String::from_utf8_lossy(leaf.text()).into_owned()
        };
        let word = |(_, word): &(u32, Box<[u8]>)| String::from_utf8_lossy(word).into_owned();
        (
            change.gone.iter().map(text).collect(),
            change.inserted.iter().map(word).collect(),
        )
    }

    #[test]
    fn what_goes_and_comes_is_found_word_by_word() {
        let (gone, come) = change("int a = k(9); int E;", "int a = k(1, 2); int E;", &[]);
        assert_eq!(gone, ["9"]);
        assert_eq!(come, ["1", ",", "2"]);
        assert_eq!(
            change("char *a = \"b c\";", "char *a = \"b\";", &[]).0,
            ["\"b c\""].map(String::from)
        );
    }

    #[test]
    fn of_equal_tokens_the_likely_one_goes() {
        // Leaves: int a = ( ( 1 ) ) ;
        let version = change("int a = ((1));", "int a = (1);", &[4, 7]);
        assert_eq!(version.0, ["(", ")"]);
        let root = |likely: &[u32]| {
            let file = (
                Arc::from(Path::new("a.c")),
                Arc::from(&b"int a; int a;"[..]),
            );
            let program = read_program(vec![file]).expect("a program");
            let root = &program.documents()[0].root;
            RewriteChange::from_text(root, b"int a;", |leaf| likely.contains(&leaf)).gone
        };
        assert_eq!(root(&[0, 1, 2]), [0, 1, 2]);
        assert_eq!(root(&[3, 4, 5]), [3, 4, 5]);
    }
}
